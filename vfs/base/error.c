/* SPDX-License-Identifier: MIT */
/* Messages of errors: see error.h. */
#include "config.h"

#include "vfs/base/error.h"

#include <stdarg.h>
#include <stdio.h>

int mvfs__fail(struct mvfs_error *error, int code, uint64_t offset,
	       uint64_t length, const char *format, ...)
{
	va_list args;
	size_t end;
	int wanted;

	assert(code < 0);
	if (!error)
		return code;
	error->code = code;
	error->offset = offset;
	error->length = length;
	va_start(args, format);
	wanted = vsnprintf(error->message, sizeof(error->message), format,
			   args);
	va_end(args);
	if (wanted < 0) {
		error->message[0] = 0;
	} else if ((size_t)wanted >= sizeof(error->message)) {
		/* paths are in it: half a character would spoil the rest */
		end = sizeof(error->message) - 1;
		while (end > 0 && (error->message[end - 1] & 0xc0) == 0x80)
			end--;
		if (end > 0 && (error->message[end - 1] & 0x80))
			end--;
		error->message[end] = 0;
	}
	return code;
}
