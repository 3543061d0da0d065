/* SPDX-License-Identifier: MIT */
/* Lines and parts of strings: see lines.h. */
#include "config.h"

#include "vfs/content/lines.h"

#include <errno.h>
#include <string.h>

#include "vfs/content/string.h"
#include "vfs/mem/mem.h"
#include "vfs/text/lines.h"

/* Places for lines that are made at first. */
#define LINES_MIN 16

/* `rest` goes on at `next` > 0; what is before `length` is the result. */
static struct mvfs_string take(struct mvfs_string *rest, size_t length,
			       size_t next)
{
	struct mvfs_string part = mvfs__string_slice(rest, 0, length);

	assert(length <= next && next < rest->len);
	rest->data += next;
	rest->len -= next;
	return part;
}

/* The last part has the reference of `rest`, which is then none. */
static struct mvfs_string take_last(struct mvfs_string *rest, size_t length)
{
	struct mvfs_string part = *rest;

	*rest = (struct mvfs_string){ 0 };
	if (!length) {
		mvfs__string_release(&part);
		return mvfs__string_empty;
	}
	if (length < part.len)
		part.flags &= ~MVFS_STRING_TERMINATED;
	part.len = length;
	return part;
}

bool mvfs__string_next_line(struct mvfs_string *rest, struct mvfs_string *line)
{
	struct mvfs__line_scan scan;
	size_t start, length;

	mvfs__line_scan_init(&scan, rest->data, rest->len);
	if (!mvfs__line_scan_next(&scan, &start, &length)) {
		mvfs__string_release(rest);
		return false;
	}
	*line = scan.at < rest->len ? take(rest, length, scan.at) :
				      take_last(rest, length);
	return true;
}

bool mvfs__string_next_part(struct mvfs_string *rest, const void *separator,
			    size_t length, struct mvfs_string *part)
{
	const char *found = NULL;
	size_t at;

	assert(length > 0);
	if (!rest->data)
		return false;
	if (rest->len)
		found = memmem(rest->data, rest->len, separator, length);
	if (!found) {
		*part = take_last(rest, rest->len);
		return true;
	}
	at = (size_t)(found - rest->data);
	if (at + length < rest->len) {
		*part = take(rest, at, at + length);
	} else {
		/* an empty part follows */
		*part = take_last(rest, at);
		*rest = mvfs__string_empty;
	}
	return true;
}

/* A table under way. */
struct table {
	struct mvfs_line *line;
	size_t count, capacity;
};

static bool resize(struct table *t, size_t capacity)
{
	struct mvfs_line *line;
	size_t size;

	if (mvfs__mul_overflow(capacity, sizeof(*line), &size))
		return false;
	line = mvfs__realloc(t->line, size);
	if (!line)
		return false;
	t->line = line;
	t->capacity = capacity;
	return true;
}

/*
 * Room for as many lines as the rest has if it goes on as it began; but not
 * for many times more than there were, for a few short lines tell little.
 */
static bool grow(struct table *t, size_t done, size_t rest, uint64_t wanted)
{
	uint64_t capacity = t->count / 2;

	assert(t->count <= done);
	if (t->count)
		capacity = mvfs__max64(capacity, rest / (done / t->count));
	capacity = mvfs__min64(capacity, 3 * (uint64_t)t->count);
	capacity += t->count + LINES_MIN;
	return resize(t, (size_t)mvfs__min64(capacity, wanted));
}

static void skip(struct mvfs__line_scan *scan, uint64_t count)
{
	size_t start, length;

	while (count && mvfs__line_scan_next(scan, &start, &length))
		count--;
}

static bool fill(struct table *t, const char *text,
		 struct mvfs__line_scan *scan, uint64_t count)
{
	size_t from = scan->at, start, length;

	while (t->count < count &&
	       mvfs__line_scan_next(scan, &start, &length)) {
		if (t->count == t->capacity &&
		    !grow(t, start - from, scan->length - start, count))
			return false;
		t->line[t->count++] = (struct mvfs_line){ text + start,
							  length };
	}
	return true;
}

int mvfs__lines_of(struct mvfs_string *text, uint64_t first, uint64_t count,
		   struct mvfs_lines *out)
{
	struct table t = { NULL, 0, 0 };
	struct mvfs__line_scan scan;

	mvfs__line_scan_init(&scan, text->data, text->len);
	skip(&scan, first);
	if (!fill(&t, text->data, &scan, count)) {
		mvfs__free(t.line);
		mvfs__string_release(text);
		return -ENOMEM;
	}
	/* without memory for less it stays as it is */
	if (t.capacity - t.count > t.count / 4)
		(void)resize(&t, t.count);
	out->text = *text;
	out->line = t.line;
	out->count = t.count;
	return 0;
}

void mvfs__lines_release(struct mvfs_lines *lines)
{
	mvfs__free(lines->line);
	mvfs__string_release(&lines->text);
	lines->line = NULL;
	lines->count = 0;
}
