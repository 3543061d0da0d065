/* SPDX-License-Identifier: MIT */
/*
 * Conversions from memory to a new buffer.
 */
#ifndef MVFS__CONVERT_H
#define MVFS__CONVERT_H

#include "vfs/content/buffer.h"
#include "vfs/text/charset.h"

enum mvfs__direction {
	MVFS__DECODE, /* from the charset to UTF-8 */
	MVFS__ENCODE  /* from UTF-8 to the charset */
};

/*
 * All `length` > 0 bytes, or nothing: -EILSEQ with the place, -ENOMEM. With
 * MVFS_REPLACE a flaw becomes U+FFFD, or what the charset has in its place;
 * with MVFS_SKIP_BOM (decoding) a BOM at the start is left out.
 * Outside all locks: a charset may be the user's own.
 */
int mvfs__convert(const uint8_t *bytes, size_t length,
		  const struct mvfs_charset *cs, enum mvfs__direction direction,
		  unsigned flags, struct mvfs__buffer **out,
		  struct mvfs_error *error);

/* The bytes as they are, with what is known about them, or NULL. */
struct mvfs__buffer *mvfs__convert_copy(const void *bytes, size_t length,
					const struct mvfs__verdict *v);

/* -ENOMEM, and says so. */
int mvfs__convert_no_memory(struct mvfs_error *error, size_t length);

#endif
