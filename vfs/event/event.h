/* SPDX-License-Identifier: MIT */
/*
 * The hook at the beginning and the end of every call: what faults, the log
 * and watches sit on. While nobody listens it costs one predictable branch.
 *
 * Who listens is a set of bits of the instance. Listeners run with no lock
 * held, on the calling thread: at the beginning, before anything was tried,
 * faults may fail the call or change what it is to do; at the end, all are
 * told the result.
 */
#ifndef MVFS__EVENT_H
#define MVFS__EVENT_H

#include "vfs/base/base.h"

enum mvfs__op_kind {
	MVFS__OP_ACCESS,
	MVFS__OP_BUILD,
	MVFS__OP_CHMOD,
	MVFS__OP_CHOWN,
	MVFS__OP_CLONE,
	MVFS__OP_CLOSE,
	MVFS__OP_COPY_RANGE,
	MVFS__OP_FALLOCATE,
	MVFS__OP_FSYNC,
	MVFS__OP_GETXATTR,
	MVFS__OP_LINK,
	MVFS__OP_LIST,
	MVFS__OP_LISTXATTR,
	MVFS__OP_LOCK,
	MVFS__OP_LOOKUP,
	MVFS__OP_LSEEK,
	MVFS__OP_MKDIR,
	MVFS__OP_MKNOD,
	MVFS__OP_OPEN,
	MVFS__OP_READ,
	MVFS__OP_READLINK,
	MVFS__OP_READ_STRING,
	MVFS__OP_REMOVEXATTR,
	MVFS__OP_RENAME,
	MVFS__OP_RESTORE,
	MVFS__OP_RMDIR,
	MVFS__OP_SETATTR,
	MVFS__OP_SETXATTR,
	MVFS__OP_SNAPSHOT, /* also to compare or dump it */
	MVFS__OP_STAT,
	MVFS__OP_STATFS,
	MVFS__OP_SYMLINK,
	MVFS__OP_SYNC,
	MVFS__OP_TRUNCATE,
	MVFS__OP_UNLINK,
	MVFS__OP_UTIMENS,
	MVFS__OP_WRITE,
	MVFS__OP_WRITE_FILE,
	MVFS__OPS
};

/* Who listens. */
enum {
	MVFS__EAR_STALE = 1, /* the instance is another process's */
	MVFS__EAR_FAULT = 2,
	MVFS__EAR_LOG = 4,
	MVFS__EAR_HOOKS = 8,
	MVFS__EAR_CRASH = 16, /* what is durable is tracked */
	MVFS__EAR_STRINGS = 32 /* strings that are read are told of */
};

/*
 * One call as listeners see it. Pointers are good while they run only.
 *
 * Paths are absolute, from the root of the instance, with every symlink on the
 * way resolved but the last name as it was given; "" is what has no name (any
 * more). path2 is the other path of rename and link, the source of a copy; of
 * symlink it is the target, as given.
 */
struct mvfs__call {
	enum mvfs__op_kind op;
	uint32_t uid;       /* who acts */
	const char *path;
	const char *path2;  /* or NULL */
	const char *names;  /* other paths of the inode, each terminated, and
			     * an empty one behind them; or NULL */
	int dirfd;          /* the descriptor; -1 none */
	uint64_t ino;       /* if there is one; else 0 */
	uint64_t offset;    /* of data calls; UINT64_MAX: the file's own */
	uint64_t length;
	bool creates;       /* there is nothing of that name */
	int64_t result;     /* at the end: what the call returns */

	/* what faults want */
	uint64_t limit;     /* so many bytes at most */
	uint64_t flip_bits; /* of what is read; 0 none */
	uint64_t flip_seed;
	uint64_t torn;      /* the size of a sector; 0: whole */
	uint64_t delay;     /* in nanoseconds */
	uint64_t rule;      /* that fired, the first one; 0 none */
};

/* For tests. */
struct mvfs__hooks {
	/* 0, or a negative errno that the call then fails with, untried. */
	int (*begin)(void *ctx, struct mvfs__call *call);
	void (*end)(void *ctx, const struct mvfs__call *call);
	void *ctx;
};

/* A set of kinds of calls. */
#define MVFS__OP_BIT(kind) (UINT64_C(1) << (kind))
_Static_assert(MVFS__OPS <= 64, "a set of kinds is a word");

/* Of calls whose result is a count of bytes, which may be short. */
#define MVFS__OPS_COUNTED \
	(MVFS__OP_BIT(MVFS__OP_READ) | MVFS__OP_BIT(MVFS__OP_WRITE) | \
	 MVFS__OP_BIT(MVFS__OP_COPY_RANGE))

#endif
