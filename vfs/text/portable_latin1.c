/* SPDX-License-Identifier: MIT */
/*
 * ISO-8859-1 and UTF-8 in portable C: eight bytes at a time while there is
 * something above 0x7F, ASCII stretches as wide as they are.
 */
#include "config.h"

#include "vfs/text/kernels.h"
#include "vfs/text/utf8.h"
#include "vfs/text/word.h"

static void move_ascii(struct mvfs__convert *c)
{
	size_t n = mvfs__portable_copy_ascii(
		c->to, c->from, (size_t)(c->end - c->from));

	c->from += n;
	c->to += n;
}

static uint8_t *put(uint8_t *to, uint8_t byte)
{
	unsigned high = byte >> 7;

	/* two bytes in any case: no branch on what the text is */
	to[0] = high ? (uint8_t)(0xc0 | byte >> 6) : byte;
	to[1] = 0x80 | (byte & 0x3f);
	return to + 1 + high;
}

void mvfs__portable_latin1_decode(struct mvfs__convert *c)
{
	unsigned i;

	while (c->end - c->from >= 8) {
		if (!mvfs__word_high(mvfs__word_load_any(c->from))) {
			move_ascii(c);
			continue;
		}
		for (i = 0; i < 8; i++)
			c->to = put(c->to, c->from[i]);
		c->from += 8;
	}
	while (c->from < c->end)
		c->to = put(c->to, *c->from++);
}

void mvfs__portable_latin1_encode(struct mvfs__convert *c)
{
	for (;;) {
		if (c->from < c->end && c->from[0] < 0x80)
			move_ascii(c);
		/* C2 80 to C3 BF are U+0080 to U+00FF */
		if (c->end - c->from < 2 || (c->from[0] & 0xfe) != 0xc2 ||
		    !mvfs__utf8_is_trail(c->from[1]))
			return;
		*c->to++ = (uint8_t)(c->from[0] << 6) | (c->from[1] & 0x3f);
		c->from += 2;
	}
}
