/* SPDX-License-Identifier: MIT */
/*
 * GBK: ASCII, and pairs of a lead byte 81 to FE and a trail byte 40 to 7E or
 * 80 to FE.
 *
 * The mapping is that of glibc 2.36's "GBK", which is Microsoft's code page
 * 936 without its private use area; its iconv has the name CP936 for the same.
 * All pairs and single bytes were compared with the JDK 17's "GBK", and all
 * code points. The 21791 pairs that glibc has are in both. What differs, and
 * what we decided:
 *
 *  - The single byte 80 is U+20AC here and in cp936; for the JDK's GBK it is
 *    malformed, and the euro sign is A2E3 (as in GB 18030), which has no
 *    character here. We go with glibc, also in encoding: "windows-936" is one
 *    of GBK's aliases, and files say 80.
 *  - A892 is U+2295 (circled plus) here, as in cp936 and GB 18030; the JDK
 *    has U+2641 (the sign of Earth), and encodes that. Here U+2641 is
 *    unmappable, there U+2295.
 *  - Pairs for user-defined characters (AAA1-AFFE, F8A1-FEFE, A140-A7A0) and
 *    those that GBK left empty: the JDK decodes 2148 of them to the private
 *    use area U+E000-U+E864, and back. Here they are unmappable, and so are
 *    the code points: what two parties agreed upon is nothing that a library
 *    can know.
 *  - The byte FF, and a lead byte without its trail, are malformed. Then only
 *    the lead byte is: what follows may be a line's end. The JDK says so too,
 *    but takes FF behind a lead as its trail, so that both are unmappable.
 *    A well-formed pair without a character is unmappable as a pair.
 *
 * Where charsets of that family differ elsewhere, glibc and the JDK agree:
 * A1A4 is U+00B7, A1AA is U+2014, A844 is U+2015.
 *
 * Decoding one by one looks a pair up once, for its bytes in UTF-8 and their
 * number, stores four bytes, and moves on by that number. Code points in that
 * table were rejected: making UTF-8 of them by integers takes twice the time.
 * Vectors make it of many at once, so their table is of code points: that is
 * less than half the size, and its cache lines are what they wait for.
 */
#include "config.h"

#include "vfs/text/charset.h"

#include "vfs/text/gbk_tables.h"
#include "vfs/text/kernels.h"
#include "vfs/text/word.h"

#define EURO 0x80    /* the only character that is one high byte */
#define EURO_UTF8 0x03ac82e2u /* as in the table */

static const struct mvfs__flaw no_flaw = { MVFS__NO_FLAW, 0 };

/* Why there is no character in the table for what is at `p`, not ASCII. */
static struct mvfs__flaw flaw_decoding(const uint8_t *p, const uint8_t *end)
{
	assert(p < end && p[0] & 0x80);
	if (p[0] == 0x80 || p[0] == 0xff)
		return (struct mvfs__flaw){ MVFS__MALFORMED, 1 };
	if (end - p < 2)
		return (struct mvfs__flaw){ MVFS__CUT_OFF, 1 };
	if (p[1] < 0x40 || p[1] == 0x7f || p[1] == 0xff)
		return (struct mvfs__flaw){ MVFS__MALFORMED, 1 };
	return (struct mvfs__flaw){ MVFS__UNMAPPABLE, 2 };
}

static struct mvfs__flaw decode(struct mvfs__convert *c)
{
	for (;;) {
		mvfs__kernels()->gbk_decode(c);
		assert(c->from <= c->end);
		if (c->from == c->end)
			return no_flaw;
		if (c->from[0] != EURO)
			return flaw_decoding(c->from, c->end);
		c->to = mvfs__gbk_put(c->to, EURO_UTF8);
		c->from++;
	}
}

/* ASCII, of which there is some. */
static void move_ascii(struct mvfs__convert *c)
{
	size_t n = mvfs__kernels()->copy_ascii(c->to, c->from,
					       (size_t)(c->end - c->from));

	c->from += n;
	c->to += n;
}

/* The bytes of a code point, first one highest; 0: there is no such. */
static inline unsigned gbk_of(uint32_t character)
{
	assert(character >= 0x80);
	if (character > 0xffff)
		return 0;
	return mvfs__gbk_pages[mvfs__gbk_page[character >> 8]]
			      [character & 0xff];
}

/*
 * Three bytes that are a character of GBK: most of all text. Surrogates need
 * no test, for GBK has none.
 */
static inline unsigned encode_three(const uint8_t *p)
{
	uint32_t character = (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 |
			     (p[2] & 0x3fu);

	if ((p[0] & 0xf0) != 0xe0 || !mvfs__utf8_is_trail(p[1]) ||
	    !mvfs__utf8_is_trail(p[2]) || character < 0x800)
		return 0;
	return gbk_of(character);
}

/* The code point that is in the lowest three bytes. */
static inline uint32_t point_of(uint64_t word)
{
	return (uint32_t)((word & 0x0f) << 12 | (word >> 2 & 0xfc0) |
			  (word >> 16 & 0x3f));
}

/*
 * Two of those at a time, while there are: their form is tested in one word.
 * Chinese is encoded 1.5 times as fast as one by one.
 */
static void encode_threes(struct mvfs__convert *c)
{
	const uint64_t mask = UINT64_C(0xc0c0f0c0c0f0);
	const uint8_t *from = c->from;
	uint8_t *to = c->to;
	uint32_t first, second;
	uint64_t word;

	while (c->end - from >= 8) {
		word = mvfs__word_load(from);
		first = point_of(word);
		second = point_of(word >> 24);
		if ((word & mask) != UINT64_C(0x8080e08080e0) ||
		    first < 0x800 || second < 0x800)
			break;
		first = gbk_of(first);
		second = gbk_of(second);
		if (first < 0x100 || second < 0x100)
			break; /* none, or the euro sign */
		to[0] = (uint8_t)(first >> 8);
		to[1] = (uint8_t)first;
		to[2] = (uint8_t)(second >> 8);
		to[3] = (uint8_t)second;
		to += 4;
		from += 6;
	}
	c->from = from;
	c->to = to;
}

/* Any other one; without a flaw, `length` is what it takes. */
static struct mvfs__flaw encode_other(const struct mvfs__convert *c,
				      unsigned *pair)
{
	struct mvfs__flaw look = mvfs__utf8_look(c->from,
						 (size_t)(c->end - c->from));

	if (look.kind != MVFS__NO_FLAW)
		return look;
	*pair = gbk_of(mvfs__utf8_decode(c->from, look.length));
	if (!*pair)
		look.kind = MVFS__UNMAPPABLE;
	return look;
}

/* Characters up to the first that is ASCII, or not well-formed, or not GBK. */
static struct mvfs__flaw encode_pairs(struct mvfs__convert *c)
{
	struct mvfs__flaw look;
	unsigned pair;

	while (c->from < c->end && c->from[0] & 0x80) {
		encode_threes(c);
		if (c->from == c->end || c->from[0] < 0x80)
			break;
		look.length = 3;
		pair = c->end - c->from >= 3 ? encode_three(c->from) : 0;
		if (!pair) {
			look = encode_other(c, &pair);
			if (look.kind != MVFS__NO_FLAW)
				return look;
		}
		if (pair > 0xff)
			*c->to++ = (uint8_t)(pair >> 8);
		*c->to++ = (uint8_t)pair;
		c->from += look.length;
	}
	return no_flaw;
}

static struct mvfs__flaw encode(struct mvfs__convert *c)
{
	struct mvfs__flaw flaw;

	while (c->from < c->end) {
		if (c->from[0] < 0x80)
			move_ascii(c);
		flaw = encode_pairs(c);
		if (flaw.kind != MVFS__NO_FLAW)
			return flaw;
	}
	return no_flaw;
}

/*
 * A pair becomes three bytes, and so does the euro sign alone. Whether a byte
 * of its value is that or a trail byte is not known here; where there are
 * many, all could be.
 */
#define EUROS_MAX 32

static size_t room_decode(const uint8_t *from, size_t length)
{
	size_t room, euros = 0;
	const uint8_t *p = from, *end = from + length;

	while (euros < EUROS_MAX &&
	       (p = memchr(p, EURO, (size_t)(end - p)))) {
		euros++;
		p++;
	}
	if (euros == EUROS_MAX)
		return mvfs__mul_overflow(length, 3, &room) ? SIZE_MAX : room;
	if (mvfs__add_overflow(length, length / 2 + 2 * euros, &room))
		return SIZE_MAX;
	return room;
}

static size_t room_encode(const uint8_t *from, size_t length)
{
	(void)from;
	return length;
}

/* IANA: MIB 113 */
static const char *const aliases[] = {
	"CP936", "MS936", "windows-936", "csGBK", NULL
};

const struct mvfs_charset mvfs__charset_gbk = {
	.name = "GBK",
	.aliases = aliases,
	.ascii_compatible = true,
	.room_decode = room_decode,
	.decode = decode,
	.room_encode = room_encode,
	.encode = encode,
	.replacement = "?",
};
