/* SPDX-License-Identifier: MIT */
/* The rules of contents, one by one; unit_content_model.c has the rest. */
#include "config.h"

#include "content_model.h"
#include "vfs/content/runs.h"

#define KIB ((uint64_t)1024)
#define MIB ((uint64_t)1 << 20)
#define BLOCK ((uint64_t)MVFS__BLOCK)

static struct mvfs__bin bin;

static int try_write(struct mvfs__content *c, uint64_t offset,
		     const void *bytes, uint64_t length)
{
	struct mvfs__piece piece = { bytes, (size_t)length };

	return mvfs__content_write(c, offset, &piece, 1, length, &bin);
}

/* Anew each time, so that a read is not of what is expected by chance. */
static void write_fill(struct mvfs__content *c, uint64_t offset, int byte,
		       uint64_t length)
{
	uint8_t *bytes = malloc((size_t)length);

	memset(bytes, byte, (size_t)length);
	ck_assert_int_eq(try_write(c, offset, bytes, length), 0);
	free(bytes);
	mvfs__content_check(c);
}

static void write_text(struct mvfs__content *c, uint64_t offset,
		       const char *text)
{
	ck_assert_int_eq(try_write(c, offset, text, strlen(text)), 0);
	mvfs__content_check(c);
}

static void cut(struct mvfs__content *c, uint64_t size)
{
	ck_assert_int_eq(mvfs__content_truncate(c, size, &bin), 0);
	ck_assert_uint_eq(c->size, size);
	mvfs__content_check(c);
}

static void expect(const struct mvfs__content *c, uint64_t offset,
		   const void *bytes, uint64_t length)
{
	uint8_t *got = malloc((size_t)length + 1);

	ck_assert_uint_eq(mvfs__content_copy_out(c, offset, got, length),
			  length);
	ck_assert_mem_eq(got, bytes, length);
	free(got);
}

static void expect_fill(const struct mvfs__content *c, uint64_t offset,
			int byte, uint64_t length)
{
	uint8_t *bytes = malloc((size_t)length);

	memset(bytes, byte, (size_t)length);
	expect(c, offset, bytes, length);
	free(bytes);
}

static uint32_t runs(const struct mvfs__content *c)
{
	struct mvfs__view v;

	mvfs__view_init(&v, c);
	return v.count;
}

static void clear(struct mvfs__content *c)
{
	mvfs__content_clear(c, &bin);
	mvfs__bin_empty(&bin);
}

/* Everything of the file is in one buffer. */
static struct mvfs__buffer *whole(const struct mvfs__content *c)
{
	uint64_t start = 1;
	struct mvfs__buffer *b = mvfs__content_whole(c, &start);

	ck_assert_ptr_nonnull(b);
	ck_assert_uint_eq(start, 0);
	mvfs__obj_drop(&b->obj, &bin);
	return b;
}

/* Three runs, of which the middle one is small. */
static void make_runs(struct mvfs__content *c)
{
	struct mvfs__content share;

	mvfs__content_init(c);
	write_fill(c, 0, 'a', 100 * BLOCK);
	mvfs__content_share(c, &share);
	write_fill(c, 50 * BLOCK, 'b', BLOCK);
	clear(&share);
	ck_assert_uint_eq(runs(c), 3);
}

START_TEST(test_a_file_written_in_order_is_one_run_and_never_copied)
{
	static const uint64_t steps[] = { 1, 100, 4096, 5000, 131072 };
	struct mvfs__content c;

	for (unsigned i = 0; i < 5; i++) {
		uint64_t before = mvfs__mem_thread.allocations;

		mvfs__content_init(&c);
		mvfs__mem_thread.copied_bytes = 0;
		while (c.size < 300 * KIB + steps[i] * 20) {
			uint8_t bytes[131072];

			memset(bytes, (int)(c.size % 251), sizeof(bytes));
			ck_assert_int_eq(try_write(&c, c.size, bytes,
						   steps[i]), 0);
			ck_assert_uint_eq(runs(&c), 1);
		}
		mvfs__content_check(&c);
		ck_assert_uint_eq(mvfs__mem_thread.copied_bytes, 0);
		/* linear: each growth is by half */
		ck_assert_uint_lt(mvfs__mem_thread.allocations - before, 60);
		for (uint64_t at = 0; at < c.size; at += steps[i])
			expect_fill(&c, at, (int)(at % 251), 1);
		whole(&c);
		clear(&c);
	}
}
END_TEST

START_TEST(test_a_large_write_is_one_run_wherever_it_goes)
{
	static const uint64_t offsets[] = { 0, 100, 3 * MIB, 100 * MIB };
	uint64_t before;
	struct mvfs__content c;

	for (unsigned i = 0; i < 4; i++) {
		mvfs__content_init(&c);
		write_fill(&c, 100, 'a', 50);
		before = mvfs__mem_thread.allocations;
		write_fill(&c, offsets[i], 'b', 32 * MIB);
		ck_assert_uint_lt(mvfs__mem_thread.allocations, before + 8);
		ck_assert_uint_eq(runs(&c), offsets[i] < BLOCK ? 1 : 2);
		expect_fill(&c, offsets[i], 'b', 32 * MIB);
		clear(&c);
	}
}
END_TEST

START_TEST(test_a_write_into_a_shared_run_copies_at_most_64_kib)
{
	uint64_t seed = seed_of_run(), at, length, worst = 0;
	struct mvfs__content c, share, other;

	mvfs__content_init(&c);
	write_fill(&c, 0, 'a', 32 * MIB);
	mvfs__content_share(&c, &share);
	for (unsigned i = 0; i < 12000; i++) {
		if (i % 3000 == 1) {
			/* what has been written since is shared as well */
			mvfs__content_share(&c, &other);
			clear(&c);
			c = other;
		}
		at = below(&seed, 32 * MIB - 100000);
		length = 1 + below(&seed, i % 8 ? 5000 : 90000);
		mvfs__mem_thread.copied_bytes = 0;
		write_fill(&c, at, 'b', length);
		if (mvfs__mem_thread.copied_bytes > worst)
			worst = mvfs__mem_thread.copied_bytes;
	}
	ck_assert_uint_gt(worst, 0);
	ck_assert_uint_le(worst, 64 * KIB);
	/* cuts get coarser: the array does not grow with the writes */
	ck_assert_uint_lt(runs(&c), 3000);
	expect_fill(&share, 0, 'a', 32 * MIB);
	clear(&c);
	clear(&share);
}
END_TEST

START_TEST(test_overwriting_whole_blocks_copies_nothing)
{
	struct mvfs__content c, share;

	mvfs__content_init(&c);
	write_fill(&c, 0, 'a', MIB);
	mvfs__content_share(&c, &share);
	mvfs__mem_thread.copied_bytes = 0;
	write_fill(&c, 100 * BLOCK, 'b', 3 * BLOCK);
	write_fill(&c, 0, 'c', BLOCK);
	write_fill(&c, 0, 'd', MIB);
	ck_assert_uint_eq(mvfs__mem_thread.copied_bytes, 0);
	ck_assert_uint_eq(runs(&c), 1);
	expect_fill(&c, 0, 'd', MIB);
	expect_fill(&share, 0, 'a', MIB);
	clear(&c);
	clear(&share);
}
END_TEST

START_TEST(test_overwriting_a_shared_file_in_order_grows_one_run)
{
	struct mvfs__content c, share;
	uint64_t before;

	mvfs__content_init(&c);
	write_fill(&c, 0, 'a', MIB);
	mvfs__content_share(&c, &share);
	before = mvfs__mem_thread.allocations;
	for (uint64_t at = 0; at < MIB; at += BLOCK) {
		write_fill(&c, at, 'b', BLOCK);
		ck_assert_uint_le(runs(&c), 2);
	}
	ck_assert_uint_lt(mvfs__mem_thread.allocations - before, 50);
	whole(&c);
	expect_fill(&c, 0, 'b', MIB);
	expect_fill(&share, 0, 'a', MIB);
	clear(&c);
	clear(&share);
}
END_TEST

START_TEST(test_a_write_into_a_run_of_its_own_goes_in_place)
{
	struct mvfs__content c;
	struct mvfs__buffer *b;
	uint64_t before;

	mvfs__content_init(&c);
	write_fill(&c, 0, 'a', MIB);
	b = whole(&c);
	before = mvfs__mem_thread.allocations;
	ck_assert_int_eq(try_write(&c, 5000, "bcd", 3), 0);
	ck_assert_uint_eq(mvfs__mem_thread.allocations, before);
	ck_assert_ptr_eq(whole(&c), b);
	expect(&c, 4999, "abcda", 5);
	clear(&c);
}
END_TEST

START_TEST(test_a_shared_buffer_gets_nothing_behind_its_end_either)
{
	struct mvfs__content c, share;
	struct mvfs__buffer *b;

	mvfs__content_init(&c);
	write_text(&c, 0, "abc");
	b = whole(&c);
	mvfs__content_share(&c, &share);
	write_text(&c, 3, "def");
	expect(&c, 0, "abcdef", 6);
	ck_assert_ptr_eq(whole(&share), b);
	ck_assert_uint_eq(b->used, 3);
	ck_assert_str_eq((char *)mvfs__buffer_bytes(b), "abc");
	ck_assert_ptr_ne(whole(&c), b);
	/* and once it is nobody else's, it does */
	clear(&c);
	write_text(&share, 3, "ghi");
	ck_assert_ptr_eq(whole(&share), b);
	expect(&share, 0, "abcghi", 6);
	clear(&share);
}
END_TEST

START_TEST(test_adopted_memory_is_never_written)
{
	static char bytes[10000];
	struct mvfs__content c;

	memset(bytes, 'a', sizeof(bytes));
	mvfs__content_init(&c);
	ck_assert_int_eq(mvfs__content_set(&c, mvfs__buffer_adopt(
			bytes, sizeof(bytes), NULL, NULL), 0, 10000, &bin), 0);
	write_text(&c, 5000, "b");
	cut(&c, 9000);
	write_text(&c, 9000, "b");
	ck_assert_int_eq(mvfs__content_punch(&c, 10, 10, &bin), 0);
	for (unsigned i = 0; i < sizeof(bytes); i++)
		ck_assert_int_eq(bytes[i], 'a');
	expect(&c, 4999, "aba", 3);
	expect(&c, 8999, "ab", 2);
	clear(&c);
}
END_TEST

START_TEST(test_sparse_writes_of_blocks_merge_with_their_neighbours)
{
	uint64_t seed = seed_of_run();
	unsigned order[512], i, k, t;
	struct mvfs__content c;

	for (i = 0; i < 512; i++)
		order[i] = i;
	for (i = 511; i; i--) {
		k = (unsigned)below(&seed, i + 1);
		t = order[i], order[i] = order[k], order[k] = t;
	}
	mvfs__content_init(&c);
	for (i = 0; i < 512; i++)
		write_fill(&c, order[i] * BLOCK, (int)order[i], BLOCK);
	for (i = 0; i < 512; i++)
		expect_fill(&c, i * BLOCK, (int)(i & 255), BLOCK);
	ck_assert_uint_lt(runs(&c), 100);
	clear(&c);
	/* backwards too, with runs of 64 KiB */
	for (i = 512; i-- > 0;)
		write_fill(&c, i * BLOCK, (int)i, BLOCK);
	ck_assert_uint_le(runs(&c), 33);
	clear(&c);
}
END_TEST

START_TEST(test_small_shared_neighbours_are_merged_on_both_sides)
{
	struct mvfs__content c, share;

	make_runs(&c);
	mvfs__content_share(&c, &share);
	write_fill(&c, 51 * BLOCK, 'c', BLOCK);
	ck_assert_uint_eq(runs(&c), 3);
	clear(&c);
	mvfs__content_share(&share, &c);
	write_fill(&c, 49 * BLOCK, 'c', BLOCK);
	ck_assert_uint_eq(runs(&c), 3);
	expect_fill(&c, 49 * BLOCK, 'c', BLOCK);
	expect_fill(&c, 50 * BLOCK, 'b', BLOCK);
	expect_fill(&share, 49 * BLOCK, 'a', BLOCK);
	clear(&c);
	clear(&share);
}
END_TEST

START_TEST(test_very_many_runs_are_kept_in_order)
{
	uint64_t seed = seed_of_run(), at, blocks = 0;
	struct mvfs__content c;

	mvfs__content_init(&c);
	for (unsigned i = 0; i < 20000; i++) {
		at = below(&seed, UINT64_C(1) << 50) * BLOCK;
		blocks += mvfs__content_cost(&c, at, 8);
		ck_assert_int_eq(try_write(&c, at, &at, 8), 0);
		expect(&c, at, &at, 8);
	}
	ck_assert_uint_gt(runs(&c), 19000);
	ck_assert_uint_eq(mvfs__content_blocks(&c), blocks);
	mvfs__content_check(&c);
	clear(&c);
}
END_TEST

START_TEST(test_case_18_a_file_cut_to_0_begins_anew)
{
	struct mvfs__content c;

	mvfs__content_init(&c);
	write_text(&c, 0, "seventeen bytes..");
	cut(&c, 0);
	write_text(&c, c.size, "x");
	ck_assert_uint_eq(c.size, 1);
	expect(&c, 0, "x", 1);
	clear(&c);
}
END_TEST

START_TEST(test_case_19_a_write_behind_the_end_leaves_a_hole_of_zeros)
{
	struct mvfs__content c;

	mvfs__content_init(&c);
	write_text(&c, 0, "abc");
	write_text(&c, 100000, "x");
	ck_assert_uint_eq(c.size, 100001);
	expect_fill(&c, 3, 0, 99997);
	expect(&c, 100000, "x", 1);
	ck_assert_uint_eq(mvfs__content_blocks(&c), 2);
	clear(&c);
}
END_TEST

START_TEST(test_case_20_seek_finds_blocks_of_data_and_punching_frees_them)
{
	struct mvfs__content c;

	mvfs__content_init(&c);
	cut(&c, MIB);
	write_text(&c, 8192, "x");
	ck_assert_int_eq(mvfs__content_seek_data(&c, 0), 8192);
	ck_assert_int_eq(mvfs__content_seek_hole(&c, 0), 0);
	ck_assert_int_eq(mvfs__content_seek_hole(&c, 8192), 12288);
	ck_assert_int_eq(mvfs__content_seek_data(&c, 12287), 12287);
	ck_assert_int_eq(mvfs__content_seek_hole(&c, MIB), -ENXIO);
	ck_assert_int_eq(mvfs__content_seek_data(&c, 12288), -ENXIO);
	ck_assert_int_eq(mvfs__content_seek_data(&c, MIB), -ENXIO);
	ck_assert_uint_eq(mvfs__content_blocks(&c), 1);
	ck_assert_int_eq(mvfs__content_punch(&c, 8192, 4096, &bin), 0);
	ck_assert_uint_eq(mvfs__content_blocks(&c), 0);
	ck_assert_uint_eq(c.size, MIB);
	ck_assert_ptr_null(c.held);
	clear(&c);
}
END_TEST

START_TEST(test_case_22_a_read_behind_the_end_is_empty)
{
	struct mvfs__extent extent;
	struct mvfs__content c;
	uint64_t covered = 7;
	char byte;

	mvfs__content_init(&c);
	write_text(&c, 0, "abc");
	ck_assert_uint_eq(mvfs__content_copy_out(&c, 3, &byte, 1), 0);
	ck_assert_uint_eq(mvfs__content_copy_out(&c, MVFS__SIZE_MAX, &byte, 1),
			  0);
	ck_assert_uint_eq(mvfs__content_extents(&c, 3, 1, &extent, 1,
						&covered), 0);
	ck_assert_uint_eq(covered, 0);
	clear(&c);
}
END_TEST

START_TEST(test_case_22a_what_was_cut_off_reads_as_zero_when_it_is_back)
{
	struct mvfs__content c, share;

	mvfs__content_init(&c);
	write_text(&c, 0, "abcdef");
	cut(&c, 3);
	cut(&c, 6);
	expect(&c, 0, "abc\0\0\0", 6);
	/* while another still holds the old bytes */
	write_text(&c, 0, "abcdef");
	mvfs__content_share(&c, &share);
	cut(&c, 3);
	cut(&c, 6);
	expect(&c, 0, "abc\0\0\0", 6);
	write_text(&c, 5, "x");
	expect(&c, 0, "abc\0\0x", 6);
	expect(&share, 0, "abcdef", 6);
	/* and when it holds them no more, and they are in our buffer */
	clear(&c);
	mvfs__content_share(&share, &c);
	cut(&c, 3);
	clear(&share);
	cut(&c, 6);
	write_text(&c, 5, "y");
	expect(&c, 0, "abc\0\0y", 6);
	clear(&c);
}
END_TEST

START_TEST(test_case_22b_what_is_reserved_counts_and_is_no_data)
{
	struct mvfs__content c;

	mvfs__content_init(&c);
	ck_assert_uint_eq(mvfs__content_cost(&c, 0, 64 * KIB), 16);
	ck_assert_int_eq(mvfs__content_reserve(&c, 0, 64 * KIB, &bin), 0);
	ck_assert_uint_eq(c.size, 0);
	cut(&c, 64 * KIB);
	ck_assert_uint_eq(mvfs__content_blocks(&c), 16);
	ck_assert_int_eq(mvfs__content_seek_data(&c, 0), -ENXIO);
	ck_assert_int_eq(mvfs__content_seek_hole(&c, 100), 100);
	expect_fill(&c, 0, 0, 64 * KIB);
	/* a write there costs nothing, and is data */
	ck_assert_uint_eq(mvfs__content_cost(&c, 5000, 10), 0);
	write_text(&c, 5000, "x");
	ck_assert_uint_eq(mvfs__content_blocks(&c), 16);
	ck_assert_int_eq(mvfs__content_seek_data(&c, 0), 4096);
	ck_assert_int_eq(mvfs__content_seek_hole(&c, 4096), 8192);
	expect_fill(&c, 5001, 0, 50000);
	clear(&c);
}
END_TEST

START_TEST(test_reserved_neighbours_are_one_run)
{
	struct mvfs__content c;

	mvfs__content_init(&c);
	for (uint64_t i = 0; i < 100; i += 2)
		ck_assert_int_eq(mvfs__content_reserve(&c, i * BLOCK, 1,
						       &bin), 0);
	ck_assert_uint_eq(runs(&c), 50);
	ck_assert_int_eq(mvfs__content_reserve(&c, 0, 100 * BLOCK, &bin), 0);
	ck_assert_uint_eq(runs(&c), 1);
	ck_assert_uint_eq(mvfs__content_blocks(&c), 100);
	mvfs__content_check(&c);
	clear(&c);
}
END_TEST

START_TEST(test_what_is_reserved_behind_the_end_goes_with_a_cut_there)
{
	struct mvfs__content c;

	mvfs__content_init(&c);
	ck_assert_int_eq(mvfs__content_reserve(&c, 0, 16 * BLOCK, &bin), 0);
	cut(&c, 5000);
	ck_assert_uint_eq(mvfs__content_blocks(&c), 16);
	cut(&c, 5000);
	ck_assert_uint_eq(mvfs__content_blocks(&c), 2);
	clear(&c);
}
END_TEST

START_TEST(test_a_cut_in_place_cannot_fail)
{
	struct mvfs__content c;

	mvfs__content_init(&c);
	for (uint64_t i = 0; i < 10; i++)
		write_fill(&c, 2 * i * BLOCK, 'a', 100);
	mvfs__mem_fail_at(1);
	cut(&c, 9 * BLOCK);
	cut(&c, 8 * BLOCK + 50);
	cut(&c, 50);
	ck_assert_uint_eq(mvfs__mem_thread.fail_failed, 0);
	mvfs__mem_fail_at(0);
	ck_assert_uint_eq(runs(&c), 1);
	expect_fill(&c, 0, 'a', 50);
	clear(&c);
}
END_TEST

START_TEST(test_a_cut_of_shared_runs_that_fails_leaves_them)
{
	struct mvfs__content c, share;

	mvfs__content_init(&c);
	for (uint64_t i = 0; i < 10; i++)
		write_fill(&c, 2 * i * BLOCK, 'a', 100);
	mvfs__content_share(&c, &share);
	mvfs__mem_fail_at(1);
	ck_assert_int_eq(mvfs__content_truncate(&c, 9 * BLOCK, &bin), -ENOMEM);
	ck_assert_uint_eq(c.size, 18 * BLOCK + 100);
	/* but down to nothing it needs none */
	mvfs__mem_fail_at(1);
	cut(&c, 0);
	mvfs__mem_fail_at(0);
	ck_assert_uint_eq(mvfs__content_blocks(&share), 10);
	clear(&c);
	clear(&share);
}
END_TEST

START_TEST(test_nothing_overflows_at_the_largest_size)
{
	struct mvfs__content c;
	char bytes[10];

	mvfs__content_init(&c);
	ck_assert_uint_eq(mvfs__content_cost(&c, 0, MVFS__SIZE_MAX),
			  UINT64_C(1) << 51);
	ck_assert_uint_eq(mvfs__content_affordable(&c, 5, MVFS__SIZE_MAX - 5,
						   UINT64_C(1) << 51),
			  MVFS__SIZE_MAX - 5);
	ck_assert_uint_eq(mvfs__content_affordable(&c, 5, MVFS__SIZE_MAX - 5,
						   (UINT64_C(1) << 51) - 1),
			  (UINT64_C(1) << 63) - BLOCK - 5);
	cut(&c, MVFS__SIZE_MAX);
	ck_assert_ptr_null(mvfs__content_gather(&c));
	write_text(&c, MVFS__SIZE_MAX - 1, "x");
	ck_assert_uint_eq(c.size, MVFS__SIZE_MAX);
	ck_assert_uint_eq(mvfs__content_copy_out(&c, MVFS__SIZE_MAX - 2,
						 bytes, 10), 2);
	ck_assert_mem_eq(bytes, "\0x", 2);
	ck_assert_int_eq(mvfs__content_reserve(&c, 0, MVFS__SIZE_MAX, &bin),
			 0);
	ck_assert_uint_eq(mvfs__content_blocks(&c), UINT64_C(1) << 51);
	mvfs__content_check(&c);
	ck_assert_int_eq(mvfs__content_seek_hole(
				 &c, MVFS__SIZE_MAX - 1),
			 MVFS__SIZE_MAX);
	ck_assert_int_eq(mvfs__content_punch(&c, 1, MVFS__SIZE_MAX - 2, &bin),
			 0);
	ck_assert_uint_eq(mvfs__content_blocks(&c), 2);
	mvfs__content_check(&c);
	clear(&c);
}
END_TEST

START_TEST(test_pieces_without_bytes_are_zeros_and_surplus_is_left_out)
{
	const struct mvfs__piece pieces[] = {
		{ "abc", 3 }, { NULL, 2 }, { "", 0 }, { "defg", 4 },
		{ "never", 5 },
	};
	struct mvfs__content c;

	mvfs__content_init(&c);
	write_text(&c, 0, "..........");
	ck_assert_int_eq(mvfs__content_write(&c, 1, pieces, 5, 7, &bin), 0);
	expect(&c, 0, ".abc\0\0de..", 10);
	ck_assert_int_eq(mvfs__content_write(&c, 50, pieces, 5, 0, &bin), 0);
	ck_assert_uint_eq(c.size, 10);
	clear(&c);
}
END_TEST

START_TEST(test_punching_a_run_of_its_own_frees_both_halves_later)
{
	struct mvfs__content c;

	mvfs__content_init(&c);
	write_fill(&c, 0, 'a', 8 * MIB);
	ck_assert_int_eq(mvfs__content_punch(&c, 100, 6 * MIB, &bin), 0);
	mvfs__content_check(&c);
	ck_assert_uint_eq(runs(&c), 2);
	expect_fill(&c, 0, 'a', 100);
	expect_fill(&c, 100, 0, 6 * MIB);
	expect_fill(&c, 6 * MIB + 100, 'a', 2 * MIB - 100);
	/* the two halves share one buffer, and neither is written in place */
	write_text(&c, 50, "b");
	write_text(&c, 7 * MIB, "b");
	expect(&c, 49, "aba", 3);
	expect(&c, 7 * MIB - 1, "aba", 3);
	clear(&c);
}
END_TEST

START_TEST(test_punching_a_small_shared_file_is_done_whole_or_not_at_all)
{
	struct mvfs__content c, share;
	int status = -1;

	mvfs__content_init(&c);
	write_fill(&c, 0, 'a', 5 * BLOCK);
	mvfs__content_share(&c, &share);
	for (uint64_t n = 1; status; n++) {
		expect_fill(&c, 0, 'a', 5 * BLOCK);
		mvfs__mem_fail_at(n);
		status = mvfs__content_punch(&c, 100, 3 * BLOCK, &bin);
		mvfs__mem_fail_at(0);
		mvfs__content_check(&c);
	}
	ck_assert_uint_eq(mvfs__content_blocks(&c), 3);
	expect_fill(&c, 0, 'a', 100);
	expect_fill(&c, 100, 0, 3 * BLOCK);
	expect_fill(&c, 3 * BLOCK + 100, 'a', 2 * BLOCK - 100);
	clear(&c);
	clear(&share);
}
END_TEST

START_TEST(test_a_queue_that_is_punched_behind_does_not_fill_up)
{
	struct mvfs__content c;

	mvfs__content_init(&c);
	for (uint64_t i = 0; i < 200; i++) {
		write_fill(&c, c.size, (int)i, 10000);
		if (i > 5)
			ck_assert_int_eq(mvfs__content_punch(
				&c, 0, (i - 5) * 10000, &bin), 0);
		mvfs__content_check(&c);
		ck_assert_uint_le(mvfs__content_blocks(&c), 16);
	}
	expect_fill(&c, 1990000, 199, 10000);
	clear(&c);
}
END_TEST

START_TEST(test_a_clone_shares_and_copies_nothing)
{
	struct mvfs__content from, to;

	mvfs__content_init(&from);
	mvfs__content_init(&to);
	write_fill(&from, 0, 'a', MIB + 100);
	mvfs__mem_thread.copied_bytes = 0;
	ck_assert_int_eq(mvfs__content_clone_range(&to, 0, &from, 0,
						   MIB + 100, &bin), 0);
	ck_assert_uint_eq(mvfs__mem_thread.copied_bytes, 0);
	ck_assert_ptr_eq(whole(&to), whole(&from));
	/* at other block offsets, and onto the end of the file, too */
	ck_assert_int_eq(mvfs__content_clone_range(&to, 2 * MIB, &from,
						   10 * BLOCK, MIB + 100 -
						   10 * BLOCK, &bin), 0);
	ck_assert_uint_eq(mvfs__mem_thread.copied_bytes, 0);
	ck_assert_uint_eq(to.size, 3 * MIB + 100 - 10 * BLOCK);
	expect_fill(&to, 2 * MIB, 'a', MIB + 100 - 10 * BLOCK);
	mvfs__content_check(&to);
	clear(&from);
	clear(&to);
}
END_TEST

START_TEST(test_a_clone_into_the_middle_copies_its_last_part_of_a_block)
{
	struct mvfs__content from, to;

	mvfs__content_init(&from);
	mvfs__content_init(&to);
	write_fill(&from, 0, 'a', 10 * BLOCK + 100);
	write_fill(&to, 0, 'b', 200 * BLOCK);
	mvfs__mem_thread.copied_bytes = 0;
	ck_assert_int_eq(mvfs__content_clone_range(
			&to, 100 * BLOCK, &from, 0, 10 * BLOCK + 100, &bin),
			 0);
	ck_assert_uint_le(mvfs__mem_thread.copied_bytes, 64 * KIB + 100);
	expect_fill(&to, 100 * BLOCK, 'a', 10 * BLOCK + 100);
	expect_fill(&to, 110 * BLOCK + 100, 'b', 90 * BLOCK - 100);
	expect_fill(&to, 0, 'b', 100 * BLOCK);
	mvfs__content_check(&to);
	clear(&from);
	clear(&to);
}
END_TEST

START_TEST(test_holes_stay_holes_in_a_clone_and_reserved_becomes_one)
{
	struct mvfs__content from, to;

	mvfs__content_init(&from);
	mvfs__content_init(&to);
	cut(&from, 20 * BLOCK);
	write_fill(&from, 2 * BLOCK, 'a', BLOCK);
	ck_assert_int_eq(mvfs__content_reserve(&from, 10 * BLOCK, 5 * BLOCK,
					       &bin), 0);
	write_fill(&to, 0, 'b', 30 * BLOCK);
	/* blocks meet blocks */
	ck_assert_int_eq(mvfs__content_clone_range(&to, 0, &from, 0,
						   20 * BLOCK, &bin), 0);
	ck_assert_uint_eq(mvfs__content_blocks(&to), 11);
	ck_assert_int_eq(mvfs__content_seek_data(&to, 0), 2 * BLOCK);
	ck_assert_int_eq(mvfs__content_seek_data(&to, 3 * BLOCK), 20 * BLOCK);
	expect_fill(&to, 2 * BLOCK, 'a', BLOCK);
	/* they do not */
	write_fill(&to, 0, 'b', 30 * BLOCK);
	ck_assert_int_eq(mvfs__content_clone_range(&to, 10, &from, 0,
						   20 * BLOCK, &bin), 0);
	ck_assert_int_eq(mvfs__content_seek_hole(&to, 0), BLOCK);
	ck_assert_int_eq(mvfs__content_seek_data(&to, BLOCK), 2 * BLOCK);
	ck_assert_int_eq(mvfs__content_seek_hole(&to, 2 * BLOCK), 4 * BLOCK);
	expect_fill(&to, 0, 'b', 10);
	expect_fill(&to, 10, 0, 2 * BLOCK);
	expect_fill(&to, 2 * BLOCK + 10, 'a', BLOCK);
	expect_fill(&to, 3 * BLOCK + 10, 0, 17 * BLOCK);
	expect_fill(&to, 20 * BLOCK + 10, 'b', 10 * BLOCK - 10);
	clear(&from);
	clear(&to);
}
END_TEST

START_TEST(test_small_unaligned_copies_onto_the_end_stay_one_run)
{
	struct mvfs__content from, to;

	mvfs__content_init(&from);
	mvfs__content_init(&to);
	write_fill(&from, 0, 'a', 10000);
	for (uint64_t i = 0; i < 900; i++)
		ck_assert_int_eq(mvfs__content_clone_range(
				&to, to.size, &from, i + 1, 333, &bin), 0);
	whole(&to);
	expect_fill(&to, 0, 'a', UINT64_C(900) * 333);
	clear(&from);
	clear(&to);
}
END_TEST

START_TEST(test_a_share_of_itself_can_be_cloned_into_a_file)
{
	struct mvfs__content c, share;

	mvfs__content_init(&c);
	write_fill(&c, 0, 'a', 100 * BLOCK);
	write_fill(&c, 50 * BLOCK, 'b', BLOCK);
	mvfs__content_share(&c, &share);
	ck_assert_int_eq(mvfs__content_clone_range(&c, 60 * BLOCK, &share,
						   50 * BLOCK, BLOCK, &bin),
			 0);
	ck_assert_int_eq(mvfs__content_clone_range(&c, 70 * BLOCK + 1, &share,
						   50 * BLOCK, BLOCK, &bin),
			 0);
	clear(&share);
	expect_fill(&c, 60 * BLOCK, 'b', BLOCK);
	expect_fill(&c, 61 * BLOCK, 'a', 9 * BLOCK + 1);
	expect_fill(&c, 70 * BLOCK + 1, 'b', BLOCK);
	/* one buffer now is at two places: neither is written in place */
	write_text(&c, 50 * BLOCK, "x");
	expect_fill(&c, 60 * BLOCK, 'b', BLOCK);
	mvfs__content_check(&c);
	clear(&c);
}
END_TEST

START_TEST(test_a_content_set_from_the_middle_of_a_buffer_is_whole)
{
	struct mvfs__buffer *b = mvfs__buffer_new(100), *got;
	struct mvfs__content c;
	uint64_t start;

	memset(mvfs__buffer_bytes(b), 'a', 100);
	mvfs__buffer_set_used(b, 100);
	mvfs__content_init(&c);
	mvfs__mem_fail_at(1);
	ck_assert_int_eq(mvfs__content_set(&c, b, 10, 80, &bin), -ENOMEM);
	mvfs__mem_fail_at(0);
	ck_assert_int_eq(mvfs__content_set(&c, b, 10, 80, &bin), 0);
	mvfs__content_check(&c);
	got = mvfs__content_whole(&c, &start);
	ck_assert_ptr_eq(got, b);
	ck_assert_uint_eq(start, 10);
	mvfs__obj_drop(&got->obj, &bin);
	/* nobody else's: appending goes on in it */
	write_text(&c, 80, "bcd");
	expect(&c, 79, "abcd", 4);
	ck_assert_uint_eq(runs(&c), 1);
	clear(&c);
}
END_TEST

START_TEST(test_a_gather_is_installed_if_the_file_is_what_was_gathered)
{
	struct mvfs__content c, share;
	struct mvfs__buffer *gathered;
	uint64_t start;

	make_runs(&c);
	ck_assert_ptr_null(mvfs__content_whole(&c, &start));
	mvfs__content_share(&c, &share);
	gathered = mvfs__content_gather(&share);
	ck_assert(mvfs__content_install(&c, &share, gathered, &bin));
	clear(&share);
	ck_assert_ptr_eq(whole(&c), gathered);
	mvfs__content_check(&c);
	expect_fill(&c, 50 * BLOCK, 'b', BLOCK);
	mvfs__obj_drop(&gathered->obj, &bin);
	clear(&c);
}
END_TEST

START_TEST(test_a_gather_is_refused_if_the_file_has_changed_or_has_a_hole)
{
	struct mvfs__content c, share;
	struct mvfs__buffer *gathered;

	for (unsigned i = 0; i < 5; i++) {
		make_runs(&c);
		if (i == 3)
			cut(&c, 200 * BLOCK);
		if (i == 4)
			ck_assert_int_eq(mvfs__content_reserve(
				&c, 200 * BLOCK, BLOCK, &bin), 0);
		mvfs__content_share(&c, &share);
		gathered = mvfs__content_gather(&share);
		if (i == 0)
			write_text(&c, 0, "x");
		if (i == 1)
			write_text(&c, c.size, "x");
		if (i == 2)
			cut(&c, 0);
		ck_assert(!mvfs__content_install(&c, &share, gathered, &bin));
		mvfs__obj_drop(&gathered->obj, &bin);
		mvfs__content_check(&c);
		clear(&share);
		clear(&c);
	}
}
END_TEST

START_TEST(test_a_reader_keeps_what_it_has_seen)
{
	struct mvfs__extent extents[8];
	struct mvfs__content c;
	uint64_t covered;
	size_t count;

	make_runs(&c);
	count = mvfs__content_extents(&c, 49 * BLOCK, 3 * BLOCK, extents, 8,
				      &covered);
	ck_assert_uint_eq(count, 3);
	ck_assert_uint_eq(covered, 3 * BLOCK);
	write_fill(&c, 0, 'c', 100 * BLOCK);
	cut(&c, 0);
	mvfs__bin_empty(&bin);
	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_eq(extents[i].length, BLOCK);
		for (unsigned k = 0; k < BLOCK; k++)
			ck_assert_int_eq(extents[i].bytes[k],
					 i == 1 ? 'b' : 'a');
		mvfs__obj_drop(&extents[i].buffer->obj, &bin);
	}
	clear(&c);
}
END_TEST

START_TEST(test_a_writer_alone_lowers_what_is_known_of_the_text)
{
	struct mvfs__content c;
	struct mvfs__buffer *b;

	mvfs__content_init(&c);
	write_fill(&c, 0, 'a', 100);
	b = whole(&c);
	mvfs__buffer_set_text(b, (struct mvfs__text_state){
					 100, MVFS__KNOWN_ASCII });
	write_text(&c, 100, "appended");
	b = whole(&c);
	ck_assert_uint_eq(mvfs__buffer_text(b).length, 100);
	write_text(&c, 50, "over");
	ck_assert_uint_eq(mvfs__buffer_text(b).length, 50);
	cut(&c, 20);
	ck_assert_uint_eq(mvfs__buffer_text(b).length, 20);
	ck_assert_int_eq(mvfs__content_punch(&c, 5, 5, &bin), 0);
	b = whole(&c);
	ck_assert_uint_eq(mvfs__buffer_text(b).length, 5);
	/* across the end */
	mvfs__buffer_set_text(b, (struct mvfs__text_state){
					 20, MVFS__KNOWN_ASCII });
	write_text(&c, 18, "across");
	b = whole(&c);
	ck_assert_uint_eq(mvfs__buffer_text(b).length, 18);
	clear(&c);
}
END_TEST

START_TEST(test_what_was_known_of_bytes_cut_off_is_not_of_new_ones)
{
	struct mvfs__content c, share;
	struct mvfs__buffer *b;

	mvfs__content_init(&c);
	write_fill(&c, 0, 'a', 100);
	mvfs__content_share(&c, &share);
	b = whole(&c);
	mvfs__buffer_set_text(b, (struct mvfs__text_state){
					 100, MVFS__KNOWN_ASCII });
	cut(&c, 50);
	clear(&share);
	write_text(&c, 50, "\xff");
	ck_assert_ptr_eq(whole(&c), b);
	ck_assert_uint_eq(mvfs__buffer_text(b).length, 50);
	clear(&c);
	/* the zeros in a gap end a character, too */
	for (unsigned i = 0; i < 100; i += 2)
		write_text(&c, i, "\xc3\xa4");
	mvfs__content_share(&c, &share);
	b = whole(&c);
	mvfs__buffer_set_text(b, (struct mvfs__text_state){
					 100, MVFS__KNOWN_UTF8 });
	cut(&c, 51);
	clear(&share);
	write_text(&c, 60, "x");
	ck_assert_ptr_eq(whole(&c), b);
	ck_assert_uint_eq(mvfs__buffer_text(b).length, 50);
	clear(&c);
}
END_TEST

static void add_writing(Suite *suite)
{
	TCase *tc = tcase_create("writing");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc,
		test_a_file_written_in_order_is_one_run_and_never_copied);
	tcase_add_test(tc, test_a_large_write_is_one_run_wherever_it_goes);
	tcase_add_test(tc,
		test_a_write_into_a_shared_run_copies_at_most_64_kib);
	tcase_add_test(tc, test_overwriting_whole_blocks_copies_nothing);
	tcase_add_test(tc,
		test_overwriting_a_shared_file_in_order_grows_one_run);
	tcase_add_test(tc, test_a_write_into_a_run_of_its_own_goes_in_place);
	tcase_add_test(tc,
		test_a_shared_buffer_gets_nothing_behind_its_end_either);
	tcase_add_test(tc, test_adopted_memory_is_never_written);
	tcase_add_test(tc,
		test_sparse_writes_of_blocks_merge_with_their_neighbours);
	tcase_add_test(tc,
		test_small_shared_neighbours_are_merged_on_both_sides);
	tcase_add_test(tc, test_very_many_runs_are_kept_in_order);
	tcase_add_test(tc,
		test_pieces_without_bytes_are_zeros_and_surplus_is_left_out);
	suite_add_tcase(suite, tc);
}

static void add_cases(Suite *suite)
{
	TCase *tc = tcase_create("cases");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, test_case_18_a_file_cut_to_0_begins_anew);
	tcase_add_test(tc,
		test_case_19_a_write_behind_the_end_leaves_a_hole_of_zeros);
	tcase_add_test(tc,
		test_case_20_seek_finds_blocks_of_data_and_punching_frees_them);
	tcase_add_test(tc, test_case_22_a_read_behind_the_end_is_empty);
	tcase_add_test(tc,
		test_case_22a_what_was_cut_off_reads_as_zero_when_it_is_back);
	tcase_add_test(tc,
		test_case_22b_what_is_reserved_counts_and_is_no_data);
	suite_add_tcase(suite, tc);
}

static void add_ranges(Suite *suite)
{
	TCase *tc = tcase_create("ranges");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, test_reserved_neighbours_are_one_run);
	tcase_add_test(tc,
		test_what_is_reserved_behind_the_end_goes_with_a_cut_there);
	tcase_add_test(tc, test_a_cut_in_place_cannot_fail);
	tcase_add_test(tc, test_a_cut_of_shared_runs_that_fails_leaves_them);
	tcase_add_test(tc, test_nothing_overflows_at_the_largest_size);
	tcase_add_test(tc,
		test_punching_a_run_of_its_own_frees_both_halves_later);
	tcase_add_test(tc,
		test_punching_a_small_shared_file_is_done_whole_or_not_at_all);
	tcase_add_test(tc,
		test_a_queue_that_is_punched_behind_does_not_fill_up);
	suite_add_tcase(suite, tc);
}

static void add_cloning(Suite *suite)
{
	TCase *tc = tcase_create("cloning");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, test_a_clone_shares_and_copies_nothing);
	tcase_add_test(tc,
		test_a_clone_into_the_middle_copies_its_last_part_of_a_block);
	tcase_add_test(tc,
		test_holes_stay_holes_in_a_clone_and_reserved_becomes_one);
	tcase_add_test(tc,
		test_small_unaligned_copies_onto_the_end_stay_one_run);
	tcase_add_test(tc, test_a_share_of_itself_can_be_cloned_into_a_file);
	suite_add_tcase(suite, tc);
}

static void add_reading(Suite *suite)
{
	TCase *tc = tcase_create("reading");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc,
		test_a_content_set_from_the_middle_of_a_buffer_is_whole);
	tcase_add_test(tc,
		test_a_gather_is_installed_if_the_file_is_what_was_gathered);
	tcase_add_test(tc,
		test_a_gather_is_refused_if_the_file_has_changed_or_has_a_hole);
	tcase_add_test(tc, test_a_reader_keeps_what_it_has_seen);
	tcase_add_test(tc,
		test_a_writer_alone_lowers_what_is_known_of_the_text);
	tcase_add_test(tc,
		test_what_was_known_of_bytes_cut_off_is_not_of_new_ones);
	suite_add_tcase(suite, tc);
}

int main(void)
{
	Suite *suite = suite_create("content");
	SRunner *runner;
	int failed;

	add_writing(suite);
	add_cases(suite);
	add_ranges(suite);
	add_cloning(suite);
	add_reading(suite);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
