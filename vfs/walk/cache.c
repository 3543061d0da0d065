/* SPDX-License-Identifier: MIT */
/*
 * The per-thread cache of look-ups: see cache.h.
 *
 * A thread's slots are made at its first walk, and freed when it ends. They
 * are no per-thread variable: because small ones are reached without a call,
 * all per-thread variables of the library have to find room where dlopen(3)
 * has less than 2 KiB left.
 *
 * A thread without memory for them, or whose end would not be seen, and one
 * that is ending, has slots that stay empty.
 */
#include "config.h"

#include "vfs/walk/cache.h"

#include <pthread.h>

#include "vfs/mem/mem.h"

MVFS__SMALL_TLS _Thread_local struct mvfs__cache_slot *mvfs__cache_mine;

/* Of all threads that have none; never written. */
static struct mvfs__cache_slot none[MVFS__CACHE_SLOTS];

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key; /* written once, read after pthread_once() */

/* Destructors that run after this one may still walk. */
static void leave(void *slots)
{
	mvfs__cache_mine = none;
	mvfs__free(slots);
}

static void install(void)
{
	has_key = !pthread_key_create(&key, leave);
}

/* Where the library is unloaded, threads must not come back to it. */
static __attribute__((__destructor__)) void uninstall(void)
{
	if (has_key)
		(void)pthread_key_delete(key);
}

struct mvfs__cache_slot *mvfs__cache_make(void)
{
	const size_t size = sizeof(none);
	struct mvfs__cache_slot *slots;

	pthread_once(&once, install);
	slots = has_key ? mvfs__memalign(sizeof(*slots), size) : NULL;
	if (!slots)
		return none;
	if (pthread_setspecific(key, slots)) {
		mvfs__free(slots);
		return none;
	}
	memset(slots, 0, size);
	return mvfs__cache_mine = slots;
}

static bool is_mine(const struct mvfs__cache_slot *slot)
{
	return slot < none || slot >= none + MVFS__CACHE_SLOTS;
}

struct mvfs__node *mvfs__cache_node_miss(struct mvfs__cache_slot *slot,
					 const struct mvfs__table *table,
					 uint64_t ino)
{
	struct mvfs__node *node = mvfs__table_get(table, ino);

	if (is_mine(slot)) {
		slot->node = node;
		slot->generation = node ? table->generation : 0;
		slot->dir = ino;
	}
	return node;
}

bool mvfs__cache_miss(struct mvfs__cache_slot *slot,
		      const struct mvfs__table *table,
		      const struct mvfs__seed *seed,
		      const struct mvfs__node *dir, const uint64_t end[2],
		      struct mvfs__name *name, struct mvfs__entry **entry,
		      struct mvfs__node **node)
{
	*name = mvfs__name_make(seed, name->bytes, name->len);
	*entry = mvfs__dir_find(&dir->u.dir, name);
	if (!*entry)
		return false;
	*node = mvfs__table_get(table, (*entry)->ino);
	assert(*node);
	if (!is_mine(slot))
		return true;
	*slot = (struct mvfs__cache_slot){
		.generation = table->generation,
		.dir = mvfs__node_ino(dir),
		.end = { end[0], end[1] },
		.len = name->len,
		.hash = name->hash,
		.entry = *entry,
		.node = *node,
	};
	return true;
}
