/* SPDX-License-Identifier: MIT */
/*
 * Snapshots: another reference to the nodes, as they are now, and what was
 * counted of them. To restore is to let the instance's nodes be these again;
 * what the two have in common is not touched, so it takes as long as what
 * differs takes to be freed, and what is held.
 *
 * Adapters whose kernel keeps bytes are told before and after. The mutex that
 * is held meanwhile, which no other call takes, lets restores come one after
 * the other, and keeps a listener from ending while it is called.
 */
#include "config.h"

#include <errno.h>

#include "vfs/fs/crash.h"
#include "vfs/fs/op.h"
#include "vfs/fs/still.h"
#include "vfs/mem/mem.h"

struct mvfs_snapshot {
	struct mvfs__still still;
};

int mvfs__still_take(mvfs *view, bool may_be_restored,
		     struct mvfs__still *still)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__fs *fs = view->fs;
	struct mvfs__op op;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_SNAPSHOT);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_exclusive(&op);
	*still = mvfs__still_of(fs);
	still->root = view->root;
	still->blocks = mvfs__fs_named_blocks(fs);
	mvfs__table_share_nodes(&fs->table, &still->nodes);
	if (may_be_restored) {
		fs->table.kept = fs->table.next_ino;
		still->point = fs->points;
	}
	if (still->point)
		mvfs__obj_retain(&still->point->obj);
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, 0);
}

void mvfs__still_drop(struct mvfs__still *still)
{
	struct mvfs__bin bin = MVFS__BIN_INIT;

	mvfs__trie_clear(&still->nodes, &bin);
	if (still->point)
		mvfs__obj_drop(&still->point->obj, &bin);
	mvfs__bin_empty(&bin);
}

int mvfs__fs_snapshot(mvfs *view, struct mvfs_snapshot **out)
{
	struct mvfs_snapshot *snapshot = mvfs__malloc(sizeof(*snapshot));
	int rc = snapshot ? mvfs__still_take(view, true, &snapshot->still) :
			    -ENOMEM;

	if (rc) {
		mvfs__free(snapshot);
		return rc;
	}
	snapshot->still.root = MVFS__ROOT_INO;
	*out = snapshot;
	return 0;
}

int mvfs__fs_snapshot_of(mvfs *view, struct mvfs__still *still,
			 struct mvfs_snapshot **out)
{
	struct mvfs_snapshot *snapshot = mvfs__malloc(sizeof(*snapshot));
	const struct mvfs__from from = { view, NULL };
	struct mvfs__op op;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_SNAPSHOT);

	if (!rc && !snapshot)
		rc = -ENOMEM;
	if (rc) {
		mvfs__free(snapshot);
		mvfs__still_drop(still);
		return (int)mvfs__op_end(&op, rc);
	}
	mvfs__op_exclusive(&op);
	op.fs->table.kept = mvfs__max64(op.fs->table.kept, still->next_ino);
	mvfs__op_unlock(&op);
	snapshot->still = *still;
	*out = snapshot;
	return (int)mvfs__op_end(&op, 0);
}

int mvfs__fs_snapshot_clone(const struct mvfs_snapshot *snapshot, mvfs **out)
{
	return mvfs__still_clone(&snapshot->still, out);
}

void mvfs__fs_snapshot_free(struct mvfs_snapshot *snapshot)
{
	mvfs__still_drop(&snapshot->still);
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

/* What is in doubt is what was then, if that is known. */
static void restore_points(struct mvfs__op *op, struct mvfs__point *then,
			   struct mvfs__point **start)
{
	struct mvfs__fs *fs = op->fs;

	if (!fs->points)
		return;
	if (then && then->session == fs->points->session) {
		mvfs__obj_retain(&then->obj);
		mvfs__obj_drop(&fs->points->obj, &op->bin);
		fs->points = then;
		return;
	}
	mvfs__fs_track(fs, *start, &op->bin);
	*start = NULL;
}

void mvfs__fs_listen(mvfs *view, const struct mvfs_sys_listener *listener)
{
	struct mvfs__fs *fs = view->fs;
	struct mvfs **at;

	pthread_mutex_lock(&fs->tell_mutex);
	for (at = &fs->listeners; *at && *at != view;)
		at = &(*at)->next_listener;
	if (*at)
		*at = view->next_listener;
	view->listener = (struct mvfs_sys_listener){ 0 };
	if (listener) {
		view->listener = *listener;
		view->next_listener = fs->listeners;
		fs->listeners = view;
	}
	pthread_mutex_unlock(&fs->tell_mutex);
}

/* With tell_mutex, and no other lock. */
static int tell_before(const struct mvfs__fs *fs)
{
	const struct mvfs *view;
	int rc = 0;

	for (view = fs->listeners; view && !rc; view = view->next_listener)
		if (view->listener.before)
			rc = view->listener.before(view->listener.ctx);
	return rc;
}

static int tell_node(void *arg, struct mvfs__obj *a, struct mvfs__obj *b)
{
	const struct mvfs__node *node = (struct mvfs__node *)(b ? b : a);
	const struct mvfs_sys_change change = {
		.ino = mvfs__node_ino(node),
		.mode = mvfs__node_mode(node),
		.what = !b ? MVFS_SYS_GONE : a ? MVFS_SYS_CHANGED :
			     MVFS_SYS_BACK,
	};
	const struct mvfs__fs *fs = arg;
	const struct mvfs *view;

	for (view = fs->listeners; view; view = view->next_listener)
		view->listener.after(view->listener.ctx, &change);
	return 0;
}

/* *before is what the nodes were, if anybody is to be told. */
static int restore(struct mvfs__op *op, const struct mvfs__still *still,
		   struct mvfs__point **start, struct mvfs__trie *before)
{
	int rc;

	mvfs__op_exclusive(op);
	if (op->fs->listeners)
		mvfs__table_share_nodes(&op->fs->table, before);
	rc = mvfs__point_orphans(*start, &op->fs->table, &op->bin);
	if (!rc)
		rc = mvfs__table_restore(&op->fs->table, &still->nodes,
					 &op->bin);
	if (!rc) {
		atomic_store(&op->fs->blocks, still->blocks +
			     mvfs__fs_orphan_blocks(op->fs));
		assert(still->next_ino <= op->fs->table.kept);
		/* never below what a snapshot knows: a number that is held
		 * means one inode in all of them */
		if (is_quiet(op->fs))
			op->fs->table.next_ino = op->fs->table.kept;
		restore_points(op, still->point, start);
	}
	mvfs__op_unlock(op);
	return rc;
}

int mvfs__fs_restore(mvfs *view, const struct mvfs_snapshot *snapshot)
{
	const struct mvfs__still *still = &snapshot->still;
	const struct mvfs__from from = { view, NULL };
	struct mvfs__trie before = { 0 };
	struct mvfs__point *start;
	struct mvfs__op op;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_RESTORE);

	if (!rc && still->dev != op.fs->dev)
		rc = -EXDEV;
	start = rc ? NULL : mvfs__point_new();
	if (!rc && !start)
		rc = -ENOMEM;
	if (rc)
		return (int)mvfs__op_end(&op, rc);
	pthread_mutex_lock(&op.fs->tell_mutex);
	rc = tell_before(op.fs);
	if (!rc)
		rc = restore(&op, still, &start, &before);
	if (!rc && op.fs->listeners)
		(void)mvfs__trie_diff(&before, &still->nodes, tell_node,
				      op.fs);
	pthread_mutex_unlock(&op.fs->tell_mutex);
	mvfs__trie_clear(&before, &op.bin);
	if (start)
		mvfs__obj_drop(&start->obj, &op.bin);
	return (int)mvfs__op_end(&op, rc);
}
