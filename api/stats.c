/* SPDX-License-Identifier: MIT */
/* memvfs/stats.h */
#include "config.h"

#include <memvfs/stats.h>

#include <errno.h>
#include <string.h>

#include "vfs/mem/mem.h"

enum { SIZE_MIN = MVFS__UP_TO(struct mvfs_stats, tree_copies) };

int mvfs_stats(int scope, struct mvfs_stats *stats)
{
	struct mvfs_stats all;

	if (!stats)
		return -EFAULT;
	if (stats->size < SIZE_MIN)
		return -EINVAL;
	all.size = stats->size;
	switch (scope) {
	case MVFS_STATS_THREAD:
		mvfs__mem_stats_thread(&all);
		break;
	case MVFS_STATS_PROCESS:
		mvfs__mem_stats_process(&all);
		break;
	default:
		return -EINVAL;
	}
	/* the caller's struct may be an older, shorter one */
	memcpy(stats, &all, all.size < sizeof(all) ? all.size : sizeof(all));
	return 0;
}
