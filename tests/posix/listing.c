/* SPDX-License-Identifier: MIT */
/* Listing a directory while it changes (27b). */
#include "config.h"

#include "tests/posix/cases.h"

#include <stdlib.h>

#define MOST 2000

static void make_names(int count)
{
	char path[32];
	int i;

	ok(fs->mkdir("d", 0755));
	for (i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "d/name%d", i);
		make(path, "");
	}
}

/* Marks the number of a name that make_names() made: once only. */
static void see(const char *name, unsigned char *seen, int count)
{
	int i;

	ck_assert_msg(strncmp(name, "name", 4) == 0, "unknown: %s", name);
	i = atoi(name + 4);
	ck_assert(i >= 0 && i < count);
	ck_assert_msg(!seen[i], "seen twice: %s", name);
	seen[i] = 1;
}

static void unlink_while_listing(int count)
{
	unsigned char seen[MOST] = { 0 };
	char name[256], path[300];
	int met = 0;
	void *dir;

	make_names(count);
	ok(fs->opendir("d", &dir));
	while (ok(fs->readdir(dir, name)) == 1) {
		see(name, seen, count);
		met++;
		snprintf(path, sizeof(path), "d/%s", name);
		ok(fs->unlink(path));
	}
	ok(fs->closedir(dir));
	ck_assert_int_eq(met, count);
	ck_assert_int_eq(count_names("d"), 0);
	ok(fs->rmdir("d"));
}

START_TEST(test_names_unlinked_while_listed_are_each_seen_once)
{
	unlink_while_listing(50);
}
END_TEST

/* More than one buffer of the kernel holds. */
START_TEST(test_many_names_unlinked_while_listed_are_each_seen_once)
{
	unlink_while_listing(MOST);
}
END_TEST

START_TEST(test_names_that_stay_are_seen_once_while_others_come)
{
	unsigned char seen[MOST] = { 0 };
	char name[256], path[300];
	int met = 0;
	void *dir;

	make_names(MOST);
	ok(fs->opendir("d", &dir));
	while (ok(fs->readdir(dir, name)) == 1) {
		if (strncmp(name, "name", 4))
			continue;
		see(name, seen, MOST);
		if (met++ >= 300)
			continue;
		snprintf(path, sizeof(path), "d/later%d", met);
		make(path, "");
	}
	ok(fs->closedir(dir));
	ck_assert_int_eq(met, MOST);
}
END_TEST

START_TEST(test_the_listing_of_a_removed_directory_ends)
{
	char name[256];
	void *dir;

	ok(fs->mkdir("d", 0755));
	ok(fs->opendir("d", &dir));
	ok(fs->rmdir("d"));
	ck_assert_int_eq(ok(fs->readdir(dir, name)), 0);
	ok(fs->closedir(dir));
}
END_TEST

START_TEST(test_only_directories_are_listed)
{
	void *dir;

	make("f", "F");
	fails(fs->opendir("f", &dir), ENOTDIR);
	fails(fs->opendir("x", &dir), ENOENT);
}
END_TEST

void add_listing_cases(Suite *suite)
{
	TCase *t = posix_tcase(suite, "listing");

	tcase_add_test(t,
	    test_names_unlinked_while_listed_are_each_seen_once);
	tcase_add_test(t,
	    test_many_names_unlinked_while_listed_are_each_seen_once);
	tcase_add_test(t,
	    test_names_that_stay_are_seen_once_while_others_come);
	tcase_add_test(t, test_the_listing_of_a_removed_directory_ends);
	tcase_add_test(t, test_only_directories_are_listed);
}
