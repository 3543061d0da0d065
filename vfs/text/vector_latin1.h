/* SPDX-License-Identifier: MIT */
/*
 * ISO-8859-1 in vectors of 16 bytes. Each byte becomes two slots, and a
 * shuffle leaves out those that are not needed; the other way the lead bytes
 * are left out. The rows that say how are chosen by the high bits of eight
 * bytes, or by the leads of eight. Rows for four would fit in 128 bytes, but
 * take twice the loads and stores, and were half as fast.
 *
 * Whoever includes this has defined
 *
 *	vec16		a vector of 16 uint8_t, of GCC's kind
 *	load16(p), store16(p, v)
 *	high16(v)	the high bits, that of the first byte the lowest
 *	shuffle16(v, i)	for each byte of i, < 16, that byte of v
 *	pairs_low16(a, b), pairs_high16(a, b)
 *			a byte of a, one of b, and so on; each from its half
 *	one_before16(v, w)
 *			w, where the last byte of v was one before it
 */
#ifndef MVFS__VECTOR_LATIN1_H
#define MVFS__VECTOR_LATIN1_H

#include "vfs/text/vector.h"
#include "vfs/text/vector_squeeze.h"

/* Two slots for each of four bytes, the second if it is in m. */
#define SLOTS(m, i, below) \
	((2 * (i) + BIT(m, i) * ((2 * (uint64_t)(i) + 1) << 8)) << \
	 8 * ((i) + (below)))
#define SPREAD_HALF(m) \
	(SLOTS(m, 0, 0) | SLOTS(m, 1, BELOW_1(m)) | \
	 SLOTS(m, 2, BELOW_2(m)) | SLOTS(m, 3, BELOW_3(m)))
/* of eight, in two halves */
#define UPPER UINT64_C(0x0808080808080808)
#define SPREAD(m) \
	(SPREAD_HALF(m) | \
	 (unsigned __int128)(SPREAD_HALF((m) >> 4) + UPPER) << \
	 8 * (4 + BELOW_4(m)))
#define SPREAD_4(m) SPREAD(m), SPREAD(m + 1), SPREAD(m + 2), SPREAD(m + 3)
#define SPREAD_16(m) \
	SPREAD_4(m), SPREAD_4(m + 4), SPREAD_4(m + 8), SPREAD_4(m + 12)
#define SPREAD_64(m) \
	SPREAD_16(m), SPREAD_16(m + 16), SPREAD_16(m + 32), \
	SPREAD_16(m + 48)

static const unsigned __int128 spread[256] = {
	SPREAD_64(0), SPREAD_64(64), SPREAD_64(128), SPREAD_64(192)
};

/* Two rows, the second for the upper half of a vector. */
static inline vec16 two_rows(const uint64_t *low, const uint64_t *high)
{
	typedef uint64_t two __attribute__((__vector_size__(16)));

	return (vec16)(two){ *low, *high } +
	       (vec16){ 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8 };
}

static inline void store_low(uint8_t *to, vec16 v)
{
	memcpy(to, &v, 8);
}

static inline void store_high(uint8_t *to, vec16 v)
{
	memcpy(to, (const uint8_t *)&v + 8, 8);
}

/* Eight bytes as slots, of which those in m have a second one. */
static inline uint8_t *put_8(uint8_t *to, vec16 slots, unsigned m)
{
	store16(to, shuffle16(slots, (vec16)spread[m]));
	return to + 8 + __builtin_popcount(m);
}

static inline uint8_t *put_16(uint8_t *to, vec16 v)
{
	unsigned m = high16(v);
	vec16 high = (vec16)(v >= 0x80);
	vec16 first = (v & ~high) | (((v >> 6) | 0xc0) & high);
	vec16 second = v & 0xbf;

	to = put_8(to, pairs_low16(first, second), m & 0xff);
	return put_8(to, pairs_high16(first, second), m >> 8);
}

static void vector_latin1_decode(struct mvfs__convert *c)
{
	uint8_t *to = c->to;
	const uint8_t *from = c->from;
	unsigned i;

	for (; c->end - from >= 64; from += 64) {
		vec16 v[4];

		for (i = 0; i < 4; i++)
			v[i] = load16(from + 16 * i);
		if (high16((v[0] | v[1]) | (v[2] | v[3]))) {
			for (i = 0; i < 4; i++)
				to = put_16(to, v[i]);
		} else {
			for (i = 0; i < 4; i++)
				store16(to + 16 * i, v[i]);
			to += 64;
		}
	}
	for (; c->end - from >= 16; from += 16)
		to = put_16(to, load16(from));
	c->from = from;
	c->to = to;
	mvfs__portable_latin1_decode(c);
}

/* Sixteen bytes of UTF-8, and bits that stand for them. */
struct utf8_16 {
	vec16 v, before; /* before: what is one byte before each */
	unsigned high, lead;
	unsigned behind; /* just behind a lead */
	unsigned wrong;	 /* in no character up to U+00FF that is seen */
};

/* They come behind those of `b`. */
static inline void look(struct utf8_16 *b, vec16 v)
{
	unsigned trail;

	b->before = one_before16(b->v, v);
	b->v = v;
	b->high = high16(v);
	b->behind = b->lead >> 15;
	b->lead = high16((vec16)((v & 0xfe) == 0xc2));
	b->behind |= b->lead << 1 & 0xffff;
	trail = b->high & ~high16((vec16)(v >= 0xc0));
	b->wrong = (b->high & ~(b->lead | trail)) | (trail ^ b->behind);
}

/* The first n of them. */
static inline uint8_t *encode(uint8_t *to, const struct utf8_16 *b, unsigned n)
{
	unsigned m = b->lead & ((1u << n) - 1);
	vec16 v = b->v + ((vec16)(b->before == 0xc3) & 0x40);

	v = shuffle16(v, two_rows(squeeze + (m & 0xff), squeeze + (m >> 8)));
	store_low(to, v);
	store_high(to + 8 - __builtin_popcount(m & 0xff), v);
	return to + n - __builtin_popcount(m);
}

static void vector_latin1_encode(struct mvfs__convert *c)
{
	struct utf8_16 b = { 0 };
	const uint8_t *from = c->from;
	uint8_t *to = c->to;
	unsigned n = 0;

	for (; c->end - from >= 16; from += 16) {
		look(&b, load16(from));
		if (b.wrong)
			break;
		to = encode(to, &b, 16);
	}
	if (b.wrong) {
		n = (unsigned)__builtin_ctz(b.wrong);
		to = encode(to, &b, n);
	} else {
		b.behind = b.lead >> 15;
	}
	/* a lead that has no trail is not passed, wherever it was */
	c->from = from + n - (b.behind >> n & 1);
	c->to = to;
	if (!b.wrong)
		mvfs__portable_latin1_encode(c);
}

#endif
