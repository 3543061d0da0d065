/* SPDX-License-Identifier: MIT */
/* memvfs/crash.h */
#include "config.h"

#include <memvfs/crash.h>

#include "api/args.h"

int mvfs_crash_start(mvfs *fs, const struct mvfs_crash_options *options)
{
	return fs ? mvfs__fs_crash_start(fs, options) : -EINVAL;
}

int mvfs_crash_stop(mvfs *fs)
{
	return fs ? mvfs__fs_crash_stop(fs) : -EINVAL;
}

int64_t mvfs_crash_point(mvfs *fs)
{
	return fs ? mvfs__fs_crash_point(fs) : -EINVAL;
}

int mvfs_crash(mvfs *fs, const struct mvfs_crash_options *options,
	       const struct mvfs_crash_state *state, mvfs **after)
{
	int rc = mvfs__check(fs, after);

	return rc ? rc : mvfs__fs_crash(fs, options, state, after);
}

int mvfs_crash_snapshot(mvfs *fs, const struct mvfs_crash_options *options,
			const struct mvfs_crash_state *state,
			struct mvfs_snapshot **snapshot)
{
	int rc = mvfs__check(fs, snapshot);

	return rc ? rc : mvfs__fs_crash_snapshot(fs, options, state, snapshot);
}

int mvfs_crash_explain(mvfs *fs, const struct mvfs_crash_options *options,
		       const struct mvfs_crash_state *state,
		       struct mvfs_string *text)
{
	int rc = mvfs__check(fs, text);

	return rc ? rc : mvfs__fs_crash_explain(fs, options, state, text);
}

int mvfs_crash_each(mvfs *fs, const struct mvfs_crash_options *options,
		    mvfs_crash_fn *fn, void *ctx)
{
	if (!fs)
		return -EINVAL;
	return fn ? mvfs__fs_crash_each(fs, options, fn, ctx) : -EFAULT;
}
