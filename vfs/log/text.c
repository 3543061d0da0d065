/* SPDX-License-Identifier: MIT */
/* Entries of a log as lines, each of which fits itself when it is expected. */
#include "config.h"

#include "vfs/log/log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include <memvfs/instance.h>

#include "vfs/mem/mem.h"

/* Room for `more` bytes and a terminating one. */
static bool reserve(struct mvfs__log_text *text, size_t more)
{
	size_t capacity;
	char *grown;

	if (text->failed)
		return false;
	if (text->capacity - text->len > more)
		return true;
	capacity = (text->len + more + 1) * 2;
	grown = mvfs__realloc(text->bytes, capacity);
	text->failed = !grown;
	if (!grown)
		return false;
	text->bytes = grown;
	text->capacity = capacity;
	return true;
}

void mvfs__log_text_add(struct mvfs__log_text *text, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (len < 0 || !reserve(text, (size_t)len))
		return;
	va_start(args, format);
	text->len += (size_t)vsnprintf(text->bytes + text->len,
				       text->capacity - text->len, format,
				       args);
	va_end(args);
}

void mvfs__log_text_free(struct mvfs__log_text *text)
{
	mvfs__free(text->bytes);
}

/* As a glob that fits it alone. Names that are not ASCII stay readable. */
static void add_path(struct mvfs__log_text *text, const char *path)
{
	for (; *path && !text->failed; path++) {
		unsigned char byte = (unsigned char)*path;

		if (byte <= ' ' || byte == 0x7f)
			mvfs__log_text_add(text, "\\%03o", byte);
		else if (strchr("*?[\\", byte))
			mvfs__log_text_add(text, "\\%c", byte);
		else
			mvfs__log_text_add(text, "%c", byte);
	}
}

static void add_result(struct mvfs__log_text *text, int64_t result)
{
	const char *name = result < 0 && result > -4096 ?
			   mvfs_errno_name((int)result) : NULL;

	if (name)
		mvfs__log_text_add(text, " = %s", name);
	else
		mvfs__log_text_add(text, " = %" PRId64, result);
}

void mvfs__log_line(struct mvfs__log_text *text,
		    const struct mvfs__log_entry *entry)
{
	mvfs__log_text_add(text, "%s ", mvfs__op_name(entry->op));
	if (*entry->path)
		add_path(text, entry->path);
	else
		mvfs__log_text_add(text, "#%" PRIu64, entry->ino);
	if (entry->path2) {
		mvfs__log_text_add(text, " ");
		add_path(text, entry->path2);
	}
	if (entry->offset != UINT64_MAX)
		mvfs__log_text_add(text, " offset=%" PRIu64, entry->offset);
	if (entry->bytes)
		mvfs__log_text_add(text, " bytes=%" PRIu64, entry->bytes);
	mvfs__log_text_add(text, " uid=%" PRIu32, entry->uid);
	if (entry->rule)
		mvfs__log_text_add(text, " rule=%" PRIu64, entry->rule);
	add_result(text, entry->result);
}
