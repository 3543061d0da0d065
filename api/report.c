/* SPDX-License-Identifier: MIT */
/* memvfs/report.h */
#include "config.h"

#include <memvfs/report.h>

#include "api/args.h"
#include "vfs/mem/thread.h"

int mvfs_set_report(mvfs *fs, unsigned flags, mvfs_report_fn *fn, void *ctx)
{
	if (!fs || (flags & ~MVFS_REPORT_STRINGS))
		return -EINVAL;
	return mvfs__fs_set_report(fs, flags, fn, ctx);
}

int mvfs_each_open(mvfs *fs, mvfs_report_fn *fn, void *ctx)
{
	return fs ? mvfs__fs_each_open(fs, fn, ctx) : -EINVAL;
}

const char *mvfs_here(const char *place)
{
	const char *before = mvfs__thread_self.here;

	mvfs__thread_self.here = place;
	return before;
}
