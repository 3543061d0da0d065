/* SPDX-License-Identifier: MIT */
/*
 * Strings on buffers: what is shared, by count; what is known of a text and
 * when it is not looked at again; and every way it can fail.
 */
#include "config.h"

#include "vfs/content/string.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "vfs/mem/mem.h"
#include "vfs/text/charset.h"

#define CHINESE "\xe4\xbd\xa0\xe5\xa5\xbd" /* 6 bytes, 2 characters */
#define GBK_CHINESE "\xc4\xe3\xba\xc3"

#define UTF8 (&mvfs__charset_utf8)
#define ASCII (&mvfs__charset_ascii)
#define LATIN1 (&mvfs__charset_latin1)
#define GBK (&mvfs__charset_gbk)

static struct mvfs_string string;
static struct mvfs_error error;

/* A file's buffer: the test's reference is the file's. */
static struct mvfs__buffer *file_of(const void *bytes, size_t length)
{
	struct mvfs__buffer *b = mvfs__buffer_new(length);

	ck_assert_ptr_nonnull(b);
	memcpy(mvfs__buffer_bytes(b), bytes, length);
	mvfs__buffer_set_used(b, length);
	return b;
}

#define file(text) file_of(text, sizeof(text) - 1)

/* Reads [start, start + length) of it as mvfs_read_string() does. */
static int read_part(struct mvfs__buffer *b, uint64_t start, uint64_t length,
		     const struct mvfs_charset *cs, unsigned flags)
{
	mvfs__obj_retain(&b->obj);
	string = (struct mvfs_string){ 0 };
	error = (struct mvfs_error){ 0 };
	return mvfs__string_from_buffer(b, start, length, cs, flags, &string,
					&error);
}

static int read_all(struct mvfs__buffer *b, const struct mvfs_charset *cs)
{
	return read_part(b, 0, b->used, cs, 0);
}

static unsigned refs(const struct mvfs__buffer *b)
{
	return atomic_load((atomic_uint *)(uintptr_t)&b->obj.refs);
}

/* The file goes; nobody else may hold its buffer. */
static void file_end(struct mvfs__buffer *b)
{
	ck_assert_uint_eq(refs(b), 1);
	mvfs__string_drop(b);
}

static void ck_string(const char *text, size_t length, unsigned flags)
{
	ck_assert_uint_eq(string.len, length);
	ck_assert_mem_eq(string.data, text, length);
	ck_assert_uint_eq(string.flags, flags);
	if (flags & MVFS_STRING_TERMINATED)
		ck_assert_int_eq(string.data[length], 0);
}

#define SHARED MVFS_STRING_SHARED
#define TERMINATED MVFS_STRING_TERMINATED
#define IS_ASCII MVFS_STRING_ASCII

static uint64_t classified(void)
{
	return mvfs__mem_thread.classified_bytes;
}

static uint64_t copies(void)
{
	return mvfs__mem_thread.copies;
}

START_TEST(test_ascii_is_shared_in_each_charset)
{
	const struct mvfs_charset *const cs[] = { NULL, UTF8, ASCII, LATIN1,
						  GBK };
	struct mvfs__buffer *b = file("plain text, longer than a word");
	uint64_t before = mvfs__mem_thread.allocations, shares;
	size_t i;

	shares = mvfs__mem_thread.shares;
	for (i = 0; i < 5; i++) {
		ck_assert_int_eq(read_all(b, cs[i]), 0);
		ck_string("plain text, longer than a word", 30,
			  SHARED | TERMINATED | IS_ASCII);
		ck_assert_ptr_eq(string.data, mvfs__buffer_bytes(b));
		ck_assert_ptr_eq(string.owner, b);
		ck_assert_uint_eq(refs(b), 2);
		mvfs__string_release(&string);
		ck_assert_uint_eq(refs(b), 1);
	}
	ck_assert_uint_eq(mvfs__mem_thread.allocations, before);
	ck_assert_uint_eq(mvfs__mem_thread.shares, shares + 5);
	file_end(b);
}
END_TEST

START_TEST(test_utf8_is_shared_as_utf8_only)
{
	struct mvfs__buffer *b = file("x" CHINESE);
	uint64_t before = copies();

	ck_assert_int_eq(read_all(b, UTF8), 0);
	ck_string("x" CHINESE, 7, SHARED | TERMINATED);
	ck_assert_ptr_eq(string.owner, b);
	mvfs__string_release(&string);
	ck_assert_uint_eq(copies(), before);

	ck_assert_int_eq(read_all(b, LATIN1), 0);
	ck_string("x\xc3\xa4\xc2\xbd\xc2\xa0\xc3\xa5\xc2\xa5\xc2\xbd", 13,
		  TERMINATED);
	ck_assert_ptr_ne(string.owner, b);
	ck_assert_uint_eq(copies(), before + 1);
	mvfs__string_release(&string);
	file_end(b);
}
END_TEST

START_TEST(test_second_reading_looks_at_no_byte)
{
	static const char *const texts[] = { "all plain", "x" CHINESE "y" };
	size_t i;

	for (i = 0; i < 2; i++) {
		struct mvfs__buffer *b = file_of(texts[i], strlen(texts[i]));
		uint64_t before = classified();

		ck_assert_int_eq(read_all(b, UTF8), 0);
		mvfs__string_release(&string);
		ck_assert_uint_eq(classified() - before, strlen(texts[i]));
		ck_assert_int_eq(read_all(b, UTF8), 0);
		mvfs__string_release(&string);
		ck_assert_uint_eq(classified() - before, strlen(texts[i]));
		file_end(b);
	}
}
END_TEST

START_TEST(test_ascii_found_by_one_charset_is_known_to_all)
{
	struct mvfs__buffer *b = file("all plain");
	uint64_t before;

	ck_assert_int_eq(read_all(b, GBK), 0);
	mvfs__string_release(&string);
	before = classified();
	ck_assert_int_eq(read_all(b, UTF8), 0);
	mvfs__string_release(&string);
	ck_assert_int_eq(read_all(b, LATIN1), 0);
	mvfs__string_release(&string);
	ck_assert_uint_eq(classified(), before);
	file_end(b);
}
END_TEST

START_TEST(test_malformed_text_is_found_once_and_told_each_time)
{
	struct mvfs__buffer *b = file("0123456789\xe4\xbd!");
	uint64_t before;
	int i;

	for (i = 0; i < 2; i++) {
		before = classified();
		ck_assert_int_eq(read_all(b, UTF8), -EILSEQ);
		ck_assert_int_eq(error.code, -EILSEQ);
		ck_assert_uint_eq(error.offset, 10);
		ck_assert_uint_eq(error.length, 2);
		ck_assert_ptr_nonnull(strstr(error.message, "malformed"));
		/* the second time only the place itself */
		ck_assert_uint_le(classified() - before, i ? 2 : 12);
		ck_assert_uint_eq(refs(b), 1);
	}
	file_end(b);
}
END_TEST

START_TEST(test_replacing_keeps_all_that_is_well_formed)
{
	struct mvfs__buffer *b = file("a\xff" CHINESE "\xe4\xbd");

	ck_assert_int_eq(read_part(b, 0, b->used, UTF8, MVFS_REPLACE), 0);
	ck_string("a" MVFS__FFFD CHINESE MVFS__FFFD, 13, TERMINATED);
	mvfs__string_release(&string);
	/* in the range of a known flaw nothing is different */
	ck_assert_int_eq(read_all(b, UTF8), -EILSEQ);
	ck_assert_int_eq(read_part(b, 0, b->used, UTF8, MVFS_REPLACE), 0);
	ck_string("a" MVFS__FFFD CHINESE MVFS__FFFD, 13, TERMINATED);
	mvfs__string_release(&string);
	file_end(b);
}
END_TEST

START_TEST(test_replacing_well_formed_text_shares_it)
{
	struct mvfs__buffer *b = file(CHINESE);

	ck_assert_int_eq(read_part(b, 0, 6, UTF8, MVFS_REPLACE), 0);
	ck_assert_ptr_eq(string.owner, b);
	mvfs__string_release(&string);
	file_end(b);
}
END_TEST

static void replace_all(struct mvfs__buffer *b, const struct mvfs_charset *cs)
{
	size_t i;

	ck_assert_int_eq(read_part(b, 0, b->used, cs, MVFS_REPLACE), 0);
	ck_assert_uint_eq(string.len, 3 * b->used);
	for (i = 0; i < string.len; i += 3)
		if (memcmp(string.data + i, MVFS__FFFD, 3) != 0)
			ck_abort_msg("at %zu of %zu", i, string.len);
	mvfs__string_release(&string);
}

/*
 * Every byte a flaw: three times the room that well-formed text takes, so
 * that the buffer grows while it is filled, and from small to large.
 */
START_TEST(test_many_replacements_grow_the_text)
{
	const struct mvfs_charset *const cs[] = { UTF8, ASCII, GBK };
	static uint8_t bytes[60000];
	struct mvfs__buffer *b;
	size_t i, length;

	memset(bytes, 0xff, sizeof(bytes));
	for (i = 0; i < 3; i++)
		for (length = 1; length <= sizeof(bytes);
		     length += length < 300 ? 1 : 59700) {
			b = file_of(bytes, length);
			replace_all(b, cs[i]);
			file_end(b);
		}
}
END_TEST

START_TEST(test_gbk_is_decoded_and_the_result_is_known)
{
	struct mvfs__buffer *b = file("<" GBK_CHINESE ">"), *written;
	uint64_t before, start, length;

	ck_assert_int_eq(read_all(b, GBK), 0);
	ck_string("<" CHINESE ">", 8, TERMINATED);
	before = classified();
	ck_assert_int_eq(mvfs__string_encode(&string, UTF8, &written, &start,
					     &length, &error), 0);
	ck_assert_ptr_eq(written, string.owner);
	ck_assert(start == 0 && length == 8);
	ck_assert_uint_eq(classified(), before);
	mvfs__string_drop(written);
	mvfs__string_release(&string);
	file_end(b);
}
END_TEST

START_TEST(test_empty_strings_need_nothing)
{
	uint64_t before = mvfs__mem_thread.allocations;
	struct mvfs__buffer *b, *written;
	uint64_t start, length;

	ck_assert_int_eq(mvfs__string_from_buffer(NULL, 0, 0, GBK, 0, &string,
						  NULL), 0);
	ck_string("", 0, TERMINATED | IS_ASCII);
	ck_assert_ptr_null(string.owner);
	ck_assert_int_eq(mvfs__string_encode(&string, GBK, &written, &start,
					     &length, NULL), 0);
	ck_assert(!written && !start && !length);
	ck_assert_int_eq(mvfs__string_bytes(NULL, 0, 0, &string), 0);
	ck_string("", 0, TERMINATED | IS_ASCII);
	ck_assert_int_eq(mvfs__string_copy(NULL, 0, &string), 0);
	ck_assert_int_eq(mvfs__string_decode(NULL, 0, GBK, 0, &string, NULL),
			 0);
	ck_assert_str_eq(mvfs__string_cstr(&string), "");
	mvfs__string_release(&string);
	ck_assert_uint_eq(mvfs__mem_thread.allocations, before);

	/* a reference to what is empty is taken over too */
	b = file("xyz");
	ck_assert_int_eq(read_part(b, 3, 0, UTF8, 0), 0);
	ck_assert_ptr_null(string.owner);
	file_end(b);
}
END_TEST

START_TEST(test_parts_are_terminated_at_the_end_only)
{
	static char memory[] = "adopted";
	struct mvfs__buffer *b = file("0123456789");

	ck_assert_int_eq(read_part(b, 2, 5, UTF8, 0), 0);
	ck_string("23456", 5, SHARED | IS_ASCII);
	mvfs__string_release(&string);
	ck_assert_int_eq(read_part(b, 2, 8, UTF8, 0), 0);
	ck_string("23456789", 8, SHARED | TERMINATED | IS_ASCII);
	mvfs__string_release(&string);
	file_end(b);

	/* what is behind the caller's memory is not ours to know */
	b = mvfs__buffer_adopt(memory, 7, NULL, NULL);
	ck_assert_int_eq(read_all(b, UTF8), 0);
	ck_string("adopted", 7, SHARED | IS_ASCII);
	mvfs__string_release(&string);
	file_end(b);
}
END_TEST

/* A part that begins or ends within a character is malformed there. */
START_TEST(test_parts_of_known_text_are_cut_at_characters)
{
	int known;

	for (known = 0; known < 2; known++) {
		struct mvfs__buffer *b = file("ab" CHINESE "cd");
		struct mvfs__text_state state;

		if (known) {
			ck_assert_int_eq(read_all(b, UTF8), 0);
			mvfs__string_release(&string);
		}
		ck_assert_int_eq(read_part(b, 0, 4, UTF8, 0), -EILSEQ);
		ck_assert_uint_eq(error.offset, 2);
		ck_assert_uint_eq(error.length, 2);
		ck_assert_ptr_nonnull(strstr(error.message, "cut off"));
		ck_assert_int_eq(read_part(b, 3, 3, UTF8, 0), -EILSEQ);
		ck_assert_uint_eq(error.offset, 0);
		ck_assert_uint_eq(error.length, 1);
		ck_assert_int_eq(read_part(b, 2, 3, UTF8, 0), 0);
		ck_assert_mem_eq(string.data, "\xe4\xbd\xa0", 3);
		mvfs__string_release(&string);

		/* and none of that has spoilt what is known of the whole */
		ck_assert_int_eq(read_all(b, UTF8), 0);
		mvfs__string_release(&string);
		state = mvfs__buffer_text(b);
		ck_assert_uint_eq(state.length, 10);
		ck_assert_int_eq(state.known, MVFS__KNOWN_UTF8);
		file_end(b);
	}
}
END_TEST

START_TEST(test_a_part_adds_to_what_is_known_where_it_touches_it)
{
	struct mvfs__buffer *b = file("0123456789" CHINESE);
	uint64_t before;

	/* behind a gap: learnt by nobody */
	ck_assert_int_eq(read_part(b, 4, 4, UTF8, 0), 0);
	mvfs__string_release(&string);
	ck_assert_uint_eq(mvfs__buffer_text(b).length, 0);
	ck_assert_int_eq(read_part(b, 0, 6, UTF8, 0), 0);
	mvfs__string_release(&string);
	ck_assert_uint_eq(mvfs__buffer_text(b).length, 6);
	ck_assert_int_eq(mvfs__buffer_text(b).known, MVFS__KNOWN_ASCII);
	before = classified();
	ck_assert_int_eq(read_part(b, 4, 12, UTF8, 0), 0);
	mvfs__string_release(&string);
	ck_assert_uint_eq(classified() - before, 10);
	ck_assert_uint_eq(mvfs__buffer_text(b).length, 16);
	ck_assert_int_eq(mvfs__buffer_text(b).known, MVFS__KNOWN_UTF8);
	file_end(b);
}
END_TEST

START_TEST(test_ascii_behind_other_text_is_not_taken_for_more)
{
	struct mvfs__buffer *b = file(CHINESE "0123456789");

	/* a part that touches what is known as UTF-8 */
	ck_assert_int_eq(read_part(b, 0, 6, UTF8, 0), 0);
	mvfs__string_release(&string);
	ck_assert_int_eq(read_part(b, 6, 4, UTF8, 0), 0);
	ck_string("0123", 4, SHARED | IS_ASCII);
	mvfs__string_release(&string);
	ck_assert_uint_eq(mvfs__buffer_text(b).length, 10);
	ck_assert_int_eq(mvfs__buffer_text(b).known, MVFS__KNOWN_UTF8);
	/* and one that does not */
	ck_assert_int_eq(read_part(b, 12, 4, UTF8, 0), 0);
	ck_string("6789", 4, SHARED | TERMINATED | IS_ASCII);
	mvfs__string_release(&string);
	ck_assert_int_eq(read_part(b, 8, 4, GBK, 0), 0);
	ck_string("2345", 4, SHARED | IS_ASCII);
	mvfs__string_release(&string);
	file_end(b);
}
END_TEST

START_TEST(test_an_append_is_classified_alone)
{
	struct mvfs__buffer *b = file("0123456789");
	uint64_t before;

	ck_assert_int_eq(read_all(b, UTF8), 0);
	mvfs__string_release(&string);
	ck_assert_int_eq(mvfs__buffer_reserve(&b, 100), 0);
	mvfs__buffer_forget(b, 10);
	memcpy(mvfs__buffer_bytes(b) + 10, CHINESE "!", 7);
	mvfs__buffer_set_used(b, 17);
	before = classified();
	ck_assert_int_eq(read_all(b, UTF8), 0);
	ck_string("0123456789" CHINESE "!", 17, SHARED | TERMINATED);
	mvfs__string_release(&string);
	ck_assert_uint_eq(classified() - before, 7);
	file_end(b);
}
END_TEST

START_TEST(test_an_append_completes_a_character_that_was_cut_off)
{
	struct mvfs__buffer *b = file("ab\xe4\xbd");

	ck_assert_int_eq(read_all(b, UTF8), -EILSEQ);
	ck_assert_ptr_nonnull(strstr(error.message, "cut off"));
	ck_assert_int_eq(mvfs__buffer_text(b).known, MVFS__KNOWN_MALFORMED);
	mvfs__buffer_forget(b, 4);
	memcpy(mvfs__buffer_bytes(b) + 4, "\xa0", 1);
	mvfs__buffer_set_used(b, 5);
	ck_assert_int_eq(read_all(b, UTF8), 0);
	ck_assert_uint_eq(string.len, 5);
	mvfs__string_release(&string);
	file_end(b);
}
END_TEST

START_TEST(test_cutting_a_character_makes_the_text_malformed)
{
	struct mvfs__buffer *b = file("ab" CHINESE);
	uint64_t before;

	ck_assert_int_eq(read_all(b, UTF8), 0);
	mvfs__string_release(&string);
	mvfs__buffer_set_used(b, 7);
	before = classified();
	ck_assert_int_eq(read_all(b, UTF8), -EILSEQ);
	ck_assert_uint_eq(error.offset, 5);
	ck_assert_uint_eq(classified() - before, 2);
	file_end(b);
}
END_TEST

START_TEST(test_undecoded_bytes_are_never_looked_at)
{
	struct mvfs__buffer *b = file("\xff\0any" CHINESE);
	uint64_t before = classified(), made = copies();

	mvfs__obj_retain(&b->obj);
	ck_assert_int_eq(mvfs__string_bytes(b, 1, 4, &string), 0);
	ck_string("\0any", 4, SHARED);
	mvfs__string_release(&string);
	mvfs__obj_retain(&b->obj);
	ck_assert_int_eq(mvfs__string_bytes(b, 0, b->used, &string), 0);
	ck_assert_uint_eq(string.flags, SHARED | TERMINATED);
	ck_assert(classified() == before && copies() == made);
	mvfs__string_release(&string);
	file_end(b);
}
END_TEST

START_TEST(test_released_twice_is_released_once)
{
	struct mvfs__buffer *b = file("text");

	ck_assert_int_eq(read_all(b, UTF8), 0);
	mvfs__string_release(&string);
	ck_assert(!string.data && !string.len && !string.flags &&
		  !string.owner);
	mvfs__string_release(&string);
	file_end(b);
}
END_TEST

START_TEST(test_slices_share_and_are_cut_to_what_is_there)
{
	struct mvfs__buffer *b = file("0123456789");
	struct mvfs_string whole, slice;

	ck_assert_int_eq(read_all(b, UTF8), 0);
	whole = string;
	string = mvfs__string_slice(&whole, 3, 4);
	ck_string("3456", 4, SHARED | IS_ASCII);
	ck_assert_uint_eq(refs(b), 3);
	slice = mvfs__string_slice(&string, 2, SIZE_MAX);
	mvfs__string_release(&string);
	mvfs__string_release(&whole);
	string = slice;
	ck_string("56", 2, SHARED | IS_ASCII);
	mvfs__string_release(&string);

	ck_assert_int_eq(read_all(b, UTF8), 0);
	whole = string;
	string = mvfs__string_slice(&whole, 8, 2);
	ck_string("89", 2, SHARED | IS_ASCII | TERMINATED);
	mvfs__string_release(&string);
	string = mvfs__string_slice(&whole, 10, 1);
	ck_string("", 0, IS_ASCII | TERMINATED);
	string = mvfs__string_slice(&whole, SIZE_MAX, SIZE_MAX);
	ck_string("", 0, IS_ASCII | TERMINATED);
	string = mvfs__string_slice(&whole, 4, 0);
	ck_assert_ptr_null(string.owner);
	ck_assert_uint_eq(refs(b), 2);
	mvfs__string_release(&whole);
	file_end(b);
}
END_TEST

START_TEST(test_a_string_outlives_its_file)
{
	struct mvfs__buffer *b = file("what was read");
	struct mvfs_string other;

	ck_assert_int_eq(read_all(b, UTF8), 0);
	mvfs__string_drop(b);
	other = mvfs__string_share(&string);
	mvfs__string_release(&string);
	ck_assert_uint_eq(other.len, 13);
	ck_assert_str_eq(other.data, "what was read");
	mvfs__string_release(&other);
}
END_TEST

START_TEST(test_a_terminated_string_is_its_own_c_string)
{
	struct mvfs__buffer *b = file("0123456789");
	uint64_t before = copies();

	ck_assert_int_eq(read_all(b, UTF8), 0);
	ck_assert_ptr_eq(mvfs__string_cstr(&string), string.data);
	ck_assert_ptr_eq(string.owner, b);
	ck_assert_uint_eq(copies(), before);
	mvfs__string_release(&string);

	/* a part is replaced by a copy, once */
	ck_assert_int_eq(read_part(b, 0, 4, UTF8, 0), 0);
	ck_assert_str_eq(mvfs__string_cstr(&string), "0123");
	ck_string("0123", 4, TERMINATED | IS_ASCII);
	ck_assert_uint_eq(refs(b), 1);
	ck_assert_ptr_eq(mvfs__string_cstr(&string), string.data);
	ck_assert_uint_eq(copies(), before + 1);
	mvfs__string_release(&string);
	file_end(b);
}
END_TEST

START_TEST(test_stolen_memory_is_freed_by_free)
{
	struct mvfs__buffer *b = file("01\0" "34");
	uint64_t before = copies();
	char *memory;

	ck_assert_int_eq(read_all(b, UTF8), 0);
	memory = mvfs__string_steal(&string);
	ck_assert_mem_eq(memory, "01\0" "34", 6);
	ck_assert(!string.data && !string.owner);
	ck_assert_uint_eq(copies(), before + 1);
	free(memory);
	memory = mvfs__string_steal(&string);
	ck_assert_str_eq(memory, "");
	free(memory);
	file_end(b);
}
END_TEST

/* As mvfs_write_string() does. */
static struct mvfs__buffer *encode(const struct mvfs_string *s,
				   const struct mvfs_charset *cs,
				   const char *want, uint64_t at)
{
	uint64_t start = 77, length = 77;
	struct mvfs__buffer *b = NULL;

	ck_assert_int_eq(mvfs__string_encode(s, cs, &b, &start, &length,
					     &error), 0);
	ck_assert_uint_eq(start, at);
	ck_assert_uint_eq(length, strlen(want));
	ck_assert_mem_eq(mvfs__buffer_bytes(b) + start, want, length);
	return b;
}

START_TEST(test_a_string_is_written_as_its_own_bytes_where_they_are_the_same)
{
	struct mvfs__buffer *b = file("<plain>"), *c = file(CHINESE);
	uint64_t before = copies();
	struct mvfs__buffer *written;

	ck_assert_int_eq(read_part(b, 1, 5, UTF8, 0), 0);
	written = encode(&string, GBK, "plain", 1);
	ck_assert_ptr_eq(written, b);
	ck_assert_uint_eq(refs(b), 3);
	mvfs__string_drop(written);
	mvfs__string_release(&string);
	file_end(b);

	ck_assert_int_eq(read_all(c, UTF8), 0);
	written = encode(&string, NULL, CHINESE, 0);
	ck_assert_ptr_eq(written, c);
	mvfs__string_drop(written);
	ck_assert_uint_eq(copies(), before);
	written = encode(&string, GBK, GBK_CHINESE, 0);
	ck_assert_ptr_ne(written, c);
	ck_assert_uint_eq(copies(), before + 1);
	mvfs__string_drop(written);
	mvfs__string_release(&string);
	file_end(c);
}
END_TEST

START_TEST(test_a_string_of_static_bytes_is_copied_with_what_is_known)
{
	struct mvfs_string s = { .data = CHINESE, .len = 6 };
	struct mvfs__buffer *written = encode(&s, UTF8, CHINESE, 0);

	ck_assert_uint_eq(mvfs__buffer_text(written).length, 6);
	ck_assert_int_eq(mvfs__buffer_text(written).known, MVFS__KNOWN_UTF8);
	file_end(written);
	written = encode(&s, GBK, GBK_CHINESE, 0);
	ck_assert_uint_eq(mvfs__buffer_text(written).length, 0);
	file_end(written);
	s = (struct mvfs_string){ .data = "plain", .len = 5 };
	written = encode(&s, LATIN1, "plain", 0);
	ck_assert_int_eq(mvfs__buffer_text(written).known, MVFS__KNOWN_ASCII);
	file_end(written);
}
END_TEST

START_TEST(test_malformed_strings_are_not_written)
{
	struct mvfs__buffer *b = file("ab\xff"), *written;
	uint64_t start, length;

	mvfs__obj_retain(&b->obj);
	ck_assert_int_eq(mvfs__string_bytes(b, 0, 3, &string), 0);
	ck_assert_int_eq(mvfs__string_encode(&string, UTF8, &written, &start,
					     &length, &error), -EILSEQ);
	ck_assert_uint_eq(error.offset, 2);
	ck_assert_str_eq(error.message, "malformed UTF-8 at byte 2: FF");
	ck_assert_int_eq(mvfs__string_encode(&string, GBK, &written, &start,
					     &length, NULL), -EILSEQ);
	mvfs__string_release(&string);
	file_end(b);

	string = (struct mvfs_string){ .data = "\xf0\x9f\x98\x80", .len = 4 };
	ck_assert_int_eq(mvfs__string_encode(&string, LATIN1, &written, &start,
					     &length, &error), -EILSEQ);
	ck_assert_str_eq(error.message,
			 "unmappable at byte 0: ISO-8859-1 has no U+1F600");
}
END_TEST

/* Every allocation of every call fails once: -ENOMEM, and nothing is lost. */
static int all_calls(struct mvfs__buffer *plain, struct mvfs__buffer *chinese)
{
	struct mvfs__buffer *written;
	struct mvfs_string s = { .data = CHINESE, .len = 6 }, t = { 0 };
	uint64_t start, length;
	char *memory;
	int ret;

	ret = read_part(chinese, 0, 6, GBK, MVFS_REPLACE);
	if (ret)
		return ret;
	mvfs__string_release(&string);
	ret = read_part(plain, 1, 3, UTF8, 0);
	ck_assert_int_eq(ret, 0);
	if (!mvfs__string_cstr(&string)) {
		ck_string("lai", 3, SHARED | IS_ASCII);
		mvfs__string_release(&string);
		return -ENOMEM;
	}
	memory = mvfs__string_steal(&string);
	if (!memory) {
		ck_assert_str_eq(string.data, "lai");
		mvfs__string_release(&string);
		return -ENOMEM;
	}
	free(memory);
	ret = mvfs__string_encode(&s, UTF8, &written, &start, &length, NULL);
	if (ret)
		return ret;
	mvfs__string_drop(written);
	ret = mvfs__string_encode(&s, GBK, &written, &start, &length, &error);
	if (ret)
		return ret;
	mvfs__string_drop(written);
	ret = mvfs__string_copy("abc", 3, &t);
	if (ret)
		return ret;
	mvfs__string_release(&t);
	ret = mvfs__string_decode("abc", 3, GBK, 0, &t, &error);
	if (ret)
		return ret;
	mvfs__string_release(&t);
	ret = mvfs__string_decode("\xff\xff\xff\xff\xff\xff\xff\xff\xff", 9,
				  UTF8, MVFS_REPLACE, &t, &error);
	if (ret)
		return ret;
	mvfs__string_release(&t);
	ret = mvfs__string_encode_bytes(CHINESE, 6, LATIN1, MVFS_REPLACE, &t,
					&error);
	if (!ret)
		mvfs__string_release(&t);
	return ret;
}

START_TEST(test_every_allocation_can_fail)
{
	struct mvfs__buffer *plain = file("plain"), *chinese = file(CHINESE);
	uint64_t n;
	int ret;

	for (n = 1;; n++) {
		mvfs__mem_fail_at(n);
		ret = all_calls(plain, chinese);
		if (!ret)
			break;
		ck_assert_int_eq(ret, -ENOMEM);
		ck_assert_uint_eq(refs(plain), 1);
		ck_assert_uint_eq(refs(chinese), 1);
	}
	mvfs__mem_fail_at(0);
	ck_assert_uint_ge(n, 9);
	file_end(plain);
	file_end(chinese);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("content: strings");
	TCase *reading = tcase_create("reading");
	TCase *owning = tcase_create("owning");
	TCase *writing = tcase_create("writing");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(reading, test_ascii_is_shared_in_each_charset);
	tcase_add_test(reading, test_utf8_is_shared_as_utf8_only);
	tcase_add_test(reading, test_second_reading_looks_at_no_byte);
	tcase_add_test(reading,
		       test_ascii_found_by_one_charset_is_known_to_all);
	tcase_add_test(reading,
		       test_malformed_text_is_found_once_and_told_each_time);
	tcase_add_test(reading, test_replacing_keeps_all_that_is_well_formed);
	tcase_add_test(reading, test_replacing_well_formed_text_shares_it);
	tcase_add_test(reading, test_many_replacements_grow_the_text);
	tcase_add_test(reading, test_gbk_is_decoded_and_the_result_is_known);
	tcase_add_test(reading, test_empty_strings_need_nothing);
	tcase_add_test(reading, test_parts_are_terminated_at_the_end_only);
	tcase_add_test(reading, test_parts_of_known_text_are_cut_at_characters);
	tcase_add_test(reading,
		       test_a_part_adds_to_what_is_known_where_it_touches_it);
	tcase_add_test(reading,
		       test_ascii_behind_other_text_is_not_taken_for_more);
	tcase_add_test(reading, test_an_append_is_classified_alone);
	tcase_add_test(reading,
		       test_an_append_completes_a_character_that_was_cut_off);
	tcase_add_test(reading,
		       test_cutting_a_character_makes_the_text_malformed);
	tcase_add_test(reading, test_undecoded_bytes_are_never_looked_at);
	suite_add_tcase(suite, reading);
	tcase_add_test(owning, test_released_twice_is_released_once);
	tcase_add_test(owning, test_slices_share_and_are_cut_to_what_is_there);
	tcase_add_test(owning, test_a_string_outlives_its_file);
	tcase_add_test(owning, test_a_terminated_string_is_its_own_c_string);
	tcase_add_test(owning, test_stolen_memory_is_freed_by_free);
	suite_add_tcase(suite, owning);
	tcase_add_test(writing,
	    test_a_string_is_written_as_its_own_bytes_where_they_are_the_same);
	tcase_add_test(writing,
		test_a_string_of_static_bytes_is_copied_with_what_is_known);
	tcase_add_test(writing, test_malformed_strings_are_not_written);
	tcase_add_test(writing, test_every_allocation_can_fail);
	suite_add_tcase(suite, writing);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
