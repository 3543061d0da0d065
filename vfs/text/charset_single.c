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

static struct mvfs__flaw latin1_decode(struct mvfs__convert *c)
{
	mvfs__kernels()->latin1_decode(c);
	assert(c->from == c->end);
	return no_flaw;
}

static struct mvfs__flaw latin1_encode(struct mvfs__convert *c)
{
	mvfs__kernels()->latin1_encode(c);
	return c->from == c->end ? no_flaw : flaw_encoding(c);
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
