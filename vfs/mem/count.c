/* SPDX-License-Identifier: MIT */
/*
 * Who counts: the threads that have, and what those that are gone have left.
 *
 * A thread enters the list when it counts first, and when it ends its counts
 * are added to those of the dead. Where it cannot enter (there are no keys
 * left), or counts while it ends, each addition is made in both places.
 *
 * A fork(2) leaves one thread. What the others had counted until then is
 * summed up before, for their counters are not there in the child. Its
 * handlers come before those of whoever takes locks and allocates under them,
 * because allocating is counted first; so this mutex is the last to be taken.
 */
#include "config.h"

#include <pthread.h>

#include "vfs/mem/mem.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct mvfs__mem_thread *threads; /* that are LISTED */
static struct mvfs__mem_thread gone;     /* the sum of those that are not */
static struct mvfs__mem_thread others;   /* than the one that forks */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

static uint64_t get(const _Atomic uint64_t *counter)
{
	/* C11 atomics are not const-correct */
	return atomic_load_explicit((_Atomic uint64_t *)(uintptr_t)counter,
				    memory_order_relaxed);
}

static void add(_Atomic uint64_t *counter, const _Atomic uint64_t *n)
{
	atomic_fetch_add_explicit(counter, get(n), memory_order_relaxed);
}

static void add_all(struct mvfs__mem_thread *sum,
		    const struct mvfs__mem_thread *t)
{
	add(&sum->allocations, &t->allocations);
	add(&sum->copies, &t->copies);
	add(&sum->copied_bytes, &t->copied_bytes);
	add(&sum->classified_bytes, &t->classified_bytes);
	add(&sum->shares, &t->shares);
	add(&sum->trie_copies, &t->trie_copies);
}

static void enlist(struct mvfs__mem_thread *t)
{
	t->next = threads;
	t->back = &threads;
	if (t->next)
		t->next->back = &t->next;
	threads = t;
	t->listed = MVFS__MEM_LISTED;
}

static void leave(void *arg)
{
	struct mvfs__mem_thread *t = arg;

	pthread_mutex_lock(&mutex);
	assert(t->listed == MVFS__MEM_LISTED);
	*t->back = t->next;
	if (t->next)
		t->next->back = t->back;
	add_all(&gone, t);
	t->listed = MVFS__MEM_UNLISTED;
	pthread_mutex_unlock(&mutex);
}

static void before_fork(void)
{
	const struct mvfs__mem_thread *t;

	pthread_mutex_lock(&mutex);
	memset(&others, 0, sizeof(others));
	for (t = threads; t; t = t->next)
		if (t != &mvfs__mem_thread)
			add_all(&others, t);
}

static void after_fork_in_parent(void)
{
	pthread_mutex_unlock(&mutex);
}

static void after_fork_in_child(void)
{
	add_all(&gone, &others);
	threads = NULL;
	if (mvfs__mem_thread.listed == MVFS__MEM_LISTED)
		enlist(&mvfs__mem_thread);
	pthread_mutex_unlock(&mutex);
}

static void install(void)
{
	has_key = !pthread_key_create(&key, leave);
	(void)pthread_atfork(before_fork, after_fork_in_parent,
			     after_fork_in_child);
}

/* Where the library is unloaded, threads must not come back to it. */
static __attribute__((__destructor__)) void uninstall(void)
{
	if (has_key)
		(void)pthread_key_delete(key);
}

void mvfs__mem_unlisted(const _Atomic uint64_t *counter, uint64_t n)
{
	struct mvfs__mem_thread *t = &mvfs__mem_thread;
	size_t at = (size_t)((const char *)counter - (const char *)t);

	pthread_once(&once, install);
	if (t->listed == MVFS__MEM_NEW && has_key &&
	    !pthread_setspecific(key, t)) {
		pthread_mutex_lock(&mutex);
		enlist(t);
		pthread_mutex_unlock(&mutex);
		return;
	}
	t->listed = MVFS__MEM_UNLISTED;
	atomic_fetch_add_explicit((_Atomic uint64_t *)((char *)&gone + at), n,
				  memory_order_relaxed);
}

static void tell(const struct mvfs__mem_thread *t, struct mvfs_stats *stats)
{
	stats->allocations = get(&t->allocations);
	stats->copies = get(&t->copies);
	stats->copied_bytes = get(&t->copied_bytes);
	stats->classified_bytes = get(&t->classified_bytes);
	stats->shares = get(&t->shares);
	stats->tree_copies = get(&t->trie_copies);
}

void mvfs__mem_stats_thread(struct mvfs_stats *stats)
{
	tell(&mvfs__mem_thread, stats);
}

void mvfs__mem_stats_process(struct mvfs_stats *stats)
{
	struct mvfs__mem_thread sum = { 0 };
	const struct mvfs__mem_thread *t;

	/* a fork must not find the mutex taken, whoever takes it first */
	pthread_once(&once, install);
	pthread_mutex_lock(&mutex);
	add_all(&sum, &gone);
	for (t = threads; t; t = t->next)
		add_all(&sum, t);
	pthread_mutex_unlock(&mutex);
	tell(&sum, stats);
}
