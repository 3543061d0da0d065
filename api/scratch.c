/* SPDX-License-Identifier: MIT */
/* memvfs/scratch.h, but for what is inline there */
#include "config.h"

#include <memvfs/scratch.h>

#include "vfs/mem/scratch.h"

void mvfs_scratch_open(struct mvfs_scratch *frame)
{
	mvfs__scratch_open(frame);
}

void *mvfs_scratch_more(struct mvfs_scratch *frame, size_t size)
{
	return mvfs__scratch_more(frame, size);
}

void mvfs_scratch_free(struct mvfs_scratch *frame)
{
	mvfs__scratch_free(frame);
}
