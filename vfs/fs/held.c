/* SPDX-License-Identifier: MIT */
/*
 * Strings that are told of as long as somebody holds them.
 *
 * The owner of a string is a buffer, and what ends with the last reference to
 * a buffer is what it adopted. So such a string gets a buffer that adopts the
 * bytes of the true one, and with it a place in a list. Only strings that are
 * read while this is asked for are made so: others are not counted, and the
 * buffers of files know of none of it. (To compare the references that a
 * buffer has with those that trees hold was rejected: clones and snapshots
 * hold them as well, and there is no list of these.)
 */
#include "config.h"

#include <errno.h>

#include "vfs/content/string.h"
#include "vfs/fs/op.h"
#include "vfs/mem/mem.h"

struct mvfs__held {
	pthread_mutex_t mutex;
	atomic_uint refs;  /* the instance's, and one of each string */
	atomic_bool ended; /* nobody looks at the list any more */
	struct held_string *first; /* under the mutex */
};

struct held_string {
	struct mvfs__held *of;
	struct held_string *next, **back;
	struct mvfs_string string; /* as it was made */
	uint64_t ino;
	const char *place;
	size_t number;
};

struct mvfs__held *mvfs__held_new(void)
{
	struct mvfs__held *held = mvfs__malloc(sizeof(*held));

	if (!held)
		return NULL;
	pthread_mutex_init(&held->mutex, NULL);
	atomic_init(&held->refs, 1);
	atomic_init(&held->ended, false);
	held->first = NULL;
	return held;
}

static void drop(struct mvfs__held *held)
{
	if (atomic_fetch_sub(&held->refs, 1) > 1)
		return;
	pthread_mutex_destroy(&held->mutex);
	mvfs__free(held);
}

void mvfs__held_lock(struct mvfs__held *held)
{
	pthread_mutex_lock(&held->mutex);
}

void mvfs__held_unlock(struct mvfs__held *held)
{
	pthread_mutex_unlock(&held->mutex);
}

/* After that no string takes the mutex, which no fork would see to. */
void mvfs__held_end(struct mvfs__held *held)
{
	mvfs__held_lock(held);
	assert(!atomic_load(&held->ended));
	atomic_store(&held->ended, true);
	mvfs__held_unlock(held);
	drop(held);
}

void mvfs__held_each(struct mvfs__held *held, mvfs__held_fn *fn, void *ctx)
{
	struct held_string *s;

	mvfs__held_lock(held);
	for (s = held->first; s; s = s->next)
		fn(ctx, s->ino, s->place, &s->number);
	mvfs__held_unlock(held);
}

static void list(struct held_string *s)
{
	struct mvfs__held *held = s->of;

	mvfs__held_lock(held);
	s->next = held->first;
	s->back = &held->first;
	if (s->next)
		s->next->back = &s->next;
	held->first = s;
	mvfs__held_unlock(held);
}

/* The last who held it lets go. */
static void let_go(void *ctx, void *bytes, size_t len)
{
	struct held_string *s = ctx;
	struct mvfs__held *held = s->of;

	assert(bytes == s->string.data && len == s->string.len);
	(void)bytes;
	(void)len;
	if (!atomic_load(&held->ended)) {
		mvfs__held_lock(held);
		*s->back = s->next;
		if (s->next)
			s->next->back = s->back;
		mvfs__held_unlock(held);
	}
	drop(held);
	mvfs__string_release(&s->string);
	mvfs__free(s);
}

int mvfs__op_hold(struct mvfs__op *op, uint64_t ino, struct mvfs_string *made,
		  struct mvfs_string *out)
{
	struct mvfs__held *held = op->fs->held;
	struct held_string *s = NULL;
	struct mvfs__buffer *owner = NULL;

	if (!made->owner) { /* empty: static bytes */
		*out = *made;
		return 0;
	}
	s = mvfs__malloc(sizeof(*s));
	if (s)
		owner = mvfs__buffer_adopt((void *)(uintptr_t)made->data,
					   made->len, let_go, s);
	if (!owner) {
		mvfs__free(s);
		mvfs__string_release(made);
		return -ENOMEM;
	}
	*s = (struct held_string){
		.of = held, .string = *made,
		.ino = ino, .place = op->self->here,
	};
	atomic_fetch_add(&held->refs, 1);
	list(s);
	*out = *made;
	out->owner = owner;
	return 0;
}
