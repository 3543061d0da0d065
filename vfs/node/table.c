/* SPDX-License-Identifier: MIT */
/* The nodes of an instance: see table.h. */
#include "config.h"

#include "vfs/node/table.h"

#include <errno.h>
#include <stdatomic.h>

#include "vfs/mem/mem.h"

static _Atomic uint64_t unique = 1;

uint64_t mvfs__unique(void)
{
	return atomic_fetch_add_explicit(&unique, 1, memory_order_relaxed);
}

void mvfs__table_init(struct mvfs__table *table)
{
	*table = (struct mvfs__table){
		.next_ino = MVFS__ROOT_INO,
		.epoch = mvfs__unique(),
		.generation = mvfs__unique(),
	};
}

void mvfs__table_share_nodes(struct mvfs__table *from, struct mvfs__trie *to)
{
	mvfs__trie_share(&from->nodes, to);
	from->epoch = mvfs__unique();
}

void mvfs__table_share(struct mvfs__table *from, struct mvfs__table *to)
{
	mvfs__table_init(to);
	mvfs__table_share_nodes(from, &to->nodes);
	to->next_ino = from->next_ino;
}

void mvfs__table_clear(struct mvfs__table *table, struct mvfs__bin *bin)
{
	assert(!table->holds && !table->orphans);
	mvfs__trie_clear(&table->nodes, bin);
}

struct mvfs__hold *mvfs__table_hold_get(const struct mvfs__table *table,
					uint64_t ino)
{
	struct mvfs__hold *hold;

	HASH_FIND(hh, table->holds, &ino, sizeof(ino), hold);
	return hold;
}

struct mvfs__node *mvfs__table_orphan(const struct mvfs__table *table,
				      uint64_t ino)
{
	struct mvfs__hold *hold = mvfs__table_hold_get(table, ino);

	return hold ? hold->orphan : NULL;
}

/* An orphan that a clone still shares is copied like any other node. */
static struct mvfs__node *own_orphan(struct mvfs__table *table, uint64_t ino,
				     struct mvfs__bin *bin)
{
	struct mvfs__hold *hold = mvfs__table_hold_get(table, ino);
	struct mvfs__node *copy;

	assert(hold && hold->orphan);
	if (!mvfs__obj_is_mine(&hold->orphan->obj)) {
		copy = mvfs__node_copy(hold->orphan);
		if (!copy)
			return NULL;
		mvfs__obj_drop(&hold->orphan->obj, bin);
		hold->orphan = copy;
		table->generation = mvfs__unique();
	}
	hold->orphan->epoch = table->epoch;
	return hold->orphan;
}

struct mvfs__node *mvfs__table_own(struct mvfs__table *table, uint64_t ino,
				   struct mvfs__bin *bin)
{
	struct mvfs__obj *obj = mvfs__trie_get(&table->nodes, ino);
	struct mvfs__node *node = (struct mvfs__node *)obj;

	if (!node)
		return own_orphan(table, ino, bin);
	if (mvfs__table_is_own(table, node))
		return node;
	if (mvfs__trie_own(&table->nodes, ino, &obj, bin))
		return NULL;
	node = (struct mvfs__node *)obj;
	if (!mvfs__obj_is_mine(obj)) {
		node = mvfs__node_copy(node);
		if (!node)
			return NULL;
		/* cannot fail: the key is there and its path is own */
		if (mvfs__trie_put(&table->nodes, &node->obj, bin))
			assert(!"put of an owned key failed");
		table->generation = mvfs__unique();
	}
	node->epoch = table->epoch;
	return node;
}

int mvfs__table_add(struct mvfs__table *table, struct mvfs__node *node,
		    struct mvfs__bin *bin)
{
	int rc = mvfs__trie_put(&table->nodes, &node->obj, bin);

	if (!rc)
		node->epoch = table->epoch;
	return rc;
}

/* Takes the number out of the trie; its path is own, so it cannot fail. */
static void take_out(struct mvfs__table *table, struct mvfs__node *node,
		     struct mvfs__bin *bin)
{
	assert(mvfs__table_is_own(table, node));
	if (mvfs__trie_remove(&table->nodes, mvfs__node_ino(node), bin))
		assert(!"removal of an owned key failed");
}

bool mvfs__table_remove(struct mvfs__table *table, struct mvfs__node *node,
			struct mvfs__bin *bin)
{
	struct mvfs__hold *hold;

	hold = mvfs__table_hold_get(table, mvfs__node_ino(node));
	if (!hold) {
		take_out(table, node, bin);
		return true;
	}
	mvfs__obj_retain(&node->obj);
	take_out(table, node, bin);
	hold->orphan = node;
	table->orphans++;
	return false;
}

int mvfs__table_revive(struct mvfs__table *table, uint64_t ino,
		       struct mvfs__bin *bin)
{
	struct mvfs__hold *hold = mvfs__table_hold_get(table, ino);
	int rc;

	assert(hold && hold->orphan);
	rc = mvfs__table_add(table, hold->orphan, bin);
	if (rc)
		return rc;
	hold->orphan = NULL;
	table->orphans--;
	return 0;
}

static struct mvfs__hold *new_hold(struct mvfs__table *table, uint64_t ino)
{
	struct mvfs__hold *hold = mvfs__calloc(1, sizeof(*hold));

	if (!hold)
		return NULL;
	hold->ino = ino;
	hold->count = 1;
	HASH_ADD(hh, table->holds, ino, sizeof(hold->ino), hold);
	if (!hold->count) { /* uthash ran out of memory */
		mvfs__free(hold);
		return NULL;
	}
	return hold;
}

struct mvfs__hold *mvfs__table_hold(struct mvfs__table *table, uint64_t ino)
{
	struct mvfs__hold *hold = mvfs__table_hold_get(table, ino);

	if (!hold)
		return new_hold(table, ino);
	hold->count++;
	return hold;
}

int mvfs__table_add_orphan(struct mvfs__table *table, struct mvfs__node *node)
{
	struct mvfs__hold *hold = new_hold(table, mvfs__node_ino(node));

	if (!hold)
		return -ENOMEM;
	hold->orphan = node;
	node->epoch = table->epoch;
	table->orphans++;
	return 0;
}

struct mvfs__node *mvfs__table_unhold(struct mvfs__table *table, uint64_t ino,
				      uint64_t count)
{
	struct mvfs__hold *hold = mvfs__table_hold_get(table, ino);
	struct mvfs__node *orphan;

	assert(hold && hold->count >= count);
	hold->count -= count;
	if (hold->count)
		return NULL;
	assert(!hold->locks);
	orphan = hold->orphan;
	if (orphan)
		table->orphans--;
	HASH_DEL(table->holds, hold);
	mvfs__free(hold);
	return orphan;
}

/* What is held and will not be there becomes an orphan: a copy, ahead. */
static int copy_orphans(const struct mvfs__table *table,
			const struct mvfs__trie *nodes,
			struct mvfs__node **copies, struct mvfs__bin *bin)
{
	const struct mvfs__hold *hold;
	struct mvfs__node *copy;

	for (hold = table->holds; hold; hold = hold->hh.next, copies++) {
		*copies = NULL;
		if (hold->orphan || mvfs__trie_get(nodes, hold->ino))
			continue;
		copy = mvfs__node_copy(mvfs__table_get(table, hold->ino));
		if (!copy)
			return -ENOMEM;
		mvfs__node_unname(copy, bin);
		*copies = copy;
	}
	return 0;
}

/* In the order of the holds, as they were copied. */
static void place_orphans(struct mvfs__table *table,
			  const struct mvfs__trie *nodes,
			  struct mvfs__node *const *copies,
			  struct mvfs__bin *bin)
{
	struct mvfs__hold *hold;

	for (hold = table->holds; hold; hold = hold->hh.next, copies++) {
		if (hold->orphan && mvfs__trie_get(nodes, hold->ino)) {
			mvfs__obj_drop(&hold->orphan->obj, bin);
			hold->orphan = NULL;
			table->orphans--;
		} else if (*copies) {
			hold->orphan = *copies;
			hold->orphan->epoch = table->epoch;
			table->orphans++;
		}
	}
}

int mvfs__table_restore(struct mvfs__table *table,
			const struct mvfs__trie *nodes, struct mvfs__bin *bin)
{
	size_t count = HASH_COUNT(table->holds), i;
	struct mvfs__trie before = table->nodes;
	struct mvfs__node **copies;
	int rc;

	copies = mvfs__calloc(count + 1, sizeof(*copies));
	if (!copies)
		return -ENOMEM;
	rc = copy_orphans(table, nodes, copies, bin);
	if (rc) {
		for (i = 0; i < count; i++)
			if (copies[i])
				mvfs__obj_drop(&copies[i]->obj, bin);
		mvfs__free(copies);
		return rc;
	}
	table->epoch = mvfs__unique();
	table->generation = mvfs__unique();
	place_orphans(table, nodes, copies, bin);
	mvfs__trie_share(nodes, &table->nodes);
	mvfs__trie_clear(&before, bin);
	mvfs__free(copies);
	return 0;
}

void mvfs__table_roll_back(struct mvfs__table *table,
			   struct mvfs__trie *nodes, struct mvfs__bin *bin)
{
	mvfs__trie_clear(&table->nodes, bin);
	table->nodes = *nodes;
	table->epoch = mvfs__unique();
	table->generation = mvfs__unique();
}
