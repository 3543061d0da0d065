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

#include "vfs/fs/fs.h"
#include "vfs/fs/instance.h"

struct mvfs__op {
	struct mvfs *view;
	struct mvfs__fs *fs;
	struct mvfs__who who;
	struct mvfs_time now; /* if asked for */
	struct mvfs__bin bin;
	bool exclusive;       /* how it is locked */
	const struct mvfs__hooks *hooks;
	struct mvfs__call call;
};

/* From whom the call comes and what the hooks are told. 0, or what a hook
 * wants it to fail with: then end() is all that may follow. */
int mvfs__op_begin(struct mvfs__op *op, const struct mvfs__from *from,
		   enum mvfs__op_kind kind);
int mvfs__op_begin_at(struct mvfs__op *op, const struct mvfs__from *from,
		      enum mvfs__op_kind kind, const struct mvfs__at *at);
int mvfs__op_begin_on(struct mvfs__op *op, const struct mvfs__from *from,
		      enum mvfs__op_kind kind, const struct mvfs__on *on);
/* Empties the bin, tells the hooks; returns `result`. */
int64_t mvfs__op_end(struct mvfs__op *op, int64_t result);

/* Reads the clock into op->now; before locking. */
void mvfs__op_read_clock(struct mvfs__op *op);

void mvfs__op_shared(struct mvfs__op *op);
void mvfs__op_exclusive(struct mvfs__op *op);
void mvfs__op_unlock(struct mvfs__op *op);

/* A node's data, under the instance lock shared; nothing if exclusive. */
void mvfs__op_data_shared(struct mvfs__op *op, uint64_t ino);
void mvfs__op_data_exclusive(struct mvfs__op *op, uint64_t ino);
void mvfs__op_data_unlock(struct mvfs__op *op, uint64_t ino);
/* Locked: where the walk of `at` starts. -EBADF. */
int mvfs__op_origin(struct mvfs__op *op, const struct mvfs__at *at,
		    struct mvfs__origin *origin);
int mvfs__op_walk(struct mvfs__op *op, const struct mvfs__at *at,
		  unsigned flags, struct mvfs__found *found);
/* What is there; else -ENOENT. */
int mvfs__op_node(struct mvfs__op *op, const struct mvfs__at *at,
		  unsigned flags, struct mvfs__node **node);
/* The open file of `on`, and its node. -EBADF. */
int mvfs__op_file(struct mvfs__op *op, const struct mvfs__on *on,
		  struct mvfs_file **file, struct mvfs__node **node);

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

/*
 * Exclusively: the content takes the place of the own node's, whose mode and
 * times are then changed as well; *content is empty afterwards. -ENOSPC: it
 * is larger than the limit allows, and nothing has changed.
 */
int mvfs__op_replace(struct mvfs__op *op, struct mvfs__node *node,
		     struct mvfs__content *content);

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
