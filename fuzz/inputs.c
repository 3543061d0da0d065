/* SPDX-License-Identifier: MIT */
/*
 * Inputs by chance, for want of a fuzzer that sees which code they reach.
 *
 * A text is made of units in one of the styles that charsets have, so that
 * most is well-formed and decoders come far: runs of ASCII, characters, ends
 * of lines, and now and then what is wrong. Half of the inputs are earlier
 * ones with a few bytes changed.
 */
#include "config.h"

#include "fuzz/inputs.h"

#include <stdbool.h>

#define POOL 32

static struct {
	uint8_t bytes[FUZZ_MAX];
	size_t length;
} pool[POOL];

/* splitmix64 (Steele, Lea and Flood, 2014) */
static uint64_t rng(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static size_t below(uint64_t *state, size_t end)
{
	return (size_t)(rng(state) % end);
}

/* What is wrong, or rare, in some charset; "" is a zero. */
static const char *const oddities[] = {
	"", "\n", "\r", "\r\n", "\n\n", "\r\r\n", "\xef\xbb\xbf", "\xfe\xff",
	"\xff\xfe", "\x80", "\xff", "\x81", "\x81\n", "\x81\x7f", "\x81\xff",
	"\xaa\xa1", "\xa2\xe3", "\xfe\x50", "\xc2", "\xc0\x80", "\xc1\xbf",
	"\xe0\x80\x80", "\xe4\xbd", "\xed\xa0\x80", "\xed\xbf\xbf",
	"\xf0\x9f\x98", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
	"\xf8\x88\x80\x80\x80", "\xfc\x84\x80\x80\x80\x80", "\xef\xbf\xbd",
	"\xd8\x3d", "\xde\x00", "\x3d\xd8", "\x3d\xd8\x00\xde", "\xdc\xdc",
	"\xd8\xd8", "\xc3\xa9", "\xe2\x82\xac",
	"\xed\xa0\xbd\xed\xb8\x80",
};

enum style {
	SINGLE, GBK, UTF8, UTF16LE, UTF16BE, ANYTHING, STYLES
};

static size_t put_utf8(uint32_t c, uint8_t *to)
{
	if (c < 0x80) {
		to[0] = (uint8_t)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (uint8_t)(0xc0 | c >> 6);
		to[1] = (uint8_t)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (uint8_t)(0xe0 | c >> 12);
		to[1] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
		to[2] = (uint8_t)(0x80 | (c & 0x3f));
		return 3;
	}
	to[0] = (uint8_t)(0xf0 | c >> 18);
	to[1] = (uint8_t)(0x80 | (c >> 12 & 0x3f));
	to[2] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
	to[3] = (uint8_t)(0x80 | (c & 0x3f));
	return 4;
}

static size_t put_utf16(uint32_t c, uint8_t *to, unsigned big)
{
	uint32_t units[2] = { c, 0 };
	size_t n = 1, i;

	if (c >= 0x10000) {
		units[0] = 0xd7c0 + (c >> 10);
		units[1] = 0xdc00 | (c & 0x3ff);
		n = 2;
	}
	for (i = 0; i < n; i++) {
		to[2 * i + !big] = (uint8_t)(units[i] >> 8);
		to[2 * i + big] = (uint8_t)units[i];
	}
	return 2 * n;
}

/* Code points: any, or those that one kind of charset has. */
enum repertoire { ALL, CHINESE, LATIN, REPERTOIRES };

static uint32_t code_point(uint64_t *state, enum repertoire from)
{
	uint32_t c = (uint32_t)below(state, 0x10000);

	if (from == LATIN)
		return 0x80 + c % 0x80;
	if (from == CHINESE && c % 8 == 0)
		return c < 0x1000 ? 0x20ac : 0x410 + c / 8 % 0x40;
	if (from == CHINESE || c % 2)
		return 0x4e00 + (uint32_t)below(state, 0x51a6);
	if (c % 8 == 0)
		return 0x10000 + (uint32_t)below(state, 0x100000);
	return c >= 0xd800 && c <= 0xdfff ? 0xfffd : c;
}

/* One character, in at most four bytes. */
static size_t character(uint64_t *state, enum style style, uint32_t c,
			uint8_t *to)
{
	switch (style) {
	case UTF8:
		return put_utf8(c, to);
	case UTF16LE:
	case UTF16BE:
		return put_utf16(c, to, style == UTF16BE);
	case GBK:
		if (c < 0x80)
			return put_utf8(c, to);
		to[0] = (uint8_t)(0xa1 + below(state, 87));
		to[1] = (uint8_t)(0xa1 + below(state, 94));
		if (below(state, 4) == 0) {
			to[0] = (uint8_t)(0x81 + below(state, 32));
			to[1] = (uint8_t)(0x40 + below(state, 63));
		}
		return 2;
	default:
		to[0] = (uint8_t)c;
		return 1;
	}
}

/* A text of about `most` bytes. */
static size_t text(uint64_t *state, uint8_t *to, size_t most)
{
	enum style style = (enum style)below(state, STYLES);
	enum repertoire from = (enum repertoire)below(state, REPERTOIRES);
	size_t rare = (size_t[]){ 0, 8, 60, 400 }[below(state, 4)];
	size_t heads = (size_t[]){ 1, 3 }[below(state, 2)];
	size_t room = FUZZ_MAX - 8, n, run, i;
	const char *odd;

	for (n = 0; n < heads; n++) /* what targets take for themselves */
		to[n] = (uint8_t)rng(state);
	while (n < most && n < room) {
		enum style now = style != ANYTHING ? style :
				 (enum style)below(state, ANYTHING);
		bool ascii = below(state, 2);

		run = 1 + below(state, below(state, 10) ? 9 : 150);
		for (i = 0; i < run && n < room; i++)
			n += character(state, now, ascii ?
				       ' ' + (uint32_t)below(state, 95) :
				       code_point(state, from), to + n);
		if (!rare || below(state, rare) || n >= room)
			continue;
		odd = oddities[below(state, sizeof(oddities) /
				     sizeof(*oddities))];
		run = odd[0] ? strlen(odd) : 1;
		memcpy(to + n, odd, run);
		n += run;
	}
	return n < FUZZ_MAX ? n : FUZZ_MAX;
}

/* Changes some of the bytes; tells the new length. */
static size_t mutate(uint64_t *state, uint8_t *bytes, size_t length)
{
	size_t at, n;

	if (!length)
		return 0;
	at = below(state, length);
	n = 1 + below(state, length - at < 70 ? length - at : 70);
	switch (below(state, 6)) {
	case 0:
		bytes[at] = (uint8_t)rng(state);
		return length;
	case 1:
		bytes[at] ^= (uint8_t)(1u << below(state, 8));
		return length;
	case 2: /* out with n bytes */
		memmove(bytes + at, bytes + at + n, length - at - n);
		return length - n;
	case 3: /* n bytes twice */
		if (length + n > FUZZ_MAX)
			return length;
		memmove(bytes + at + n, bytes + at, length - at);
		return length + n;
	case 4:
		memset(bytes + at, bytes[at], n);
		return length;
	default: /* cut off */
		return at;
	}
}

size_t fuzz_next(uint64_t *state, uint8_t *to)
{
	size_t slot = below(state, POOL), length = pool[slot].length, times;

	if (length && below(state, 2)) {
		memcpy(to, pool[slot].bytes, length);
		for (times = 1 + below(state, 4); times; times--)
			length = mutate(state, to, length);
	} else {
		length = text(state, to,
			      below(state, below(state, 16) ? 300 : FUZZ_MAX));
	}
	memcpy(pool[slot].bytes, to, length);
	pool[slot].length = length;
	return length;
}
