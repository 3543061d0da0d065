/* SPDX-License-Identifier: MIT */
/*
 * The points of an instance, made as its calls end, and the crashes that are
 * asked for.
 *
 * While it is tracked, every change is made under the exclusive lock: a point
 * shares all nodes, so none is the instance's own until a call has made it so.
 * So the end of that lock is where points are made, and nowhere else. A crash
 * needs no lock: points do not change.
 */
#include "config.h"

#include <errno.h>

#include "vfs/fs/crash.h"
#include "vfs/fs/op.h"
#include "vfs/mem/hash.h"

/* A number that was tried: of the hash of a state. */
struct seen {
	uint64_t hash;
	uint64_t count;
	UT_hash_handle hh;
};

/* What O_SYNC and O_DSYNC make of a write. */
static enum mvfs__durable durable_write(struct mvfs__op *op,
					struct mvfs__node **node)
{
	const struct mvfs__on *on = op->heard.on;
	const struct mvfs_file *file;

	if (!on || !(MVFS__OP_BIT(op->call.op) & MVFS__OPS_COUNTED) ||
	    op->call.op == MVFS__OP_READ)
		return MVFS__DURABLE_NOTHING;
	file = on->file ? on->file : mvfs__fds_get(&op->fs->fds, on->fd);
	if (!file || !(file->flags & O_DSYNC))
		return MVFS__DURABLE_NOTHING;
	*node = mvfs__table_get(&op->fs->table, file->ino);
	return (file->flags & O_SYNC) == O_SYNC ? MVFS__DURABLE_FILE :
						  MVFS__DURABLE_DATA;
}

void mvfs__op_point(struct mvfs__op *op)
{
	struct mvfs__heard *h = &op->heard;
	struct mvfs__fs *fs = op->fs;
	struct mvfs__point *point;

	if (!fs->points)
		return;
	if (!h->durable)
		h->durable = durable_write(op, &h->synced);
	if (!h->durable && !mvfs__point_differs(fs->points, &fs->table))
		return;
	/* a call of several changes needs more than it brought; without
	 * memory the next point has both */
	point = h->point ? h->point : mvfs__point_new();
	h->point = NULL;
	if (!point)
		return;
	point->op = op->call.op;
	point->durable = h->durable;
	point->blocks = mvfs__fs_named_blocks(fs);
	point->written = h->written;
	point->from = h->from;
	point->to = h->to;
	mvfs__point_add(&fs->points, point, &fs->table, h->synced);
	h->written = 0;
	h->durable = MVFS__DURABLE_NOTHING;
	h->synced = NULL;
}

void mvfs__op_durable(struct mvfs__op *op, enum mvfs__durable durable,
		      struct mvfs__node *node)
{
	assert(op->exclusive && (op->listening & MVFS__EAR_CRASH));
	op->heard.durable = durable;
	op->heard.synced = node;
}

void mvfs__op_wrote(struct mvfs__op *op, const struct mvfs__node *node,
		    uint64_t from, uint64_t to)
{
	struct mvfs__heard *h = &op->heard;
	uint64_t ino = mvfs__node_ino(node);

	if (h->written == ino) {
		from = mvfs__min64(from, h->from);
		to = mvfs__max64(to, h->to);
	}
	h->written = ino;
	h->from = from;
	h->to = to;
}

int mvfs__op_durable_all(struct mvfs__op *op)
{
	struct mvfs__heard *h = &op->heard;

	assert(h->point);
	if (mvfs__point_orphans(h->point, &op->fs->table, &op->bin))
		return -ENOMEM;
	mvfs__op_durable(op, MVFS__DURABLE_ALL, NULL);
	return 0;
}

/* The file's data are again what was durable of them, whatever the limits. */
static void revert(struct mvfs__op *op, uint64_t ino)
{
	struct mvfs__node *node;
	struct mvfs__content older;

	mvfs__point_durable(op->fs->points, ino, &older);
	node = mvfs__table_own(&op->fs->table, ino, &op->bin);
	if (node && mvfs__node_is_reg(node)) {
		atomic_fetch_add(&op->fs->blocks,
				 mvfs__content_blocks(&older));
		mvfs__fs_free_blocks(op->fs, mvfs__content_blocks(
			&node->u.content));
		mvfs__content_clear(&node->u.content, &op->bin);
		node->u.content = older;
		mvfs__content_init(&older);
		mvfs__op_modified(op, node);
	}
	mvfs__content_clear(&older, &op->bin);
}

void mvfs__op_fsync_failed(struct mvfs__op *op)
{
	const struct mvfs__on *on = op->heard.on;
	const struct mvfs_file *file;

	mvfs__op_read_clock(op);
	mvfs__op_exclusive(op);
	file = on->file ? on->file : mvfs__fds_get(&op->fs->fds, on->fd);
	if (file && op->fs->points &&
	    op->fs->failed_fsync == MVFS_CRASH_FORGOTTEN)
		mvfs__op_durable(op, MVFS__DURABLE_FORGOTTEN,
				 mvfs__table_get(&op->fs->table, file->ino));
	else if (file && op->fs->points &&
		 op->fs->failed_fsync == MVFS_CRASH_REVERTED)
		revert(op, file->ino);
	mvfs__op_unlock(op);
	mvfs__bin_empty(&op->bin);
}

void mvfs__fs_track(struct mvfs__fs *fs, struct mvfs__point *start,
		    struct mvfs__bin *bin)
{
	if (fs->points)
		mvfs__obj_drop(&fs->points->obj, bin);
	fs->points = NULL;
	if (!start) {
		atomic_fetch_and(&fs->listening, ~(unsigned)MVFS__EAR_CRASH);
		return;
	}
	start->session = mvfs__unique();
	start->blocks = mvfs__fs_named_blocks(fs);
	mvfs__point_add(&fs->points, start, &fs->table, NULL);
	atomic_fetch_or(&fs->listening, MVFS__EAR_CRASH);
}

int mvfs__fs_crash_start(mvfs *view, const struct mvfs_crash_options *given)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs_crash_options options;
	struct mvfs__point *start;
	struct mvfs__op op;
	int rc = mvfs__crash_options(given, &options);

	if (rc)
		return rc;
	start = mvfs__point_new();
	if (!start)
		return -ENOMEM;
	rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_SNAPSHOT);
	if (rc) {
		mvfs__free(start);
		return (int)mvfs__op_end(&op, rc);
	}
	start->op = MVFS__OPS;
	mvfs__op_exclusive(&op);
	rc = mvfs__point_orphans(start, &op.fs->table, &op.bin);
	if (!rc) {
		mvfs__fs_track(op.fs, start, &op.bin);
		op.fs->failed_fsync = options.failed_fsync;
	}
	mvfs__op_unlock(&op);
	if (rc)
		mvfs__free(start);
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_crash_stop(mvfs *view)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__op op;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_SNAPSHOT);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_exclusive(&op);
	mvfs__fs_track(op.fs, NULL, &op.bin);
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, 0);
}

int64_t mvfs__fs_crash_point(mvfs *view)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__op op;
	int64_t rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_SNAPSHOT);

	if (rc)
		return mvfs__op_end(&op, rc);
	mvfs__op_shared(&op);
	rc = op.fs->points ? (int64_t)op.fs->points->obj.key : -ENODATA;
	mvfs__op_unlock(&op);
	return mvfs__op_end(&op, rc);
}

/* Points, what a state needs beside its nodes, and the cut at the start. */
static int take_points(mvfs *view, struct mvfs__crash *crash)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__fs *fs = view->fs;
	struct mvfs__op op;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_SNAPSHOT);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_shared(&op);
	crash->head = fs->points;
	if (crash->head)
		mvfs__obj_retain(&crash->head->obj);
	else
		rc = -ENODATA;
	crash->still = mvfs__still_of(fs);
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__crash_begin(mvfs *view, const struct mvfs_crash_options *options,
		      struct mvfs__crash *crash)
{
	struct mvfs__point *point;
	int rc;

	*crash = (struct mvfs__crash){ .head = NULL };
	rc = mvfs__crash_options(options, &crash->cut.options);
	if (!rc)
		rc = take_points(view, crash);
	if (rc)
		return rc;
	crash->count = (size_t)crash->head->obj.key + 1;
	crash->point = mvfs__calloc(crash->count, sizeof(*crash->point));
	if (!crash->point) {
		mvfs__obj_drop(&crash->head->obj, &crash->cut.bin);
		mvfs__bin_empty(&crash->cut.bin);
		return -ENOMEM;
	}
	for (point = crash->head; point; point = point->before)
		crash->point[point->obj.key] = point;
	rc = mvfs__cut_begin(&crash->cut, crash->point[0]);
	if (rc)
		mvfs__crash_end(crash);
	return rc;
}

void mvfs__crash_end(struct mvfs__crash *crash)
{
	struct mvfs__bin bin = MVFS__BIN_INIT;

	mvfs__cut_end(&crash->cut);
	mvfs__free(crash->point);
	mvfs__obj_drop(&crash->head->obj, &bin);
	mvfs__bin_empty(&bin);
}

int mvfs__crash_go(struct mvfs__crash *crash,
		   const struct mvfs_crash_state *state)
{
	uint64_t i, to = state ? state->point : crash->count - 1;
	int rc = 0;

	if (to >= crash->count)
		return -ERANGE;
	for (i = 1; i <= to && !rc; i++)
		rc = mvfs__cut_step(&crash->cut, crash->point[i]);
	return rc ? rc : mvfs__cut_count(&crash->cut);
}

/* The state of the cut as a tree. */
static int make_still(struct mvfs__crash *crash, uint64_t choice,
		      uint64_t *hash, struct mvfs__still *still)
{
	struct mvfs__found_tree tree;
	int rc = mvfs__cut_make(&crash->cut, choice, &tree);

	if (rc)
		return rc;
	if (hash)
		*hash = mvfs__found_hash(&tree, crash->point[0]);
	*still = crash->still;
	still->next_ino = crash->cut.point->next_ino;
	still->blocks = tree.blocks;
	mvfs__trie_share(&tree.table.nodes, &still->nodes);
	mvfs__found_clear(&tree, &crash->cut.bin);
	return 0;
}

/* What is asked for, as a tree. */
static int find_still(mvfs *view, const struct mvfs_crash_options *options,
		      const struct mvfs_crash_state *state,
		      struct mvfs__still *still)
{
	struct mvfs__crash crash;
	int rc = mvfs__crash_begin(view, options, &crash);

	if (rc)
		return rc;
	rc = mvfs__crash_go(&crash, state);
	if (!rc)
		rc = make_still(&crash, state ? state->choice : 0, NULL,
				still);
	mvfs__crash_end(&crash);
	return rc;
}

int mvfs__fs_crash(mvfs *view, const struct mvfs_crash_options *options,
		   const struct mvfs_crash_state *state, mvfs **after)
{
	struct mvfs__still still;
	int rc = find_still(view, options, state, &still);

	if (rc)
		return rc;
	rc = mvfs__still_clone(&still, after);
	mvfs__still_drop(&still);
	return rc;
}

int mvfs__fs_crash_snapshot(mvfs *view,
			    const struct mvfs_crash_options *options,
			    const struct mvfs_crash_state *state,
			    struct mvfs_snapshot **snapshot)
{
	struct mvfs__still still;
	int rc = find_still(view, options, state, &still);

	return rc ? rc : mvfs__fs_snapshot_of(view, &still, snapshot);
}

/* False if it was there; *rc if there is no memory to know it by. */
static bool is_first(struct seen **all, uint64_t hash, int *rc)
{
	struct seen *seen;

	HASH_FIND(hh, *all, &hash, sizeof(hash), seen);
	if (seen)
		return false;
	seen = mvfs__calloc(1, sizeof(*seen));
	if (seen) {
		seen->hash = hash;
		seen->count = 1;
		HASH_ADD(hh, *all, hash, sizeof(seen->hash), seen);
		if (seen->count)
			return true;
		mvfs__free(seen);
	}
	*rc = -ENOMEM;
	return false;
}

static int try_state(struct mvfs__crash *crash, struct seen **all, uint64_t i,
		     mvfs_crash_fn *fn, void *ctx)
{
	struct mvfs__cut *cut = &crash->cut;
	struct mvfs_crash_state state = {
		.point = cut->point->obj.key,
		.choice = mvfs__cut_choice(cut, i),
		.states = cut->states,
		.sampled = cut->states > cut->options.max_states,
	};
	struct mvfs__still still;
	mvfs *after = NULL;
	uint64_t hash;
	int rc = make_still(crash, state.choice, &hash, &still);

	if (rc)
		return rc;
	if (is_first(all, hash, &rc))
		rc = mvfs__still_clone(&still, &after);
	mvfs__still_drop(&still);
	mvfs__bin_empty(&cut->bin);
	if (!after)
		return rc;
	rc = fn(ctx, after, &state);
	(void)mvfs__fs_destroy(after);
	return rc;
}

/* A tree that was fine at one point may be wrong at the next, by when more was
 * promised: so equal states of different points are all tried. */
static void forget_seen(struct seen **all)
{
	struct seen *seen;

	while ((seen = *all)) {
		HASH_DEL(*all, seen);
		mvfs__free(seen);
	}
}

int mvfs__fs_crash_each(mvfs *view, const struct mvfs_crash_options *options,
			mvfs_crash_fn *fn, void *ctx)
{
	struct mvfs__crash crash;
	struct seen *all = NULL;
	uint64_t i, n;
	int rc = mvfs__crash_begin(view, options, &crash);

	if (rc)
		return rc;
	for (i = 0; i < crash.count && !rc; i++) {
		if (i)
			rc = mvfs__cut_step(&crash.cut, crash.point[i]);
		if (!rc)
			rc = mvfs__cut_count(&crash.cut);
		for (n = 0; !rc && n < mvfs__cut_tries(&crash.cut); n++)
			rc = try_state(&crash, &all, n, fn, ctx);
		forget_seen(&all);
	}
	mvfs__crash_end(&crash);
	return rc;
}
