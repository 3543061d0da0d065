/* SPDX-License-Identifier: MIT */
/*
 * Advisory locks on one inode: a list of ranges, each with an owner.
 *
 * Two spaces that do not see each other: flock(2)'s, where a lock covers
 * everything and the owner is an open file; and record locks, where owners
 * are open files (OFD) or whatever stands for a process (POSIX): a view, or
 * what an adapter says. Locks of
 * one owner in a space never overlap, and neighbours of a type are one.
 *
 * Guarded by the instance lock held exclusively.
 */
#ifndef MVFS__LOCK_H
#define MVFS__LOCK_H

#include "vfs/base/base.h"

enum mvfs__lock_space {
	MVFS__FLOCK,
	MVFS__RECORD
};

enum mvfs__lock_type {
	MVFS__UNLOCK,
	MVFS__READ_LOCK,
	MVFS__WRITE_LOCK
};

/* Whose number the owner is: each kind has its own. */
enum mvfs__lock_kind {
	MVFS__OF_VIEW,   /* POSIX */
	MVFS__OF_FILE,   /* flock, OFD */
	MVFS__OF_ADAPTER /* POSIX or OFD: it knows */
};

struct mvfs__range_lock {
	enum mvfs__lock_space space;
	enum mvfs__lock_type type;
	enum mvfs__lock_kind kind;
	uint64_t owner;
	uint64_t via;    /* the open file that it was set through */
	const char *place; /* where, as the caller says; NULL: not known */
	uint64_t start;
	uint64_t end;    /* the last byte; UINT64_MAX: to the end */
	struct mvfs__range_lock *next;
};

/* The first lock of another owner in the way of `want`, or NULL. */
const struct mvfs__range_lock *
mvfs__lock_conflict(const struct mvfs__range_lock *list,
		    const struct mvfs__range_lock *want);

/*
 * Lets the owner have `want` (or, with MVFS__UNLOCK, nothing) in that range,
 * whatever others hold: the caller has looked for a conflict. *changed: some
 * lock ended or became weaker. 0 or -ENOMEM, and then nothing has changed;
 * a whole range of all the owner's locks can always be unlocked.
 */
int mvfs__lock_set(struct mvfs__range_lock **list,
		   const struct mvfs__range_lock *want, bool *changed);

/* All locks of the owner in the space end; true if there were any. */
bool mvfs__lock_drop_owner(struct mvfs__range_lock **list,
			   enum mvfs__lock_space space,
			   enum mvfs__lock_kind kind, uint64_t owner);
/* All that were set through the open file end; true if there were any. */
bool mvfs__lock_drop_via(struct mvfs__range_lock **list, uint64_t via);
void mvfs__lock_drop_all(struct mvfs__range_lock **list);

#endif
