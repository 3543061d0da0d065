/* SPDX-License-Identifier: MIT */
/* Anonymous mappings where mremap(2) moves pages instead of bytes. */
#include "config.h"

#include "vfs/content/pages.h"

#include <sys/mman.h>

#include "vfs/mem/mem.h"

/*
 * Address space that begins at a multiple of a huge page; NULL: none. Linux
 * places it like that by itself from 6.7 on.
 */
static void *map_aligned(size_t length)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
	char *pages, *begin;
	size_t before;

	pages = mmap(NULL, length, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (pages == MAP_FAILED)
		return NULL;
	if (!((uintptr_t)pages % MVFS__PAGES_HUGE))
		return pages;
	mvfs__pages_unmap(pages, length);
	pages = mmap(NULL, length + MVFS__PAGES_HUGE, PROT_READ | PROT_WRITE,
		     flags, -1, 0);
	if (pages == MAP_FAILED)
		return NULL;
	before = -(uintptr_t)pages % MVFS__PAGES_HUGE;
	begin = pages + before;
	if (before)
		mvfs__pages_unmap(pages, before);
	if (before < MVFS__PAGES_HUGE)
		mvfs__pages_unmap(begin + length, MVFS__PAGES_HUGE - before);
	return begin;
}

void *mvfs__pages_map(size_t length)
{
	void *pages = NULL;

	assert(length > 0 && length % MVFS__PAGES_HUGE == 0);
	if (!mvfs__mem_fails() && length < SIZE_MAX - MVFS__PAGES_HUGE)
		pages = map_aligned(length);
	if (pages)
		(void)madvise(pages, length, MADV_HUGEPAGE);
	return pages;
}

/*
 * A move to where mremap likes would break every huge page up, which takes
 * longer than a copy; to an aligned place it moves them whole.
 */
void *mvfs__pages_grow(void *pages, size_t length, size_t new_length)
{
	void *place, *grown;

	assert(new_length > length && new_length % MVFS__PAGES_HUGE == 0);
	if (mvfs__mem_fails() || new_length >= SIZE_MAX - MVFS__PAGES_HUGE)
		return NULL;
	grown = mremap(pages, length, new_length, 0);
	if (grown != MAP_FAILED)
		return grown;
	place = map_aligned(new_length);
	if (!place)
		return NULL;
	grown = mremap(pages, length, new_length,
		       MREMAP_MAYMOVE | MREMAP_FIXED, place);
	if (grown != MAP_FAILED)
		return grown;
	/* it fails before or after it has taken the place */
	mvfs__pages_unmap(place, new_length);
	return NULL;
}

void mvfs__pages_unmap(void *pages, size_t length)
{
	int failed = munmap(pages, length);

	assert(!failed);
	(void)failed;
}

void mvfs__pages_discard(void *pages, size_t from, size_t to)
{
	size_t page = MVFS__BLOCK;

	assert(from <= to);
	from = (from + page - 1) / page * page;
	to = to / page * page;
	/* with larger pages this is -EINVAL, and the memory just stays */
	if (from < to)
		(void)madvise((char *)pages + from, to - from, MADV_DONTNEED);
}
