// SPDX-License-Identifier: MIT
/*
 * Who locked: F_GETLK wants the process of an owner, which the library does
 * not know. An owner is known as long as a file by which he locked is open
 * and was not closed by him (the kernel tells of each close(2) with the owner
 * who closes), so each handle has a list.
 *
 * All of it under locks.lock.
 */
#include <config.h>

#include "fuse/adapter.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
/* The default one falls through the cases of a switch, to clang's dislike. */
#define HASH_FUNCTION HASH_FNV
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) ((element)->unlisted = 1)
#include <uthash.h>
#include <utlist.h>

struct mvfs__lock_owner {
	uint64_t number;
	pid_t pid;
	unsigned handles; /* that remember it */
	int unlisted;     /* no memory to add it to the table */
	UT_hash_handle hh;
};

struct mvfs__held {
	struct mvfs__lock_owner *owner;
	struct mvfs__held *next;
};

static struct mvfs__lock_owner *owner_of(struct mvfs__locks *locks,
					 uint64_t number)
{
	struct mvfs__lock_owner *owner;

	HASH_FIND(hh, locks->owners, &number, sizeof number, owner);
	return owner;
}

static struct mvfs__held *held_by(const struct mvfs__handle *handle,
				  uint64_t number)
{
	struct mvfs__held *held;

	LL_SEARCH_SCALAR(handle->held, held, owner->number, number);
	return held;
}

static struct mvfs__lock_owner *new_owner(struct mvfs__locks *locks,
					  uint64_t number)
{
	struct mvfs__lock_owner *owner = calloc(1, sizeof *owner);

	if (!owner)
		return NULL;
	owner->number = number;
	HASH_ADD(hh, locks->owners, number, sizeof owner->number, owner);
	if (owner->unlisted) {
		free(owner);
		return NULL;
	}
	return owner;
}

static void drop_owner(struct mvfs__locks *locks,
		       struct mvfs__lock_owner *owner)
{
	HASH_DEL(locks->owners, owner);
	free(owner);
}

static void drop_held(struct mvfs__locks *locks, struct mvfs__handle *handle,
		      struct mvfs__held *held)
{
	LL_DELETE(handle->held, held);
	if (!--held->owner->handles)
		drop_owner(locks, held->owner);
	free(held);
}

int mvfs__owner_remember(struct mvfs__locks *locks,
			 struct mvfs__handle *handle, uint64_t number,
			 pid_t pid)
{
	struct mvfs__lock_owner *owner, *fresh = NULL;
	struct mvfs__held *held;

	if (held_by(handle, number))
		return 0;
	held = malloc(sizeof *held);
	owner = owner_of(locks, number);
	if (!owner)
		owner = fresh = new_owner(locks, number);
	if (!held || !owner) {
		free(held);
		if (fresh)
			drop_owner(locks, fresh);
		return -ENOMEM;
	}
	owner->pid = pid;
	owner->handles++;
	held->owner = owner;
	LL_PREPEND(handle->held, held);
	return 0;
}

pid_t mvfs__owner_pid(struct mvfs__locks *locks, uint64_t number)
{
	struct mvfs__lock_owner *owner = owner_of(locks, number);

	/* Locks of the library's own callers are this process's. */
	return owner ? owner->pid : getpid();
}

void mvfs__locks_flush(struct mvfs_mount *mount, struct mvfs__handle *handle,
		       uint64_t owner)
{
	struct mvfs__held *held;

	/* Both under the lock, or a lock set in between would have no owner. */
	pthread_mutex_lock(&mount->locks.lock);
	mvfs_sys_flush(mount->fs, handle->file, owner);
	held = held_by(handle, owner);
	if (held)
		drop_held(&mount->locks, handle, held);
	pthread_mutex_unlock(&mount->locks.lock);
}

void mvfs__locks_release(struct mvfs_mount *mount, struct mvfs__handle *handle)
{
	pthread_mutex_lock(&mount->locks.lock);
	while (handle->held)
		drop_held(&mount->locks, handle, handle->held);
	pthread_mutex_unlock(&mount->locks.lock);
}
