/* SPDX-License-Identifier: MIT */
/* The interface of slab.h, where malloc is wanted for every value. */
#include "config.h"

#include "vfs/mem/slab.h"

#define BLOCK_ALIGN 16u /* malloc's step from one size to the next ... */
#define BLOCK_HEAD sizeof(size_t) /* ... and what it takes of each */

void *mvfs__slab_alloc(size_t size)
{
	assert(size > 0);
	return mvfs__malloc(size);
}

void mvfs__slab_free(void *ptr, size_t size)
{
	assert(ptr && size > 0);
	(void)size;
	mvfs__free(ptr);
}

size_t mvfs__slab_fill(size_t size)
{
	size += BLOCK_HEAD + BLOCK_ALIGN - 1;
	return size - size % BLOCK_ALIGN - BLOCK_HEAD;
}

void mvfs__slab_at_fork(void)
{
}
