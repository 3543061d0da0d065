/* SPDX-License-Identifier: MIT */
/* Listing a live directory by cookies (27b). */
#include "config.h"

#include "tests/sys/sys.h"

#define NAMES 500

static uint64_t dir_ino;

static struct mvfs_file *open_full(void)
{
	char name[16];
	int i;

	dir_ino = make_dir(top, "d");
	for (i = 0; i < NAMES; i++) {
		snprintf(name, sizeof(name), "name%d", i);
		make(dir_ino, name, "");
	}
	return open_ino(dir_ino, O_RDONLY | O_DIRECTORY);
}

static int is_dots(const struct mvfs_dirent *entry)
{
	return !strcmp(entry->name, ".") || !strcmp(entry->name, "..");
}

static void see(const struct mvfs_dirent *entry, unsigned char *seen)
{
	int i = atoi(entry->name + 4);

	ck_assert_uint_eq(entry->len, strlen(entry->name));
	ck_assert(i >= 0 && i < NAMES && !seen[i]);
	ck_assert_int_eq(entry->type, S_IFREG >> 12);
	seen[i] = 1;
}

/* Lists seven at a time and unlinks each name that is seen, or none. */
static int list(struct mvfs_file *dir, int unlinking)
{
	unsigned char seen[NAMES] = { 0 };
	struct mvfs_dirent entries[7];
	uint64_t cookie = 0;
	int64_t i, n;
	int met = 0;

	while ((n = ok(mvfs_sys_list(fs, dir, cookie, entries, 7))) > 0) {
		for (i = 0; i < n; i++) {
			ck_assert_uint_ne(entries[i].cookie, 0);
			if (is_dots(&entries[i]))
				continue;
			see(&entries[i], seen);
			met++;
			if (unlinking)
				ok(mvfs_sys_unlink(fs, &root, dir_ino,
						   entries[i].name));
		}
		cookie = entries[n - 1].cookie;
	}
	return met;
}

START_TEST(test_names_unlinked_while_listed_are_each_seen_once)
{
	struct mvfs_file *dir = open_full();

	ck_assert_int_eq(list(dir, 1), NAMES);
	ck_assert_int_eq(list(dir, 0), 0);
	ok(mvfs_sys_rmdir(fs, &root, top, "d"));
	ok(mvfs_sys_close(fs, dir));
}
END_TEST

START_TEST(test_a_cookie_goes_on_in_another_open_of_the_directory)
{
	struct mvfs_file *dir = open_full(), *again;
	struct mvfs_dirent first[4], next[2], other_next[2];

	ck_assert_int_eq(ok(mvfs_sys_list(fs, dir, 0, first, 4)), 4);
	ck_assert_str_eq(first[0].name, ".");
	ck_assert_uint_eq(first[0].ino, dir_ino);
	ck_assert_str_eq(first[1].name, "..");
	ck_assert_uint_eq(first[1].ino, top);
	again = open_ino(dir_ino, O_RDONLY);
	/* The name behind which it goes on need not be there any more. */
	ok(mvfs_sys_list(fs, dir, first[3].cookie, next, 2));
	ok(mvfs_sys_unlink(fs, &root, dir_ino, first[3].name));
	ok(mvfs_sys_list(fs, again, first[3].cookie, other_next, 2));
	ck_assert_str_eq(next[0].name, other_next[0].name);
	ck_assert_str_eq(next[1].name, other_next[1].name);
	ok(mvfs_sys_close(fs, dir));
	ok(mvfs_sys_close(fs, again));
}
END_TEST

START_TEST(test_only_directories_are_listed)
{
	struct mvfs_file *file = open_ino(make(top, "f", "F"), O_RDONLY);
	struct mvfs_dirent entry;

	fails(mvfs_sys_list(fs, file, 0, &entry, 1), ENOTDIR);
	ok(mvfs_sys_close(fs, file));
}
END_TEST

void add_list_tests(Suite *suite)
{
	TCase *t = sys_tcase(suite, "list");

	tcase_add_test(t,
	    test_names_unlinked_while_listed_are_each_seen_once);
	tcase_add_test(t,
	    test_a_cookie_goes_on_in_another_open_of_the_directory);
	tcase_add_test(t, test_only_directories_are_listed);
}
