/* SPDX-License-Identifier: MIT */
/*
 * Cloning a range: by shared buffers where blocks meet blocks, by copying
 * elsewhere.
 *
 * One step that can fail works on the content itself; several work on a
 * share of it, which then takes its place, so that a failure of the second
 * leaves nothing behind.
 */
#include "config.h"

#include "vfs/content/content.h"

#include <errno.h>

#include "vfs/content/runs.h"
#include "vfs/mem/mem.h"

#define SEGMENTS_MAX 16

/* A range of one content that becomes that of another. */
struct clone {
	const struct mvfs__content *from;
	struct mvfs__view view; /* of `from` */
	uint64_t from_offset, to_offset, length;
};

/* A stretch of bytes that there are, or of zeros. */
struct segment {
	const uint8_t *bytes; /* NULL: zeros */
	uint64_t length;
};

static struct segment segment_at(const struct clone *cl, uint64_t at)
{
	const struct mvfs__view *v = &cl->view;
	uint64_t offset = cl->from_offset + at, end = cl->length - at;
	uint32_t k = mvfs__view_find(v, offset);
	struct segment s = { NULL, end };

	while (k < v->count && (!v->run[k].buffer ||
				mvfs__run_end(&v->run[k]) <= offset))
		k++;
	if (k == v->count)
		return s;
	if (v->run[k].offset > offset) {
		s.length = mvfs__min64(end, v->run[k].offset - offset);
		return s;
	}
	s.bytes = mvfs__buffer_bytes(v->run[k].buffer) + v->run[k].start +
		  (offset - v->run[k].offset);
	s.length = mvfs__min64(end, mvfs__run_end(&v->run[k]) - offset);
	return s;
}

/*
 * How much of the range may be shared: nothing where blocks do not meet, and
 * a last part of a block only where it is the end of both files.
 */
static uint64_t shareable(const struct clone *cl,
			  const struct mvfs__content *to)
{
	if (cl->from_offset % MVFS__BLOCK || cl->to_offset % MVFS__BLOCK)
		return 0;
	if (cl->from_offset + cl->length >= cl->from->size &&
	    cl->to_offset + cl->length >= to->size)
		return cl->length;
	return mvfs__block_down(cl->length);
}

/* The part of a run inside the range, where it comes to; false: nothing. */
static bool moved_run(const struct clone *cl, const struct mvfs__run *run,
		      struct mvfs__run *moved)
{
	uint64_t from = mvfs__max64(run->offset, cl->from_offset);
	uint64_t end = mvfs__min64(mvfs__run_end(run),
				   cl->from_offset + cl->length);

	if (!run->buffer || from >= end)
		return false;
	moved->offset = from - cl->from_offset + cl->to_offset;
	moved->length = end - from;
	moved->buffer = run->buffer;
	moved->start = run->start + (from - run->offset);
	return true;
}

static int share_range(struct mvfs__content *to, const struct clone *cl,
		       struct mvfs__bin *bin)
{
	uint64_t edge = mvfs__block_up(cl->to_offset + cl->length);
	uint32_t k = mvfs__view_find(&cl->view, cl->from_offset);
	struct mvfs__run head, rest, moved, *run;
	bool has_head = false, has_rest = false;
	uint32_t first, last, end, count = 0;
	struct mvfs__view v;

	end = mvfs__view_find_begin(&cl->view, mvfs__block_up(
					    cl->from_offset + cl->length));
	for (uint32_t i = k; i < end; i++)
		count += moved_run(cl, &cl->view.run[i], &moved);
	if (mvfs__runs_own(to, (uint64_t)count + 2, bin))
		return -ENOMEM;
	mvfs__view_init(&v, to);
	first = mvfs__view_find(&v, cl->to_offset);
	last = mvfs__view_find_begin(&v, edge);
	if (first < last) {
		has_head = mvfs__run_head(&v.run[first], cl->to_offset, &head);
		has_rest = mvfs__run_rest(&v.run[last - 1], edge, &rest);
	}
	count += has_head + has_rest;
	run = mvfs__runs_open(mvfs__runs_of(to), first, last, count, bin);
	if (has_head)
		*run++ = head;
	for (; k < end; k++) {
		if (!moved_run(cl, &cl->view.run[k], run))
			continue;
		mvfs__obj_retain(&run->buffer->obj);
		run++;
	}
	if (has_rest)
		*run = rest;
	mvfs__runs_opened(mvfs__runs_of(to), first, count);
	to->size = mvfs__max64(to->size, cl->to_offset + cl->length);
	return 0;
}

/* A range of bytes without zeros between, by one write. 1: it is not one. */
static int copy_at_once(struct mvfs__content *to, const struct clone *cl,
			struct mvfs__bin *bin)
{
	struct mvfs__piece pieces[SEGMENTS_MAX];
	size_t count = 0;
	struct segment s;
	int status;

	for (uint64_t at = 0; at < cl->length; at += s.length) {
		s = segment_at(cl, at);
		if (!s.bytes || count == SEGMENTS_MAX)
			return 1;
		pieces[count].bytes = s.bytes;
		pieces[count++].length = (size_t)s.length;
	}
	status = mvfs__runs_write(to, cl->to_offset, pieces, count, cl->length,
				  bin);
	if (!status)
		mvfs__mem_count_copy((size_t)cl->length);
	return status;
}

/* Segment by segment; a failure leaves part of it done. */
static int copy_segments(struct mvfs__content *to, const struct clone *cl,
			 struct mvfs__bin *bin)
{
	struct mvfs__piece piece;
	struct segment s;
	int status = 0;

	for (uint64_t at = 0; !status && at < cl->length; at += s.length) {
		s = segment_at(cl, at);
		if (!s.bytes) {
			status = mvfs__content_punch(to, cl->to_offset + at,
						     s.length, bin);
			continue;
		}
		piece.bytes = s.bytes;
		piece.length = (size_t)s.length;
		mvfs__mem_count_copy(piece.length);
		status = mvfs__content_write(to, cl->to_offset + at, &piece, 1,
					     s.length, bin);
	}
	if (!status)
		to->size = mvfs__max64(to->size, cl->to_offset + cl->length);
	return status;
}

/* Shares `share` bytes of the range and copies the rest, or does nothing. */
static int clone_in_steps(struct mvfs__content *to, struct clone *cl,
			  uint64_t share, struct mvfs__bin *bin)
{
	uint64_t length = cl->length;
	struct mvfs__content trial;
	int status = 0;

	mvfs__content_share(to, &trial);
	cl->length = share;
	if (share)
		status = share_range(&trial, cl, bin);
	cl->from_offset += share;
	cl->to_offset += share;
	cl->length = length - share;
	if (!status)
		status = copy_segments(&trial, cl, bin);
	mvfs__content_clear(status ? &trial : to, bin);
	if (!status)
		*to = trial;
	return status;
}

static void clone_init(struct clone *cl, const struct mvfs__content *from,
		       uint64_t from_offset, uint64_t to_offset,
		       uint64_t length)
{
	assert(to_offset <= MVFS__SIZE_MAX);
	assert(from_offset <= MVFS__SIZE_MAX);
	assert(length <= MVFS__SIZE_MAX - from_offset);
	assert(length <= MVFS__SIZE_MAX - to_offset);
	cl->from = from;
	cl->from_offset = from_offset;
	cl->to_offset = to_offset;
	cl->length = length;
	mvfs__view_init(&cl->view, from);
}

int mvfs__content_clone_range(struct mvfs__content *to, uint64_t to_offset,
			      const struct mvfs__content *from,
			      uint64_t from_offset, uint64_t length,
			      struct mvfs__bin *bin)
{
	struct clone cl;
	uint64_t share;
	int status;

	assert(to != from);
	if (!length)
		return 0;
	clone_init(&cl, from, from_offset, to_offset, length);
	share = shareable(&cl, to);
	if (share == length)
		status = share_range(to, &cl, bin);
	else if (share)
		status = clone_in_steps(to, &cl, share, bin);
	else
		status = copy_at_once(to, &cl, bin);
	if (status > 0)
		status = clone_in_steps(to, &cl, 0, bin);
	mvfs__runs_settle(to, bin);
	return status;
}

uint64_t mvfs__content_clone_cost(const struct mvfs__content *to,
				  uint64_t to_offset,
				  const struct mvfs__content *from,
				  uint64_t from_offset, uint64_t length)
{
	uint64_t done = mvfs__block_down(to_offset);
	uint64_t added = 0, freed = 0, begin, end;
	struct mvfs__view v;
	struct segment s;
	struct clone cl;

	clone_init(&cl, from, from_offset, to_offset, length);
	/* a shared last part of a block stands for the whole block */
	if (shareable(&cl, to) == length)
		cl.length = mvfs__block_up(length);
	mvfs__view_init(&v, to);
	for (uint64_t at = 0; at < cl.length; at += s.length) {
		s = segment_at(&cl, at);
		begin = to_offset + at;
		end = begin + s.length;
		if (s.bytes) {
			/* two segments may meet in one block of `to` */
			begin = mvfs__max64(mvfs__block_down(begin), done);
			done = mvfs__block_up(end);
			if (begin < done)
				added += (done - begin) / MVFS__BLOCK -
					 mvfs__view_touched(&v, begin, done);
			continue;
		}
		begin = mvfs__block_up(begin);
		end = mvfs__block_down(end);
		if (begin < end)
			freed += mvfs__view_touched(&v, begin, end);
	}
	return added > freed ? added - freed : 0;
}
