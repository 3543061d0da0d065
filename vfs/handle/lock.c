/* SPDX-License-Identifier: MIT */
/* Ranges with owners: see lock.h. */
#include "config.h"

#include "vfs/handle/lock.h"

#include <errno.h>

#include "vfs/mem/mem.h"

static bool same_owner(const struct mvfs__range_lock *a,
		       const struct mvfs__range_lock *b)
{
	return a->space == b->space && a->owner == b->owner &&
	       a->kind == b->kind;
}

static bool overlap(const struct mvfs__range_lock *a,
		    const struct mvfs__range_lock *b)
{
	return a->start <= b->end && b->start <= a->end;
}

const struct mvfs__range_lock *
mvfs__lock_conflict(const struct mvfs__range_lock *list,
		    const struct mvfs__range_lock *want)
{
	if (want->type == MVFS__UNLOCK)
		return NULL;
	for (; list; list = list->next)
		if (list->space == want->space && !same_owner(list, want) &&
		    overlap(list, want) &&
		    (list->type == MVFS__WRITE_LOCK ||
		     want->type == MVFS__WRITE_LOCK))
			return list;
	return NULL;
}

/* Cuts `want`'s range out of a lock of its owner; *spare for a second half. */
static void cut(struct mvfs__range_lock **at,
		const struct mvfs__range_lock *want,
		struct mvfs__range_lock **spare)
{
	struct mvfs__range_lock *lock = *at, *tail;

	if (lock->start >= want->start && lock->end <= want->end) {
		*at = lock->next;
		mvfs__free(lock);
		return;
	}
	if (lock->start < want->start && lock->end > want->end) {
		tail = *spare;
		*spare = NULL;
		assert(tail);
		*tail = *lock;
		tail->start = want->end + 1;
		lock->end = want->start - 1;
		lock->next = tail;
	} else if (lock->start < want->start) {
		lock->end = want->start - 1;
	} else {
		lock->start = want->end + 1;
	}
}

/* Whether `a` ends where `b` begins. */
static bool touches(const struct mvfs__range_lock *a,
		    const struct mvfs__range_lock *b)
{
	return a->end != UINT64_MAX && a->end + 1 == b->start;
}

/* Takes in a neighbour of the same owner and type, which then is freed. */
static void absorb(struct mvfs__range_lock **list,
		   struct mvfs__range_lock *into)
{
	struct mvfs__range_lock **at = list, *lock;

	while ((lock = *at)) {
		if (lock == into || !same_owner(lock, into) ||
		    lock->type != into->type ||
		    (!touches(lock, into) && !touches(into, lock))) {
			at = &lock->next;
			continue;
		}
		if (lock->start < into->start)
			into->start = lock->start;
		else
			into->end = lock->end;
		*at = lock->next;
		mvfs__free(lock);
	}
}

/* Whether the owner holds something that reaches out of the range on both
 * sides, so that cutting makes two of one. */
static bool splits(const struct mvfs__range_lock *list,
		   const struct mvfs__range_lock *want)
{
	for (; list; list = list->next)
		if (same_owner(list, want) && list->start < want->start &&
		    list->end > want->end)
			return true;
	return false;
}

/*
 * Linux's order, which F_GETLK shows: owners as they came, the locks of one
 * by where they start. First before all of the same owner, so that an owner
 * keeps his place even if the new lock takes in all that he had.
 */
static void insert(struct mvfs__range_lock **list,
		   struct mvfs__range_lock *lock)
{
	while (*list && !same_owner(*list, lock))
		list = &(*list)->next;
	lock->next = *list;
	*list = lock;
}

static void sort_in(struct mvfs__range_lock **list,
		    struct mvfs__range_lock *lock)
{
	struct mvfs__range_lock *next;

	while (*list != lock)
		list = &(*list)->next;
	while ((next = lock->next) && same_owner(next, lock) &&
	       next->start < lock->start) {
		*list = next;
		lock->next = next->next;
		next->next = lock;
		list = &next->next;
	}
}

int mvfs__lock_set(struct mvfs__range_lock **list,
		   const struct mvfs__range_lock *want, bool *changed)
{
	struct mvfs__range_lock *spare = NULL, *lock = NULL, **at, *next;

	*changed = false;
	if (splits(*list, want)) {
		spare = mvfs__malloc(sizeof(*spare));
		if (!spare)
			return -ENOMEM;
	}
	if (want->type != MVFS__UNLOCK) {
		lock = mvfs__malloc(sizeof(*lock));
		if (!lock) {
			mvfs__free(spare);
			return -ENOMEM;
		}
	}
	if (lock) {
		*lock = *want;
		insert(list, lock);
	}
	for (at = list; *at;) {
		next = *at;
		if (next == lock || !same_owner(next, want) ||
		    !overlap(next, want)) {
			at = &next->next;
			continue;
		}
		*changed |= next->type > want->type;
		cut(at, want, &spare);
		if (*at == next)
			at = &next->next;
	}
	assert(!spare);
	if (lock) {
		absorb(list, lock);
		sort_in(list, lock);
	}
	return 0;
}

bool mvfs__lock_drop_owner(struct mvfs__range_lock **list,
			   enum mvfs__lock_space space,
			   enum mvfs__lock_kind kind, uint64_t owner)
{
	struct mvfs__range_lock *lock;
	bool any = false;

	while ((lock = *list)) {
		if (lock->space != space || lock->owner != owner ||
		    lock->kind != kind) {
			list = &lock->next;
			continue;
		}
		*list = lock->next;
		mvfs__free(lock);
		any = true;
	}
	return any;
}

bool mvfs__lock_drop_via(struct mvfs__range_lock **list, uint64_t via)
{
	struct mvfs__range_lock *lock;
	bool any = false;

	while ((lock = *list)) {
		if (lock->via != via) {
			list = &lock->next;
			continue;
		}
		*list = lock->next;
		mvfs__free(lock);
		any = true;
	}
	return any;
}

void mvfs__lock_drop_all(struct mvfs__range_lock **list)
{
	struct mvfs__range_lock *lock;

	while ((lock = *list)) {
		*list = lock->next;
		mvfs__free(lock);
	}
}
