/* SPDX-License-Identifier: MIT */
/*
 * GBK both ways, as tables: see gbk.c for what is in them and why.
 */
#ifndef MVFS__GBK_TABLES_H
#define MVFS__GBK_TABLES_H

#include <stdint.h>

/*
 * What a pair of bytes is in UTF-8, by the lower 15 bits of the pair (its
 * first bit is set in all): the bytes, first one lowest, and their number in
 * the highest byte. 0: no character.
 */
extern const uint32_t mvfs__gbk_utf8[0x8000];

static inline uint32_t mvfs__gbk_look_up(const uint8_t *pair)
{
	return mvfs__gbk_utf8[((unsigned)pair[0] << 8 | pair[1]) & 0x7fff];
}

/* Stores a table's four bytes, of which the UTF-8 is what counts. */
static inline uint8_t *mvfs__gbk_put(uint8_t *to, uint32_t utf8)
{
	to[0] = (uint8_t)utf8;
	to[1] = (uint8_t)(utf8 >> 8);
	to[2] = (uint8_t)(utf8 >> 16);
	to[3] = (uint8_t)(utf8 >> 24);
	return to + (utf8 >> 24);
}

/*
 * The code point of a pair of bytes, by 192 * (lead - 80) + trail - 40. 0: no
 * character. Every lead from 80 to FF and every trail from 40 to FF has a
 * place here, and there is one more, so that four bytes can be read from any.
 */
#define MVFS__GBK_POINTS (128 * 192 + 1)
extern const uint16_t mvfs__gbk_points[MVFS__GBK_POINTS];

/*
 * What a code point below 0x10000 is in GBK: page[c >> 8] is a row of pages,
 * and [c & 0xff] in it the pair, first byte highest; a single byte is below
 * 0x100. 0: none. Row 0 is all 0.
 */
extern const uint8_t mvfs__gbk_page[256];
extern const uint16_t mvfs__gbk_pages[][256];

#endif
