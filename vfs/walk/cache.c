/* SPDX-License-Identifier: MIT */
/*
 * The per-thread cache of look-ups: see cache.h.
 *
 * A seat has the slots (vfs/mem/thread.h): they are made for the first thread
 * in it that walks, and whoever has it later goes on with them, for what they
 * hold is believed in its own generation only. They are no per-thread
 * variable: because small ones are reached without a call, all per-thread
 * variables of the library have to find room where dlopen(3) has less than
 * 2 KiB left. Nor are they freed with the thread: then those of the others
 * would be lost in the child of a fork(2).
 *
 * A thread without a seat, or without memory for them, has slots that stay
 * empty.
 */
#include "config.h"

#include "vfs/walk/cache.h"

#include "vfs/mem/mem.h"

#define LINE 64 /* of the processor's cache: a slot, where pointers are wide */

static struct mvfs__cache_slot *of_seat[MVFS__SEATS];

/* Of all threads that have none; never written. */
static struct mvfs__cache_slot none[MVFS__CACHE_SLOTS];

struct mvfs__cache_slot *mvfs__cache_make(void)
{
	const struct mvfs__thread *self = mvfs__thread();
	struct mvfs__cache_slot **slots;

	if (self->seat == MVFS__SEATS)
		return none;
	slots = &of_seat[self->seat];
	if (!*slots) {
		*slots = mvfs__memalign(LINE, sizeof(none));
		if (!*slots)
			return none;
		memset(*slots, 0, sizeof(none));
	}
	mvfs__thread_self.cache = *slots;
	return *slots;
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
