/* SPDX-License-Identifier: MIT */
/* memvfs/report.h and mounts: one that is left is told, with its line, by a
 * fixture as well. */
#include "config.h"

#include <memvfs/fuse.h>
#include <memvfs/memvfs.h>
#include <memvfs/testing.h>

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <memvfs/places.h>

#include "tests/expect.h"

static char lines[1000];

static void tell(void *ctx, const struct mvfs_report *report)
{
	size_t len = strlen(lines);

	(void)ctx;
	snprintf(lines + len, sizeof(lines) - len, "%u %s\n", report->what,
		 report->line);
}

static void expect_told(const char *text, int line)
{
	char expected[200];

	snprintf(expected, sizeof(expected), "a mount is still there, made at "
		 "%s:%d\n", __FILE__, line);
	ck_assert_msg(strstr(text, expected), "no \"%s\" in \"%s\"", expected,
		      text);
}

START_TEST(test_a_mount_that_is_left_is_told_and_keeps_the_instance)
{
	struct mvfs_mount *mount;
	mvfs *fs;
	int at;

	ok(mvfs_create(NULL, &fs));
	ok(mvfs_set_report(fs, 0, tell, NULL));
	at = __LINE__ + 1;
	ok(mvfs_mount_temp(fs, NULL, &mount, NULL));
	fails(mvfs_destroy(fs), EBUSY);
	expect_told(lines, at);
	lines[0] = 0;
	ok(mvfs_unmount(mount));
	ok(mvfs_destroy(fs));
	ck_assert_str_eq(lines, "");
}
END_TEST

START_TEST(test_a_fixture_that_is_left_mounted_fails_and_says_so)
{
	struct mvfs_testing test;
	struct mvfs_mount *mount;
	const char *wrong;
	mvfs *fs;
	int at;

	ck_assert_ptr_null(mvfs_testing_begin(&test, NULL));
	fs = test.fs;
	at = __LINE__ + 1;
	ok(mvfs_mount_temp(fs, NULL, &mount, NULL));
	wrong = mvfs_testing_end(&test);
	ck_assert_ptr_nonnull(wrong);
	expect_told(wrong, at);
	ck_assert_ptr_nonnull(strstr(wrong, "it cannot end: EBUSY\n"));
	ok(mvfs_unmount(mount));
	ok(mvfs_destroy(fs));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fuse_report");
	TCase *tc = tcase_create("report");
	struct mvfs_mount *mount;
	struct mvfs_error error;
	mvfs *probe;

	ok(mvfs_create(NULL, &probe));
	if (mvfs_mount_temp(probe, NULL, &mount, &error)) {
		printf("SKIP: %s\n", error.message);
		return 77;
	}
	ok(mvfs_unmount(mount));
	ok(mvfs_destroy(probe));
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc,
		test_a_mount_that_is_left_is_told_and_keeps_the_instance);
	tcase_add_test(tc,
		       test_a_fixture_that_is_left_mounted_fails_and_says_so);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
