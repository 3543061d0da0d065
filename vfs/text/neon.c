/* SPDX-License-Identifier: MIT */
/* The kernels with NEON, as every 64-bit ARM has it, 16 bytes at a time. */
#include "config.h"

#include <arm_neon.h>

#include "vfs/text/vector.h"

typedef uint8_t vec16 __attribute__((__vector_size__(16)));

static inline vec16 load16(const uint8_t *p)
{
	return (vec16)vld1q_u8(p);
}

static inline void store16(uint8_t *p, vec16 v)
{
	vst1q_u8(p, (uint8x16_t)v);
}

static inline unsigned high16(vec16 v)
{
	static const uint8_t weights[16] = {
		1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128
	};
	uint8x16_t high = vreinterpretq_u8_s8(vshrq_n_s8((int8x16_t)v, 7));
	uint8x16_t bits = vandq_u8(high, vld1q_u8(weights));

	return (unsigned)vaddv_u8(vget_low_u8(bits)) |
	       (unsigned)vaddv_u8(vget_high_u8(bits)) << 8;
}

static inline vec16 shuffle16(vec16 v, vec16 i)
{
	return (vec16)vqtbl1q_u8((uint8x16_t)v, (uint8x16_t)i);
}

static inline vec16 pairs_low16(vec16 a, vec16 b)
{
	return (vec16)vzip1q_u8((uint8x16_t)a, (uint8x16_t)b);
}

static inline vec16 pairs_high16(vec16 a, vec16 b)
{
	return (vec16)vzip2q_u8((uint8x16_t)a, (uint8x16_t)b);
}

static inline vec16 one_before16(vec16 v, vec16 w)
{
	return (vec16)vextq_u8((uint8x16_t)v, (uint8x16_t)w, 15);
}

#define WIDTH 16
typedef vec16 vec;
#define load load16
#define store store16
#define look_up shuffle16
#define high_bits high16

static inline bool any_high(vec v)
{
	return vmaxvq_u8((uint8x16_t)v) >= 0x80;
}

/* Four bits for each byte: there is no instruction that takes one. */
static inline unsigned first_high(vec v)
{
	uint16x8_t high = vreinterpretq_u16_s8(vshrq_n_s8((int8x16_t)v, 7));
	uint64x1_t bits = vreinterpret_u64_u8(vshrn_n_u16(high, 4));

	return (unsigned)__builtin_ctzll(vget_lane_u64(bits, 0)) / 4;
}

static inline unsigned number_high(vec v)
{
	return vaddvq_u8(vshrq_n_u8((uint8x16_t)v, 7));
}

static inline bool any(vec v)
{
	return vmaxvq_u8((uint8x16_t)v) != 0;
}

static inline vec repeat(const uint8_t *row)
{
	return load16(row);
}

static inline vec above(vec v, uint8_t limit)
{
	return (vec)vqsubq_u8((uint8x16_t)v, vdupq_n_u8(limit));
}

#include "vfs/text/vector_latin1.h"
#include "vfs/text/vector_short.h"
#include "vfs/text/vector_swap.h"

const struct mvfs__kernels mvfs__kernels_neon = {
	.name = "neon",
	.ascii = vector_ascii,
	.utf8 = vector_utf8,
	.copy_ascii = vector_copy_ascii,
	.count_high = vector_count_high,
	.swap = vector_swap,
	.line_bits = vector_line_bits,
	.latin1_decode = vector_latin1_decode,
	.latin1_encode = vector_latin1_encode,
	.gbk_decode = mvfs__portable_gbk_decode,
	.utf16le_decode = mvfs__portable_utf16le_decode,
	.utf16be_decode = mvfs__portable_utf16be_decode,
	.utf16le_length = mvfs__portable_utf16le_length,
	.utf16be_length = mvfs__portable_utf16be_length,
	.utf16le_encode = mvfs__portable_utf16le_encode,
	.utf16be_encode = mvfs__portable_utf16be_encode,
};
