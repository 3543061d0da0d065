/* SPDX-License-Identifier: MIT */
/*
 * uthash as the library's side tables use it: keys are 64-bit numbers, the
 * memory is the library's, and running out of it is no end: the element that
 * could not be added has its `count` set to 0.
 */
#ifndef MVFS__HASH_H
#define MVFS__HASH_H

#include "vfs/mem/mem.h"

#define uthash_malloc(size) mvfs__malloc(size)
#define uthash_free(ptr, size) mvfs__free(ptr)
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) ((element)->count = 0)
/* the numbers are dense: spread them by Fibonacci hashing */
#define HASH_FUNCTION(key, len, hashv) \
	((hashv) = (unsigned)((*(const uint64_t *)(key) * \
			       0x9E3779B97F4A7C15u) >> 32))

#include <uthash.h>

#endif
