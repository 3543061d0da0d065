/* SPDX-License-Identifier: MIT */
/* The kernels with AVX-512 (with VBMI and VBMI2), 64 bytes at a time. */
#include "config.h"

#include <immintrin.h>

#include "vfs/text/vector.h"

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

#include "vfs/text/vector_utf8.h"

/* The bits of n bytes. */
static inline uint64_t first_bits(size_t n)
{
	return _bzhi_u64(~UINT64_C(0), (unsigned)n);
}

/* n < 64 bytes, behind them zeros, which are not read. */
static inline vec load_part(const uint8_t *p, size_t n)
{
	return (vec)_mm512_maskz_loadu_epi8(first_bits(n), p);
}

static inline size_t short_ascii(const uint8_t *bytes, size_t length)
{
	uint64_t found = high_bits(load_part(bytes, length));

	return _tzcnt_u64(found | ~first_bits(length));
}

static inline size_t short_copy_ascii(uint8_t *to, const uint8_t *from,
				      size_t length)
{
	vec v = load_part(from, length);

	store(to, v);
	return _tzcnt_u64(high_bits(v) | ~first_bits(length));
}

static inline size_t short_count_high(const uint8_t *bytes, size_t length)
{
	return number_high(load_part(bytes, length));
}

/* Nothing before p is read either. */
static inline vec first_flaws(const uint8_t *p, uint64_t bits)
{
	return flaws((vec)_mm512_maskz_loadu_epi8(bits, p),
		     (vec)_mm512_maskz_loadu_epi8(bits << 1, p - 1),
		     (vec)_mm512_maskz_loadu_epi8(bits << 2, p - 2),
		     (vec)_mm512_maskz_loadu_epi8(bits << 3, p - 3));
}

static inline vec short_flaws(const uint8_t *bytes, size_t length)
{
	const uint8_t *p = bytes + WIDTH;
	size_t n = length - WIDTH;

	if (length < WIDTH)
		return first_flaws(bytes, first_bits(length));
	return first_flaws(bytes, ~UINT64_C(0)) |
	       flaws(load_part(p, n), load_part(p - 1, n + 1),
		     load_part(p - 2, n + 2), load_part(p - 3, n + 3));
}

const struct mvfs__kernels mvfs__kernels_avx512 = {
	.name = "avx512",
	.ascii = vector_ascii,
	.utf8 = vector_utf8,
	.copy_ascii = vector_copy_ascii,
	.count_high = vector_count_high,
	.latin1_decode = mvfs__avx512_latin1_decode,
	.latin1_encode = mvfs__avx512_latin1_encode,
	.gbk_decode = mvfs__avx512_gbk_decode,
	.utf16le_decode = mvfs__portable_utf16le_decode,
	.utf16be_decode = mvfs__portable_utf16be_decode,
	.utf16le_length = mvfs__portable_utf16le_length,
	.utf16be_length = mvfs__portable_utf16be_length,
	.utf16le_encode = mvfs__portable_utf16le_encode,
	.utf16be_encode = mvfs__portable_utf16be_encode,
};
