/* SPDX-License-Identifier: MIT */
/*
 * Where bytes become strings and strings bytes: the glue between buffers
 * and charsets.
 *
 * A string refers to a buffer by `owner` and to bytes in it by `data`. It
 * shares the buffer of the file where its bytes are what the string would
 * be: ASCII in an ASCII-compatible charset, or well-formed UTF-8 read as
 * UTF-8. What was found out about a buffer is written into its word, so that
 * no byte is looked at twice, whoever asks.
 *
 * All of this runs outside locks, on references that the caller holds: they
 * make the bytes immutable meanwhile.
 */
#ifndef MVFS__STRING_H
#define MVFS__STRING_H

#include <memvfs/text.h>

#include "vfs/content/stretch.h"
#include "vfs/mem/mem.h"
#include "vfs/text/charset.h"

/* No bytes, no owner. */
extern const struct mvfs_string mvfs__string_empty;

/* A string over the stretch, terminated where the buffer's own 0 is behind
 * it; takes the reference over. */
struct mvfs_string mvfs__string_on(const struct mvfs__stretch *r,
				   unsigned flags);
struct mvfs_string mvfs__string_on_all(struct mvfs__buffer *b, unsigned flags);

/* The bytes of a string that has an owner, and is not empty. */
struct mvfs__stretch mvfs__string_stretch(const struct mvfs_string *s);

/*
 * The text of all of a buffer, if that is known or turns out to be ASCII, and
 * needs no copy: most of all readings, and so short that what it costs is the
 * reference. Takes the reference over then; false: it is another case.
 */
static inline bool mvfs__string_on_plain(struct mvfs__buffer *b,
					 const struct mvfs_charset *cs,
					 unsigned flags,
					 struct mvfs_string *out)
{
	struct mvfs__text_state text = mvfs__buffer_text(b);
	bool ascii = text.known == MVFS__KNOWN_ASCII;

	if (cs && cs != &mvfs__charset_utf8 &&
	    !(ascii && cs->ascii_compatible))
		return false;
	if (ascii && text.length < b->used)
		text = mvfs__stretch_more_ascii(b, text);
	if (text.length != b->used || text.known == MVFS__KNOWN_MALFORMED)
		return false;
	if (!ascii && (flags & MVFS_SKIP_BOM))
		return false;
	out->data = (const char *)mvfs__buffer_bytes(b);
	out->len = (size_t)b->used;
	out->flags = MVFS_STRING_SHARED | (ascii ? MVFS_STRING_ASCII : 0) |
		     (b->obj.flags != MVFS__ADOPTED ? MVFS_STRING_TERMINATED :
						      0);
	out->owner = b;
	mvfs__mem_count(shares, 1);
	return true;
}

/* Drops a reference (NULL is fine) and destroys, outside all locks. */
void mvfs__string_drop(struct mvfs__buffer *b);

/*
 * A string of `length` bytes of `b` from `start` on, in that charset (NULL:
 * UTF-8). flags: MVFS_REPLACE, MVFS_SKIP_BOM. Takes the reference over, on
 * failure too; `b` may be NULL if length is 0. -EILSEQ (offsets count from
 * `start`), -ENOMEM. `out` is written on success only.
 */
int mvfs__string_from_buffer(struct mvfs__buffer *b, uint64_t start,
			     uint64_t length, const struct mvfs_charset *cs,
			     unsigned flags, struct mvfs_string *out,
			     struct mvfs_error *error);

/*
 * The same bytes undecoded; never copies. Takes the reference over. -EFBIG
 * where a size_t cannot count them.
 */
int mvfs__string_bytes(struct mvfs__buffer *b, uint64_t start, uint64_t length,
		       struct mvfs_string *out);

/*
 * Whether the bytes of a string that is not empty are the same in that
 * charset (NULL: UTF-8), and what they are as UTF-8. Returns 1, 0, or -EILSEQ:
 * the string is malformed.
 */
int mvfs__string_same(const struct mvfs_string *s,
		      const struct mvfs_charset *cs, struct mvfs__verdict *v,
		      struct mvfs_error *error);

/*
 * The string in that charset (NULL: UTF-8) as a reference to a buffer, with
 * where the bytes are in it: the string's own buffer where they are the same,
 * else a new one. *out is NULL if there are none. -EILSEQ: the string is
 * malformed, or has a character that the charset has not. -ENOMEM.
 */
int mvfs__string_encode(const struct mvfs_string *s,
			const struct mvfs_charset *cs,
			struct mvfs__buffer **out, uint64_t *start,
			uint64_t *length, struct mvfs_error *error);

/* What is behind <memvfs/text.h>; arguments are valid. */
void mvfs__string_release(struct mvfs_string *s);
struct mvfs_string mvfs__string_share(const struct mvfs_string *s);
struct mvfs_string mvfs__string_slice(const struct mvfs_string *s,
				      size_t start, size_t length);
const char *mvfs__string_cstr(struct mvfs_string *s);
char *mvfs__string_steal(struct mvfs_string *s);
int mvfs__string_copy(const void *bytes, size_t length,
		      struct mvfs_string *out);
int mvfs__string_compact(struct mvfs_string *s);
int mvfs__string_compare(const struct mvfs_string *a,
			 const struct mvfs_string *b);
bool mvfs__string_equal(const struct mvfs_string *a,
			const struct mvfs_string *b);
uint64_t mvfs__string_hash(const struct mvfs_string *s, uint64_t seed);

/* mvfs_decode() and mvfs_encode(): memory that is not ours, so copied. */
int mvfs__string_decode(const void *bytes, size_t length,
			const struct mvfs_charset *cs, unsigned flags,
			struct mvfs_string *out, struct mvfs_error *error);
int mvfs__string_encode_bytes(const void *utf8, size_t length,
			      const struct mvfs_charset *cs, unsigned flags,
			      struct mvfs_string *out,
			      struct mvfs_error *error);

#endif
