/* SPDX-License-Identifier: MIT */
/* memvfs/fault.h */
#include "config.h"

#include <memvfs/fault.h>

#include "api/args.h"
#include "vfs/base/error.h"

int mvfs_fault_add(mvfs *fs, const char *text, uint64_t *id,
		   struct mvfs_error *error)
{
	if (!fs || !text)
		return mvfs__fail(error, fs ? -EFAULT : -EINVAL, 0, 0,
				  "no %s", fs ? "rule" : "file system");
	return mvfs__fs_fault_add(fs, text, id, error);
}

int mvfs_fault_remove(mvfs *fs, uint64_t id)
{
	return fs ? mvfs__fs_fault_remove(fs, id) : -EINVAL;
}

int mvfs_fault_clear(mvfs *fs)
{
	return fs ? mvfs__fs_fault_clear(fs) : -EINVAL;
}

int mvfs_fault_count(mvfs *fs, uint64_t id, uint64_t *matched, uint64_t *fired)
{
	return fs ? mvfs__fs_fault_count(fs, id, matched, fired) : -EINVAL;
}

int mvfs_fault_list(mvfs *fs, mvfs_fault_fn *fn, void *ctx)
{
	if (!fs)
		return -EINVAL;
	return fn ? mvfs__fs_fault_list(fs, fn, ctx) : -EFAULT;
}
