/* SPDX-License-Identifier: MIT */
/* Text that grows. */
#include "config.h"

#include "tests/nomem/nomem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void text_add(struct text *text, const char *format, ...)
{
	enum { LINE = 1024 };
	va_list args;
	int len;

	if (text->capacity - text->len < LINE) {
		text->capacity = 2 * text->capacity + 16 * LINE;
		text->bytes = realloc(text->bytes, text->capacity);
		if (!text->bytes)
			abort();
	}
	va_start(args, format);
	len = vsnprintf(text->bytes + text->len, LINE, format, args);
	va_end(args);
	if (len < 0 || len >= LINE)
		abort();
	text->len += (size_t)len;
}

void text_free(struct text *text)
{
	free(text->bytes);
	*text = (struct text){ NULL, 0, 0 };
}
