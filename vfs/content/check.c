/* SPDX-License-Identifier: MIT */
/* The invariants of a content, for tests. */
#include "config.h"

#include "vfs/content/content.h"

#include "vfs/content/runs.h"

static void check_buffer(const struct mvfs__buffer *b)
{
	struct mvfs__text_state text = mvfs__buffer_text(b);

	assert(b->obj.kind == MVFS__BUFFER);
	assert(b->used <= mvfs__buffer_capacity(b));
	assert(text.length <= b->used);
	if (b->obj.flags != MVFS__ADOPTED)
		assert(mvfs__buffer_bytes(b)[b->used] == 0);
	(void)text;
}

static void check_run(const struct mvfs__content *c,
		      const struct mvfs__run *run)
{
	assert(run->length > 0);
	assert(run->offset % MVFS__BLOCK == 0);
	assert(run->offset <= MVFS__SIZE_MAX);
	if (!run->buffer) {
		assert(run->length % MVFS__BLOCK == 0);
		assert(mvfs__run_end(run) <= MVFS__SIZE_MAX + 1);
		assert(run->start == 0);
		return;
	}
	assert(mvfs__run_end(run) <= c->size);
	assert(run->start <= run->buffer->used);
	assert(run->length <= run->buffer->used - run->start);
	check_buffer(run->buffer);
	(void)c;
}

static void check_array(const struct mvfs__runs *runs)
{
	const struct mvfs__run *run = runs->run;
	uint64_t blocks = 0;

	assert(runs->obj.kind == MVFS__RUNS);
	assert(runs->count > 0 && runs->count <= runs->capacity);
	if (runs->count == 1)
		assert(!run->buffer || run->offset || run->start);
	for (uint32_t k = 0; k < runs->count; k++) {
		blocks += mvfs__run_blocks(&run[k]);
		if (!k)
			continue;
		assert(run[k].offset >= mvfs__run_edge(&run[k - 1]));
		/* reserved neighbours are one run */
		assert(run[k].buffer || run[k - 1].buffer ||
		       run[k].offset > mvfs__run_edge(&run[k - 1]));
	}
	assert(runs->blocks == blocks);
	(void)blocks;
	(void)run;
}

void mvfs__content_check(const struct mvfs__content *c)
{
	struct mvfs__view v;

	assert(c->size <= MVFS__SIZE_MAX);
	assert(!c->length || c->held);
	if (mvfs__runs_of(c))
		check_array(mvfs__runs_of(c));
	mvfs__view_init(&v, c);
	for (uint32_t k = 0; k < v.count; k++)
		check_run(c, &v.run[k]);
}
