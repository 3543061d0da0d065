// SPDX-License-Identifier: MIT
#include <config.h>

#include "bench/crash.h"

#include "bench/head.h"

#include <errno.h>
#include <stdlib.h>

#define POLICIES 2

const char *const bench_crash_columns[] = {"where", "policy", "transactions",
					   NULL};

struct cuts {
	const struct bench_crash *options;
	const struct bench_plan *plan;
	mvfs *fs;
	/* By transaction: from which point on it is acknowledged. */
	uint64_t *acknowledged;
};

struct cell {
	struct cuts *cuts;
	struct mvfs_crash_options options;
	uint64_t states, at; /* `at`: transactions acknowledged by now */
};

/* Points come in order. */
static int check_state(void *ctx, mvfs *after,
		       const struct mvfs_crash_state *state)
{
	struct cell *cell = ctx;
	const struct cuts *cuts = cell->cuts;
	int result;

	if (state->point == 0)
		cell->at = 0;
	while (cell->at < cuts->options->transactions &&
	       cuts->acknowledged[cell->at + 1] <= state->point)
		cell->at++;
	cell->states++;
	result = bench_store_recover(after);
	if (result < 0)
		return result;
	return bench_store_is(after, cell->at) ||
			       (cell->at < cuts->options->transactions &&
				bench_store_is(after, cell->at + 1))
		       ? 0
		       : -EBADMSG;
}

static int run_crashes(void *ctx, uint64_t count)
{
	struct cell *cell = ctx;
	int result = 0;

	for (uint64_t i = 0; i < count && result == 0; i++) {
		cell->states = 0;
		result = mvfs_crash_each(cell->cuts->fs, &cell->options,
					 check_state, cell);
	}
	return result;
}

/* The store from its beginning; `acknowledged` may be NULL. */
static int run_store(mvfs *fs, const struct bench_crash *options,
		     uint64_t *acknowledged)
{
	int result = 0;

	for (uint64_t i = 1; i <= options->transactions && result == 0; i++) {
		result = bench_store_run(fs, i);
		if (result == 0 && acknowledged != NULL) {
			int64_t point = mvfs_crash_point(fs);

			if (point < 0)
				return (int)point;
			acknowledged[i] = (uint64_t)point;
		}
	}
	return result;
}

/* What the program itself costs, and what it does with its crashes tracked. */
static int run_program(void *ctx, int is_tracked)
{
	struct cuts *cuts = ctx;
	mvfs *fs;
	int result = mvfs_clone(cuts->fs, &fs);

	if (result < 0)
		return result;
	if (is_tracked)
		result = mvfs_crash_start(fs, NULL);
	if (result == 0)
		result = run_store(fs, cuts->options, NULL);
	mvfs_destroy(fs);
	return result;
}

static int run_plain(void *ctx, uint64_t count)
{
	int result = 0;

	for (uint64_t i = 0; i < count && result == 0; i++)
		result = run_program(ctx, 0);
	return result;
}

static int run_tracked(void *ctx, uint64_t count)
{
	int result = 0;

	for (uint64_t i = 0; i < count && result == 0; i++)
		result = run_program(ctx, 1);
	return result;
}

static const struct bench_ops plain_ops = {NULL, run_plain, NULL};
static const struct bench_ops tracked_ops = {NULL, run_tracked, NULL};
static const struct bench_ops crash_ops = {NULL, run_crashes, NULL};

static int prepare_cuts(struct cuts *cuts)
{
	struct mvfs_options options = {.size = sizeof(options),
				       .flags = MVFS_SEEDED,
				       .seed = {cuts->options->seed, 1}};
	int result;

	cuts->acknowledged = calloc(cuts->options->transactions + 1,
				    sizeof(*cuts->acknowledged));
	if (cuts->acknowledged == NULL)
		return -ENOMEM;
	result = mvfs_create(&options, &cuts->fs);
	if (result == 0)
		result = bench_store_make(cuts->fs);
	if (result == 0)
		result = mvfs_crash_start(cuts->fs, NULL);
	if (result == 0)
		result = run_store(cuts->fs, cuts->options, cuts->acknowledged);
	return result;
}

static struct bench_row *add_row(struct cuts *cuts, struct bench_report *report,
				 const char *name, const char *policy,
				 const struct bench_ops *ops, void *ctx)
{
	char transactions[24];
	const char *params[] = {"memory", policy, transactions};
	struct bench_row *row;

	snprintf(transactions, sizeof(transactions), "%llu",
		 (unsigned long long)cuts->options->transactions);
	row = bench_report_row(report, name, params, 3);
	if (row != NULL) {
		row->ops = ops;
		row->ctx = ctx;
	}
	return row;
}

static void add_claim(struct bench_report *report, const struct bench_row *row,
		      const struct cell *cell)
{
	double scale = 1e4 / (double)cell->states;
	struct bench_claim *claim;
	struct bench_stats s;

	if (row->error != 0 || row->count == 0)
		return;
	s = bench_stats(row->wall, row->count);
	claim = bench_report_claim(report, s.median * scale, s.error * scale,
				   "ns", BENCH_AT_MOST, 1e10);
	if (claim == NULL)
		return;
	snprintf(claim->what, sizeof(claim->what),
		 "10000 states built, opened, recovered, checked; %s",
		 row->params[1]);
	snprintf(claim->note, sizeof(claim->note), "of %llu",
		 (unsigned long long)cell->states);
}

static int measure(struct cuts *cuts, struct bench_report *report)
{
	static const char *const names[POLICIES] = {"ordered", "posix"};
	static const unsigned policies[POLICIES] = {MVFS_CRASH_ORDERED,
						    MVFS_CRASH_POSIX};
	struct bench_row *rows[2 + POLICIES];
	struct cell cells[POLICIES];
	int result;

	rows[0] = add_row(cuts, report, "program", "-", &plain_ops, cuts);
	rows[1] = add_row(cuts, report, "program.tracked", "-", &tracked_ops,
			  cuts);
	for (size_t i = 0; i < POLICIES; i++) {
		cells[i] = (struct cell){
			.cuts = cuts,
			.options = {.size = sizeof(cells[i].options),
				    .policy = policies[i],
				    .seed = cuts->options->seed}};
		rows[2 + i] = add_row(cuts, report, "crashes", names[i],
				      &crash_ops, &cells[i]);
	}
	for (size_t i = 0; i < 2 + POLICIES; i++)
		if (rows[i] == NULL)
			return -ENOMEM;
	result = bench_measure(cuts->plan, rows, 2 + POLICIES);
	if (result < 0)
		return result;
	for (size_t i = 0; i < POLICIES; i++) {
		snprintf(rows[2 + i]->note, sizeof(rows[2 + i]->note),
			 "%llu states", (unsigned long long)cells[i].states);
		add_claim(report, rows[2 + i], &cells[i]);
	}
	bench_report_ratio(report, rows[1], rows[0], BENCH_NO_BOUND, 0,
			   "a program that is tracked / one that is not");
	return 0;
}

int bench_crash(const struct bench_crash *options,
		const struct bench_plan *plan, struct bench_report *report)
{
	struct cuts cuts = {options, plan, NULL, NULL};
	int result;

	bench_report_head(report, "cpu caches", "warm");
	bench_progress_text("running the program");
	result = prepare_cuts(&cuts);
	if (result == 0)
		result = measure(&cuts, report);
	mvfs_destroy(cuts.fs);
	free(cuts.acknowledged);
	return result;
}
