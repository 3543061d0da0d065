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

#include "vfs/base/siphash.h"
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
	if (bin.head)
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

struct mvfs__stretch mvfs__string_stretch(const struct mvfs_string *s)
{
	struct mvfs__stretch r = { .buffer = s->owner, .length = s->len };

	assert((const uint8_t *)s->data >= mvfs__buffer_bytes(r.buffer));
	r.start = (uint64_t)((const uint8_t *)s->data -
			     mvfs__buffer_bytes(r.buffer));
	assert(r.start + r.length <= r.buffer->used);
	return r;
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

/* In the place of the string, with what is known of it. */
static int make_own(struct mvfs_string *s)
{
	unsigned flags = s->flags & MVFS_STRING_ASCII;
	struct mvfs__verdict known = { 0 };
	struct mvfs__stretch r;
	struct mvfs__buffer *b;

	if (s->owner) {
		r = mvfs__string_stretch(s);
		known = mvfs__stretch_known(&r);
	}
	b = mvfs__convert_copy(s->data, s->len, known.valid ? &known : NULL);
	if (!b)
		return -ENOMEM;
	mvfs__string_release(s);
	*s = mvfs__string_on_all(b, flags);
	return 0;
}

/* What an empty string shares it needs no more. */
static bool make_empty(struct mvfs_string *s)
{
	if (s->len)
		return false;
	mvfs__string_release(s);
	*s = mvfs__string_empty;
	return true;
}

/* Whether a copy would take less than half of what the owner keeps. */
static bool is_small_part(const struct mvfs_string *s)
{
	return s->owner && s->len + sizeof(struct mvfs__buffer) + 1 <
			   mvfs__buffer_memory(s->owner) / 2;
}

int mvfs__string_compact(struct mvfs_string *s)
{
	return make_empty(s) || !is_small_part(s) ? 0 : make_own(s);
}

const char *mvfs__string_cstr(struct mvfs_string *s)
{
	if (!make_empty(s) && !(s->flags & MVFS_STRING_TERMINATED) &&
	    make_own(s))
		return NULL;
	return s->data;
}

/* The string's buffer is its memory and nothing else, and only it knows. */
static bool is_all_of_heap(const struct mvfs_string *s)
{
	const struct mvfs__buffer *b = s->owner;

	return b && b->obj.flags == MVFS__HEAP && mvfs__obj_is_mine(&b->obj) &&
	       (const uint8_t *)s->data == mvfs__buffer_bytes(b) &&
	       !is_small_part(s);
}

char *mvfs__string_steal(struct mvfs_string *s)
{
	char *memory;
	size_t room;

	if (mvfs__add_overflow(s->len, 1, &room))
		return NULL;
	if (is_all_of_heap(s)) {
		memory = mvfs__buffer_steal(s->owner);
		memory[s->len] = 0;
		*s = (struct mvfs_string){ 0 };
		return memory;
	}
	memory = mvfs__malloc(room);
	if (!memory)
		return NULL;
	if (s->len)
		memcpy(memory, s->data, s->len);
	memory[s->len] = 0;
	mvfs__mem_count_copy(s->len);
	mvfs__string_release(s);
	return memory;
}

int mvfs__string_compare(const struct mvfs_string *a,
			 const struct mvfs_string *b)
{
	size_t both = a->len < b->len ? a->len : b->len;
	int order = 0;

	if (both && a->data != b->data)
		order = memcmp(a->data, b->data, both);
	return order ? order : (a->len > b->len) - (a->len < b->len);
}

bool mvfs__string_equal(const struct mvfs_string *a,
			const struct mvfs_string *b)
{
	return a->len == b->len && !mvfs__string_compare(a, b);
}

uint64_t mvfs__string_hash(const struct mvfs_string *s, uint64_t seed)
{
	const struct mvfs__seed key = { seed, 0 };

	return mvfs__siphash13(&key, s->len ? s->data : "", s->len);
}
