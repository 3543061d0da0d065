/* SPDX-License-Identifier: MIT */
/*
 * Searching for the end of a line: see lines.h.
 *
 * Two bytes are searched for, and the C library's fast search takes one. In
 * windows that double, for either may be missing in all of a long text: then
 * a line costs what it is long, and not what is left of the text.
 */
#include "config.h"

#include "vfs/text/lines.h"

/* Most lines end within one. */
#define WINDOW 128

size_t mvfs__line_length(const char *bytes, size_t length, size_t *next)
{
	size_t from = 0, window = WINDOW, until, at;
	const char *lf, *cr;

	for (; from < length; from = until, window *= 2) {
		until = window < length - from ? from + window : length;
		lf = memchr(bytes + from, '\n', until - from);
		at = lf ? (size_t)(lf - bytes) : until;
		cr = memchr(bytes + from, '\r', at - from);
		if (cr)
			at = (size_t)(cr - bytes);
		else if (!lf)
			continue;
		*next = at + 1;
		if (cr && *next < length && bytes[*next] == '\n')
			++*next;
		return at;
	}
	*next = length;
	return length;
}
