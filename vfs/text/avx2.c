/* SPDX-License-Identifier: MIT */
/* The kernels with AVX2, 32 bytes at a time. */
#include "config.h"

#include <immintrin.h>

#include "vfs/text/vector.h"

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

#include "vfs/text/vector_short.h"

const struct mvfs__kernels mvfs__kernels_avx2 = {
	.name = "avx2",
	.ascii = vector_ascii,
	.utf8 = vector_utf8,
	.copy_ascii = vector_copy_ascii,
	.count_high = vector_count_high,
	.latin1_decode = mvfs__avx2_latin1_decode,
	.latin1_encode = mvfs__avx2_latin1_encode,
	.gbk_decode = mvfs__avx2_gbk_decode,
	.utf16le_decode = mvfs__portable_utf16le_decode,
	.utf16be_decode = mvfs__portable_utf16be_decode,
	.utf16le_length = mvfs__portable_utf16le_length,
	.utf16be_length = mvfs__portable_utf16be_length,
	.utf16le_encode = mvfs__portable_utf16le_encode,
	.utf16be_encode = mvfs__portable_utf16be_encode,
};
