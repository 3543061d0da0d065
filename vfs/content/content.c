/* SPDX-License-Identifier: MIT */
/* Holding, sharing and reading a content; see content.h. */
#include "config.h"

#include "vfs/content/content.h"

#include <errno.h>

#include "vfs/content/runs.h"
#include "vfs/content/stretch.h"
#include "vfs/mem/mem.h"

/* The next piece of a range: bytes of a run, or zeros up to the next ones. */
static void extent_at(const struct mvfs__view *v, uint32_t *k, uint64_t offset,
		      uint64_t end, struct mvfs__extent *extent)
{
	const struct mvfs__run *run = NULL;
	uint64_t from = end, until = end;

	for (; *k < v->count; ++*k) {
		run = &v->run[*k];
		if (run->buffer && mvfs__run_end(run) > offset) {
			from = mvfs__max64(run->offset, offset);
			until = mvfs__run_end(run);
			break;
		}
	}
	extent->buffer = NULL;
	extent->bytes = NULL;
	extent->length = mvfs__min64(from, end) - offset;
	if (extent->length || offset == end)
		return;
	extent->buffer = run->buffer;
	extent->bytes = mvfs__buffer_bytes(run->buffer) + run->start +
			(offset - run->offset);
	extent->length = mvfs__min64(until, end) - offset;
	mvfs__obj_retain(&run->buffer->obj);
}

/* Every block up to the end of the file is of a run with bytes. */
static bool is_dense(const struct mvfs__content *c)
{
	struct mvfs__view v;
	uint64_t edge = 0;

	mvfs__view_init(&v, c);
	for (uint32_t k = 0; k < v.count; k++) {
		if (!v.run[k].buffer || v.run[k].offset != edge)
			return false;
		edge = mvfs__run_edge(&v.run[k]);
	}
	return edge >= c->size;
}

void mvfs__content_init(struct mvfs__content *c)
{
	c->size = 0;
	c->length = 0;
	c->held = NULL;
}

void mvfs__content_share(const struct mvfs__content *from,
			 struct mvfs__content *to)
{
	*to = *from;
	if (to->held)
		mvfs__obj_retain(to->held);
}

void mvfs__content_clear(struct mvfs__content *c, struct mvfs__bin *bin)
{
	if (c->held)
		mvfs__obj_drop(c->held, bin);
	mvfs__content_init(c);
}

int mvfs__content_set(struct mvfs__content *c, struct mvfs__buffer *buffer,
		      uint64_t start, uint64_t length, struct mvfs__bin *bin)
{
	struct mvfs__view v = { .run = &v.one, .count = length != 0 };
	struct mvfs__runs *runs = NULL;

	assert(start + length <= buffer->used);
	if (length && start) {
		v.one = (struct mvfs__run){ 0, length, buffer, start };
		runs = mvfs__runs_copy(&v, 1, 1);
		if (!runs)
			return -ENOMEM;
	}
	mvfs__content_clear(c, bin);
	c->size = length;
	if (length && !start) {
		c->length = length;
		c->held = &buffer->obj;
		return 0;
	}
	if (runs)
		c->held = &runs->obj;
	mvfs__obj_drop(&buffer->obj, bin);
	return 0;
}

size_t mvfs__content_extents(const struct mvfs__content *c, uint64_t offset,
			     uint64_t length, struct mvfs__extent *extents,
			     size_t capacity, uint64_t *covered)
{
	uint64_t end, at = offset;
	struct mvfs__view v;
	size_t count = 0;
	uint32_t k;

	*covered = 0;
	if (offset >= c->size)
		return 0;
	end = offset + mvfs__min64(length, c->size - offset);
	mvfs__view_init(&v, c);
	k = mvfs__view_find(&v, offset);
	for (; at < end && count < capacity; count++) {
		extent_at(&v, &k, at, end, &extents[count]);
		assert(extents[count].length > 0);
		at += extents[count].length;
	}
	*covered = at - offset;
	return count;
}

uint64_t mvfs__content_copy_out(const struct mvfs__content *c, uint64_t offset,
				void *to, uint64_t length)
{
	struct mvfs__view v;
	uint64_t copied;

	if (offset >= c->size)
		return 0;
	length = mvfs__min64(length, c->size - offset);
	assert(length <= SIZE_MAX);
	mvfs__view_init(&v, c);
	copied = mvfs__view_read(&v, offset, to, (size_t)length, false);
	if (copied)
		mvfs__mem_count_copy((size_t)copied);
	return length;
}

struct mvfs__buffer *mvfs__content_whole_run(const struct mvfs__content *c,
					     uint64_t *start)
{
	const struct mvfs__run *run;
	struct mvfs__view v;

	mvfs__view_init(&v, c);
	run = v.run;
	if (!c->size || !v.count || !run->buffer || run->offset ||
	    run->length != c->size)
		return NULL;
	*start = run->start;
	mvfs__obj_retain(&run->buffer->obj);
	return run->buffer;
}

void mvfs__content_learn(struct mvfs__content *c, uint64_t from, bool ascii)
{
	struct mvfs__buffer *b = (struct mvfs__buffer *)c->held;
	struct mvfs__text_state state;

	if (!c->length || !mvfs__obj_is_mine(&b->obj))
		return;
	state = mvfs__buffer_text(b);
	if (state.length != from || state.known == MVFS__KNOWN_MALFORMED ||
	    b->used != c->size)
		return;
	state.length = b->used;
	if (!ascii)
		state.known = MVFS__KNOWN_UTF8;
	mvfs__buffer_set_text(b, state);
}

/* What is known of runs that follow each other from the beginning on. */
static struct mvfs__text_state known_of(const struct mvfs__view *v)
{
	struct mvfs__text_state state = { 0, MVFS__KNOWN_ASCII };
	struct mvfs__verdict known;
	struct mvfs__stretch r;

	for (uint32_t k = 0; k < v->count; k++) {
		if (!v->run[k].buffer || v->run[k].offset != state.length)
			break;
		r = (struct mvfs__stretch){ v->run[k].buffer, v->run[k].start,
					    (size_t)v->run[k].length };
		known = mvfs__stretch_known(&r);
		if (known.valid && !known.ascii)
			state.known = MVFS__KNOWN_UTF8;
		state.length += known.valid;
	}
	return state;
}

struct mvfs__buffer *mvfs__content_gather(const struct mvfs__content *share)
{
	struct mvfs__buffer *gathered;
	struct mvfs__view v;
	uint64_t copied;

	if (share->size > SIZE_MAX)
		return NULL;
	gathered = mvfs__buffer_new((size_t)share->size);
	if (!gathered)
		return NULL;
	mvfs__view_init(&v, share);
	/* a fresh mapping is zero already, and its holes stay untouched */
	copied = mvfs__view_read(&v, 0, mvfs__buffer_bytes(gathered),
				 (size_t)share->size,
				 gathered->obj.flags == MVFS__MAPPED);
	if (copied)
		mvfs__mem_count_copy((size_t)copied);
	mvfs__buffer_set_used(gathered, share->size);
	mvfs__buffer_set_text(gathered, known_of(&v));
	return gathered;
}

bool mvfs__content_install(struct mvfs__content *live,
			   const struct mvfs__content *share,
			   struct mvfs__buffer *gathered,
			   struct mvfs__bin *bin)
{
	/* what the share refers to cannot have been changed in place */
	if (live->held != share->held || live->size != share->size ||
	    live->length != share->length || !live->size || !is_dense(live))
		return false;
	assert(gathered->used == live->size);
	mvfs__obj_retain(&gathered->obj);
	mvfs__obj_drop(live->held, bin);
	live->held = &gathered->obj;
	live->length = live->size;
	return true;
}
