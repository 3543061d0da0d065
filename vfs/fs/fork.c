/* SPDX-License-Identifier: MIT */
/*
 * fork(2): the child gets a private copy of every instance.
 *
 * Before the fork the forking thread takes every instance exclusively, so no
 * other thread is inside one and every stripe and position is free; after it,
 * parent and child let go. Who waits for a lock in another thread is not in
 * the child, so its list of waiters begins empty.
 *
 * An instance that is mounted belongs to the parent, which serves the mount:
 * in the child every call on it is -ESTALE, by a hook, so that no call pays
 * for a check.
 */
#include "config.h"

#include <errno.h>

#include "vfs/fs/barrier.h"
#include "vfs/fs/instance.h"
#include "vfs/mem/slab.h"

/* Instances of this process; the mutex is taken before any latch. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct mvfs__fs *instances;

static void before(void)
{
	struct mvfs__fs *fs;

	pthread_mutex_lock(&mutex);
	for (fs = instances; fs; fs = fs->next) {
		mvfs__latch_exclusive(&fs->latch);
		pthread_mutex_lock(&fs->wake_mutex);
		pthread_mutex_lock(&fs->log.mutex);
		if (fs->held)
			mvfs__held_lock(fs->held);
	}
}

static void after_in_parent(void)
{
	struct mvfs__fs *fs;

	for (fs = instances; fs; fs = fs->next) {
		if (fs->held)
			mvfs__held_unlock(fs->held);
		pthread_mutex_unlock(&fs->log.mutex);
		pthread_mutex_unlock(&fs->wake_mutex);
		mvfs__latch_exclusive_end(&fs->latch);
	}
	pthread_mutex_unlock(&mutex);
}

static void after_in_child(void)
{
	struct mvfs__fs *fs;

	mvfs__thread_after_fork();
	for (fs = instances; fs; fs = fs->next) {
		mvfs__latch_after_fork(&fs->latch);
		pthread_cond_init(&fs->wake, NULL);
		fs->waiters = NULL;
		/* of one that is the parent's, so nobody is told here */
		pthread_mutex_init(&fs->tell_mutex, NULL);
		fs->listeners = NULL;
		if (fs->attached)
			atomic_store(&fs->listening, MVFS__EAR_STALE);
	}
	after_in_parent();
}

static void install(void)
{
	/* cheap while there is one thread, which is now if ever */
	(void)mvfs__barrier_ready();
	/* handlers run backwards: its lock is the last to be taken */
	mvfs__slab_at_fork();
	(void)pthread_atfork(before, after_in_parent, after_in_child);
}

void mvfs__fork_add(struct mvfs__fs *fs)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, install);
	pthread_mutex_lock(&mutex);
	fs->next = instances;
	fs->back = &instances;
	if (fs->next)
		fs->next->back = &fs->next;
	instances = fs;
	pthread_mutex_unlock(&mutex);
}

void mvfs__fork_remove(struct mvfs__fs *fs)
{
	pthread_mutex_lock(&mutex);
	*fs->back = fs->next;
	if (fs->next)
		fs->next->back = fs->back;
	pthread_mutex_unlock(&mutex);
}
