/* SPDX-License-Identifier: MIT */
/* Anonymous mappings where growing means a new one and a copy. */
#include "config.h"

#include "vfs/content/pages.h"

#include <string.h>
#include <sys/mman.h>

#include "vfs/mem/mem.h"

void *mvfs__pages_map(size_t length)
{
	void *pages;

	assert(length > 0);
	if (mvfs__mem_fails())
		return NULL;
	pages = mmap(NULL, length, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANON, -1, 0);
	return pages == MAP_FAILED ? NULL : pages;
}

void *mvfs__pages_grow(void *pages, size_t length, size_t new_length)
{
	void *grown;

	assert(new_length > length);
	grown = mvfs__pages_map(new_length);
	if (!grown)
		return NULL;
	memcpy(grown, pages, length);
	mvfs__pages_unmap(pages, length);
	return grown;
}

void mvfs__pages_unmap(void *pages, size_t length)
{
	int failed = munmap(pages, length);

	assert(!failed);
	(void)failed;
}

/* madvise's advice to drop contents is Linux's own meaning of it. */
void mvfs__pages_discard(void *pages, size_t from, size_t to)
{
	assert(from <= to);
	(void)pages;
	(void)from;
	(void)to;
}
