/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "vfs/mem/mem.h"

#include <stdlib.h>
#include <string.h>

MVFS__SMALL_TLS _Thread_local struct mvfs__mem_thread mvfs__mem_thread;

static uint64_t so_far(void)
{
	return atomic_load_explicit(&mvfs__mem_thread.allocations,
				    memory_order_relaxed);
}

bool mvfs__mem_fails(void)
{
	struct mvfs__mem_thread *t = &mvfs__mem_thread;

	mvfs__mem_count(allocations, 1);
	if (mvfs__likely(so_far() != t->fail_at))
		return false;
	t->fail_failed++;
	return true;
}

void mvfs__mem_fail_at(uint64_t n)
{
	struct mvfs__mem_thread *t = &mvfs__mem_thread;

	t->fail_at = n ? so_far() + n : 0;
}

void *mvfs__malloc(size_t size)
{
	return mvfs__mem_fails() ? NULL : malloc(size);
}

void *mvfs__calloc(size_t count, size_t size)
{
	return mvfs__mem_fails() ? NULL : calloc(count, size);
}

void *mvfs__realloc(void *ptr, size_t size)
{
	assert(size > 0);
	return mvfs__mem_fails() ? NULL : realloc(ptr, size);
}

void mvfs__free(void *ptr)
{
	free(ptr);
}

void *mvfs__memalign(size_t align, size_t size)
{
	void *ptr;

	if (mvfs__mem_fails() || posix_memalign(&ptr, align, size))
		return NULL;
	return ptr;
}

void *mvfs__memdup(const void *bytes, size_t size)
{
	void *copy = mvfs__malloc(size ? size : 1);

	if (copy && size)
		memcpy(copy, bytes, size);
	return copy;
}
