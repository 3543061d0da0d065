/* SPDX-License-Identifier: MIT */
/* The instance lock: see latch.h. */
#include "config.h"

#include "vfs/fs/latch.h"

#include <sched.h>
#include <string.h>

static atomic_uint threads = 1;

unsigned mvfs__thread_number(void)
{
	static MVFS__SMALL_TLS _Thread_local unsigned number;

	if (mvfs__unlikely(!number)) {
		do
			number = atomic_fetch_add(&threads, 1);
		while (!number);
	}
	return number;
}

void mvfs__latch_init(struct mvfs__latch *latch)
{
	unsigned i;

	pthread_mutex_init(&latch->writer, NULL);
	atomic_init(&latch->writing, 0);
	for (i = 0; i < MVFS__LATCH_SLOTS; i++)
		atomic_init(&latch->slot[i].readers, 0);
}

void mvfs__latch_destroy(struct mvfs__latch *latch)
{
	pthread_mutex_destroy(&latch->writer);
}

void mvfs__latch_shared_slow(struct mvfs__latch *latch, unsigned slot)
{
	atomic_fetch_sub(&latch->slot[slot].readers, 1);
	/* whoever has the mutex knows that no writer is at work */
	pthread_mutex_lock(&latch->writer);
	atomic_fetch_add(&latch->slot[slot].readers, 1);
	pthread_mutex_unlock(&latch->writer);
}

void mvfs__latch_exclusive(struct mvfs__latch *latch)
{
	unsigned i;

	pthread_mutex_lock(&latch->writer);
	atomic_store(&latch->writing, 1);
	for (i = 0; i < MVFS__LATCH_SLOTS; i++)
		while (atomic_load(&latch->slot[i].readers))
			sched_yield();
}

void mvfs__latch_exclusive_end(struct mvfs__latch *latch)
{
	atomic_store_explicit(&latch->writing, 0, memory_order_release);
	pthread_mutex_unlock(&latch->writer);
}
