/* SPDX-License-Identifier: MIT */
/*
 * Modified UTF-8, as java.io.DataInput specifies it: UTF-8, but for U+0000,
 * which is C0 80, and for characters above U+FFFF, which are the two
 * surrogates of UTF-16, three bytes each.
 */
#ifndef MVFS__MODIFIED_H
#define MVFS__MODIFIED_H

#include "vfs/text/utf8.h"

/* Of well-formed UTF-8: its length in modified UTF-8. */
size_t mvfs__modified_length(const uint8_t *utf8, size_t len);
/* To so many bytes. */
void mvfs__modified_encode(uint8_t *to, const uint8_t *utf8, size_t len);

/*
 * How many leading bytes are the same in UTF-8. A byte 0 is, as Java reads
 * it, which does not write it. *ascii tells whether these are all ASCII.
 */
size_t mvfs__modified_same(const uint8_t *bytes, size_t len, bool *ascii);

/*
 * Decodes to UTF-8, which is never longer; `*made` tells how long. The
 * result is how many bytes were decoded: fewer than `len` before a flaw,
 * of which *flaw tells more.
 */
size_t mvfs__modified_decode(uint8_t *to, size_t *made, const uint8_t *bytes,
			     size_t len, struct mvfs__flaw *flaw);

#endif
