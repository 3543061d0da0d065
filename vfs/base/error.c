/* SPDX-License-Identifier: MIT */
/* Messages of errors: see error.h. */
#include "config.h"

#include "vfs/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Bytes of a path that a message shows. */
#define PATH_SHOWN 100

static bool is_trail(char byte)
{
	return (byte & 0xc0) == 0x80;
}

/* What was cut at the room's end loses the character that was cut. */
static void end_at_character(char *text)
{
	size_t length = strlen(text), start = length;
	unsigned char lead;

	while (start > 0 && length - start < 3 && is_trail(text[start - 1]))
		start--;
	if (start == 0)
		return;
	lead = (unsigned char)text[--start];
	if (lead >= 0xc0 && length - start <
	    (lead >= 0xf0 ? 4u : lead >= 0xe0 ? 3u : 2u))
		text[start] = 0;
}

int mvfs__fail(struct mvfs_error *error, int code, uint64_t offset,
	       uint64_t length, const char *format, ...)
{
	va_list args;
	int wanted;

	assert(code < 0);
	if (!error)
		return code;
	error->code = code;
	error->reason = MVFS_REASON_NONE;
	error->offset = offset;
	error->length = length;
	va_start(args, format);
	wanted = vsnprintf(error->message, sizeof(error->message), format,
			   args);
	va_end(args);
	if (wanted < 0)
		error->message[0] = 0;
	else if ((size_t)wanted >= sizeof(error->message))
		end_at_character(error->message);
	return code;
}

void mvfs__error_name(struct mvfs_error *error, const char *path)
{
	char message[sizeof(error->message)];
	const char *dots = "";
	size_t length;
	int reason;

	if (!error)
		return;
	reason = error->reason;
	length = strlen(path);
	if (length > PATH_SHOWN) {
		dots = "...";
		path += length - PATH_SHOWN;
		while (is_trail(*path))
			path++;
	}
	memcpy(message, error->message, sizeof(message));
	(void)mvfs__fail(error, error->code, error->offset, error->length,
			 "%s%s: %s", dots, path, message);
	error->reason = reason;
}
