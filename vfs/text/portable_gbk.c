/* SPDX-License-Identifier: MIT */
/*
 * GBK to UTF-8 in portable C: see gbk.c for what GBK is here.
 *
 * A loop over pairs, and one over eight bytes of ASCII. What costs is the
 * misprediction where they change over. A mask of the leads of 64 bytes (see
 * avx512_gbk.c), and a step from lead to lead that copies eight bytes behind
 * each pair and so never branches, was rejected: where every other word is
 * ASCII it is twice as fast, but Chinese with 12 % of ASCII falls from 1.6 to
 * 1.3 GB/s on a Zen 4.
 */
#include "config.h"

#include "vfs/text/gbk_tables.h"
#include "vfs/text/kernels.h"
#include "vfs/text/word.h"

/* ASCII, of which there is some, or may be none in the last bytes. */
static void move_ascii(struct mvfs__convert *c)
{
	uint64_t high;
	size_t n;

	if (c->end - c->from >= 8) {
		high = mvfs__word_high(mvfs__word_load(c->from));
		memcpy(c->to, c->from, 8);
		n = high ? mvfs__word_ascii(high) : 8;
		c->from += n;
		c->to += n;
		if (high)
			return;
	}
	n = mvfs__portable_copy_ascii(c->to, c->from,
					(size_t)(c->end - c->from));
	c->from += n;
	c->to += n;
}

/* Pairs, up to the first two bytes that are none or have no character. */
static void decode_pairs(struct mvfs__convert *c)
{
	const uint8_t *from = c->from;
	uint8_t *to = c->to;
	uint32_t utf8;

	while (c->end - from >= 2 && from[0] & 0x80) {
		utf8 = mvfs__gbk_look_up(from);
		if (!utf8)
			break;
		to = mvfs__gbk_put(to, utf8);
		from += 2;
	}
	c->from = from;
	c->to = to;
}

void mvfs__portable_gbk_decode(struct mvfs__convert *c)
{
	do {
		if (c->from < c->end && c->from[0] < 0x80)
			move_ascii(c);
		decode_pairs(c);
	} while (c->from < c->end && c->from[0] < 0x80);
}
