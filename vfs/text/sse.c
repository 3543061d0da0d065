/* SPDX-License-Identifier: MIT */
/* The kernels with SSSE3 and SSE4.1, 16 bytes at a time. */
#include "config.h"

#include <smmintrin.h>

#include "vfs/text/vector_sse.h"

#define WIDTH 16
typedef vec16 vec;
#define load load16
#define store store16
#define look_up shuffle16
#define high_bits high16

static inline bool any_high(vec v)
{
	return high16(v) != 0;
}

static inline unsigned first_high(vec v)
{
	return (unsigned)__builtin_ctz(high16(v));
}

static inline unsigned number_high(vec v)
{
	return (unsigned)__builtin_popcount(high16(v));
}

static inline bool any(vec v)
{
	return !_mm_testz_si128((__m128i)v, (__m128i)v);
}

static inline vec repeat(const uint8_t *row)
{
	return load16(row);
}

static inline vec above(vec v, uint8_t limit)
{
	return (vec)_mm_subs_epu8((__m128i)v, _mm_set1_epi8((char)limit));
}

#include "vfs/text/vector_latin1.h"
#include "vfs/text/vector_short.h"
#include "vfs/text/vector_swap.h"

const struct mvfs__kernels mvfs__kernels_sse = {
	.name = "sse",
	.ascii = vector_ascii,
	.utf8 = vector_utf8,
	.copy_ascii = vector_copy_ascii,
	.count_high = vector_count_high,
	.swap = vector_swap,
	.line_bits = vector_line_bits,
	.latin1_decode = vector_latin1_decode,
	.latin1_encode = vector_latin1_encode,
	.gbk_decode = mvfs__sse_gbk_decode,
	.utf16le_decode = mvfs__portable_utf16le_decode,
	.utf16be_decode = mvfs__portable_utf16be_decode,
	.utf16le_length = mvfs__portable_utf16le_length,
	.utf16be_length = mvfs__portable_utf16be_length,
	.utf16le_encode = mvfs__portable_utf16le_encode,
	.utf16be_encode = mvfs__portable_utf16be_encode,
};
