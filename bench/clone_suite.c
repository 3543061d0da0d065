// SPDX-License-Identifier: MIT
/*
 * The suite has its tree in memory; cp -a copies the same tree from a tmpfs
 * to another directory of one, which is what a suite without clones does
 * before each test. Its processor time is not of this process and is left
 * out.
 */
#include <config.h>

#include "bench/clone.h"

#include "bench/head.h"

#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LENGTH	1024 /* of each file */
#define CHANGES BENCH_CHANGES_MAX

extern char **environ;

struct suite {
	const struct bench_clone *options;
	const struct bench_plan *plan;
	struct bench_report *report;
	struct bench_place memory, from, to;
	int has_tmpfs;
	struct bench_grove grove;
	uint64_t random;
};

/* One test: a tree of its own, changes to it, what they should be. */
static int run_test(struct suite *suite, struct bench_changes *changes)
{
	mvfs *fs = suite->memory.fs, *own;
	int result = mvfs_clone(fs, &own);

	if (result < 0)
		return result;
	bench_changes_pick(&suite->grove, 0, CHANGES, &suite->random, changes);
	result = bench_changes_make(changes, own);
	if (result == 0)
		result = bench_changes_expect(changes, fs, own);
	mvfs_destroy(own);
	return result;
}

static int run_suite(void *ctx, uint64_t count)
{
	struct suite *suite = ctx;
	uint64_t tests = count * suite->options->tests;
	struct bench_changes changes;
	int result = 0;

	for (uint64_t i = 0; i < tests && result == 0; i++)
		result = run_test(suite, &changes);
	return result;
}

static int run_clone(void *ctx, uint64_t count)
{
	struct suite *suite = ctx;
	mvfs *own;

	for (uint64_t i = 0; i < count; i++) {
		int result = mvfs_clone(suite->memory.fs, &own);

		if (result < 0)
			return result;
		mvfs_destroy(own);
	}
	return 0;
}

static int run_cp(void *ctx, uint64_t count)
{
	struct suite *suite = ctx;
	char from[64], to[64];
	char *argv[] = {(char[]){"cp"}, (char[]){"-a"}, from, to, NULL};
	int result, status;
	pid_t child;

	(void)count;
	snprintf(from, sizeof(from), "/proc/%d/fd/%d/.", (int)getpid(),
		 suite->from.dirfd);
	snprintf(to, sizeof(to), "/proc/%d/fd/%d", (int)getpid(),
		 suite->to.dirfd);
	result = posix_spawnp(&child, argv[0], NULL, NULL, argv, environ);
	if (result != 0)
		return -result;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return status == 0 ? 0 : -EIO;
}

static int finish_cp(void *ctx, uint64_t count)
{
	struct suite *suite = ctx;

	(void)count;
	bench_place_empty(&suite->to);
	return 0;
}

static const struct bench_ops suite_ops = {NULL, run_suite, NULL};
static const struct bench_ops clone_ops = {NULL, run_clone, NULL};
static const struct bench_ops cp_ops = {NULL, run_cp, finish_cp};

static int plant(struct suite *suite, struct bench_place *place)
{
	suite->grove.place = place;
	suite->grove.files = suite->options->suite_files;
	return bench_grove_fill(&suite->grove, LENGTH, suite->plan);
}

static int open_tmpfs(struct suite *suite, const struct bench_needs *needs)
{
	char reason[256];

	if (bench_place_open("tmpfs", needs, &suite->from, reason) < 0 ||
	    bench_place_open("tmpfs", needs, &suite->to, reason) < 0) {
		bench_report_leave_out(suite->report, "cp -a on tmpfs", "%s",
				       reason);
		return 0;
	}
	suite->has_tmpfs = 1;
	bench_report_head(suite->report, "tmpfs", "%s", suite->from.about);
	return plant(suite, &suite->from);
}

static int open_places(struct suite *suite)
{
	uint64_t files = suite->options->suite_files;
	/* Directories come on top, and tmpfs has whole pages. */
	struct bench_needs needs = {files * 4096, files + files / 500 + 2000,
				    suite->options->seed};
	char reason[256];
	int result;

	bench_progress_text("planting the suite's tree");
	result = open_tmpfs(suite, &needs);
	if (result < 0)
		return result;
	result = bench_place_open("memory", &needs, &suite->memory, reason);
	if (result < 0) {
		bench_report_leave_out(suite->report, "suite", "%s", reason);
		return result;
	}
	return plant(suite, &suite->memory);
}

static void close_places(struct suite *suite)
{
	bench_place_close(&suite->memory);
	bench_place_close(&suite->from);
	bench_place_close(&suite->to);
}

static struct bench_row *add_row(struct suite *suite, const char *name,
				 const char *where, const char *changes,
				 const struct bench_ops *ops)
{
	char files[24];
	const char *params[] = {where, files, changes};
	struct bench_row *row;

	snprintf(files, sizeof(files), "%llu",
		 (unsigned long long)suite->options->suite_files);
	row = bench_report_row(suite->report, name, params, 3);
	if (row != NULL) {
		row->ops = ops;
		row->ctx = suite;
	}
	return row;
}

static void add_claims(struct suite *suite, struct bench_row *const rows[3])
{
	unsigned long long tests = suite->options->tests;
	unsigned long long files = suite->options->suite_files;
	struct bench_stats ratio;
	struct bench_claim *claim;
	size_t count;

	/* Of a thousand tests a second; of others in proportion. */
	bench_report_figure(suite->report, rows[0], BENCH_AT_MOST,
			    1e6 * (double)tests,
			    "suite of %llu tests, each on %llu files", tests,
			    files);
	if (rows[2] == NULL || rows[2]->error != 0 || rows[1]->error != 0)
		return;
	count = rows[2]->count < rows[1]->count ? rows[2]->count
						: rows[1]->count;
	for (size_t i = 0; i < rows[2]->count; i++)
		rows[2]->cpu[i] = NAN;
	ratio = bench_stats_ratio(rows[2]->wall, rows[1]->wall, count);
	claim = bench_report_claim(suite->report, ratio.median, ratio.error, "",
				   BENCH_NO_BOUND, 0);
	if (claim != NULL)
		snprintf(claim->what, sizeof(claim->what),
			 "cp -a / clone, %llu files of %d bytes", files,
			 LENGTH);
}

static int measure(struct suite *suite)
{
	struct bench_row *rows[3] = {NULL, NULL, NULL};
	char changes[64];
	int result;

	snprintf(changes, sizeof(changes), "%d in each of %llu", CHANGES,
		 (unsigned long long)suite->options->tests);
	rows[0] = add_row(suite, "suite", "memory", changes, &suite_ops);
	rows[1] = add_row(suite, "clone", "memory", "-", &clone_ops);
	if (rows[0] == NULL || rows[1] == NULL)
		return -ENOMEM;
	rows[0]->max_batch = 1;
	if (suite->has_tmpfs) {
		rows[2] = add_row(suite, "cp -a", "tmpfs", "-", &cp_ops);
		if (rows[2] == NULL)
			return -ENOMEM;
		rows[2]->max_batch = 1;
		snprintf(rows[2]->note, sizeof(rows[2]->note),
			 "a process each");
	}
	result = bench_measure(suite->plan, rows, suite->has_tmpfs ? 3 : 2);
	if (result == 0)
		add_claims(suite, rows);
	return result;
}

int bench_clone_suite(const struct bench_clone *options,
		      const struct bench_plan *plan,
		      struct bench_report *report)
{
	struct suite suite;
	int result;

	memset(&suite, 0, sizeof(suite));
	suite.options = options;
	suite.plan = plan;
	suite.report = report;
	suite.random = options->seed;
	suite.memory.dirfd = suite.from.dirfd = suite.to.dirfd = -1;
	result = open_places(&suite);
	if (result == 0)
		result = measure(&suite);
	close_places(&suite);
	return result;
}
