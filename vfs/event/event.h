/* SPDX-License-Identifier: MIT */
/*
 * The hook at the beginning and the end of every call: what faults, logs and
 * watches sit on. While nobody listens it costs one predictable branch.
 *
 * Both run with no lock held, on the calling thread.
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

/* One call as the hooks see it. Pointers are good during the hook only. */
struct mvfs__call {
	enum mvfs__op_kind op;
	uint32_t uid;       /* who acts */
	const char *path;   /* as given; NULL where the call has none */
	const char *path2;  /* of rename, link; the target of symlink */
	int dirfd;          /* where path starts, or the descriptor; -1 none */
	uint64_t ino;       /* of calls by inode; else 0 */
	uint64_t offset;    /* of data calls */
	uint64_t length;
	int64_t result;     /* for end(): what the call returns */
};

struct mvfs__hooks {
	/* 0, or a negative errno that the call then fails with, untried. */
	int (*begin)(void *ctx, struct mvfs__call *call);
	void (*end)(void *ctx, const struct mvfs__call *call);
	void *ctx;
};

#endif
