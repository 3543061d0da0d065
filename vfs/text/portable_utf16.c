/* SPDX-License-Identifier: MIT */
/*
 * UTF-16 and UTF-8 in portable C, both orders of the bytes.
 *
 * UTF-16 is read in words of four units. Words of ASCII are packed four units
 * at a time; any other word without a surrogate becomes four stores of four
 * bytes, of which one to three count, without a branch on what the text is.
 * Each function is written once, inlined for each order: what is big-endian
 * is swapped in the word, not unit by unit.
 */
#include "config.h"

#include "vfs/text/kernels.h"
#include "vfs/text/utf8.h"
#include "vfs/text/word.h"

#define UNITS(x) ((uint64_t)(x) * UINT64_C(0x0001000100010001))

/* Four units, the first one lowest. */
static inline uint64_t load_units(const uint8_t *p, bool big)
{
	uint64_t word = mvfs__word_load(p);

	if (!big)
		return word;
	return (word >> 8 & UNITS(0xff)) | (word & UNITS(0xff)) << 8;
}

static inline uint32_t load_unit(const uint8_t *p, bool big)
{
	return big ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
}

static inline void store_unit(uint8_t *p, uint32_t unit, bool big)
{
	p[big ? 0 : 1] = (uint8_t)(unit >> 8);
	p[big ? 1 : 0] = (uint8_t)unit;
}

static inline bool is_ascii(uint64_t units)
{
	return !(units & UNITS(0xff80));
}

static inline bool is_surrogate(uint32_t unit)
{
	return (unit & 0xf800) == 0xd800;
}

/* The high bit of each unit that is a surrogate, in a word of four. */
static inline uint64_t surrogates(uint64_t units)
{
	uint64_t x = (units ^ UNITS(0xd800)) & UNITS(0xf800);

	/* no carries between units: x has its top five bits at most */
	return ~((x & UNITS(0x7fff)) + UNITS(0x7fff)) & ~x & UNITS(0x8000);
}

static inline uint32_t pack_ascii(uint64_t units)
{
	units = (units | units >> 8) & UINT64_C(0x0000ffff0000ffff);
	return (uint32_t)(units | units >> 16);
}

static inline void store_32(uint8_t *to, uint32_t word)
{
	to[0] = (uint8_t)word;
	to[1] = (uint8_t)(word >> 8);
	to[2] = (uint8_t)(word >> 16);
	to[3] = (uint8_t)(word >> 24);
}

/* A unit that is no surrogate: four bytes are written, up to three count. */
static inline uint8_t *put_unit(uint8_t *to, uint32_t unit)
{
	uint32_t two = (0xc0 | unit >> 6) | (0x80 | (unit & 0x3f)) << 8;
	uint32_t three = (0xe0 | unit >> 12) |
			 (0x80 | (unit >> 6 & 0x3f)) << 8 |
			 (0x80 | (unit & 0x3f)) << 16;
	uint32_t bytes = unit < 0x80 ? unit : unit < 0x800 ? two : three;

	store_32(to, bytes);
	return to + 1 + (unit >= 0x80) + (unit >= 0x800);
}

/* ASCII, four units or more, as long as it lasts. */
static inline void decode_ascii(struct mvfs__convert *c, bool big)
{
	const uint8_t *from = c->from;
	uint8_t *to = c->to;
	uint64_t a, b;

	while (c->end - from >= 16) {
		a = load_units(from, big);
		b = load_units(from + 8, big);
		if (!is_ascii(a | b))
			break;
		mvfs__word_store(to, pack_ascii(a) |
				 (uint64_t)pack_ascii(b) << 32);
		from += 16;
		to += 8;
	}
	while (c->end - from >= 8) {
		a = load_units(from, big);
		if (!is_ascii(a))
			break;
		store_32(to, pack_ascii(a));
		from += 8;
		to += 4;
	}
	c->from = from;
	c->to = to;
}

/* Words without a surrogate that are not all ASCII. */
static inline void decode_words(struct mvfs__convert *c, bool big)
{
	const uint8_t *from = c->from;
	uint8_t *to = c->to;
	uint64_t units;

	while (c->end - from >= 8) {
		units = load_units(from, big);
		if (is_ascii(units) || surrogates(units))
			break;
		to = put_unit(to, units & 0xffff);
		to = put_unit(to, units >> 16 & 0xffff);
		to = put_unit(to, units >> 32 & 0xffff);
		to = put_unit(to, (uint32_t)(units >> 48));
		from += 8;
	}
	c->from = from;
	c->to = to;
}

/* One character of one unit or two; false: there is none. */
static inline bool decode_one(struct mvfs__convert *c, bool big)
{
	uint32_t unit, low;

	if (c->end - c->from < 2)
		return false;
	unit = load_unit(c->from, big);
	if (!is_surrogate(unit)) {
		c->to = put_unit(c->to, unit);
		c->from += 2;
		return true;
	}
	if (unit >= 0xdc00 || c->end - c->from < 4)
		return false;
	low = load_unit(c->from + 2, big);
	if ((low & 0xfc00) != 0xdc00)
		return false;
	unit = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
	store_32(c->to, (0xf0 | unit >> 18) |
			(0x80 | (unit >> 12 & 0x3f)) << 8 |
			(0x80 | (unit >> 6 & 0x3f)) << 16 |
			(0x80 | (unit & 0x3f)) << 24);
	c->to += 4;
	c->from += 4;
	return true;
}

static inline void decode(struct mvfs__convert *c, bool big)
{
	do {
		decode_ascii(c, big);
		decode_words(c, big);
	} while (decode_one(c, big));
}

void mvfs__portable_utf16le_decode(struct mvfs__convert *c)
{
	decode(c, false);
}

void mvfs__portable_utf16be_decode(struct mvfs__convert *c)
{
	decode(c, true);
}

static inline size_t length_of_unit(uint32_t unit)
{
	return 1u + (unit >= 0x80) + (unit >= 0x800 && !is_surrogate(unit));
}

/* The sum of four counts of less than 0x4000 each. */
static inline size_t sum_units(uint64_t counts)
{
	return (size_t)((counts * UNITS(1)) >> 48);
}

static inline size_t length_of(const uint8_t *bytes, size_t length, bool big)
{
	size_t i = 0, sum = 0, n;
	uint64_t units, counts;

	while (length - i >= 8) {
		/* what is above 1 in each unit, summed while it fits */
		counts = 0;
		for (n = 0; n < 4096 && length - i >= 8; n++, i += 8) {
			units = load_units(bytes + i, big);
			/* a carry into the high bit, or that bit itself */
			counts += (((units & UNITS(0x7fff)) + UNITS(0x7f80)) |
				   units) >> 15 & UNITS(1);
			counts += (((units & UNITS(0x7fff)) + UNITS(0x7800)) |
				   units) >> 15 & UNITS(1);
			counts -= surrogates(units) >> 15;
		}
		sum += 4 * n + sum_units(counts);
	}
	for (; length - i >= 2; i += 2)
		sum += length_of_unit(load_unit(bytes + i, big));
	return sum;
}

size_t mvfs__portable_utf16le_length(const uint8_t *bytes, size_t length)
{
	return length_of(bytes, length, false);
}

size_t mvfs__portable_utf16be_length(const uint8_t *bytes, size_t length)
{
	return length_of(bytes, length, true);
}

static inline void encode_ascii(struct mvfs__convert *c, bool big)
{
	const uint8_t *from = c->from;
	uint8_t *to = c->to;
	unsigned shift = big ? 8 : 0;
	uint64_t word, low, high;

	for (; c->end - from >= 8; from += 8, to += 16) {
		word = mvfs__word_load(from);
		if (mvfs__word_high(word))
			break;
		low = word & 0xffffffff;
		high = word >> 32;
		low = (low | low << 16) & UINT64_C(0x0000ffff0000ffff);
		high = (high | high << 16) & UINT64_C(0x0000ffff0000ffff);
		mvfs__word_store(to, ((low | low << 8) & UNITS(0xff)) << shift);
		mvfs__word_store(to + 8,
				 ((high | high << 8) & UNITS(0xff)) << shift);
	}
	for (; from < c->end && *from < 0x80; from++, to += 2)
		store_unit(to, *from, big);
	c->from = from;
	c->to = to;
}

/* Characters of three bytes, most of all text that is not of two. */
static inline void encode_three(struct mvfs__convert *c, bool big)
{
	const uint8_t *p = c->from;
	uint8_t *to = c->to;
	uint32_t unit;

	for (; c->end - p >= 3 && (p[0] & 0xf0) == 0xe0; p += 3, to += 2) {
		unit = (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 |
		       (p[2] & 0x3fu);
		if (!mvfs__utf8_is_trail(p[1]) || !mvfs__utf8_is_trail(p[2]) ||
		    unit < 0x800 || is_surrogate(unit))
			break;
		store_unit(to, unit, big);
	}
	c->from = p;
	c->to = to;
}

static inline void encode_two(struct mvfs__convert *c, bool big)
{
	const uint8_t *p = c->from;
	uint8_t *to = c->to;

	for (; c->end - p >= 2 && p[0] >= 0xc2 && p[0] < 0xe0 &&
	       mvfs__utf8_is_trail(p[1]); p += 2, to += 2)
		store_unit(to, (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu), big);
	c->from = p;
	c->to = to;
}

/* Any character that is there; false: none, or a flaw. */
static inline bool encode_one(struct mvfs__convert *c, bool big)
{
	struct mvfs__flaw look;
	uint32_t character;

	if (c->from == c->end)
		return false;
	look = mvfs__utf8_look(c->from, (size_t)(c->end - c->from));
	if (look.kind != MVFS__NO_FLAW)
		return false;
	character = mvfs__utf8_decode(c->from, look.length);
	c->from += look.length;
	if (character >= 0x10000) {
		character -= 0x10000;
		store_unit(c->to, 0xd800 | character >> 10, big);
		c->to += 2;
		character = 0xdc00 | (character & 0x3ff);
	}
	store_unit(c->to, character, big);
	c->to += 2;
	return true;
}

static inline void encode(struct mvfs__convert *c, bool big)
{
	do {
		encode_ascii(c, big);
		encode_two(c, big);
		encode_three(c, big);
	} while (encode_one(c, big));
}

void mvfs__portable_utf16le_encode(struct mvfs__convert *c)
{
	encode(c, false);
}

void mvfs__portable_utf16be_encode(struct mvfs__convert *c)
{
	encode(c, true);
}
