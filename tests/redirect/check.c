/* SPDX-License-Identifier: MIT */
/* keeper.c in a tree, under Check; built by tests/redirect.sh. */
#include <check.h>
#include <errno.h>

#include <memvfs/memvfs.h>

#include "tests/redirect/keeper.h"

static mvfs *fs;

static void start(void)
{
	ck_assert_int_eq(mvfs_create(NULL, &fs), 0);
	ck_assert_int_eq(mvfs_route(fs, "/var/keeper", 0), 0);
}

static void end(void)
{
	ck_assert_int_eq(mvfs_unroute("/var/keeper", 0), 0);
	ck_assert_int_eq(mvfs_destroy(fs), 0);
}

START_TEST(test_what_is_saved_is_there_and_nothing_else)
{
	ck_assert_int_eq(keeper_save("/var/keeper/a", "one\ntwo\n"), 0);
	ck_assert_int_eq(keeper_lines("/var/keeper/a"), 2);
	ck_assert_int_eq(keeper_count("/var/keeper"), 1);
	ck_assert_int_eq(keeper_lines("/var/keeper/b"), -1);
	ck_assert_int_eq(errno, ENOENT);
}
END_TEST

START_TEST(test_a_full_disk_leaves_the_old_file)
{
	ck_assert_int_eq(keeper_save("/var/keeper/a", "one\n"), 0);
	ck_assert_int_eq(mvfs_set_limits(fs, 4096, 0), 0);
	ck_assert_int_eq(keeper_save("/var/keeper/a", "one\ntwo\n"), -1);
	ck_assert_int_eq(errno, ENOSPC);
	ck_assert_int_eq(keeper_lines("/var/keeper/a"), 1);
	ck_assert_int_eq(keeper_count("/var/keeper"), 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("keeper");
	TCase *tc = tcase_create("keeper");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tc, start, end);
	tcase_add_test(tc, test_what_is_saved_is_there_and_nothing_else);
	tcase_add_test(tc, test_a_full_disk_leaves_the_old_file);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
