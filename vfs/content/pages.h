/* SPDX-License-Identifier: MIT */
/*
 * Anonymous mappings: memory that is zero, that grows without a copy where
 * the system can do that, and that costs nothing until it is touched. One of
 * pages_mremap.c and pages_mmap.c is built.
 *
 * They are for what is large only, and made of whole huge pages. Filling a
 * fresh mapping for the first time, in us, Linux 6.18, a virtual machine:
 *
 *     MiB                                       1     4     8    32
 *     4 KiB pages                             416  1880  2893 12147
 *     the same, MAP_POPULATE                  276  1539  2243 11437
 *     MADV_HUGEPAGE, length as it comes       414  1028   909  4306
 *     MADV_HUGEPAGE, a multiple of 2 MiB      225   219   344  3174
 *     memory that malloc had at hand           32   117     -     -
 *
 * Below 4 MiB rounding up to huge pages would cost more memory than half of
 * what is asked for, and what malloc keeps from an earlier buffer is faster
 * than any fresh page; so there it is malloc.
 *
 * All lengths are from mvfs__pages_round(). Failure is NULL, and then nothing
 * has changed.
 */
#ifndef MVFS__PAGES_H
#define MVFS__PAGES_H

#include "vfs/base/base.h"

#define MVFS__PAGES_MIN ((size_t)4 << 20)
#define MVFS__PAGES_HUGE ((size_t)2 << 20)

/* What to map for `length` bytes; 0 where that overflows. */
static inline size_t mvfs__pages_round(size_t length)
{
	if (length > SIZE_MAX - MVFS__PAGES_HUGE)
		return 0;
	return (length + MVFS__PAGES_HUGE - 1) & ~(MVFS__PAGES_HUGE - 1);
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
