/* SPDX-License-Identifier: MIT */
/* Changes of ranges that bring no bytes: cutting, reserving, punching. */
#include "config.h"

#include "vfs/content/content.h"

#include <errno.h>
#include <string.h>

#include "vfs/content/runs.h"

/* True if all of the run is kept by a cut. */
static bool is_before(const struct mvfs__run *run, uint64_t size)
{
	return mvfs__run_end(run) <=
	       (run->buffer ? size : mvfs__block_up(size));
}

/* Shortens the last run to what is before `size`, and frees what it can. */
static void trim_last(struct mvfs__content *c, uint64_t size)
{
	struct mvfs__runs *runs = mvfs__runs_of(c);
	struct mvfs__run *run = &runs->run[runs->count - 1];

	if (is_before(run, size))
		return;
	runs->blocks -= mvfs__run_blocks(run);
	run->length = (run->buffer ? size : mvfs__block_up(size)) -
		      run->offset;
	runs->blocks += mvfs__run_blocks(run);
	if (mvfs__run_writable(c, run))
		mvfs__buffer_set_used(run->buffer, run->start + run->length);
}

/* An array to be cut after `keep` runs. */
static int cut_array(struct mvfs__content *c, uint32_t keep,
		     struct mvfs__bin *bin)
{
	struct mvfs__runs *runs = mvfs__runs_of(c), *copy;
	struct mvfs__view v;

	if (mvfs__obj_is_mine(&runs->obj)) {
		mvfs__runs_replace(runs, keep, runs->count, NULL, 0, bin);
		return 0;
	}
	mvfs__view_init(&v, c);
	copy = mvfs__runs_copy(&v, keep, keep);
	if (!copy)
		return -ENOMEM;
	mvfs__obj_drop(&runs->obj, bin);
	c->held = &copy->obj;
	return 0;
}

static void truncate_one(struct mvfs__content *c, uint64_t size)
{
	struct mvfs__buffer *buffer = (struct mvfs__buffer *)c->held;

	if (c->length > size) {
		c->length = size;
		if (mvfs__obj_is_mine(&buffer->obj) &&
		    buffer->obj.flags != MVFS__ADOPTED)
			mvfs__buffer_set_used(buffer, size);
	}
	c->size = size;
}

/* The run that has bytes in the block at `offset`, behind it; or NULL. */
static const struct mvfs__run *bytes_at(const struct mvfs__view *v,
					uint64_t offset)
{
	uint32_t k = mvfs__view_find(v, offset);
	const struct mvfs__run *run = &v->run[k];

	if (k == v->count || !run->buffer || run->offset > offset ||
	    mvfs__run_end(run) <= offset)
		return NULL;
	return run;
}

/* Zeroes what bytes of one run there are from `from` on, up to `to`. */
static int zero(struct mvfs__content *c, uint64_t from, uint64_t to,
		struct mvfs__bin *bin)
{
	const struct mvfs__run *run;
	struct mvfs__piece zeros;
	struct mvfs__view v;

	mvfs__view_init(&v, c);
	run = bytes_at(&v, from);
	if (!run || from >= to)
		return 0;
	to = mvfs__min64(to, mvfs__run_end(run));
	assert(to - from < 2 * MVFS__BLOCK);
	zeros = (struct mvfs__piece){ NULL, (size_t)(to - from) };
	return mvfs__runs_write(c, from, &zeros, 1, to - from, bin);
}

/* Gives back the memory of what a run of ours has in [from, to). */
static void discard(const struct mvfs__content *c,
		    const struct mvfs__run *run, uint64_t from, uint64_t to)
{
	if (!mvfs__run_writable(c, run))
		return;
	from = mvfs__max64(run->offset, from);
	to = mvfs__min64(mvfs__run_end(run), to);
	if (from < to)
		mvfs__buffer_discard(run->buffer,
				     run->start + (from - run->offset),
				     run->start + (to - run->offset));
}

/*
 * Drops [from, to), where `to` is a block multiple and no byte in the block
 * of `from` is behind `from` but in that range. Needs room for one run.
 */
static void drop_range(struct mvfs__content *c, uint64_t from, uint64_t to,
		       struct mvfs__bin *bin)
{
	struct mvfs__runs *runs = mvfs__runs_of(c);
	struct mvfs__run with[2];
	struct mvfs__view v;
	uint32_t first, last, count = 0;

	mvfs__view_init(&v, c);
	first = mvfs__view_find(&v, from);
	last = mvfs__view_find_begin(&v, to);
	if (first >= last)
		return;
	discard(c, &runs->run[first], from, to);
	discard(c, &runs->run[last - 1], from, to);
	count += mvfs__run_head(&runs->run[first], from, with);
	count += mvfs__run_rest(&runs->run[last - 1], to, &with[count]);
	mvfs__runs_replace(runs, first, last, with, count, bin);
}

/* [from, to) ends at a block multiple and begins before it, in its block. */
static int punch_left(struct mvfs__content *c, uint64_t from, uint64_t to,
		      struct mvfs__bin *bin)
{
	const struct mvfs__run *run;
	struct mvfs__view v;

	mvfs__view_init(&v, c);
	run = bytes_at(&v, from);
	if (!run || from == to)
		return 0;
	if (mvfs__run_end(run) > to)
		return zero(c, from, to, bin);
	drop_range(c, from, to, bin);
	return 0;
}

/*
 * The bytes behind the last whole block first, for that may fail; then the
 * array has room for the rest. If both edges are of one run and nothing is
 * between them, they are one write.
 */
static int punch_own(struct mvfs__content *c, uint64_t offset, uint64_t end,
		     struct mvfs__bin *bin)
{
	uint64_t left = mvfs__block_up(offset), right = mvfs__block_down(end);
	const struct mvfs__run *run;
	struct mvfs__view v;
	int status;

	mvfs__view_init(&v, c);
	run = bytes_at(&v, offset);
	if (left > right || (left == right && run && offset < left &&
			     mvfs__run_end(run) > left))
		return zero(c, offset, end, bin);
	status = zero(c, right, end, bin);
	if (status)
		return status;
	if (left < right) {
		drop_range(c, offset, right, bin);
		return 0;
	}
	status = punch_left(c, offset, left, bin);
	assert(!status);
	return status;
}

/* How many gaps between runs there are in a range of whole blocks. */
static uint32_t count_gaps(const struct mvfs__view *v, uint64_t from,
			   uint64_t to)
{
	uint32_t k = mvfs__view_find(v, from), gaps = 0;

	for (; k < v->count && v->run[k].offset < to; k++) {
		gaps += v->run[k].offset > from;
		from = mvfs__run_edge(&v->run[k]);
	}
	return gaps + (from < to);
}

/* Puts a reserved run into each gap, moving the runs back to front. */
static void fill_gaps(struct mvfs__runs *runs, uint32_t first, uint32_t last,
		      uint32_t gaps, uint64_t from, uint64_t to)
{
	struct mvfs__run *run = runs->run;
	uint32_t place = last + gaps;
	uint64_t edge;

	memmove(&run[place], &run[last], (runs->count - last) * sizeof(*run));
	runs->count += gaps;
	for (;; to = run[place].offset) {
		edge = from;
		if (last > first)
			edge = mvfs__max64(edge,
					   mvfs__run_edge(&run[last - 1]));
		if (edge < to) {
			run[--place] = (struct mvfs__run){
				.offset = edge, .length = to - edge,
			};
			runs->blocks += (to - edge) / MVFS__BLOCK;
		}
		if (last == first)
			break;
		run[--place] = run[--last];
	}
	assert(place == first);
}

/* Makes reserved neighbours in [first, last) one. */
static void join_reserved(struct mvfs__runs *runs, uint32_t first,
			  uint32_t last)
{
	struct mvfs__run *run = runs->run;
	uint32_t to = first;

	for (uint32_t k = first + 1; k < last; k++) {
		if (!run[to].buffer && !run[k].buffer &&
		    mvfs__run_end(&run[to]) == run[k].offset)
			run[to].length += run[k].length;
		else
			run[++to] = run[k];
	}
	to++;
	memmove(&run[to], &run[last], (runs->count - last) * sizeof(*run));
	runs->count -= last - to;
}

int mvfs__content_truncate(struct mvfs__content *c, uint64_t size,
			   struct mvfs__bin *bin)
{
	struct mvfs__runs *runs = mvfs__runs_of(c);
	struct mvfs__view v;
	uint32_t keep;

	assert(size <= MVFS__SIZE_MAX);
	if (!size) {
		mvfs__content_clear(c, bin);
		return 0;
	}
	if (!runs) {
		truncate_one(c, size);
		return 0;
	}
	mvfs__view_init(&v, c);
	keep = mvfs__view_find_begin(&v, mvfs__block_up(size));
	if (size > c->size ||
	    (keep == v.count && is_before(&v.run[keep - 1], size))) {
		c->size = size;
		return 0;
	}
	if (!keep) {
		mvfs__content_clear(c, bin);
	} else {
		if (cut_array(c, keep, bin))
			return -ENOMEM;
		trim_last(c, size);
		mvfs__runs_settle(c, bin);
	}
	c->size = size;
	return 0;
}

int mvfs__content_reserve(struct mvfs__content *c, uint64_t offset,
			  uint64_t length, struct mvfs__bin *bin)
{
	uint64_t from = mvfs__block_down(offset);
	uint64_t to = mvfs__block_up(offset + length);
	uint32_t first, last, gaps;
	struct mvfs__runs *runs;
	struct mvfs__view v;

	if (!mvfs__content_cost(c, offset, length))
		return 0;
	mvfs__view_init(&v, c);
	first = mvfs__view_find(&v, from);
	last = mvfs__view_find_begin(&v, to);
	gaps = count_gaps(&v, from, to);
	if (mvfs__runs_own(c, gaps, bin))
		return -ENOMEM;
	runs = mvfs__runs_of(c);
	fill_gaps(runs, first, last, gaps, from, to);
	last += gaps;
	join_reserved(runs, first ? first - 1 : 0,
		      last < runs->count ? last + 1 : last);
	return 0;
}

int mvfs__content_punch(struct mvfs__content *c, uint64_t offset,
			uint64_t length, struct mvfs__bin *bin)
{
	uint64_t end = offset + length;
	struct mvfs__view v;
	int status;

	assert(offset <= MVFS__SIZE_MAX && length <= MVFS__SIZE_MAX - offset);
	mvfs__view_init(&v, c);
	if (!length || !mvfs__view_touched(&v, mvfs__block_down(offset),
					   mvfs__block_up(end)))
		return 0;
	/* a write needs room for two, what follows it for one */
	if (mvfs__runs_own(c, 3, bin))
		return -ENOMEM;
	status = punch_own(c, offset, end, bin);
	mvfs__runs_settle(c, bin);
	return status;
}
