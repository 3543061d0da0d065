/* SPDX-License-Identifier: MIT */
/*
 * Which thread this is: a number that no other thread ever had, and, for the
 * first few that are alive, a seat that nobody else has meanwhile. What is
 * kept by seat is written by its holder alone, without atomic operations.
 * Where in the program it is, it says itself, for reports of what stays open.
 */
#ifndef MVFS__THREAD_H
#define MVFS__THREAD_H

#include "vfs/base/base.h"

enum { MVFS__SEATS = 16 };

struct mvfs__thread {
	unsigned number; /* never 0 */
	unsigned seat;   /* MVFS__SEATS: none is free */
	void *cache;     /* of walks, which its seat has; NULL: not asked for */
	const char *here; /* what it opens, it opens in that place; NULL */
};

extern MVFS__SMALL_TLS _Thread_local struct mvfs__thread mvfs__thread_self;
void mvfs__thread_enter(void);

/* In the child of a fork(2): the other threads' seats are free. */
void mvfs__thread_after_fork(void);

static inline const struct mvfs__thread *mvfs__thread(void)
{
	if (mvfs__unlikely(!mvfs__thread_self.number))
		mvfs__thread_enter();
	return &mvfs__thread_self;
}

#endif
