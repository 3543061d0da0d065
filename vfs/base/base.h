/* SPDX-License-Identifier: MIT */
/*
 * Small things that every module needs: checked arithmetic and the few
 * compiler hints that carry meaning.
 */
#ifndef MVFS__BASE_H
#define MVFS__BASE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define mvfs__likely(x) __builtin_expect(!!(x), 1)
#define mvfs__unlikely(x) __builtin_expect(!!(x), 0)

/*
 * For per-thread variables of a few bytes: reached without a call even in a
 * shared library. One such makes dlopen(3) find room for all that the library
 * has, in less than 2 KiB, so a large one must not be there at all.
 */
#define MVFS__SMALL_TLS __attribute__((__tls_model__("initial-exec")))

/* The unit of allocation that stat's st_blocks and SEEK_DATA show. */
#define MVFS__BLOCK 4096u

/* Largest size of a file: what a signed 64-bit offset can name. */
#define MVFS__SIZE_MAX ((uint64_t)INT64_MAX)

/* *sum = a + b; true when that overflows. */
static inline bool mvfs__add_overflow(size_t a, size_t b, size_t *sum)
{
	return __builtin_add_overflow(a, b, sum);
}

static inline bool mvfs__mul_overflow(size_t a, size_t b, size_t *product)
{
	return __builtin_mul_overflow(a, b, product);
}

static inline uint64_t mvfs__min64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t mvfs__max64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Bytes of any address as a word, in the machine's order. */
static inline uint64_t mvfs__load64(const void *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return word;
}

static inline uint32_t mvfs__load32(const void *p)
{
	uint32_t word;

	memcpy(&word, p, sizeof(word));
	return word;
}

/* The size of a struct that ends with that member: of an earlier version. */
#define MVFS__UP_TO(type, member) \
	(offsetof(type, member) + sizeof(((type *)NULL)->member))

/* The struct of type `type` whose member `member` is at `ptr`. */
#define mvfs__container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))

#endif
