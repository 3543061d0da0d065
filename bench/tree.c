// SPDX-License-Identifier: MIT
#include <config.h>

#include "bench/tree.h"

#include "bench/head.h"
#include "bench/tree_ops.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SIDES	 2
#define ROWS_MAX 128

const char *const bench_tree_columns[] = {"where", "files", "shape", "pick",
					  NULL};

/* One shape and size, in memory and on tmpfs. */
struct stage {
	const struct bench_tree *options;
	const struct bench_plan *plan;
	struct bench_report *report;
	struct bench_place place[SIDES];
	struct bench_grove grove[SIDES];
	int open[SIDES];
	struct bench_plot plots[ROWS_MAX];
	struct bench_row *rows[ROWS_MAX];
	size_t count;
	struct bench_row *of_op[ROWS_MAX][SIDES];
	struct bench_clones *clones;
};

static int open_sides(struct stage *stage, uint64_t files, int flat)
{
	static const char *const where[SIDES] = {"memory", "tmpfs"};
	/* Directories and new names come on top; tmpfs counts inodes. */
	struct bench_needs needs = {4096, files + files / 500 + 2000,
				    stage->options->seed};
	char what[96], reason[256];

	for (int side = 0; side < SIDES; side++) {
		struct bench_grove *grove = &stage->grove[side];
		int result;

		snprintf(what, sizeof(what), "planting %llu files (%s) in %s",
			 (unsigned long long)files, flat ? "flat" : "dirs",
			 where[side]);
		bench_progress_text(what);
		/* What a tmpfs costs is the kernel's memory. */
		if (side == 1 && bench_meminfo("MemAvailable") != 0 &&
		    bench_meminfo("MemAvailable") < files * 1300) {
			bench_report_leave_out(stage->report, what,
					       "too little memory is free");
			continue;
		}
		if (bench_place_open(where[side], &needs, &stage->place[side],
				     reason) < 0) {
			bench_report_leave_out(stage->report, what, "%s",
					       reason);
			continue;
		}
		stage->open[side] = 1;
		if (side == 1 &&
		    bench_report_key(stage->report, "tmpfs")[0] == '\0')
			bench_report_head(stage->report, "tmpfs", "%s",
					  stage->place[side].about);
		grove->place = &stage->place[side];
		grove->files = files;
		grove->flat = flat;
		result = bench_grove_fill(grove, 0, stage->plan);
		if (result < 0) {
			bench_report_leave_out(stage->report, what, "%s",
					       strerror(-result));
			return result;
		}
	}
	return 0;
}

static int add_row(struct stage *stage, size_t op, int side)
{
	const struct bench_tree_op *what = &bench_tree_ops[op];
	const struct bench_grove *grove = &stage->grove[side];
	struct bench_plot *plot = &stage->plots[stage->count];
	char files[24], pick[24];
	const char *params[] = {stage->place[side].where, files,
				grove->flat ? "flat" : "dirs", pick};
	struct bench_row *row;

	snprintf(files, sizeof(files), "%llu",
		 (unsigned long long)grove->files);
	if (what->pick == BENCH_PICK_DEEP)
		snprintf(pick, sizeof(pick), "depth %u", what->depth);
	else
		snprintf(pick, sizeof(pick), "%s",
			 what->pick == BENCH_PICK_NEAR ? "near" : "random");
	row = bench_report_row(stage->report, what->name, params, 4);
	if (row == NULL)
		return -ENOMEM;
	plot->grove = grove;
	plot->pick = what->pick;
	plot->is_new = what->is_new;
	plot->depth = what->depth;
	plot->random = stage->options->seed + op;
	plot->count = BENCH_PLOTS;
	/* It is a tree of so many files: a tenth more at most, and a few. */
	if (what->is_new && grove->files / 10 < BENCH_PLOTS)
		plot->count = (size_t)(grove->files / 10) + 16;
	plot->path = calloc(plot->count, sizeof(*plot->path));
	plot->other = calloc(plot->count, sizeof(*plot->other));
	row->ops = side == 0 ? &what->memory : &what->tmpfs;
	row->ctx = plot;
	row->max_batch = plot->count;
	stage->rows[stage->count++] = row;
	stage->of_op[op][side] = row;
	return plot->path == NULL || plot->other == NULL ? -ENOMEM : 0;
}

/* What would be measured twice: what is deep is the same in both shapes, and
 * a small tree is warm everywhere. */
static int is_idle(const struct bench_grove *grove, size_t op)
{
	enum bench_pick pick = bench_tree_ops[op].pick;

	return (grove->flat && pick == BENCH_PICK_DEEP) ||
	       (grove->files <= BENCH_NEAR && pick == BENCH_PICK_NEAR);
}

static int add_rows(struct stage *stage)
{
	for (size_t op = 0; op < bench_tree_op_count; op++)
		for (int side = 0; side < SIDES; side++) {
			int result;

			if (!stage->open[side] ||
			    is_idle(&stage->grove[side], op))
				continue;
			result = add_row(stage, op, side);
			if (result < 0)
				return result;
		}
	if (!stage->open[0])
		return 0;
	stage->clones = bench_clones_new(&stage->grove[0], stage->report,
					 stage->options->seed,
					 stage->rows + stage->count);
	if (stage->clones == NULL)
		return -ENOMEM;
	stage->count += BENCH_CLONE_ROWS;
	return 0;
}

static void add_claims(struct stage *stage)
{
	for (size_t op = 0; op < bench_tree_op_count; op++) {
		const struct bench_tree_op *what = &bench_tree_ops[op];
		const struct bench_row *memory = stage->of_op[op][0];
		double target = stage->grove[0].files > BENCH_NEAR
					? what->target_large
					: what->target;

		if (memory != NULL)
			bench_report_ratio(stage->report, stage->of_op[op][1],
					   memory, BENCH_AT_LEAST, target,
					   "tmpfs / memory, %s %s, %s %s",
					   memory->name, memory->params[3],
					   memory->params[1],
					   memory->params[2]);
	}
	if (stage->clones != NULL)
		bench_clones_claim(stage->clones, stage->report);
}

static void close_stage(struct stage *stage)
{
	bench_progress_text("clearing away");
	bench_clones_free(stage->clones);
	for (size_t i = 0; i < ROWS_MAX; i++) {
		free(stage->plots[i].path);
		free(stage->plots[i].other);
	}
	for (int side = 0; side < SIDES; side++)
		if (stage->open[side])
			bench_place_close(&stage->place[side]);
	free(stage);
}

static int run_stage(const struct bench_tree *options, uint64_t files, int flat,
		     const struct bench_plan *plan, struct bench_report *report)
{
	struct stage *stage = calloc(1, sizeof(*stage));
	int result;

	if (stage == NULL)
		return -ENOMEM;
	stage->options = options;
	stage->plan = plan;
	stage->report = report;
	result = open_sides(stage, files, flat);
	if (result == 0)
		result = add_rows(stage);
	if (result == 0)
		result = bench_measure(plan, stage->rows, stage->count);
	if (result == 0)
		add_claims(stage);
	close_stage(stage);
	return result;
}

int bench_tree(const struct bench_tree *options, const struct bench_plan *plan,
	       struct bench_report *report)
{
	int result;

	bench_report_head(report, "cpu caches",
			  "the same on both sides: warm for near, deep and "
			  "hot names, cold for random ones of a large tree");
	result = bench_tree_memory(options, plan, report);
	for (size_t i = 0; i < options->size_count && result == 0; i++) {
		uint64_t files = options->sizes[i];

		result = run_stage(options, files, 0, plan, report);
		/* Up to a thousand files both shapes are nearly one. */
		if (result == 0 && files > 1000)
			result = run_stage(options, files, 1, plan, report);
	}
	return result;
}
