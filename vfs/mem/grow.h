/* SPDX-License-Identifier: MIT */
/*
 * Bytes that grow at their end. A failure stays: whoever adds need not look
 * until the end, and what is added after it is nothing.
 */
#ifndef MVFS__GROW_H
#define MVFS__GROW_H

#include <memvfs/types.h>

#include "vfs/base/base.h"

struct mvfs__grow {
	char *bytes; /* terminated, but NULL while there are none */
	size_t len, capacity;
	bool failed; /* out of memory */
};

void mvfs__grow_add(struct mvfs__grow *g, const void *bytes, size_t len);
void mvfs__grow_text(struct mvfs__grow *g, const char *text);
void mvfs__grow_format(struct mvfs__grow *g, const char *format, ...)
	MVFS_PRINTF(2, 3);

/* Room for `len` more bytes, whose place is given; NULL without memory. */
char *mvfs__grow_room(struct mvfs__grow *g, size_t len);

/* Frees the bytes; it may be used again. */
void mvfs__grow_free(struct mvfs__grow *g);

/* Nothing, in the memory that there is. */
static inline void mvfs__grow_clear(struct mvfs__grow *g)
{
	g->len = 0;
	if (g->bytes)
		g->bytes[0] = 0;
}

/* What has been added, as a string; "" without any. */
static inline const char *mvfs__grow_string(const struct mvfs__grow *g)
{
	return g->bytes ? g->bytes : "";
}

#endif
