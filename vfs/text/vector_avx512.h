/* SPDX-License-Identifier: MIT */
/* Vectors of 64 bytes with AVX-512, and the bits that stand for their bytes. */
#ifndef MVFS__VECTOR_AVX512_H
#define MVFS__VECTOR_AVX512_H

#include <immintrin.h>

#include "vfs/base/base.h"

#define WIDTH 64
typedef uint8_t vec __attribute__((__vector_size__(WIDTH)));

static inline vec load(const uint8_t *p)
{
	return (vec)_mm512_loadu_si512(p);
}

static inline void store(uint8_t *p, vec v)
{
	_mm512_storeu_si512(p, (__m512i)v);
}

static inline uint64_t high_bits(vec v)
{
	return _mm512_movepi8_mask((__m512i)v);
}

static inline bool any_high(vec v)
{
	return high_bits(v) != 0;
}

static inline unsigned first_high(vec v)
{
	return (unsigned)_tzcnt_u64(high_bits(v));
}

static inline unsigned number_high(vec v)
{
	return (unsigned)_mm_popcnt_u64(high_bits(v));
}

static inline bool any(vec v)
{
	return _mm512_test_epi8_mask((__m512i)v, (__m512i)v) != 0;
}

static inline vec repeat(const uint8_t *row)
{
	return (vec)_mm512_broadcast_i32x4(
		_mm_loadu_si128((const __m128i *)row));
}

static inline vec look_up(vec rows, vec i)
{
	return (vec)_mm512_shuffle_epi8((__m512i)rows, (__m512i)i);
}

static inline vec above(vec v, uint8_t limit)
{
	return (vec)_mm512_subs_epu8((__m512i)v,
				     _mm512_set1_epi8((char)limit));
}

/* The bits of the first n bytes. */
static inline uint64_t first_bits(size_t n)
{
	return n < 64 ? _bzhi_u64(~UINT64_C(0), (unsigned)n) : ~UINT64_C(0);
}

/* The bytes of `bits`, and zeros for the others, which are not read. */
static inline vec load_bits(const uint8_t *p, uint64_t bits)
{
	return (vec)_mm512_maskz_loadu_epi8(bits, p);
}

#endif
