/* SPDX-License-Identifier: MIT */
/*
 * GBK to UTF-8 with AVX-512: see gbk.c for what GBK is here.
 *
 * Each step begins at a character. In 64 bytes from there, every run of bytes
 * from 80 on begins at a character, too: what is before it is either ASCII,
 * or the low trail byte of a pair. So the bytes at even places of a run are
 * leads, and a lead that ends its run has its trail in the low byte behind:
 *
 *     text    a  B0 A1 B0 A1  b  81 40  c     the runs: B0 A1 B0 A1 and 81
 *     high    .  #  #  #  #   .  #  .   .
 *     lead    .  #  .  #  .   .  #  .   .
 *
 * An addition whose carry runs through those that begin at even places of the
 * block parts them from the others. A lead in the last byte is left to the
 * next step, which begins there.
 *
 * The pairs are compressed to the front and become indexes into a table of
 * code points of 16 bits. They are looked up one by one: a step's indexes are
 * stored, and loaded only after the next step's are made, so that nothing
 * waits for the store. From the code points on all is vectors again. Their
 * UTF-8 is expanded to the places of their pairs: the first and last byte
 * where lead and trail were, the middle one beside the lead in a second
 * vector; both are interleaved, and what there is of them compressed.
 *
 * What the table has no answer for is left to the portable kernel, from the
 * start of the step on: so both stop at the same byte.
 *
 * Rejected, with GB/s on a Zen 4, 1 MiB of Chinese text without and with 12 %
 * of ASCII (this: 4.4 and 3.7; portable: 2.3 and 1.6):
 *  - gathers: 4.0 and 2.3, and 2.8 and 2.4 with the steps overlapped; 16
 *    elements take as long as 40 loads;
 *  - the look-ups right behind the store of the indexes: 3.9 and 2.5;
 *  - vpextrw for the indexes, which is what compilers make of reading them
 *    from the vector: 4.1 and 2.3. Hence the volatile;
 *  - the table of finished UTF-8 that the portable kernel uses: twice the
 *    cache lines, and making UTF-8 of 32 code points is three instructions;
 *  - storing by compression (vpcompressb to memory), which is microcode.
 * Without the look-ups this runs at 17 and 6.5 GB/s: the cache is the limit.
 */
#include "config.h"

#include "vfs/text/vector.h"

#include <immintrin.h>

#include "vfs/text/gbk_tables.h"

#define EVEN UINT64_C(0x5555555555555555)

/* A step of 64 bytes, or what is left of the text. */
struct step {
	_Alignas(64) uint16_t index[32]; /* of its pairs, in order */
	__m512i bytes;
	const uint8_t *from;
	uint64_t here; /* the bytes that belong to it: the first ones */
	uint64_t lead; /* the first bytes of its pairs */
};

/* (a & b) | c */
#define AND_OR(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0xea)

/* For each word: one byte in its lower half, another one in its upper. */
#define WORDS(low, high) _mm512_set1_epi16((short)((low) | (high) << 8))

/* Of each word, eight bits from `low` on and eight from `high` on. */
#define EIGHTS(v, low, high)                                           \
	_mm512_multishift_epi64_epi8(                                  \
		_mm512_add_epi8(WORDS(low, high),                      \
				_mm512_set1_epi64(0x3030202010100000)), \
		v)

static inline unsigned count(uint64_t bits)
{
	return (unsigned)__builtin_popcountll(bits);
}

static inline uint64_t leads_of(uint64_t high)
{
	uint64_t starts = high & ~(high << 1);
	uint64_t even = high & ~(high + (starts & EVEN));

	return (even & EVEN) | (high & ~even & ~EVEN);
}

/* Finds the pairs. False: one of them has no trail. */
static inline bool begin(struct step *s, const uint8_t *from,
			 const uint8_t *end)
{
	const __m512i sign = _mm512_set1_epi8((char)0x80);
	size_t left = (size_t)(end - from);
	uint64_t high, pairs;
	__m512i v;

	s->from = from;
	if (mvfs__likely(left >= 64)) {
		s->here = ~UINT64_C(0);
		v = _mm512_loadu_si512(from);
	} else {
		s->here = (UINT64_C(1) << left) - 1;
		v = _mm512_maskz_loadu_epi8(s->here, from);
	}
	s->bytes = v;
	high = _mm512_movepi8_mask(v);
	s->lead = leads_of(high);
	s->here &= ~(s->lead & UINT64_C(1) << 63);
	s->lead &= s->here;
	if (!high)
		return true;
	pairs = s->lead | s->lead << 1;
	if (_mm512_cmplt_epu8_mask(v, _mm512_set1_epi8(0x40)) & pairs)
		return false;
	/* 192 * (lead - 80) + (trail - 80), of signed bytes, and 80 - 40 */
	v = _mm512_maskz_compress_epi8(pairs, _mm512_xor_si512(v, sign));
	v = _mm512_maddubs_epi16(WORDS(192, 1), v);
	v = _mm512_add_epi16(v, _mm512_set1_epi16(0x40));
	_mm512_store_si512(s->index, v);
	return true;
}

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

static inline __m512i look_up(const uint16_t *index)
{
	__m256i a = _mm256_set_m128i(look_up_8(index + 8), look_up_8(index));
	__m256i b = _mm256_set_m128i(look_up_8(index + 24),
				     look_up_8(index + 16));

	return _mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1);
}

/*
 * Sixteen characters of three bytes: eight bytes of UTF-8 are made of up to
 * four code points, which are brought into their eight bytes first; the 24
 * bytes of eight characters are a pattern that repeats itself.
 */
#define TWICE(...) __VA_ARGS__, __VA_ARGS__
#define TIMES16(...) TWICE(TWICE(TWICE(TWICE(__VA_ARGS__))))

static const uint16_t three_points[32] = {
	0, 1, 2, 3, 2, 3, 4, 5, 5, 6, 7, 8,
	8, 9, 10, 11, 10, 11, 12, 13, 13, 14, 15, 16
};
static const uint8_t three_shifts[64] = {
	TWICE(12, 6, 0, 28, 22, 16, 44, 38,
	      0, 28, 22, 16, 44, 38, 32, 60,
	      6, 0, 28, 22, 16, 44, 38, 32)
};
static const uint8_t three_masks[64] = { TIMES16(0x0f, 0x3f, 0x3f) };
static const uint8_t three_marks[64] = { TIMES16(0xe0, 0x80, 0x80) };

static inline void put_threes(uint8_t *to, __m512i points, unsigned first)
{
	__m512i v = _mm512_loadu_si512(three_points);

	v = _mm512_add_epi16(v, _mm512_set1_epi16((short)first));
	v = _mm512_permutexvar_epi16(v, points);
	v = _mm512_multishift_epi64_epi8(_mm512_loadu_si512(three_shifts), v);
	v = AND_OR(v, _mm512_loadu_si512(three_masks),
		   _mm512_loadu_si512(three_marks));
	_mm512_storeu_si512(to, v);
}

/* Bytes of one vector and of a second one, by turns. */
#define TURN4(i) (i), (i) + 64, (i) + 1, (i) + 65, \
		 (i) + 2, (i) + 66, (i) + 3, (i) + 67

static const uint8_t by_turns[64] = {
	TURN4(0), TURN4(4), TURN4(8), TURN4(12),
	TURN4(16), TURN4(20), TURN4(24), TURN4(28)
};

/* Half of a step: its bytes, and those that stand behind its leads. */
static inline uint8_t *put_half(uint8_t *to, __m512i bytes, __m512i middle,
				unsigned first, uint32_t here, uint32_t three)
{
	__m512i turns = _mm512_add_epi8(_mm512_loadu_si512(by_turns),
					_mm512_set1_epi8((char)first));
	uint64_t keep = _pdep_u64(here, EVEN) | _pdep_u64(three, ~EVEN);
	__m512i v = _mm512_permutex2var_epi8(bytes, turns, middle);

	_mm512_storeu_si512(to, _mm512_maskz_compress_epi8(keep, v));
	return to + count(keep);
}

/* Any mixture; `two` are those of the pairs that are two bytes in UTF-8. */
static inline uint8_t *put_mixed(uint8_t *to, const struct step *s,
				 __m512i points, uint32_t two)
{
	__m512i high = EIGHTS(points, 12, 0), low = EIGHTS(points, 6, 0);
	__m512i outer = AND_OR(high, WORDS(0x0f, 0x3f), WORDS(0xe0, 0x80));
	__m512i both = AND_OR(low, WORDS(0x1f, 0x3f), WORDS(0xc0, 0x80));
	__m512i middle = AND_OR(low, WORDS(0x3f, 0x3f), WORDS(0x80, 0x80));
	uint64_t pairs = s->lead | s->lead << 1;
	uint64_t three = s->lead & ~_pdep_u64(two, s->lead);
	__m512i bytes;

	outer = _mm512_mask_mov_epi16(outer, two, both);
	bytes = _mm512_mask_expand_epi8(s->bytes, pairs, outer);
	middle = _mm512_maskz_expand_epi8(pairs, middle);
	to = put_half(to, bytes, middle, 0, (uint32_t)s->here,
		      (uint32_t)three);
	return put_half(to, bytes, middle, 32, (uint32_t)(s->here >> 32),
			(uint32_t)(three >> 32));
}

/* Converts a step that has pairs. NULL: one of them has no character. */
static inline uint8_t *finish(uint8_t *to, const struct step *s)
{
	__m512i points = look_up(s->index);
	uint32_t two = _mm512_cmplt_epu16_mask(points,
					       _mm512_set1_epi16(0x800));
	uint32_t none = _mm512_testn_epi16_mask(points, points);

	assert(s->lead != 0);
	if (s->lead == EVEN && !two) {
		put_threes(to, points, 0);
		put_threes(to + 48, points, 16);
		return to + 96;
	}
	if (none & ((UINT64_C(1) << count(s->lead)) - 1))
		return NULL;
	if (s->lead == EVEN && !~two) {
		_mm512_storeu_si512(to, AND_OR(EIGHTS(points, 6, 0),
					       WORDS(0x1f, 0x3f),
					       WORDS(0xc0, 0x80)));
		return to + 64;
	}
	return put_mixed(to, s, points, two);
}

/* A step without a pair, and all that are ASCII behind it. */
static inline uint8_t *move_ascii(uint8_t *to, const struct step *s,
				  const uint8_t **from, const uint8_t *end)
{
	__m512i v = s->bytes;

	_mm512_storeu_si512(to, v);
	to += count(s->here);
	while (end - *from >= 64) {
		v = _mm512_loadu_si512(*from);
		if (_mm512_movepi8_mask(v))
			break;
		_mm512_storeu_si512(to, v);
		to += 64;
		*from += 64;
	}
	return to;
}

void mvfs__avx512_gbk_decode(struct mvfs__convert *c)
{
	const uint8_t *from = c->from, *end = c->end;
	uint8_t *to = c->to, *made;
	struct step steps[2], *now = &steps[0], *next = &steps[1], *other;
	bool going = from < end && begin(now, from, end);

	while (going) {
		from += count(now->here);
		if (!now->lead) {
			to = move_ascii(to, now, &from, end);
			going = from < end && begin(now, from, end);
			continue;
		}
		going = from < end && begin(next, from, end);
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
