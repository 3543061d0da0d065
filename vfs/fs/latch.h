/* SPDX-License-Identifier: MIT */
/*
 * The instance lock, and the locks of nodes' data inside it: shared by
 * readers for next to nothing, exclusive for one writer.
 *
 * A lock is either biased or not. While it is biased, a reader that has a
 * seat (thread.h) says so in its own line with a plain store, and looks
 * whether the bias is still there:
 *
 *     reader: inside = 1; biased?            writer: biased = 0; barrier in
 *             yes: go on  no: the slow way           all threads; all inside
 *                                                    0? go on
 *
 * A writer ends the bias, makes every thread's stores visible by one system
 * call, and waits for those who are inside. Without the bias a reader counts
 * itself, atomically, and looks for a writer; a writer that waits makes
 * readers queue at its mutex, so nobody starves. After CALM readings with no
 * writer in between the lock is biased again: so the system call is paid once
 * in that many readings at most, and a tree that is being changed pays
 * nothing for it. (BRAVO: Dice and Kogan, 2019; the barrier on one side only
 * is membarrier(2)'s.)
 *
 * pthread_rwlock_t alone was rejected: all readers write one line. Counting
 * alone was: its two atomic operations are half of what reading a string
 * takes. A bias that every writer has to break was: creating a file would
 * take twice as long.
 */
#ifndef MVFS__LATCH_H
#define MVFS__LATCH_H

#include <pthread.h>
#include <stdatomic.h>

#include "vfs/fs/thread.h"

enum { MVFS__LATCH_CALM = 512 };

/* A lock for the data of the nodes whose numbers fall on it. */
struct mvfs__stripe {
	pthread_rwlock_t lock;
	atomic_uint biased;
	atomic_uint calm; /* readings since the last writer, about */
};

struct mvfs__latch {
	pthread_mutex_t writer;
	atomic_uint writing;
	atomic_uint biased;
	atomic_uint writes; /* how many there were, going round */
	char line[64];
	struct mvfs__latch_slot {
		/* of all threads whose number falls on it */
		atomic_uint readers;
		/* of the thread in that seat alone */
		atomic_uint inside;
		atomic_uint stripe; /* the number of one, and 1; 0: none */
		unsigned calm, writes;
		char line[64 - 5 * sizeof(unsigned)];
	} slot[MVFS__SEATS];
};

void mvfs__latch_init(struct mvfs__latch *latch);
void mvfs__latch_destroy(struct mvfs__latch *latch);
void mvfs__latch_exclusive(struct mvfs__latch *latch);
void mvfs__latch_exclusive_end(struct mvfs__latch *latch);

/*
 * In the child of a fork(2) that held it exclusively. Readers who had just
 * come, and were about to find that out, are in their slots and in no thread.
 */
void mvfs__latch_after_fork(struct mvfs__latch *latch);

/* Without the bias. */
void mvfs__latch_shared_slow(struct mvfs__latch *latch,
			     const struct mvfs__thread *self);
void mvfs__latch_shared_end_slow(struct mvfs__latch *latch,
				 const struct mvfs__thread *self);

/* Returns whether by the bias, which the end wants to know. */
static inline bool mvfs__latch_shared(struct mvfs__latch *latch,
				      const struct mvfs__thread *self)
{
	struct mvfs__latch_slot *slot;

	if (mvfs__likely(self->seat < MVFS__SEATS)) {
		slot = &latch->slot[self->seat];
		atomic_store_explicit(&slot->inside, 1, memory_order_relaxed);
		/* the writer's barrier is what orders these for the machine */
		atomic_signal_fence(memory_order_seq_cst);
		if (mvfs__likely(atomic_load_explicit(&latch->biased,
						      memory_order_acquire)))
			return true;
		atomic_store_explicit(&slot->inside, 0, memory_order_release);
	}
	mvfs__latch_shared_slow(latch, self);
	return false;
}

static inline void mvfs__latch_shared_end(struct mvfs__latch *latch,
					  const struct mvfs__thread *self,
					  bool biased)
{
	if (mvfs__likely(biased))
		atomic_store_explicit(&latch->slot[self->seat].inside, 0,
				      memory_order_release);
	else
		mvfs__latch_shared_end_slow(latch, self);
}

void mvfs__stripe_init(struct mvfs__stripe *stripe);
void mvfs__stripe_destroy(struct mvfs__stripe *stripe);

/*
 * Stripe `number` of an instance, whose latch the caller has shared. A thread
 * has one at a time.
 */
void mvfs__stripe_shared_slow(struct mvfs__stripe *stripe);
void mvfs__stripe_exclusive(struct mvfs__stripe *stripe,
			    struct mvfs__latch *latch, unsigned number);
void mvfs__stripe_end_slow(struct mvfs__stripe *stripe);

static inline bool mvfs__stripe_shared(struct mvfs__stripe *stripe,
				       struct mvfs__latch *latch,
				       const struct mvfs__thread *self,
				       unsigned number)
{
	struct mvfs__latch_slot *slot;

	if (mvfs__likely(self->seat < MVFS__SEATS)) {
		slot = &latch->slot[self->seat];
		atomic_store_explicit(&slot->stripe, number + 1,
				      memory_order_relaxed);
		atomic_signal_fence(memory_order_seq_cst);
		if (mvfs__likely(atomic_load_explicit(&stripe->biased,
						      memory_order_acquire)))
			return true;
		atomic_store_explicit(&slot->stripe, 0, memory_order_release);
	}
	mvfs__stripe_shared_slow(stripe);
	return false;
}

static inline void mvfs__stripe_end(struct mvfs__stripe *stripe,
				    struct mvfs__latch *latch,
				    const struct mvfs__thread *self,
				    bool biased)
{
	if (mvfs__likely(biased))
		atomic_store_explicit(&latch->slot[self->seat].stripe, 0,
				      memory_order_release);
	else
		mvfs__stripe_end_slow(stripe);
}

#endif
