/* SPDX-License-Identifier: MIT */
/*
 * GBK to UTF-8 with SSE4.1 or AVX2: see gbk.c for what GBK is here, and
 * avx512_gbk.c for how leads are found.
 *
 * Nothing compresses or expands here. But two leads are never neighbours, so
 * each slot of two bytes has one at most, at its even or its odd byte. The 8
 * or 16 slots of a step are as many look-ups, of pairs or of a place in the
 * table that is no pair's, and each makes one to four bytes:
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
 * Rejected: bringing pairs together by pext, which some processors have in
 * microcode only, and by tables of what eight bytes may be at their places
 * (one to compress and one to expand take more cache than this).
 *
 * Who includes this has defined vec, WIDTH, load(), store() and high_bits(),
 * of bytes, and the operations on words that are declared here.
 */
#ifndef MVFS__VECTOR_GBK_H
#define MVFS__VECTOR_GBK_H

#include "vfs/text/gbk_tables.h"
#include "vfs/text/vector.h"

typedef uint16_t words __attribute__((__vector_size__(WIDTH)));
typedef int16_t signs __attribute__((__vector_size__(WIDTH)));

#define EVERY ((uint32_t)((UINT64_C(1) << WIDTH) - 1))
#define EVEN (0x55555555u & EVERY)

/* The bits of a mask as bytes: -1 or 0. */
static inline vec bytes_of(uint32_t mask);

/* Where a pair is in the table, in each word: its lead is the low byte. */
static inline words indexes(vec pairs);

/* What the table has at `index`, in each word. */
static inline words look_up_all(const uint16_t *index);

/* Words of a where a mask is -1, and of b where it is 0. */
static inline words pick(words mask, words a, words b);

static inline bool all_zero(words v);

/* Each word one place up; the lowest is 0. */
static inline words one_up(words v);

/* Slots: `low` has their lower, `high` their upper halves. */
static inline uint8_t *put_threes(uint8_t *to, words low, words high);

/* The same with any lengths: `ways` is two bits for each, its length - 1. */
static inline uint8_t *put_slots(uint8_t *to, words low, words high,
				 uint32_t ways);

/* A step of WIDTH bytes, or one more where the last one is a lead. */
struct step {
	_Alignas(WIDTH) uint16_t index[WIDTH / 2]; /* of each slot's pair */
	vec bytes;
	words even, odd; /* the slots that have a lead there: -1 */
	const uint8_t *from;
	uint32_t lead;   /* the first bytes of pairs */
};

static inline uint32_t leads_of(uint32_t high)
{
	uint32_t starts = high & ~(high << 1);
	uint32_t even = high & ~(high + (starts & EVEN));

	return (even & EVEN) | (high & ~even & ~EVEN);
}

/* Finds the pairs. False: one of them has no trail. Reads WIDTH + 1 bytes. */
static inline bool begin(struct step *s, const uint8_t *from)
{
	vec v = load(from), next;
	uint32_t high = high_bits(v);
	signs leads;
	words index;

	s->from = from;
	s->bytes = v;
	s->lead = leads_of(high);
	if (!high)
		return true;
	next = load(from + 1);
	if (high_bits((vec)(next < 0x40)) & s->lead)
		return false;
	leads = (signs)bytes_of(s->lead);
	s->even = (words)((signs)((words)leads << 8) >> 8);
	s->odd = (words)(leads >> 8);
	index = (s->even & indexes(v)) | (s->odd & indexes(next));
	store((uint8_t *)s->index, (vec)index);
	return true;
}

/*
 * Any mixture: `low` and `high` are the characters, those of `two` only in
 * `low`.
 */
static inline uint8_t *put_mixed(uint8_t *to, const struct step *s, words low,
				 words high, words two)
{
	words bytes = (words)s->bytes, lead = s->even | s->odd;
	words trail = one_up(s->odd); /* of the slots before */
	words ascii = s->odd & ~trail; /* in front of a lead */
	words length;

	low = pick(lead, low, pick(trail, bytes >> 8, bytes));
	high = pick(ascii, high << 8 | low >> 8, high);
	low = pick(ascii, low << 8 | (bytes & 0xff), low);
	/* length - 1: 1, and what these masks, which are -1, add to it */
	length = 1 - lead - ascii + (two & lead) + (trail & ~lead);
	/* its two bits as the signs of two bytes */
	return put_slots(to, low, high,
			 high_bits((vec)(length << 7 | length << 14)));
}

/* Converts a step that has pairs. NULL: one of them has no character. */
static inline uint8_t *finish(uint8_t *to, const struct step *s)
{
	words points = look_up_all(s->index);
	words none = (words)(points == 0) & (s->even | s->odd);
	words two = (words)(points < 0x800);
	words low, high, both;

	assert(s->lead != 0);
	if (!all_zero(none))
		return NULL;
	high = (points & 0x3f) | 0x80;
	low = points >> 12 | (points << 2 & 0x3f00) | 0x80e0;
	if (s->lead == EVEN && all_zero(two))
		return put_threes(to, low, high);
	both = points >> 6 | 0xc0 | high << 8;
	if (s->lead == EVEN && high_bits((vec)two) == EVERY) {
		store(to, (vec)both);
		return to + WIDTH;
	}
	return put_mixed(to, s, pick(two, both, low), high & ~two, two);
}

/* A step without a pair, and all that are ASCII behind it. */
static inline uint8_t *move_ascii(uint8_t *to, const struct step *s,
				  const uint8_t **from, const uint8_t *end)
{
	vec v = s->bytes;

	store(to, v);
	to += WIDTH;
	while (end - *from >= WIDTH) {
		v = load(*from);
		if (high_bits(v))
			break;
		store(to, v);
		to += WIDTH;
		*from += WIDTH;
	}
	return to;
}

static inline void decode(struct mvfs__convert *c)
{
	const uint8_t *from = c->from, *end = c->end;
	uint8_t *to = c->to, *made;
	struct step steps[2], *now = &steps[0], *next = &steps[1], *other;
	bool going = end - from > WIDTH && begin(now, from);

	while (going) {
		from += WIDTH + (now->lead >> (WIDTH - 1));
		if (!now->lead) {
			to = move_ascii(to, now, &from, end);
			going = end - from > WIDTH && begin(now, from);
			continue;
		}
		going = end - from > WIDTH && begin(next, from);
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

/*
 * Eight look-ups. volatile: else compilers take the indexes from the vector
 * that was stored, which costs more.
 */
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

/* The order of four slots of three bytes each. */
#define THREES 0xaa

/* Four slots, brought together. */
static inline void put_4(uint8_t *to, __m128i slots, unsigned ways)
{
	const uint8_t *row = mvfs__slot_orders[ways & 0xff];
	__m128i order = _mm_load_si128((const void *)row);

	_mm_storeu_si128((void *)to, _mm_shuffle_epi8(slots, order));
}

/* Where each four slots end, in a byte each. */
static inline uint32_t ends_of(uint32_t ways)
{
	uint32_t sums = (ways & 0x33333333) + (ways >> 2 & 0x33333333);

	sums = ((sums + (sums >> 4)) & 0x0f0f0f0f) + 0x04040404;
	return sums * 0x01010101;
}

#endif
