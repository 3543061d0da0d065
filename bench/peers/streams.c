// SPDX-License-Identifier: MIT
/*
 * 4 kB of ints, big-endian as Java has them, into memory that is warm: an
 * array at once, and one by one. Streams are begun anew every few operations,
 * so that they stay in the cache as the others' target does.
 */
#include <config.h>

#include "bench/peers/peers.h"

#include <byteswap.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INTS = 1024, BYTES = 4 * INTS, TURNS = 12 };

struct ints {
	int32_t value[INTS];
	char *to; /* room for TURNS times that */
	unsigned turn;
	FILE *file;
};

static char *next_place(struct ints *ints)
{
	ints->turn = ints->turn + 1 == TURNS ? 0 : ints->turn + 1;
	return ints->to + ints->turn * BYTES;
}

/* The stream is a local one, as in a function that writes: it is in
 * registers then. */
static int run_array(void *ctx, uint64_t count)
{
	struct ints *ints = ctx;
	struct mvfs_data_out out;
	int result = 0;

	mvfs_data_out_memory(&out);
	for (uint64_t i = 1; i <= count && result == 0; i++) {
		result = mvfs_data_put_i32s(&out, ints->value, INTS);
		if (i % TURNS == 0 && result == 0)
			result = mvfs_data_out_reset(&out);
	}
	return mvfs_data_out_close(&out) < 0 ? -EIO : result;
}

static int run_each(void *ctx, uint64_t count)
{
	struct ints *ints = ctx;
	struct mvfs_data_out out;
	int result = 0;

	mvfs_data_out_memory(&out);
	for (uint64_t i = 1; i <= count && result == 0; i++) {
		for (size_t j = 0; j < INTS; j++)
			mvfs_data_put_i32(&out, ints->value[j]);
		if (i % TURNS == 0)
			result = mvfs_data_out_reset(&out);
	}
	return mvfs_data_out_close(&out) < 0 ? -EIO : result;
}

static int run_memcpy(void *ctx, uint64_t count)
{
	struct ints *ints = ctx;

	for (; count > 0; count--) {
		char *to = next_place(ints);

		memcpy(to, ints->value, BYTES);
		bench_sink(to);
	}
	return 0;
}

static int run_swap(void *ctx, uint64_t count)
{
	struct ints *ints = ctx;

	for (; count > 0; count--) {
		char *to = next_place(ints);

		for (size_t i = 0; i < INTS; i++) {
			uint32_t value = bswap_32((uint32_t)ints->value[i]);

#if defined __GNUC__
			/* one at a time: no vectors, please */
			__asm__("" : "+r"(value));
#endif
			memcpy(to + 4 * i, &value, 4);
		}
		bench_sink(to);
	}
	return 0;
}

static int run_fwrite(void *ctx, uint64_t count)
{
	struct ints *ints = ctx;

	for (; count > 0; count--) {
		for (size_t i = 0; i < INTS; i++) {
			uint32_t value = bswap_32((uint32_t)ints->value[i]);

			fwrite(&value, 4, 1, ints->file);
		}
	}
	return 0;
}

static int run_putc(void *ctx, uint64_t count)
{
	struct ints *ints = ctx;

	for (; count > 0; count--) {
		for (size_t i = 0; i < INTS; i++) {
			uint32_t value = (uint32_t)ints->value[i];

			putc_unlocked((int)(value >> 24), ints->file);
			putc_unlocked((int)(value >> 16 & 0xff), ints->file);
			putc_unlocked((int)(value >> 8 & 0xff), ints->file);
			putc_unlocked((int)(value & 0xff), ints->file);
		}
	}
	return 0;
}

static const struct bench_ops by_array = {NULL, run_array, NULL};
static const struct bench_ops by_each = {NULL, run_each, NULL};
static const struct bench_ops by_memcpy = {NULL, run_memcpy, NULL};
static const struct bench_ops by_swap = {NULL, run_swap, NULL};
static const struct bench_ops by_fwrite = {NULL, run_fwrite, NULL};
static const struct bench_ops by_putc = {NULL, run_putc, NULL};

static struct bench_row *add(struct peers *p, const char *name, const char *by,
			     const struct bench_ops *ops, struct ints *ints)
{
	struct bench_row *row = peers_row(p, name, by, BYTES, "-", ops, ints);

	peers_bytes(row, BYTES, BYTES);
	return row;
}

static void claim_java(struct peers *p, const struct bench_row *row,
		       const struct peers_jdk *jdk, const char *what)
{
	struct bench_claim *claim;

	if (jdk->ints_each == 0)
		return;
	claim = bench_report_claim(p->report,
				   jdk->ints_each / peers_best(row),
				   NAN, "", BENCH_AT_LEAST, 50);
	if (claim != NULL)
		snprintf(claim->what, sizeof(claim->what),
			 "DataOutputStream / memvfs, 4 kB of ints %s", what);
}

static int measure(struct peers *p, struct ints ints[3])
{
	struct bench_row *array, *each, *copy, *swap;
	struct peers_jdk jdk = {0};
	int result;

	array = add(p, "ints.array", "memvfs", &by_array, &ints[0]);
	copy = add(p, "ints.memcpy", "glibc", &by_memcpy, &ints[1]);
	each = add(p, "ints.oneByOne", "memvfs", &by_each, &ints[2]);
	swap = add(p, "ints.swapLoop", "the compiler", &by_swap, &ints[1]);
	add(p, "ints.oneByOne", "fwrite", &by_fwrite, &ints[1]);
	add(p, "ints.oneByOne", "putc_unlocked x4", &by_putc, &ints[1]);
	result = peers_measure(p);
	if (result == 0)
		result = peers_run_jdk(p, &jdk);
	if (result < 0)
		return result;
	peers_ratio(p, array, copy, BENCH_AT_MOST, 1.5,
		    "4 kB of ints as an array / memcpy");
	peers_ratio(p, each, swap, BENCH_AT_MOST, 1.2,
		    "4 kB of ints one by one / scalar swap loop");
	claim_java(p, array, &jdk, "as an array");
	claim_java(p, each, &jdk, "one by one");
	return 0;
}

int peers_streams(struct peers *p)
{
	struct ints *ints = calloc(3, sizeof(*ints));
	uint64_t seed = p->seed;
	int result = 0;

	if (ints == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < INTS; j++)
			ints[i].value[j] = (int32_t)bench_random(&seed);
	ints[1].to = calloc(TURNS, BYTES);
	ints[1].file = fopen("/dev/null", "w");
	if (ints[1].to == NULL || ints[1].file == NULL)
		result = -ENOMEM;
	if (result == 0)
		result = measure(p, ints);
	if (ints[1].file != NULL)
		fclose(ints[1].file);
	free(ints[1].to);
	free(ints);
	return result;
}
