/* SPDX-License-Identifier: MIT */
/* The instance lock and its stripes: see latch.h. */
#include "config.h"

#include "vfs/fs/latch.h"

#include <sched.h>

#include "vfs/fs/barrier.h"

static void init_slots(struct mvfs__latch *latch)
{
	unsigned i;

	for (i = 0; i < MVFS__SEATS; i++) {
		atomic_init(&latch->slot[i].readers, 0);
		atomic_init(&latch->slot[i].inside, 0);
		atomic_init(&latch->slot[i].stripe, 0);
		latch->slot[i].calm = 0;
		latch->slot[i].writes = 0;
	}
}

void mvfs__latch_init(struct mvfs__latch *latch)
{
	pthread_mutex_init(&latch->writer, NULL);
	atomic_init(&latch->writing, 0);
	atomic_init(&latch->biased, 0);
	atomic_init(&latch->writes, 0);
	init_slots(latch);
}

void mvfs__latch_after_fork(struct mvfs__latch *latch)
{
	assert(atomic_load(&latch->writing) && !atomic_load(&latch->biased));
	init_slots(latch);
}

void mvfs__latch_destroy(struct mvfs__latch *latch)
{
	pthread_mutex_destroy(&latch->writer);
}

static struct mvfs__latch_slot *counted_in(struct mvfs__latch *latch,
					   const struct mvfs__thread *self)
{
	return &latch->slot[self->number % MVFS__SEATS];
}

/* Inside by the count: no writer is, so the bias may begin. */
static void grow_calm(struct mvfs__latch *latch, struct mvfs__latch_slot *slot)
{
	unsigned writes = atomic_load_explicit(&latch->writes,
					       memory_order_relaxed);

	if (slot->writes != writes) {
		slot->writes = writes;
		slot->calm = 0;
	}
	if (++slot->calm < MVFS__LATCH_CALM)
		return;
	slot->calm = 0;
	if (mvfs__barrier_ready())
		atomic_store_explicit(&latch->biased, 1, memory_order_release);
}

void mvfs__latch_shared_slow(struct mvfs__latch *latch,
			     const struct mvfs__thread *self)
{
	atomic_uint *readers = &counted_in(latch, self)->readers;

	atomic_fetch_add(readers, 1);
	if (mvfs__unlikely(atomic_load(&latch->writing))) {
		atomic_fetch_sub(readers, 1);
		/* whoever has the mutex knows that no writer is at work */
		pthread_mutex_lock(&latch->writer);
		atomic_fetch_add(readers, 1);
		pthread_mutex_unlock(&latch->writer);
	}
	if (self->seat < MVFS__SEATS)
		grow_calm(latch, &latch->slot[self->seat]);
}

void mvfs__latch_shared_end_slow(struct mvfs__latch *latch,
				 const struct mvfs__thread *self)
{
	atomic_fetch_sub_explicit(&counted_in(latch, self)->readers, 1,
				  memory_order_release);
}

static void wait_until_not(atomic_uint *word, unsigned value)
{
	while (atomic_load(word) == value)
		sched_yield();
}

void mvfs__latch_exclusive(struct mvfs__latch *latch)
{
	unsigned i;

	pthread_mutex_lock(&latch->writer);
	atomic_store(&latch->writing, 1);
	for (i = 0; i < MVFS__SEATS; i++)
		while (atomic_load(&latch->slot[i].readers))
			sched_yield();
	/* who counts is out, so nobody is left to begin it anew */
	if (atomic_load(&latch->biased)) {
		atomic_store(&latch->biased, 0);
		mvfs__barrier_all();
		for (i = 0; i < MVFS__SEATS; i++)
			wait_until_not(&latch->slot[i].inside, 1);
	}
	atomic_store_explicit(&latch->writes,
			      atomic_load_explicit(&latch->writes,
						   memory_order_relaxed) + 1,
			      memory_order_relaxed);
}

void mvfs__latch_exclusive_end(struct mvfs__latch *latch)
{
	atomic_store_explicit(&latch->writing, 0, memory_order_release);
	pthread_mutex_unlock(&latch->writer);
}

void mvfs__stripe_init(struct mvfs__stripe *stripe)
{
	pthread_rwlock_init(&stripe->lock, NULL);
	atomic_init(&stripe->biased, 0);
	atomic_init(&stripe->calm, 0);
}

void mvfs__stripe_destroy(struct mvfs__stripe *stripe)
{
	pthread_rwlock_destroy(&stripe->lock);
}

void mvfs__stripe_shared_slow(struct mvfs__stripe *stripe)
{
	unsigned calm;

	pthread_rwlock_rdlock(&stripe->lock);
	/* several may count at once, and lose some: about is enough */
	calm = atomic_load_explicit(&stripe->calm, memory_order_relaxed) + 1;
	atomic_store_explicit(&stripe->calm, calm, memory_order_relaxed);
	if (calm >= MVFS__LATCH_CALM && mvfs__barrier_ready())
		atomic_store_explicit(&stripe->biased, 1,
				      memory_order_release);
}

void mvfs__stripe_exclusive(struct mvfs__stripe *stripe,
			    struct mvfs__latch *latch, unsigned number)
{
	unsigned i;

	pthread_rwlock_wrlock(&stripe->lock);
	atomic_store_explicit(&stripe->calm, 0, memory_order_relaxed);
	if (!atomic_load(&stripe->biased))
		return;
	atomic_store(&stripe->biased, 0);
	mvfs__barrier_all();
	for (i = 0; i < MVFS__SEATS; i++)
		wait_until_not(&latch->slot[i].stripe, number + 1);
}

void mvfs__stripe_end_slow(struct mvfs__stripe *stripe)
{
	pthread_rwlock_unlock(&stripe->lock);
}
