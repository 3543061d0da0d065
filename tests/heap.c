/* SPDX-License-Identifier: MIT */
/* See heap.h; glibc lets a program have malloc, and keeps its own at hand. */
#include "config.h"

#include "tests/heap.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *ptr, size_t size);
void *__libc_memalign(size_t align, size_t size);
void __libc_free(void *ptr);

static _Thread_local uint64_t calls;
static atomic_llong live;

static void *given(void *ptr)
{
	calls++;
	if (ptr)
		atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
	return ptr;
}

void *malloc(size_t size)
{
	return given(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
	return given(__libc_calloc(count, size));
}

void *realloc(void *ptr, size_t size)
{
	if (!ptr)
		return malloc(size);
	calls++;
	if (!size)
		atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
	return __libc_realloc(ptr, size);
}

void *aligned_alloc(size_t align, size_t size)
{
	return given(__libc_memalign(align, size));
}

int posix_memalign(void **ptr, size_t align, size_t size)
{
	void *memory = aligned_alloc(align, size);

	if (!memory)
		return ENOMEM;
	*ptr = memory;
	return 0;
}

void free(void *ptr)
{
	if (ptr)
		atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
	__libc_free(ptr);
}

bool heap_is_counted(void)
{
	return true;
}

uint64_t heap_calls(void)
{
	return calls;
}

int64_t heap_live(void)
{
	return atomic_load(&live);
}
