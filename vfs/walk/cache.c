/* SPDX-License-Identifier: MIT */
/* The per-thread cache of look-ups: see cache.h. */
#include "config.h"

#include "vfs/walk/cache.h"

static _Thread_local struct mvfs__cache_slot slots[MVFS__CACHE_SLOTS];

struct mvfs__cache_slot *mvfs__cache(void)
{
	return slots;
}

bool mvfs__cache_miss(struct mvfs__cache_slot *slot,
		      const struct mvfs__table *table,
		      const struct mvfs__seed *seed,
		      const struct mvfs__node *dir, struct mvfs__name *name,
		      struct mvfs__entry **entry, struct mvfs__node **node)
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
		.entry = *entry,
		.node = *node,
	};
	return true;
}
