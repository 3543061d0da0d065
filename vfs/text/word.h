/* SPDX-License-Identifier: MIT */
/*
 * Eight bytes of text at a time, in portable C. A word is little-endian
 * whatever the machine is: the first byte of the text is the lowest. The
 * compilers make one load or store of it (and a byte swap where needed).
 */
#ifndef MVFS__WORD_H
#define MVFS__WORD_H

#include <string.h>

#include "vfs/base/base.h"

#define MVFS__HIGH_BITS UINT64_C(0x8080808080808080)

static inline uint64_t mvfs__word_load(const uint8_t *p)
{
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 |
	       (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
	       (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
	       (uint64_t)p[7] << 56;
}

static inline void mvfs__word_store(uint8_t *p, uint64_t word)
{
	p[0] = (uint8_t)word;
	p[1] = (uint8_t)(word >> 8);
	p[2] = (uint8_t)(word >> 16);
	p[3] = (uint8_t)(word >> 24);
	p[4] = (uint8_t)(word >> 32);
	p[5] = (uint8_t)(word >> 40);
	p[6] = (uint8_t)(word >> 48);
	p[7] = (uint8_t)(word >> 56);
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
