/* SPDX-License-Identifier: MIT */
/*
 * Data streams: bytes as Java's specification has them, both orders, texts
 * with their limits and flaws, what fails and what is left then.
 */
#include "config.h"

#include "vfs/stream/stream.h"

#include <float.h>
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/core.h"
#include "tests/random.h"
#include "vfs/stream/modified.h"
#include "vfs/text/kernels.h"

static struct mvfs_data_out out;
static struct mvfs_data_in in;
static struct mvfs_error error;

/* What was put is these bytes; the stream is empty afterwards. */
static void put_is(const void *bytes, size_t len)
{
	struct mvfs_string is;

	ck_assert_uint_eq(mvfs_data_out_size(&out), len);
	ok(mvfs_data_out_string(&out, &is));
	ck_assert_uint_eq(is.len, len);
	ck_assert_mem_eq(is.data, bytes, len);
	ck_assert_int_eq(is.data[len], 0);
	mvfs_string_release(&is);
	ck_assert_uint_eq(mvfs_data_out_size(&out), 0);
}

/* Reads memory that is nobody's. */
static void in_over(const void *bytes, size_t len)
{
	const struct mvfs_string s = { bytes, len, 0, NULL };

	ok(mvfs_data_in_string(&in, &s));
}

/* Reads memory that the stream holds. */
static void in_own(const void *bytes, size_t len)
{
	struct mvfs_string s;

	ok(mvfs_string_copy(bytes, len, &s));
	ok(mvfs_data_in_string(&in, &s));
	mvfs_string_release(&s);
}

START_TEST(test_numbers_are_as_java_writes_them)
{
	mvfs_data_out_memory(&out);
	ok(mvfs_data_put_bool(&out, 7));
	ok(mvfs_data_put_bool(&out, 0));
	ok(mvfs_data_put_i8(&out, -2));
	ok(mvfs_data_put_i16(&out, -2));
	ok(mvfs_data_put_u16(&out, 0x1234));
	ok(mvfs_data_put_i32(&out, 0x12345678));
	ok(mvfs_data_put_i64(&out, INT64_C(0x123456789abcdef0)));
	ok(mvfs_data_put_f32(&out, 1.0f));
	ok(mvfs_data_put_f64(&out, -2.0));
	put_is("\1\0\xfe\xff\xfe\x12\x34\x12\x34\x56\x78"
	       "\x12\x34\x56\x78\x9a\xbc\xde\xf0"
	       "\x3f\x80\0\0\xc0\0\0\0\0\0\0\0", 31);
	ok(mvfs_data_put_i16_le(&out, -2));
	ok(mvfs_data_put_u16_le(&out, 0x1234));
	ok(mvfs_data_put_i32_le(&out, 0x12345678));
	ok(mvfs_data_put_i64_le(&out, INT64_C(0x123456789abcdef0)));
	ok(mvfs_data_put_f32_le(&out, 1.0f));
	ok(mvfs_data_put_f64_le(&out, -2.0));
	put_is("\xfe\xff\x34\x12\x78\x56\x34\x12"
	       "\xf0\xde\xbc\x9a\x78\x56\x34\x12"
	       "\0\0\x80\x3f\0\0\0\0\0\0\0\xc0", 28);
	ok(mvfs_data_out_close(&out));
}
END_TEST

/* Each value of a type, there and back, in both orders. */
#define ROUND_TRIP(name, type, ...)                                     \
	do {                                                            \
		static const type values[] = { __VA_ARGS__ };           \
		size_t i, n = sizeof(values) / sizeof(values[0]);       \
		type got = 0;                                           \
		struct mvfs_string bytes;                               \
									\
		mvfs_data_out_memory(&out);                             \
		for (i = 0; i < n; i++) {                               \
			ok(mvfs_data_put_##name(&out, values[i]));      \
			ok(mvfs_data_put_##name##_le(&out, values[i])); \
		}                                                       \
		ok(mvfs_data_out_string(&out, &bytes));                 \
		ok(mvfs_data_out_close(&out));                          \
		ok(mvfs_data_in_string(&in, &bytes));                   \
		mvfs_string_release(&bytes);                            \
		for (i = 0; i < n; i++) {                               \
			ok(mvfs_data_get_##name(&in, &got));            \
			ck_assert_mem_eq(&got, &values[i], sizeof(got)); \
			ok(mvfs_data_get_##name##_le(&in, &got));       \
			ck_assert_mem_eq(&got, &values[i], sizeof(got)); \
		}                                                       \
		fails(mvfs_data_get_##name(&in, &got), ENODATA);        \
		fails(mvfs_data_get_##name##_le(&in, &got), ENODATA);   \
		ck_assert_int_eq(mvfs_data_in_error(&in), -ENODATA);    \
		mvfs_data_in_close(&in);                                \
	} while (0)

START_TEST(test_every_value_comes_back_to_the_bit)
{
	ROUND_TRIP(i16, int16_t, 0, 1, -1, INT16_MIN, INT16_MAX, 0x0102);
	ROUND_TRIP(u16, uint16_t, 0, 1, UINT16_MAX, 0x8000, 0x0102);
	ROUND_TRIP(i32, int32_t, 0, 1, -1, INT32_MIN, INT32_MAX, 0x01020304);
	ROUND_TRIP(u32, uint32_t, 0, UINT32_MAX, 0x80000000, 0x01020304);
	ROUND_TRIP(i64, int64_t, 0, 1, -1, INT64_MIN, INT64_MAX,
		   INT64_C(0x0102030405060708));
	ROUND_TRIP(u64, uint64_t, 0, UINT64_MAX, UINT64_C(1) << 63);
	ROUND_TRIP(f32, float, 0.0f, -0.0f, 1.5f, FLT_MIN, FLT_MAX, -FLT_MAX,
		   FLT_TRUE_MIN, INFINITY, -INFINITY, NAN,
		   __builtin_nanf("0x12345"));
	ROUND_TRIP(f64, double, 0.0, -0.0, 1.5, DBL_MIN, DBL_MAX, -DBL_MAX,
		   DBL_TRUE_MIN, INFINITY, -INFINITY, NAN,
		   __builtin_nan("0x123456789"));
}
END_TEST

START_TEST(test_bytes_and_truth_come_back)
{
	uint8_t u = 9;
	int8_t i = 9;
	int b = 9;

	in_own("\x00\x80\xff\x00\x02", 5);
	ok(mvfs_data_get_u8(&in, &u));
	ck_assert_uint_eq(u, 0);
	ok(mvfs_data_get_i8(&in, &i));
	ck_assert_int_eq(i, -128);
	ok(mvfs_data_get_u8(&in, &u));
	ck_assert_uint_eq(u, 255);
	ok(mvfs_data_get_bool(&in, &b));
	ck_assert_int_eq(b, 0);
	ok(mvfs_data_get_bool(&in, &b));
	ck_assert_int_eq(b, 1);
	fails(mvfs_data_get_bool(&in, &b), ENODATA);
	fails(mvfs_data_get_i8(&in, &i), ENODATA);
	ck_assert_int_eq(b, 1);
	ck_assert_int_eq(i, -128);
	mvfs_data_in_close(&in);
}
END_TEST

START_TEST(test_a_value_cut_off_leaves_the_position)
{
	int64_t wide = 5;
	int16_t narrow = 9;
	char bytes[8];

	in_own("abcdefg", 7);
	ck_assert_uint_eq(mvfs_data_in_left(&in), 7);
	fails(mvfs_data_get_i64(&in, &wide), ENODATA);
	fails(mvfs_data_get_bytes(&in, bytes, 8), ENODATA);
	fails(mvfs_data_get_i64s(&in, &wide, 1), ENODATA);
	fails(mvfs_data_get_i64s(&in, &wide, SIZE_MAX / 4), ENODATA);
	ck_assert_int_eq(wide, 5);
	ck_assert_uint_eq(mvfs_data_in_position(&in), 0);
	ok(mvfs_data_get_bytes(&in, bytes, 4));
	ok(mvfs_data_get_i16(&in, &narrow));
	ck_assert_int_eq(narrow, 'e' << 8 | 'f');
	fails(mvfs_data_get_i16(&in, &narrow), ENODATA);
	ck_assert_uint_eq(mvfs_data_in_position(&in), 6);
	ck_assert_uint_eq(mvfs_data_in_skip(&in, 100), 1);
	ck_assert_uint_eq(mvfs_data_in_skip(&in, 100), 0);
	ok(mvfs_data_in_seek(&in, 2));
	ok(mvfs_data_get_bytes(&in, bytes, 1));
	ck_assert_int_eq(bytes[0], 'c');
	ok(mvfs_data_in_seek(&in, 7));
	fails(mvfs_data_in_seek(&in, 8), EINVAL);
	ck_assert_uint_eq(mvfs_data_in_left(&in), 0);
	mvfs_data_in_close(&in);
	mvfs_data_in_close(&in);
}
END_TEST

/* Turned round by hand. */
static void swap_model(uint8_t *to, const uint8_t *from, size_t len,
		       unsigned width)
{
	size_t i, b;

	for (i = 0; i < len; i += width)
		for (b = 0; b < width; b++)
			to[i + b] = from[i + width - 1 - b];
}

START_TEST(test_every_kernel_turns_numbers_round_and_nothing_else)
{
	/* places in a page that are apart, and near */
	static const unsigned apart[] = { 0, 1, 63, 64, 520, 1023, 1500 };
	static uint8_t pages[8192], right[1200];
	uint8_t *from = pages + 5, *to;
	const struct mvfs__kernels *k;
	unsigned width, n, at;
	size_t len, i;

	for (i = 0; i < 1100; i++)
		from[i] = (uint8_t)(i * 7 + i / 251);
	for (n = 0; mvfs__kernels_names[n]; n++) {
		k = mvfs__kernels_named(mvfs__kernels_names[n]);
		if (!k)
			continue;
		for (width = 2; width <= 8; width *= 2)
			for (len = 0; len <= 1024; len += width) {
				at = (unsigned)(len / width % 9);
				to = pages + 4096 + apart[len / width % 7];
				memset(to, 0xee, sizeof(right));
				memset(right, 0xee, sizeof(right));
				swap_model(right + at, from + 3, len, width);
				k->swap(to + at, from + 3, len, width);
				if (memcmp(to, right, sizeof(right)))
					ck_abort_msg("%s, width %u, %zu bytes",
						     k->name, width, len);
			}
	}
}
END_TEST

enum { MANY = 5000 };

static union {
	int16_t i16[MANY];
	int32_t i32[MANY];
	double f64[MANY];
	uint8_t bytes[8 * MANY];
} values, again;

/* Arrays give the bytes that one by one do, whatever is before them. */
START_TEST(test_an_array_is_its_values_one_by_one)
{
	uint64_t state = seed_of_run();
	struct mvfs_string bytes;
	size_t i, count;
	unsigned round;
	int32_t one;
	double two;
	int16_t three;

	for (i = 0; i < sizeof(values.bytes); i++)
		values.bytes[i] = (uint8_t)rng(&state);
	for (round = 0; round < 20 * long_factor(); round++) {
		count = below(&state, round % 2 ? MANY : 20);
		mvfs_data_out_memory(&out);
		if (round % 3)
			ok(mvfs_data_put_u8(&out, 1));
		ok(mvfs_data_put_i32s(&out, values.i32, count));
		ok(mvfs_data_put_f64s(&out, values.f64, count / 2));
		ok(mvfs_data_put_i16s_le(&out, values.i16, count));
		ok(mvfs_data_put_i32s_le(&out, values.i32, count));
		ok(mvfs_data_out_string(&out, &bytes));
		ok(mvfs_data_out_close(&out));
		ok(mvfs_data_in_string(&in, &bytes));
		mvfs_data_in_skip(&in, round % 3 ? 1 : 0);
		for (i = 0; i < count; i++)
			must(!mvfs_data_get_i32(&in, &one) &&
			     one == values.i32[i]);
		for (i = 0; i < count / 2; i++)
			must(!mvfs_data_get_f64(&in, &two) &&
			     !memcmp(&two, &values.f64[i], 8));
		for (i = 0; i < count; i++)
			must(!mvfs_data_get_i16_le(&in, &three) &&
			     three == values.i16[i]);
		for (i = 0; i < count; i++)
			must(!mvfs_data_get_i32_le(&in, &one) &&
			     one == values.i32[i]);
		must(!mvfs_data_in_left(&in));
		ok(mvfs_data_in_seek(&in, round % 3 ? 1 : 0));
		ok(mvfs_data_get_i32s(&in, again.i32, count));
		ck_assert_mem_eq(again.i32, values.i32, 4 * count);
		ok(mvfs_data_get_f64s(&in, again.f64, count / 2));
		ck_assert_mem_eq(again.f64, values.f64, count / 2 * 8);
		ok(mvfs_data_get_i16s_le(&in, again.i16, count));
		ck_assert_mem_eq(again.i16, values.i16, 2 * count);
		mvfs_data_in_close(&in);
		mvfs_string_release(&bytes);
	}
}
END_TEST

START_TEST(test_other_widths_and_no_memory_are_refused)
{
	mvfs_data_out_memory(&out);
	fails(mvfs_data_do_array(&out, values.bytes, 1, 3, 0), EINVAL);
	fails(mvfs_data_put_u8(&out, 1), EINVAL);
	fails(mvfs_data_out_close(&out), EINVAL);
	fails(mvfs_data_put_i32s(&out, NULL, 1), EFAULT);
	fails(mvfs_data_out_close(&out), EFAULT);
	fails(mvfs_data_put_bytes(&out, NULL, 1), EFAULT);
	fails(mvfs_data_out_close(&out), EFAULT);
	ok(mvfs_data_put_bytes(&out, NULL, 0));
	ok(mvfs_data_put_i32s(&out, NULL, 0));
	fails(mvfs_data_out_string(&out, NULL), EFAULT);
	put_is("", 0);
	ok(mvfs_data_out_close(&out));
	in_own("abcd", 4);
	fails(mvfs_data_get_array(&in, values.bytes, 1, 1, 0), EINVAL);
	fails(mvfs_data_get_i32s(&in, NULL, 1), EFAULT);
	fails(mvfs_data_get_bytes(&in, NULL, 1), EFAULT);
	fails(mvfs_data_get_string(&in, 1, NULL), EFAULT);
	fails(mvfs_data_get_utf(&in, NULL, NULL), EFAULT);
	fails(mvfs_data_get_line(&in, NULL), EFAULT);
	ck_assert_int_eq(mvfs_data_in_error(&in), -EINVAL);
	ck_assert_uint_eq(mvfs_data_in_position(&in), 0);
	mvfs_data_in_close(&in);
	fails(mvfs_data_in_string(&in, NULL), EFAULT);
	fails(mvfs_data_in_string(NULL, &(struct mvfs_string){ 0 }), EFAULT);
	fails(mvfs_data_out_fd(&out, NULL, 0), EINVAL);
}
END_TEST

/* U+0000, U+0041, U+00E9, U+4E2D, U+1F600 */
#define TEXT "\0A\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80"
#define TEXT_LEN 11
#define MODIFIED \
	"\xc0\x80" "A\xc3\xa9\xe4\xb8\xad\xed\xa0\xbd\xed\xb8\x80"
#define MODIFIED_LEN 14

START_TEST(test_texts_are_as_java_writes_them)
{
	mvfs_data_out_memory(&out);
	ok(mvfs_data_put_utf(&out, TEXT, TEXT_LEN, &error));
	put_is("\0\x0e" MODIFIED, MODIFIED_LEN + 2);
	ok(mvfs_data_put_utf(&out, "plain", 5, NULL));
	put_is("\0\x05plain", 7);
	ok(mvfs_data_put_utf(&out, NULL, 0, NULL));
	put_is("\0", 2);
	ok(mvfs_data_put_chars(&out, TEXT, TEXT_LEN, &error));
	put_is("\0\0\0A\0\xe9\x4e\x2d\xd8\x3d\xde\0", 12);
	ok(mvfs_data_put_low_bytes(&out, TEXT, TEXT_LEN, &error));
	put_is("\0A\xe9\x2d\x3d\0", 6);
	ok(mvfs_data_out_close(&out));
}
END_TEST

START_TEST(test_a_stream_that_is_reset_keeps_only_its_memory)
{
	uint64_t before = 0;
	int i, round;

	mvfs_data_out_memory(&out);
	ok(mvfs_data_out_reset(&out));
	for (round = 0; round < 3; round++) {
		for (i = 0; i < 5000; i++)
			ok(mvfs_data_put_i32(&out, i));
		if (!round)
			before = mvfs__mem_thread.allocations;
		ck_assert_uint_eq(mvfs_data_out_size(&out), 20000);
		ok(mvfs_data_out_reset(&out));
		ck_assert_uint_eq(mvfs_data_out_size(&out), 0);
	}
	ck_assert_uint_eq(mvfs__mem_thread.allocations, before);
	ok(mvfs_data_put_u8(&out, 'x'));
	put_is("x", 1);
	ok(mvfs_data_out_close(&out));
}
END_TEST

START_TEST(test_a_text_of_65535_bytes_is_the_longest)
{
	static char text[65536];
	struct mvfs_string got;

	memset(text, 'x', sizeof(text));
	mvfs_data_out_memory(&out);
	ok(mvfs_data_put_utf(&out, text, 65535, &error));
	ok(mvfs_data_out_string(&out, &got));
	ok(mvfs_data_in_string(&in, &got));
	mvfs_string_release(&got);
	ok(mvfs_data_get_utf(&in, &got, &error));
	ck_assert_uint_eq(got.len, 65535);
	ck_assert_mem_eq(got.data, text, 65535);
	mvfs_string_release(&got);
	mvfs_data_in_close(&in);
	fails(mvfs_data_put_utf(&out, text, 65536, &error), EOVERFLOW);
	ck_assert_int_eq(error.code, -EOVERFLOW);
	fails(mvfs_data_put_utf(&out, text, 5, &error), EOVERFLOW);
	ck_assert_uint_eq(mvfs_data_out_size(&out), 0);
	fails(mvfs_data_out_close(&out), EOVERFLOW);
	/* it is the modified form that counts */
	text[0] = 0;
	fails(mvfs_data_put_utf(&out, text, 65535, NULL), EOVERFLOW);
	fails(mvfs_data_out_close(&out), EOVERFLOW);
	ok(mvfs_data_put_utf(&out, text, 65534, NULL));
	ck_assert_uint_eq(mvfs_data_out_size(&out), 65537);
	ok(mvfs_data_out_close(&out));
}
END_TEST

START_TEST(test_no_utf8_is_put_nowhere_and_the_place_told)
{
	mvfs_data_out_memory(&out);
	ok(mvfs_data_put_u8(&out, 1));
	fails(mvfs_data_put_utf(&out, "ab\xff", 3, &error), EILSEQ);
	ck_assert_uint_eq(error.offset, 2);
	ck_assert_uint_eq(error.length, 1);
	ck_assert_int_eq(error.reason, MVFS_REASON_MALFORMED);
	ck_assert_uint_eq(mvfs_data_out_size(&out), 1);
	fails(mvfs_data_out_flush(&out), EILSEQ);
	fails(mvfs_data_out_close(&out), EILSEQ);
	fails(mvfs_data_put_chars(&out, "\xe4\xb8", 2, &error), EILSEQ);
	ck_assert_int_eq(error.reason, MVFS_REASON_TRUNCATED);
	fails(mvfs_data_out_close(&out), EILSEQ);
	fails(mvfs_data_put_low_bytes(&out, "\xed\xa0\x80", 3, NULL), EILSEQ);
	fails(mvfs_data_out_close(&out), EILSEQ);
}
END_TEST

static void utf_is(const char *modified, size_t len, const char *text,
		   size_t text_len, bool shared)
{
	struct mvfs_string got;
	char bytes[200] = { 0 };

	bytes[0] = 'x';
	bytes[2] = (char)len;
	memcpy(bytes + 3, modified, len);
	in_own(bytes, len + 4);
	mvfs_data_in_skip(&in, 1);
	ok(mvfs_data_get_utf(&in, &got, &error));
	ck_assert_uint_eq(got.len, text_len);
	ck_assert_mem_eq(got.data, text, text_len);
	ck_assert_int_eq(got.owner == in.source.owner, shared);
	ck_assert_uint_eq(mvfs_data_in_position(&in), len + 3);
	mvfs_string_release(&got);
	mvfs_data_in_close(&in);
}

static void utf_fails(const char *modified, size_t len, unsigned offset,
		      unsigned flaw)
{
	struct mvfs_string got = { "untouched", 9, 0, NULL };
	char bytes[200] = { 0 };

	bytes[0] = 'x';
	bytes[2] = (char)len;
	memcpy(bytes + 3, modified, len);
	in_own(bytes, len + 4);
	mvfs_data_in_skip(&in, 1);
	fails(mvfs_data_get_utf(&in, &got, &error), EILSEQ);
	ck_assert_int_eq(error.code, -EILSEQ);
	ck_assert_uint_eq(error.offset, 3 + offset);
	ck_assert_uint_eq(error.length, flaw);
	ck_assert_str_eq(got.data, "untouched");
	ck_assert_uint_eq(mvfs_data_in_position(&in), 1);
	ck_assert_int_eq(mvfs_data_in_error(&in), -EILSEQ);
	mvfs_data_in_close(&in);
}

START_TEST(test_modified_utf8_is_read_strictly_and_shared)
{
	utf_is(MODIFIED, MODIFIED_LEN, TEXT, TEXT_LEN, false);
	utf_is("plain", 5, "plain", 5, true);
	utf_is("", 0, "", 0, false);
	utf_is("\xe4\xb8\xad", 3, "\xe4\xb8\xad", 3, true);
	utf_is("a\0b", 3, "a\0b", 3, true); /* as Java reads it */
	utf_is("\xed\x9f\xbf\xee\x80\x80", 6, "\xed\x9f\xbf\xee\x80\x80", 6,
	       true);
	utf_is("\xed\xaf\xbf\xed\xbf\xbf", 6, "\xf4\x8f\xbf\xbf", 4, false);
	utf_fails("a\xff", 2, 1, 1);
	utf_fails("ab\xc0\x81", 4, 2, 1);
	utf_fails("\xc1\xbf", 2, 0, 1);
	utf_fails("\xe0\x80\x80", 3, 0, 1);
	utf_fails("a\xe4\xb8", 3, 1, 2);
	utf_fails("a\xc0", 2, 1, 1);
	utf_fails("\xf0\x9f\x98\x80", 4, 0, 1); /* Java has no such form */
	utf_fails("\xed\xa0\xbd", 3, 0, 1);
	utf_fails("\xed\xb8\x80\xed\xa0\xbd", 6, 0, 1);
	utf_fails("\xed\xa0\xbd" "abc", 6, 0, 1);
	utf_fails("\xed\xa0\xbd\xed\xa0\xbd", 6, 0, 1);
	utf_fails("\xc0\x80\x80", 3, 2, 1);
}
END_TEST

START_TEST(test_a_text_cut_off_is_no_text)
{
	struct mvfs_string got;

	in_over("\0\5abcd", 6);
	fails(mvfs_data_get_utf(&in, &got, &error), ENODATA);
	ck_assert_int_eq(error.code, -ENODATA);
	ck_assert_uint_eq(mvfs_data_in_position(&in), 0);
	ok(mvfs_data_in_seek(&in, 5));
	fails(mvfs_data_get_utf(&in, &got, &error), ENODATA);
	ck_assert_uint_eq(mvfs_data_in_position(&in), 5);
	mvfs_data_in_close(&in);
}
END_TEST

static void add(uint8_t *bytes, size_t *len, uint32_t unit)
{
	if (unit && unit < 0x80) {
		bytes[(*len)++] = (uint8_t)unit;
	} else if (unit < 0x800) {
		bytes[(*len)++] = (uint8_t)(0xc0 | unit >> 6);
		bytes[(*len)++] = (uint8_t)(0x80 | (unit & 63));
	} else {
		bytes[(*len)++] = (uint8_t)(0xe0 | unit >> 12);
		bytes[(*len)++] = (uint8_t)(0x80 | (unit >> 6 & 63));
		bytes[(*len)++] = (uint8_t)(0x80 | (unit & 63));
	}
}

/* Every code point, from UTF-16 by the book, and back. */
START_TEST(test_every_code_point_has_one_modified_form)
{
	uint8_t modified[16], back[16], text[16];
	struct mvfs__flaw flaw;
	uint32_t code;
	size_t len, made;

	for (code = 0; code <= 0x10ffff; code++) {
		if (code >= 0xd800 && code < 0xe000)
			continue;
		len = 0;
		if (code < 0x10000) {
			add(modified, &len, code);
		} else {
			add(modified, &len, 0xd800 | (code - 0x10000) >> 10);
			add(modified, &len, 0xdc00 | (code & 0x3ff));
		}
		must(mvfs__modified_decode(text, &made, modified, len,
					   &flaw) == len);
		must(mvfs__utf8_look(text, made).kind == MVFS__NO_FLAW);
		must(mvfs__utf8_look(text, made).length == made);
		must(mvfs__utf8_decode(text, (unsigned)made) == code);
		must(mvfs__modified_length(text, made) == len);
		mvfs__modified_encode(back, text, made);
		must(!memcmp(back, modified, len));
	}
}
END_TEST

/* What the bytes are, whoever had them before. */
START_TEST(test_random_bytes_are_a_text_or_an_error)
{
	static const uint8_t likely[] = {
		0xc0, 0x80, 0xed, 0xa0, 0xbd, 0xb8, 0xed, 0x80, 'a', 0,
		0xe0, 0xf0, 0x9f, 0xe4, 0xc3, 0xaf
	};
	uint64_t state = seed_of_run();
	uint8_t bytes[40], text[40], back[120];
	struct mvfs__flaw flaw;
	size_t len, made, done, i;
	unsigned round;

	for (round = 0; round < 200000 * long_factor(); round++) {
		len = below(&state, 40);
		for (i = 0; i < len; i++)
			bytes[i] = likely[below(&state, 16)];
		done = mvfs__modified_decode(text, &made, bytes, len, &flaw);
		must(done <= len && made <= done);
		must(done == len || flaw.length);
		must(mvfs__utf8_classify(text, made, 0, true).valid == made);
		/* only a byte 0 has two forms */
		mvfs__modified_encode(back, text, made);
		if (!memchr(bytes, 0, done))
			must(mvfs__modified_length(text, made) == done &&
			     !memcmp(back, bytes, done));
	}
}
END_TEST

static void line_is(const char *text)
{
	struct mvfs_string line;

	ck_assert_int_eq(mvfs_data_get_line(&in, &line), 1);
	ck_assert_uint_eq(line.len, strlen(text));
	ck_assert_mem_eq(line.data, text, line.len);
	mvfs_string_release(&line);
}

START_TEST(test_lines_end_as_java_ends_them)
{
	static const char text[] = "one\ntwo\r\n\rthree\r\r\n\nfin\xe9\r";
	struct mvfs_string line;
	int own;

	for (own = 0; own < 2; own++) {
		if (own)
			in_own(text, sizeof(text) - 1);
		else
			in_over(text, sizeof(text) - 1);
		line_is("one");
		line_is("two");
		line_is("");
		line_is("three");
		line_is("");
		line_is("");
		line_is("fin\xc3\xa9");
		ck_assert_int_eq(mvfs_data_get_line(&in, &line), 0);
		ck_assert_int_eq(mvfs_data_in_error(&in), 0);
		mvfs_data_in_close(&in);
	}
	in_over("last", 4);
	line_is("last");
	ck_assert_int_eq(mvfs_data_get_line(&in, &line), 0);
	mvfs_data_in_close(&in);
}
END_TEST

/* Else a text whose lines end with CR would be looked at once for each. */
START_TEST(test_a_line_is_read_without_looking_at_all_behind_it)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *text = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t i;

	ck_assert_ptr_ne(text, MAP_FAILED);
	for (i = 0; i < page; i += 4)
		memcpy(text + i, i % 8 ? "def\r" : "abc\n", 4);
	ck_assert_int_eq(mprotect(text + page, page, PROT_NONE), 0);
	in_over(text, 2 * page);
	for (i = 0; i < page / 2; i += 4)
		line_is(i % 8 ? "def" : "abc");
	mvfs_data_in_close(&in);
	memset(text, 'x', page);
	text[3] = '\r';
	in_over(text, 2 * page);
	line_is("xxx");
	mvfs_data_in_close(&in);
	munmap(text, 2 * page);
}
END_TEST

START_TEST(test_strings_outlive_the_stream_whose_bytes_they_share)
{
	struct mvfs_string a, b;

	in_own("\0\3abcdef", 8);
	ok(mvfs_data_get_utf(&in, &a, NULL));
	ok(mvfs_data_get_string(&in, 2, &b));
	ck_assert_ptr_eq(a.owner, in.source.owner);
	ck_assert_ptr_eq(b.owner, in.source.owner);
	fails(mvfs_data_get_string(&in, 2, &b), ENODATA);
	mvfs_data_in_close(&in);
	ck_assert_mem_eq(a.data, "abc", 3);
	ck_assert_mem_eq(b.data, "de", 2);
	mvfs_string_release(&a);
	mvfs_string_release(&b);
	/* nobody owns these, so they are copied */
	in_over("xyz", 3);
	ok(mvfs_data_get_string(&in, 2, &a));
	ck_assert_ptr_nonnull(a.owner);
	mvfs_data_in_close(&in);
	mvfs_string_release(&a);
}
END_TEST

START_TEST(test_what_was_put_becomes_a_file_without_a_copy)
{
	uint64_t before;
	int32_t n;
	int i;

	mvfs_data_out_memory(&out);
	for (i = 0; i < 10000; i++)
		ok(mvfs_data_put_i32(&out, i));
	before = mvfs__mem_thread.copied_bytes;
	fails(mvfs_data_out_file(&out, fs, "/missing/file"), ENOENT);
	ck_assert_uint_eq(mvfs_data_out_size(&out), 40000);
	ok(mvfs_data_put_i32(&out, i));
	ok(mvfs_data_out_file(&out, fs, "/file"));
	ck_assert_uint_eq(mvfs_data_out_size(&out), 0);
	ok(mvfs_data_in_file(&in, fs, "/file"));
	ck_assert_uint_eq(mvfs__mem_thread.copied_bytes, before);
	for (i = 0; i <= 10000; i++)
		must(!mvfs_data_get_i32(&in, &n) && n == i);
	mvfs_data_in_close(&in);
	/* nothing is a file, too */
	ok(mvfs_data_out_file(&out, fs, "/file"));
	ok(mvfs_data_in_file(&in, fs, "/file"));
	ck_assert_uint_eq(mvfs_data_in_left(&in), 0);
	mvfs_data_in_close(&in);
	ok(mvfs_data_out_close(&out));
	fails(mvfs_data_in_file(&in, fs, "/missing"), ENOENT);
}
END_TEST

/* Of pieces of all lengths, by block or around it. */
START_TEST(test_a_file_gets_every_byte_in_order)
{
	static uint8_t bytes[100000], right[3000000];
	uint64_t state = seed_of_run();
	struct mvfs_string whole;
	size_t len, total = 0;
	int fd = ok(mvfs_open(fs, "/f", O_CREAT | O_WRONLY, 0600));

	ok(mvfs_data_out_fd(&out, fs, fd));
	while (total < sizeof(right) - sizeof(bytes)) {
		len = below(&state, 3) ? below(&state, 100) :
					 below(&state, sizeof(bytes));
		len &= ~(size_t)3;
		memset(bytes, (int)below(&state, 256), len);
		bytes[len / 2] ^= 0x55;
		memcpy(right + total, bytes, len);
		total += len;
		if (below(&state, 2)) {
			ok(mvfs_data_put_bytes(&out, bytes, len));
		} else {
			static uint8_t swapped[sizeof(bytes)];

			swap_model(swapped, bytes, len, 4);
			ok(mvfs_data_put_i32s(&out, (int32_t *)(void *)swapped,
					      len / 4));
		}
		if (!below(&state, 50))
			ok(mvfs_data_out_flush(&out));
		if (!below(&state, 3)) {
			right[total++] = (uint8_t)len;
			ok(mvfs_data_put_u8(&out, (uint8_t)len));
		}
		ck_assert_uint_eq(mvfs_data_out_size(&out), total);
	}
	fails(mvfs_data_out_string(&out, &whole), EINVAL);
	fails(mvfs_data_out_file(&out, fs, "/g"), EINVAL);
	fails(mvfs_data_out_reset(&out), EINVAL);
	ok(mvfs_data_out_close(&out));
	ok(mvfs_close(fs, fd));
	ok(mvfs_read_file(fs, "/f", &whole));
	ck_assert_uint_eq(whole.len, total);
	must(!memcmp(whole.data, right, total));
	mvfs_string_release(&whole);
}
END_TEST

START_TEST(test_a_full_file_system_is_told_at_the_latest_by_close)
{
	static char bytes[60000];
	struct mvfs_stat st;
	int fd = ok(mvfs_open(fs, "/f", O_CREAT | O_WRONLY, 0600));

	ok(mvfs_set_limits(fs, 40960, 0));
	ok(mvfs_data_out_fd(&out, fs, fd));
	ok(mvfs_data_put_bytes(&out, bytes, 30000));
	ok(mvfs_data_put_bytes(&out, bytes, 30000));
	ck_assert_uint_eq(mvfs_data_out_size(&out), 60000);
	fails(mvfs_data_out_flush(&out), ENOSPC);
	fails(mvfs_data_put_u8(&out, 1), ENOSPC);
	fails(mvfs_data_put_i64s(&out, (int64_t *)(void *)bytes, 10), ENOSPC);
	ck_assert_uint_eq(mvfs_data_out_size(&out), 60000);
	/* a limit that goes away changes nothing: bytes may be missing */
	ok(mvfs_set_limits(fs, 0, 0));
	fails(mvfs_data_out_close(&out), ENOSPC);
	ok(mvfs_fstat(fs, fd, &st));
	ck_assert_uint_eq(st.size, 40960);
	ok(mvfs_close(fs, fd));
	/* nothing fits the block, and the descriptor is gone */
	ok(mvfs_data_out_fd(&out, fs, fd));
	fails(mvfs_data_put_bytes(&out, bytes, 60000), EBADF);
	fails(mvfs_data_out_close(&out), EBADF);
}
END_TEST

START_TEST(test_without_memory_what_was_put_stays)
{
	/* not a constant, so that no compiler warns of it */
	static volatile size_t most = SIZE_MAX;
	size_t size;
	int i;

	mvfs_data_out_memory(&out);
	mvfs__mem_fail_at(1);
	fails(mvfs_data_put_i64(&out, 1), ENOMEM);
	mvfs__mem_fail_at(0);
	fails(mvfs_data_out_close(&out), ENOMEM);
	for (i = 0; i < 1000; i++) {
		/* where half as much again fails, what is needed will do */
		mvfs__mem_fail_at(i % 10 ? 0 : 1);
		if (i)
			ok(mvfs_data_put_i64(&out, 1));
		else
			fails(mvfs_data_put_i64(&out, 1), ENOMEM);
		if (!i)
			fails(mvfs_data_out_close(&out), ENOMEM);
	}
	mvfs__mem_fail_at(0);
	ok(mvfs_data_out_close(&out));
	for (i = 0; i < 1000; i++)
		ok(mvfs_data_put_i64(&out, 1));
	fails(mvfs_data_put_bytes(&out, "x", most - 10000), ENOMEM);
	size = (size_t)mvfs_data_out_size(&out);
	ck_assert_uint_eq(size, 8000);
	fails(mvfs_data_put_u8(&out, 1), ENOMEM);
	fails(mvfs_data_put_bytes(&out, "x", 1), ENOMEM);
	fails(mvfs_data_put_utf(&out, "x", 1, &error), ENOMEM);
	ck_assert_uint_eq(mvfs_data_out_size(&out), size);
	fails(mvfs_data_out_file(&out, fs, "/f"), ENOMEM);
	fails(mvfs_data_out_close(&out), ENOMEM);
	mvfs__mem_fail_at(1);
	fails(mvfs_data_out_fd(&out, fs, 0), ENOMEM);
	ok(mvfs_data_out_close(&out));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("stream");

	tcase_add_checked_fixture(tests, core_start, core_end);
	tcase_add_test(tests, test_numbers_are_as_java_writes_them);
	tcase_add_test(tests, test_every_value_comes_back_to_the_bit);
	tcase_add_test(tests, test_bytes_and_truth_come_back);
	tcase_add_test(tests, test_a_value_cut_off_leaves_the_position);
	tcase_add_test(tests,
		       test_every_kernel_turns_numbers_round_and_nothing_else);
	tcase_add_test(tests, test_an_array_is_its_values_one_by_one);
	tcase_add_test(tests, test_other_widths_and_no_memory_are_refused);
	tcase_add_test(tests, test_texts_are_as_java_writes_them);
	tcase_add_test(tests,
		       test_a_stream_that_is_reset_keeps_only_its_memory);
	tcase_add_test(tests, test_a_text_of_65535_bytes_is_the_longest);
	tcase_add_test(tests, test_no_utf8_is_put_nowhere_and_the_place_told);
	tcase_add_test(tests,
		       test_modified_utf8_is_read_strictly_and_shared);
	tcase_add_test(tests, test_a_text_cut_off_is_no_text);
	tcase_add_test(tests, test_every_code_point_has_one_modified_form);
	tcase_add_test(tests, test_random_bytes_are_a_text_or_an_error);
	tcase_add_test(tests, test_lines_end_as_java_ends_them);
	tcase_add_test(tests,
		       test_a_line_is_read_without_looking_at_all_behind_it);
	tcase_add_test(tests,
		       test_strings_outlive_the_stream_whose_bytes_they_share);
	tcase_add_test(tests, test_what_was_put_becomes_a_file_without_a_copy);
	tcase_add_test(tests, test_a_file_gets_every_byte_in_order);
	tcase_add_test(tests,
		       test_a_full_file_system_is_told_at_the_latest_by_close);
	tcase_add_test(tests, test_without_memory_what_was_put_stays);
	return core_run("stream", tests);
}
