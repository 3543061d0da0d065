/* SPDX-License-Identifier: MIT */
/*
 * Owned strings: see string.h.
 *
 * A string's owner is its buffer. An empty one has none: its data is static,
 * so that it needs no memory and cannot fail.
 */
#include "config.h"

#include "vfs/content/string.h"

#include <errno.h>
#include <string.h>

#include "vfs/content/convert.h"
#include "vfs/mem/mem.h"

const struct mvfs_string mvfs__string_empty = {
	.data = "",
	.flags = MVFS_STRING_TERMINATED | MVFS_STRING_ASCII,
};

void mvfs__string_drop(struct mvfs__buffer *b)
{
	struct mvfs__bin bin = MVFS__BIN_INIT;

	if (!b)
		return;
	mvfs__obj_drop(&b->obj, &bin);
	mvfs__bin_empty(&bin);
}

struct mvfs_string mvfs__string_on(const struct mvfs__stretch *r,
				   unsigned flags)
{
	const uint8_t *bytes = mvfs__stretch_bytes(r);

	if (r->buffer->obj.flags != MVFS__ADOPTED &&
	    r->start + r->length == r->buffer->used) {
		assert(bytes[r->length] == 0);
		flags |= MVFS_STRING_TERMINATED;
	}
	return (struct mvfs_string){
		.data = (const char *)bytes,
		.len = r->length,
		.flags = flags,
		.owner = r->buffer,
	};
}

struct mvfs_string mvfs__string_on_all(struct mvfs__buffer *b, unsigned flags)
{
	struct mvfs__stretch r = { .buffer = b, .length = (size_t)b->used };

	if (b->used)
		return mvfs__string_on(&r, flags);
	mvfs__string_drop(b);
	return mvfs__string_empty;
}

void mvfs__string_release(struct mvfs_string *s)
{
	struct mvfs__buffer *b = s->owner;

	*s = (struct mvfs_string){ 0 };
	mvfs__string_drop(b);
}

struct mvfs_string mvfs__string_share(const struct mvfs_string *s)
{
	if (!s->data)
		return mvfs__string_empty;
	if (s->owner)
		mvfs__obj_retain(&((struct mvfs__buffer *)s->owner)->obj);
	return *s;
}

struct mvfs_string mvfs__string_slice(const struct mvfs_string *s,
				      size_t start, size_t length)
{
	struct mvfs_string slice;

	if (start >= s->len || !length)
		return mvfs__string_empty;
	slice = mvfs__string_share(s);
	slice.data += start;
	slice.len = length < s->len - start ? length : s->len - start;
	if (start + slice.len < s->len)
		slice.flags &= ~MVFS_STRING_TERMINATED;
	return slice;
}

int mvfs__string_copy(const void *bytes, size_t length,
		      struct mvfs_string *out)
{
	struct mvfs__buffer *b;

	if (!length) {
		*out = mvfs__string_empty;
		return 0;
	}
	b = mvfs__convert_copy(bytes, length, NULL);
	if (!b)
		return -ENOMEM;
	*out = mvfs__string_on_all(b, 0);
	return 0;
}

const char *mvfs__string_cstr(struct mvfs_string *s)
{
	struct mvfs_string copy;

	if (!s->len) {
		/* whatever it shares, it needs no more */
		mvfs__string_release(s);
		*s = mvfs__string_empty;
	}
	if (s->flags & MVFS_STRING_TERMINATED)
		return s->data;
	if (mvfs__string_copy(s->data, s->len, &copy))
		return NULL;
	copy.flags |= s->flags & MVFS_STRING_ASCII;
	mvfs__string_release(s);
	*s = copy;
	return s->data;
}

char *mvfs__string_steal(struct mvfs_string *s)
{
	char *copy;
	size_t room;

	if (mvfs__add_overflow(s->len, 1, &room))
		return NULL;
	copy = mvfs__malloc(room);
	if (!copy)
		return NULL;
	if (s->len)
		memcpy(copy, s->data, s->len);
	copy[s->len] = 0;
	mvfs__mem_count_copy(s->len);
	mvfs__string_release(s);
	return copy;
}
