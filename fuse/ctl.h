/* SPDX-License-Identifier: MIT */
/* What stands behind memvfs/ctl.h, inside libmemvfs-fuse. */
#ifndef MVFS_FUSE_CTL_H
#define MVFS_FUSE_CTL_H

#include "fuse/adapter.h"

#include <memvfs/ctl.h>

/* Bytes with a zero byte behind them; NULL if there are none. */
struct mvfs__text {
	char *bytes; /* malloc'd */
	size_t len, capacity;
};

/* 0 or -ENOMEM, and nothing was added. */
int mvfs__text_add(struct mvfs__text *text, const char *bytes, size_t len);
int mvfs__text_print(struct mvfs__text *text, const char *format, ...)
	MVFS_PRINTF(2, 3);

/* An open directory that is for memvfs/ctl.h. */
struct mvfs__session {
	pthread_mutex_t lock;
	struct mvfs__text put;    /* by MVFS_CTL_PUT */
	struct mvfs__text answer; /* for MVFS_CTL_MORE */
};

/* A command while it is served. */
struct mvfs__order {
	struct mvfs_mount *mount;
	const char *text;
	uint64_t number;          /* in and out */
	struct mvfs__text answer;
	struct mvfs_error error;
};

/* Returns 0 or a negative errno, which the error may tell more of. */
typedef int mvfs__order_fn(struct mvfs__order *order);

/* ctl_snapshots.c */
mvfs__order_fn mvfs__ctl_snapshot, mvfs__ctl_restore, mvfs__ctl_drop,
	mvfs__ctl_names;

/* ctl_crash.c */
mvfs__order_fn mvfs__ctl_crash_start, mvfs__ctl_crash_stop,
	mvfs__ctl_crash_point, mvfs__ctl_crash, mvfs__ctl_crash_explain;

#endif
