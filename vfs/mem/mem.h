/* SPDX-License-Identifier: MIT */
/*
 * Where all memory of the core comes from, and what it counts.
 *
 * Every allocation of the library passes here, so that three questions have
 * one place to be answered: what happens when the n-th one fails (a numbered
 * point, per thread), how many allocations a call makes, and how much memory
 * the values hold. The counters are per thread: nothing here is shared.
 *
 * Memory from these functions is ordinary malloc memory; free() takes it.
 */
#ifndef MVFS__MEM_H
#define MVFS__MEM_H

#include <memvfs/stats.h>
#include <stdatomic.h>

#include "vfs/base/base.h"

/*
 * What a thread has counted so far. It alone adds, without the price of an
 * atomic addition; whoever sums up reads. count.c has the list of threads.
 */
struct mvfs__mem_thread {
	_Atomic uint64_t allocations; /* calls that asked for memory */
	_Atomic uint64_t copies;      /* of file bytes by the library */
	_Atomic uint64_t copied_bytes;
	_Atomic uint64_t classified_bytes;
	_Atomic uint64_t shares;      /* strings that took a reference */
	_Atomic uint64_t trie_copies; /* nodes copied because they were shared */

	uint64_t fail_at;     /* the allocation that fails; 0 none */
	uint64_t fail_failed; /* how many were made to fail */
	enum mvfs__mem_listed {
		MVFS__MEM_NEW,      /* has not counted yet */
		MVFS__MEM_LISTED,
		MVFS__MEM_UNLISTED, /* has ended, or could not be listed */
	} listed;
	struct mvfs__mem_thread *next, **back; /* LISTED; count.c's mutex */
};

extern MVFS__SMALL_TLS _Thread_local struct mvfs__mem_thread mvfs__mem_thread;

/*
 * What mvfs_stats() tells, of this thread and of all that ever were; but for
 * the size.
 */
void mvfs__mem_stats_thread(struct mvfs_stats *stats);
void mvfs__mem_stats_process(struct mvfs_stats *stats);

/* After an addition by a thread that is not LISTED: sees to the sum. */
void mvfs__mem_unlisted(const _Atomic uint64_t *counter, uint64_t n);

/* Adds to a counter of this thread. */
static inline void mvfs__mem_add(_Atomic uint64_t *counter, uint64_t n)
{
	uint64_t before = atomic_load_explicit(counter, memory_order_relaxed);

	atomic_store_explicit(counter, before + n, memory_order_relaxed);
	if (mvfs__unlikely(mvfs__mem_thread.listed != MVFS__MEM_LISTED))
		mvfs__mem_unlisted(counter, n);
}

#define mvfs__mem_count(counter, n) \
	mvfs__mem_add(&mvfs__mem_thread.counter, n)

static inline void mvfs__mem_count_copy(size_t bytes)
{
	mvfs__mem_count(copies, 1);
	mvfs__mem_count(copied_bytes, bytes);
}

/* malloc, calloc, realloc; NULL without memory or when told to fail. */
void *mvfs__malloc(size_t size);
void *mvfs__calloc(size_t count, size_t size);
void *mvfs__realloc(void *ptr, size_t size);
void mvfs__free(void *ptr);

/* The same, at a multiple of `align`, a power of two that holds a pointer. */
void *mvfs__memalign(size_t align, size_t size);

/* A copy of `size` bytes, or NULL. */
void *mvfs__memdup(const void *bytes, size_t size);

/*
 * True if the allocation of another kind (mmap, mremap) that the caller is
 * about to make must be treated as failed; counts it in any case.
 */
bool mvfs__mem_fails(void);

/* Makes the n-th allocation from now on this thread fail, once; 0: none. */
void mvfs__mem_fail_at(uint64_t n);

#endif
