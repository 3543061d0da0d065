/* SPDX-License-Identifier: MIT */
/*
 * Conversions from memory to a new buffer: see convert.h.
 *
 * The room is settled before the conversion starts, by what well-formed text
 * can need at most; only replacements can ask for more. Counting the exact
 * size by a first pass was rejected: it costs as much as the conversion, and
 * room that is not touched costs next to nothing where it is large.
 */
#include "config.h"

#include "vfs/content/convert.h"

#include <errno.h>
#include <memvfs/text.h>
#include <string.h>

#include "vfs/base/error.h"
#include "vfs/mem/mem.h"
#include "vfs/text/kernels.h"

int mvfs__convert_no_memory(struct mvfs_error *error, size_t length)
{
	return mvfs__fail(error, -ENOMEM, 0, 0,
			  "no memory for a text of %zu bytes", length);
}

/* A new buffer with room for a conversion's result. */
static struct mvfs__buffer *new_room(size_t room)
{
	if (mvfs__add_overflow(room, MVFS__TEXT_SLACK, &room))
		return NULL;
	return mvfs__buffer_new(room);
}

/* Makes room for a replacement and for what else may come. */
static int more_room(struct mvfs__buffer **b, struct mvfs__convert *c,
		     mvfs__room_fn *room, struct mvfs_error *error)
{
	size_t made = (size_t)(c->to - mvfs__buffer_bytes(*b));
	size_t more = room(c->from, (size_t)(c->end - c->from));

	if (mvfs__add_overflow(more, made + 4 + MVFS__TEXT_SLACK, &more))
		return mvfs__convert_no_memory(error, made);
	/* growing keeps what is in use only */
	mvfs__buffer_set_used(*b, made);
	if (mvfs__buffer_reserve(b, more))
		return mvfs__convert_no_memory(error, more);
	c->to = mvfs__buffer_bytes(*b) + made;
	return 0;
}

static void put_replacement(struct mvfs__convert *c, const char *replacement)
{
	size_t length = strlen(replacement);

	assert(length <= 4);
	memcpy(c->to, replacement, length);
	c->to += length;
}

int mvfs__convert(const uint8_t *bytes, size_t length,
		  const struct mvfs_charset *cs, enum mvfs__direction direction,
		  unsigned flags, struct mvfs__buffer **out,
		  struct mvfs_error *error)
{
	bool encode = direction == MVFS__ENCODE;
	mvfs__room_fn *room = encode ? cs->room_encode : cs->room_decode;
	mvfs__convert_fn *run = encode ? cs->encode : cs->decode;
	struct mvfs__convert c = { .from = bytes, .end = bytes + length };
	struct mvfs__buffer *b = new_room(room(bytes, length));
	struct mvfs__bin bin = MVFS__BIN_INIT;
	struct mvfs__flaw flaw;
	int ret;

	if (!b)
		return mvfs__convert_no_memory(error, length);
	c.to = mvfs__buffer_bytes(b);
	while ((flaw = run(&c)).kind != MVFS__NO_FLAW) {
		if (!(flags & MVFS_REPLACE)) {
			ret = mvfs__flaw_fail(error, cs, encode, bytes,
					      (size_t)(c.from - bytes), flaw);
			goto out;
		}
		c.from += flaw.length;
		ret = more_room(&b, &c, room, error);
		if (ret)
			goto out;
		put_replacement(&c, encode ? cs->replacement : MVFS__FFFD);
	}
	assert(c.from == c.end);
	mvfs__buffer_set_used(b, (size_t)(c.to - mvfs__buffer_bytes(b)));
	if (!encode || cs == &mvfs__charset_utf8)
		mvfs__buffer_set_text(b, (struct mvfs__text_state){
			.length = b->used,
			.known = MVFS__KNOWN_UTF8,
		});
	mvfs__mem_count_copy((size_t)b->used);
	*out = b;
	return 0;
out:
	mvfs__obj_drop(&b->obj, &bin);
	mvfs__bin_empty(&bin);
	return ret;
}

struct mvfs__buffer *mvfs__convert_copy(const void *bytes, size_t length,
					const struct mvfs__verdict *v)
{
	struct mvfs__buffer *b = mvfs__buffer_new(length);

	if (!b)
		return NULL;
	memcpy(mvfs__buffer_bytes(b), bytes, length);
	mvfs__buffer_set_used(b, length);
	if (v)
		mvfs__buffer_set_text(b, (struct mvfs__text_state){
			.length = v->valid,
			.known = v->ascii ? MVFS__KNOWN_ASCII :
					    MVFS__KNOWN_UTF8,
		});
	mvfs__mem_count_copy(length);
	return b;
}
