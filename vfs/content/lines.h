/* SPDX-License-Identifier: MIT */
/*
 * Strings cut into lines and parts, without a copy: what is behind
 * <memvfs/text.h>; arguments are valid.
 *
 * One at a time, each a string with its reference; or all in a table, as
 * places in one text, which costs one reference in all.
 */
#ifndef MVFS__LINES_H
#define MVFS__LINES_H

#include <memvfs/text.h>

#include "vfs/base/base.h"

/* Takes the first line, or part, off `rest`; false if there is none. */
bool mvfs__string_next_line(struct mvfs_string *rest,
			    struct mvfs_string *line);
bool mvfs__string_next_part(struct mvfs_string *rest, const void *separator,
			    size_t length, struct mvfs_string *part);

/*
 * At most `count` lines from the `first` on, counted from 0. Takes the text
 * over, on failure too. -ENOMEM.
 */
int mvfs__lines_of(struct mvfs_string *text, uint64_t first, uint64_t count,
		   struct mvfs_lines *out);
void mvfs__lines_release(struct mvfs_lines *lines);

#endif
