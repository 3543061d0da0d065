/* SPDX-License-Identifier: MIT */
/*
 * UTF-16 and UTF-8 with AVX2, both orders of the bytes: as in
 * avx512_utf16.c, but what there is squeezed out in one instruction is left
 * out by shuffles here, of four slots or eight units. No slot may be empty
 * then, so each half of a pair makes two bytes.
 */
#include "config.h"

#include "vfs/text/vector.h"
#include "vfs/text/vector_avx2.h"

#include "vfs/text/vector_flaws.h"
#include "vfs/text/vector_squeeze.h"

#define AND _mm256_and_si256
#define OR _mm256_or_si256
#define LANES(x) _mm256_set1_epi32((int)(x))

/* v, one place on, behind a zero; and so on. */
#define BEHIND(v, places)                                                  \
	((vec)_mm256_alignr_epi8(                                          \
		(__m256i)(v),                                              \
		_mm256_permute2x128_si256((__m256i)(v), (__m256i)(v), 0x08), \
		16 - (places)))

static inline __m256i swap_if(__m256i v, bool big)
{
	const __m256i i = _mm256_set_epi64x(
		0x0e0f0c0d0a0b0809, 0x0607040502030001,
		0x0e0f0c0d0a0b0809, 0x0607040502030001);

	return big ? _mm256_shuffle_epi8(v, i) : v;
}

static inline __m256i load_units(const uint8_t *p, bool big)
{
	return swap_if(_mm256_loadu_si256((const __m256i *)p), big);
}

/* Two bits for each unit that is x under the mask. */
static inline uint32_t equal_units(__m256i v, uint16_t mask, uint16_t x)
{
	v = AND(v, _mm256_set1_epi16((short)mask));
	v = _mm256_cmpeq_epi16(v, _mm256_set1_epi16((short)x));
	return (uint32_t)_mm256_movemask_epi8(v);
}

/*
 * Eight units that are no surrogates as UTF-8, in the front of their slots;
 * how long they are, less 1, as two words of 0 or -1.
 */
static inline __m256i spread_8(__m128i units, __m256i *lengths)
{
	__m256i c = _mm256_cvtepu16_epi32(units);
	__m256i is_two = _mm256_cmpgt_epi32(c, LANES(0x7f));
	__m256i is_three = _mm256_cmpgt_epi32(c, LANES(0x7ff));
	__m256i two = OR(_mm256_srli_epi32(c, 6),
			 AND(_mm256_slli_epi32(c, 8), LANES(0x3f00)));
	__m256i three = OR(_mm256_srli_epi32(c, 12),
			   OR(AND(_mm256_slli_epi32(c, 2), LANES(0x3f00)),
			      AND(_mm256_slli_epi32(c, 16), LANES(0x3f0000))));

	*lengths = _mm256_blend_epi16(_mm256_andnot_si256(is_three, is_two),
				      is_three, 0xaa);
	c = _mm256_blendv_epi8(c, OR(two, LANES(0x80c0)), is_two);
	return _mm256_blendv_epi8(c, OR(three, LANES(0x8080e0)), is_three);
}

/*
 * The same of any units, with those before them. A pair is twice two bytes:
 * of the low surrogate's, the first has two bits of the high one.
 */
static inline __m256i spread_pairs_8(__m128i units, __m128i before,
				     __m256i *lengths)
{
	__m256i slots = spread_8(units, lengths);
	__m256i c = _mm256_cvtepu16_epi32(units);
	__m256i kind = AND(c, LANES(0xfc00));
	__m256i is_high = _mm256_cmpeq_epi32(kind, LANES(0xd800));
	__m256i is_low = _mm256_cmpeq_epi32(kind, LANES(0xdc00));
	/* without what surrogates begin at, and with the U+10000 */
	__m256i top = _mm256_sub_epi32(c, LANES(0xd7c0));
	__m256i high = OR(_mm256_srli_epi32(top, 8),
			  AND(_mm256_slli_epi32(top, 6), LANES(0x3f00)));
	__m256i low = OR(AND(_mm256_srli_epi32(c, 6), LANES(0x0f)),
			 AND(_mm256_slli_epi32(c, 8), LANES(0x3f00)));
	__m256i middle = _mm256_slli_epi32(_mm256_cvtepu16_epi32(before), 4);

	low = OR(low, AND(middle, LANES(0x30)));
	*lengths = _mm256_blendv_epi8(*lengths, LANES(0xffff),
				      OR(is_high, is_low));
	slots = _mm256_blendv_epi8(slots, OR(high, LANES(0x80f0)), is_high);
	return _mm256_blendv_epi8(slots, OR(low, LANES(0x8080)), is_low);
}

/* Four slots and four more, whose lengths are those of rows `a` and `b`. */
static inline __m256i bring_together(__m256i slots, uint8_t a, uint8_t b)
{
	const __m128i *rows = (const __m128i *)mvfs__slot_orders;
	__m256i i = _mm256_inserti128_si256(
		_mm256_castsi128_si256(_mm_load_si128(rows + a)),
		_mm_load_si128(rows + b), 1);

	return _mm256_shuffle_epi8(slots, i);
}

/* Eight slots and eight more, and their lengths. */
static inline uint8_t *put_slots(uint8_t *to, __m256i a, __m256i b,
				 __m256i lengths_a, __m256i lengths_b)
{
	uint32_t m, sums;

	/* of the slots 0 to 3 of a, of b, and 4 to 7 of a, of b */
	m = (uint32_t)_mm256_movemask_epi8(
		_mm256_packs_epi16(lengths_a, lengths_b));
	sums = (m & 0x33333333) + (m >> 2 & 0x33333333);
	sums = ((sums + (sums >> 4)) & 0x0f0f0f0f) + 0x04040404;
	a = bring_together(a, (uint8_t)m, (uint8_t)(m >> 16));
	b = bring_together(b, (uint8_t)(m >> 8), (uint8_t)(m >> 24));
	_mm_storeu_si128((__m128i *)to, _mm256_castsi256_si128(a));
	to += sums & 0xff;
	_mm_storeu_si128((__m128i *)to, _mm256_extracti128_si256(a, 1));
	to += sums >> 16 & 0xff;
	_mm_storeu_si128((__m128i *)to, _mm256_castsi256_si128(b));
	to += sums >> 8 & 0xff;
	_mm_storeu_si128((__m128i *)to, _mm256_extracti128_si256(b, 1));
	return to + (sums >> 24);
}

static inline uint8_t *put_16(uint8_t *to, __m256i v)
{
	__m256i lengths_a, lengths_b, a, b;

	a = spread_8(_mm256_castsi256_si128(v), &lengths_a);
	b = spread_8(_mm256_extracti128_si256(v, 1), &lengths_b);
	return put_slots(to, a, b, lengths_a, lengths_b);
}

static inline uint8_t *put_pairs_16(uint8_t *to, __m256i v)
{
	__m256i before = (__m256i)BEHIND(v, 2);
	__m256i lengths_a, lengths_b, a, b;

	a = spread_pairs_8(_mm256_castsi256_si128(v),
			   _mm256_castsi256_si128(before), &lengths_a);
	b = spread_pairs_8(_mm256_extracti128_si256(v, 1),
			   _mm256_extracti128_si256(before, 1), &lengths_b);
	return put_slots(to, a, b, lengths_a, lengths_b);
}

static inline uint8_t *put_ascii_16(uint8_t *to, __m256i v)
{
	v = _mm256_permute4x64_epi64(_mm256_packus_epi16(v, v), 0x08);
	_mm_storeu_si128((__m128i *)to, _mm256_castsi256_si128(v));
	return to + 16;
}

static inline void decode(struct mvfs__convert *c, mvfs__stretch_fn *portable,
			  bool big)
{
	const uint8_t *from = c->from;
	uint8_t *to = c->to;
	uint32_t high, all;
	__m256i v;

	for (; c->end - from >= 32; from += 32) {
		v = load_units(from, big);
		all = equal_units(v, 0xf800, 0xd800);
		if (all) {
			high = equal_units(v, 0xfc00, 0xd800);
			if ((all & ~high) != high << 2)
				break;
			to = put_pairs_16(to, v);
			/* without a half at the end */
			to -= high >> 31 ? 2 : 0;
			from -= high >> 31 ? 2 : 0;
		} else if (equal_units(v, 0xff80, 0) == UINT32_MAX) {
			to = put_ascii_16(to, v);
		} else {
			to = put_16(to, v);
		}
	}
	c->from = from;
	c->to = to;
	/* the end, or up to the flaw */
	portable(c);
}

void mvfs__avx2_utf16le_decode(struct mvfs__convert *c)
{
	decode(c, mvfs__portable_utf16le_decode, false);
}

void mvfs__avx2_utf16be_decode(struct mvfs__convert *c)
{
	decode(c, mvfs__portable_utf16be_decode, true);
}

/* Of whole vectors; `length` is a multiple of theirs. */
static inline size_t length_of(const uint8_t *bytes, size_t length, bool big)
{
	size_t sum = 0, i;
	__m256i v;

	for (i = 0; i < length; i += 32) {
		v = load_units(bytes + i, big);
		/* three each, less what it is not */
		sum += 48;
		sum -= (_mm_popcnt_u32(equal_units(v, 0xff80, 0)) +
			_mm_popcnt_u32(equal_units(v, 0xf800, 0)) +
			_mm_popcnt_u32(equal_units(v, 0xf800, 0xd800))) / 2u;
	}
	return sum;
}

size_t mvfs__avx2_utf16le_length(const uint8_t *bytes, size_t length)
{
	size_t whole = length / 32 * 32;

	return length_of(bytes, whole, false) +
	       mvfs__portable_utf16le_length(bytes + whole, length - whole);
}

size_t mvfs__avx2_utf16be_length(const uint8_t *bytes, size_t length)
{
	size_t whole = length / 32 * 32;

	return length_of(bytes, whole, true) +
	       mvfs__portable_utf16be_length(bytes + whole, length - whole);
}

/* Eight units, and eight more, without those in `a` and in `b`. */
static inline uint8_t *put_without(uint8_t *to, __m256i units, uint8_t a,
				   uint8_t b)
{
	__m256i i = _mm256_cvtepu8_epi16(_mm_set_epi64x(
		(long long)squeeze[b], (long long)squeeze[a]));

	/* places of bytes, from those of units */
	i = _mm256_add_epi16(_mm256_mullo_epi16(i, _mm256_set1_epi16(0x0202)),
			     _mm256_set1_epi16(0x0100));
	units = _mm256_shuffle_epi8(units, i);
	_mm_storeu_si128((__m128i *)to, _mm256_castsi256_si128(units));
	to += 16 - 2 * _mm_popcnt_u32(a);
	_mm_storeu_si128((__m128i *)to, _mm256_extracti128_si256(units, 1));
	return to + 16 - 2 * _mm_popcnt_u32(b);
}

static inline uint8_t *encode_ascii(uint8_t *to, __m256i v, bool big)
{
	__m256i a = _mm256_cvtepu8_epi16(_mm256_castsi256_si128(v));
	__m256i b = _mm256_cvtepu8_epi16(_mm256_extracti128_si256(v, 1));

	_mm256_storeu_si256((__m256i *)to, swap_if(a, big));
	_mm256_storeu_si256((__m256i *)(to + 32), swap_if(b, big));
	return to + 64;
}

/* The two bytes of the unit that ends at each byte. */
struct joined {
	vec low, high;
	uint32_t ends; /* where one does */
};

/* Well-formed text: v, and what is one and two bytes before. */
static inline struct joined join(vec v, vec v1, vec v2, vec is_trail)
{
	struct joined j;

	v &= ~(is_trail & 0x80);
	v1 &= is_trail & 0x3f;
	v2 &= is_trail & BEHIND(is_trail, 1);
	j.low = v | v1 << 6;
	j.high = v1 >> 2 | v2 << 4;
	j.ends = ~high_bits(is_trail) >> 1;
	return j;
}

static inline vec pick(vec where, vec a, vec b)
{
	return (vec)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)where);
}

/*
 * Characters that begin in `leads` and are of four bytes: the high surrogate
 * goes to the third, the low one to the fourth.
 */
static inline void join_pairs(struct joined *j, vec v, vec v1, vec v2,
			      vec leads)
{
	vec third = BEHIND(leads, 2), fourth = BEHIND(leads, 3);
	/* D7C0 is D800, less what surrogates do not count from */
	vec bits = v1 << 2 | (v >> 4 & 0x03);
	vec carry = (vec)(bits >= 0x40) & 1;

	j->low = pick(third, bits + 0xc0, j->low);
	j->high = pick(third, (v2 & 0x07) + carry + 0xd7, j->high);
	j->high = pick(fourth, (v1 >> 2 & 0x03) | 0xdc, j->high);
	j->ends |= high_bits(third);
}

static inline uint8_t *put_joined(uint8_t *to, const struct joined *j,
				  bool big)
{
	__m256i low = (__m256i)j->low, high = (__m256i)j->high;
	__m256i a = swap_if(_mm256_unpacklo_epi8(low, high), big);
	__m256i b = swap_if(_mm256_unpackhi_epi8(low, high), big);
	uint32_t rest = ~j->ends;

	to = put_without(to, _mm256_permute2x128_si256(a, b, 0x20),
			 (uint8_t)rest, (uint8_t)(rest >> 8));
	return put_without(to, _mm256_permute2x128_si256(a, b, 0x31),
			   (uint8_t)(rest >> 16), (uint8_t)(rest >> 24));
}

/* The whole characters that 32 bytes hold; false: there is a flaw. */
static inline bool encode_32(struct mvfs__convert *c, bool big)
{
	vec v = load(c->from), v1, v2, is_trail, leads;
	struct joined j;
	unsigned n;

	if (!any_high(v)) {
		c->to = encode_ascii(c->to, (__m256i)v, big);
		c->from += 32;
		return true;
	}
	v1 = BEHIND(v, 1);
	v2 = BEHIND(v, 2);
	if (any(flaws(v, v1, v2, BEHIND(v, 3))))
		return false;
	is_trail = (vec)_mm256_cmpgt_epi8(_mm256_set1_epi8((char)0xc0),
					  (__m256i)v);
	j = join(v, v1, v2, is_trail);
	leads = (vec)(v >= 0xf0);
	if (any(leads))
		join_pairs(&j, v, v1, v2, leads);
	/* the last character may go on */
	n = 31 - (unsigned)__builtin_clz(~high_bits(is_trail));
	j.ends &= _bzhi_u32(UINT32_MAX, n);
	c->to = put_joined(c->to, &j, big);
	c->from += n;
	return true;
}

static inline void encode(struct mvfs__convert *c, mvfs__stretch_fn *portable,
			  bool big)
{
	struct mvfs__convert now = *c;

	while (now.end - now.from >= 32 && encode_32(&now, big))
		;
	portable(&now);
	*c = now;
}

void mvfs__avx2_utf16le_encode(struct mvfs__convert *c)
{
	encode(c, mvfs__portable_utf16le_encode, false);
}

void mvfs__avx2_utf16be_encode(struct mvfs__convert *c)
{
	encode(c, mvfs__portable_utf16be_encode, true);
}
