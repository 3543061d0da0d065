/* SPDX-License-Identifier: MIT */
/*
 * Flaws of UTF-8 by table look-up, for vectors of any width: the algorithm of
 * Keiser and Lemire, "Validating UTF-8 In Less Than One Instruction Per
 * Byte", Software: Practice and Experience 51 (2021).
 *
 * Whatever is wrong with a sequence but its third and fourth byte shows in two
 * neighbours, and there in three half bytes: both of the first and the upper
 * of the second. Each half byte has a row that says with a bit for each kind
 * of flaw whether it fits; a flaw is a bit that all three have. The last bit,
 * two trail bytes in a row, is no flaw in the third and fourth byte of a
 * sequence, and just there: where two bytes before is a lead of three or
 * more, or three bytes before is a lead of four.
 *
 * Whoever includes this has defined
 *
 *	WIDTH, vec		a vector of so many uint8_t, of GCC's kind
 *	load(p)			at any address
 *	repeat(row)		16 bytes, again and again
 *	look_up(rows, i)	for each byte of i, < 16, one of its 16 bytes
 *	above(v, limit)		v - limit, or 0
 */
#ifndef MVFS__VECTOR_FLAWS_H
#define MVFS__VECTOR_FLAWS_H

#include "vfs/base/base.h"

enum {
	SHORT = 0x01,	   /* lead, then no trail */
	LONG = 0x02,	   /* ASCII, then trail */
	OVER_2 = 0x04,	   /* C0, C1 */
	OVER_3 = 0x08,	   /* E0, then 80 to 9F */
	SURROGATE = 0x10,  /* ED, then A0 to BF */
	BEYOND = 0x20,	   /* F4 and up, then 90 to BF */
	/* F0, then 80 to 8F, overlong; and F5 and up, then the same */
	OVER_4 = 0x40,
	TWO_TRAILS = 0x80, /* may be right */
	/* what the lower half of the first byte has no say in */
	ANY_LOW = SHORT | LONG | TWO_TRAILS,
	/* what a trail byte as the second may be */
	TRAIL = LONG | OVER_2 | TWO_TRAILS,
};

/* By the upper half of the first byte. */
static const uint8_t first_upper[16] = {
	LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG,
	TWO_TRAILS, TWO_TRAILS, TWO_TRAILS, TWO_TRAILS,
	SHORT | OVER_2,
	SHORT,
	SHORT | OVER_3 | SURROGATE,
	SHORT | BEYOND | OVER_4,
};

/* By its lower half. */
#define ABOVE_4 (ANY_LOW | BEYOND | OVER_4)
static const uint8_t first_lower[16] = {
	ANY_LOW | OVER_2 | OVER_3 | OVER_4,
	ANY_LOW | OVER_2,
	ANY_LOW, ANY_LOW,
	ANY_LOW | BEYOND,
	ABOVE_4, ABOVE_4, ABOVE_4, ABOVE_4, ABOVE_4, ABOVE_4, ABOVE_4, ABOVE_4,
	ABOVE_4 | SURROGATE,
	ABOVE_4, ABOVE_4,
};

/* By the upper half of the second byte. */
static const uint8_t second_upper[16] = {
	SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT,
	TRAIL | OVER_3 | OVER_4,
	TRAIL | OVER_3 | BEYOND,
	TRAIL | SURROGATE | BEYOND,
	TRAIL | SURROGATE | BEYOND,
	SHORT, SHORT, SHORT, SHORT,
};

/* Not 0 where v, with what is one, two, three bytes before, is wrong. */
static inline vec flaws(vec v, vec v1, vec v2, vec v3)
{
	vec pair = look_up(repeat(first_upper), v1 >> 4) &
		   look_up(repeat(first_lower), v1 & 0x0f) &
		   look_up(repeat(second_upper), v >> 4);
	/* 80 and up where a third or fourth byte must be */
	vec further = above(v2, 0xe0 - 0x80) | above(v3, 0xf0 - 0x80);

	return (further & 0x80) ^ pair;
}

/* The same of memory that has three bytes before it. */
static inline vec flaws_at(const uint8_t *p)
{
	return flaws(load(p), load(p - 1), load(p - 2), load(p - 3));
}

/* Whether a sequence of the three bytes before p should go on at p. */
static inline bool is_within(const uint8_t *p)
{
	return (p[-1] >= 0xc0) | (p[-2] >= 0xe0) | (p[-3] >= 0xf0);
}

#endif
