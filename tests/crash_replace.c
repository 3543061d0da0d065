/* SPDX-License-Identifier: MIT */
/*
 * Replacing a file: write a temporary one, fsync it, rename it over the old
 * one, fsync the directory. Whenever the power is cut, the file is the old one
 * or the new one, whole, and the new one once the last call has returned.
 * Without either fsync a state must be found in which it is not.
 */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include <memvfs/memvfs.h>

#include "tests/crash.h"
#include "tests/expect.h"

enum { REPLACEMENTS = 3, LENGTH = 1700 }; /* some sectors, and a part */

#define NO_FILE_SYNC 1u
#define NO_DIRECTORY_SYNC 2u

static mvfs *fs;
static struct mvfs_crash_options options;
static uint64_t acknowledged[1 + REPLACEMENTS];
static uint64_t states;
static struct mvfs_crash_state violating;
static char violation[200];

static void fill(char text[LENGTH], int version)
{
	memset(text, '0' + version, LENGTH);
}

static void sync_path(const char *path, int flags)
{
	int fd = (int)ok(mvfs_open(fs, path, flags, 0));

	ok(mvfs_fsync(fs, fd));
	ok(mvfs_close(fs, fd));
}

static void replace(int version, unsigned mistakes)
{
	char text[LENGTH];
	int fd;

	fill(text, version);
	fd = (int)ok(mvfs_open(fs, "/dir/new", O_WRONLY | O_CREAT | O_TRUNC,
			       0644));
	/* in two parts, so that there is a point between them */
	ok(mvfs_write(fs, fd, text, LENGTH / 2));
	ok(mvfs_write(fs, fd, text + LENGTH / 2, LENGTH - LENGTH / 2));
	if (!(mistakes & NO_FILE_SYNC))
		ok(mvfs_fsync(fs, fd));
	ok(mvfs_close(fs, fd));
	ok(mvfs_rename(fs, "/dir/new", "/dir/file"));
	if (!(mistakes & NO_DIRECTORY_SYNC))
		sync_path("/dir", O_RDONLY | O_DIRECTORY);
	acknowledged[version] = (uint64_t)ok(mvfs_crash_point(fs));
}

/* Which version the file is; -1: none of them. */
static int version_of(const char *data, size_t len)
{
	char text[LENGTH];

	for (int version = 0; version <= REPLACEMENTS; version++) {
		fill(text, version);
		if (len == LENGTH && memcmp(data, text, LENGTH) == 0)
			return version;
	}
	return -1;
}

static int judge(mvfs *after, uint64_t point)
{
	struct mvfs_string text;
	int must = 0, found;

	while (must < REPLACEMENTS && acknowledged[must + 1] <= point)
		must++;
	if (mvfs_read_file(after, "/dir/file", &text) < 0) {
		snprintf(violation, sizeof(violation), "there is no file");
		return 1;
	}
	found = version_of(text.data, text.len);
	mvfs_string_release(&text);
	if (found == must || (found == must + 1 && found <= REPLACEMENTS))
		return 0;
	snprintf(violation, sizeof(violation),
		 "version %d was acknowledged, found is %d", must, found);
	return 1;
}

static int crash(void *ctx, mvfs *after, const struct mvfs_crash_state *state)
{
	(void)ctx;
	states++;
	if (!judge(after, state->point))
		return 0;
	violating = *state;
	return 1;
}

/* 1: a state breaks the promise, and is printed. */
static int try_crashes(unsigned policy, unsigned mistakes)
{
	char text[LENGTH];
	int result;

	options = (struct mvfs_crash_options){
		.size = sizeof(options),
		.policy = policy,
		.data = CRASH_ALL_DATA,
	};
	ok(mvfs_create(NULL, &fs));
	ok(mvfs_mkdir(fs, "/dir", 0755));
	fill(text, 0);
	ok(mvfs_write_file(fs, "/dir/file", text, LENGTH));
	ok(mvfs_crash_start(fs, &options));
	for (int version = 1; version <= REPLACEMENTS; version++)
		replace(version, mistakes);
	states = 0;
	result = (int)ok(mvfs_crash_each(fs, &options, crash, NULL));
	if (result)
		print_crash(fs, &options, &violating,
			    policy == MVFS_CRASH_POSIX ? "posix" : "ordered",
			    violation);
	return result;
}

static const unsigned policies[] = {MVFS_CRASH_ORDERED, MVFS_CRASH_POSIX};

START_TEST(test_a_file_is_replaced_whole_or_not_at_all)
{
	int violated = try_crashes(policies[_i], 0);

	ck_assert_msg(!violated, "%s", violation);
	/* More than the points: there was something in doubt. */
	ck_assert_uint_gt(states, ok(mvfs_crash_point(fs)) + 1);
	ok(mvfs_destroy(fs));
}
END_TEST

static void must_be_caught(unsigned policy, unsigned mistakes)
{
	mvfs *after;

	ck_assert(try_crashes(policy, mistakes));
	ok(mvfs_crash(fs, &options, &violating, &after));
	ck_assert_int_eq(judge(after, violating.point), 1);
	ok(mvfs_destroy(after));
	ok(mvfs_destroy(fs));
}

START_TEST(test_without_fsync_of_the_file_bytes_are_lost)
{
	must_be_caught(policies[_i], NO_FILE_SYNC);
}
END_TEST

START_TEST(test_without_fsync_of_the_directory_a_name_is_lost)
{
	must_be_caught(policies[_i], NO_DIRECTORY_SYNC);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("crash replace");
	TCase *tcase = tcase_create("crashes");

	tcase_add_loop_test(tcase, test_a_file_is_replaced_whole_or_not_at_all,
			    0, 2);
	tcase_add_loop_test(
		tcase, test_without_fsync_of_the_file_bytes_are_lost, 0, 2);
	tcase_add_loop_test(
		tcase, test_without_fsync_of_the_directory_a_name_is_lost, 0,
		2);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
