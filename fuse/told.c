// SPDX-License-Identifier: MIT
/*
 * What the kernel is told when the tree is restored: names and attributes it
 * asks for at each use, but pages of open files, and of mappings of them, it
 * keeps. So before, what was stored through mappings is fetched, which can
 * only be in files that are open for writing; and afterwards the pages of all
 * inodes that are others now are dropped.
 *
 * Both may wait for requests that the workers serve, so it is not for a
 * worker to call mvfs_restore().
 */
#include <config.h>

#include "fuse/adapter.h"

#include <errno.h>
#include <stdlib.h>
#include <utlist.h>

/* The nodes that are open for writing; *nodes is the caller's. */
static int written_nodes(struct mvfs_mount *mount, uint64_t **nodes,
			 size_t *count)
{
	struct mvfs__handle *handle;
	size_t room = 0;

	*nodes = NULL;
	*count = 0;
	pthread_mutex_lock(&mount->lock);
	DL_FOREACH(mount->handles, handle)
		room += handle->written != 0;
	if (room)
		*nodes = malloc(room * sizeof **nodes);
	DL_FOREACH(mount->handles, handle) {
		if (*nodes && handle->written)
			(*nodes)[(*count)++] = handle->written;
	}
	pthread_mutex_unlock(&mount->lock);
	return room && !*nodes ? -ENOMEM : 0;
}

/* Stores go to the tree with it. What the kernel does not know, or not any
 * more, it has no pages of. */
static void drop_pages(struct mvfs_mount *mount, fuse_ino_t node)
{
	fuse_lowlevel_notify_inval_inode(mount->session, node, 0, 0);
}

static int before(void *data)
{
	struct mvfs_mount *mount = data;
	uint64_t *nodes;
	size_t i, count;
	int r;

	r = written_nodes(mount, &nodes, &count);
	for (i = 0; i < count; i++)
		drop_pages(mount, nodes[i]);
	free(nodes);
	return r;
}

static void after(void *data, const struct mvfs_sys_change *change)
{
	struct mvfs_mount *mount = data;

	if (change->what == MVFS_SYS_BACK && S_ISDIR(change->mode))
		mvfs__revive(mount, change->ino);
	drop_pages(mount, mvfs__node(mount, change->ino));
}

int mvfs__told_start(struct mvfs_mount *mount)
{
	const struct mvfs_sys_listener listener = {
		.before = before, .after = after, .ctx = mount,
	};

	return mvfs_sys_listen(mount->fs, &listener);
}

void mvfs__told_stop(struct mvfs_mount *mount)
{
	mvfs_sys_listen(mount->fs, NULL);
}
