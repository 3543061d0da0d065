/* SPDX-License-Identifier: MIT */
/*
 * Eight bytes of text at a time, in portable C. A word is little-endian
 * whatever the machine is: the first byte of the text is the lowest. (Put
 * together from bytes, it would be eight stores: GCC 12 does not join them.)
 */
#ifndef MVFS__WORD_H
#define MVFS__WORD_H

#include <string.h>

#include "vfs/base/base.h"

#define MVFS__HIGH_BITS UINT64_C(0x8080808080808080)

/* A word as it is in memory, or the other way round. */
static inline uint64_t mvfs__word_swap(uint64_t word)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ?
		       word : __builtin_bswap64(word);
}

static inline uint64_t mvfs__word_load(const uint8_t *p)
{
	return mvfs__word_swap(mvfs__load64(p));
}

static inline void mvfs__word_store(uint8_t *p, uint64_t word)
{
	word = mvfs__word_swap(word);
	memcpy(p, &word, sizeof(word));
}

/* In whatever order: for tests of all eight bytes at once. */
static inline uint64_t mvfs__word_load_any(const uint8_t *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return word;
}

/* Which bytes of a loaded word are not ASCII, as their high bits. */
static inline uint64_t mvfs__word_high(uint64_t word)
{
	return word & MVFS__HIGH_BITS;
}

/* How many leading bytes are ASCII; `high` is not 0. */
static inline unsigned mvfs__word_ascii(uint64_t high)
{
	assert(high != 0);
	return (unsigned)__builtin_ctzll(high) / 8;
}

#endif
