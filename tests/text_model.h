/* SPDX-License-Identifier: MIT */
/*
 * What the tests of text share: memory with nothing around it, random
 * numbers, and UTF-8 by its definition, slow and plainly right.
 *
 * The definition (Unicode, D92) says which number is which bytes. So what is
 * well-formed is found by encoding: a sequence is right if it is what its own
 * number is encoded to; and bytes can begin a character if the range of
 * numbers that they leave open has a number in it that is one.
 */
#ifndef TESTS_TEXT_MODEL_H
#define TESTS_TEXT_MODEL_H

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "tests/random.h"
#include "vfs/text/utf8.h"

/* Memory of which no byte before or behind can be touched. */
struct fence {
	uint8_t *bytes;
	size_t size; /* a multiple of the page */
	size_t page;
};

static inline struct fence fence_new(size_t size)
{
	struct fence f = { .page = (size_t)sysconf(_SC_PAGESIZE) };

	f.size = (size + f.page - 1) / f.page * f.page;
	f.bytes = mmap(NULL, f.size + 2 * f.page, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(f.bytes, MAP_FAILED);
	f.bytes += f.page;
	ck_assert_int_eq(mprotect(f.bytes, f.size, PROT_READ | PROT_WRITE),
			 0);
	return f;
}

static inline void fence_end(struct fence *f)
{
	munmap(f->bytes - f->page, f->size + 2 * f->page);
}

/* The bytes again, so that they end where the memory does. */
static inline uint8_t *fence_put(const struct fence *f, const void *bytes,
				 size_t length)
{
	uint8_t *to = f->bytes + f->size - length;

	if (length > f->size)
		ck_abort();
	if (length)
		memcpy(to, bytes, length);
	return to;
}

static inline bool model_is_character(uint32_t c)
{
	return c <= 0x10ffff && !(c >= 0xd800 && c <= 0xdfff);
}

/* What UTF-8 a number is, or 0 if it is no character. */
static inline unsigned model_encode(uint32_t c, uint8_t *to)
{
	if (!model_is_character(c))
		return 0;
	if (c < 0x80) {
		to[0] = (uint8_t)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (uint8_t)(0xc0 + c / 64);
		to[1] = (uint8_t)(0x80 + c % 64);
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (uint8_t)(0xe0 + c / 4096);
		to[1] = (uint8_t)(0x80 + c / 64 % 64);
		to[2] = (uint8_t)(0x80 + c % 64);
		return 3;
	}
	to[0] = (uint8_t)(0xf0 + c / 262144);
	to[1] = (uint8_t)(0x80 + c / 4096 % 64);
	to[2] = (uint8_t)(0x80 + c / 64 % 64);
	to[3] = (uint8_t)(0x80 + c % 64);
	return 4;
}

/* How long the sequence is that begins with that byte by its form; 0 none. */
static inline unsigned model_form(uint8_t byte)
{
	if (byte < 0x80)
		return 1;
	if (byte >= 0xc0 && byte < 0xe0)
		return 2;
	if (byte >= 0xe0 && byte < 0xf0)
		return 3;
	return byte >= 0xf0 && byte < 0xf8 ? 4 : 0;
}

/* Whether some character begins with (or is) just these bytes. */
static inline bool model_begins(const uint8_t *bytes, unsigned length)
{
	static const uint32_t first[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned form = model_form(bytes[0]), i;
	uint32_t low, high;

	if (!form || length > form)
		return false;
	low = form == 1 ? bytes[0] : bytes[0] & ((1u << (7 - form)) - 1);
	for (i = 1; i < length; i++) {
		if (bytes[i] < 0x80 || bytes[i] > 0xbf)
			return false;
		low = low * 64 + bytes[i] % 64;
	}
	for (high = low; i < form; i++) {
		low *= 64;
		high = high * 64 + 63;
	}
	if (low < first[form])
		low = first[form];
	if (low >= 0xd800 && low <= 0xdfff)
		low = 0xe000;
	return low <= high && low <= 0x10ffff;
}

/* mvfs__utf8_look() by definition: the maximal subpart is the longest. */
static inline struct mvfs__flaw model_look(const uint8_t *bytes, size_t length)
{
	struct mvfs__flaw look = { MVFS__MALFORMED, 1 };
	unsigned form = model_form(bytes[0]), n;

	for (n = 1; n <= form && n <= length && model_begins(bytes, n); n++)
		look.length = n;
	if (model_begins(bytes, look.length)) {
		if (look.length == form)
			look.kind = MVFS__NO_FLAW;
		else if (look.length == length)
			look.kind = MVFS__CUT_OFF;
	}
	return look;
}

/* How many leading bytes are well-formed, and ASCII. */
static inline size_t model_valid(const uint8_t *bytes, size_t length)
{
	struct mvfs__flaw look;
	size_t i = 0;

	while (i < length) {
		look = model_look(bytes + i, length - i);
		if (look.kind != MVFS__NO_FLAW)
			break;
		i += look.length;
	}
	return i;
}

static inline size_t model_ascii(const uint8_t *bytes, size_t length)
{
	size_t i = 0;

	while (i < length && bytes[i] < 128)
		i++;
	return i;
}

/* Every form that malformed text takes. */
struct bad {
	const char *bytes;
	const char *what;
};

static const struct bad bad_forms[] = {
	{ "\x80", "a trail byte alone" },
	{ "\xbf", "the last trail byte alone" },
	{ "\x80\x80\x80\x80\x80", "trail bytes in a row" },
	{ "\xc2", "a lead of two alone" },
	{ "\xc2\x41", "a lead of two before ASCII" },
	{ "\xc2\xc2\x80", "a lead of two before a lead" },
	{ "\xe4\xbd", "two of three" },
	{ "\xe4\xbd\x41", "two of three before ASCII" },
	{ "\xe4\x41", "one of three before ASCII" },
	{ "\xe4\xe4\xbd\xa0", "one of three before a lead" },
	{ "\xf0\x9f\x98", "three of four" },
	{ "\xf0\x9f\x98\x41", "three of four before ASCII" },
	{ "\xf0\x9f\x41", "two of four before ASCII" },
	{ "\xf0\x41", "one of four before ASCII" },
	{ "\xc0\x80", "NUL in two bytes" },
	{ "\xc1\xbf", "U+007F in two bytes" },
	{ "\xe0\x80\x80", "NUL in three bytes" },
	{ "\xe0\x9f\xbf", "U+07FF in three bytes" },
	{ "\xe0\x82\xa4", "U+00A4 in three bytes" },
	{ "\xe0\x90\x90", "U+0410 in three bytes" },
	{ "\xf0\x84\xbd\xa0", "U+4F60 in four bytes" },
	{ "\xf0\x80\x80\x80", "NUL in four bytes" },
	{ "\xf0\x8f\xbf\xbf", "U+FFFF in four bytes" },
	{ "\xed\xa0\x80", "the first surrogate" },
	{ "\xed\xbf\xbf", "the last surrogate" },
	{ "\xed\xa0\xbd\xed\xb8\x80", "a pair of surrogates" },
	{ "\xf4\x90\x80\x80", "U+110000" },
	{ "\xf4\xa0\x80\x80", "U+120000" },
	{ "\xf4\xbf\xbf\xbf", "U+13FFFF" },
	{ "\xf5\x80\x80\x80", "a lead above F4" },
	{ "\xf7\xbf\xbf\xbf", "U+1FFFFF" },
	{ "\xf8\x88\x80\x80\x80", "five bytes" },
	{ "\xfc\x84\x80\x80\x80\x80", "six bytes" },
	{ "\xfe", "FE" },
	{ "\xff", "FF" },
};

#define BAD_FORMS (sizeof(bad_forms) / sizeof(*bad_forms))

#endif
