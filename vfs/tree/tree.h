/* SPDX-License-Identifier: MIT */
/*
 * Rules that span names and nodes: making, linking, renaming, removing, and
 * the attributes that chmod, chown and utimens change. What each refuses, and
 * in which order, is what Linux does.
 *
 * Every change first makes all that it will touch the instance's own and
 * finds the memory that it needs; only then does it change anything, by
 * steps that cannot fail. So each happens whole or not at all.
 *
 * All of it runs under the instance lock held exclusively.
 */
#ifndef MVFS__TREE_H
#define MVFS__TREE_H

#include "vfs/tree/set.h"
#include "vfs/walk/walk.h"

/* One change: on what, as whom, when; and what it set free. */
struct mvfs__act {
	struct mvfs__table *table;
	const struct mvfs__seed *seed;
	const struct mvfs__who *who;
	struct mvfs_time now;
	uint64_t max_inodes;  /* UINT64_MAX: no limit */
	struct mvfs__bin *bin;
	uint64_t freed;       /* out: blocks of nodes that ended */
};

/* What a new node is. */
struct mvfs__make {
	uint32_t mode;        /* type and permissions, before the umask */
	uint64_t rdev;
	const char *target;   /* of a symlink */
};

/*
 * Makes what `found` (nothing there) names. *node: the new node, own and
 * borrowed. -EEXIST, -ENOENT, -EACCES, -EPERM, -ENOSPC, -ENOMEM.
 */
int mvfs__tree_make(struct mvfs__act *act, const struct mvfs__found *found,
		    const struct mvfs__make *make, struct mvfs__node **node);

/* A regular file without a name in the directory, held once. */
int mvfs__tree_tmpfile(struct mvfs__act *act, struct mvfs__node *dir,
		       uint32_t mode, bool linkable,
		       struct mvfs__node **node);

int mvfs__tree_unlink(struct mvfs__act *act, const struct mvfs__found *found);
int mvfs__tree_rmdir(struct mvfs__act *act, const struct mvfs__found *found);

/* Gives the node with that number what `to` names. */
int mvfs__tree_link(struct mvfs__act *act, uint64_t ino,
		    const struct mvfs__found *to);

#define MVFS__NOREPLACE 1u
#define MVFS__EXCHANGE 2u
int mvfs__tree_rename(struct mvfs__act *act, const struct mvfs__found *from,
		      const struct mvfs__found *to, unsigned flags);

/* Whether `who` may: 0, -EPERM or -EACCES. Size is not looked at here. */
int mvfs__attr_may(const struct mvfs__who *who, const struct mvfs__node *node,
		   unsigned set, const struct mvfs_stat *values);
/* Changes the own node, after mvfs__attr_may(); all but the size. */
void mvfs__attr_set(const struct mvfs__who *who, struct mvfs__node *node,
		    unsigned set, const struct mvfs_stat *values,
		    const struct mvfs_time *now);

#endif
