/* SPDX-License-Identifier: MIT */
/*
 * What an instance and a view are, for the files of vfs/fs alone.
 *
 * Lock order: whom restores are told -> the instance's latch (shared or exclusive) -> an open file's
 * position -> the stripe of a node (two in the order of their index). Two
 * instances are never locked at once. Nothing is called back, decoded,
 * copied out or destroyed under a lock.
 */
#ifndef MVFS__INSTANCE_H
#define MVFS__INSTANCE_H

#include <memvfs/instance.h>
#include <memvfs/report.h>
#include <memvfs/sys.h>

#include "vfs/event/event.h"
#include "vfs/fs/latch.h"
#include "vfs/handle/file.h"
#include "vfs/handle/lock.h"
#include "vfs/log/log.h"
#include "vfs/mem/grow.h"
#include "vfs/tree/tree.h"

struct mvfs__fs;

/* A clock; replaced, never changed, so that it is read without a lock; but
 * for the time of one that is set by hand. */
struct mvfs__clock {
	mvfs_clock_fn *fn;
	void *ctx;
	bool manual;
	int64_t tick;               /* of a manual one, in nanoseconds */
	_Atomic int64_t time;       /* since 1970 */
	struct mvfs__clock *before; /* freed with the instance */
};

/* What a manual clock shows, which moves on. */
struct mvfs_time mvfs__clock_tick(struct mvfs__clock *clock);
/* Another one like that is the instance's from now on. 0 or -ENOMEM.
 * instance.c */
int mvfs__clock_put(struct mvfs__fs *fs, const struct mvfs__clock *like);

/* Somebody who waits for a lock, on its own stack. */
struct mvfs__waiter {
	uint64_t owner;      /* a view, for its POSIX locks; or 0 */
	uint64_t blocked_by; /* the same */
	struct mvfs__waiter *next;
};

struct mvfs__fs {
	struct mvfs__latch latch;
	bool confined;
	unsigned thread;             /* the first that used it */
	/* NULL until a second thread comes: changed exclusively only */
	struct mvfs__stripe *stripes;
	size_t stripe_mask;
	void *stripe_memory;         /* that they are in */
	struct mvfs__stripe stripe_for_all; /* where there is none */

	struct mvfs__seed seed;      /* constant */
	uint64_t dev;                /* constant */
	_Atomic(struct mvfs__clock *) clock;
	atomic_uint listening;       /* who: MVFS__EAR_* */
	_Atomic(const struct mvfs__hooks *) hooks;
	struct mvfs__log log;        /* has its own mutex */

	/* under the latch */
	struct mvfs__table table;
	struct mvfs__fds fds;
	uint64_t max_blocks;         /* UINT64_MAX: no limit */
	uint64_t max_inodes;
	uint64_t max_bytes;          /* as it was set; 0: none */
	uint32_t views;              /* ordinary ones */
	uint32_t attached;           /* those of adapters */
	struct mvfs *all_views;      /* of both kinds */
	struct mvfs_dir *dirs;       /* listings that are open */
	mvfs_report_fn *report;      /* is told of leaks; or NULL */
	void *report_ctx;
	struct mvfs__held *held;     /* strings to be told of; NULL: none yet */
	uint32_t caching;            /* of these, whose calls may not come */
	struct mvfs__waiter *waiters;
	struct mvfs__rules *rules;   /* of faults; NULL: none ever */
	uint64_t rule_number;        /* of the last one */
	struct mvfs__point *points;  /* of crashes, the last; NULL: none */
	unsigned failed_fsync;       /* what that does: MVFS_CRASH_* */

	/* changed under the latch shared as well */
	_Atomic uint64_t blocks;     /* that all files occupy */

	/* who waits for locks sleeps here; no other lock is taken inside */
	pthread_mutex_t wake_mutex;
	pthread_cond_t wake;
	uint64_t released;           /* how often a lock was */

	/* taken before the latch; while listeners are called, too */
	pthread_mutex_t tell_mutex;
	struct mvfs *listeners;      /* views, by next_listener */

	struct mvfs__fs *next, **back; /* of all, under fork.c's mutex */
};

/* What an adapter pinned through a view. */
struct mvfs__pin {
	uint64_t ino;
	uint64_t count;
	UT_hash_handle hh;
};

struct mvfs {
	struct mvfs__fs *fs;
	bool attached, caching;      /* constant */
	uint32_t uid, gid;           /* constant */
	uint32_t *groups;
	size_t group_count;
	uint64_t root;               /* constant; held, as cwd is */
	uint64_t serial;             /* an owner of POSIX locks */
	atomic_uint umask;
	uint64_t cwd;                /* under the latch */
	struct mvfs__pin *pins;      /* under the latch, as is `files`: */
	struct mvfs_file *files;     /* open without a descriptor */
	const char *place;           /* that made it; NULL: not known */
	struct mvfs *next, **back;   /* of the instance, under the latch */
	/* under tell_mutex */
	struct mvfs_sys_listener listener;
	struct mvfs *next_listener;
};

/* What is to be told, gathered under the lock and told without it. */
struct mvfs__reports {
	struct mvfs__grow told, texts;
	mvfs_report_fn *fn;
	void *ctx;
};

/*
 * Strings that were read and are told of: held.c. They may outlive the
 * instance, which ends them all as far as it is concerned. The mutex is among
 * the last to be taken, for forks as well.
 */
struct mvfs__held *mvfs__held_new(void);
void mvfs__held_end(struct mvfs__held *held);
void mvfs__held_lock(struct mvfs__held *held);
void mvfs__held_unlock(struct mvfs__held *held);
/* Calls `fn` for each; it says a number, which another one may look at, where
 * 0 is none yet. Under the mutex. */
typedef void mvfs__held_fn(void *ctx, uint64_t ino, const char *place,
			   size_t *number);
void mvfs__held_each(struct mvfs__held *held, mvfs__held_fn *fn, void *ctx);
/* The instance is gone: what is no longer held is not told. */
void mvfs__reports_recheck(struct mvfs__reports *reports,
			   struct mvfs__held *held);

/* Locked: all that is open but the view itself. */
void mvfs__reports_gather(struct mvfs__reports *reports,
			  const struct mvfs *view);
/* Tells it, if there is somebody to be told, and frees it; how many there
 * are, or -ENOMEM with nothing told. */
int mvfs__reports_tell(struct mvfs__reports *reports);
/* The same where nobody looks at a result: it tells of -ENOMEM, too. */
void mvfs__reports_tell_or_say(struct mvfs__reports *reports);

/* Takes back what an open file, a view or a pin holds; exclusively. */
void mvfs__fs_unhold(struct mvfs__fs *fs, uint64_t ino, uint64_t count,
		     struct mvfs__bin *bin);
void mvfs__fs_free_blocks(struct mvfs__fs *fs, uint64_t blocks);

/* Blocks of nodes without a name, which no clone or snapshot has; and of all
 * others. */
uint64_t mvfs__fs_orphan_blocks(const struct mvfs__fs *fs);
uint64_t mvfs__fs_named_blocks(const struct mvfs__fs *fs);

/* Ends the record locks of an owner on an inode, and wakes who waits. */
void mvfs__fs_drop_locks(struct mvfs__fs *fs, struct mvfs__hold *hold,
			 enum mvfs__lock_kind kind, uint64_t owner);
/* A lock was released: who waits tries again; exclusively. */
void mvfs__fs_wake(struct mvfs__fs *fs);

/* The list of instances that fork(2) has to see to. */
void mvfs__fork_add(struct mvfs__fs *fs);
void mvfs__fork_remove(struct mvfs__fs *fs);

/* One descriptor or adapter less on the file; exclusively. */
void mvfs__fs_release_file(struct mvfs__fs *fs, struct mvfs_file *file,
			   struct mvfs__bin *bin);
/* All that an adapter has left open through the view. */
void mvfs__fs_release_files(struct mvfs__fs *fs, struct mvfs *view,
			    struct mvfs__bin *bin);

#endif
