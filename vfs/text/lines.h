/* SPDX-License-Identifier: MIT */
/* Where lines end: at LF, CR LF, or a CR alone. */
#ifndef MVFS__TEXT_LINES_H
#define MVFS__TEXT_LINES_H

#include "vfs/base/base.h"

/*
 * The length of the line that begins at `bytes`, without its end; *next is
 * where the line behind it begins. Both are `length` where no line ends.
 */
size_t mvfs__line_length(const char *bytes, size_t length, size_t *next);

#endif
