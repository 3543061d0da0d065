// SPDX-License-Identifier: MIT
/*
 * Locks. The kernel keeps none itself: flock(2) locks are the open file's,
 * POSIX and OFD locks come with an owner's number each, and what cannot be
 * told apart here are the last two.
 *
 * A request that has to wait would block one of few workers, so it goes to a
 * list, and one thread, started for the first of them, tries the list again
 * whenever a lock of the instance was released.
 *
 * Lock order: the library's own are below locks.lock, libfuse's lock of a
 * request is above it (interrupted() is called with it).
 */
#include <config.h>

#include "fuse/adapter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <utlist.h>

struct mvfs__pending {
	fuse_req_t req;
	struct mvfs_file *file;
	struct mvfs_lock lock;
	uint64_t owner;
	pid_t pid;
	int flock; /* the operation; 0: a record lock */
	struct mvfs__pending *prev, *next;
};

static int try(struct mvfs_mount *mount, const struct mvfs__pending *p)
{
	if (p->flock)
		return mvfs_sys_flock(mount->fs, p->file, p->flock | LOCK_NB);
	return mvfs_sys_setlk(mount->fs, p->file, p->owner, &p->lock);
}

/* The number of the owner in whose way the request is; 0: nobody. */
static uint64_t waits_for(struct mvfs_mount *mount,
			  const struct mvfs__pending *p)
{
	struct mvfs_lock lock = p->lock;

	if (mvfs_sys_getlk(mount->fs, p->file, p->owner, &lock) ||
	    lock.type == F_UNLCK)
		return 0;
	return lock.owner;
}

/*
 * Whether waiting would close a circle of owners who wait for each other.
 * As on Linux, a long chain is taken for none.
 */
static int is_deadlock(struct mvfs_mount *mount,
		       const struct mvfs__pending *first)
{
	const struct mvfs__pending *p = first;
	uint64_t owner;
	int i;

	if (first->flock)
		return 0;
	for (i = 0; i < 10 && p; i++) {
		owner = waits_for(mount, p);
		if (owner == first->owner)
			return 1;
		DL_FOREACH(mount->locks.pending, p) {
			if (owner && !p->flock && p->owner == owner)
				break;
		}
	}
	return 0;
}

static void settle(struct mvfs__locks *locks, struct mvfs__pending *p, int r)
{
	DL_DELETE(locks->pending, p);
	fuse_reply_err(p->req, -r);
	free(p);
}

/* By libfuse, when a signal hit the one who waits. */
static void interrupted(fuse_req_t req, void *data)
{
	struct mvfs__locks *locks = &((struct mvfs_mount *)data)->locks;
	struct mvfs__pending *p;

	pthread_mutex_lock(&locks->lock);
	/* If it is not there, it was settled, or has yet to be added. */
	DL_SEARCH_SCALAR(locks->pending, p, req, req);
	if (p)
		settle(locks, p, -EINTR);
	pthread_mutex_unlock(&locks->lock);
}

static void *wait_for_locks(void *data)
{
	struct mvfs_mount *mount = data;
	struct mvfs__locks *locks = &mount->locks;
	struct mvfs__pending *p, *next;
	uint64_t seen = 0;
	int r;

	pthread_mutex_lock(&locks->lock);
	while (!locks->ending) {
		if (!locks->pending) {
			pthread_cond_wait(&locks->wanted, &locks->lock);
			continue;
		}
		seen = mvfs_sys_locks_wait(mount->fs, seen, 0);
		DL_FOREACH_SAFE(locks->pending, p, next) {
			r = try(mount, p);
			if (r != -EAGAIN)
				settle(locks, p, r);
		}
		pthread_mutex_unlock(&locks->lock);
		mvfs_sys_locks_wait(mount->fs, seen, -1);
		pthread_mutex_lock(&locks->lock);
	}
	pthread_mutex_unlock(&locks->lock);
	return NULL;
}

static int start_waiter(struct mvfs_mount *mount)
{
	struct mvfs__locks *locks = &mount->locks;
	int r = 0;

	/* A worker's signals are blocked, so the waiter's are. */
	if (!locks->waiting)
		r = pthread_create(&locks->waiter, NULL, wait_for_locks,
				   mount);
	if (!r)
		locks->waiting = 1;
	return -r;
}

/* Takes the request over in any case. With locks.lock. */
static void add_pending(struct mvfs_mount *mount, struct mvfs__pending *wanted)
{
	struct mvfs__locks *locks = &mount->locks;
	struct mvfs__pending *p = malloc(sizeof *p);
	int r;

	if (!p) {
		fuse_reply_err(wanted->req, ENOLCK);
		return;
	}
	*p = *wanted;
	DL_APPEND(locks->pending, p);
	r = start_waiter(mount);
	if (!r && fuse_req_interrupted(p->req))
		r = -EINTR;
	/* A lock released before it was in the list woke nobody for it. */
	if (!r)
		r = try(mount, p);
	if (r != -EAGAIN)
		settle(locks, p, r);
	else
		pthread_cond_signal(&locks->wanted);
}

static void lock_or_wait(fuse_req_t req, struct mvfs__handle *handle,
			 struct mvfs__pending *wanted, int sleep)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	struct mvfs__locks *locks = &mount->locks;
	int r = 0;

	wanted->req = req;
	wanted->file = handle->file;
	/* Its handler takes locks.lock, so not under it. */
	if (sleep)
		fuse_req_interrupt_func(req, interrupted, mount);
	pthread_mutex_lock(&locks->lock);
	if (!wanted->flock && wanted->lock.type != F_UNLCK)
		r = mvfs__owner_remember(locks, handle, wanted->owner,
					 wanted->pid);
	if (!r)
		r = try(mount, wanted);
	if (r == -EAGAIN && sleep && is_deadlock(mount, wanted))
		r = -EDEADLK;
	if (r == -EAGAIN && sleep)
		add_pending(mount, wanted);
	else
		fuse_reply_err(req, -r);
	pthread_mutex_unlock(&locks->lock);
}

static struct mvfs_lock lock_of(const struct flock *from)
{
	return (struct mvfs_lock){
		.type = from->l_type,
		.whence = from->l_whence,
		.start = from->l_start,
		.len = from->l_len,
	};
}

void mvfs__op_setlk(fuse_req_t req, fuse_ino_t node, struct fuse_file_info *fi,
		    struct flock *lock, int sleep)
{
	struct mvfs__pending wanted = { .lock = lock_of(lock),
					.owner = fi->lock_owner,
					.pid = lock->l_pid };

	(void)node;
	lock_or_wait(req, mvfs__handle(fi), &wanted, sleep);
}

void mvfs__op_flock(fuse_req_t req, fuse_ino_t node, struct fuse_file_info *fi,
		    int operation)
{
	struct mvfs__pending wanted = { .flock = operation & ~LOCK_NB };

	(void)node;
	lock_or_wait(req, mvfs__handle(fi), &wanted, !(operation & LOCK_NB));
}

void mvfs__op_getlk(fuse_req_t req, fuse_ino_t node, struct fuse_file_info *fi,
		    struct flock *lock)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	struct mvfs_lock found = lock_of(lock);
	int r;

	(void)node;
	r = mvfs_sys_getlk(mount->fs, mvfs__file(fi), fi->lock_owner, &found);
	if (r) {
		fuse_reply_err(req, -r);
		return;
	}
	lock->l_type = found.type;
	if (found.type != F_UNLCK) {
		lock->l_whence = SEEK_SET;
		lock->l_start = found.start;
		lock->l_len = found.len;
		pthread_mutex_lock(&mount->locks.lock);
		lock->l_pid = mvfs__owner_pid(&mount->locks, found.owner);
		pthread_mutex_unlock(&mount->locks.lock);
	}
	fuse_reply_lock(req, lock);
}

int mvfs__locks_init(struct mvfs__locks *locks)
{
	int r;

	r = pthread_mutex_init(&locks->lock, NULL);
	if (r)
		return -r;
	r = pthread_cond_init(&locks->wanted, NULL);
	if (r)
		pthread_mutex_destroy(&locks->lock);
	return -r;
}

void mvfs__locks_stop(struct mvfs_mount *mount)
{
	struct mvfs__locks *locks = &mount->locks;

	pthread_mutex_lock(&locks->lock);
	locks->ending = 1;
	pthread_cond_signal(&locks->wanted);
	pthread_mutex_unlock(&locks->lock);
	if (locks->waiting) {
		mvfs_sys_locks_wake(mount->fs);
		pthread_join(locks->waiter, NULL);
	}
	/* Not EINTR: without a signal the kernel would let its own code for
	 * "restart" out. */
	while (locks->pending)
		settle(locks, locks->pending, -ENOTCONN);
}

void mvfs__locks_destroy(struct mvfs__locks *locks)
{
	pthread_cond_destroy(&locks->wanted);
	pthread_mutex_destroy(&locks->lock);
}
