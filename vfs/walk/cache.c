/* SPDX-License-Identifier: MIT */
/* The per-thread cache of look-ups: see cache.h. */
#include "config.h"

#include "vfs/walk/cache.h"

/* Too large for where the pointer is, which is reached without a call. */
static _Alignas(64) _Thread_local struct mvfs__cache_slot
	slots[MVFS__CACHE_SLOTS];
MVFS__SMALL_TLS _Thread_local struct mvfs__cache_slot *mvfs__cache_mine;

struct mvfs__cache_slot *mvfs__cache_make(void)
{
	return mvfs__cache_mine = slots;
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
