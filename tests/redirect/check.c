/* SPDX-License-Identifier: MIT */
/* keeper.c in a tree, under Check; built by tests/redirect.sh. With "fail" the
 * tests that fail. */
#include <errno.h>
#include <string.h>

#include <memvfs/check.h>

#include "tests/redirect/keeper.h"
#include "tests/redirect/leaky.h"

static void start(void)
{
	ck_mvfs_setup();
	ck_mvfs_route("/var/keeper");
}

START_TEST(test_what_is_saved_is_there_and_nothing_else)
{
	ck_assert_int_eq(keeper_save("/var/keeper/a", "one\ntwo\n"), 0);
	ck_assert_int_eq(keeper_lines("/var/keeper/a"), 2);
	ck_assert_int_eq(keeper_count("/var/keeper"), 1);
	ck_assert_int_eq(keeper_lines("/var/keeper/b"), -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_mvfs_text("/a", "one\ntwo\n");
}
END_TEST

START_TEST(test_a_full_disk_leaves_the_old_file)
{
	ck_assert_int_eq(keeper_save("/var/keeper/a", "one\n"), 0);
	ck_mvfs_fault("write path=/a.new errno=ENOSPC");
	ck_assert_int_eq(keeper_save("/var/keeper/a", "one\ntwo\n"), -1);
	ck_assert_int_eq(errno, ENOSPC);
	ck_assert_mvfs_tree(". type=dir\n./a data=\"one\\n\"");
}
END_TEST

START_TEST(leaks)
{
	ck_assert_int_gt(leaky_open("/var/keeper/leak"), 0);
}
END_TEST

START_TEST(closes_twice)
{
	ck_assert_int_eq(keeper_save("/var/keeper/a", "one\n"), 0);
	ck_assert_int_gt(leaky_close("/var/keeper/a"), 0);
}
END_TEST

START_TEST(finds_another_text)
{
	ck_mvfs_fault("write path=/a.new nth=1 short=5");
	ck_assert_int_eq(keeper_save("/var/keeper/a", "one\ntwo\n"), 0);
	ck_assert_mvfs_text("/a", "one\ntoo\n");
}
END_TEST

int main(int argc, char **argv)
{
	Suite *suite = suite_create("keeper");
	TCase *tc = tcase_create("keeper");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tc, start, ck_mvfs_teardown);
	if (argc > 1 && strcmp(argv[1], "fail") == 0) {
		tcase_add_test(tc, leaks);
		tcase_add_test(tc, closes_twice);
		tcase_add_test(tc, finds_another_text);
	} else {
		tcase_add_test(tc,
			       test_what_is_saved_is_there_and_nothing_else);
		tcase_add_test(tc, test_a_full_disk_leaves_the_old_file);
	}
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed;
}
