/* SPDX-License-Identifier: MIT */
/* Leaks where memory runs out, and what keeping places costs. */
#include "config.h"

#include "tests/core.h"

static unsigned what;
static int count;

static void note(void *ctx, const struct mvfs_report *report)
{
	(void)ctx;
	what = report->what;
	count++;
}

START_TEST(test_a_leak_that_cannot_be_told_is_told_as_lost)
{
	mvfs *leaky;
	int i;

	for (i = 1; i < 20; i++) {
		ok(mvfs_create(NULL, &leaky));
		ok(mvfs_set_report(leaky, 0, note, NULL));
		ok(mvfs_open(leaky, "/", O_RDONLY, 0));
		what = 0;
		count = 0;
		mvfs__mem_fail_at((uint64_t)i);
		ok(mvfs_destroy(leaky));
		mvfs__mem_fail_at(0);
		ck_assert_int_eq(count, 1);
		if (what == MVFS_REPORT_FILE)
			break;
		ck_assert_uint_eq(what, MVFS_REPORT_LOST);
	}
	ck_assert_int_gt(i, 1);
	ck_assert_int_lt(i, 20);
}
END_TEST

START_TEST(test_places_are_kept_only_once_they_are_told_or_asked_for)
{
	ok(mvfs_open(fs, "/", O_RDONLY, 0));
	ck_assert_ptr_null(fs->fs->fds.places);
	ck_assert_ptr_null(mvfs_here("here"));
	ok(mvfs_open(fs, "/", O_RDONLY, 0));
	ck_assert_str_eq(mvfs_here(NULL), "here");
	ck_assert_ptr_null(fs->fs->fds.places[0].opened);
	ck_assert_str_eq(fs->fs->fds.places[1].opened, "here");
}
END_TEST

START_TEST(test_places_outlive_their_descriptor_and_grow_with_the_table)
{
	int fd;

	ok(mvfs_set_report(fs, 0, note, NULL));
	ck_assert_ptr_null(mvfs_here("here"));
	for (fd = 0; fd < 100; fd++)
		ck_assert_int_eq(mvfs_open(fs, "/", O_RDONLY, 0), fd);
	ok(mvfs_close(fs, 70));
	ck_assert_str_eq(fs->fs->fds.places[70].closed, "here");
	ck_assert_uint_eq(fs->fs->fds.places[70].ino, MVFS__ROOT_INO);
	ok(mvfs_open(fs, "/", O_RDONLY, 0));
	ck_assert_ptr_null(fs->fs->fds.places[70].closed);
	ck_assert_uint_eq(fs->fs->fds.places[100].ino, 0);
	mvfs_here(NULL);
	ok(mvfs_set_report(fs, 0, NULL, NULL));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("report");

	tcase_add_checked_fixture(tests, core_start, core_end);
	tcase_add_test(tests, test_a_leak_that_cannot_be_told_is_told_as_lost);
	tcase_add_test(tests,
		test_places_are_kept_only_once_they_are_told_or_asked_for);
	tcase_add_test(tests,
		test_places_outlive_their_descriptor_and_grow_with_the_table);
	return core_run("fs_report", tests);
}
