/* SPDX-License-Identifier: MIT */
/*
 * Anonymous mappings: memory that is zero, that grows without a copy where
 * the system can do that, and that costs nothing until it is touched. One of
 * pages_mremap.c and pages_mmap.c is built.
 *
 * Lengths need not be whole pages; the rest of the last page is usable by
 * nobody. Failure is NULL, and then nothing has changed.
 */
#ifndef MVFS__PAGES_H
#define MVFS__PAGES_H

#include "vfs/base/base.h"

/*
 * From here on mappings are advised to use huge pages and are made of whole
 * ones.
 */
#define MVFS__PAGES_HUGE ((size_t)2 << 20)
#define MVFS__PAGES_HUGE_FROM ((size_t)4 << 20)

/* What to map for `length` bytes; 0 where that overflows. */
static inline size_t mvfs__pages_round(size_t length)
{
	size_t unit = length >= MVFS__PAGES_HUGE_FROM ? MVFS__PAGES_HUGE
						      : (size_t)MVFS__BLOCK;

	if (length > SIZE_MAX - unit)
		return 0;
	return (length + unit - 1) / unit * unit;
}

void *mvfs__pages_map(size_t length);

/* Bytes behind `length` are zero. The address may change. */
void *mvfs__pages_grow(void *pages, size_t length, size_t new_length);

void mvfs__pages_unmap(void *pages, size_t length);

/*
 * Gives the memory of the whole pages inside [from, to) back; they read as
 * zero or as they were. Cannot fail.
 */
void mvfs__pages_discard(void *pages, size_t from, size_t to);

#endif
