// SPDX-License-Identifier: MIT
/*
 * Cloning a tree, and the first change of the clone, which copies what is on
 * the way to it. That change is timed one by one: each needs a new clone.
 *
 * "hot": always the same file. "random": any file of the tree, which was
 * looked at just before, so that what is measured is the copying, not the
 * memory's latency on the way.
 */
#include <config.h>

#include "bench/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#define CLONES 64

enum change { CLONE_ONLY, CHANGE_MODE, CHANGE_NAMES };

struct cell {
	struct bench_clones *all;
	enum change change;
	int hot;
	struct bench_row *row;
};

struct bench_clones {
	const struct bench_grove *grove;
	uint64_t random;
	mvfs *clone[CLONES];
	char path[BENCH_PATH_MAX]; /* from the root of the instance */
	struct cell cell[BENCH_CLONE_ROWS];
};

static int run_clone(void *ctx, uint64_t count)
{
	struct bench_clones *all = ((struct cell *)ctx)->all;
	mvfs *fs = all->grove->place->fs;

	for (uint64_t i = 0; i < count; i++) {
		int result = mvfs_clone(fs, &all->clone[i]);

		if (result < 0)
			return result;
	}
	return 0;
}

static int finish_clone(void *ctx, uint64_t count)
{
	struct bench_clones *all = ((struct cell *)ctx)->all;

	for (uint64_t i = 0; i < count; i++) {
		mvfs_destroy(all->clone[i]);
		all->clone[i] = NULL;
	}
	return 0;
}

static int prepare_change(void *ctx, uint64_t count)
{
	struct cell *cell = ctx;
	struct bench_clones *all = cell->all;
	const struct bench_grove *grove = all->grove;
	uint64_t at = 0;
	struct mvfs_stat st;
	int result;

	if (!cell->hot)
		at = bench_random(&all->random) % grove->files;
	bench_grove_path(grove, 'f', at, all->path);
	result = mvfs_stat(grove->place->fs, all->path, &st);
	if (result < 0)
		return result;
	if (cell->change == CHANGE_NAMES)
		bench_grove_path(grove, 'c', at, all->path);
	return run_clone(ctx, count);
}

static int run_change(void *ctx, uint64_t count)
{
	struct cell *cell = ctx;
	struct bench_clones *all = cell->all;

	(void)count;
	if (cell->change == CHANGE_MODE)
		return mvfs_chmod(all->clone[0], all->path, 0600);
	return mvfs_mknod(all->clone[0], all->path, 0600, 0);
}

static const struct bench_ops clone_ops = {NULL, run_clone, finish_clone};
static const struct bench_ops change_ops = {prepare_change, run_change,
					    finish_clone};

struct bench_clones *bench_clones_new(const struct bench_grove *grove,
				      struct bench_report *report,
				      uint64_t seed,
				      struct bench_row *rows[BENCH_CLONE_ROWS])
{
	static const struct {
		const char *name, *pick;
		enum change change;
		int hot;
	} kinds[BENCH_CLONE_ROWS] = {
		{"clone", "-", CLONE_ONLY, 0},
		{"firstChange.chmod", "hot", CHANGE_MODE, 1},
		{"firstChange.chmod", "random", CHANGE_MODE, 0},
		{"firstChange.create", "hot", CHANGE_NAMES, 1},
		{"firstChange.create", "random", CHANGE_NAMES, 0},
	};
	struct bench_clones *all = calloc(1, sizeof(*all));
	char files[24];

	if (all == NULL)
		return NULL;
	all->grove = grove;
	all->random = seed;
	snprintf(files, sizeof(files), "%llu",
		 (unsigned long long)grove->files);
	for (int i = 0; i < BENCH_CLONE_ROWS; i++) {
		const char *params[] = {"memory", files,
					grove->flat ? "flat" : "dirs",
					kinds[i].pick};
		struct bench_row *row =
			bench_report_row(report, kinds[i].name, params, 4);

		if (row == NULL) {
			free(all);
			return NULL;
		}
		all->cell[i].all = all;
		all->cell[i].change = kinds[i].change;
		all->cell[i].hot = kinds[i].hot;
		all->cell[i].row = row;
		row->ctx = &all->cell[i];
		row->ops = i == 0 ? &clone_ops : &change_ops;
		row->max_batch = i == 0 ? CLONES : 1;
		row->flags = i == 0 ? 0 : BENCH_MEDIAN_SEGMENT;
		rows[i] = row;
	}
	return all;
}

void bench_clones_free(struct bench_clones *clones)
{
	free(clones);
}

void bench_clones_claim(const struct bench_clones *clones,
			struct bench_report *report)
{
	const struct bench_grove *grove = clones->grove;

	for (int i = 0; i < BENCH_CLONE_ROWS; i++) {
		const struct bench_row *row = clones->cell[i].row;

		bench_report_figure(
			report, row, BENCH_AT_MOST, i == 0 ? 1000 : 10000,
			"%s%s%s, %llu %s", row->name, i ? " " : "",
			i ? row->params[3] : "",
			(unsigned long long)grove->files, row->params[2]);
	}
}
