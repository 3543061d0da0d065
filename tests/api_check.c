/* SPDX-License-Identifier: MIT */
/*
 * memvfs/check.h and testing.h: tests that pass by them, and what is told of
 * tests that fail, which are run before, with and without forks.
 */
#include "config.h"

#include <memvfs/check.h>
#include <memvfs/places.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/expect.h"

START_TEST(test_a_fixture_gives_each_test_an_empty_tree)
{
	ck_assert_mvfs_tree(". type=dir");
	ck_mvfs_build("./left/behind data=\"x\"");
	ck_assert_mvfs_ok(mvfs_access(ck_mvfs, "/left/behind", R_OK));
}
END_TEST

START_TEST(test_what_is_as_expected_passes)
{
	ck_mvfs_build("./d/f data=\"one\\ntwo\\n\"");
	ck_assert_mvfs_text("/d/f", "one\ntwo\n");
	ck_assert_mvfs_file("/d/f", "one\ntwo\n", 8);
	ck_assert_mvfs_tree("./d/f size=8");
	ck_mvfs_fault("open path=/d/f errno=EMFILE");
	ck_assert_mvfs_err(mvfs_open(ck_mvfs, "/d/f", O_RDONLY, 0), -EMFILE);
	ck_assert_mvfs_ok(mvfs_log_start(ck_mvfs, 10));
	ck_assert_mvfs_ok(mvfs_unlink(ck_mvfs, "/d/f"));
	ck_assert_mvfs_log("exact\nunlink /d/f = 0");
}
END_TEST

START_TEST(test_a_look_is_no_call_and_needs_no_permission)
{
	ck_mvfs_build("./f mode=0000 data=\"x\"");
	ck_mvfs_fault("all path=/** errno=EIO");
	ck_assert_mvfs_ok(mvfs_log_start(ck_mvfs, 10));
	ck_assert_mvfs_text("/f", "x");
	ck_assert_mvfs_tree("./f size=1");
	ck_assert_mvfs_log("exact");
}
END_TEST

/* Tests that fail. */
START_TEST(leaks_a_descriptor)
{
	ck_mvfs_build("./f type=file");
	mvfs_open(ck_mvfs, "/f", O_RDONLY, 0);
}
END_TEST

START_TEST(leaks_a_view)
{
	mvfs *view;

	ck_assert_mvfs_ok(mvfs_view(ck_mvfs, NULL, &view));
}
END_TEST

START_TEST(closes_twice)
{
	int fd = mvfs_open(ck_mvfs, "/", O_RDONLY, 0);

	mvfs_close(ck_mvfs, fd);
	mvfs_close(ck_mvfs, fd);
}
END_TEST

START_TEST(finds_another_text)
{
	int fd;

	ck_mvfs_build("./f data=\"one\\ntwo three four five six\\n\"");
	ck_mvfs_fault("read path=/f nth=1 errno=EIO");
	fd = mvfs_open(ck_mvfs, "/f", O_RDONLY, 0);
	ck_assert_mvfs_err(mvfs_read(ck_mvfs, fd, &fd, 1), -EIO);
	ck_assert_mvfs_text("/f", "one\ntwo three FOUR five six\n");
}
END_TEST

START_TEST(finds_a_shorter_text)
{
	ck_mvfs_build("./f data=\"0123456789abcdef\"");
	ck_assert_mvfs_text("/f", "0123456789abcdef0");
}
END_TEST

START_TEST(finds_no_file)
{
	ck_assert_mvfs_text("/none", "x");
}
END_TEST

START_TEST(finds_another_error)
{
	ck_assert_mvfs_err(mvfs_unlink(ck_mvfs, "/none"), -EACCES);
}
END_TEST

START_TEST(finds_no_error)
{
	ck_assert_mvfs_err(mvfs_mkdir(ck_mvfs, "/d", 0700), -ENOSPC);
}
END_TEST

START_TEST(finds_any_error)
{
	ck_assert_mvfs_ok(mvfs_open(ck_mvfs, "/none", O_RDONLY, 0));
}
END_TEST

START_TEST(has_a_bad_rule)
{
	ck_mvfs_fault("write path=/f errno=ENOTHING");
}
END_TEST

START_TEST(finds_another_tree)
{
	ck_mvfs_build("./a data=\"x\"\n./b data=\"y\"");
	ck_assert_mvfs_tree("./a size=1\n./b size=2\n");
}
END_TEST

START_TEST(finds_another_log)
{
	ck_assert_mvfs_ok(mvfs_log_start(ck_mvfs, 10));
	ck_assert_mvfs_ok(mvfs_mkdir(ck_mvfs, "/d", 0700));
	ck_assert_mvfs_log("mkdir /d\nrmdir /d");
}
END_TEST

START_TEST(has_a_bad_prefix)
{
	ck_mvfs_route("not/absolute");
}
END_TEST

START_TEST(tells_more_than_there_is_room_for)
{
	int i;

	for (i = 0; i < 200; i++)
		mvfs_open(ck_mvfs, "/", O_RDONLY, 0);
}
END_TEST

/* What is told of each, in their order. */
static const char *const told[][6] = {
	{ /* leaks_a_descriptor */ "left behind by the test:\n",
		"  descriptor 0 of /f is still open, opened at ",
		"tests/api_check.c:" },
	{ /* leaks_a_view */ "  a view is still there, made at " },
	{ /* closes_twice */ "  descriptor 0 of / is not open, opened at ",
		", closed at ", ", closed again at " },
	{ /* finds_another_text */
		"/f: not what is expected from byte 14 on (line 2)\n",
		"  expected 28 bytes, from 0 on: 6f 6e 65 0a 74 77 6f 20 74 "
		"68 72 65 65 20>46 4f  |one.two three FO|\n",
		"  found    28 bytes, from 0 on: 6f 6e 65 0a 74 77 6f 20 74 "
		"68 72 65 65 20>66 6f  |one.two three fo|\n",
		"faults that fired:\n"
		"  read path=/f nth=1 errno=EIO (fired at 1 of 1)\n",
		"open:\n  descriptor 0 of /f is still open, opened at " },
	{ /* finds_a_shorter_text */
		"/f: not what is expected from byte 16 on (line 1)\n",
		"  expected 17 bytes, from 16 on:>30 ",
		"  found    16 bytes, from 16 on:> . " },
	{ /* finds_no_file */
		"/none: expected a file of 1 bytes, found ENOENT\n" },
	{ /* finds_another_error */
		"mvfs_unlink(", ": expected EACCES, found ENOENT (-2)\n" },
	{ /* finds_no_error */ ": expected ENOSPC, found success (0)\n" },
	/* the call as it is written, not what the preprocessor makes of it */
	{ /* finds_any_error */
		"mvfs_open(ck_mvfs, \"/none\", O_RDONLY, 0)", "ENOENT (-2)\n" },
	{ /* has_a_bad_rule */ "fault: column 21: \"ENOTHING\"; ",
		"\n  write path=/f errno=ENOTHING\n",
		"\n                      ^\n" },
	{ /* finds_another_tree */ "tree: ", "/b", "size",
		"\n  ./b size=2\n" },
	{ /* finds_another_log */ "log: ", "\n  rmdir /d\n",
		"the log:\nmkdir /d" },
	{ /* has_a_bad_prefix */ "no route for not/absolute: EINVAL\n" },
	{ /* tells_more_than_there_is_room_for */ "descriptor 0 ", "...\n" },
};

enum { FAILING = sizeof(told) / sizeof(told[0]) };

/* Of each: without forks, and with. */
static char *messages[FAILING][2];

static void add_failing(TCase *tc, size_t i)
{
	const TTest *const tests[FAILING] = {
		leaks_a_descriptor,
		leaks_a_view,
		closes_twice,
		finds_another_text,
		finds_a_shorter_text,
		finds_no_file,
		finds_another_error,
		finds_no_error,
		finds_any_error,
		has_a_bad_rule,
		finds_another_tree,
		finds_another_log,
		has_a_bad_prefix,
		tells_more_than_there_is_room_for,
	};

	tcase_add_test(tc, tests[i]);
}

/* Not within a test: Check can run one thing at a time. */
static char *message_of(size_t i, enum fork_status forks)
{
	Suite *suite = suite_create("failing");
	TCase *tc = tcase_create("failing");
	TestResult **results;
	SRunner *runner;
	char *message = NULL;

	ck_mvfs_fixture(tc);
	add_failing(tc, i);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_set_fork_status(runner, forks);
	srunner_run_all(runner, CK_SILENT);
	results = srunner_failures(runner);
	if (srunner_ntests_failed(runner) == 1 &&
	    tr_rtype(results[0]) == CK_FAILURE)
		message = strdup(tr_msg(results[0]));
	free(results);
	srunner_free(runner);
	return message;
}

START_TEST(test_a_failure_tells_all_that_is_known)
{
	const char *message = messages[_i / 2][_i % 2];
	const char *line;
	int j;

	ck_assert_ptr_nonnull(message);
	for (j = 0; j < 6 && (line = told[_i / 2][j]); j++)
		ck_assert_msg(strstr(message, line), "no \"%s\" in:\n%s",
			      line, message);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("check");
	TCase *tc = tcase_create("check");
	size_t i;
	int status;

	for (i = 0; i < FAILING; i++) {
		messages[i][0] = message_of(i, CK_NOFORK);
		messages[i][1] = message_of(i, CK_FORK);
	}
	ck_mvfs_fixture(tc);
	tcase_add_test(tc, test_a_fixture_gives_each_test_an_empty_tree);
	tcase_add_test(tc, test_what_is_as_expected_passes);
	tcase_add_test(tc, test_a_look_is_no_call_and_needs_no_permission);
	suite_add_tcase(suite, tc);
	tc = tcase_create("failures");
	tcase_add_loop_test(tc, test_a_failure_tells_all_that_is_known, 0,
			    2 * FAILING);
	suite_add_tcase(suite, tc);
	status = run_suite(suite);
	for (i = 0; i < FAILING; i++) {
		free(messages[i][0]);
		free(messages[i][1]);
	}
	return status;
}
