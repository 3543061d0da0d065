/* SPDX-License-Identifier: MIT */
/*
 * GBK to UTF-8 with AVX2: see gbk.c for what GBK is here, and avx512_gbk.c
 * for how leads are found.
 *
 * Nothing compresses or expands here. But two leads are never neighbours, so
 * each slot of two bytes has one at most, at its even or its odd byte. The 16
 * slots of a step are 16 look-ups, of pairs or of a place in the table that
 * is no pair's, and each makes one to four bytes:
 *
 *     lead, its trail         the character
 *     ASCII, lead             ASCII, the character
 *     ASCII, ASCII            both
 *     trail, lead             the character; the trail is the slot's before
 *     trail, ASCII            ASCII
 *
 * A slot becomes 32 bits with these in front. Four slots are a shuffle to
 * bring them together, by a table for the 4^4 ways to be long, and a store;
 * where they go is found by adding up the lengths in one multiplication.
 *
 * The rest is as in avx512_gbk.c: the look-ups come one step later than the
 * indexes, and what there is no answer for is left to the portable kernel, as
 * is the end of the text.
 *
 * Rejected, with GB/s on a Zen 4, 1 MiB of Chinese text with 12 % of ASCII
 * (this: 2.2): bringing pairs together by pext, which some processors have in
 * microcode only, and tables for what eight bytes may be at their places (the
 * table for compressing and the one for expanding take more cache than this).
 */
#include "config.h"

#include "vfs/text/vector.h"

#include <immintrin.h>

#include "vfs/text/gbk_tables.h"

#define EVEN 0x55555555u

/* A step of 32 bytes, or 33 where the last one is a lead. */
struct step {
	_Alignas(32) uint16_t index[16]; /* of each slot's pair */
	__m256i bytes;
	__m256i even, odd; /* the slots that have a lead there: -1 */
	const uint8_t *from;
	uint32_t lead;     /* the first bytes of pairs */
};

/* Where in four slots the bytes are that they make, by length - 1 of each. */
#define LENGTH(m, i) (((m) >> 2 * (i) & 3) + 1)
#define END(m, i) (LENGTH(m, 0) + ((i) > 0 ? LENGTH(m, 1) : 0) + \
		   ((i) > 1 ? LENGTH(m, 2) : 0) + \
		   ((i) > 2 ? LENGTH(m, 3) : 0))
#define PLACE(m, j) ((j) < END(m, 0) ? (j) : \
		     (j) < END(m, 1) ? 4 + (j) - END(m, 0) : \
		     (j) < END(m, 2) ? 8 + (j) - END(m, 1) : \
		     (j) < END(m, 3) ? 12 + (j) - END(m, 2) : 0x80)
#define PLACE4(m, j) PLACE(m, j), PLACE(m, (j) + 1), \
		     PLACE(m, (j) + 2), PLACE(m, (j) + 3)
#define ORDER(m) { PLACE4(m, 0), PLACE4(m, 4), PLACE4(m, 8), PLACE4(m, 12) }
#define ORDER4(m) ORDER(m), ORDER((m) + 1), ORDER((m) + 2), ORDER((m) + 3)
#define ORDER16(m) ORDER4(m), ORDER4((m) + 4), \
		   ORDER4((m) + 8), ORDER4((m) + 12)
#define ORDER64(m) ORDER16(m), ORDER16((m) + 16), \
		   ORDER16((m) + 32), ORDER16((m) + 48)

const _Alignas(64) uint8_t mvfs__avx2_orders[256][16] = {
	ORDER64(0), ORDER64(64), ORDER64(128), ORDER64(192)
};

#define AND _mm256_and_si256
#define OR _mm256_or_si256
#define WORDS(value) _mm256_set1_epi16((short)(value))
#define LEFT _mm256_slli_epi16
#define RIGHT _mm256_srli_epi16

static inline __m256i pick(__m256i where, __m256i a, __m256i b)
{
	return _mm256_blendv_epi8(b, a, where);
}

static inline uint32_t leads_of(uint32_t high)
{
	uint32_t starts = high & ~(high << 1);
	uint32_t even = high & ~(high + (starts & EVEN));

	return (even & EVEN) | (high & ~even & ~EVEN);
}

/* The bits of a mask as bytes: -1 or 0. */
static inline __m256i bytes_of(uint32_t mask)
{
	const __m256i byte = _mm256_setr_epi64x(
		0, 0x0101010101010101, 0x0202020202020202,
		0x0303030303030303);
	const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201);
	__m256i v = _mm256_set1_epi32((int)mask);

	return _mm256_cmpeq_epi8(AND(_mm256_shuffle_epi8(v, byte), bit), bit);
}

/* The place of each pair in the table. */
static inline __m256i indexes(__m256i pairs)
{
	const __m256i sign = _mm256_set1_epi8((char)0x80);

	/* 192 * (lead - 80) + (trail - 80), of signed bytes, and 80 - 40 */
	pairs = _mm256_maddubs_epi16(WORDS(192 | 1 << 8),
				     _mm256_xor_si256(pairs, sign));
	return _mm256_add_epi16(pairs, WORDS(0x40));
}

/* Finds the pairs. False: one of them has no trail. Reads 33 bytes. */
static inline bool begin(struct step *s, const uint8_t *from)
{
	const __m256i low = _mm256_set1_epi8(0x3f);
	__m256i v = _mm256_loadu_si256((const void *)from), next, leads;
	uint32_t high = (uint32_t)_mm256_movemask_epi8(v), bad;

	s->from = from;
	s->bytes = v;
	s->lead = leads_of(high);
	if (!high)
		return true;
	next = _mm256_loadu_si256((const void *)(from + 1));
	bad = (uint32_t)_mm256_movemask_epi8(
		_mm256_cmpeq_epi8(next, _mm256_min_epu8(next, low)));
	if (bad & s->lead)
		return false;
	leads = bytes_of(s->lead);
	s->even = _mm256_srai_epi16(LEFT(leads, 8), 8);
	s->odd = _mm256_srai_epi16(leads, 8);
	v = OR(AND(s->even, indexes(v)), AND(s->odd, indexes(next)));
	_mm256_store_si256((void *)s->index, v);
	return true;
}

/* volatile: else compilers take the indexes from the vector, at a price */
static inline __m128i look_up_8(const volatile uint16_t *index)
{
	const uint16_t *points = mvfs__gbk_points;
	__m128i p = _mm_cvtsi32_si128(points[index[0]]);

	p = _mm_insert_epi16(p, points[index[1]], 1);
	p = _mm_insert_epi16(p, points[index[2]], 2);
	p = _mm_insert_epi16(p, points[index[3]], 3);
	p = _mm_insert_epi16(p, points[index[4]], 4);
	p = _mm_insert_epi16(p, points[index[5]], 5);
	p = _mm_insert_epi16(p, points[index[6]], 6);
	return _mm_insert_epi16(p, points[index[7]], 7);
}

/* Four slots, brought together. */
static inline void put_4(uint8_t *to, __m128i slots, const uint8_t *order)
{
	__m128i v = _mm_load_si128((const void *)order);

	_mm_storeu_si128((void *)to, _mm_shuffle_epi8(slots, v));
}

/*
 * 16 slots, whose lower and upper halves are words of `low` and `high`; `ways`
 * is two bits for each: its length - 1.
 */
static inline uint8_t *put_slots(uint8_t *to, __m256i low, __m256i high,
				 uint32_t ways)
{
	__m256i a = _mm256_unpacklo_epi16(low, high);
	__m256i b = _mm256_unpackhi_epi16(low, high);
	uint32_t ends;

	/* four sums of lengths, and of all before each */
	ends = (ways & 0x33333333) + (ways >> 2 & 0x33333333);
	ends = ((ends + (ends >> 4)) & 0x0f0f0f0f) + 0x04040404;
	ends *= 0x01010101;
	put_4(to, _mm256_castsi256_si128(a), mvfs__avx2_orders[ways & 0xff]);
	put_4(to + (ends & 0xff), _mm256_castsi256_si128(b),
	      mvfs__avx2_orders[ways >> 8 & 0xff]);
	put_4(to + (ends >> 8 & 0xff), _mm256_extracti128_si256(a, 1),
	      mvfs__avx2_orders[ways >> 16 & 0xff]);
	put_4(to + (ends >> 16 & 0xff), _mm256_extracti128_si256(b, 1),
	      mvfs__avx2_orders[ways >> 24]);
	return to + (ends >> 24);
}

/* 16 slots of a character each, of three bytes. */
static inline uint8_t *put_threes(uint8_t *to, __m256i low, __m256i high)
{
	const uint8_t *order = mvfs__avx2_orders[0xaa];
	__m256i a = _mm256_unpacklo_epi16(low, high);
	__m256i b = _mm256_unpackhi_epi16(low, high);

	put_4(to, _mm256_castsi256_si128(a), order);
	put_4(to + 12, _mm256_castsi256_si128(b), order);
	put_4(to + 24, _mm256_extracti128_si256(a, 1), order);
	put_4(to + 36, _mm256_extracti128_si256(b, 1), order);
	return to + 48;
}

/*
 * Any mixture: `low` and `high` are the characters, those of `two` only in
 * `low`.
 */
static inline uint8_t *put_mixed(uint8_t *to, const struct step *s,
				 __m256i low, __m256i high, __m256i two)
{
	__m256i lead = OR(s->even, s->odd), v, ascii, length;
	/* trails of the slots before: `odd`, one slot on */
	__m256i trail = _mm256_alignr_epi8(
		s->odd, _mm256_permute2x128_si256(s->odd, s->odd, 0x08), 14);

	v = pick(trail, RIGHT(s->bytes, 8), s->bytes);
	low = pick(lead, low, v);
	/* ASCII in front of a lead */
	ascii = _mm256_andnot_si256(trail, s->odd);
	v = OR(LEFT(high, 8), RIGHT(low, 8));
	high = pick(ascii, v, high);
	v = OR(LEFT(low, 8), AND(s->bytes, WORDS(0xff)));
	low = pick(ascii, v, low);
	/* length - 1: 1, and what these masks, which are -1, add to it */
	length = _mm256_sub_epi16(WORDS(1), _mm256_add_epi16(lead, ascii));
	v = _mm256_add_epi16(AND(two, lead), _mm256_andnot_si256(lead, trail));
	length = _mm256_add_epi16(length, v);
	/* its two bits as the signs of two bytes */
	v = OR(LEFT(length, 7), LEFT(length, 14));
	return put_slots(to, low, high, (uint32_t)_mm256_movemask_epi8(v));
}

/* Converts a step that has pairs. NULL: one of them has no character. */
static inline uint8_t *finish(uint8_t *to, const struct step *s)
{
	__m256i points = _mm256_set_m128i(look_up_8(s->index + 8),
					  look_up_8(s->index));
	__m256i none = _mm256_cmpeq_epi16(points, _mm256_setzero_si256());
	__m256i two = _mm256_cmpeq_epi16(points, _mm256_min_epu16(
		points, WORDS(0x7ff)));
	__m256i low, high, both;

	if (!_mm256_testz_si256(none, OR(s->even, s->odd)))
		return NULL;
	high = OR(AND(points, WORDS(0x3f)), WORDS(0x80));
	low = OR(RIGHT(points, 12), AND(LEFT(points, 2), WORDS(0x3f00)));
	low = OR(low, WORDS(0x80e0));
	if (s->lead == EVEN && _mm256_testz_si256(two, two))
		return put_threes(to, low, high);
	both = OR(OR(RIGHT(points, 6), WORDS(0xc0)), LEFT(high, 8));
	if (s->lead == EVEN && !~_mm256_movemask_epi8(two)) {
		_mm256_storeu_si256((void *)to, both);
		return to + 32;
	}
	low = pick(two, both, low);
	high = _mm256_andnot_si256(two, high);
	return put_mixed(to, s, low, high, two);
}

/* A step without a pair, and all that are ASCII behind it. */
static inline uint8_t *move_ascii(uint8_t *to, const struct step *s,
				  const uint8_t **from, const uint8_t *end)
{
	__m256i v = s->bytes;

	_mm256_storeu_si256((void *)to, v);
	to += 32;
	while (end - *from >= 32) {
		v = _mm256_loadu_si256((const void *)*from);
		if (_mm256_movemask_epi8(v))
			break;
		_mm256_storeu_si256((void *)to, v);
		to += 32;
		*from += 32;
	}
	return to;
}

void mvfs__avx2_gbk_decode(struct mvfs__convert *c)
{
	const uint8_t *from = c->from, *end = c->end;
	uint8_t *to = c->to, *made;
	struct step steps[2], *now = &steps[0], *next = &steps[1], *other;
	bool going = end - from > 32 && begin(now, from);

	while (going) {
		from += 32 + (now->lead >> 31);
		if (!now->lead) {
			to = move_ascii(to, now, &from, end);
			going = end - from > 32 && begin(now, from);
			continue;
		}
		going = end - from > 32 && begin(next, from);
		made = finish(to, now);
		if (!made) {
			from = now->from;
			break;
		}
		to = made;
		other = now;
		now = next;
		next = other;
	}
	c->from = from;
	c->to = to;
	if (from < end)
		mvfs__portable_gbk_decode(c);
}
