/* SPDX-License-Identifier: MIT */
/* Filling struct mvfs_error. */
#include "config.h"

#include "vfs/base/error.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

START_TEST(test_an_error_tells_code_place_and_message)
{
	struct mvfs_error error = { .reason = 7 };

	ck_assert_int_eq(mvfs__fail(&error, -EILSEQ, 7, 2, "at %d: %s", 7,
				    "why"), -EILSEQ);
	ck_assert_int_eq(error.code, -EILSEQ);
	ck_assert_uint_eq(error.offset, 7);
	ck_assert_uint_eq(error.length, 2);
	ck_assert_int_eq(error.reason, MVFS_REASON_NONE);
	ck_assert_str_eq(error.message, "at 7: why");
}
END_TEST

START_TEST(test_nobody_has_to_ask_for_an_error)
{
	ck_assert_int_eq(mvfs__fail(NULL, -ENOENT, 0, 0, "%s", "x"), -ENOENT);
}
END_TEST

/* Paths are in messages: none is cut within a character. */
START_TEST(test_long_messages_end_at_a_character)
{
	struct mvfs_error error;
	char text[400];
	size_t shift, length, i;

	for (shift = 0; shift < 3; shift++) {
		memset(text, 'a', shift);
		for (i = shift; i + 3 < sizeof(text); i += 3)
			memcpy(text + i, "\xe4\xbd\xa0", 3);
		text[i] = 0;
		mvfs__fail(&error, -ENOENT, 0, 0, "%s", text);
		length = strlen(error.message);
		ck_assert_uint_lt(length, sizeof(error.message));
		ck_assert_uint_ge(length, sizeof(error.message) - 5);
		ck_assert_uint_eq((length - shift) % 3, 0);
		ck_assert_mem_eq(error.message, text, length);
	}
	memset(text, 'a', 300);
	text[300] = 0;
	mvfs__fail(&error, -ENOENT, 0, 0, "%s", text);
	ck_assert_uint_eq(strlen(error.message), sizeof(error.message) - 1);
}
END_TEST

START_TEST(test_a_path_stands_before_the_message)
{
	struct mvfs_error error;

	mvfs__fail(&error, -EILSEQ, 7, 2, "malformed");
	error.reason = MVFS_REASON_TRUNCATED;
	mvfs__error_name(&error, "dir/file");
	ck_assert_str_eq(error.message, "dir/file: malformed");
	ck_assert_int_eq(error.code, -EILSEQ);
	ck_assert_uint_eq(error.offset, 7);
	ck_assert_uint_eq(error.length, 2);
	ck_assert_int_eq(error.reason, MVFS_REASON_TRUNCATED);
	mvfs__error_name(NULL, "dir/file");
}
END_TEST

START_TEST(test_a_long_path_leaves_room_for_the_message)
{
	struct mvfs_error error;
	char path[4000];
	size_t i;

	/* begins within a character, wherever it is cut */
	for (i = 0; i + 3 <= 3996; i += 3)
		memcpy(path + i, "\xe4\xbd\xa0", 3);
	strcpy(path + i, "xy");
	mvfs__fail(&error, -ENOENT, 0, 0, "why");
	mvfs__error_name(&error, path);
	ck_assert_mem_eq(error.message, "...\xe4\xbd\xa0\xe4", 7);
	ck_assert_uint_ge(strlen(error.message), 90);
	ck_assert_str_eq(strstr(error.message, "xy"), "xy: why");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("base: errors");
	TCase *tests = tcase_create("mvfs__fail");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tests, test_an_error_tells_code_place_and_message);
	tcase_add_test(tests, test_nobody_has_to_ask_for_an_error);
	tcase_add_test(tests, test_long_messages_end_at_a_character);
	tcase_add_test(tests, test_a_path_stands_before_the_message);
	tcase_add_test(tests, test_a_long_path_leaves_room_for_the_message);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
