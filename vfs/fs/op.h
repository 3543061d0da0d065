/* SPDX-License-Identifier: MIT */
/*
 * One call, from beginning to end: who acts, when, under which lock, and
 * what has to be destroyed when the locks are gone.
 *
 *     begin -> [lock -> resolve -> act -> unlock] -> end
 *
 * A call that finds under the shared lock that it needs the exclusive one
 * unlocks, locks exclusively, and starts again from the resolving.
 */
#ifndef MVFS__OP_H
#define MVFS__OP_H

#include <errno.h>
#include <fcntl.h>

#include "vfs/fs/fs.h"
#include "vfs/fs/instance.h"
#include "vfs/walk/cache.h"

struct mvfs__op {
	struct mvfs *view;
	struct mvfs__fs *fs;
	struct mvfs__who who;
	struct mvfs_time now; /* if asked for */
	struct mvfs__bin bin;
	const struct mvfs__thread *self;
	bool exclusive;       /* how it is locked */
	bool biased;          /* shared by the bias */
	bool data_biased;     /* a node's data likewise */
	const struct mvfs__hooks *hooks;
	struct mvfs__call call;
};

/*
 * What every call does is here, to be part of it: reading a string takes as
 * long as a dozen empty calls. What few do is in op.c.
 */
int mvfs__op_tell_begin(struct mvfs__op *op);
void mvfs__op_finish(struct mvfs__op *op, int64_t result);

static inline void mvfs__op_set_who(struct mvfs__op *op,
				    const struct mvfs__from *from)
{
	const struct mvfs_actor *actor = from->actor;
	struct mvfs *view = from->view;

	if (actor) {
		op->who.uid = actor->uid;
		op->who.gid = actor->gid;
		op->who.umask = actor->umask;
		op->who.groups = actor->groups;
		op->who.group_count = actor->group_count;
		return;
	}
	op->who.uid = view->uid;
	op->who.gid = view->gid;
	op->who.umask = atomic_load_explicit(&view->umask,
					     memory_order_relaxed);
	op->who.groups = view->groups;
	op->who.group_count = view->group_count;
}

/* For the hooks, if there are any: true then. */
static inline bool mvfs__op_prepare(struct mvfs__op *op,
				    const struct mvfs__from *from,
				    enum mvfs__op_kind kind)
{
	op->view = from->view;
	op->fs = from->view->fs;
	op->self = mvfs__thread();
	op->bin.head = NULL;
	op->exclusive = false;
	mvfs__op_set_who(op, from);
	op->hooks = atomic_load_explicit(&op->fs->hooks, memory_order_acquire);
	if (mvfs__likely(!op->hooks))
		return false;
	op->call = (struct mvfs__call){
		.op = kind,
		.uid = op->who.uid,
		.dirfd = -1,
	};
	return true;
}

/* From whom the call comes and what the hooks are told. 0, or what a hook
 * wants it to fail with: then end() is all that may follow. */
static inline int mvfs__op_begin(struct mvfs__op *op,
				 const struct mvfs__from *from,
				 enum mvfs__op_kind kind)
{
	return mvfs__op_prepare(op, from, kind) ? mvfs__op_tell_begin(op) : 0;
}

static inline int mvfs__op_begin_at(struct mvfs__op *op,
				    const struct mvfs__from *from,
				    enum mvfs__op_kind kind,
				    const struct mvfs__at *at)
{
	if (!mvfs__op_prepare(op, from, kind))
		return 0;
	op->call.path = at->path;
	op->call.dirfd = at->dirfd;
	op->call.ino = at->ino;
	return mvfs__op_tell_begin(op);
}

static inline int mvfs__op_begin_on(struct mvfs__op *op,
				    const struct mvfs__from *from,
				    enum mvfs__op_kind kind,
				    const struct mvfs__on *on)
{
	if (!mvfs__op_prepare(op, from, kind))
		return 0;
	if (on->file)
		op->call.ino = on->file->ino;
	else
		op->call.dirfd = on->fd;
	return mvfs__op_tell_begin(op);
}

/* Empties the bin, tells the hooks; returns `result`. */
static inline int64_t mvfs__op_end(struct mvfs__op *op, int64_t result)
{
	if (mvfs__unlikely(op->bin.head || op->hooks))
		mvfs__op_finish(op, result);
	return result;
}

/* Reads the clock into op->now; before locking. */
void mvfs__op_read_clock(struct mvfs__op *op);

void mvfs__op_exclusive(struct mvfs__op *op);

/* A second thread has come; true: it was this one. */
static inline bool mvfs__op_needs_stripes(const struct mvfs__op *op)
{
	return !op->fs->stripes && op->fs->thread != op->self->number;
}

static inline void mvfs__op_unlock(struct mvfs__op *op)
{
	bool exclusive = op->exclusive;

	op->exclusive = false;
	if (op->fs->confined)
		return;
	if (exclusive)
		mvfs__latch_exclusive_end(&op->fs->latch);
	else
		mvfs__latch_shared_end(&op->fs->latch, op->self, op->biased);
}

static inline void mvfs__op_shared(struct mvfs__op *op)
{
	struct mvfs__fs *fs = op->fs;

	if (fs->confined) {
		assert(fs->thread == op->self->number);
		return;
	}
	op->biased = mvfs__latch_shared(&fs->latch, op->self);
	if (mvfs__likely(!mvfs__op_needs_stripes(op)))
		return;
	mvfs__op_unlock(op);
	mvfs__op_exclusive(op);
	mvfs__op_unlock(op);
	op->biased = mvfs__latch_shared(&fs->latch, op->self);
}

/* NULL where none is needed. */
static inline struct mvfs__stripe *mvfs__op_stripe(const struct mvfs__op *op,
						   uint64_t ino)
{
	if (mvfs__likely(!op->fs->stripes) || op->exclusive)
		return NULL;
	return &op->fs->stripes[ino & op->fs->stripe_mask];
}

/* A node's data, under the instance lock shared; nothing if exclusive. */
static inline void mvfs__op_data_shared(struct mvfs__op *op, uint64_t ino)
{
	struct mvfs__stripe *stripe = mvfs__op_stripe(op, ino);

	if (stripe)
		op->data_biased = mvfs__stripe_shared(
			stripe, &op->fs->latch, op->self,
			(unsigned)(ino & op->fs->stripe_mask));
}

static inline void mvfs__op_data_exclusive(struct mvfs__op *op, uint64_t ino)
{
	struct mvfs__stripe *stripe = mvfs__op_stripe(op, ino);

	op->data_biased = false;
	if (stripe)
		mvfs__stripe_exclusive(stripe, &op->fs->latch,
				       (unsigned)(ino & op->fs->stripe_mask));
}

static inline void mvfs__op_data_unlock(struct mvfs__op *op, uint64_t ino)
{
	struct mvfs__stripe *stripe = mvfs__op_stripe(op, ino);

	if (stripe)
		mvfs__stripe_end(stripe, &op->fs->latch, op->self,
				 op->data_biased);
}

/* Locked: where the walk of `at` starts. -EBADF. */
static inline int mvfs__op_origin(struct mvfs__op *op,
				  const struct mvfs__at *at,
				  struct mvfs__origin *origin)
{
	struct mvfs_file *file;

	*origin = (struct mvfs__origin){
		.table = &op->fs->table,
		.seed = &op->fs->seed,
		.who = &op->who,
		.root = op->view->root,
		.start = op->view->cwd,
	};
	if (at->ino) {
		origin->start = at->ino;
	} else if (at->dirfd != MVFS_AT_FDCWD && at->path[0] != '/') {
		file = mvfs__fds_get(&op->fs->fds, at->dirfd);
		if (!file || (at->open && (file->flags & O_PATH)))
			return -EBADF;
		origin->start = file->ino;
	}
	return 0;
}

/* What Linux finds wrong first: the spelling, then the descriptor. */
int mvfs__op_bad_origin(int rc, const struct mvfs__at *at, unsigned flags);
int mvfs__op_walk(struct mvfs__op *op, const struct mvfs__at *at,
		  unsigned flags, struct mvfs__found *found);
/* What is there; else -ENOENT. */
static inline int mvfs__op_node(struct mvfs__op *op, const struct mvfs__at *at,
				unsigned flags, struct mvfs__node **node)
{
	struct mvfs__origin origin;
	struct mvfs__found found;
	int rc = mvfs__op_origin(op, at, &origin);

	*node = NULL;
	if (rc)
		return mvfs__op_bad_origin(rc, at, flags);
	rc = mvfs__walk_node(&origin, at->path, flags, &found);
	*node = found.node;
	return rc;
}
/* The open file of `on`, and its node. -EBADF. */
static inline int mvfs__op_file(struct mvfs__op *op,
				const struct mvfs__on *on,
				struct mvfs_file **file,
				struct mvfs__node **node)
{
	*file = on->file ? on->file : mvfs__fds_get(&op->fs->fds, on->fd);
	if (!*file)
		return -EBADF;
	*node = mvfs__cache_node(mvfs__cache_of_fd(mvfs__cache(), on->fd),
				 &op->fs->table, (*file)->ino);
	assert(*node);
	return 0;
}

/* A change of the tree by this call. */
struct mvfs__act mvfs__op_act(struct mvfs__op *op);
/* Accounts for what it set free. */
void mvfs__op_acted(struct mvfs__op *op, const struct mvfs__act *act);

/*
 * Before a change of a node's data: the node, if that can be made under the
 * lock that is held. NULL under the shared lock: it is not own, or setuid
 * bits have to fall; NULL under the exclusive one: no memory.
 */
struct mvfs__node *mvfs__op_own_data(struct mvfs__op *op,
				     struct mvfs__node *node);

/*
 * The node that op_own_data() gave, after that change: setuid and setgid may
 * fall, mtime and ctime move.
 */
void mvfs__op_modified(struct mvfs__op *op, struct mvfs__node *node);

/*
 * The own node's data are cut or grow, and the blocks are accounted for; the
 * rest is mvfs__op_modified()'s. 0 or -ENOMEM.
 */
int mvfs__op_truncate(struct mvfs__op *op, struct mvfs__node *node,
		      uint64_t size);

/* Bytes to be written, and how many were. */
struct mvfs__write {
	const struct mvfs__piece *pieces;
	size_t count;
	uint64_t length;  /* of all pieces */
	bool whole;       /* or nothing: never shortened at a limit */
	uint64_t written;
};

/*
 * Writes to the node that op_own_data() gave, whose data are locked:
 * -ENOSPC, -EFBIG, -ENOMEM. data.c.
 */
int mvfs__op_write(struct mvfs__op *op, struct mvfs__node *node, uint64_t at,
		   struct mvfs__write *w);

/*
 * Exclusively: the content takes the place of the own node's, whose mode and
 * times are then changed as well; *content is empty afterwards. -ENOSPC: it
 * is larger than the limit allows, and nothing has changed.
 */
int mvfs__op_replace(struct mvfs__op *op, struct mvfs__node *node,
		     struct mvfs__content *content);

/* Says which file could not be read or written, and why. NULL: the open file.
 * string.c. */
void mvfs__op_say(struct mvfs_error *error, int code, const char *what,
		  const struct mvfs__at *at);

/* What stat tells of the node, under its stripe. */
void mvfs__op_stat(struct mvfs__op *op, const struct mvfs__node *node,
		   struct mvfs_stat *st);

/* Pins for an adapter: 0 or -ENOMEM. */
int mvfs__op_pin(struct mvfs__op *op, uint64_t ino, unsigned count);
void mvfs__op_unpin(struct mvfs__op *op, uint64_t ino, uint64_t count);

/* Blocks for data about to be written: -ENOSPC where the limit is met. */
int mvfs__op_charge(struct mvfs__op *op, uint64_t blocks);
/* What of the limit is left. */
uint64_t mvfs__op_room(struct mvfs__op *op);

#endif
