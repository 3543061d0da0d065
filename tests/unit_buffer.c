/* SPDX-License-Identifier: MIT */
/* Buffers: shapes, growth, memory, and what is known of their text. */
#include "config.h"

#include <errno.h>
#ifdef __linux__
#include <malloc.h>
#include <sys/mman.h>
#endif

#include "content_model.h"

#define MIB ((size_t)1 << 20)

/* No overflow, but more than any address space has free. */
#define TOO_MUCH (SIZE_MAX - 64 * MIB)

static void drop(struct mvfs__buffer *b)
{
	struct mvfs__bin bin = MVFS__BIN_INIT;

	mvfs__obj_drop(&b->obj, &bin);
	mvfs__bin_empty(&bin);
}

static struct mvfs__buffer *buffer_of(const void *bytes, size_t length)
{
	struct mvfs__buffer *b = mvfs__buffer_new(length);

	ck_assert_ptr_nonnull(b);
	memcpy(mvfs__buffer_bytes(b), bytes, length);
	mvfs__buffer_set_used(b, length);
	return b;
}

static void know(struct mvfs__buffer *b, uint64_t length,
		 enum mvfs__known known)
{
	mvfs__buffer_set_text(b, (struct mvfs__text_state){ length, known });
}

static void expect_text(const struct mvfs__buffer *b, uint64_t length,
			enum mvfs__known known)
{
	struct mvfs__text_state text = mvfs__buffer_text(b);

	ck_assert_uint_eq(text.length, length);
	ck_assert_int_eq(text.known, known);
}

START_TEST(test_a_file_of_1_kib_costs_one_chunk_of_1072_bytes)
{
	uint64_t before = mvfs__mem_thread.allocations;
	struct mvfs__buffer *b = mvfs__buffer_new(1024);

	ck_assert_uint_eq(mvfs__mem_thread.allocations, before + 1);
	ck_assert_uint_ge(mvfs__buffer_capacity(b), 1024);
	ck_assert_uint_le(mvfs__buffer_capacity(b), 1039);
#ifdef __GLIBC__
	/* the word before it is the rest of the chunk */
	ck_assert_uint_le(malloc_usable_size(b) + sizeof(size_t), 1072);
#endif
	drop(b);
}
END_TEST

START_TEST(test_capacity_is_what_was_asked_for_and_0_is_behind_used)
{
	static const size_t sizes[] = {
		0, 1, 14, 15, 16, 17, 1023, 1024, 4095, 4096,
		MVFS__BUFFER_LARGE - 2, MVFS__BUFFER_LARGE - 1,
		MVFS__BUFFER_LARGE, MVFS__BUFFER_LARGE + 1, 4 * MIB - 2,
		4 * MIB - 1, 4 * MIB, 4 * MIB + 1, 6 * MIB - 1, 6 * MIB,
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct mvfs__buffer *b = mvfs__buffer_new(sizes[i]);
		size_t capacity;

		ck_assert_ptr_nonnull(b);
		capacity = mvfs__buffer_capacity(b);
		ck_assert_uint_ge(capacity, sizes[i]);
		if (sizes[i] < 4 * MIB - 1)
			ck_assert_uint_le(capacity, sizes[i] + 15);
		ck_assert_uint_eq(b->used, 0);
		ck_assert_int_eq(mvfs__buffer_bytes(b)[0], 0);
		memset(mvfs__buffer_bytes(b), 'x', capacity);
		mvfs__buffer_set_used(b, capacity);
		ck_assert_int_eq(mvfs__buffer_bytes(b)[capacity], 0);
		mvfs__buffer_set_used(b, capacity / 2);
		ck_assert_int_eq(mvfs__buffer_bytes(b)[capacity / 2], 0);
		drop(b);
	}
}
END_TEST

START_TEST(test_growing_keeps_the_bytes_and_what_is_known_of_them)
{
	struct mvfs__buffer *b = buffer_of("text", 4);
	uint64_t grown = 0, before;

	know(b, 4, MVFS__KNOWN_ASCII);
	for (size_t size = 4; size < 40 * MIB; size += size / 7 + 1) {
		before = mvfs__buffer_capacity(b);
		ck_assert_int_eq(mvfs__buffer_reserve(&b, size), 0);
		ck_assert_uint_ge(mvfs__buffer_capacity(b), size);
		if (mvfs__buffer_capacity(b) != before) {
			ck_assert_uint_ge(mvfs__buffer_capacity(b),
					  before + before / 2);
			grown++;
		}
		memset(mvfs__buffer_bytes(b) + b->used, 'x',
		       size - (size_t)b->used);
		mvfs__buffer_set_used(b, size);
		ck_assert_mem_eq(mvfs__buffer_bytes(b), "text", 4);
		ck_assert_int_eq(mvfs__buffer_bytes(b)[size - 1],
				 size > 4 ? 'x' : 't');
		ck_assert_int_eq(mvfs__buffer_bytes(b)[size], 0);
		expect_text(b, 4, MVFS__KNOWN_ASCII);
	}
	ck_assert_uint_lt(grown, 40);
	drop(b);
}
END_TEST

START_TEST(test_growing_that_fails_changes_nothing)
{
	static const size_t sizes[] = { 10, 100000, 200000, 5 * MIB };

	for (size_t i = 0; i < 4; i++) {
		struct mvfs__buffer *b = mvfs__buffer_new(sizes[i]), *old = b;
		size_t capacity = mvfs__buffer_capacity(b);

		memset(mvfs__buffer_bytes(b), 'x', capacity);
		mvfs__buffer_set_used(b, capacity);
		ck_assert_int_eq(mvfs__buffer_reserve(&b, SIZE_MAX), -ENOMEM);
		ck_assert_int_eq(mvfs__buffer_reserve(&b, TOO_MUCH), -ENOMEM);
		ck_assert_ptr_eq(b, old);
		ck_assert_uint_eq(mvfs__buffer_capacity(b), capacity);
		ck_assert_int_eq(mvfs__buffer_bytes(b)[capacity - 1], 'x');
		ck_assert_int_eq(mvfs__buffer_bytes(b)[capacity], 0);
		drop(b);
	}
}
END_TEST

START_TEST(test_where_half_as_much_again_is_too_much_just_enough_is_taken)
{
	struct mvfs__buffer *b = mvfs__buffer_new(1000);

	mvfs__mem_fail_at(1);
	ck_assert_int_eq(mvfs__buffer_reserve(&b, 1100), 0);
	mvfs__mem_fail_at(0);
	ck_assert_uint_ge(mvfs__buffer_capacity(b), 1100);
	ck_assert_uint_lt(mvfs__buffer_capacity(b), 1116);
	drop(b);
}
END_TEST

START_TEST(test_a_large_buffer_is_mapped_and_where_that_fails_allocated)
{
	struct mvfs__buffer *b = mvfs__buffer_new(5 * MIB);

	ck_assert_int_eq(b->obj.flags, MVFS__MAPPED);
	drop(b);
	mvfs__mem_fail_at(2);
	b = mvfs__buffer_new(5 * MIB);
	mvfs__mem_fail_at(0);
	ck_assert_int_eq(b->obj.flags, MVFS__HEAP);
	memset(mvfs__buffer_bytes(b), 'x', 5 * MIB);
	mvfs__buffer_set_used(b, 5 * MIB);
	ck_assert_int_eq(mvfs__buffer_reserve(&b, 20 * MIB), 0);
	ck_assert_int_eq(b->obj.flags, MVFS__MAPPED);
	ck_assert_int_eq(mvfs__buffer_bytes(b)[5 * MIB - 1], 'x');
	/* and when it cannot grow where it is */
	mvfs__mem_fail_at(1);
	ck_assert_int_eq(mvfs__buffer_reserve(&b, 50 * MIB), 0);
	mvfs__mem_fail_at(0);
	ck_assert_int_eq(mvfs__buffer_bytes(b)[5 * MIB - 1], 'x');
	ck_assert_int_eq(mvfs__buffer_bytes(b)[5 * MIB], 0);
	drop(b);
}
END_TEST

START_TEST(test_a_buffer_that_cannot_be_had_is_null)
{
	ck_assert_ptr_null(mvfs__buffer_new(SIZE_MAX));
	ck_assert_ptr_null(mvfs__buffer_new(SIZE_MAX - 1));
	ck_assert_ptr_null(mvfs__buffer_new(TOO_MUCH));
	mvfs__mem_fail_at(1);
	ck_assert_ptr_null(mvfs__buffer_new(10));
	mvfs__mem_fail_at(1);
	ck_assert_ptr_null(mvfs__buffer_new(5 * MIB));
	mvfs__mem_fail_at(2);
	ck_assert_ptr_null(mvfs__buffer_new(MIB));
	mvfs__mem_fail_at(0);
}
END_TEST

#ifdef __linux__
START_TEST(test_memory_far_behind_used_is_given_back)
{
	struct mvfs__buffer *b = mvfs__buffer_new(16 * MIB);
	unsigned char resident[4];
	uint8_t *page;

	memset(mvfs__buffer_bytes(b), 'x', 16 * MIB);
	mvfs__buffer_set_used(b, 16 * MIB);
	page = mvfs__buffer_bytes(b) + 12 * MIB;
	page += -(uintptr_t)page % 65536;
	ck_assert_int_eq(mincore(page, 4096, resident), 0);
	ck_assert_int_eq(resident[0] & 1, 1);
	mvfs__buffer_set_used(b, 100);
	ck_assert_int_eq(mincore(page, 4096, resident), 0);
	ck_assert_int_eq(resident[0] & 1, 0);
	ck_assert_int_eq(mvfs__buffer_bytes(b)[99], 'x');
	ck_assert_int_eq(mvfs__buffer_bytes(b)[100], 0);
	drop(b);
}
END_TEST
#endif

struct freed {
	void *bytes;
	size_t length;
	unsigned times;
};

static void note_free(void *ctx, void *bytes, size_t length)
{
	struct freed *f = ctx;

	f->bytes = bytes;
	f->length = length;
	f->times++;
	free(bytes);
}

START_TEST(test_adopted_memory_is_given_back_once_by_the_last_holder)
{
	struct mvfs__bin bin = MVFS__BIN_INIT;
	struct freed f = { NULL, 0, 0 };
	/* exactly 100: a sanitizer sees a look behind them */
	char *bytes = malloc(100);
	struct mvfs__buffer *b;

	memset(bytes, 'x', 100);
	mvfs__mem_fail_at(1);
	ck_assert_ptr_null(mvfs__buffer_adopt(bytes, 100, note_free, &f));
	mvfs__mem_fail_at(0);
	ck_assert_uint_eq(f.times, 0);
	b = mvfs__buffer_adopt(bytes, 100, note_free, &f);
	ck_assert_ptr_eq(mvfs__buffer_bytes(b), bytes);
	ck_assert_uint_eq(b->used, 100);
	ck_assert_uint_eq(mvfs__buffer_capacity(b), 100);
	know(b, 100, MVFS__KNOWN_ASCII);
	mvfs__obj_retain(&b->obj);
	mvfs__obj_drop(&b->obj, &bin);
	mvfs__obj_drop(&b->obj, &bin);
	/* with no lock held, so not yet */
	ck_assert_uint_eq(f.times, 0);
	mvfs__bin_empty(&bin);
	ck_assert_uint_eq(f.times, 1);
	ck_assert_ptr_eq(f.bytes, bytes);
	ck_assert_uint_eq(f.length, 100);
}
END_TEST

START_TEST(test_memory_that_lasts_for_ever_may_be_adopted)
{
	static char bytes[] = "for ever";

	drop(mvfs__buffer_adopt(bytes, 8, NULL, NULL));
	drop(mvfs__buffer_adopt(NULL, 0, NULL, NULL));
	ck_assert_str_eq(bytes, "for ever");
}
END_TEST

START_TEST(test_known_ascii_is_lowered_to_the_offset)
{
	struct mvfs__buffer *b = buffer_of("0123456789", 10);

	expect_text(b, 0, MVFS__KNOWN_ASCII);
	know(b, 10, MVFS__KNOWN_ASCII);
	mvfs__buffer_forget(b, 10);
	expect_text(b, 10, MVFS__KNOWN_ASCII);
	mvfs__buffer_forget(b, 7);
	expect_text(b, 7, MVFS__KNOWN_ASCII);
	mvfs__buffer_forget(b, 8);
	expect_text(b, 7, MVFS__KNOWN_ASCII);
	mvfs__buffer_set_used(b, 5);
	expect_text(b, 5, MVFS__KNOWN_ASCII);
	mvfs__buffer_forget(b, 0);
	expect_text(b, 0, MVFS__KNOWN_ASCII);
	drop(b);
}
END_TEST

START_TEST(test_known_utf8_is_lowered_to_the_start_of_a_character)
{
	/* a, two bytes, three, four, b */
	static const char text[] = "a\xc3\xa4\xe4\xb8\xad\xf0\x9f\x98\x80" "b";
	static const uint64_t starts[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10 };
	struct mvfs__buffer *b;

	for (uint64_t offset = 0; offset < 11; offset++) {
		b = buffer_of(text, 11);
		know(b, 11, MVFS__KNOWN_UTF8);
		mvfs__buffer_forget(b, 11);
		expect_text(b, 11, MVFS__KNOWN_UTF8);
		mvfs__buffer_forget(b, offset);
		expect_text(b, starts[offset],
			    offset ? MVFS__KNOWN_UTF8 : MVFS__KNOWN_ASCII);
		drop(b);
	}
}
END_TEST

START_TEST(test_an_append_withdraws_a_malformed_that_was_only_cut_off)
{
	struct mvfs__buffer *b = buffer_of("ab\xf0\x9f\x98", 5);

	know(b, 2, MVFS__KNOWN_MALFORMED);
	mvfs__buffer_forget(b, 5);
	expect_text(b, 2, MVFS__KNOWN_UTF8);
	drop(b);
}
END_TEST

START_TEST(test_a_malformed_that_nothing_behind_can_mend_stays)
{
	struct mvfs__buffer *b = buffer_of("ab\xff" "cdefgh", 9);

	know(b, 2, MVFS__KNOWN_MALFORMED);
	mvfs__buffer_forget(b, 9);
	expect_text(b, 2, MVFS__KNOWN_MALFORMED);
	mvfs__buffer_set_used(b, 6);
	expect_text(b, 2, MVFS__KNOWN_MALFORMED);
	mvfs__buffer_forget(b, 1);
	expect_text(b, 1, MVFS__KNOWN_UTF8);
	drop(b);
}
END_TEST

/* The length of the well-formed sequence at `s`, or 0 (Unicode, table 3-7). */
static unsigned sequence(const uint8_t *s, uint64_t left)
{
	unsigned length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 :
			  s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 :
			  s[0] < 0xf5 ? 4 : 0;

	if (!length || length > left)
		return 0;
	for (unsigned i = 1; i < length; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return length;
}

/* What there is to be known of all of it. */
static struct mvfs__text_state classify(const uint8_t *s, uint64_t length)
{
	struct mvfs__text_state text = { 0, MVFS__KNOWN_ASCII };
	unsigned step;

	for (; text.length < length; text.length += step) {
		step = sequence(s + text.length, length - text.length);
		if (!step) {
			text.known = MVFS__KNOWN_MALFORMED;
			break;
		}
		if (step > 1)
			text.known = MVFS__KNOWN_UTF8;
	}
	return text;
}

static void expect_true(const struct mvfs__buffer *b)
{
	struct mvfs__text_state text = mvfs__buffer_text(b), all;

	ck_assert_uint_le(text.length, b->used);
	all = classify(mvfs__buffer_bytes(b), text.length);
	ck_assert_uint_eq(all.length, text.length);
	ck_assert_int_ne(all.known, MVFS__KNOWN_MALFORMED);
	if (text.known == MVFS__KNOWN_ASCII)
		ck_assert_int_eq(all.known, MVFS__KNOWN_ASCII);
	if (text.known == MVFS__KNOWN_MALFORMED)
		ck_assert_int_eq(sequence(mvfs__buffer_bytes(b) + text.length,
					  b->used - text.length), 0);
}

/* A few bytes of what makes and breaks sequences. */
static uint64_t put_noise(uint64_t *seed, uint8_t *to, uint64_t length)
{
	static const char *const noise[] = {
		"a", "b", "\xc3\xa4", "\xe4\xb8\xad", "\xf0\x9f\x98\x80",
		"\xf0\x9f", "\xe4\xb8", "\xa4", "\xff", "\xed\xa0\x80",
	};
	uint64_t end = 0, kinds = 5 + (below(seed, 8) == 0) * 5;

	while (end < length) {
		const char *s = noise[below(seed, kinds)];

		while (*s && end < length)
			to[end++] = (uint8_t)*s++;
	}
	return end;
}

START_TEST(test_what_is_known_stays_true_through_writes_cuts_and_appends)
{
	uint64_t seed = seed_of_run(), at, length;
	uint8_t bytes[64];

	for (unsigned i = 0; i < 20000 * long_factor(); i++) {
		struct mvfs__buffer *b = mvfs__buffer_new(64);

		mvfs__buffer_set_used(b, put_noise(&seed,
						   mvfs__buffer_bytes(b), 30));
		for (unsigned k = 0; k < 6; k++) {
			mvfs__buffer_set_text(b, classify(
					mvfs__buffer_bytes(b), b->used));
			at = below(&seed, b->used + 1);
			length = below(&seed, 65 - at);
			if (below(&seed, 3) == 0) {
				mvfs__buffer_set_used(b, at);
			} else {
				put_noise(&seed, bytes, length);
				if (length)
					mvfs__buffer_forget(b, at);
				memcpy(mvfs__buffer_bytes(b) + at, bytes,
				       length);
				if (at + length > b->used)
					mvfs__buffer_set_used(b, at + length);
			}
			expect_true(b);
		}
		drop(b);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("buffer");
	TCase *tc = tcase_create("shapes");
	SRunner *runner;
	int failed;

	tcase_add_test(tc,
		test_a_file_of_1_kib_costs_one_chunk_of_1072_bytes);
	tcase_add_test(tc,
		test_capacity_is_what_was_asked_for_and_0_is_behind_used);
	tcase_add_test(tc,
		test_growing_keeps_the_bytes_and_what_is_known_of_them);
	tcase_add_test(tc, test_growing_that_fails_changes_nothing);
	tcase_add_test(tc,
		test_where_half_as_much_again_is_too_much_just_enough_is_taken);
	tcase_add_test(tc,
		test_a_large_buffer_is_mapped_and_where_that_fails_allocated);
	tcase_add_test(tc, test_a_buffer_that_cannot_be_had_is_null);
#ifdef __linux__
	tcase_add_test(tc, test_memory_far_behind_used_is_given_back);
#endif
	tcase_add_test(tc,
		test_adopted_memory_is_given_back_once_by_the_last_holder);
	tcase_add_test(tc, test_memory_that_lasts_for_ever_may_be_adopted);
	suite_add_tcase(suite, tc);
	tc = tcase_create("text");
	tcase_add_test(tc, test_known_ascii_is_lowered_to_the_offset);
	tcase_add_test(tc,
		test_known_utf8_is_lowered_to_the_start_of_a_character);
	tcase_add_test(tc,
		test_an_append_withdraws_a_malformed_that_was_only_cut_off);
	tcase_add_test(tc,
		test_a_malformed_that_nothing_behind_can_mend_stays);
	tcase_add_test(tc,
		test_what_is_known_stays_true_through_writes_cuts_and_appends);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
