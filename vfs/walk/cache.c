/* SPDX-License-Identifier: MIT */
/* The per-thread cache of look-ups: see cache.h. */
#include "config.h"

#include "vfs/walk/cache.h"

#include <string.h>

enum { SLOTS = 256 };

struct slot {
	uint64_t generation; /* 0: empty */
	uint64_t dir;
	uint64_t hash;
	struct mvfs__entry *entry;
	struct mvfs__node *node;
};

static _Thread_local struct slot slots[SLOTS];

static bool is_name(const struct mvfs__entry *entry,
		    const struct mvfs__name *name)
{
	return entry->len == name->len &&
	       !memcmp(entry->name, name->bytes, name->len);
}

bool mvfs__cache_lookup(const struct mvfs__table *table,
			const struct mvfs__node *dir,
			const struct mvfs__name *name,
			struct mvfs__entry **entry, struct mvfs__node **node)
{
	uint64_t ino = mvfs__node_ino(dir);
	struct slot *slot = &slots[(name->hash ^ ino) % SLOTS];

	if (slot->generation == table->generation && slot->dir == ino &&
	    slot->hash == name->hash && is_name(slot->entry, name)) {
		*entry = slot->entry;
		*node = slot->node;
		return true;
	}
	*entry = mvfs__dir_find(&dir->u.dir, name);
	if (!*entry)
		return false;
	*node = mvfs__table_get(table, (*entry)->ino);
	assert(*node);
	*slot = (struct slot){
		.generation = table->generation,
		.dir = ino,
		.hash = name->hash,
		.entry = *entry,
		.node = *node,
	};
	return true;
}
