/* SPDX-License-Identifier: MIT */
/*
 * Bytes as printable words and back: names as mtree(5) has them, encoded like
 * vis(3) with octal numbers, and quoted text with the escapes of C.
 */
#ifndef MVFS__ESCAPE_H
#define MVFS__ESCAPE_H

#include "vfs/mem/grow.h"

/* Adds the bytes as one word: what is no graphic ASCII, '#', '\\', '"' and
 * '=' as a backslash and three octal digits. */
void mvfs__escape_word(struct mvfs__grow *to, const void *bytes, size_t len);

/* Adds them in quotes, with the escapes of C. */
void mvfs__escape_quoted(struct mvfs__grow *to, const void *bytes, size_t len);

/*
 * The byte that the escape at `text` (which begins behind the backslash, and
 * ends before `end`) stands for; *used is how long it is. -1: it is none.
 * \ooo, \a \b \f \n \r \t \v \\ \" \# \s and \0, as libarchive reads them; of C
 * also \xhh, \' and \?.
 */
int mvfs__unescape(const char *text, const char *end, size_t *used);

#endif
