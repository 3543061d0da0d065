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

/* Bytes that are made in place of one flaw; in a session it may be more. */
#define REPLACEMENT_MAX 4

int mvfs__convert_no_memory(struct mvfs_error *error, size_t length)
{
	return mvfs__fail(error, -ENOMEM, 0, 0,
			  "no memory for a text of %zu bytes", length);
}

/* A conversion, with what it makes its result in. */
struct work {
	struct mvfs__convert c;
	const struct mvfs_charset *cs;
	enum mvfs__direction direction;
	struct mvfs__buffer *b;
	size_t spare; /* room for replacements that is left */
	struct mvfs__session session; /* of charsets that have one */
};

static size_t room_of(const struct work *w, const uint8_t *from, size_t length)
{
	return w->direction == MVFS__ENCODE ?
		w->cs->room_encode(from, length) :
		w->cs->room_decode(from, length);
}

static struct mvfs__flaw run(const struct work *w, struct mvfs__convert *c)
{
	return w->direction == MVFS__ENCODE ? w->cs->encode(c) :
					      w->cs->decode(c);
}

/* The BOM that tells the order of the bytes, where the charset has one. */
static void put_bom(struct work *w, const struct mvfs__bom *bom)
{
	memcpy(w->c.to, bom->bytes, bom->length);
	w->c.to += bom->length;
}

/* The buffer has room for so many bytes. */
static void set_end(struct work *w, size_t room)
{
	w->c.to_end = mvfs__buffer_bytes(w->b) + room - MVFS__TEXT_SLACK;
}

static int begin_session(struct work *w, struct mvfs_error *error)
{
	int ret;

	if (!w->cs->begin)
		return 0;
	ret = w->cs->begin(&w->session, w->cs, w->direction == MVFS__ENCODE);
	if (ret)
		return mvfs__fail(error, ret, 0, 0, "cannot open the C "
				  "library's converter for %s", w->cs->name);
	w->c.session = &w->session;
	return 0;
}

static void end_session(struct work *w)
{
	if (w->c.session)
		w->cs->end(w->c.session);
}

/* Makes the buffer, and settles what the text is in. */
static int begin(struct work *w, const uint8_t *bytes, size_t length,
		 unsigned flags, struct mvfs_error *error)
{
	const struct mvfs_charset *const *orders = w->cs->orders;
	size_t room, bom = 0;

	if (w->direction == MVFS__DECODE)
		w->cs = mvfs__charset_begin(w->cs, bytes, length,
					    flags & MVFS_SKIP_BOM, &bom);
	else if (orders)
		w->cs = orders[0];
	w->c.from = bytes + bom;
	w->c.end = bytes + length;
	room = room_of(w, w->c.from, length - bom);
	if (mvfs__add_overflow(room, MVFS__TEXT_SLACK + (w->cs->begin ?
			MVFS__SESSION_ROOM : sizeof(w->cs->bom)), &room))
		return mvfs__convert_no_memory(error, length);
	w->b = mvfs__buffer_new(room);
	if (!w->b)
		return mvfs__convert_no_memory(error, length);
	w->c.to = mvfs__buffer_bytes(w->b);
	set_end(w, room);
	if (w->direction == MVFS__ENCODE && orders)
		put_bom(w, &w->cs->bom);
	return begin_session(w, error);
}

/*
 * Makes room for replacements, and for what else may come. Twice as much each
 * time, for what else may come is looked at each time.
 */
static int more_room(struct work *w, struct mvfs_error *error)
{
	size_t made = (size_t)(w->c.to - mvfs__buffer_bytes(w->b));
	size_t rest = (size_t)(w->c.end - w->c.from);
	size_t more = room_of(w, w->c.from, rest);

	w->spare = made < rest ? made : rest;
	w->spare += MVFS__SESSION_ROOM;
	if (mvfs__add_overflow(more, made + w->spare + MVFS__TEXT_SLACK, &more))
		return mvfs__convert_no_memory(error, made);
	/* growing keeps what is in use only */
	mvfs__buffer_set_used(w->b, made);
	if (mvfs__buffer_reserve(&w->b, more))
		return mvfs__convert_no_memory(error, more);
	w->c.to = mvfs__buffer_bytes(w->b) + made;
	set_end(w, more);
	return 0;
}

/* What the charset has for characters that it has not, encoded as others. */
static int put_encoded(struct work *w, const char *text,
		       struct mvfs_error *error)
{
	struct mvfs__session session = w->session;
	struct mvfs__convert r = w->c;
	int ret = 0;

	/* another text, but the same state */
	w->session.valid = NULL;
	r.from = (const uint8_t *)text;
	r.end = r.from + strlen(text);
	while (!ret && run(w, &r).kind != MVFS__NO_FLAW) {
		w->c.to = r.to;
		ret = more_room(w, error);
		r.to = w->c.to;
		r.to_end = w->c.to_end;
	}
	w->c.to = r.to;
	w->session = session;
	return ret;
}

/* Puts something in place of a flaw, which is passed. */
static int replace(struct work *w, struct mvfs__flaw flaw,
		   struct mvfs_error *error)
{
	int ret;

	w->c.from += flaw.length;
	if (w->spare < REPLACEMENT_MAX ||
	    w->c.to_end - w->c.to < REPLACEMENT_MAX) {
		ret = more_room(w, error);
		if (ret)
			return ret;
	}
	w->spare -= REPLACEMENT_MAX;
	if (w->direction == MVFS__ENCODE)
		return put_encoded(w, w->cs->replacement, error);
	memcpy(w->c.to, MVFS__FFFD, strlen(MVFS__FFFD));
	w->c.to += strlen(MVFS__FFFD);
	return 0;
}

/* Not a NO_FLAW: what it asks for, or what becomes of it; 0: go on. */
static int pass(struct work *w, struct mvfs__flaw flaw, const uint8_t *bytes,
		unsigned flags, struct mvfs_error *error)
{
	if (flaw.kind == MVFS__NO_ROOM)
		return more_room(w, error);
	if (flags & MVFS_REPLACE)
		return replace(w, flaw, error);
	return mvfs__flaw_fail(error, w->cs, w->direction == MVFS__ENCODE,
			       bytes, (size_t)(w->c.from - bytes), flaw);
}

int mvfs__convert(const uint8_t *bytes, size_t length,
		  const struct mvfs_charset *cs, enum mvfs__direction direction,
		  unsigned flags, struct mvfs__buffer **out,
		  struct mvfs_error *error)
{
	struct work w = { .cs = cs, .direction = direction };
	struct mvfs__bin bin = MVFS__BIN_INIT;
	struct mvfs__flaw flaw;
	int ret = begin(&w, bytes, length, flags, error);

	while (!ret && (flaw = run(&w, &w.c)).kind != MVFS__NO_FLAW)
		ret = pass(&w, flaw, bytes, flags, error);
	end_session(&w);
	if (ret)
		goto out;
	assert(w.c.from == w.c.end);
	mvfs__buffer_set_used(w.b, (size_t)(w.c.to - mvfs__buffer_bytes(w.b)));
	if (direction == MVFS__DECODE || cs == &mvfs__charset_utf8)
		mvfs__buffer_set_text(w.b, (struct mvfs__text_state){
			.length = w.b->used,
			.known = MVFS__KNOWN_UTF8,
		});
	mvfs__mem_count_copy((size_t)w.b->used);
	*out = w.b;
	return 0;
out:
	if (w.b)
		mvfs__obj_drop(&w.b->obj, &bin);
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
