/* SPDX-License-Identifier: MIT */
/* memvfs/text.h as a user of the shared library sees it. */
#include "config.h"

#include <memvfs/text.h>

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CHINESE "\xe4\xbd\xa0\xe5\xa5\xbd"
#define GBK_CHINESE "\xc4\xe3\xba\xc3"
#define FFFD "\xef\xbf\xbd"

static struct mvfs_string string;
static struct mvfs_error error;

static void ck_string(const char *text, unsigned flags)
{
	ck_assert_uint_eq(string.len, strlen(text));
	ck_assert_mem_eq(string.data, text, string.len);
	ck_assert_uint_eq(string.flags, flags);
	mvfs_string_release(&string);
}

START_TEST(test_charsets_are_found_by_name_and_tell_theirs)
{
	static const struct {
		const char *alias, *name;
	} known[] = {
		{ "utf8", "UTF-8" },
		{ "ascii", "US-ASCII" },
		{ "Latin1", "ISO-8859-1" },
		{ "CP936", "GBK" },
	};
	size_t i;

	for (i = 0; i < 4; i++) {
		const struct mvfs_charset *cs = mvfs_charset(known[i].alias);

		ck_assert_ptr_nonnull(cs);
		ck_assert_str_eq(mvfs_charset_name(cs), known[i].name);
		ck_assert_ptr_eq(mvfs_charset(known[i].name), cs);
		ck_assert_int_eq(mvfs_charset_is_ascii_compatible(cs), 1);
	}
	ck_assert_ptr_null(mvfs_charset("EBCDIC"));
	ck_assert_ptr_null(mvfs_charset(""));
	ck_assert_ptr_null(mvfs_charset(NULL));
	/* wherever a charset is asked for, NULL is UTF-8 */
	ck_assert_str_eq(mvfs_charset_name(NULL), "UTF-8");
	ck_assert_int_eq(mvfs_charset_is_ascii_compatible(NULL), 1);
}
END_TEST

START_TEST(test_decoding_gives_a_string_of_its_own)
{
	char bytes[] = GBK_CHINESE;

	ck_assert_int_eq(mvfs_decode(bytes, 4, mvfs_charset("GBK"), 0, &string,
				     NULL), 0);
	memset(bytes, 'x', 4);
	ck_string(CHINESE, MVFS_STRING_TERMINATED);
	ck_assert_int_eq(mvfs_decode("plain", 5, mvfs_charset("GBK"), 0,
				     &string, NULL), 0);
	ck_string("plain", MVFS_STRING_TERMINATED | MVFS_STRING_ASCII);
	ck_assert_int_eq(mvfs_decode(CHINESE, 6, NULL, 0, &string, NULL), 0);
	ck_string(CHINESE, MVFS_STRING_TERMINATED);
	ck_assert_int_eq(mvfs_decode("\xe9t\xe9", 3, mvfs_charset("latin1"), 0,
				     &string, NULL), 0);
	ck_string("\xc3\xa9t\xc3\xa9", MVFS_STRING_TERMINATED);
	ck_assert_int_eq(mvfs_decode(NULL, 0, NULL, 0, &string, NULL), 0);
	ck_string("", MVFS_STRING_TERMINATED | MVFS_STRING_ASCII);
}
END_TEST

START_TEST(test_decoding_fails_where_the_text_does)
{
	struct mvfs_string before = { .data = "untouched" };

	string = before;
	ck_assert_int_eq(mvfs_decode("abc\xe4\xbd", 5, NULL, 0, &string,
				     &error), -EILSEQ);
	ck_assert_int_eq(error.code, -EILSEQ);
	ck_assert_uint_eq(error.offset, 3);
	ck_assert_uint_eq(error.length, 2);
	ck_assert_ptr_nonnull(strstr(error.message, "cut off"));
	ck_assert_int_eq(mvfs_decode("abc\xe4\xbd!", 6, NULL, 0, &string,
				     &error), -EILSEQ);
	ck_assert_ptr_null(strstr(error.message, "cut off"));
	ck_assert_ptr_nonnull(strstr(error.message, "malformed"));
	ck_assert_int_eq(mvfs_decode("\xaa\xa1", 2, mvfs_charset("GBK"), 0,
				     &string, &error), -EILSEQ);
	ck_assert_ptr_nonnull(strstr(error.message, "unmappable"));
	ck_assert_int_eq(mvfs_decode("\x80", 1, mvfs_charset("ascii"), 0,
				     &string, NULL), -EILSEQ);
	ck_assert_mem_eq(&string, &before, sizeof(string));
}
END_TEST

START_TEST(test_replacing_puts_one_character_for_each_flaw)
{
	ck_assert_int_eq(mvfs_decode("a\xf0\x9f\x98" "b\xed\xa0\x80", 8, NULL,
				     MVFS_REPLACE, &string, NULL), 0);
	ck_string("a" FFFD "b" FFFD FFFD FFFD, MVFS_STRING_TERMINATED);
	ck_assert_int_eq(mvfs_decode("\x81\n" GBK_CHINESE "\xfe", 7,
				     mvfs_charset("GBK"), MVFS_REPLACE,
				     &string, NULL), 0);
	ck_string(FFFD "\n" CHINESE FFFD, MVFS_STRING_TERMINATED);
	ck_assert_int_eq(mvfs_decode("a\0\xff", 3, mvfs_charset("ascii"),
				     MVFS_REPLACE, &string, NULL), 0);
	ck_assert_uint_eq(string.len, 5);
	ck_assert_mem_eq(string.data, "a\0" FFFD, 5);
	mvfs_string_release(&string);
}
END_TEST

START_TEST(test_encoding_gives_the_bytes)
{
	ck_assert_int_eq(mvfs_encode(CHINESE "!", 7, mvfs_charset("GBK"), 0,
				     &string, NULL), 0);
	ck_string(GBK_CHINESE "!", MVFS_STRING_TERMINATED);
	ck_assert_int_eq(mvfs_encode(CHINESE, 6, NULL, 0, &string, NULL), 0);
	ck_string(CHINESE, MVFS_STRING_TERMINATED);
	ck_assert_int_eq(mvfs_encode(CHINESE "\xc3\xa9", 8,
				     mvfs_charset("latin1"), MVFS_REPLACE,
				     &string, NULL), 0);
	ck_string("??\xe9", MVFS_STRING_TERMINATED);
	ck_assert_int_eq(mvfs_encode("a\xff", 2, NULL, MVFS_REPLACE, &string,
				     NULL), 0);
	ck_string("a" FFFD, MVFS_STRING_TERMINATED);
	ck_assert_int_eq(mvfs_encode("", 0, NULL, 0, &string, NULL), 0);
	ck_string("", MVFS_STRING_TERMINATED | MVFS_STRING_ASCII);
}
END_TEST

START_TEST(test_encoding_fails_where_the_charset_has_no_such)
{
	ck_assert_int_eq(mvfs_encode("ab" CHINESE, 8, mvfs_charset("latin1"),
				     0, &string, &error), -EILSEQ);
	ck_assert_uint_eq(error.offset, 2);
	ck_assert_uint_eq(error.length, 3);
	ck_assert_ptr_nonnull(strstr(error.message, "U+4F60"));
	ck_assert_ptr_nonnull(strstr(error.message, "unmappable"));
	ck_assert_int_eq(mvfs_encode("ab\xc0\x80", 4, mvfs_charset("GBK"), 0,
				     &string, &error), -EILSEQ);
	ck_assert_uint_eq(error.offset, 2);
	ck_assert_uint_eq(error.length, 1);
	ck_assert_ptr_nonnull(strstr(error.message, "malformed UTF-8"));
}
END_TEST

START_TEST(test_wrong_arguments_are_refused)
{
	ck_assert_int_eq(mvfs_decode(NULL, 1, NULL, 0, &string, &error),
			 -EFAULT);
	ck_assert_int_eq(error.code, -EFAULT);
	ck_assert_int_eq(mvfs_decode("a", 1, NULL, 4, &string, &error),
			 -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.message, "0x4"));
	ck_assert_int_eq(error.reason, MVFS_REASON_NONE);
	/* there is no BOM to skip in what is encoded */
	ck_assert_int_eq(mvfs_encode("a", 1, NULL, MVFS_SKIP_BOM, &string,
				     &error), -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.message, "0x2"));
	ck_assert_int_eq(mvfs_decode("a", 1, NULL, 0, NULL, NULL), -EFAULT);
	ck_assert_int_eq(mvfs_encode(NULL, 1, NULL, 0, &string, NULL),
			 -EFAULT);
	ck_assert_int_eq(mvfs_encode("a", 1, NULL, ~0u, &string, NULL),
			 -EINVAL);
	ck_assert_int_eq(mvfs_string_copy(NULL, 1, &string), -EFAULT);
	ck_assert_int_eq(mvfs_string_copy("a", 1, NULL), -EFAULT);
	ck_assert_ptr_null(mvfs_string_cstr(NULL));
	ck_assert_ptr_null(mvfs_string_steal(NULL));
	mvfs_string_release(NULL);
}
END_TEST

START_TEST(test_strings_are_copied_sliced_shared_and_stolen)
{
	struct mvfs_string whole, other;
	const char *text;
	char *memory;

	ck_assert_int_eq(mvfs_string_copy("one two", 7, &whole), 0);
	ck_assert_uint_eq(whole.flags, MVFS_STRING_TERMINATED);
	other = mvfs_string_share(&whole);
	ck_assert_ptr_eq(other.data, whole.data);
	string = mvfs_string_slice(&whole, 0, 3);
	mvfs_string_release(&whole);
	ck_assert_ptr_null(whole.data);
	mvfs_string_release(&whole);
	text = mvfs_string_cstr(&string);
	ck_assert_str_eq(text, "one");
	ck_assert_ptr_eq(mvfs_string_cstr(&string), text);
	ck_string("one", MVFS_STRING_TERMINATED);
	string = mvfs_string_slice(&other, 4, SIZE_MAX);
	ck_assert_str_eq(mvfs_string_cstr(&string), "two");
	ck_string("two", MVFS_STRING_TERMINATED);
	memory = mvfs_string_steal(&other);
	ck_assert_ptr_null(other.owner);
	ck_assert_str_eq(memory, "one two");
	free(memory);
}
END_TEST

START_TEST(test_zeroed_strings_are_empty)
{
	struct mvfs_string zero = { 0 };
	char *memory;

	string = mvfs_string_share(&zero);
	ck_string("", MVFS_STRING_TERMINATED | MVFS_STRING_ASCII);
	string = mvfs_string_slice(&zero, 0, 5);
	ck_string("", MVFS_STRING_TERMINATED | MVFS_STRING_ASCII);
	ck_assert_str_eq(mvfs_string_cstr(&zero), "");
	mvfs_string_release(&zero);
	memory = mvfs_string_steal(&zero);
	ck_assert_str_eq(memory, "");
	free(memory);
	mvfs_string_release(&zero);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("api: text");
	TCase *tests = tcase_create("text.h");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tests, test_charsets_are_found_by_name_and_tell_theirs);
	tcase_add_test(tests, test_decoding_gives_a_string_of_its_own);
	tcase_add_test(tests, test_decoding_fails_where_the_text_does);
	tcase_add_test(tests, test_replacing_puts_one_character_for_each_flaw);
	tcase_add_test(tests, test_encoding_gives_the_bytes);
	tcase_add_test(tests,
		       test_encoding_fails_where_the_charset_has_no_such);
	tcase_add_test(tests, test_wrong_arguments_are_refused);
	tcase_add_test(tests, test_strings_are_copied_sliced_shared_and_stolen);
	tcase_add_test(tests, test_zeroed_strings_are_empty);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
