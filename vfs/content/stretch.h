/* SPDX-License-Identifier: MIT */
/*
 * A stretch of a buffer, and what text it is.
 *
 * Two questions are asked: is it ASCII, which every charset that is
 * compatible shares, and is it well-formed UTF-8. The answer begins with what
 * the buffer's word knows, and leaves there what it found.
 */
#ifndef MVFS__STRETCH_H
#define MVFS__STRETCH_H

#include "vfs/content/buffer.h"
#include "vfs/text/utf8.h"

/* Not empty, and within the buffer, of which the caller holds a reference. */
struct mvfs__stretch {
	struct mvfs__buffer *buffer;
	uint64_t start;
	size_t length;
};

static inline const uint8_t *mvfs__stretch_bytes(const struct mvfs__stretch *r)
{
	return mvfs__buffer_bytes(r->buffer) + r->start;
}

/* What it is as UTF-8. O(1) if it was asked before. */
struct mvfs__verdict mvfs__stretch_utf8(const struct mvfs__stretch *r);

/* Whether it is ASCII. O(1) if it was asked before and is. */
bool mvfs__stretch_ascii(const struct mvfs__stretch *r);

/* What is known already, without looking: of `valid` bytes, as what. */
struct mvfs__verdict mvfs__stretch_known(const struct mvfs__stretch *r);

/*
 * Looks at what follows the leading ASCII of a whole buffer, as far as it is
 * ASCII, too: what is known then. `text` is what was known, nothing or ASCII.
 */
struct mvfs__text_state mvfs__stretch_more_ascii(struct mvfs__buffer *b,
						 struct mvfs__text_state text);

#endif
