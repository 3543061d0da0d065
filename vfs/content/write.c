/* SPDX-License-Identifier: MIT */
/*
 * Writing.
 *
 * Every write becomes part of one run, [from, to) below. Either a run whose
 * buffer is ours alone takes the bytes in place, because it reaches the
 * first block of the write or ends right before it:
 *
 *      [== ours ====]                      [== ours ====]
 *           write                                    write
 *
 * or a new buffer is made for the write, the rest of the blocks at both of
 * its ends, and small neighbours:
 *
 *      [-- shared --------]       [-- head][== new ==][ rest --]
 *              write         ->
 *
 * What either covers of other runs is dropped, what is left of them keeps
 * its buffer. Runs are cut at the blocks touched: copying 64 KiB around
 * each write was tried and makes a random 4 KiB write into a shared file
 * many times dearer. But the array of runs must not grow for ever, so the
 * cuts get coarser when it is long.
 */
#include "config.h"

#include "vfs/content/content.h"

#include <errno.h>
#include <string.h>

#include "vfs/content/runs.h"
#include "vfs/mem/mem.h"

/* From so many runs on, shared runs are cut at multiples of so much. */
#define MANY_RUNS 1024
#define MANY_CUT (16u * 1024)
#define VERY_MANY_RUNS 8192
#define VERY_MANY_CUT (MVFS__COPY_MAX / 2)

struct write {
	struct mvfs__content *content;
	const struct mvfs__piece *pieces;
	size_t count;
	uint64_t offset, end; /* of the pieces' bytes */
	uint64_t from, to;    /* of the run that will hold them */
	uint32_t first, last; /* the runs in the place of which it comes */
};

static void put_pieces(const struct write *w, uint8_t *to)
{
	uint64_t left = w->end - w->offset;
	const struct mvfs__piece *piece;
	size_t length;

	for (piece = w->pieces; left; piece++) {
		assert(piece < w->pieces + w->count);
		length = (size_t)mvfs__min64(piece->length, left);
		if (piece->bytes)
			memcpy(to, piece->bytes, length);
		else
			memset(to, 0, length);
		to += length;
		left -= length;
	}
}

/*
 * Completes the run at `bytes`, which has what it needs up to `have`: with
 * bytes of the file as it is, around those of the write.
 */
static void fill(const struct write *w, const struct mvfs__view *v,
		 uint8_t *bytes, uint64_t have)
{
	uint64_t copied = 0;

	if (have < w->offset)
		copied = mvfs__view_read(v, have, bytes + (have - w->from),
					 (size_t)(w->offset - have), false);
	put_pieces(w, bytes + (w->offset - w->from));
	if (w->end < w->to)
		copied += mvfs__view_read(v, w->end,
					  bytes + (w->end - w->from),
					  (size_t)(w->to - w->end), false);
	if (copied)
		mvfs__mem_count_copy((size_t)copied);
}

/* The distance of cuts in shared runs. */
static uint64_t cut_distance(const struct write *w, uint32_t runs)
{
	if (runs < MANY_RUNS || w->end - w->offset >= MVFS__COPY_MAX)
		return MVFS__BLOCK;
	return runs < VERY_MANY_RUNS ? MANY_CUT : VERY_MANY_CUT;
}

/*
 * The run that takes the write in place, if there is one: the one in the
 * first block, or the one that ends before it.
 */
static bool find_base(struct write *w, const struct mvfs__view *v)
{
	uint64_t block = mvfs__block_down(w->offset);
	uint32_t k = mvfs__view_find(v, block);

	if (k == v->count || v->run[k].offset > block ||
	    !mvfs__run_writable(w->content, &v->run[k])) {
		if (!k || mvfs__run_edge(&v->run[k - 1]) != block ||
		    !mvfs__run_writable(w->content, &v->run[k - 1]))
			return false;
		k--;
	}
	w->first = k;
	w->from = v->run[k].offset;
	return true;
}

/* `from`, where a new buffer is needed; `to` is still without neighbours. */
static void plan_left(struct write *w, const struct mvfs__view *v)
{
	uint64_t block = mvfs__block_down(w->offset);
	uint32_t k = mvfs__view_find(v, block);
	uint64_t distance = cut_distance(w, v->count);
	const struct mvfs__run *run;
	bool cuts;

	w->from = block;
	cuts = k < v->count && v->run[k].offset < block;
	if (!cuts && (!k || mvfs__run_edge(&v->run[k - 1]) != block))
		return;
	run = &v->run[cuts ? k : k - 1];
	if (!run->buffer)
		return;
	if (w->to - run->offset <= MVFS__COPY_MAX)
		w->from = run->offset;
	else if (cuts)
		w->from = mvfs__max64(run->offset,
				      w->offset - w->offset % distance);
}

/* `to`, without neighbours: the write and the rest of its last block. */
static void plan_end(struct write *w, const struct mvfs__view *v)
{
	uint64_t edge = mvfs__block_up(w->end);
	uint32_t k = mvfs__view_find(v, edge - 1);
	uint64_t distance = cut_distance(w, v->count);

	w->to = w->end;
	if (k == v->count || v->run[k].offset >= edge || !v->run[k].buffer ||
	    mvfs__run_end(&v->run[k]) <= w->end)
		return;
	edge = w->end + (distance - w->end % distance) % distance;
	w->to = mvfs__min64(mvfs__run_end(&v->run[k]), edge);
}

/* The neighbour behind, if it fits; and where the runs go on. */
static void plan_right(struct write *w, const struct mvfs__view *v)
{
	uint64_t edge = mvfs__block_up(w->to);
	uint32_t k = mvfs__view_find(v, edge);
	const struct mvfs__run *run = &v->run[k];

	if (k < v->count && run->buffer && run->offset <= edge &&
	    mvfs__run_end(run) - w->from <= MVFS__COPY_MAX)
		w->to = mvfs__run_end(run);
	w->last = mvfs__view_find_begin(v, mvfs__block_up(w->to));
}

/* The base run has grown: takes the place of what it now covers. */
static void replace_by_base(const struct write *w, struct mvfs__bin *bin)
{
	struct mvfs__runs *runs = mvfs__runs_of(w->content);
	struct mvfs__run with[2];
	uint32_t count = 1;

	if (!runs) {
		assert(w->last == w->first + 1);
		w->content->length = w->to;
		return;
	}
	with[0] = runs->run[w->first];
	with[0].length = w->to - w->from;
	if (w->last == w->first + 1) {
		runs->blocks += mvfs__run_blocks(&with[0]) -
				mvfs__run_blocks(&runs->run[w->first]);
		runs->run[w->first] = with[0];
		return;
	}
	mvfs__obj_retain(&with[0].buffer->obj);
	count += mvfs__run_rest(&runs->run[w->last - 1],
				mvfs__block_up(w->to), &with[1]);
	mvfs__runs_replace(runs, w->first, w->last, with, count, bin);
}

/* Makes room in the base run's buffer, which may move. */
static int reserve_base(const struct write *w, const struct mvfs__run *run,
			struct mvfs__buffer **buffer)
{
	struct mvfs__runs *runs = mvfs__runs_of(w->content);
	uint64_t capacity = run->start + (w->to - w->from);
	int status;

	if (capacity > SIZE_MAX)
		return -ENOMEM;
	*buffer = run->buffer;
	status = mvfs__buffer_reserve(buffer, (size_t)capacity);
	if (status)
		return status;
	if (runs)
		runs->run[w->first].buffer = *buffer;
	else
		w->content->held = &(*buffer)->obj;
	return 0;
}

static int write_in_place(struct write *w, const struct mvfs__view *v,
			  struct mvfs__bin *bin)
{
	struct mvfs__run run = v->run[w->first];
	uint64_t end = mvfs__run_end(&run);
	struct mvfs__buffer *buffer = run.buffer;
	uint8_t *bytes = mvfs__buffer_bytes(buffer) + run.start;
	int status;

	if (w->end <= end) {
		mvfs__buffer_forget(buffer,
				    run.start + (w->offset - w->from));
		put_pieces(w, bytes + (w->offset - w->from));
		return 0;
	}
	/* appending is what is done most */
	w->to = w->end;
	w->last = v->count;
	if (w->first + 1 < v->count) {
		plan_end(w, v);
		plan_right(w, v);
	}
	status = reserve_base(w, &run, &buffer);
	if (status)
		return status;
	mvfs__buffer_forget(buffer, run.start +
			    (mvfs__min64(w->offset, end) - w->from));
	fill(w, v, mvfs__buffer_bytes(buffer) + run.start, end);
	mvfs__buffer_set_used(buffer, run.start + (w->to - w->from));
	replace_by_base(w, bin);
	return 0;
}

/* The new run is all there is, at the start of the file. */
static bool is_whole(const struct write *w, const struct mvfs__view *v)
{
	const struct mvfs__runs *runs = mvfs__runs_of(w->content);

	return !w->from && w->last == v->count &&
	       (!v->count ||
		mvfs__run_edge(&v->run[v->count - 1]) <=
			mvfs__block_up(w->to)) &&
	       (!runs || !mvfs__obj_is_mine(&runs->obj));
}

static void replace_by_new(const struct write *w, struct mvfs__buffer *buffer,
			   struct mvfs__bin *bin)
{
	struct mvfs__runs *runs = mvfs__runs_of(w->content);
	struct mvfs__run with[3];
	uint32_t count = 0;

	if (w->first < w->last)
		count += mvfs__run_head(&runs->run[w->first], w->from, with);
	with[count++] = (struct mvfs__run){
		.offset = w->from,
		.length = w->to - w->from,
		.buffer = buffer,
	};
	if (w->first < w->last)
		count += mvfs__run_rest(&runs->run[w->last - 1],
					mvfs__block_up(w->to), &with[count]);
	mvfs__runs_replace(runs, w->first, w->last, with, count, bin);
}

static int write_anew(struct write *w, const struct mvfs__view *v,
		      struct mvfs__bin *bin)
{
	struct mvfs__content *c = w->content;
	struct mvfs__buffer *buffer = NULL;
	bool whole;

	plan_end(w, v);
	plan_left(w, v);
	plan_right(w, v);
	w->first = mvfs__view_find(v, w->from);
	whole = is_whole(w, v);
	if (w->to - w->from < SIZE_MAX)
		buffer = mvfs__buffer_new((size_t)(w->to - w->from));
	if (!buffer)
		return -ENOMEM;
	fill(w, v, mvfs__buffer_bytes(buffer), w->from);
	mvfs__buffer_set_used(buffer, w->to - w->from);
	if (!whole && mvfs__runs_own(c, 2, bin)) {
		mvfs__obj_drop(&buffer->obj, bin);
		return -ENOMEM;
	}
	if (!whole) {
		replace_by_new(w, buffer, bin);
		return 0;
	}
	if (c->held)
		mvfs__obj_drop(c->held, bin);
	c->held = &buffer->obj;
	c->length = w->to;
	return 0;
}

int mvfs__runs_write(struct mvfs__content *c, uint64_t offset,
		     const struct mvfs__piece *pieces, size_t count,
		     uint64_t length, struct mvfs__bin *bin)
{
	struct write w = {
		.content = c,
		.pieces = pieces,
		.count = count,
		.offset = offset,
		.end = offset + length,
	};
	struct mvfs__view v;
	int status;

	assert(offset <= MVFS__SIZE_MAX && length <= MVFS__SIZE_MAX - offset);
	if (!length)
		return 0;
	mvfs__view_init(&v, c);
	if (find_base(&w, &v))
		status = write_in_place(&w, &v, bin);
	else
		status = write_anew(&w, &v, bin);
	if (!status)
		c->size = mvfs__max64(c->size, w.end);
	return status;
}

int mvfs__content_write(struct mvfs__content *c, uint64_t offset,
			const struct mvfs__piece *pieces, size_t count,
			uint64_t length, struct mvfs__bin *bin)
{
	int status = mvfs__runs_write(c, offset, pieces, count, length, bin);

	mvfs__runs_settle(c, bin);
	return status;
}
