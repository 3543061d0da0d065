/* SPDX-License-Identifier: MIT */
/*
 * ISO-8859-1 with AVX-512: each byte becomes two slots, and those that are
 * not needed are squeezed out; or the lead bytes are. They are squeezed in a
 * register, which is stored whole: with memory as its target the instruction
 * takes more than a hundred cycles on some processors.
 */
#include "config.h"

#include "vfs/text/vector.h"
#include "vfs/text/vector_avx512.h"

/* 32 bytes, of which those in `high` are 0x80 or above. */
static inline uint8_t *put_32(uint8_t *to, __m256i bytes, uint32_t high)
{
	__m512i slots = _mm512_cvtepu8_epi16(bytes);
	/* C2 or C3 from the upper two bits, and the rest with 80 */
	__m512i lead = _mm512_or_si512(_mm512_srli_epi16(slots, 6),
				       _mm512_set1_epi16(0x00c0));
	__m512i trail = _mm512_and_si512(_mm512_slli_epi16(slots, 8),
					 _mm512_set1_epi16((short)0xbf00));
	__mmask64 used;

	slots = _mm512_mask_mov_epi16(slots, high,
				      _mm512_or_si512(lead, trail));
	/* all first slots, and the second ones that are not 0 */
	used = _mm512_test_epi8_mask(
		_mm512_or_si512(slots, _mm512_set1_epi16(0x00ff)),
		_mm512_set1_epi8(-1));
	_mm512_storeu_si512(to, _mm512_maskz_compress_epi8(used, slots));
	return to + 32 + _mm_popcnt_u32(high);
}

void mvfs__avx512_latin1_decode(struct mvfs__convert *c)
{
	uint8_t *to = c->to;
	const uint8_t *from = c->from;
	size_t n;
	uint64_t high;
	__m512i v;

	for (; c->end - from >= 64; from += 64) {
		v = _mm512_loadu_si512(from);
		high = _mm512_movepi8_mask(v);
		if (!high) {
			_mm512_storeu_si512(to, v);
			to += 64;
			continue;
		}
		to = put_32(to, _mm512_castsi512_si256(v), (uint32_t)high);
		to = put_32(to, _mm512_extracti64x4_epi64(v, 1),
			    (uint32_t)(high >> 32));
	}
	n = (size_t)(c->end - from);
	v = (__m512i)load_bits(from, first_bits(n));
	high = _mm512_movepi8_mask(v);
	put_32(to, _mm512_castsi512_si256(v), (uint32_t)high);
	if (n > 32)
		put_32(to + 32 + _mm_popcnt_u32((uint32_t)high),
		       _mm512_extracti64x4_epi64(v, 1),
		       (uint32_t)(high >> 32));
	c->to = to + n + _mm_popcnt_u64(high);
	c->from = c->end;
}

/* 64 bytes of UTF-8, as bits that stand for them. */
struct utf8_64 {
	__m512i v;
	uint64_t high, lead, lead_c3;
	uint64_t behind, behind_c3; /* just behind a lead */
	uint64_t wrong; /* in no character up to U+00FF, as far as seen */
};

/* They come behind those of `b`. */
static inline void look(struct utf8_64 *b, __m512i v)
{
	__m512i even = _mm512_and_si512(v, _mm512_set1_epi8((char)0xfe));
	uint64_t trail = _mm512_cmplt_epi8_mask(
		v, _mm512_set1_epi8((char)0xc0));
	uint64_t carry = b->lead >> 63, carry_c3 = b->lead_c3 >> 63;

	b->v = v;
	b->high = _mm512_movepi8_mask(v);
	b->lead = _mm512_cmpeq_epi8_mask(even, _mm512_set1_epi8((char)0xc2));
	b->lead_c3 = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8((char)0xc3));
	b->behind = b->lead << 1 | carry;
	b->behind_c3 = b->lead_c3 << 1 | carry_c3;
	b->wrong = (b->high & ~(b->lead | trail)) | (trail ^ b->behind);
}

/* Those of the bytes that are in `part`. */
static inline uint8_t *encode(uint8_t *to, const struct utf8_64 *b,
			      uint64_t part)
{
	__m512i v = _mm512_mask_add_epi8(b->v, b->behind_c3, b->v,
					 _mm512_set1_epi8(0x40));

	part &= ~b->lead;
	_mm512_storeu_si512(to, _mm512_maskz_compress_epi8(part, v));
	return to + _mm_popcnt_u64(part);
}

void mvfs__avx512_latin1_encode(struct mvfs__convert *c)
{
	const uint8_t *from = c->from;
	uint8_t *to = c->to;
	struct utf8_64 b = { 0 };
	uint64_t part;
	size_t n;

	for (; c->end - from >= 64; from += 64) {
		look(&b, _mm512_loadu_si512(from));
		if (b.wrong)
			break;
		if (b.high) {
			to = encode(to, &b, ~UINT64_C(0));
		} else {
			_mm512_storeu_si512(to, b.v);
			to += 64;
		}
	}
	part = first_bits((size_t)(c->end - from));
	if (!b.wrong)
		look(&b, (__m512i)load_bits(from, part));
	n = _tzcnt_u64(b.wrong | ~part);
	c->to = encode(to, &b, first_bits(n));
	/* a lead that has no trail is not passed, wherever it was */
	c->from = from + n - (b.behind >> n & 1);
}
