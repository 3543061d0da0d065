/* SPDX-License-Identifier: MIT */
/*
 * What slab.c carves: spans of 64 KiB, of one object size each, from regions
 * of 2 MiB, which are what the CPU maps at once. A region is aligned to its
 * size and begins with the heads of its spans, so an object's span is found
 * by masking. (A head at the front of each span was rejected: heads 64 KiB
 * apart fall into two sets of a cache.)
 *
 *     region  +-----------------+----------------+-----------+----
 *             | heads | objects | objects        | objects   | ...
 *             +-----------------+----------------+-----------+----
 *             0                 64 KiB           128 KiB
 *
 * The first regions are ordinary memory, touched page by page, so that a
 * small tree never waits for 2 MiB of zeroes.
 */
#ifndef MVFS__SLAB_POOL_H
#define MVFS__SLAB_POOL_H

#include <stdatomic.h>

#include "vfs/mem/slab.h"

#define MVFS__SPAN_SIZE ((size_t)64 << 10)
#define MVFS__REGION_SIZE ((size_t)2 << 20)
#define MVFS__REGION_SPANS (MVFS__REGION_SIZE / MVFS__SPAN_SIZE)
#define MVFS__REGIONS_SMALL 2u /* that huge pages are not asked for */

struct mvfs__heap;

enum mvfs__span_state {
	MVFS__SPAN_FULL,    /* in no list */
	MVFS__SPAN_AVAIL,   /* in its heap's list: something is free */
	MVFS__SPAN_CURRENT, /* its owner allocates from it */
};

/*
 * One line of the cache. Fields are the owner's but for `remote`, to which
 * anybody pushes, and `pending`, which belongs to whoever found `remote`
 * empty until the owner has taken the span from its heap's list.
 */
struct mvfs__span {
	struct mvfs__heap *heap; /* constant while there are objects */
	_Atomic(void *) remote;  /* freed by others, chained */
	struct mvfs__span *pending;
	void *free;              /* freed by the owner, chained */
	struct mvfs__span *next, *prev; /* AVAIL only */
	uint32_t fresh; /* offset in the span of what was never used */
	uint16_t used;  /* objects, with those in `remote` */
	uint16_t size;  /* of an object */
	uint32_t state; /* enum mvfs__span_state */
};

struct mvfs__region {
	struct mvfs__span spans[MVFS__REGION_SPANS];
	uint32_t free; /* bit n: span n is the pool's */
	struct mvfs__region *next, *prev;
};

static inline struct mvfs__region *mvfs__region_of(const void *ptr)
{
	return (struct mvfs__region *)((uintptr_t)ptr &
				       ~(MVFS__REGION_SIZE - 1));
}

static inline struct mvfs__span *mvfs__span_of(const void *ptr)
{
	uintptr_t offset = (uintptr_t)ptr & (MVFS__REGION_SIZE - 1);

	return &mvfs__region_of(ptr)->spans[offset / MVFS__SPAN_SIZE];
}

/* Where the 64 KiB of a span begin. */
static inline char *mvfs__span_base(const struct mvfs__span *span)
{
	struct mvfs__region *region = mvfs__region_of(span);

	return (char *)region +
	       (size_t)(span - region->spans) * MVFS__SPAN_SIZE;
}

/*
 * A span of which only `fresh` is set: what lies before it is a head's. NULL
 * without memory. give() takes it back, and unmaps a region that is wholly
 * free but for one.
 */
struct mvfs__span *mvfs__pool_take(void);
void mvfs__pool_give(struct mvfs__span *span);

/* How many regions are mapped; for tests. */
unsigned mvfs__pool_regions(void);

/* Around fork(2). */
void mvfs__pool_lock(void);
void mvfs__pool_unlock(void);

#endif
