/* SPDX-License-Identifier: MIT */
/*
 * UTF-16 in both orders of its bytes (RFC 2781), and "UTF-16", of which the
 * BOM tells the order; without one it is big-endian (section 4.3).
 *
 * A surrogate that is not one of a pair is malformed, as are its two bytes;
 * the unit behind it is looked at for itself. Where the text ends within a
 * unit or within a pair it is cut off there.
 */
#include "config.h"

#include "vfs/text/charset.h"

#include "vfs/text/kernels.h"

static const struct mvfs__flaw no_flaw = { MVFS__NO_FLAW, 0 };

/* What is at `from`, where the kernel has stopped. */
static struct mvfs__flaw flaw_decoding(const struct mvfs__convert *c, bool big)
{
	size_t left = (size_t)(c->end - c->from);
	unsigned high = big ? 0 : 1; /* where the high byte of a unit is */

	assert(c->from <= c->end);
	if (!left)
		return no_flaw;
	if (left == 1)
		return (struct mvfs__flaw){ MVFS__CUT_OFF, 1 };
	assert((c->from[high] & 0xf8) == 0xd8);
	if (c->from[high] >= 0xdc || left >= 4 ||
	    (left == 3 && big && (c->from[2] & 0xfc) != 0xdc))
		return (struct mvfs__flaw){ MVFS__MALFORMED, 2 };
	return (struct mvfs__flaw){ MVFS__CUT_OFF, (unsigned)left };
}

static struct mvfs__flaw flaw_encoding(const struct mvfs__convert *c)
{
	struct mvfs__flaw look = no_flaw;

	if (c->from < c->end)
		look = mvfs__utf8_look(c->from, (size_t)(c->end - c->from));
	assert(c->from == c->end || look.kind != MVFS__NO_FLAW);
	return look;
}

static struct mvfs__flaw le_decode(struct mvfs__convert *c)
{
	mvfs__kernels()->utf16le_decode(c);
	return flaw_decoding(c, false);
}

static struct mvfs__flaw be_decode(struct mvfs__convert *c)
{
	mvfs__kernels()->utf16be_decode(c);
	return flaw_decoding(c, true);
}

static struct mvfs__flaw le_encode(struct mvfs__convert *c)
{
	mvfs__kernels()->utf16le_encode(c);
	return flaw_encoding(c);
}

static struct mvfs__flaw be_encode(struct mvfs__convert *c)
{
	mvfs__kernels()->utf16be_encode(c);
	return flaw_encoding(c);
}

/* Exact, but for unpaired surrogates. */
static size_t le_room_decode(const uint8_t *from, size_t length)
{
	return mvfs__kernels()->utf16le_length(from, length);
}

static size_t be_room_decode(const uint8_t *from, size_t length)
{
	return mvfs__kernels()->utf16be_length(from, length);
}

/* ASCII doubles; two bytes and four stay as many, three become two. */
static size_t room_encode(const uint8_t *from, size_t length)
{
	size_t ascii = length - mvfs__kernels()->count_high(from, length);
	size_t room;

	return mvfs__add_overflow(length, ascii, &room) ? SIZE_MAX : room;
}

/* IANA: MIB 1014 */
static const char *const le_aliases[] = { "csUTF16LE", NULL };

const struct mvfs_charset mvfs__charset_utf16le = {
	.name = "UTF-16LE",
	.aliases = le_aliases,
	.room_decode = le_room_decode,
	.decode = le_decode,
	.room_encode = room_encode,
	.encode = le_encode,
	.replacement = MVFS__FFFD,
	.bom = { { 0xff, 0xfe }, 2 },
};

/* IANA: MIB 1013 */
static const char *const be_aliases[] = { "csUTF16BE", NULL };

const struct mvfs_charset mvfs__charset_utf16be = {
	.name = "UTF-16BE",
	.aliases = be_aliases,
	.room_decode = be_room_decode,
	.decode = be_decode,
	.room_encode = room_encode,
	.encode = be_encode,
	.replacement = MVFS__FFFD,
	.bom = { { 0xfe, 0xff }, 2 },
};

/* IANA: MIB 1015 */
static const char *const aliases[] = { "csUTF16", NULL };

static const struct mvfs_charset *const orders[] = {
	&mvfs__charset_utf16be, &mvfs__charset_utf16le, NULL
};

const struct mvfs_charset mvfs__charset_utf16 = {
	.name = "UTF-16",
	.aliases = aliases,
	.room_decode = be_room_decode,
	.decode = be_decode,
	.room_encode = room_encode,
	.encode = be_encode,
	.replacement = MVFS__FFFD,
	.marked = true,
	.orders = orders,
};
