/* SPDX-License-Identifier: MIT */
/* memvfs/listing.h */
#include "config.h"

#include <memvfs/listing.h>

#include "api/args.h"

int mvfs_opendirat(mvfs *fs, int dirfd, const char *path, unsigned flags,
		   struct mvfs_dir **dir)
{
	const unsigned orders = MVFS_LIST_UNSORTED | MVFS_LIST_SHUFFLED;
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = mvfs__at(dirfd, path);
	int rc = mvfs__check(fs, path);

	if (!rc && ((flags & ~(orders | MVFS_LIST_DOTS)) ||
		    (flags & orders) == orders))
		rc = -EINVAL;
	if (!rc && !dir)
		rc = -EFAULT;
	return rc ? rc : mvfs__fs_opendir(&from, &at, flags, dir);
}

int mvfs_opendir(mvfs *fs, const char *path, unsigned flags,
		 struct mvfs_dir **dir)
{
	return mvfs_opendirat(fs, MVFS_AT_FDCWD, path, flags, dir);
}

int mvfs_readdir(struct mvfs_dir *dir, struct mvfs_dirent *entry)
{
	if (!dir || !entry)
		return -EFAULT;
	return mvfs__fs_readdir(dir, entry);
}

int mvfs_seekdir(struct mvfs_dir *dir, uint64_t cookie)
{
	return dir ? mvfs__fs_seekdir(dir, cookie) : -EFAULT;
}

int mvfs_rewinddir(struct mvfs_dir *dir)
{
	return dir ? mvfs__fs_rewinddir(dir) : -EFAULT;
}

int mvfs_closedir(struct mvfs_dir *dir)
{
	return dir ? mvfs__fs_closedir(dir) : 0;
}

int mvfs_walk(mvfs *fs, const char *path, unsigned flags, mvfs_walk_fn *fn,
	      void *ctx)
{
	const struct mvfs__from from = mvfs__by(fs);
	int rc = mvfs__check(fs, path);

	if (!rc && (flags & ~MVFS_WALK_BOTH))
		rc = -EINVAL;
	if (!rc && !fn)
		rc = -EFAULT;
	return rc ? rc : mvfs__fs_walk(&from, path, flags, fn, ctx);
}
