/* SPDX-License-Identifier: MIT */
/* memvfs/snapshot.h */
#include "config.h"

#include <memvfs/snapshot.h>

#include "api/args.h"

int mvfs_snapshot(mvfs *fs, struct mvfs_snapshot **snapshot)
{
	int rc = mvfs__check(fs, snapshot);

	return rc ? rc : mvfs__fs_snapshot(fs, snapshot);
}

int mvfs_restore(mvfs *fs, const struct mvfs_snapshot *snapshot)
{
	int rc = mvfs__check(fs, snapshot);

	return rc ? rc : mvfs__fs_restore(fs, snapshot);
}

int mvfs_snapshot_clone(const struct mvfs_snapshot *snapshot, mvfs **clone)
{
	if (!snapshot)
		return -EINVAL;
	return clone ? mvfs__fs_snapshot_clone(snapshot, clone) : -EFAULT;
}

void mvfs_snapshot_release(struct mvfs_snapshot *snapshot)
{
	if (snapshot)
		mvfs__fs_snapshot_free(snapshot);
}
