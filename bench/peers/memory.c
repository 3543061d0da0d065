// SPDX-License-Identifier: MIT
/*
 * Zeroed memory for a moment: an arena that is opened, allocated from once
 * and closed, beside what else gives zeroed memory and takes it back.
 */
#include <config.h>

#include "bench/peers/peers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free
#include <obstack.h>

static const size_t sizes[] = {5, 20, 100, 500, 2000, 8000, 65536, 1 << 20};
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };

struct want {
	size_t size;
	char *bytes; /* for memset alone */
	const struct peers_mimalloc *mimalloc;
};

static int run_arena(void *ctx, uint64_t count)
{
	struct want *want = ctx;

	for (; count > 0; count--) {
		struct mvfs_arena arena;
		void *memory;

		mvfs_arena_open(&arena);
		memory = mvfs_arena_alloc(&arena, want->size);
		if (memory == NULL)
			return -ENOMEM;
		bench_sink(memory);
		mvfs_arena_close(&arena);
	}
	return 0;
}

static int run_calloc(void *ctx, uint64_t count)
{
	struct want *want = ctx;

	for (; count > 0; count--) {
		void *memory = calloc(1, want->size);

		if (memory == NULL)
			return -ENOMEM;
		bench_sink(memory);
		free(memory);
	}
	return 0;
}

static int run_memset(void *ctx, uint64_t count)
{
	struct want *want = ctx;

	for (; count > 0; count--) {
		memset(want->bytes, 0, want->size);
		bench_sink(want->bytes);
	}
	return 0;
}

static int run_mimalloc(void *ctx, uint64_t count)
{
	struct want *want = ctx;

	for (; count > 0; count--) {
		void *memory = want->mimalloc->zalloc(want->size);

		if (memory == NULL)
			return -ENOMEM;
		bench_sink(memory);
		want->mimalloc->release(memory);
	}
	return 0;
}

static int run_obstack(void *ctx, uint64_t count)
{
	struct want *want = ctx;

	for (; count > 0; count--) {
		struct obstack stack;
		void *memory;

		obstack_init(&stack);
		memory = obstack_alloc(&stack, (int)want->size);
		memset(memory, 0, want->size);
		bench_sink(memory);
		obstack_free(&stack, NULL);
	}
	return 0;
}

static int run_scratch(void *ctx, uint64_t count)
{
	struct want *want = ctx;

	for (; count > 0; count--) {
		struct mvfs_scratch frame;
		void *memory;

		mvfs_scratch_open(&frame);
		memory = mvfs_scratch_alloc(&frame, want->size);
		if (memory == NULL)
			return -ENOMEM;
		bench_sink(memory);
		mvfs_scratch_close(&frame);
	}
	return 0;
}

static const struct bench_ops by_arena = {NULL, run_arena, NULL};
static const struct bench_ops by_calloc = {NULL, run_calloc, NULL};
static const struct bench_ops by_memset = {NULL, run_memset, NULL};
static const struct bench_ops by_mimalloc = {NULL, run_mimalloc, NULL};
static const struct bench_ops by_obstack = {NULL, run_obstack, NULL};
static const struct bench_ops by_scratch = {NULL, run_scratch, NULL};

static void add_bounds(struct peers *p, size_t size,
		       const struct bench_row *arena,
		       const struct bench_row *heap,
		       const struct bench_row *zero)
{
	double bound = size <= 100 ? 6 : peers_best(zero) + 4;

	/* above that, calloc gets pages that are zero already */
	if (size <= 8000)
		peers_time(p, arena, BENCH_AT_MOST, bound,
			   "arena: open, allocate %zu B, close (6 ns, or "
			   "memset + 4)",
			   size);
	peers_ratio(p, arena, heap, BENCH_AT_MOST, 1,
		    "arena / calloc and free, %zu B", size);
}

int peers_memory(struct peers *p)
{
	static struct want small = {64, NULL, NULL};
	const struct peers_mimalloc *mimalloc = peers_load_mimalloc(p);
	struct bench_row *arena[SIZES], *heap[SIZES], *zero[SIZES], *scratch;
	struct want wants[SIZES];
	int result = 0;

	memset(wants, 0, sizeof(wants));
	for (size_t i = 0; i < SIZES; i++) {
		struct want *want = &wants[i];

		want->size = sizes[i];
		want->mimalloc = mimalloc;
		want->bytes = malloc(sizes[i]);
		if (want->bytes == NULL)
			result = -ENOMEM;
		arena[i] = peers_row(p, "zeroed", "memvfs arena", sizes[i],
				     "-", &by_arena, want);
		heap[i] = peers_row(p, "zeroed", "calloc, free", sizes[i], "-",
				    &by_calloc, want);
		zero[i] = peers_row(p, "zeroed", "memset alone", sizes[i], "-",
				    &by_memset, want);
		peers_row(p, "zeroed", "obstack", sizes[i], "-", &by_obstack,
			  want);
		if (mimalloc != NULL)
			peers_row(p, "zeroed", "mimalloc", sizes[i], "-",
				  &by_mimalloc, want);
	}
	scratch = peers_row(p, "scratch", "memvfs", small.size, "-",
			    &by_scratch, &small);
	if (result == 0)
		result = peers_measure(p);
	for (size_t i = 0; i < SIZES && result == 0; i++)
		add_bounds(p, sizes[i], arena[i], heap[i], zero[i]);
	if (result == 0)
		peers_time(p, scratch, BENCH_AT_MOST, 4,
			   "a scratch frame of 64 B");
	for (size_t i = 0; i < SIZES; i++)
		free(wants[i].bytes);
	return result;
}
