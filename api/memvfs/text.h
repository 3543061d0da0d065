/* SPDX-License-Identifier: MIT */
/*
 * Owned strings and charsets.
 *
 * A string stays valid and unchanged whatever happens to the file it was
 * read from or to the instance: its owner keeps the bytes.
 */
#ifndef MEMVFS_TEXT_H
#define MEMVFS_TEXT_H

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct mvfs_charset;

/* By IANA name or alias, case and punctuation ignored; NULL if unknown. */
MVFS_API const struct mvfs_charset *mvfs_charset(const char *name);
MVFS_API const char *mvfs_charset_name(const struct mvfs_charset *charset);
/* Whether bytes below 0x80 always mean ASCII. */
MVFS_API int mvfs_charset_is_ascii_compatible(const struct mvfs_charset *cs);

#define MVFS_STRING_TERMINATED 1u /* data[len] is 0 */
#define MVFS_STRING_ASCII 2u      /* all bytes are below 0x80 */
#define MVFS_STRING_SHARED 4u     /* nothing was copied to make it */

/* UTF-8. By value; the one who got it releases it. {0} is an empty string. */
struct mvfs_string {
	const char *data; /* never NULL in a string that a call returned */
	size_t len;
	unsigned flags;
	void *owner;      /* what keeps the bytes; NULL: they are static */
};

/* On any thread; {0} afterwards, so releasing twice is harmless. */
MVFS_API void mvfs_string_release(struct mvfs_string *string);
/* Another reference to the same bytes. */
MVFS_API struct mvfs_string mvfs_string_share(const struct mvfs_string *string);
/* `len` bytes from `start` on, sharing the owner; cut to what is there. */
MVFS_API struct mvfs_string mvfs_string_slice(const struct mvfs_string *string,
					      size_t start, size_t len);
/*
 * A C string, valid as long as the string: its own bytes if it is
 * terminated, else it is first replaced by a terminated copy. NULL without
 * memory. A 0 inside is kept.
 */
MVFS_API const char *mvfs_string_cstr(struct mvfs_string *string);
/* Memory for free(), terminated; the string is {0} afterwards. NULL: -ENOMEM,
 * and the string is unchanged. */
MVFS_API MVFS_NODISCARD char *mvfs_string_steal(struct mvfs_string *string);
/* A string with a copy of the bytes. */
MVFS_API int mvfs_string_copy(const void *bytes, size_t len,
			      struct mvfs_string *string);

/* Malformed or unmappable input becomes U+FFFD instead of -EILSEQ. */
#define MVFS_REPLACE 1u

/* Decodes bytes of a charset (NULL: UTF-8) to a string of its own. */
MVFS_API int mvfs_decode(const void *bytes, size_t len,
			 const struct mvfs_charset *charset, unsigned flags,
			 struct mvfs_string *string, struct mvfs_error *error);
/* Encodes UTF-8 to the charset's bytes; the "string" holds these bytes. */
MVFS_API int mvfs_encode(const void *utf8, size_t len,
			 const struct mvfs_charset *charset, unsigned flags,
			 struct mvfs_string *bytes, struct mvfs_error *error);

#ifdef __cplusplus
}
#endif

#endif
