/* SPDX-License-Identifier: MIT */
/* Anonymous mappings where mremap(2) moves pages instead of bytes. */
#include "config.h"

#include "vfs/content/pages.h"

#include <sys/mman.h>

#include "vfs/mem/mem.h"

static void *advised(void *pages, size_t length)
{
	if (pages == MAP_FAILED)
		return NULL;
	if (length >= MVFS__PAGES_HUGE_FROM)
		(void)madvise(pages, length, MADV_HUGEPAGE);
	return pages;
}

void *mvfs__pages_map(size_t length)
{
	assert(length > 0);
	if (mvfs__mem_fails())
		return NULL;
	return advised(mmap(NULL, length, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), length);
}

void *mvfs__pages_grow(void *pages, size_t length, size_t new_length)
{
	assert(new_length > length);
	if (mvfs__mem_fails())
		return NULL;
	return advised(mremap(pages, length, new_length, MREMAP_MAYMOVE),
		       new_length);
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
