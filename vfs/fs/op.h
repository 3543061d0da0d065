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

#include "vfs/crash/crash.h"
#include "vfs/fs/fs.h"
#include "vfs/fault/fault.h"
#include "vfs/fs/instance.h"
#include "vfs/walk/cache.h"

/* What listeners have of a call that is under way. */
struct mvfs__heard {
	const struct mvfs__at *at, *at2; /* as the call names its places; */
	const struct mvfs__on *on, *on2; /* NULL: it does not */
	unsigned flags;                  /* of the walk to `at` */
	struct mvfs__rules *rules;       /* a reference, or NULL */
	uint64_t *took;                  /* by each rule */
	char *paths;                     /* one behind the other */
	size_t len, capacity;
	struct mvfs__point *point;       /* for what the call changes */
	enum mvfs__durable durable;      /* and what that makes so: */
	struct mvfs__node *synced;       /* borrowed, until the unlock */
	uint64_t written, from, to;      /* an inode (0: none), which bytes */
};

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
	unsigned listening;   /* who: MVFS__EAR_*; if nobody, all below is */
	struct mvfs__call call; /* not to be looked at */
	struct mvfs__heard heard;
};

/*
 * What every call does is here, to be part of it: reading a string takes as
 * long as a dozen empty calls. What few do is in op.c.
 */
int mvfs__op_tell_begin(struct mvfs__op *op);
void mvfs__op_finish(struct mvfs__op *op, int64_t result);

/* While crashes are tracked, in crash.c. At the end of the exclusive lock:
 * the call's point, if it has changed anything. Before that: what the call
 * makes durable, or has written of a file. And of an fsync that a rule failed.
 */
void mvfs__op_point(struct mvfs__op *op);
void mvfs__op_durable(struct mvfs__op *op, enum mvfs__durable durable,
		      struct mvfs__node *node);
int mvfs__op_durable_all(struct mvfs__op *op); /* 0 or -ENOMEM */
void mvfs__op_wrote(struct mvfs__op *op, const struct mvfs__node *node,
		    uint64_t from, uint64_t to);
void mvfs__op_fsync_failed(struct mvfs__op *op);

/* Whether they are, so that a call that makes something durable says so. */
static inline bool mvfs__op_tracks(const struct mvfs__op *op)
{
	return mvfs__unlikely(op->listening & MVFS__EAR_CRASH);
}

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

/* For listeners, if there are any: true then. */
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
	op->listening = atomic_load_explicit(&op->fs->listening,
					     memory_order_acquire);
	if (mvfs__likely(!op->listening))
		return false;
	op->call = (struct mvfs__call){
		.op = kind,
		.uid = op->who.uid,
		.dirfd = -1,
		.offset = UINT64_MAX,
		.limit = UINT64_MAX,
	};
	op->heard = (struct mvfs__heard){ .at = NULL };
	return true;
}

/*
 * From whom the call comes and what listeners are told. 0, or what they want
 * it to fail with: then end() is all that may follow. Each of these is for
 * calls of another shape; what a call is told by stays until its end.
 */
static inline int mvfs__op_begin(struct mvfs__op *op,
				 const struct mvfs__from *from,
				 enum mvfs__op_kind kind)
{
	return mvfs__op_prepare(op, from, kind) ? mvfs__op_tell_begin(op) : 0;
}

/* For what no program that uses the tree would call, or what cannot fail:
 * neither for faults nor for the log. */
static inline int mvfs__op_begin_aside(struct mvfs__op *op,
				       const struct mvfs__from *from,
				       enum mvfs__op_kind kind)
{
	if (!mvfs__op_prepare(op, from, kind))
		return 0;
	op->listening &= MVFS__EAR_STALE | MVFS__EAR_HOOKS;
	return mvfs__op_tell_begin(op);
}

/* By a path. flags: of the walk. length: of a whole file. */
static inline int mvfs__op_begin_whole(struct mvfs__op *op,
				       const struct mvfs__from *from,
				       enum mvfs__op_kind kind,
				       const struct mvfs__at *at,
				       unsigned flags, uint64_t length)
{
	if (!mvfs__op_prepare(op, from, kind))
		return 0;
	op->heard.at = at;
	op->heard.flags = flags;
	op->call.length = length;
	return mvfs__op_tell_begin(op);
}

static inline int mvfs__op_begin_at(struct mvfs__op *op,
				    const struct mvfs__from *from,
				    enum mvfs__op_kind kind,
				    const struct mvfs__at *at, unsigned flags)
{
	return mvfs__op_begin_whole(op, from, kind, at, flags, 0);
}

/* By two paths, or a path and a text. */
static inline int mvfs__op_begin_two(struct mvfs__op *op,
				     const struct mvfs__from *from,
				     enum mvfs__op_kind kind,
				     const struct mvfs__at *at, unsigned flags,
				     const struct mvfs__at *at2,
				     const char *text)
{
	if (!mvfs__op_prepare(op, from, kind))
		return 0;
	op->heard.at = at;
	op->heard.flags = flags;
	op->heard.at2 = at2;
	op->call.path2 = text;
	return mvfs__op_tell_begin(op);
}

/* By an open file, and another one (or NULL), with a range. */
static inline int mvfs__op_begin_data(struct mvfs__op *op,
				      const struct mvfs__from *from,
				      enum mvfs__op_kind kind,
				      const struct mvfs__on *on,
				      const struct mvfs__on *on2,
				      uint64_t offset, uint64_t length)
{
	if (!mvfs__op_prepare(op, from, kind))
		return 0;
	op->heard.on = on;
	op->heard.on2 = on2;
	op->call.offset = offset;
	op->call.length = length;
	return mvfs__op_tell_begin(op);
}

static inline int mvfs__op_begin_on(struct mvfs__op *op,
				    const struct mvfs__from *from,
				    enum mvfs__op_kind kind,
				    const struct mvfs__on *on)
{
	return mvfs__op_begin_data(op, from, kind, on, NULL, UINT64_MAX, 0);
}

/* Of `length` bytes, how many a fault leaves. */
static inline uint64_t mvfs__op_limit(const struct mvfs__op *op,
				      uint64_t length)
{
	if (mvfs__likely(!op->listening))
		return length;
	return mvfs__min64(length, op->call.limit);
}

/* Whether what is read is to be damaged, or what is written to be torn. */
static inline bool mvfs__op_flips(const struct mvfs__op *op)
{
	return mvfs__unlikely(op->listening) && op->call.flip_bits;
}

static inline bool mvfs__op_tears(const struct mvfs__op *op)
{
	return mvfs__unlikely(op->listening) && op->call.torn;
}

/* Damages what was read: `length` bytes in these pieces. */
void mvfs__op_flip(const struct mvfs__op *op, const struct mvfs_iovec *iov,
		   uint64_t length);
/* A content that nobody else has yet keeps its size, but not all its bytes.
 * 0 or -ENOMEM. */
int mvfs__op_tear(struct mvfs__op *op, struct mvfs__content *content);

/* Empties the bin, tells listeners; returns `result`. */
static inline int64_t mvfs__op_end(struct mvfs__op *op, int64_t result)
{
	if (mvfs__unlikely(op->bin.head || op->listening))
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

	if (exclusive && mvfs__op_tracks(op))
		mvfs__op_point(op);
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

/* The root of the instance, whatever the view's is, as seen by uid 0. */
struct mvfs__origin mvfs__fs_whole_tree(const struct mvfs__fs *fs);
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
/* The same, where it differs from the node's in the bytes from..to alone. */
int mvfs__op_edit(struct mvfs__op *op, struct mvfs__node *node,
		  struct mvfs__content *content, uint64_t from, uint64_t to);

/* Whether the strings that are read are told of as long as they are held. */
static inline bool mvfs__op_holds(const struct mvfs__op *op)
{
	return mvfs__unlikely(op->listening & MVFS__EAR_STRINGS);
}

/* Stores the string of an inode, which is taken over, as one that is told of.
 * 0 or -ENOMEM, and then it is released. */
int mvfs__op_hold(struct mvfs__op *op, uint64_t ino,
		  struct mvfs_string *made, struct mvfs_string *out);

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
