/* SPDX-License-Identifier: MIT */
/*
 * UTF-16 and UTF-8 with AVX-512, both orders of the bytes.
 *
 * From UTF-16 each code point becomes four slots, of which the last ones are
 * used, and the others are squeezed out. Pairs of surrogates are joined where
 * the high one is. From UTF-8 each byte is joined with those before it, and
 * only what the last byte of a character has come to is kept; and the third
 * of four, for the surrogate. Only what is in a vector with a flaw, before
 * it, is left to portable C.
 *
 * The order is a constant wherever a function is inlined. Big-endian units
 * are compared with swapped constants, and swapped on the way to wider ones.
 */
#include "config.h"

#include "vfs/text/utf8.h"
#include "vfs/text/vector.h"
#include "vfs/text/vector_avx512.h"

#include "vfs/text/vector_flaws.h"

static inline __m512i units(uint16_t x, bool big)
{
	return _mm512_set1_epi16((short)(big ? x << 8 | x >> 8 : x));
}

static inline uint32_t equal_units(__m512i v, uint16_t mask, uint16_t x,
				   bool big)
{
	return _mm512_cmpeq_epi16_mask(_mm512_and_si512(v, units(mask, big)),
				       units(x, big));
}

/* Sixteen units as numbers of 32 bits, from the first-th on. */
static inline __m512i widen(__m512i v, unsigned first, bool big)
{
	static const uint8_t step[64] = {
		0, 1, 0, 0, 2, 3, 0, 0, 4, 5, 0, 0, 6, 7, 0, 0,
		8, 9, 0, 0, 10, 11, 0, 0, 12, 13, 0, 0, 14, 15, 0, 0,
		16, 17, 0, 0, 18, 19, 0, 0, 20, 21, 0, 0, 22, 23, 0, 0,
		24, 25, 0, 0, 26, 27, 0, 0, 28, 29, 0, 0, 30, 31, 0, 0,
	};
	__m512i i = _mm512_loadu_si512(step);

	if (big)
		i = _mm512_xor_si512(i, _mm512_set1_epi8(1));
	i = _mm512_add_epi8(i, _mm512_set1_epi8((char)(2 * first)));
	return _mm512_maskz_permutexvar_epi8(UINT64_C(0x3333333333333333), i,
					     v);
}

/* Code points as UTF-8: those of the lanes in `kept`, with how many bytes. */
static inline uint8_t *put_16(uint8_t *to, __m512i c, uint16_t kept,
			      bool beyond_16_bits)
{
	/* bits from 18, 12, 6, 0 on, of each of two numbers */
	const __m512i shifts = _mm512_set1_epi64(0x20262c3200060c12);
	__mmask16 two = _mm512_cmpge_epu32_mask(c, _mm512_set1_epi32(0x80));
	__mmask16 three = _mm512_cmpge_epu32_mask(c, _mm512_set1_epi32(0x800));
	__m512i bits = _mm512_set1_epi32(0x7f000000);
	__m512i form = _mm512_setzero_si512();
	__mmask16 four;
	__mmask64 used;

	bits = _mm512_mask_mov_epi32(bits, two,
				     _mm512_set1_epi32(0x3f3f3f07));
	form = _mm512_mask_mov_epi32(form, two,
				     _mm512_set1_epi32((int)0x80c00000));
	form = _mm512_mask_mov_epi32(form, three,
				     _mm512_set1_epi32((int)0x8080e000));
	if (beyond_16_bits) {
		four = _mm512_cmpge_epu32_mask(c, _mm512_set1_epi32(0x10000));
		form = _mm512_mask_mov_epi32(
			form, four, _mm512_set1_epi32((int)0x808080f0));
	}
	used = _mm512_movepi8_mask(_mm512_maskz_or_epi32(
		kept, form, _mm512_set1_epi32((int)0x80000000)));
	/* what is not used has no say in what is */
	c = _mm512_multishift_epi64_epi8(shifts, c);
	c = _mm512_or_si512(_mm512_and_si512(c, bits), form);
	_mm512_storeu_si512(to, _mm512_maskz_compress_epi8(used, c));
	return to + _mm_popcnt_u64(used);
}

/* What of up to 32 units is well-formed. */
static inline unsigned well_formed(uint32_t high, uint32_t low, unsigned n)
{
	uint64_t expected = (uint64_t)high << 1;
	uint64_t wrong = (expected ^ low) | ~first_bits(n);

	n = (unsigned)_tzcnt_u64(wrong);
	return n - (expected >> n & 1);
}

/* Up to n <= 32 units, not all ASCII; tells how many. */
static inline unsigned decode_32(uint8_t **to, __m512i v, unsigned n, bool big)
{
	uint32_t high = equal_units(v, 0xfc00, 0xd800, big);
	uint32_t low = equal_units(v, 0xfc00, 0xdc00, big), kept;
	__m512i a = widen(v, 0, big), b = widen(v, 16, big), base;

	if (!(high | low)) {
		kept = (uint32_t)first_bits(n);
		*to = put_16(*to, a, (uint16_t)kept, false);
		if (n > 16)
			*to = put_16(*to, b, (uint16_t)(kept >> 16), false);
		return n;
	}
	n = well_formed(high, low, n);
	kept = (uint32_t)first_bits(n) & ~low;
	/* high << 10 + low + base; what is behind the 32nd does not count */
	base = _mm512_set1_epi32(0x10000 - (0xd800 << 10) - 0xdc00);
	a = _mm512_mask_add_epi32(
		a, (__mmask16)high, _mm512_slli_epi32(a, 10),
		_mm512_add_epi32(widen(v, 1, big), base));
	b = _mm512_mask_add_epi32(
		b, (__mmask16)(high >> 16), _mm512_slli_epi32(b, 10),
		_mm512_add_epi32(widen(v, 17, big), base));
	*to = put_16(*to, a, (uint16_t)kept, true);
	*to = put_16(*to, b, (uint16_t)(kept >> 16), true);
	return n;
}

static inline void decode(struct mvfs__convert *c, bool big)
{
	const uint8_t *from = c->from;
	uint8_t *to = c->to;
	size_t left;
	unsigned n;
	__m512i v;

	do {
		left = (size_t)(c->end - from) / 2;
		n = left < 32 ? (unsigned)left : 32;
		v = (__m512i)load_bits(from, first_bits(2 * n));
		if (_mm512_test_epi16_mask(v, units(0xff80, big))) {
			n = decode_32(&to, v, n, big);
		} else {
			if (big)
				v = _mm512_srli_epi16(v, 8);
			_mm256_storeu_si256((__m256i *)to,
					    _mm512_cvtepi16_epi8(v));
			to += n;
		}
		from += 2 * n;
	} while (n);
	c->from = from;
	c->to = to;
}

void mvfs__avx512_utf16le_decode(struct mvfs__convert *c)
{
	decode(c, false);
}

void mvfs__avx512_utf16be_decode(struct mvfs__convert *c)
{
	decode(c, true);
}

static inline size_t length_of(const uint8_t *bytes, size_t length, bool big)
{
	size_t n = length / 2, sum = n, i;
	__m512i v;

	for (i = 0; i < n; i += 32) {
		v = (__m512i)load_bits(bytes + 2 * i, first_bits(2 * (n - i)));
		sum += _mm_popcnt_u32(_mm512_test_epi16_mask(
			v, units(0xff80, big)));
		sum += _mm_popcnt_u32(_mm512_test_epi16_mask(
			v, units(0xf800, big)) &
			~equal_units(v, 0xf800, 0xd800, big));
	}
	return sum;
}

size_t mvfs__avx512_utf16le_length(const uint8_t *bytes, size_t length)
{
	return length_of(bytes, length, false);
}

size_t mvfs__avx512_utf16be_length(const uint8_t *bytes, size_t length)
{
	return length_of(bytes, length, true);
}

/* Bytes as units, from two vectors. */
static inline void put_units(uint8_t *to, __m256i low, __m256i high, bool big)
{
	__m512i a = _mm512_cvtepu8_epi16(big ? high : low);
	__m512i b = _mm512_cvtepu8_epi16(big ? low : high);

	_mm512_storeu_si512(to, _mm512_or_si512(a, _mm512_slli_epi16(b, 8)));
}

static inline uint8_t *encode_ascii(uint8_t *to, vec v, unsigned n, bool big)
{
	const __m256i zero = _mm256_setzero_si256();

	put_units(to, _mm512_castsi512_si256((__m512i)v), zero, big);
	if (n > 32)
		put_units(to + 64, _mm512_extracti64x4_epi64((__m512i)v, 1),
			  zero, big);
	return to + 2 * n;
}

static inline vec blend(uint64_t bits, vec others, vec v)
{
	return (vec)_mm512_mask_mov_epi8((__m512i)others, bits, (__m512i)v);
}

/* The two bytes of the unit that ends at each byte. */
struct joined {
	vec low, high;
	uint64_t ends; /* where one does */
};

/* Well-formed text: v, and what is one and two bytes before. */
static inline struct joined join(vec v, vec v1, vec v2, uint64_t trails)
{
	const vec zero = { 0 };
	struct joined j;

	v = blend(trails, v, v & 0x3f);
	v1 = blend(trails, zero, v1 & 0x3f);
	v2 = blend(trails & trails << 1, zero, v2);
	j.low = v | v1 << 6;
	j.high = v1 >> 2 | v2 << 4;
	j.ends = ~trails >> 1;
	return j;
}

/*
 * Characters that begin in `leads` and are of four bytes: the high surrogate
 * goes to the third, the low one to the fourth.
 */
static inline void join_pairs(struct joined *j, vec v, vec v1, vec v2,
			      uint64_t leads)
{
	/* D7C0 is D800, less what surrogates do not count from */
	vec bits = v1 << 2 | (v >> 4 & 0x03);
	uint64_t carry = _mm512_cmpge_epu8_mask((__m512i)bits,
						_mm512_set1_epi8(0x40));
	vec high = blend(carry, (v2 & 0x07) + 0xd7, (v2 & 0x07) + 0xd8);

	j->low = blend(leads << 2, j->low, bits + 0xc0);
	j->high = blend(leads << 2, j->high, high);
	j->high = blend(leads << 3, j->high, (v1 >> 2 & 0x03) | 0xdc);
	j->ends |= leads << 2;
}

static inline uint8_t *put_joined(uint8_t *to, const struct joined *j,
				  bool big)
{
	unsigned n = (unsigned)_mm_popcnt_u64(j->ends);
	__m512i low = _mm512_maskz_compress_epi8(j->ends, (__m512i)j->low);
	__m512i high = _mm512_maskz_compress_epi8(j->ends, (__m512i)j->high);

	put_units(to, _mm512_castsi512_si256(low),
		  _mm512_castsi512_si256(high), big);
	if (n > 32)
		put_units(to + 64, _mm512_extracti64x4_epi64(low, 1),
			  _mm512_extracti64x4_epi64(high, 1), big);
	return to + 2 * n;
}

/*
 * As many whole characters as up to 64 bytes hold: tells how many bytes, or 0
 * at the end or where there is a flaw among them.
 */
static inline unsigned encode_64(uint8_t **to, const uint8_t *from,
				 size_t left, bool big)
{
	unsigned n = left < 64 ? (unsigned)left : 64;
	uint64_t part = first_bits(n), trails, leads;
	vec v = load_bits(from, part), v1, v2, wrong;
	struct joined j;

	if (!high_bits(v)) {
		*to = encode_ascii(*to, v, n, big);
		return n;
	}
	v1 = load_bits(from - 1, part << 1);
	v2 = load_bits(from - 2, part << 2);
	wrong = flaws(v, v1, v2, load_bits(from - 3, part << 3));
	if (_mm512_test_epi8_mask((__m512i)wrong, (__m512i)wrong))
		return 0;
	trails = _mm512_cmplt_epi8_mask((__m512i)v,
					_mm512_set1_epi8((char)0xc0));
	/* the last character of a full vector may go on */
	if (n == 64)
		n = 63 - (unsigned)__builtin_clzll(~trails);
	j = join(v, v1, v2, trails);
	leads = _mm512_cmpge_epu8_mask((__m512i)v,
				       _mm512_set1_epi8((char)0xf0));
	if (leads)
		join_pairs(&j, v, v1, v2, leads);
	j.ends &= first_bits(n);
	*to = put_joined(*to, &j, big);
	return n;
}

static inline void encode(struct mvfs__convert *c, mvfs__stretch_fn *last,
			  bool big)
{
	const uint8_t *from = c->from;
	uint8_t *to = c->to;
	unsigned n;

	do {
		n = encode_64(&to, from, (size_t)(c->end - from), big);
		from += n;
	} while (n);
	c->from = from;
	c->to = to;
	/* up to the flaw, if there is one */
	last(c);
}

void mvfs__avx512_utf16le_encode(struct mvfs__convert *c)
{
	encode(c, mvfs__portable_utf16le_encode, false);
}

void mvfs__avx512_utf16be_encode(struct mvfs__convert *c)
{
	encode(c, mvfs__portable_utf16be_encode, true);
}
