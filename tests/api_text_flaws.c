/* SPDX-License-Identifier: MIT */
/*
 * All the ways that decoding can end: the same from memory, from a file by
 * path and by descriptor, and from a file of the host; and byte order marks.
 */
#include "config.h"

#include <memvfs/memvfs.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FFFD "\xef\xbf\xbd"
#define BOM "\xef\xbb\xbf"
#define YOU "\xe4\xbd\xa0"
#define FACE "\xf0\x9f\x98\x80"

enum {
	NONE = MVFS_REASON_NONE,
	MALFORMED = MVFS_REASON_MALFORMED,
	UNMAPPABLE = MVFS_REASON_UNMAPPABLE,
	TRUNCATED = MVFS_REASON_TRUNCATED
};

/* A literal with its length: zeros count. */
#define B(text) text, sizeof(text) - 1

struct flaw {
	const char *charset;
	const char *bytes;
	size_t length;
	int reason; /* of the first flaw, and where */
	size_t offset, count;
	const char *text; /* with replacements */
	size_t text_length;
};

static const struct flaw flaws[] = {
	{ "UTF-8", B("a\0" YOU FACE), NONE, 0, 0, B("a\0" YOU FACE) },
	/* overlong forms: no byte of them begins a character */
	{ "UTF-8", B("a\xc0\x80!"), MALFORMED, 1, 1, B("a" FFFD FFFD "!") },
	{ "UTF-8", B("\xe0\x9f\xbf"), MALFORMED, 0, 1, B(FFFD FFFD FFFD) },
	{ "UTF-8", B("\xf0\x8f\xbf\xbf"), MALFORMED, 0, 1,
	  B(FFFD FFFD FFFD FFFD) },
	{ "UTF-8", B(YOU "\xed\xa0\x80"), MALFORMED, 3, 1,
	  B(YOU FFFD FFFD FFFD) },
	{ "UTF-8", B("\xf4\x90\x80\x80"), MALFORMED, 0, 1,
	  B(FFFD FFFD FFFD FFFD) },
	{ "UTF-8", B("\xf8\x88\x80\x80\x80"), MALFORMED, 0, 1,
	  B(FFFD FFFD FFFD FFFD FFFD) },
	{ "UTF-8", B("a\0\x80" "b"), MALFORMED, 2, 1, B("a\0" FFFD "b") },
	{ "UTF-8", B("\xf0\x9f\x98!"), MALFORMED, 0, 3, B(FFFD "!") },
	{ "UTF-8", B("x\xf0\x9f\x98"), TRUNCATED, 1, 3, B("x" FFFD) },
	{ "UTF-8", B("\xe4"), TRUNCATED, 0, 1, B(FFFD) },
	{ "US-ASCII", B("a\0\x80\xff"), MALFORMED, 2, 1,
	  B("a\0" FFFD FFFD) },
	{ "ISO-8859-1", B("\0\x80\xff"), NONE, 0, 0,
	  B("\0\xc2\x80\xc3\xbf") },
	{ "GBK", B("\0\xc4\xe3\0"), NONE, 0, 0, B("\0" YOU "\0") },
	/* trail bytes that look like ASCII */
	{ "GBK", B("\x81\x40\x81\x5c\x81\x7e"), NONE, 0, 0,
	  B("\xe4\xb8\x82\xe4\xb9\x97\xe4\xba\x8a") },
	{ "GBK", B("\xc4\xe3\x81\n"), MALFORMED, 2, 1, B(YOU FFFD "\n") },
	{ "GBK", B("a\xff"), MALFORMED, 1, 1, B("a" FFFD) },
	{ "GBK", B("a\xaa\xa1!"), UNMAPPABLE, 1, 2, B("a" FFFD "!") },
	{ "GBK", B("ab\xc4"), TRUNCATED, 2, 1, B("ab" FFFD) },
	{ "UTF-16LE", B("\xff\xfe\0\0\x60\x4f"), NONE, 0, 0,
	  B(BOM "\0" YOU) },
	{ "UTF-16LE", B("\x3d\xd8\0\xde"), NONE, 0, 0, B(FACE) },
	{ "UTF-16LE", B("\x3d\xd8" "a\0"), MALFORMED, 0, 2, B(FFFD "a") },
	{ "UTF-16LE", B("a\0\0\xde"), MALFORMED, 2, 2, B("a" FFFD) },
	{ "UTF-16LE", B("a\0\x3d\xd8\0"), TRUNCATED, 2, 3, B("a" FFFD) },
	{ "UTF-16LE", B("a\0b"), TRUNCATED, 2, 1, B("a" FFFD) },
	{ "UTF-16BE", B("\0a\xd8\x3d"), TRUNCATED, 2, 2, B("a" FFFD) },
	{ "UTF-16BE", B("\xd8\x3d\x4f"), MALFORMED, 0, 2, B(FFFD FFFD) },
	{ "UTF-16BE", B("\xdc\0\xd8\0\xdc\0"), MALFORMED, 0, 2,
	  B(FFFD "\xf0\x90\x80\x80") },
	/* places count from the first byte of all */
	{ "UTF-16", B("\xff\xfe" "a\0\0\xdc"), MALFORMED, 4, 2,
	  B("a" FFFD) },
	{ "UTF-16", B("\xfe\xff\0a"), NONE, 0, 0, B("a") },
	{ "UTF-16", B("\0a\xfe\xff"), NONE, 0, 0, B("a" BOM) },
	{ "UTF-16", B("\xff\xfe"), NONE, 0, 0, B("") },
	{ "UTF-16", B("\xff"), TRUNCATED, 0, 1, B(FFFD) },
	/* of the C library's iconv */
	{ "windows-1252", B("a\x81\0"), UNMAPPABLE, 1, 1,
	  B("a" FFFD "\0") },
	{ "EUC-KR", B("\xb0\xa1\xb0\n"), MALFORMED, 2, 1,
	  B("\xea\xb0\x80" FFFD "\n") },
	{ "GB18030", B("ab\x81\x30\x81"), TRUNCATED, 2, 3, B("ab" FFFD) },
};

#define FLAWS (int)(sizeof(flaws) / sizeof(*flaws))

enum channel { MEMORY, PATH, DESCRIPTOR, HOST, CHANNELS };

static mvfs *fs;
static struct mvfs_string string;
static struct mvfs_error error;
static char host[4096];

static void start(void)
{
	const char *tmp = getenv("TMPDIR");
	int fd;

	ck_assert_int_eq(mvfs_create(NULL, &fs), 0);
	snprintf(host, sizeof(host), "%s/memvfs-flaws-XXXXXX",
		 tmp ? tmp : "/tmp");
	fd = mkstemp(host);
	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void end(void)
{
	ck_assert_int_eq(unlink(host), 0);
	ck_assert_int_eq(mvfs_destroy(fs), 0);
}

/* Where read_by() finds the text. */
static void put(const void *bytes, size_t length)
{
	int fd = open(host, O_WRONLY | O_TRUNC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, length), (ssize_t)length);
	close(fd);
	ck_assert_int_eq(mvfs_write_file(fs, "/file", bytes, length), 0);
}

static int read_by(enum channel channel, const void *bytes, size_t length,
		   const struct mvfs_charset *cs, unsigned flags)
{
	int fd, ret;

	error = (struct mvfs_error){ .code = 1, .reason = 99 };
	switch (channel) {
	case MEMORY:
		return mvfs_decode(bytes, length, cs, flags, &string, &error);
	case PATH:
		return mvfs_read_string(fs, "/file", cs, flags, &string,
					&error);
	case DESCRIPTOR:
		fd = mvfs_open(fs, "/file", O_RDONLY, 0);
		ret = mvfs_fread_string(fs, fd, cs, flags, &string, &error);
		ck_assert_int_eq(mvfs_close(fs, fd), 0);
		return ret;
	default:
		return mvfs_host_read_string(AT_FDCWD, host, cs, flags,
					     &string, &error);
	}
}

static void ck_text(const char *text, size_t length)
{
	ck_assert_uint_eq(string.len, length);
	ck_assert_mem_eq(string.data, text, length);
	ck_assert(string.flags & MVFS_STRING_TERMINATED);
	ck_assert_int_eq(string.data[length], 0);
	mvfs_string_release(&string);
}

START_TEST(test_every_end_of_a_text_is_the_same_by_every_call)
{
	const struct flaw *f = &flaws[_i];
	const struct mvfs_charset *cs = mvfs_charset(f->charset);
	const struct mvfs_string before = { .data = "untouched" };
	int channel, ret;

	if (!cs) {
		printf("skipped: iconv has no %s\n", f->charset);
		return;
	}
	put(f->bytes, f->length);
	for (channel = 0; channel < CHANNELS; channel++) {
		string = before;
		ret = read_by(channel, f->bytes, f->length, cs, 0);
		ck_assert_int_eq(ret, f->reason ? -EILSEQ : 0);
		if (ret) {
			ck_assert_mem_eq(&string, &before, sizeof(string));
			ck_assert_int_eq(error.code, -EILSEQ);
			ck_assert_int_eq(error.reason, f->reason);
			ck_assert_uint_eq(error.offset, f->offset);
			ck_assert_uint_eq(error.length, f->count);
		} else {
			ck_text(f->text, f->text_length);
			ck_assert_int_eq(error.code, 1);
		}
		ret = read_by(channel, f->bytes, f->length, cs, MVFS_REPLACE);
		ck_assert_int_eq(ret, 0);
		ck_text(f->text, f->text_length);
	}
}
END_TEST

/* Text that asks for far more room than it seemed to, with each charset. */
START_TEST(test_nothing_is_lost_where_all_is_flawed)
{
	static const struct {
		const char *charset;
		char byte;
		size_t each; /* bytes of a flaw */
	} bad[] = {
		{ "UTF-8", '\xff', 1 }, { "US-ASCII", '\x80', 1 },
		{ "GBK", '\xff', 1 }, { "UTF-16BE", '\xdc', 2 },
		{ "UTF-16LE", '\xdc', 2 },
	};
	const size_t length = 100000;
	char *bytes = malloc(length);
	size_t i, at;

	memset(bytes, bad[_i].byte, length);
	ck_assert_int_eq(mvfs_decode(bytes, length,
				     mvfs_charset(bad[_i].charset),
				     MVFS_REPLACE, &string, &error), 0);
	ck_assert_uint_eq(string.len, 3 * length / bad[_i].each);
	for (i = 0; i < string.len; i += 3)
		if (memcmp(string.data + i, FFFD, 3))
			ck_abort_msg("at %zu", i);
	mvfs_string_release(&string);
	/* flaws with text between them */
	for (at = 0; at + 8 <= length; at += 8)
		memcpy(bytes + at, strcmp(bad[_i].charset, "UTF-16BE") ?
		       "a\0b\0" : "\0a\0b", 4);
	ck_assert_int_eq(mvfs_decode(bytes, length,
				     mvfs_charset(bad[_i].charset),
				     MVFS_REPLACE, &string, &error), 0);
	ck_assert_uint_eq(string.len, length / 8 *
			  (bad[_i].each == 2 ? 2 + 6 : 4 + 12));
	mvfs_string_release(&string);
	free(bytes);
}
END_TEST

START_TEST(test_encoding_tells_its_flaws_apart_too)
{
	const struct mvfs_charset *gbk = mvfs_charset("GBK");

	ck_assert_int_eq(mvfs_encode(B("a" FACE), gbk, 0, &string, &error),
			 -EILSEQ);
	ck_assert_int_eq(error.reason, UNMAPPABLE);
	ck_assert(error.offset == 1 && error.length == 4);
	ck_assert_int_eq(mvfs_encode(B("\xed\xa0\x80"), mvfs_charset("UTF-16"),
				     0, &string, &error), -EILSEQ);
	ck_assert_int_eq(error.reason, MALFORMED);
	ck_assert(error.offset == 0 && error.length == 1);
	ck_assert_int_eq(mvfs_encode(B("ab\xe4\xbd"), gbk, 0, &string, &error),
			 -EILSEQ);
	ck_assert_int_eq(error.reason, TRUNCATED);
	ck_assert(error.offset == 2 && error.length == 2);
	/* a string may be anybody's: writing looks at it as well */
	string = (struct mvfs_string){ .data = "x" FACE, .len = 5 };
	ck_assert_int_eq(mvfs_write_string(fs, "/file", &string, gbk, &error),
			 -EILSEQ);
	ck_assert_int_eq(error.reason, UNMAPPABLE);
	ck_assert(error.offset == 1 && error.length == 4);
}
END_TEST

START_TEST(test_utf16_is_written_with_a_bom_where_the_name_tells_no_order)
{
	static const struct {
		const char *charset, *bytes;
		size_t length;
	} forms[] = {
		{ "UTF-16", B("\xfe\xff\0a\x4f\x60\xd8\x3d\xde\0") },
		{ "UTF-16BE", B("\0a\x4f\x60\xd8\x3d\xde\0") },
		{ "UTF-16LE", B("a\0\x60\x4f\x3d\xd8\0\xde") },
	};
	struct mvfs_string bytes;
	size_t i;

	for (i = 0; i < 3; i++) {
		const struct mvfs_charset *cs =
			mvfs_charset(forms[i].charset);

		ck_assert_int_eq(mvfs_encode(B("a" YOU FACE), cs, 0, &string,
					     NULL), 0);
		ck_text(forms[i].bytes, forms[i].length);
		string = (struct mvfs_string){ .data = "a" YOU FACE,
					       .len = 8 };
		ck_assert_int_eq(mvfs_write_string(fs, "/file", &string, cs,
						   NULL), 0);
		ck_assert_int_eq(mvfs_read_file(fs, "/file", &bytes), 0);
		ck_assert_uint_eq(bytes.len, forms[i].length);
		ck_assert_mem_eq(bytes.data, forms[i].bytes, bytes.len);
		mvfs_string_release(&bytes);
		ck_assert_int_eq(mvfs_read_string(fs, "/file", cs, 0, &string,
						  NULL), 0);
		ck_text(B("a" YOU FACE));
		/* in place of what is no UTF-8, too */
		ck_assert_int_eq(mvfs_encode(B("\xff"), cs, MVFS_REPLACE,
					     &string, NULL), 0);
		ck_assert_mem_eq(string.data + string.len - 2,
				 i == 2 ? "\xfd\xff" : "\xff\xfd", 2);
		mvfs_string_release(&string);
		/* nothing is nothing */
		ck_assert_int_eq(mvfs_encode("", 0, cs, 0, &string, NULL), 0);
		ck_text("", 0);
	}
}
END_TEST

static const struct {
	const char *charset, *bytes;
	size_t length;
	const char *text; /* without the flag */
	size_t text_length;
	size_t skipped;   /* of the text, with it */
} marked[] = {
	{ "UTF-8", B(BOM "a" YOU), B(BOM "a" YOU), 3 },
	{ "UTF-8", B(BOM BOM), B(BOM BOM), 3 },
	{ "UTF-8", B(BOM), B(BOM), 3 },
	{ "UTF-8", B(BOM "plain"), B(BOM "plain"), 3 },
	{ "UTF-8", B("a" BOM), B("a" BOM), 0 },
	{ "UTF-8", B(""), B(""), 0 },
	{ "US-ASCII", B("plain"), B("plain"), 0 },
	{ "ISO-8859-1", B("\xef\xbb\xbf"), B("\xc3\xaf\xc2\xbb\xc2\xbf"), 0 },
	{ "UTF-16LE", B("\xff\xfe" "a\0"), B(BOM "a"), 3 },
	{ "UTF-16BE", B("\xfe\xff\0a"), B(BOM "a"), 3 },
	{ "UTF-16BE", B("\xfe\xff"), B(BOM), 3 },
	{ "UTF-16", B("\xfe\xff\xfe\xff\0a"), B(BOM "a"), 0 },
	{ "GB18030", B("\x84\x31\x95\x33" "a"), B(BOM "a"), 3 },
};

#define MARKED (int)(sizeof(marked) / sizeof(*marked))

START_TEST(test_a_bom_is_kept_or_skipped_as_the_caller_says)
{
	const struct mvfs_charset *cs = mvfs_charset(marked[_i].charset);
	const char *text = marked[_i].text;
	size_t length = marked[_i].text_length, skipped = marked[_i].skipped;
	unsigned replace;
	int channel;

	if (!cs)
		return;
	put(marked[_i].bytes, marked[_i].length);
	for (channel = 0; channel < CHANNELS; channel++)
		for (replace = 0; replace <= MVFS_REPLACE; replace++) {
			ck_assert_int_eq(read_by(channel, marked[_i].bytes,
						 marked[_i].length, cs,
						 replace), 0);
			ck_text(text, length);
			ck_assert_int_eq(read_by(channel, marked[_i].bytes,
						 marked[_i].length, cs,
						 replace | MVFS_SKIP_BOM), 0);
			ck_text(text + skipped, length - skipped);
		}
}
END_TEST

static struct mvfs_stats stats(void)
{
	struct mvfs_stats s = { .size = sizeof(s) };

	ck_assert_int_eq(mvfs_stats(MVFS_STATS_THREAD, &s), 0);
	return s;
}

START_TEST(test_a_bom_is_skipped_without_a_copy)
{
	struct mvfs_stats before, after;
	struct mvfs_string whole;
	int again;

	put(B(BOM "a" YOU));
	ck_assert_int_eq(mvfs_read_string(fs, "/file", NULL, 0, &whole, NULL),
			 0);
	for (again = 0; again < 2; again++) {
		before = stats();
		ck_assert_int_eq(mvfs_read_string(fs, "/file", NULL,
						  MVFS_SKIP_BOM, &string,
						  NULL), 0);
		after = stats();
		ck_assert_uint_eq(after.copies, before.copies);
		ck_assert_uint_eq(after.shares, before.shares + 1);
		/* and what is known stays known */
		ck_assert_uint_eq(after.classified_bytes,
				  before.classified_bytes);
		ck_assert_ptr_eq(string.data, whole.data + 3);
		ck_assert_uint_eq(string.flags, MVFS_STRING_TERMINATED |
				  MVFS_STRING_SHARED);
		ck_text(B("a" YOU));
	}
	mvfs_string_release(&whole);
}
END_TEST

/* Also where the charset is the C library's, first read and again. */
START_TEST(test_ascii_is_shared_in_every_compatible_charset)
{
	static const struct {
		const char *charset;
		unsigned copies;
	} known[] = {
		{ "GBK", 0 }, { "ISO-8859-1", 0 }, { "KOI8-R", 0 },
		{ "EUC-KR", 0 }, { "windows-1252", 0 }, { "GB18030", 0 },
		/* shifts, so ASCII bytes may be something else */
		{ "ISO-2022-JP", 1 },
	};
	struct mvfs_stats before, after;
	size_t i;

	for (i = 0; i < 2 * sizeof(known) / sizeof(*known); i++) {
		const struct mvfs_charset *cs =
			mvfs_charset(known[i / 2].charset);
		unsigned copies = known[i / 2].copies;

		if (!cs)
			continue;
		if (i % 2 == 0)
			put(B("plain text"));
		before = stats();
		ck_assert_int_eq(mvfs_read_string(fs, "/file", cs, 0, &string,
						  NULL), 0);
		after = stats();
		ck_assert_uint_eq(after.copies, before.copies + copies);
		ck_assert_uint_eq(after.shares, before.shares + 1 - copies);
		ck_text(B("plain text"));
	}
}
END_TEST

START_TEST(test_flaws_are_told_where_they_are_behind_a_bom)
{
	int channel;

	put(B(BOM "ab\xff"));
	for (channel = 0; channel < CHANNELS; channel++) {
		ck_assert_int_eq(read_by(channel, B(BOM "ab\xff"), NULL,
					 MVFS_SKIP_BOM), -EILSEQ);
		ck_assert_uint_eq(error.offset, 5);
		ck_assert_int_eq(read_by(channel, B(BOM "ab\xff"), NULL,
					 MVFS_SKIP_BOM | MVFS_REPLACE), 0);
		ck_text(B("ab" FFFD));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("api: ends of texts");
	TCase *tests = tcase_create("flaws");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tests, start, end);
	tcase_set_timeout(tests, 120);
	tcase_add_loop_test(tests,
		test_every_end_of_a_text_is_the_same_by_every_call, 0, FLAWS);
	tcase_add_loop_test(tests, test_nothing_is_lost_where_all_is_flawed, 0,
			    5);
	tcase_add_test(tests, test_encoding_tells_its_flaws_apart_too);
	tcase_add_test(tests,
		test_utf16_is_written_with_a_bom_where_the_name_tells_no_order);
	tcase_add_loop_test(tests,
		test_a_bom_is_kept_or_skipped_as_the_caller_says, 0, MARKED);
	tcase_add_test(tests, test_a_bom_is_skipped_without_a_copy);
	tcase_add_test(tests, test_ascii_is_shared_in_every_compatible_charset);
	tcase_add_test(tests, test_flaws_are_told_where_they_are_behind_a_bom);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
