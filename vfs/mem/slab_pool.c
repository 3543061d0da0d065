/* SPDX-License-Identifier: MIT */
/* Regions and who has their spans: see slab_pool.h. One per process. */
#include "config.h"

#include "vfs/mem/slab_pool.h"

#include <pthread.h>
#include <sys/mman.h>

#ifndef MADV_HUGEPAGE
#define MADV_HUGEPAGE MADV_NORMAL
#endif

#define ALL_FREE UINT32_MAX

_Static_assert(MVFS__REGION_SPANS == 32, "one bit each");
_Static_assert(sizeof(struct mvfs__span) <= 64, "a line of the cache");

static struct {
	pthread_mutex_t mutex;
	struct mvfs__region *partial; /* some spans free, some not */
	struct mvfs__region *spare;   /* all free, or NULL */
	unsigned regions;
} pool = { .mutex = PTHREAD_MUTEX_INITIALIZER };

static void link_region(struct mvfs__region *region)
{
	region->prev = NULL;
	region->next = pool.partial;
	if (region->next)
		region->next->prev = region;
	pool.partial = region;
}

static void unlink_region(struct mvfs__region *region)
{
	if (region->prev)
		region->prev->next = region->next;
	else
		pool.partial = region->next;
	if (region->next)
		region->next->prev = region->prev;
}

static void *map(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

/* Newer kernels align by themselves; else more is mapped, and cut off. */
static void *map_aligned(void)
{
	char *at = map(MVFS__REGION_SIZE);
	size_t before;

	if (!at || mvfs__region_of(at) == (void *)at)
		return at;
	munmap(at, MVFS__REGION_SIZE);
	at = map(2 * MVFS__REGION_SIZE);
	if (!at)
		return NULL;
	before = -(uintptr_t)at & (MVFS__REGION_SIZE - 1);
	if (before)
		munmap(at, before);
	munmap(at + before + MVFS__REGION_SIZE, MVFS__REGION_SIZE - before);
	return at + before;
}

static struct mvfs__region *new_region(void)
{
	struct mvfs__region *region = map_aligned();

	if (!region)
		return NULL;
	if (pool.regions >= MVFS__REGIONS_SMALL)
		(void)madvise(region, MVFS__REGION_SIZE, MADV_HUGEPAGE);
	region->free = ALL_FREE;
	pool.regions++;
	return region;
}

/* A region with a span to give, in the list. */
static struct mvfs__region *some_region(void)
{
	struct mvfs__region *region = pool.partial;

	if (region)
		return region;
	region = pool.spare;
	pool.spare = NULL;
	if (!region)
		region = new_region();
	if (region)
		link_region(region);
	return region;
}

struct mvfs__span *mvfs__pool_take(void)
{
	struct mvfs__span *span = NULL;
	struct mvfs__region *region;
	unsigned n = 0;

	pthread_mutex_lock(&pool.mutex);
	region = some_region();
	if (region) {
		n = (unsigned)__builtin_ctz(region->free);
		region->free &= region->free - 1;
		span = &region->spans[n];
		if (!region->free)
			unlink_region(region);
	}
	pthread_mutex_unlock(&pool.mutex);
	if (span)
		span->fresh = n ? 0 : (sizeof(*region) + 63) & ~(size_t)63;
	return span;
}

/* Takes a region that is all free from the list; returns one too many. */
static struct mvfs__region *retire(struct mvfs__region *region)
{
	unlink_region(region);
	if (!pool.spare) {
		pool.spare = region;
		return NULL;
	}
	pool.regions--;
	return region;
}

void mvfs__pool_give(struct mvfs__span *span)
{
	struct mvfs__region *region = mvfs__region_of(span);
	struct mvfs__region *excess = NULL;
	uint32_t bit = UINT32_C(1) << (span - region->spans);

	pthread_mutex_lock(&pool.mutex);
	assert(!(region->free & bit));
	if (!region->free)
		link_region(region);
	region->free |= bit;
	if (region->free == ALL_FREE)
		excess = retire(region);
	pthread_mutex_unlock(&pool.mutex);
	if (excess)
		munmap(excess, MVFS__REGION_SIZE);
}

unsigned mvfs__pool_regions(void)
{
	unsigned regions;

	pthread_mutex_lock(&pool.mutex);
	regions = pool.regions;
	pthread_mutex_unlock(&pool.mutex);
	return regions;
}

void mvfs__pool_lock(void)
{
	pthread_mutex_lock(&pool.mutex);
}

void mvfs__pool_unlock(void)
{
	pthread_mutex_unlock(&pool.mutex);
}
