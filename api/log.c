/* SPDX-License-Identifier: MIT */
/* memvfs/log.h */
#include "config.h"

#include <memvfs/log.h>

#include "api/args.h"
#include "vfs/base/error.h"

enum { CAPACITY = 4096, CAPACITY_MAX = 1 << 24 };

int mvfs_log_start(mvfs *fs, size_t capacity)
{
	if (!fs || capacity > CAPACITY_MAX)
		return -EINVAL;
	return mvfs__fs_log_start(fs, capacity ? capacity : CAPACITY);
}

int mvfs_log_stop(mvfs *fs)
{
	return fs ? mvfs__fs_log_stop(fs) : -EINVAL;
}

int mvfs_log_each(mvfs *fs, mvfs_log_fn *fn, void *ctx)
{
	if (!fs)
		return -EINVAL;
	return fn ? mvfs__fs_log_each(fs, fn, ctx) : -EFAULT;
}

int mvfs_log_text(mvfs *fs, struct mvfs_string *text)
{
	if (!fs)
		return -EINVAL;
	return text ? mvfs__fs_log_text(fs, text) : -EFAULT;
}

int mvfs_expect_log(mvfs *fs, const char *text, struct mvfs_error *error)
{
	if (!fs || !text)
		return mvfs__fail(error, fs ? -EFAULT : -EINVAL, 0, 0,
				  "no %s", fs ? "text" : "file system");
	return mvfs__fs_expect_log(fs, text, error);
}
