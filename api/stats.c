/* SPDX-License-Identifier: MIT */
/* memvfs/stats.h */
#include "config.h"

#include <memvfs/stats.h>

#include <errno.h>

#include "vfs/mem/mem.h"

int mvfs_stats(int scope, struct mvfs_stats *stats)
{
	if (!stats)
		return -EFAULT;
	if (stats->size < sizeof(*stats))
		return -EINVAL;
	switch (scope) {
	case MVFS_STATS_THREAD:
		mvfs__mem_stats_thread(stats);
		return 0;
	case MVFS_STATS_PROCESS:
		mvfs__mem_stats_process(stats);
		return 0;
	default:
		return -EINVAL;
	}
}
