/* SPDX-License-Identifier: MIT */
/*
 * UTF-8 one character at a time: what is well-formed (Unicode, table 3-7),
 * and how far a flaw reaches ("maximal subpart", Unicode section 3.9): the
 * bytes that could still have become a character, or one byte.
 */
#ifndef MVFS__UTF8_H
#define MVFS__UTF8_H

#include "vfs/base/base.h"

/* Most bytes that one flaw has; in UTF-8 and GBK it is 3. */
#define MVFS__FLAW_MAX 8

/* What is wrong at a place in a text. */
enum mvfs__flaw_kind {
	MVFS__NO_FLAW,
	MVFS__MALFORMED,  /* no bytes of the charset begin like that */
	MVFS__CUT_OFF,    /* the text ends within a character */
	MVFS__UNMAPPABLE, /* well-formed, but there is no such character */
	MVFS__NO_ROOM     /* no flaw: there is no room to go on */
};

struct mvfs__flaw {
	enum mvfs__flaw_kind kind;
	unsigned length; /* of the offending bytes, at least 1 */
};

/* The replacement character, U+FFFD. */
#define MVFS__FFFD "\xef\xbf\xbd"

/*
 * Looks at the first character of `length` > 0 bytes: without a flaw,
 * `length` of the result is that of the character.
 */
struct mvfs__flaw mvfs__utf8_look(const uint8_t *bytes, size_t length);

/* The code point of a well-formed sequence of that length. */
uint32_t mvfs__utf8_decode(const uint8_t *bytes, unsigned length);

static inline bool mvfs__utf8_is_trail(uint8_t byte)
{
	return (byte & 0xc0) == 0x80;
}

/*
 * What a text is as UTF-8. Looks only at what is behind `from`, which the
 * caller knows to be well-formed and to end at a character; `ascii` tells
 * whether it is known to be ASCII too.
 */
struct mvfs__verdict {
	size_t valid; /* so many leading bytes are well-formed */
	bool ascii;   /* and known to be all below 0x80 */
	struct mvfs__flaw flaw; /* what is there, if that is not the end */
};
struct mvfs__verdict mvfs__utf8_classify(const uint8_t *bytes, size_t length,
					 size_t from, bool ascii);

#endif
