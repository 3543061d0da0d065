/* SPDX-License-Identifier: MIT */
/* Runs operations on both sides and compares, one at a time. */
#include "config.h"

#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool engine_whole(struct engine *engine)
{
	struct dump dumps[2] = { engine->last, { 0 } };

	side_dump(&engine->sides[0], &dumps[0], engine->nothing_open);
	side_dump(&engine->sides[1], &dumps[1], engine->nothing_open);
	compare_dumps(&engine->differ, dumps);
	engine->last = dumps[0];
	dump_free(&dumps[1]);
	return !engine->differ.found;
}

/* Makes alike again what legally differs: an offset, the times of a file. */
static void resync(struct engine *engine, const struct op *op)
{
	struct op seek = { .code = OP_LSEEK, .fd = { engine->differ.resync },
			   .whence = SEEK_SET };
	struct op times = { .code = OP_FUTIMENS, .user = op->user,
			    .look = true, .fd = { op->fd[0] },
			    .times = { { 11, 0, 0 }, { 12, 0, 0 } } };

	if (engine->differ.resync >= 0) {
		side_step(&engine->sides[0], &seek, engine->sides[0].spare);
		side_step(&engine->sides[1], &seek, engine->sides[1].spare);
	}
	if (engine->differ.no_room && op_has(op, 'f')) {
		side_step(&engine->sides[0], &times, engine->sides[0].spare);
		side_step(&engine->sides[1], &times, engine->sides[1].spare);
	}
}

bool engine_step(struct engine *engine, const struct op *op)
{
	struct report **reports = engine->reports;
	int64_t ret;

	side_step(&engine->sides[0], op, reports[0]);
	engine->done++;
	engine->nothing_open = op->code == OP_CLONE;
	ret = reports[0]->result.ret;
	if (ret == NOT_DONE || legal_refusal(&engine->facts, op, ret))
		return true;
	side_step(&engine->sides[1], op, reports[1]);
	compare_reports(&engine->differ, op, reports);
	resync(engine, op);
	if (engine->differ.found)
		return false;
	if (engine->done % engine->every == 0 || engine->nothing_open)
		return engine_whole(engine);
	return true;
}

void engine_reset(struct engine *engine)
{
	side_reset(&engine->sides[0]);
	side_reset(&engine->sides[1]);
	differ_reset(&engine->differ);
	dump_free(&engine->last);
	engine->done = 0;
	engine->nothing_open = false;
	if (!engine_whole(engine)) {
		fprintf(stderr, "before any operation: %s",
			engine->differ.text);
		abort();
	}
}

size_t engine_replay(struct engine *engine, const struct op *ops, size_t count)
{
	unsigned every = engine->every;
	size_t i;

	engine_reset(engine);
	/* What a reading of the tree found may have been older. */
	engine->every = count <= 300 ? 1 : every;
	for (i = 0; i < count; i++)
		if (!engine_step(engine, &ops[i]))
			break;
	engine->every = every;
	if (i == count && !engine_whole(engine))
		i--;
	return i;
}
