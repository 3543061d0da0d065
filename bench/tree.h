/* SPDX-License-Identifier: MIT */
/*
 * Names: what a call costs in trees of a thousand and of a million files, in
 * memory beside tmpfs; memory per file; cloning.
 *
 * A tree has one of two shapes, the same on both sides:
 *
 *     dirs   d0000/f0000000 ...  a thousand files in each directory
 *     flat   f0000000 ...        all of them in one
 *
 * Both sides are called with a descriptor of the tree's root and a path from
 * there (mvfs_openat and openat, mvfs_statat and fstatat, ...).
 */
#ifndef BENCH_TREE_H
#define BENCH_TREE_H

#include "bench/place.h"
#include "bench/report.h"

struct bench_tree {
	const uint64_t *sizes; /* of the trees, in files */
	size_t size_count;
	uint64_t memory_files; /* of those whose memory is counted; 0: none */
	uint64_t seed;
};

extern const char *const bench_tree_columns[];

int bench_tree(const struct bench_tree *options, const struct bench_plan *plan,
	       struct bench_report *report);

/* Files in a directory of the shape "dirs". */
#define BENCH_IN_DIRECTORY 1000

/* One tree in one place. */
struct bench_grove {
	struct bench_place *place; /* memory or tmpfs */
	uint64_t files;
	int flat;
	int root; /* memory: mvfs descriptor; tmpfs: the host's */
};

/* Path of the i-th file. `prefix` is the letter of its name. */
#define BENCH_PATH_MAX 96
void bench_grove_path(const struct bench_grove *grove, char prefix, uint64_t i,
		      char path[BENCH_PATH_MAX]);
/* Path of the i-th of BENCH_DEEP_FILES at a depth of 1, 4 or 16 names. */
#define BENCH_DEEP_FILES 64
void bench_grove_deep_path(unsigned depth, uint64_t i,
			   char path[BENCH_PATH_MAX]);
/* Plants it: directories, files of `length` bytes, and the deep ones. */
int bench_grove_fill(struct bench_grove *grove, size_t length,
		     const struct bench_plan *plan);

/* tree_memory.c: claims of bytes per file, measured in processes forked for
 * it, so that the heap is fresh. */
int bench_tree_memory(const struct bench_tree *options,
		      const struct bench_plan *plan,
		      struct bench_report *report);

/* tree_clone.c: rows of cloning a grove, and of the first change after it. */
#define BENCH_CLONE_ROWS 5
struct bench_clones;
struct bench_clones *bench_clones_new(const struct bench_grove *grove,
				      struct bench_report *report,
				      uint64_t seed,
				      struct bench_row *rows[BENCH_CLONE_ROWS]);
void bench_clones_free(struct bench_clones *clones);
void bench_clones_claim(const struct bench_clones *clones,
			struct bench_report *report);

#endif
