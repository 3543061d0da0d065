/* SPDX-License-Identifier: MIT */
/*
 * The instance lock: shared by readers at a few ns and without a cache line
 * that two of them write, exclusive for one writer.
 *
 * A reader announces itself in the slot of its thread and looks whether a
 * writer is there; a writer takes the mutex, says so, and waits until every
 * slot is empty. A reader that sees a writer withdraws and queues at the
 * mutex. So a waiting writer closes the bias, and nobody starves.
 *
 * (pthread_rwlock_t was rejected: all readers write one line. A bias kept by
 * membarrier(2) was rejected: writers are common here and would pay for it.)
 */
#ifndef MVFS__LATCH_H
#define MVFS__LATCH_H

#include <pthread.h>
#include <stdatomic.h>

#include "vfs/base/base.h"

enum { MVFS__LATCH_SLOTS = 16 };

struct mvfs__latch {
	pthread_mutex_t writer;
	atomic_uint writing;
	struct {
		atomic_uint readers;
		char line[64 - sizeof(atomic_uint)];
	} slot[MVFS__LATCH_SLOTS];
};

/* A small number of the calling thread; never 0. */
unsigned mvfs__thread_number(void);

void mvfs__latch_init(struct mvfs__latch *latch);
void mvfs__latch_destroy(struct mvfs__latch *latch);
void mvfs__latch_shared_slow(struct mvfs__latch *latch, unsigned slot);
void mvfs__latch_exclusive(struct mvfs__latch *latch);
void mvfs__latch_exclusive_end(struct mvfs__latch *latch);

static inline void mvfs__latch_shared(struct mvfs__latch *latch)
{
	unsigned slot = mvfs__thread_number() % MVFS__LATCH_SLOTS;

	atomic_fetch_add(&latch->slot[slot].readers, 1);
	if (mvfs__unlikely(atomic_load(&latch->writing)))
		mvfs__latch_shared_slow(latch, slot);
}

static inline void mvfs__latch_shared_end(struct mvfs__latch *latch)
{
	unsigned slot = mvfs__thread_number() % MVFS__LATCH_SLOTS;

	atomic_fetch_sub_explicit(&latch->slot[slot].readers, 1,
				  memory_order_release);
}

#endif
