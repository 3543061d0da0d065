/* SPDX-License-Identifier: MIT */
/* The frame of a call: see op.h. */
#include "config.h"

#include "vfs/fs/op.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>

#include "vfs/mem/mem.h"

enum { STRIPES = 64 };

/* places are passed on to the walk as they come */
_Static_assert((int)MVFS__AT_FOLLOW == (int)MVFS__FOLLOW &&
	       (int)MVFS__AT_EMPTY == (int)MVFS__EMPTY_OK, "one set of flags");

void mvfs__op_read_clock(struct mvfs__op *op)
{
	struct mvfs__clock *clock;
	struct timespec ts;

	clock = atomic_load_explicit(&op->fs->clock, memory_order_acquire);
	if (clock && clock->manual) {
		op->now = mvfs__clock_tick(clock);
		return;
	}
	if (clock && clock->fn) {
		op->now = clock->fn(clock->ctx);
		if (op->now.nsec < 0 || op->now.nsec > 999999999)
			op->now.nsec = 0;
		return;
	}
	clock_gettime(CLOCK_REALTIME, &ts);
	op->now = (struct mvfs_time){ ts.tv_sec, (int32_t)ts.tv_nsec, 0 };
}

/* A second thread has come: from now on nodes have stripes. */
static void make_stripes(struct mvfs__fs *fs)
{
	const size_t line = 64, size = sizeof(struct mvfs__stripe);
	uintptr_t at;
	unsigned i;

	/* one line each, so that two files' readers share none */
	fs->stripe_memory = mvfs__malloc(STRIPES * size + line);
	if (fs->stripe_memory) {
		at = (uintptr_t)fs->stripe_memory;
		fs->stripes = (void *)((at + line - 1) / line * line);
		fs->stripe_mask = STRIPES - 1;
	} else {
		fs->stripes = &fs->stripe_for_all;
		fs->stripe_mask = 0;
	}
	for (i = 0; i <= fs->stripe_mask; i++)
		mvfs__stripe_init(&fs->stripes[i]);
}

void mvfs__op_exclusive(struct mvfs__op *op)
{
	op->exclusive = true;
	if (op->fs->confined)
		return;
	mvfs__latch_exclusive(&op->fs->latch);
	if (mvfs__op_needs_stripes(op))
		make_stripes(op->fs);
}

int mvfs__op_bad_origin(int rc, const struct mvfs__at *at, unsigned flags)
{
	int spelling = mvfs__walk_spelling(at->path, flags);

	return spelling ? spelling : rc;
}

int mvfs__op_walk(struct mvfs__op *op, const struct mvfs__at *at,
		  unsigned flags, struct mvfs__found *found)
{
	struct mvfs__origin origin;
	int rc = mvfs__op_origin(op, at, &origin);

	if (rc)
		return mvfs__op_bad_origin(rc, at, flags);
	return mvfs__walk(&origin, at->path, flags, found);
}

struct mvfs__act mvfs__op_act(struct mvfs__op *op)
{
	assert(op->exclusive);
	return (struct mvfs__act){
		.table = &op->fs->table,
		.seed = &op->fs->seed,
		.who = &op->who,
		.now = op->now,
		.max_inodes = op->fs->max_inodes,
		.bin = &op->bin,
	};
}

void mvfs__op_acted(struct mvfs__op *op, const struct mvfs__act *act)
{
	mvfs__fs_free_blocks(op->fs, act->freed);
}

struct mvfs__node *mvfs__op_own_data(struct mvfs__op *op,
				     struct mvfs__node *node)
{
	uint32_t mode = mvfs__node_mode(node);
	uint32_t after = mvfs__mode_after_write(&op->who, mode, node->gid);

	if (!op->exclusive)
		return after == mode && !mvfs__op_tracks(op) &&
		       mvfs__table_is_own(&op->fs->table, node) ? node : NULL;
	return mvfs__table_own(&op->fs->table, mvfs__node_ino(node), &op->bin);
}

void mvfs__op_modified(struct mvfs__op *op, struct mvfs__node *node)
{
	/* under the shared lock it has no bits that could fall */
	if (op->exclusive)
		mvfs__node_set_mode(node, mvfs__mode_after_write(
			&op->who, mvfs__node_mode(node), node->gid));
	mvfs__node_set_time(node, MVFS__MTIME, &op->now);
	mvfs__node_set_time(node, MVFS__CTIME, &op->now);
}

int mvfs__op_truncate(struct mvfs__op *op, struct mvfs__node *node,
		      uint64_t size)
{
	struct mvfs__content *content = &node->u.content;
	uint64_t before = mvfs__content_blocks(content);
	uint64_t old = content->size;
	int rc = mvfs__content_truncate(content, size, &op->bin);

	if (!rc && mvfs__op_tracks(op))
		mvfs__op_wrote(op, node, mvfs__min64(size, old),
			       mvfs__max64(size, old));
	if (!rc)
		mvfs__fs_free_blocks(op->fs, before -
				     mvfs__content_blocks(content));
	return rc;
}

int mvfs__op_edit(struct mvfs__op *op, struct mvfs__node *node,
		  struct mvfs__content *content, uint64_t from, uint64_t to)
{
	uint64_t before = mvfs__content_blocks(&node->u.content);
	uint64_t after = mvfs__content_blocks(content);

	assert(op->exclusive && mvfs__table_is_own(&op->fs->table, node));
	if (after > before && mvfs__op_charge(op, after - before))
		return -ENOSPC;
	if (before > after)
		mvfs__fs_free_blocks(op->fs, before - after);
	if (mvfs__op_tracks(op))
		mvfs__op_wrote(op, node, from, to);
	mvfs__content_clear(&node->u.content, &op->bin);
	node->u.content = *content;
	mvfs__content_init(content);
	mvfs__op_modified(op, node);
	return 0;
}

int mvfs__op_replace(struct mvfs__op *op, struct mvfs__node *node,
		     struct mvfs__content *content)
{
	return mvfs__op_edit(op, node, content, 0, mvfs__max64(
		content->size, node->u.content.size));
}

void mvfs__op_stat(struct mvfs__op *op, const struct mvfs__node *node,
		   struct mvfs_stat *st)
{
	uint64_t ino = mvfs__node_ino(node);

	mvfs__op_data_shared(op, ino);
	mvfs__node_stat(node, st);
	mvfs__op_data_unlock(op, ino);
	st->dev = op->fs->dev;
}

int mvfs__op_charge(struct mvfs__op *op, uint64_t blocks)
{
	uint64_t used = atomic_load(&op->fs->blocks);

	if (!blocks)
		return 0;
	/* never more than there is, not even for a moment: others look */
	do
		if (used > op->fs->max_blocks ||
		    blocks > op->fs->max_blocks - used)
			return -ENOSPC;
	while (!atomic_compare_exchange_weak(&op->fs->blocks, &used,
					     used + blocks));
	return 0;
}

uint64_t mvfs__op_room(struct mvfs__op *op)
{
	uint64_t used = atomic_load(&op->fs->blocks);

	return used < op->fs->max_blocks ? op->fs->max_blocks - used : 0;
}
