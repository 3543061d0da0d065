/* SPDX-License-Identifier: MIT */
/* memvfs/locks.h */
#include "config.h"

#include <memvfs/locks.h>

#include "api/args.h"

int mvfs_flock(mvfs *fs, int fd, int operation)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = mvfs__on(fd);

	return fs ? mvfs__fs_flock(&from, &on, operation, true) : -EINVAL;
}

int mvfs_setlk(mvfs *fs, int fd, const struct mvfs_lock *lock, unsigned flags)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = mvfs__on(fd);
	int rc = mvfs__check(fs, lock);

	if (!rc && (flags & ~(MVFS_LOCK_OFD | MVFS_LOCK_WAIT)))
		rc = -EINVAL;
	return rc ? rc : mvfs__fs_setlk(&from, &on, 0, lock, flags);
}

int mvfs_getlk(mvfs *fs, int fd, struct mvfs_lock *lock, unsigned flags)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = mvfs__on(fd);
	int rc = mvfs__check(fs, lock);

	if (!rc && (flags & ~MVFS_LOCK_OFD))
		rc = -EINVAL;
	return rc ? rc : mvfs__fs_getlk(&from, &on, 0, lock, flags);
}
