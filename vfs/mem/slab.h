/* SPDX-License-Identifier: MIT */
/*
 * Memory for the small values that a tree has millions of: nodes, entries,
 * nodes of tries. Random look-ups among them wait for the TLB as much as for
 * the cache, so they lie densely in huge pages, which malloc leaves to the
 * user's environment.
 *
 * slab.c is the allocator. slab_malloc.c is the same interface over malloc,
 * for sanitizers and valgrind, that must see every block, and for 32 bits;
 * configure chooses (--disable-slab, --enable-slab).
 *
 * Any thread may free what another allocated. Every allocation is one
 * numbered point of failure, as in mem.h.
 */
#ifndef MVFS__SLAB_H
#define MVFS__SLAB_H

#include "vfs/mem/mem.h"

/* Larger sizes are allowed; they are left to malloc. */
#define MVFS__SLAB_MAX 544u

/*
 * Memory of `size` > 0 bytes, aligned to 8, and to 16 where the size is a
 * multiple of that; NULL without memory or when told to fail.
 */
void *mvfs__slab_alloc(size_t size);

/* `size` is what was asked for. NULL is no pointer here. */
void mvfs__slab_free(void *ptr, size_t size);

/* The largest size that takes no more memory than `size`, in steps of 16. */
size_t mvfs__slab_fill(size_t size);

/*
 * Sees to it that fork(2) finds the allocator consistent; happens by itself
 * at the first allocation. Whoever takes locks around a fork, and allocates
 * under them, calls it before pthread_atfork().
 */
void mvfs__slab_at_fork(void);

#endif
