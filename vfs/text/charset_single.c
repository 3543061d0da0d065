/* SPDX-License-Identifier: MIT */
/*
 * The charsets whose code points are their bytes: US-ASCII and ISO-8859-1.
 *
 * ISO-8859-1 is IANA's: 0x80 to 0x9F are the C1 control characters, not the
 * letters of windows-1252.
 */
#include "config.h"

#include "vfs/text/charset.h"

#include "vfs/text/kernels.h"
#include "vfs/text/word.h"

static const struct mvfs__flaw no_flaw = { MVFS__NO_FLAW, 0 };

static size_t room_same(const uint8_t *from, size_t length)
{
	(void)from;
	return length;
}

static void move_ascii(struct mvfs__convert *c)
{
	size_t n = mvfs__kernels()->copy_ascii(c->to, c->from,
					       (size_t)(c->end - c->from));

	c->from += n;
	c->to += n;
}

/* What is at `from`, which no character of the charset can stand for. */
static struct mvfs__flaw flaw_encoding(const struct mvfs__convert *c)
{
	struct mvfs__flaw flaw = mvfs__utf8_look(c->from,
						 (size_t)(c->end - c->from));

	assert(c->from[0] >= 0x80);
	if (flaw.kind == MVFS__NO_FLAW)
		flaw.kind = MVFS__UNMAPPABLE;
	return flaw;
}

static struct mvfs__flaw ascii_decode(struct mvfs__convert *c)
{
	move_ascii(c);
	if (c->from == c->end)
		return no_flaw;
	return (struct mvfs__flaw){ MVFS__MALFORMED, 1 };
}

static struct mvfs__flaw ascii_encode(struct mvfs__convert *c)
{
	move_ascii(c);
	return c->from == c->end ? no_flaw : flaw_encoding(c);
}

static size_t latin1_room(const uint8_t *from, size_t length)
{
	size_t high = mvfs__kernels()->count_high(from, length), room;

	if (mvfs__add_overflow(length, high, &room))
		return SIZE_MAX;
	return room;
}

static uint8_t *latin1_put(uint8_t *to, uint8_t byte)
{
	unsigned high = byte >> 7;

	/* two bytes in any case: no branch on what the text is */
	to[0] = high ? (uint8_t)(0xc0 | byte >> 6) : byte;
	to[1] = 0x80 | (byte & 0x3f);
	return to + 1 + high;
}

static struct mvfs__flaw latin1_decode(struct mvfs__convert *c)
{
	const uint8_t *from = c->from;
	uint8_t *to = c->to;
	unsigned i;

	while (c->end - from >= 8) {
		uint64_t word = mvfs__word_load_any(from);

		if (!mvfs__word_high(word)) {
			size_t n = mvfs__kernels()->copy_ascii(
				to, from, (size_t)(c->end - from));

			from += n;
			to += n;
			continue;
		}
		for (i = 0; i < 8; i++)
			to = latin1_put(to, from[i]);
		from += 8;
	}
	while (from < c->end)
		to = latin1_put(to, *from++);
	c->from = from;
	c->to = to;
	return no_flaw;
}

static struct mvfs__flaw latin1_encode(struct mvfs__convert *c)
{
	for (;;) {
		if (c->from < c->end && c->from[0] < 0x80)
			move_ascii(c);
		if (c->from == c->end)
			return no_flaw;
		/* C2 80 to C3 BF are U+0080 to U+00FF */
		if ((c->from[0] & 0xfe) != 0xc2 || c->end - c->from < 2 ||
		    !mvfs__utf8_is_trail(c->from[1]))
			return flaw_encoding(c);
		*c->to++ = (uint8_t)(c->from[0] << 6) | (c->from[1] & 0x3f);
		c->from += 2;
	}
}

/* IANA: MIB 3, and the name that everybody uses */
static const char *const ascii_aliases[] = {
	"ASCII", "iso-ir-6", "ANSI_X3.4-1968", "ANSI_X3.4-1986",
	"ISO_646.irv:1991", "ISO646-US", "us", "IBM367", "cp367", "csASCII",
	NULL
};

const struct mvfs_charset mvfs__charset_ascii = {
	.name = "US-ASCII",
	.aliases = ascii_aliases,
	.ascii_compatible = true,
	.room_decode = room_same,
	.decode = ascii_decode,
	.room_encode = room_same,
	.encode = ascii_encode,
	.replacement = "?",
};

/* IANA: MIB 4 */
static const char *const latin1_aliases[] = {
	"ISO_8859-1:1987", "ISO_8859-1", "iso-ir-100", "latin1", "l1",
	"IBM819", "CP819", "csISOLatin1", NULL
};

const struct mvfs_charset mvfs__charset_latin1 = {
	.name = "ISO-8859-1",
	.aliases = latin1_aliases,
	.ascii_compatible = true,
	.room_decode = latin1_room,
	.decode = latin1_decode,
	.room_encode = room_same,
	.encode = latin1_encode,
	.replacement = "?",
};
