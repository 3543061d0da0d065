// SPDX-License-Identifier: MIT
/* The texts that benchmarks read, and the JSON that they write. */
#include <config.h>

#include "bench/json.h"
#include "bench/prose.h"
#include "bench/sha256.h"

#include <check.h>
#include <errno.h>
#include <iconv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char dir[64];

static void make_dir(void)
{
	snprintf(dir, sizeof(dir), "/tmp/memvfs-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void put(const char *name, const char *bytes, size_t len)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, len, file), len);
	ck_assert_int_eq(fclose(file), 0);
}

static void drop(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	ck_assert_int_eq(unlink(path), 0);
}

#define PUT(name, bytes) put(name, bytes, sizeof(bytes) - 1)

START_TEST(test_files_go_to_the_text_that_they_are)
{
	struct bench_prose prose;

	make_dir();
	PUT("b.txt", "second\n");
	PUT("a.txt", "first\nno line feed at the end");
	PUT("zh.txt", "中文\nEnglish too\n");
	PUT("latin1.txt", "caf\xe9\n");
	PUT("zeros.bin", "a\0b");
	PUT(".hidden", "not taken\n");
	ck_assert_int_eq(bench_prose_load(dir, 1, &prose), 0);
	ck_assert_str_eq(prose.text[BENCH_ASCII].bytes,
			 "first\nno line feed at the end\nsecond\n");
	ck_assert_uint_eq(prose.text[BENCH_ASCII].line_count, 3);
	ck_assert_str_eq(prose.text[BENCH_UTF8].bytes,
			 "中文\nEnglish too\n");
	ck_assert_uint_eq(prose.text[BENCH_GBK].len, 4 + 1 + 12);
	ck_assert_uint_eq(prose.files, 3);
	ck_assert_uint_eq(prose.refused, 2);
	bench_prose_free(&prose);
	drop("b.txt");
	drop("a.txt");
	drop("zh.txt");
	drop("latin1.txt");
	drop("zeros.bin");
	drop(".hidden");
	ck_assert_int_eq(rmdir(dir), 0);
}
END_TEST

START_TEST(test_a_text_that_is_not_there_has_a_reason)
{
	struct bench_prose prose;

	make_dir();
	PUT("a.txt", "only English\n");
	ck_assert_int_eq(bench_prose_load(dir, 1, &prose), 0);
	ck_assert_str_eq(prose.text[BENCH_ASCII].why, "");
	ck_assert_str_ne(prose.text[BENCH_UTF8].why, "");
	ck_assert_str_ne(prose.text[BENCH_GBK].why, "");
	bench_prose_free(&prose);
	drop("a.txt");
	ck_assert_int_eq(rmdir(dir), 0);
	ck_assert_int_eq(bench_prose_load(dir, 1, &prose), -ENOENT);
}
END_TEST

START_TEST(test_lines_that_gbk_cannot_say_are_left_out)
{
	struct bench_prose prose;

	make_dir();
	PUT("zh.txt", "一\n\xf0\x9f\x98\x80\n二\n");
	ck_assert_int_eq(bench_prose_load(dir, 1, &prose), 0);
	ck_assert_uint_eq(prose.text[BENCH_GBK].dropped, 1);
	ck_assert_uint_eq(prose.text[BENCH_GBK].line_count, 2);
	ck_assert_str_eq(prose.text[BENCH_GBK].bytes,
			 "\xd2\xbb\n\xb6\xfe\n");
	bench_prose_free(&prose);
	drop("zh.txt");
	ck_assert_int_eq(rmdir(dir), 0);
}
END_TEST

/* What is cut is `length` bytes, and says the same in both charsets. */
static void check_cut(const struct bench_text *text, const char *charset,
		      uint64_t random, size_t length)
{
	char *bytes = malloc(length + 1), *utf8 = malloc(2 * length + 1);
	char *decoded = malloc(2 * length + 1), *in = bytes, *out = decoded;
	size_t in_left = length, out_left = 2 * length, utf8_len;
	iconv_t cd = iconv_open("UTF-8", charset);

	ck_assert(bytes != NULL && utf8 != NULL && decoded != NULL);
	bytes[length] = '!';
	utf8_len = bench_text_cut(text, random, length, bytes, utf8);
	ck_assert_int_eq(bytes[length], '!');
	if (cd != (iconv_t)-1) {
		ck_assert_int_eq(iconv(cd, &in, &in_left, &out, &out_left), 0);
		ck_assert_uint_eq((size_t)(out - decoded), utf8_len);
		ck_assert_mem_eq(decoded, utf8, utf8_len);
		iconv_close(cd);
	}
	free(bytes);
	free(utf8);
	free(decoded);
}

START_TEST(test_cuts_have_the_length_asked_for_and_whole_characters)
{
	static const char *const charsets[] = { "ASCII", "UTF-8", "GBK" };
	struct bench_prose prose;

	ck_assert_int_eq(bench_prose_load(NULL, 7, &prose), 0);
	for (int kind = 0; kind < BENCH_TEXTS; kind++) {
		const struct bench_text *text = &prose.text[kind];

		ck_assert_uint_gt(text->len, 1 << 19);
		for (size_t length = 0; length < 40; length++)
			check_cut(text, charsets[kind], length * 977, length);
		/* Around the end of the text and again from its start. */
		check_cut(text, charsets[kind], text->line_count - 1, 100001);
		check_cut(text, charsets[kind], 5, 2 * text->len + 3);
	}
	bench_prose_free(&prose);
}
END_TEST

START_TEST(test_generated_text_depends_on_the_seed_alone)
{
	struct bench_prose a, b, c;

	ck_assert_int_eq(bench_prose_load(NULL, 7, &a), 0);
	ck_assert_int_eq(bench_prose_load(NULL, 7, &b), 0);
	ck_assert_int_eq(bench_prose_load(NULL, 8, &c), 0);
	for (int kind = 0; kind < BENCH_TEXTS; kind++) {
		ck_assert_str_eq(a.text[kind].bytes, b.text[kind].bytes);
		ck_assert_str_ne(a.text[kind].bytes, c.text[kind].bytes);
	}
	bench_prose_free(&a);
	bench_prose_free(&b);
	bench_prose_free(&c);
}
END_TEST

START_TEST(test_digest_is_that_of_fips_180)
{
	char hex[65], block[64];

	bench_sha256("", 0, hex);
	ck_assert_str_eq(hex, "e3b0c44298fc1c149afbf4c8996fb924"
			      "27ae41e4649b934ca495991b7852b855");
	bench_sha256("abc", 3, hex);
	ck_assert_str_eq(hex, "ba7816bf8f01cfea414140de5dae2223"
			      "b00361a396177a9cb410ff61f20015ad");
	/* 56 bytes: the length needs a block of its own. */
	bench_sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmno"
		     "mnopnopq", 56, hex);
	ck_assert_str_eq(hex, "248d6a61d20638b8e5c026930c3e6039"
			      "a33ce45964ff2167f6ecedd419db06c1");
	memset(block, 'a', sizeof(block));
	bench_sha256(block, sizeof(block), hex);
	ck_assert_str_eq(hex, "ffe054fe7ae0cb6dc65c3af9b61d5209"
			      "f439851db43d0ba5997337df154668eb");
}
END_TEST

START_TEST(test_json_is_well_formed_whatever_a_path_holds)
{
	struct bench_json json;
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(to);
	bench_json_begin(&json, to);
	bench_json_string(&json, "a\"b",
			  "\\ \n\x01 é \xff\xc0\x80\xed\xa0\x80");
	bench_json_open(&json, "empty", '[');
	bench_json_close(&json, ']');
	bench_json_open(&json, "list", '[');
	bench_json_number(&json, NULL, NAN);
	bench_json_number(&json, NULL, 0.5);
	bench_json_close(&json, ']');
	bench_json_end(&json);
	ck_assert_int_eq(fclose(to), 0);
	ck_assert_str_eq(text,
			 "{\n"
			 "  \"a\\\"b\": \"\\\\ \\u000a\\u0001 é \\ufffd"
			 "\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\",\n"
			 "  \"empty\": [],\n"
			 "  \"list\": [\n"
			 "    null,\n"
			 "    0.5\n"
			 "  ]\n"
			 "}\n");
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bench_text");
	TCase *tcase = tcase_create("bench_text");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, test_files_go_to_the_text_that_they_are);
	tcase_add_test(tcase, test_a_text_that_is_not_there_has_a_reason);
	tcase_add_test(tcase, test_lines_that_gbk_cannot_say_are_left_out);
	tcase_add_test(
		tcase,
		test_cuts_have_the_length_asked_for_and_whole_characters);
	tcase_add_test(tcase, test_generated_text_depends_on_the_seed_alone);
	tcase_add_test(tcase, test_digest_is_that_of_fips_180);
	tcase_add_test(tcase, test_json_is_well_formed_whatever_a_path_holds);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
