/* SPDX-License-Identifier: MIT */
/* What differs between two trees, inside vfs/fs. */
#ifndef MVFS__DIFF_H
#define MVFS__DIFF_H

#include <memvfs/diff.h>

#include "vfs/fs/still.h"
#include "vfs/mem/hash.h"

/* Two inodes of several names that have been compared at a path. */
struct mvfs__diff_pair {
	uint64_t ino[2];
	unsigned count; /* 1; 0 where the table could not grow */
	UT_hash_handle hh;
};

struct mvfs__diff {
	struct mvfs__still tree[2];
	unsigned what; /* that counts */
	mvfs_diff_fn *fn;
	void *ctx;
	struct mvfs__diff_pair *pairs;
	/* of the difference that is told */
	struct mvfs__grow line, text[2];
};

/* diff_tell.c: what differs at a path between two nodes, of which one may be
 * NULL. */
int mvfs__diff_at(struct mvfs__diff *d, const char *path,
		  const struct mvfs__node *const node[2]);

#endif
