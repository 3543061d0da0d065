// SPDX-License-Identifier: MIT
#include <config.h>

#include "bench/clone.h"

#include "bench/head.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CHANGES 10
#define BATCH	16

const char *const bench_clone_columns[] = {"where", "files", "changes", NULL};

/* What all rows of the large tree share. */
struct slate {
	struct bench_grove grove;
	struct bench_place place;
	struct mvfs_snapshot *clean;
	mvfs *before; /* the same as an instance, to compare with */
	uint64_t random;
};

struct cell {
	struct slate *slate;
	int one_directory;
	struct bench_changes changes[BATCH];
};

static int prepare_restore(void *ctx, uint64_t count)
{
	struct cell *cell = ctx;
	struct slate *slate = cell->slate;

	for (uint64_t i = 0; i < count; i++)
		bench_changes_pick(&slate->grove, cell->one_directory, CHANGES,
				   &slate->random, &cell->changes[i]);
	return 0;
}

static int run_restore(void *ctx, uint64_t count)
{
	struct cell *cell = ctx;
	mvfs *fs = cell->slate->place.fs;
	struct mvfs_snapshot *snapshot;
	int result = 0;

	for (uint64_t i = 0; i < count && result == 0; i++) {
		result = mvfs_snapshot(fs, &snapshot);
		if (result < 0)
			return result;
		result = bench_changes_make(&cell->changes[i], fs);
		if (result == 0)
			result = mvfs_restore(fs, snapshot);
		mvfs_snapshot_release(snapshot);
	}
	return result;
}

static int prepare_diff(void *ctx, uint64_t count)
{
	struct cell *cell = ctx;

	prepare_restore(ctx, count);
	return bench_changes_make(&cell->changes[0], cell->slate->place.fs);
}

static int run_diff(void *ctx, uint64_t count)
{
	struct cell *cell = ctx;
	struct slate *slate = cell->slate;

	(void)count;
	return bench_changes_expect(&cell->changes[0], slate->before,
				    slate->place.fs);
}

static int finish_diff(void *ctx, uint64_t count)
{
	struct slate *slate = ((struct cell *)ctx)->slate;

	(void)count;
	return mvfs_restore(slate->place.fs, slate->clean);
}

static const struct bench_ops restore_ops = {prepare_restore, run_restore,
					     NULL};
static const struct bench_ops diff_ops = {prepare_diff, run_diff, finish_diff};

static const struct {
	const char *name, *changes;
	const struct bench_ops *ops;
	uint64_t max_batch;
	int one_directory;
	double target; /* ns */
} kinds[] = {
	{"snapshot.restore", "10 in a directory", &restore_ops, BATCH, 1, 1e5},
	{"snapshot.restore", "10 anywhere", &restore_ops, BATCH, 0, 1e6},
	/* One by one: each comparison is the first after its changes. */
	{"diff", "10 in a directory", &diff_ops, 1, 1, 1e5},
	{"diff", "10 anywhere", &diff_ops, 1, 0, 1e6},
};
#define ROWS (sizeof(kinds) / sizeof(kinds[0]))

static int open_slate(struct slate *slate, const struct bench_clone *options,
		      const struct bench_plan *plan,
		      struct bench_report *report)
{
	struct bench_needs needs = {0, options->files, options->seed};
	char reason[256];
	int result;

	result = bench_place_open("memory", &needs, &slate->place, reason);
	if (result < 0) {
		bench_report_leave_out(report, "the large tree", "%s", reason);
		return result;
	}
	slate->random = options->seed;
	slate->grove.place = &slate->place;
	slate->grove.files = options->files;
	bench_progress_text("planting the large tree");
	result = bench_grove_fill(&slate->grove, 0, plan);
	if (result == 0)
		result = mvfs_snapshot(slate->place.fs, &slate->clean);
	if (result == 0)
		result = mvfs_snapshot_clone(slate->clean, &slate->before);
	return result;
}

static void close_slate(struct slate *slate)
{
	bench_progress_text("clearing away");
	mvfs_destroy(slate->before);
	mvfs_snapshot_release(slate->clean);
	bench_place_close(&slate->place);
}

static int measure_slate(struct slate *slate, struct cell *cells,
			 const struct bench_plan *plan,
			 struct bench_report *report)
{
	struct bench_row *rows[ROWS];
	char files[24];
	int result;

	snprintf(files, sizeof(files), "%llu",
		 (unsigned long long)slate->grove.files);
	for (size_t i = 0; i < ROWS; i++) {
		const char *params[] = {"memory", files, kinds[i].changes};

		rows[i] = bench_report_row(report, kinds[i].name, params, 3);
		if (rows[i] == NULL)
			return -ENOMEM;
		cells[i].slate = slate;
		cells[i].one_directory = kinds[i].one_directory;
		rows[i]->ctx = &cells[i];
		rows[i]->ops = kinds[i].ops;
		rows[i]->max_batch = kinds[i].max_batch;
	}
	result = bench_measure(plan, rows, ROWS);
	for (size_t i = 0; i < ROWS && result == 0; i++)
		bench_report_figure(report, rows[i], BENCH_AT_MOST,
				    kinds[i].target, "%s, %s, %s files",
				    kinds[i].name, kinds[i].changes, files);
	return result;
}

int bench_clone(const struct bench_clone *options,
		const struct bench_plan *plan, struct bench_report *report)
{
	struct cell *cells = calloc(ROWS, sizeof(*cells));
	struct slate slate;
	int result;

	bench_report_head(report, "cpu caches",
			  "warm for the suite's tree, cold for what is changed "
			  "in the large one");
	if (cells == NULL)
		return -ENOMEM;
	/* First the suite: cp is to start from a small process. */
	result = bench_clone_suite(options, plan, report);
	if (result == 0) {
		memset(&slate, 0, sizeof(slate));
		slate.place.dirfd = -1;
		result = open_slate(&slate, options, plan, report);
		if (result == 0)
			result = measure_slate(&slate, cells, plan, report);
		close_slate(&slate);
	}
	free(cells);
	return result;
}
