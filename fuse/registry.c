// SPDX-License-Identifier: MIT
/*
 * The mounts of this process, for the two moments in which nobody asks about
 * each of them.
 *
 * fork(2): a child inherits the descriptors of /dev/fuse, and with them it
 * would keep every connection open after its owner ended it or died, and
 * whoever waits for an answer would wait for ever. So it closes them at once;
 * the mounts remain the parent's.
 *
 * exit(3): a process that dies with a file of its own mount open closes that
 * file before /dev/fuse, and waits for an answer that none of its threads
 * gives any more: it cannot even be killed. So mounts that were not unmounted
 * are when the process exits.
 */
#include <config.h>

#include "fuse/adapter.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <utlist.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mvfs_mount *mounts;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int once_result;

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void in_parent(void)
{
	pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
	struct mvfs_mount *mount;

	LL_FOREACH(mounts, mount) {
		close(mount->fd);
		/* else it would live for as long as the child does */
		if (mount->janitor >= 0)
			close(mount->janitor);
		mount->janitor = -1;
		mount->inherited = 1;
	}
	mounts = NULL;
	pthread_mutex_unlock(&lock);
}

static void at_exit(void)
{
	struct mvfs_mount *mount;

	do {
		pthread_mutex_lock(&lock);
		LL_SEARCH_SCALAR(mounts, mount, claimed, 0);
		if (mount)
			mount->claimed = 1;
		pthread_mutex_unlock(&lock);
		if (mount)
			mvfs__end(mount);
	} while (mount);
}

static void set_up(void)
{
	once_result = -pthread_atfork(before_fork, in_parent, in_child);
	if (!once_result && atexit(at_exit))
		once_result = -ENOMEM;
}

int mvfs__registry_mount(struct mvfs_mount *mount,
			 const struct mvfs__options *options,
			 struct mvfs_error *error)
{
	pthread_once(&once, set_up);
	if (once_result)
		return mvfs__fuse_error(error, once_result, "out of memory");
	/* No fork(2) between opening the device and knowing of it. */
	pthread_mutex_lock(&lock);
	mount->fd = mvfs__host_mount(mount->dir, options, error);
	if (mount->fd >= 0)
		LL_PREPEND(mounts, mount);
	pthread_mutex_unlock(&lock);
	return mount->fd < 0 ? mount->fd : 0;
}

int mvfs__registry_claim(struct mvfs_mount *mount)
{
	int claimed;

	pthread_mutex_lock(&lock);
	claimed = mount->claimed || mount->inherited;
	mount->claimed = 1;
	pthread_mutex_unlock(&lock);
	return !claimed;
}

void mvfs__registry_unclaim(struct mvfs_mount *mount)
{
	pthread_mutex_lock(&lock);
	mount->claimed = 0;
	pthread_mutex_unlock(&lock);
}

void mvfs__registry_close(struct mvfs_mount *mount)
{
	pthread_mutex_lock(&lock);
	LL_DELETE(mounts, mount);
	/* The session closes it, if it came to take it. */
	if (mount->session_has_fd)
		fuse_session_destroy(mount->session);
	else
		close(mount->fd);
	pthread_mutex_unlock(&lock);
}
