/* SPDX-License-Identifier: MIT */
/* keeper.c in a tree, under cmocka; built by tests/redirect.sh. With "fail"
 * the tests that fail. */
#include <errno.h>
#include <string.h>

#include <memvfs/cmocka.h>

#include "tests/redirect/keeper.h"
#include "tests/redirect/leaky.h"

static int start(void **state)
{
	int rc = mvfs_cmocka_setup(state);

	if (!rc)
		mvfs_cmocka_route("/var/keeper");
	return rc;
}

static void what_is_saved_is_there_and_nothing_else(void **state)
{
	mvfs *fs = *state;

	assert_int_equal(keeper_save("/var/keeper/a", "one\ntwo\n"), 0);
	assert_int_equal(keeper_lines("/var/keeper/a"), 2);
	assert_int_equal(keeper_count("/var/keeper"), 1);
	assert_mvfs_text("/a", "one\ntwo\n");
	assert_mvfs_ok(mvfs_access(fs, "/a", 0));
	assert_mvfs_err(mvfs_access(fs, "/b", 0), -ENOENT);
}

static void a_full_disk_leaves_the_old_file(void **state)
{
	(void)state;
	assert_int_equal(keeper_save("/var/keeper/a", "one\n"), 0);
	mvfs_cmocka_fault("write path=/a.new errno=ENOSPC");
	assert_int_equal(keeper_save("/var/keeper/a", "one\ntwo\n"), -1);
	assert_int_equal(errno, ENOSPC);
	assert_mvfs_tree(". type=dir\n./a data=\"one\\n\"");
}

static void leaks(void **state)
{
	(void)state;
	assert_true(leaky_open("/var/keeper/leak") > 0);
}

static void closes_twice(void **state)
{
	(void)state;
	assert_int_equal(keeper_save("/var/keeper/a", "one\n"), 0);
	assert_true(leaky_close("/var/keeper/a") > 0);
}

static void finds_another_text(void **state)
{
	(void)state;
	mvfs_cmocka_fault("write path=/a.new nth=1 short=5");
	assert_int_equal(keeper_save("/var/keeper/a", "one\ntwo\n"), 0);
	assert_mvfs_text("/a", "one\ntoo\n");
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, start, mvfs_cmocka_teardown)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_saved_is_there_and_nothing_else),
		TEST(a_full_disk_leaves_the_old_file),
	};
	const struct CMUnitTest failing[] = {
		TEST(leaks),
		TEST(closes_twice),
		TEST(finds_another_text),
	};

	if (argc > 1 && strcmp(argv[1], "fail") == 0)
		return cmocka_run_group_tests(failing, NULL, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
