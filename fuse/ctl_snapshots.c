// SPDX-License-Identifier: MIT
/*
 * The snapshots of a mount that have names. They are few, so a list does. A
 * snapshot that is being restored is held, so that it can be dropped meanwhile
 * and nobody waits: restoring may take a while, and under a lock that
 * workers want the kernel could wait for us as we for it.
 */
#include <config.h>

#include "fuse/ctl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

#include <memvfs/snapshot.h>

#define NAME_LIMIT 255

/* Under mount->lock but for the name and the snapshot, which are constant. */
struct mvfs__named {
	char *name;
	struct mvfs_snapshot *snapshot;
	unsigned refs; /* the list's, and of those who restore it */
	struct mvfs__named *prev, *next;
};

static void unref(struct mvfs_mount *mount, struct mvfs__named *named)
{
	unsigned refs;

	pthread_mutex_lock(&mount->lock);
	refs = --named->refs;
	pthread_mutex_unlock(&mount->lock);
	if (refs)
		return;
	mvfs_snapshot_release(named->snapshot);
	free(named->name);
	free(named);
}

/* With mount->lock. */
static struct mvfs__named *find(struct mvfs_mount *mount, const char *name)
{
	struct mvfs__named *named;

	DL_FOREACH(mount->snapshots, named)
		if (!strcmp(named->name, name))
			break;
	return named;
}

static int check_name(struct mvfs__order *order)
{
	const unsigned char *at = (const unsigned char *)order->text;
	size_t len = strlen(order->text);

	while (*at >= ' ' && *at != 0x7f)
		at++;
	if (len && len <= NAME_LIMIT && !*at)
		return 0;
	return mvfs__fuse_error(&order->error, -EINVAL, "a snapshot's name "
				"has 1 to %d bytes, none a control character",
				NAME_LIMIT);
}

static int no_such(struct mvfs__order *order)
{
	return mvfs__fuse_error(&order->error, -ENOENT,
				"there is no snapshot \"%.150s\"",
				order->text);
}

/* Into the list, unless the name is taken. */
static int add(struct mvfs_mount *mount, struct mvfs__named *named)
{
	int r = 0;

	pthread_mutex_lock(&mount->lock);
	if (find(mount, named->name))
		r = -EEXIST;
	else
		DL_APPEND(mount->snapshots, named);
	pthread_mutex_unlock(&mount->lock);
	return r;
}

int mvfs__ctl_snapshot(struct mvfs__order *order)
{
	struct mvfs__named *named;
	int r = check_name(order);

	if (r)
		return r;
	named = calloc(1, sizeof *named);
	if (!named)
		return -ENOMEM;
	named->refs = 1;
	named->name = strdup(order->text);
	r = named->name ? mvfs_snapshot(order->mount->fs, &named->snapshot)
			: -ENOMEM;
	if (!r)
		r = add(order->mount, named);
	if (r)
		unref(order->mount, named);
	if (r == -EEXIST)
		mvfs__fuse_error(&order->error, r, "there is a snapshot "
				 "\"%.100s\" already: drop it before",
				 order->text);
	return r;
}

int mvfs__ctl_restore(struct mvfs__order *order)
{
	struct mvfs_mount *mount = order->mount;
	struct mvfs__named *named;
	int r;

	pthread_mutex_lock(&mount->lock);
	named = find(mount, order->text);
	if (named)
		named->refs++;
	pthread_mutex_unlock(&mount->lock);
	if (!named)
		return no_such(order);
	r = mvfs_restore(mount->fs, named->snapshot);
	unref(mount, named);
	return r;
}

int mvfs__ctl_drop(struct mvfs__order *order)
{
	struct mvfs_mount *mount = order->mount;
	struct mvfs__named *named;

	pthread_mutex_lock(&mount->lock);
	named = find(mount, order->text);
	if (named)
		DL_DELETE(mount->snapshots, named);
	pthread_mutex_unlock(&mount->lock);
	if (!named)
		return no_such(order);
	unref(mount, named);
	return 0;
}

int mvfs__ctl_names(struct mvfs__order *order)
{
	struct mvfs_mount *mount = order->mount;
	struct mvfs__named *named;
	int r = 0;

	pthread_mutex_lock(&mount->lock);
	DL_FOREACH(mount->snapshots, named)
		if (!r)
			r = mvfs__text_print(&order->answer, "%s\n",
					     named->name);
	pthread_mutex_unlock(&mount->lock);
	return r;
}

void mvfs__snapshots_free(struct mvfs_mount *mount)
{
	struct mvfs__named *named;

	while ((named = mount->snapshots)) {
		DL_DELETE(mount->snapshots, named);
		unref(mount, named);
	}
}
