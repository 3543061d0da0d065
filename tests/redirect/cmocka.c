/* SPDX-License-Identifier: MIT */
/* keeper.c in a tree, under cmocka; built by tests/redirect.sh. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <memvfs/memvfs.h>

#include "tests/redirect/keeper.h"

static int start(void **state)
{
	mvfs *fs;

	if (mvfs_create(NULL, &fs) || mvfs_route(fs, "/var/keeper", 0))
		return -1;
	*state = fs;
	return 0;
}

static int end(void **state)
{
	return mvfs_unroute("/var/keeper", 0) || mvfs_destroy(*state);
}

static void what_is_saved_is_there_and_nothing_else(void **state)
{
	(void)state;
	assert_int_equal(keeper_save("/var/keeper/a", "one\ntwo\n"), 0);
	assert_int_equal(keeper_lines("/var/keeper/a"), 2);
	assert_int_equal(keeper_count("/var/keeper"), 1);
}

static void a_full_disk_leaves_the_old_file(void **state)
{
	assert_int_equal(keeper_save("/var/keeper/a", "one\n"), 0);
	assert_int_equal(mvfs_set_limits(*state, 4096, 0), 0);
	assert_int_equal(keeper_save("/var/keeper/a", "one\ntwo\n"), -1);
	assert_int_equal(errno, ENOSPC);
	assert_int_equal(keeper_lines("/var/keeper/a"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			what_is_saved_is_there_and_nothing_else, start, end),
		cmocka_unit_test_setup_teardown(
			a_full_disk_leaves_the_old_file, start, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
