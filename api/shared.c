/* SPDX-License-Identifier: MIT */
/* The mutex of streams and routes. */
#include "config.h"

#include "api/shared.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void lock(void)
{
	pthread_mutex_lock(&mutex);
}

static void unlock(void)
{
	pthread_mutex_unlock(&mutex);
}

/* Without memory for it a fork may find the mutex taken by a thread that the
 * child has not. */
static void follow_forks(void)
{
	(void)pthread_atfork(lock, unlock, unlock);
}

void mvfs__shared_lock(void)
{
	pthread_once(&once, follow_forks);
	lock();
}

void mvfs__shared_unlock(void)
{
	unlock();
}
