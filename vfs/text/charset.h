/* SPDX-License-Identifier: MIT */
/*
 * A charset: how text is bytes. One const object for each, found by name.
 *
 * Conversions run from memory to memory until the end or the first flaw;
 * what happens then (fail, or replace and go on) is the caller's business,
 * and so is the room. One call per character was rejected for its cost, one
 * call for everything because growth and errors would be in every charset.
 */
#ifndef MVFS__CHARSET_H
#define MVFS__CHARSET_H

#include <memvfs/charset.h>

#include "vfs/text/kernels.h"
#include "vfs/text/utf8.h"

/*
 * Converts up to the end or up to a flaw at `from`, which is not passed.
 * `to` has room for what room_*() told, and MVFS__TEXT_SLACK more.
 */
typedef struct mvfs__flaw mvfs__convert_fn(struct mvfs__convert *c);

/*
 * How many bytes the conversion of these can make at most, flaws not
 * counted; SIZE_MAX where a size_t cannot tell. Of a text at least what has
 * been made of its first part and the room of the rest.
 */
typedef size_t mvfs__room_fn(const uint8_t *from, size_t length);

/* U+FEFF in a charset: at the start of a text a mark of what it is in. */
struct mvfs__bom {
	uint8_t bytes[4];
	uint8_t length; /* 0: none */
};

struct mvfs_charset {
	const char *name;           /* IANA's */
	const char *const *aliases; /* IANA's and common ones; NULL at the end */
	bool ascii_compatible;      /* bytes below 0x80 always mean ASCII */
	mvfs__room_fn *room_decode; /* to UTF-8 */
	mvfs__convert_fn *decode;
	mvfs__room_fn *room_encode; /* from UTF-8 */
	mvfs__convert_fn *encode;
	const char *replacement;    /* UTF-8 for what cannot be encoded */
	struct mvfs__bom bom;
	/* What is encoded begins with a BOM or the like, so that two such
	 * texts one behind the other are not one. */
	bool marked;
	/*
	 * If not NULL: the orders of bytes that its BOM tells, ending with
	 * NULL; without a BOM, and encoding, it is the first. Their decode and
	 * encode are to be called, and this one's are those of the first.
	 */
	const struct mvfs_charset *const *orders;
	/*
	 * NULL, or conversions have a session. Its charsets watch `to_end`
	 * themselves: the room that room_*() tells need not be enough, and
	 * MVFS__NO_ROOM asks for MVFS__SESSION_ROOM more. begin() gives 0, -ENOMEM, -EMFILE or
	 * -ENFILE.
	 */
	int (*begin)(struct mvfs__session *s, const struct mvfs_charset *cs,
		     bool encode);
	void (*end)(struct mvfs__session *s);
};

/* With so much room a session always gets on, whatever room_*() told. */
#define MVFS__SESSION_ROOM 512

/*
 * A conversion that needs more than the bytes: from begin() to end(). One is
 * under way at a time, but what replaces a flaw is converted in between.
 */
struct mvfs__session {
	const struct mvfs_charset *cs;
	void *cd;              /* iconv_t */
	bool in_step;          /* between two characters, ASCII is ASCII */
	const uint8_t *valid;  /* encoding: well-formed up to here; or NULL */
	const uint8_t *singly; /* and one by one up to here */
};

extern const struct mvfs_charset mvfs__charset_utf8;
extern const struct mvfs_charset mvfs__charset_ascii;
extern const struct mvfs_charset mvfs__charset_latin1;
extern const struct mvfs_charset mvfs__charset_gbk;
extern const struct mvfs_charset mvfs__charset_utf16le;
extern const struct mvfs_charset mvfs__charset_utf16be;
extern const struct mvfs_charset mvfs__charset_utf16;

/* By name or alias, folded (see registry.c); NULL if unknown. */
const struct mvfs_charset *mvfs__charset_find(const char *name);

/*
 * What a text is to be decoded with, and how many bytes of it to leave out
 * first: the BOM, if it tells the order or if the caller wants it `skipped`.
 */
const struct mvfs_charset *mvfs__charset_begin(const struct mvfs_charset *cs,
					       const uint8_t *bytes,
					       size_t length, bool skipped,
					       size_t *bom);

/*
 * The error for a flaw in `bytes` at `offset`, while decoding from `cs` or
 * (encode) encoding to it: returns -EILSEQ.
 */
int mvfs__flaw_fail(struct mvfs_error *error, const struct mvfs_charset *cs,
		    bool encode, const uint8_t *bytes, size_t offset,
		    struct mvfs__flaw flaw);

#endif
