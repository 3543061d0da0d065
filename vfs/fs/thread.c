/* SPDX-License-Identifier: MIT */
/* Numbers and seats of threads: see thread.h. */
#include "config.h"

#include "vfs/fs/thread.h"

#include <pthread.h>
#include <stdatomic.h>

MVFS__SMALL_TLS _Thread_local struct mvfs__thread mvfs__thread_self;

static atomic_uint numbers = 1;
static atomic_uint taken; /* seats, as bits */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

/* A thread ends; what it calls after this does without a seat. */
static void leave(void *arg)
{
	(void)arg;
	atomic_fetch_and_explicit(&taken, ~(1u << mvfs__thread_self.seat),
				  memory_order_release);
	mvfs__thread_self.seat = MVFS__SEATS;
}

static void make_key(void)
{
	has_key = pthread_key_create(&key, leave) == 0;
}

/* Where the library is unloaded, threads must not come back to it. */
static __attribute__((__destructor__)) void unmake_key(void)
{
	if (has_key)
		(void)pthread_key_delete(key);
}

static unsigned take_seat(void)
{
	unsigned bits = atomic_load_explicit(&taken, memory_order_relaxed);
	unsigned seat;

	do {
		seat = (unsigned)__builtin_ctz(~bits);
		if (seat >= MVFS__SEATS)
			return MVFS__SEATS;
	} while (!atomic_compare_exchange_weak_explicit(
			&taken, &bits, bits | 1u << seat,
			memory_order_acquire, memory_order_relaxed));
	return seat;
}

void mvfs__thread_enter(void)
{
	struct mvfs__thread *self = &mvfs__thread_self;

	do
		self->number = atomic_fetch_add_explicit(&numbers, 1,
							 memory_order_relaxed);
	while (!self->number);
	self->seat = MVFS__SEATS;
	pthread_once(&once, make_key);
	/* a seat that could not be given back is not taken */
	if (!has_key || pthread_setspecific(key, self))
		return;
	self->seat = take_seat();
	if (self->seat == MVFS__SEATS)
		pthread_setspecific(key, NULL);
}

void mvfs__thread_after_fork(void)
{
	unsigned seat = mvfs__thread_self.seat;

	atomic_store(&taken, seat < MVFS__SEATS ? 1u << seat : 0);
}
