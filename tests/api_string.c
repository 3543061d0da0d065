/* SPDX-License-Identifier: MIT */
/*
 * Owned strings as a user has them: what they cost, by count; compacting,
 * comparing, hashing, stealing; and lines and parts, against a slow model.
 */
#include "config.h"

#include <memvfs/memvfs.h>

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/random.h"

#define CHINESE "\xe4\xbd\xa0\xe5\xa5\xbd"
#define ALL UINT64_MAX

static struct mvfs_stats before;

static void count_from_here(void)
{
	before.size = sizeof(before);
	ck_assert_int_eq(mvfs_stats(MVFS_STATS_THREAD, &before), 0);
}

/* Since then, so much and no more. */
static void ck_counts(uint64_t allocations, uint64_t copied_bytes)
{
	struct mvfs_stats now = { .size = sizeof(now) };

	ck_assert_int_eq(mvfs_stats(MVFS_STATS_THREAD, &now), 0);
	ck_assert_uint_eq(now.allocations - before.allocations, allocations);
	ck_assert_uint_eq(now.copied_bytes - before.copied_bytes,
			  copied_bytes);
}

static struct mvfs_string copy_of(const void *bytes, size_t len)
{
	struct mvfs_string string;

	ck_assert_int_eq(mvfs_string_copy(bytes, len, &string), 0);
	return string;
}

static struct mvfs_string text_of(const char *text)
{
	return copy_of(text, strlen(text));
}

/* Of `len` letters; ASCII that is known to be. */
static struct mvfs_string long_text(size_t len)
{
	struct mvfs_string string;
	char *bytes = malloc(len);
	size_t i;

	for (i = 0; i < len; i++)
		bytes[i] = (char)('a' + i % 26);
	ck_assert_int_eq(mvfs_decode(bytes, len, NULL, 0, &string, NULL), 0);
	free(bytes);
	return string;
}

static void ck_is(const struct mvfs_string *string, const char *text)
{
	ck_assert_uint_eq(string->len, strlen(text));
	ck_assert(memcmp(string->data, text, string->len) == 0);
}

START_TEST(test_shares_and_slices_cost_nothing)
{
	struct mvfs_string whole = text_of("one two three"), other, part;

	count_from_here();
	other = mvfs_string_share(&whole);
	part = mvfs_string_slice(&other, 4, 3);
	mvfs_string_release(&whole);
	mvfs_string_release(&other);
	ck_is(&part, "two");
	mvfs_string_release(&part);
	ck_counts(0, 0);
}
END_TEST

START_TEST(test_compacting_copies_a_part_of_less_than_half)
{
	struct mvfs_string whole = long_text(10000), part;
	const char *data;

	part = mvfs_string_slice(&whole, 100, 4900);
	count_from_here();
	ck_assert_int_eq(mvfs_string_compact(&part), 0);
	ck_counts(1, 4900);
	ck_assert_ptr_ne(part.data, whole.data + 100);
	ck_assert(memcmp(part.data, whole.data + 100, 4900) == 0);
	ck_assert_uint_eq(part.flags,
			  MVFS_STRING_TERMINATED | MVFS_STRING_ASCII);
	/* once is enough */
	data = part.data;
	ck_assert_int_eq(mvfs_string_compact(&part), 0);
	ck_counts(1, 4900);
	ck_assert_ptr_eq(part.data, data);
	mvfs_string_release(&part);
	part = mvfs_string_slice(&whole, 100, 5100);
	ck_assert_int_eq(mvfs_string_compact(&part), 0);
	ck_assert_int_eq(mvfs_string_compact(&whole), 0);
	ck_assert_ptr_eq(part.data, whole.data + 100);
	ck_counts(1, 4900);
	mvfs_string_release(&part);
	mvfs_string_release(&whole);
}
END_TEST

START_TEST(test_compacting_keeps_what_is_known)
{
	struct mvfs_string whole, part;
	struct mvfs_stats now = { .size = sizeof(now) };
	mvfs *fs;

	ck_assert_int_eq(mvfs_create(NULL, &fs), 0);
	ck_assert_int_eq(mvfs_decode(CHINESE CHINESE CHINESE CHINESE CHINESE
				     CHINESE CHINESE CHINESE CHINESE CHINESE
				     CHINESE CHINESE CHINESE CHINESE CHINESE
				     CHINESE CHINESE CHINESE CHINESE CHINESE,
				     120, NULL, 0, &whole, NULL), 0);
	part = mvfs_string_slice(&whole, 12, 6);
	ck_assert_int_eq(mvfs_string_compact(&part), 0);
	ck_assert_ptr_ne(part.owner, whole.owner);
	mvfs_string_release(&whole);
	count_from_here();
	ck_assert_int_eq(mvfs_write_string(fs, "/f", &part, NULL, NULL), 0);
	mvfs_string_release(&part);
	ck_assert_int_eq(mvfs_read_string(fs, "/f", NULL, 0, &whole, NULL), 0);
	ck_is(&whole, CHINESE);
	mvfs_string_release(&whole);
	ck_assert_int_eq(mvfs_stats(MVFS_STATS_THREAD, &now), 0);
	ck_assert_uint_eq(now.classified_bytes, before.classified_bytes);
	ck_assert_uint_eq(now.copied_bytes, before.copied_bytes);
	ck_assert_uint_eq(now.shares - before.shares, 2);
	ck_assert_int_eq(mvfs_destroy(fs), 0);
}
END_TEST

START_TEST(test_compacting_leaves_the_callers_own_memory)
{
	struct mvfs_string string = { .data = "text", .len = 2 };

	ck_assert_int_eq(mvfs_string_compact(NULL), -EFAULT);
	ck_assert_int_eq(mvfs_string_compact(&string), 0);
	ck_assert_ptr_null(string.owner);
	ck_is(&string, "te");
	string = (struct mvfs_string){ 0 };
	ck_assert_int_eq(mvfs_string_compact(&string), 0);
	ck_is(&string, "");
}
END_TEST

static int sign(int n)
{
	return (n > 0) - (n < 0);
}

static void ck_order(const char *a, size_t a_len, const char *b, size_t b_len,
		     int order)
{
	struct mvfs_string x = copy_of(a, a_len), y = copy_of(b, b_len);

	ck_assert_int_eq(sign(mvfs_string_compare(&x, &y)), order);
	ck_assert_int_eq(sign(mvfs_string_compare(&y, &x)), -order);
	ck_assert_int_eq(mvfs_string_equal(&x, &y), order == 0);
	mvfs_string_release(&x);
	mvfs_string_release(&y);
}

START_TEST(test_strings_are_compared_by_bytes_then_by_length)
{
	const struct mvfs_string zero = { 0 };
	struct mvfs_string whole = text_of("abcabc"), part;

	ck_order("abc", 3, "abc", 3, 0);
	ck_order("abc", 3, "abd", 3, -1);
	ck_order("b", 1, "abc", 3, 1);
	ck_order("ab", 2, "abc", 3, -1);
	ck_order("", 0, "a", 1, -1);
	ck_order("", 0, "", 0, 0);
	ck_order("a\0b", 3, "a\0c", 3, -1);
	ck_order("\x7f", 1, CHINESE, 6, -1);
	ck_assert_int_eq(mvfs_string_compare(&zero, NULL), 0);
	ck_assert_int_eq(mvfs_string_compare(&whole, NULL), 1);
	ck_assert_int_eq(mvfs_string_equal(&zero, &whole), 0);
	/* of one owner: the same place, or not */
	part = mvfs_string_slice(&whole, 0, 3);
	ck_assert_int_eq(mvfs_string_compare(&part, &whole), -1);
	ck_assert_int_eq(mvfs_string_equal(&whole, &whole), 1);
	mvfs_string_release(&part);
	part = mvfs_string_slice(&whole, 3, 3);
	ck_assert_int_eq(sign(mvfs_string_compare(&part, &whole)), -1);
	mvfs_string_release(&part);
	mvfs_string_release(&whole);
}
END_TEST

START_TEST(test_the_same_place_is_equal_without_looking)
{
	/* nobody could look at these */
	struct mvfs_string a = { .data = (const char *)16, .len = 5 }, b = a;

	ck_assert_int_eq(mvfs_string_equal(&a, &b), 1);
	ck_assert_int_eq(mvfs_string_compare(&a, &b), 0);
	b.len = 6;
	ck_assert_int_eq(mvfs_string_compare(&a, &b), -1);
	b.data = (const char *)32;
	ck_assert_int_eq(mvfs_string_equal(&a, &b), 0);
}
END_TEST

START_TEST(test_a_hash_follows_from_bytes_and_seed)
{
	const struct mvfs_string zero = { 0 };
	struct mvfs_string whole = text_of("abcabc"), a, b;

	a = mvfs_string_slice(&whole, 0, 3);
	b = mvfs_string_slice(&whole, 3, 3);
	ck_assert_uint_eq(mvfs_string_hash(&a, 1), mvfs_string_hash(&b, 1));
	ck_assert_uint_ne(mvfs_string_hash(&a, 1), mvfs_string_hash(&a, 2));
	ck_assert_uint_ne(mvfs_string_hash(&a, 1), mvfs_string_hash(&whole, 1));
	ck_assert_uint_eq(mvfs_string_hash(&zero, 9),
			  mvfs_string_hash(NULL, 9));
	/* on every machine; unit_dir holds the hash against a slow one */
	ck_assert_uint_eq(mvfs_string_hash(&a, 0),
			  UINT64_C(0xc03bc3a0042630f2));
	mvfs_string_release(&a);
	mvfs_string_release(&b);
	mvfs_string_release(&whole);
}
END_TEST

START_TEST(test_stealing_copies_only_what_others_have_or_lies_elsewhere)
{
	enum { LEN = 300000 };
	struct mvfs_string string = long_text(LEN), other;
	const char *data = string.data;
	char *memory;

	/* alone, with memory of its own */
	count_from_here();
	memory = mvfs_string_steal(&string);
	ck_counts(0, 0);
	ck_assert_ptr_eq(memory, data);
	ck_assert_ptr_null(string.owner);
	ck_assert_uint_eq(strlen(memory), LEN);
	memory = realloc(memory, 2 * LEN);
	memset(memory, 'x', 2 * LEN);
	free(memory);
	/* shared */
	string = long_text(LEN);
	other = mvfs_string_share(&string);
	count_from_here();
	memory = mvfs_string_steal(&string);
	ck_counts(1, LEN);
	free(memory);
	/* its beginning, and more than half: cut there */
	string = mvfs_string_slice(&other, 0, 200000);
	mvfs_string_release(&other);
	count_from_here();
	memory = mvfs_string_steal(&string);
	ck_counts(0, 0);
	ck_assert_uint_eq(strlen(memory), 200000);
	free(memory);
	/* a small part, and one that begins elsewhere */
	other = long_text(LEN);
	string = mvfs_string_slice(&other, 0, 1000);
	mvfs_string_release(&other);
	count_from_here();
	memory = mvfs_string_steal(&string);
	ck_counts(1, 1000);
	free(memory);
	other = long_text(LEN);
	string = mvfs_string_slice(&other, 1, LEN);
	mvfs_string_release(&other);
	count_from_here();
	memory = mvfs_string_steal(&string);
	ck_counts(1, LEN - 1);
	ck_assert_int_eq(memory[0], 'b');
	free(memory);
}
END_TEST

START_TEST(test_stealing_leaves_a_file_its_bytes)
{
	struct mvfs_string string = long_text(300000);
	char *memory;
	mvfs *fs;

	ck_assert_int_eq(mvfs_create(NULL, &fs), 0);
	ck_assert_int_eq(mvfs_write_string(fs, "/f", &string, NULL, NULL), 0);
	memory = mvfs_string_steal(&string);
	memset(memory, 'x', 300000);
	free(memory);
	ck_assert_int_eq(mvfs_read_string(fs, "/f", NULL, 0, &string, NULL),
			 0);
	ck_assert(memcmp(string.data, "abcdef", 6) == 0);
	mvfs_string_release(&string);
	ck_assert_int_eq(mvfs_destroy(fs), 0);
}
END_TEST

/* The lines of a text, each with a "|" behind it. */
static void ck_lines(const char *text, size_t len, const char *want)
{
	struct mvfs_string rest = copy_of(text, len), line;
	struct mvfs_lines lines;
	char got[200] = "";
	size_t i;

	ck_assert_int_eq(mvfs_string_lines(&rest, 0, ALL, &lines), 0);
	for (i = 0; i < lines.count; i++) {
		strncat(got, lines.line[i].data, lines.line[i].len);
		strcat(got, "|");
	}
	ck_assert_str_eq(got, want);
	mvfs_lines_release(&lines);
	for (got[0] = 0; mvfs_string_next_line(&rest, &line) == 1;
	     mvfs_string_release(&line)) {
		strncat(got, line.data, line.len);
		strcat(got, "|");
	}
	ck_assert_str_eq(got, want);
	ck_assert_ptr_null(rest.data);
	ck_assert_ptr_null(rest.owner);
}

START_TEST(test_lines_end_with_lf_cr_lf_or_cr)
{
	ck_lines("", 0, "");
	ck_lines("a", 1, "a|");
	ck_lines("a\n", 2, "a|");
	ck_lines("\n", 1, "|");
	ck_lines("\r", 1, "|");
	ck_lines("\r\n", 2, "|");
	ck_lines("\n\r", 2, "||");
	ck_lines("\r\r\n\n", 4, "|||");
	ck_lines("a\n\nb\n", 5, "a||b|");
	ck_lines("a\r\nb\rc\nd", 8, "a|b|c|d|");
	ck_lines(CHINESE "\r" CHINESE, 13, CHINESE "|" CHINESE "|");
}
END_TEST

START_TEST(test_a_cut_between_cr_and_lf_is_an_end_and_an_empty_line)
{
	struct mvfs_string whole = text_of("a\r\nb"), rest, line;

	rest = mvfs_string_slice(&whole, 0, 2);
	ck_assert_int_eq(mvfs_string_next_line(&rest, &line), 1);
	ck_is(&line, "a");
	ck_assert_int_eq(mvfs_string_next_line(&rest, &line), 0);
	mvfs_string_release(&line);
	rest = mvfs_string_slice(&whole, 2, 2);
	ck_assert_int_eq(mvfs_string_next_line(&rest, &line), 1);
	ck_is(&line, "");
	ck_assert_int_eq(mvfs_string_next_line(&rest, &line), 1);
	ck_is(&line, "b");
	mvfs_string_release(&line);
	mvfs_string_release(&whole);
}
END_TEST

START_TEST(test_lines_share_the_text_and_its_flags)
{
	struct mvfs_string whole, rest, line;

	ck_assert_int_eq(mvfs_decode("one\ntwo", 7, NULL, 0, &whole, NULL), 0);
	rest = mvfs_string_share(&whole);
	count_from_here();
	ck_assert_int_eq(mvfs_string_next_line(&rest, &line), 1);
	ck_assert_ptr_eq(line.data, whole.data);
	ck_assert_uint_eq(line.flags, MVFS_STRING_ASCII);
	mvfs_string_release(&line);
	ck_assert_int_eq(mvfs_string_next_line(&rest, &line), 1);
	ck_assert_ptr_eq(line.data, whole.data + 4);
	ck_assert_uint_eq(line.flags,
			  MVFS_STRING_ASCII | MVFS_STRING_TERMINATED);
	mvfs_string_release(&whole);
	ck_is(&line, "two");
	mvfs_string_release(&line);
	ck_counts(0, 0);
}
END_TEST

START_TEST(test_stopping_early_releases_the_rest)
{
	struct mvfs_string rest = text_of("a\nb\nc"), line;

	ck_assert_int_eq(mvfs_string_next_line(&rest, &line), 1);
	mvfs_string_release(&line);
	ck_is(&rest, "b\nc");
	mvfs_string_release(&rest);
	ck_assert_int_eq(mvfs_string_next_line(&rest, &line), 0);
}
END_TEST

static void ck_parts(const char *text, const char *separator,
		     const char *want)
{
	struct mvfs_string rest = text_of(text), part;
	char got[200] = "";

	for (; mvfs_string_next_part(&rest, separator, strlen(separator),
				     &part) == 1;
	     mvfs_string_release(&part)) {
		strncat(got, part.data, part.len);
		strcat(got, "|");
	}
	ck_assert_str_eq(got, want);
	ck_assert_ptr_null(rest.data);
	ck_assert_ptr_null(rest.owner);
}

START_TEST(test_there_is_one_part_more_than_separators)
{
	ck_parts("", ",", "|");
	ck_parts("a", ",", "a|");
	ck_parts(",", ",", "||");
	ck_parts("a,b", ",", "a|b|");
	ck_parts(",a,,b,", ",", "|a||b||");
	ck_parts("a--b-c---d", "--", "a|b-c|-d|");
	ck_parts("aaaaa", "aa", "||a|");
	ck_parts("short", "longer than that", "short|");
}
END_TEST

/* One after the other, by the words of the header. */
static size_t slow_line(const char *text, size_t len, size_t *next)
{
	size_t at = 0;

	while (at < len && text[at] != '\n' && text[at] != '\r')
		at++;
	*next = at < len ? at + 1 : at;
	if (at + 1 < len && text[at] == '\r' && text[at + 1] == '\n')
		++*next;
	return at;
}

static void ck_table(const struct mvfs_string *text, uint64_t first,
		     uint64_t count)
{
	size_t at = 0, next, len, found = 0;
	struct mvfs_lines lines;
	uint64_t number;

	ck_assert_int_eq(mvfs_string_lines(text, first, count, &lines), 0);
	for (number = 0; at < text->len; number++, at += next) {
		len = slow_line(text->data + at, text->len - at, &next);
		if (number < first || number - first >= count)
			continue;
		must(found < lines.count);
		must(lines.line[found].data == text->data + at);
		must(lines.line[found].len == len);
		found++;
	}
	must(found == lines.count);
	must(found || !lines.line);
	must(lines.text.data == text->data || !text->len);
	mvfs_lines_release(&lines);
	must(!lines.line && !lines.count && !lines.text.data);
	mvfs_lines_release(&lines);
}

START_TEST(test_tables_of_random_texts_are_those_of_the_model)
{
	static const char *const kinds[] = {
		"\n\r", "abc\n\r", "abcdefghijklmnopqrstuvwxyz\n",
		"abcdefghijklmnopqrstuvwxyz\r", "a",
	};
	static char bytes[2000];
	uint64_t state = seed_of_run(), first, count;
	unsigned n, rounds = 3000 * long_factor();
	struct mvfs_string text;
	const char *kind;
	size_t len, i;

	for (n = 0; n < rounds; n++) {
		kind = kinds[below(&state, 5)];
		len = below(&state, below(&state, 8) ? 300 : sizeof(bytes));
		for (i = 0; i < len; i++)
			bytes[i] = kind[below(&state, strlen(kind))];
		text = copy_of(bytes, len);
		first = below(&state, 20);
		count = below(&state, 20);
		ck_table(&text, 0, ALL);
		ck_table(&text, first, count);
		ck_table(&text, first, ALL);
		ck_table(&text, len, 1);
		mvfs_string_release(&text);
	}
}
END_TEST

/* Short lines first: what they promise must not be believed. */
START_TEST(test_tables_grow_with_what_they_hold)
{
	enum { LEN = 1 << 20 };
	struct mvfs_stats now = { .size = sizeof(now) };
	char *bytes = malloc(LEN);
	struct mvfs_string text;
	struct mvfs_lines lines;

	memset(bytes, 'x', LEN);
	memset(bytes, '\n', 100);
	text = copy_of(bytes, LEN);
	ck_table(&text, 0, ALL);
	mvfs_string_release(&text);
	memset(bytes, '\n', LEN);
	text = copy_of(bytes, LEN);
	count_from_here();
	ck_assert_int_eq(mvfs_string_lines(&text, 0, ALL, &lines), 0);
	ck_assert_uint_eq(lines.count, LEN);
	mvfs_lines_release(&lines);
	/* four times more each time, and what is too much goes back */
	ck_assert_int_eq(mvfs_stats(MVFS_STATS_THREAD, &now), 0);
	ck_assert_uint_lt(now.allocations - before.allocations, 12);
	ck_assert_uint_eq(now.copied_bytes, before.copied_bytes);
	/* a range needs room for itself alone */
	count_from_here();
	ck_assert_int_eq(mvfs_string_lines(&text, LEN - 10, 10, &lines), 0);
	ck_assert_uint_eq(lines.count, 10);
	mvfs_lines_release(&lines);
	ck_counts(1, 0);
	mvfs_string_release(&text);
	free(bytes);
}
END_TEST

START_TEST(test_tables_outlive_the_string)
{
	struct mvfs_string text = text_of("a\nb");
	struct mvfs_lines lines;

	ck_assert_int_eq(mvfs_string_lines(&text, 0, ALL, &lines), 0);
	mvfs_string_release(&text);
	ck_assert_uint_eq(lines.count, 2);
	ck_assert_mem_eq(lines.line[1].data, "b", 1);
	mvfs_lines_release(&lines);
	/* the caller's own memory */
	text = (struct mvfs_string){ .data = "x\ny\n", .len = 4 };
	ck_assert_int_eq(mvfs_string_lines(&text, 1, 5, &lines), 0);
	ck_assert_uint_eq(lines.count, 1);
	ck_assert_ptr_eq(lines.line[0].data, text.data + 2);
	mvfs_lines_release(&lines);
}
END_TEST

START_TEST(test_wrong_arguments_are_refused)
{
	struct mvfs_string string = { .data = "x", .len = 1 };
	struct mvfs_lines lines;

	ck_assert_int_eq(mvfs_string_next_line(NULL, &string), -EFAULT);
	ck_assert_int_eq(mvfs_string_next_line(&string, NULL), -EFAULT);
	ck_assert_int_eq(mvfs_string_next_part(NULL, ",", 1, &string),
			 -EFAULT);
	ck_assert_int_eq(mvfs_string_next_part(&string, NULL, 1, &string),
			 -EFAULT);
	ck_assert_int_eq(mvfs_string_next_part(&string, ",", 1, NULL),
			 -EFAULT);
	ck_assert_int_eq(mvfs_string_next_part(&string, ",", 0, &string),
			 -EINVAL);
	ck_assert_int_eq(mvfs_string_lines(NULL, 0, 1, &lines), -EFAULT);
	ck_assert_int_eq(mvfs_string_lines(&string, 0, 1, NULL), -EFAULT);
	mvfs_lines_release(NULL);
}
END_TEST

static TCase *strings(void)
{
	TCase *tests = tcase_create("strings");

	tcase_add_test(tests, test_shares_and_slices_cost_nothing);
	tcase_add_test(tests,
		       test_compacting_copies_a_part_of_less_than_half);
	tcase_add_test(tests, test_compacting_keeps_what_is_known);
	tcase_add_test(tests, test_compacting_leaves_the_callers_own_memory);
	tcase_add_test(tests,
		       test_strings_are_compared_by_bytes_then_by_length);
	tcase_add_test(tests, test_the_same_place_is_equal_without_looking);
	tcase_add_test(tests, test_a_hash_follows_from_bytes_and_seed);
	tcase_add_test(tests,
		test_stealing_copies_only_what_others_have_or_lies_elsewhere);
	tcase_add_test(tests, test_stealing_leaves_a_file_its_bytes);
	tcase_add_test(tests, test_wrong_arguments_are_refused);
	return tests;
}

static TCase *lines(void)
{
	TCase *tests = tcase_create("lines");

	tcase_add_test(tests, test_lines_end_with_lf_cr_lf_or_cr);
	tcase_add_test(tests,
		test_a_cut_between_cr_and_lf_is_an_end_and_an_empty_line);
	tcase_add_test(tests, test_lines_share_the_text_and_its_flags);
	tcase_add_test(tests, test_stopping_early_releases_the_rest);
	tcase_add_test(tests, test_there_is_one_part_more_than_separators);
	tcase_add_test(tests,
		       test_tables_of_random_texts_are_those_of_the_model);
	tcase_add_test(tests, test_tables_grow_with_what_they_hold);
	tcase_add_test(tests, test_tables_outlive_the_string);
	return tests;
}

int main(void)
{
	Suite *suite = suite_create("api: strings");
	SRunner *runner = srunner_create(suite);
	int failed;

	suite_add_tcase(suite, strings());
	suite_add_tcase(suite, lines());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
