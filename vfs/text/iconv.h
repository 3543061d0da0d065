/* SPDX-License-Identifier: MIT */
/*
 * Charsets of the C library's iconv(3): what the files of that share.
 *
 *     registry.c       names to charsets, made at first use, kept for ever
 *     iana.c           which names are one charset
 *     iconv_probe.c    what a charset is like, found out by trying
 *     charset_iconv.c  conversions
 *     iconv_flaw.c     how long a flaw is, and what it is
 */
#ifndef MVFS__ICONV_H
#define MVFS__ICONV_H

#include <iconv.h>
#include <stdatomic.h>

#include "vfs/text/charset.h"

/* Whether a byte can be the second of a character of two or more. */
enum mvfs__trail {
	MVFS__TRAIL_UNKNOWN,
	MVFS__TRAIL_NEVER,
	MVFS__TRAIL_OF_SOME
};

struct mvfs__iconv {
	struct mvfs_charset cs;
	/* Keeps the C library's module loaded; nothing is converted by it. */
	iconv_t anchor;
	bool single;   /* every byte is a character, or none */
	bool wide;     /* no byte alone is a character: units of 2 or 4 */
	bool stateful; /* what bytes mean may depend on those before */
	/*
	 * Between characters a byte below 0x80 is that ASCII character at
	 * once, whatever comes before and behind, both ways.
	 */
	bool moves_ascii;
	bool has_tags;  /* U+E0000 to U+E007F; others leave them out */
	unsigned most;  /* bytes of UTF-8 that come of one byte, at most */
	unsigned most_back; /* and the other way */
	bool lead[256]; /* the first byte of characters of two or more */
	/* enum mvfs__trail, found out where a flaw asks for it */
	_Atomic uint8_t trail[256];
	/* For iconv_open(); behind it the name of the charset. */
	char spelling[];
};

static inline struct mvfs__iconv *mvfs__iconv_of(const struct mvfs_charset *cs)
{
	return mvfs__container_of(cs, struct mvfs__iconv, cs);
}

/* What one character can become, with all that is held back or shifts. */
#define MVFS__ICONV_ROOM_OF_ONE 64

/* Bytes that a call is given at least, so that it gets on. */
#define MVFS__ICONV_STRIDE 32

/* Bytes that come of one byte at most, in charsets that are taken. */
#define MVFS__ICONV_MOST \
	((MVFS__SESSION_ROOM - MVFS__ICONV_ROOM_OF_ONE) / MVFS__ICONV_STRIDE)

/* How a call of iconv() ended. */
enum mvfs__iconv_end {
	MVFS__ICONV_ALL,
	MVFS__ICONV_CHANGED,    /* all, but not all as it was */
	MVFS__ICONV_NO_ROOM,
	MVFS__ICONV_INCOMPLETE, /* `from` is at the start of a character */
	MVFS__ICONV_REFUSED     /* `from` is at a flaw */
};

/* Converts up to `stop`; `from` and `to` move on, not beyond `to_end`. */
enum mvfs__iconv_end mvfs__iconv_step(iconv_t cd, const uint8_t **from,
				      const uint8_t *stop, uint8_t **to,
				      const uint8_t *to_end);

/* What the descriptor still held back, and back to its first state; false
 * without room. */
bool mvfs__iconv_flush(iconv_t cd, uint8_t **to, const uint8_t *to_end);

/*
 * A charset by the first of its spellings that iconv_open() takes; NULL if it
 * takes none, or out of memory. `name` NULL: the spelling in capitals.
 */
struct mvfs__iconv *mvfs__iconv_make(const char *name,
				     const char *const *spellings);

/* What the charsets have in their objects. */
mvfs__convert_fn mvfs__iconv_decode, mvfs__iconv_encode;
int mvfs__iconv_begin(struct mvfs__session *s, const struct mvfs_charset *cs,
		      bool encode);
void mvfs__iconv_end(struct mvfs__session *s);

/*
 * iconv_open() for UTF-8 on the other side; (iconv_t)-1. It takes locks of the
 * C library's that a fork must not find taken, so all is under a mutex that
 * forks wait for.
 */
iconv_t mvfs__iconv_open(const char *spelling, bool encode);
void mvfs__iconv_close(iconv_t cd);

/*
 * What is at c->from, where decoding was refused. It may find that there is
 * no flaw yet and move on, too.
 */
struct mvfs__flaw mvfs__iconv_flaw(struct mvfs__convert *c);

/* The same where the text ended too early. */
struct mvfs__flaw mvfs__iconv_flaw_at_end(struct mvfs__convert *c);

/* What the name is without case and punctuation; false: it is no name. */
#define MVFS__CHARSET_NAME_MAX 63
bool mvfs__charset_fold(const char *name,
			char folded[MVFS__CHARSET_NAME_MAX + 1]);

/* All names, parted by blanks, of the charset of that folded name; or NULL. */
const char *mvfs__iana_names(const char *folded);

#endif
