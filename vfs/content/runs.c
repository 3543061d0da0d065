/* SPDX-License-Identifier: MIT */
/* The list of runs: see runs.h. */
#include "config.h"

#include "vfs/content/runs.h"

#include <errno.h>
#include <string.h>

#include "vfs/mem/mem.h"

#define RUNS_MIN 4

static size_t runs_size(uint64_t capacity)
{
	size_t size;

	if (capacity > UINT32_MAX ||
	    mvfs__mul_overflow((size_t)capacity, sizeof(struct mvfs__run),
			       &size) ||
	    mvfs__add_overflow(size, sizeof(struct mvfs__runs), &size))
		return 0;
	return size;
}

static int runs_grow(struct mvfs__content *c, uint64_t capacity)
{
	struct mvfs__runs *runs = mvfs__runs_of(c);
	size_t size;

	capacity = mvfs__max64(capacity, runs->capacity +
					 (uint64_t)runs->capacity / 2);
	size = runs_size(capacity);
	runs = size ? mvfs__realloc(runs, size) : NULL;
	if (!runs)
		return -ENOMEM;
	runs->capacity = (uint32_t)capacity;
	c->held = &runs->obj;
	return 0;
}

uint32_t mvfs__view_find(const struct mvfs__view *v, uint64_t offset)
{
	uint32_t low = 0, high = v->count, middle;

	/* appending is what is done most */
	if (!high || mvfs__run_edge(&v->run[high - 1]) <= offset)
		return high;
	while (low < high) {
		middle = low + (high - low) / 2;
		if (mvfs__run_edge(&v->run[middle]) <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t mvfs__view_find_begin(const struct mvfs__view *v, uint64_t offset)
{
	uint32_t k = mvfs__view_find(v, offset);

	assert(offset % MVFS__BLOCK == 0);
	return k < v->count && v->run[k].offset < offset ? k + 1 : k;
}

uint64_t mvfs__view_touched(const struct mvfs__view *v, uint64_t from,
			    uint64_t to)
{
	uint32_t k = mvfs__view_find(v, from);
	uint64_t touched = 0;

	assert(from % MVFS__BLOCK == 0 && to % MVFS__BLOCK == 0);
	for (; k < v->count && v->run[k].offset < to; k++)
		touched += mvfs__min64(mvfs__run_edge(&v->run[k]), to) -
			   mvfs__max64(v->run[k].offset, from);
	return touched / MVFS__BLOCK;
}

uint64_t mvfs__view_read(const struct mvfs__view *v, uint64_t offset,
			 uint8_t *to, size_t length, bool to_is_zero)
{
	uint64_t end = offset + length, at = offset, copied = 0, from, until;
	uint32_t k = mvfs__view_find(v, offset);
	const struct mvfs__run *run;

	for (; k < v->count && v->run[k].offset < end; k++) {
		run = &v->run[k];
		from = mvfs__max64(run->offset, offset);
		until = mvfs__min64(mvfs__run_end(run), end);
		if (!run->buffer || from >= until)
			continue;
		if (!to_is_zero)
			memset(to + (at - offset), 0, (size_t)(from - at));
		memcpy(to + (from - offset),
		       mvfs__buffer_bytes(run->buffer) + run->start +
			       (from - run->offset),
		       (size_t)(until - from));
		copied += until - from;
		at = until;
	}
	if (!to_is_zero && at < end)
		memset(to + (at - offset), 0, (size_t)(end - at));
	return copied;
}

bool mvfs__run_writable(const struct mvfs__content *c,
			const struct mvfs__run *run)
{
	const struct mvfs__runs *runs = mvfs__runs_of(c);

	return run->buffer && run->buffer->obj.flags != MVFS__ADOPTED &&
	       mvfs__obj_is_mine(&run->buffer->obj) &&
	       (!runs || mvfs__obj_is_mine(&runs->obj));
}

bool mvfs__run_head(const struct mvfs__run *run, uint64_t from,
		    struct mvfs__run *head)
{
	if (run->offset >= from)
		return false;
	*head = *run;
	if (!run->buffer)
		from = mvfs__block_up(from);
	head->length = mvfs__min64(run->length, from - run->offset);
	if (run->buffer)
		mvfs__obj_retain(&run->buffer->obj);
	return true;
}

bool mvfs__run_rest(const struct mvfs__run *run, uint64_t to,
		    struct mvfs__run *rest)
{
	uint64_t cut;

	assert(to % MVFS__BLOCK == 0);
	if (mvfs__run_end(run) <= to)
		return false;
	*rest = *run;
	cut = to > run->offset ? to - run->offset : 0;
	rest->offset += cut;
	rest->length -= cut;
	if (run->buffer) {
		rest->start += cut;
		mvfs__obj_retain(&run->buffer->obj);
	}
	return true;
}

struct mvfs__runs *mvfs__runs_copy(const struct mvfs__view *v, uint32_t count,
				   uint64_t capacity)
{
	size_t size = runs_size(mvfs__max64(capacity, RUNS_MIN));
	struct mvfs__runs *runs = size ? mvfs__malloc(size) : NULL;

	assert(count <= v->count && count <= capacity);
	if (!runs)
		return NULL;
	mvfs__obj_init(&runs->obj, MVFS__RUNS);
	runs->count = count;
	runs->capacity = (uint32_t)mvfs__max64(capacity, RUNS_MIN);
	runs->blocks = 0;
	for (uint32_t k = 0; k < count; k++) {
		runs->run[k] = v->run[k];
		runs->blocks += mvfs__run_blocks(&v->run[k]);
		if (v->run[k].buffer)
			mvfs__obj_retain(&v->run[k].buffer->obj);
	}
	return runs;
}

int mvfs__runs_own(struct mvfs__content *c, uint64_t room,
		   struct mvfs__bin *bin)
{
	struct mvfs__runs *runs = mvfs__runs_of(c);
	struct mvfs__view v;

	mvfs__view_init(&v, c);
	if (runs && mvfs__obj_is_mine(&runs->obj))
		return v.count + room <= runs->capacity ?
			       0 : runs_grow(c, v.count + room);
	runs = mvfs__runs_copy(&v, v.count, v.count + room);
	if (!runs)
		return -ENOMEM;
	if (c->held)
		mvfs__obj_drop(c->held, bin);
	c->held = &runs->obj;
	c->length = 0;
	return 0;
}

struct mvfs__run *mvfs__runs_open(struct mvfs__runs *runs, uint32_t at,
				  uint32_t end, uint32_t count,
				  struct mvfs__bin *bin)
{
	struct mvfs__run *run = runs->run;

	assert(mvfs__obj_is_mine(&runs->obj));
	assert(at <= end && end <= runs->count);
	assert(runs->count - (end - at) + (uint64_t)count <= runs->capacity);
	for (uint32_t k = at; k < end; k++) {
		runs->blocks -= mvfs__run_blocks(&run[k]);
		if (run[k].buffer)
			mvfs__obj_drop(&run[k].buffer->obj, bin);
	}
	memmove(&run[at + count], &run[end],
		(runs->count - end) * sizeof(*run));
	runs->count = runs->count - (end - at) + count;
	return &run[at];
}

void mvfs__runs_opened(struct mvfs__runs *runs, uint32_t at, uint32_t count)
{
	for (uint32_t k = at; k < at + count; k++)
		runs->blocks += mvfs__run_blocks(&runs->run[k]);
}

void mvfs__runs_replace(struct mvfs__runs *runs, uint32_t at, uint32_t end,
			const struct mvfs__run *with, uint32_t count,
			struct mvfs__bin *bin)
{
	struct mvfs__run *run = mvfs__runs_open(runs, at, end, count, bin);

	if (count)
		memcpy(run, with, count * sizeof(*run));
	mvfs__runs_opened(runs, at, count);
}

void mvfs__runs_settle(struct mvfs__content *c, struct mvfs__bin *bin)
{
	struct mvfs__runs *runs = mvfs__runs_of(c);
	struct mvfs__run *run;

	if (!runs || runs->count > 1 || !mvfs__obj_is_mine(&runs->obj))
		return;
	run = runs->run;
	if (!runs->count) {
		c->held = NULL;
	} else if (run->buffer && !run->offset && !run->start) {
		c->held = &run->buffer->obj;
		c->length = run->length;
	} else {
		return;
	}
	runs->count = 0;
	mvfs__obj_drop(&runs->obj, bin);
}

void mvfs__runs_free(struct mvfs__obj *obj, struct mvfs__bin *bin)
{
	struct mvfs__runs *runs = (struct mvfs__runs *)obj;

	for (uint32_t k = 0; k < runs->count; k++)
		if (runs->run[k].buffer)
			mvfs__obj_drop(&runs->run[k].buffer->obj, bin);
	mvfs__free(runs);
}
