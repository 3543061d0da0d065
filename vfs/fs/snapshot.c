/* SPDX-License-Identifier: MIT */
/*
 * Snapshots: another reference to the nodes, as they are now, and what was
 * counted of them. To restore is to let the instance's nodes be these again;
 * what the two have in common is not touched, so it takes as long as what
 * differs takes to be freed, and what is held.
 */
#include "config.h"

#include <errno.h>

#include "vfs/fs/op.h"
#include "vfs/mem/mem.h"

struct mvfs_snapshot {
	struct mvfs__trie nodes;
	uint64_t next_ino;
	uint64_t blocks;
	uint64_t dev; /* of the instance, which no other ever has */
};

int mvfs__fs_snapshot(mvfs *view, struct mvfs_snapshot **out)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs_snapshot *snapshot;
	struct mvfs__op op;
	int rc = mvfs__op_begin(&op, &from, MVFS__OP_SYNC);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	snapshot = mvfs__malloc(sizeof(*snapshot));
	if (!snapshot)
		return (int)mvfs__op_end(&op, -ENOMEM);
	mvfs__op_exclusive(&op);
	mvfs__trie_share(&op.fs->table.nodes, &snapshot->nodes);
	op.fs->table.epoch = mvfs__unique();
	snapshot->next_ino = op.fs->table.next_ino;
	snapshot->blocks = atomic_load(&op.fs->blocks) -
			   mvfs__fs_orphan_blocks(op.fs);
	snapshot->dev = op.fs->dev;
	mvfs__op_unlock(&op);
	*out = snapshot;
	return (int)mvfs__op_end(&op, 0);
}

void mvfs__fs_snapshot_free(struct mvfs_snapshot *snapshot)
{
	struct mvfs__bin bin = MVFS__BIN_INIT;

	mvfs__trie_clear(&snapshot->nodes, &bin);
	mvfs__bin_empty(&bin);
	mvfs__free(snapshot);
}

/*
 * Whether a number that was given out since can be seen by anybody: nothing
 * is held but roots and current directories that are in the tree again.
 */
static bool is_quiet(const struct mvfs__fs *fs)
{
	const struct mvfs__hold *hold;
	uint64_t held = 0;

	for (hold = fs->table.holds; hold; hold = hold->hh.next)
		held += hold->count;
	return !fs->attached && !fs->table.orphans &&
	       held == 2 * (uint64_t)fs->views;
}

int mvfs__fs_restore(mvfs *view, const struct mvfs_snapshot *snapshot)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__op op;
	int rc = mvfs__op_begin(&op, &from, MVFS__OP_SYNC);

	if (!rc && snapshot->dev != op.fs->dev)
		rc = -EXDEV;
	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_exclusive(&op);
	rc = mvfs__table_restore(&op.fs->table, &snapshot->nodes, &op.bin);
	if (!rc) {
		atomic_store(&op.fs->blocks, snapshot->blocks +
			     mvfs__fs_orphan_blocks(op.fs));
		if (is_quiet(op.fs))
			op.fs->table.next_ino = snapshot->next_ino;
	}
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}
