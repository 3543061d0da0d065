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

#include "vfs/base/base.h"

struct mvfs__mem_thread {
	uint64_t allocations; /* calls that asked for memory so far */
	uint64_t fail_at;     /* the one that fails, counted likewise; 0 none */
	uint64_t fail_failed; /* how many were made to fail */
	uint64_t copies;      /* of file bytes by the library */
	uint64_t copied_bytes;
	uint64_t classified_bytes;
	uint64_t shares;      /* strings that took a reference, not a copy */
	uint64_t trie_copies; /* trie nodes copied because they were shared */
};

extern MVFS__SMALL_TLS _Thread_local struct mvfs__mem_thread mvfs__mem_thread;

/* malloc, calloc, realloc; NULL without memory or when told to fail. */
void *mvfs__malloc(size_t size);
void *mvfs__calloc(size_t count, size_t size);
void *mvfs__realloc(void *ptr, size_t size);
void mvfs__free(void *ptr);

/* A copy of `size` bytes, or NULL. */
void *mvfs__memdup(const void *bytes, size_t size);

/*
 * True if the allocation of another kind (mmap, mremap) that the caller is
 * about to make must be treated as failed; counts it in any case.
 */
bool mvfs__mem_fails(void);

/* Makes the n-th allocation from now on this thread fail, once; 0: none. */
void mvfs__mem_fail_at(uint64_t n);

static inline void mvfs__mem_count_copy(size_t bytes)
{
	mvfs__mem_thread.copies++;
	mvfs__mem_thread.copied_bytes += bytes;
}

#endif
