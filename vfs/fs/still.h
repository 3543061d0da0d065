/* SPDX-License-Identifier: MIT */
/*
 * A tree as it was: another reference to the nodes, and what is needed to
 * find names among them and to go on with them elsewhere. It never changes,
 * and is read without a lock; so two trees are compared, or one is written
 * out, while everybody goes on changing them.
 */
#ifndef MVFS__STILL_H
#define MVFS__STILL_H

#include "vfs/crash/crash.h"
#include "vfs/fs/instance.h"
#include "vfs/mem/grow.h"

struct mvfs__still {
	struct mvfs__trie nodes;
	struct mvfs__seed seed;
	uint64_t root;      /* what "/" is */
	uint64_t next_ino;
	uint64_t blocks;
	uint64_t dev;       /* of the instance, which no other ever has */
	uint64_t max_bytes;
	uint64_t max_inodes;
	struct mvfs__point *point; /* what was in doubt; or NULL */
	bool confined;
};

/*
 * The tree of the view, with its root; numbers in what may be restored are
 * never given to other inodes. 0, or what a hook says.
 */
int mvfs__still_take(mvfs *view, bool may_be_restored,
		     struct mvfs__still *still);
void mvfs__still_drop(struct mvfs__still *still);

/* What it has of the instance beside nodes; locked. */
static inline struct mvfs__still mvfs__still_of(const struct mvfs__fs *fs)
{
	return (struct mvfs__still){
		.seed = fs->seed,
		.root = MVFS__ROOT_INO,
		.next_ino = fs->table.next_ino,
		.dev = fs->dev,
		.max_bytes = fs->max_bytes,
		.max_inodes = fs->max_inodes,
		.confined = fs->confined,
	};
}

/* A view on a new instance that begins as that: 0 or -ENOMEM. instance.c */
int mvfs__still_clone(const struct mvfs__still *still, mvfs **out);

/*
 * Adds the path of the node by its i-th name, from the root on, as "/a/b". In
 * time that depends on its depth alone. False: it is not below the root.
 */
bool mvfs__still_path(const struct mvfs__still *still,
		      const struct mvfs__node *node, size_t i,
		      struct mvfs__grow *to);

/* What a path from the root leads to, symlinks not followed; or NULL. */
const struct mvfs__node *mvfs__still_find(const struct mvfs__still *still,
					  const char *path);

static inline struct mvfs__node *
mvfs__still_node(const struct mvfs__still *still, uint64_t ino)
{
	return (struct mvfs__node *)mvfs__trie_get(&still->nodes, ino);
}

#endif
