/* SPDX-License-Identifier: MIT */
/* Reading files of the host: what only the inside can see. */
#include "config.h"

#include "vfs/content/host.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vfs/content/string.h"
#include "vfs/mem/mem.h"
#include "vfs/text/charset.h"

static char path[4096];
static struct mvfs_string string;
static struct mvfs_error error;

static void start(void)
{
	const char *tmp = getenv("TMPDIR");
	FILE *file;
	int i;

	snprintf(path, sizeof(path), "%s/memvfs-XXXXXX", tmp ? tmp : "/tmp");
	file = fdopen(mkstemp(path), "w");
	ck_assert_ptr_nonnull(file);
	for (i = 0; i < 5000; i++)
		fputs("\xc4\xe3", file); /* U+4F60 in GBK */
	ck_assert_int_eq(fclose(file), 0);
}

static void end(void)
{
	unlink(path);
}

/* ASCII only. */
static void truncate_to(int length)
{
	FILE *file = fopen(path, "w");

	fprintf(file, "%*s", length, "");
	ck_assert_int_eq(fclose(file), 0);
}

START_TEST(test_a_file_is_read_into_a_buffer_that_fits)
{
	uint64_t before = mvfs__mem_thread.allocations;
	const struct mvfs__buffer *b;

	truncate_to(3000);
	ck_assert_int_eq(mvfs__host_read_string(AT_FDCWD, path,
						&mvfs__charset_latin1, 0,
						&string, &error), 0);
	b = string.owner;
	ck_assert_uint_eq(mvfs__mem_thread.allocations, before + 1);
	ck_assert_uint_eq(b->used, 3000);
	ck_assert_uint_lt(mvfs__buffer_capacity(b), 3016);
	mvfs__string_release(&string);
}
END_TEST

START_TEST(test_text_of_the_host_is_not_copied)
{
	uint64_t before = mvfs__mem_thread.copies;

	truncate_to(5);
	ck_assert_int_eq(mvfs__host_read_string(AT_FDCWD, path,
						&mvfs__charset_gbk, 0, &string,
						&error), 0);
	ck_assert_uint_eq(mvfs__mem_thread.copies, before);
	ck_assert_uint_eq(string.flags,
			  MVFS_STRING_TERMINATED | MVFS_STRING_ASCII);
	mvfs__string_release(&string);
}
END_TEST

static void fail_each(const char *from, const struct mvfs_charset *cs,
		      uint64_t at_least)
{
	uint64_t n;
	int ret;

	for (n = 1;; n++) {
		error.message[0] = 0;
		mvfs__mem_fail_at(n);
		ret = mvfs__host_read_string(AT_FDCWD, from, cs, 0, &string,
					     &error);
		if (!ret)
			break;
		ck_assert_int_eq(ret, -ENOMEM);
		ck_assert_int_eq(error.code, -ENOMEM);
		ck_assert_ptr_nonnull(strstr(error.message, "no memory"));
		ck_assert_ptr_eq(strstr(error.message, from), error.message);
	}
	mvfs__mem_fail_at(0);
	ck_assert_uint_gt(n, at_least);
	mvfs__string_release(&string);
}

START_TEST(test_every_allocation_can_fail)
{
	int before = dup(0), after;

	close(before);
	fail_each(path, &mvfs__charset_gbk, 2);
	/* of no known size: grows */
	if (!access("/proc/self/smaps", R_OK))
		fail_each("/proc/self/smaps", &mvfs__charset_utf8, 2);
	after = dup(0);
	close(after);
	ck_assert_int_eq(before, after);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("content: files of the host");
	TCase *tests = tcase_create("host");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tests, start, end);
	tcase_add_test(tests, test_a_file_is_read_into_a_buffer_that_fits);
	tcase_add_test(tests, test_text_of_the_host_is_not_copied);
	tcase_add_test(tests, test_every_allocation_can_fail);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
