/* SPDX-License-Identifier: MIT */
/* Bytes that grow: see grow.h. */
#include "config.h"

#include "vfs/mem/grow.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "vfs/mem/mem.h"

char *mvfs__grow_room(struct mvfs__grow *g, size_t len)
{
	size_t want, capacity = g->capacity + g->capacity / 2;
	char *bytes;

	if (g->failed || mvfs__add_overflow(g->len, len, &want) ||
	    mvfs__add_overflow(want, 1, &want)) {
		g->failed = true;
		return NULL;
	}
	if (want > g->capacity) {
		if (capacity < want)
			capacity = want < 64 ? 64 : want;
		bytes = mvfs__realloc(g->bytes, capacity);
		if (!bytes) {
			g->failed = true;
			return NULL;
		}
		g->bytes = bytes;
		g->capacity = capacity;
	}
	bytes = g->bytes + g->len;
	g->len += len;
	g->bytes[g->len] = 0;
	return bytes;
}

void mvfs__grow_add(struct mvfs__grow *g, const void *bytes, size_t len)
{
	char *to = mvfs__grow_room(g, len);

	if (to && len)
		memcpy(to, bytes, len);
}

void mvfs__grow_text(struct mvfs__grow *g, const char *text)
{
	mvfs__grow_add(g, text, strlen(text));
}

void mvfs__grow_format(struct mvfs__grow *g, const char *format, ...)
{
	va_list args;
	char *to;
	int len;

	va_start(args, format);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	assert(len >= 0);
	to = mvfs__grow_room(g, (size_t)len);
	if (!to)
		return;
	va_start(args, format);
	(void)vsnprintf(to, (size_t)len + 1, format, args);
	va_end(args);
}

void mvfs__grow_free(struct mvfs__grow *g)
{
	mvfs__free(g->bytes);
	*g = (struct mvfs__grow){ NULL, 0, 0, false };
}
