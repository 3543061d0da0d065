/* SPDX-License-Identifier: MIT */
/* Vectors of 32 bytes with AVX2. */
#ifndef MVFS__VECTOR_AVX2_H
#define MVFS__VECTOR_AVX2_H

#include <immintrin.h>

#include "vfs/base/base.h"

#define WIDTH 32
typedef uint8_t vec __attribute__((__vector_size__(WIDTH)));

static inline vec load(const uint8_t *p)
{
	return (vec)_mm256_loadu_si256((const __m256i *)p);
}

static inline void store(uint8_t *p, vec v)
{
	_mm256_storeu_si256((__m256i *)p, (__m256i)v);
}

static inline uint32_t high_bits(vec v)
{
	return (uint32_t)_mm256_movemask_epi8((__m256i)v);
}

static inline bool any_high(vec v)
{
	return high_bits(v) != 0;
}

static inline unsigned first_high(vec v)
{
	return _tzcnt_u32(high_bits(v));
}

static inline unsigned number_high(vec v)
{
	return (unsigned)_mm_popcnt_u32(high_bits(v));
}

static inline bool any(vec v)
{
	return !_mm256_testz_si256((__m256i)v, (__m256i)v);
}

static inline vec repeat(const uint8_t *row)
{
	return (vec)_mm256_broadcastsi128_si256(
		_mm_loadu_si128((const __m128i *)row));
}

static inline vec look_up(vec rows, vec i)
{
	return (vec)_mm256_shuffle_epi8((__m256i)rows, (__m256i)i);
}

static inline vec above(vec v, uint8_t limit)
{
	return (vec)_mm256_subs_epu8((__m256i)v,
				     _mm256_set1_epi8((char)limit));
}

#endif
