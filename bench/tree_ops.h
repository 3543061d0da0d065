/* SPDX-License-Identifier: MIT */
/* The calls on names that bench tree measures, on either side. */
#ifndef BENCH_TREE_OPS_H
#define BENCH_TREE_OPS_H

#include "bench/tree.h"

#define BENCH_PLOTS 1000 /* paths of a segment, at most a few more */

enum bench_pick {
	BENCH_PICK_RANDOM, /* anywhere in the tree: its memory is cold */
	BENCH_PICK_NEAR,   /* among BENCH_NEAR files: it is warm */
	BENCH_PICK_DEEP	   /* the deep files */
};
#define BENCH_NEAR 1000

/* A row's paths, the same sequence on both sides. */
struct bench_plot {
	const struct bench_grove *grove;
	enum bench_pick pick;
	int is_new;	 /* names that are not there yet, beside such files */
	unsigned depth;	 /* for BENCH_PICK_DEEP */
	uint64_t random; /* state of the generator */
	size_t count;	 /* of paths */
	char (*path)[BENCH_PATH_MAX];
	char (*other)[BENCH_PATH_MAX]; /* the new name of each */
};

struct bench_tree_op {
	const char *name;
	enum bench_pick pick;
	int is_new;
	unsigned depth;
	/* How much faster than tmpfs it shall be; in larger trees, for
	 * BENCH_PICK_RANDOM, so much. */
	double target, target_large;
	struct bench_ops memory, tmpfs;
};

extern const struct bench_tree_op bench_tree_ops[];
extern const size_t bench_tree_op_count;

#endif
