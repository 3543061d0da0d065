/* SPDX-License-Identifier: MIT */
/*
 * A clean slate for each test: what it costs to have a large tree as it was
 * and to be told what was changed in it, and what a whole suite of tests
 * costs that each begin with a tree of their own, beside cp -a on tmpfs.
 *
 * Trees are groves of bench/tree.h, a thousand files in each directory.
 * Nothing is looked at before it is changed: of a large tree, neither the
 * files nor the tries on the way to them are in a cache of the processor.
 */
#ifndef BENCH_CLONE_H
#define BENCH_CLONE_H

#include "bench/place.h"
#include "bench/report.h"
#include "bench/tree.h"

struct bench_clone {
	uint64_t files;	      /* of the large tree */
	uint64_t suite_files; /* of the tree that each test has */
	uint64_t tests;	      /* of the suite */
	uint64_t seed;
};

extern const char *const bench_clone_columns[];

int bench_clone(const struct bench_clone *options,
		const struct bench_plan *plan, struct bench_report *report);

/* clone_change.c: a set of changes to a grove, whose differences are known. */
#define BENCH_CHANGES_MAX 20
struct bench_changes {
	size_t count;
	struct bench_change {
		char path[1 + BENCH_PATH_MAX]; /* absolute */
		unsigned what;		   /* MVFS_DIFF_* that comes of it */
	} change[BENCH_CHANGES_MAX]; /* sorted by path */
};

/* Trees have this many files at least, so that all can be different ones. */
#define BENCH_CHANGES_FILES (2 * BENCH_CHANGES_MAX)

/* `count` files of the grove, in one directory or anywhere: contents, modes,
 * new files and removed ones. */
void bench_changes_pick(const struct bench_grove *grove, int one_directory,
			size_t count, uint64_t *random,
			struct bench_changes *changes);
/* 0 or a negative errno. */
int bench_changes_make(const struct bench_changes *changes, mvfs *fs);
/* Whether exactly these make the difference: 0; if not, -EBADMSG. */
int bench_changes_expect(const struct bench_changes *changes, mvfs *before,
			 mvfs *after);

/* clone_suite.c: a suite of tests, a clone alone, and cp -a, in turns. */
int bench_clone_suite(const struct bench_clone *options,
		      const struct bench_plan *plan,
		      struct bench_report *report);

#endif
