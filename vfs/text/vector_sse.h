/* SPDX-License-Identifier: MIT */
/*
 * Vectors of 16 bytes on x86, with SSSE3; with AVX2 the same instructions in
 * their form with three operands.
 */
#ifndef MVFS__VECTOR_SSE_H
#define MVFS__VECTOR_SSE_H

#include <tmmintrin.h>

#include "vfs/base/base.h"

typedef uint8_t vec16 __attribute__((__vector_size__(16)));

static inline vec16 load16(const uint8_t *p)
{
	return (vec16)_mm_loadu_si128((const __m128i *)p);
}

static inline void store16(uint8_t *p, vec16 v)
{
	_mm_storeu_si128((__m128i *)p, (__m128i)v);
}

static inline unsigned high16(vec16 v)
{
	return (unsigned)_mm_movemask_epi8((__m128i)v);
}

static inline vec16 shuffle16(vec16 v, vec16 i)
{
	return (vec16)_mm_shuffle_epi8((__m128i)v, (__m128i)i);
}

static inline vec16 pairs_low16(vec16 a, vec16 b)
{
	return (vec16)_mm_unpacklo_epi8((__m128i)a, (__m128i)b);
}

static inline vec16 pairs_high16(vec16 a, vec16 b)
{
	return (vec16)_mm_unpackhi_epi8((__m128i)a, (__m128i)b);
}

static inline vec16 one_before16(vec16 v, vec16 w)
{
	return (vec16)_mm_alignr_epi8((__m128i)w, (__m128i)v, 15);
}

#endif
