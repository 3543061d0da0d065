/* SPDX-License-Identifier: MIT */
/*
 * The nodes of one instance: the trie of those that have a name, and what
 * is held of them by number (open files, an adapter's pins, working
 * directories). A node whose last name goes while it is held leaves the trie
 * for its hold, and so no clone contains it: an orphan.
 *
 *     nodes (shared with clones):  ino -> node
 *     holds (this instance's own): ino -> {count, orphan, locks}
 *
 * The instance lock guards all of it: shared to look up, exclusive to change.
 *
 * epoch: the number, unique in the process, of the time since this instance
 * last shared its tree. A node with this epoch, and the path to it, are its
 * own. generation: unique likewise, renewed whenever what a name leads to
 * may have changed; a cached look-up is good while it is the same.
 */
#ifndef MVFS__TABLE_H
#define MVFS__TABLE_H

#include "vfs/mem/hash.h"
#include "vfs/node/node.h"

#define MVFS__ROOT_INO 1u

struct mvfs__range_lock;

struct mvfs__hold {
	uint64_t ino;
	uint64_t count;            /* > 0 */
	struct mvfs__node *orphan; /* once it has no name: its reference */
	struct mvfs__range_lock *locks; /* of vfs/handle/lock.h */
	UT_hash_handle hh;
};

struct mvfs__table {
	struct mvfs__trie nodes;
	struct mvfs__hold *holds;
	uint64_t orphans;
	uint64_t next_ino;
	uint64_t kept; /* numbers below it may be in a snapshot; <= next_ino */
	uint64_t epoch;
	uint64_t generation;
};

/* A number that no other call in this process ever returned. */
uint64_t mvfs__unique(void);

void mvfs__table_init(struct mvfs__table *table);
/* Another reference to the nodes; both get a new epoch; holds stay. */
void mvfs__table_share(struct mvfs__table *from, struct mvfs__table *to);
/* The same for nodes that stay as they are now. */
void mvfs__table_share_nodes(struct mvfs__table *from, struct mvfs__trie *to);
/* Drops the nodes. Holds must be gone. */
void mvfs__table_clear(struct mvfs__table *table, struct mvfs__bin *bin);

struct mvfs__node *mvfs__table_orphan(const struct mvfs__table *table,
				      uint64_t ino);

/* Borrowed, or NULL. */
static inline struct mvfs__node *
mvfs__table_get(const struct mvfs__table *table, uint64_t ino)
{
	struct mvfs__node *node;

	node = (struct mvfs__node *)mvfs__trie_get(&table->nodes, ino);
	if (mvfs__likely(node != NULL)) {
		/* its times and what it holds will be wanted next */
		__builtin_prefetch(node->sec);
		__builtin_prefetch(&node->u);
		return node;
	}
	return table->orphans ? mvfs__table_orphan(table, ino) : NULL;
}

static inline bool mvfs__table_is_own(const struct mvfs__table *table,
				      const struct mvfs__node *node)
{
	return node->epoch == table->epoch;
}

/*
 * The node of that number (which exists) as the instance's own, path and
 * all; NULL without memory. Exclusive only. A pointer got before may be
 * stale afterwards.
 */
struct mvfs__node *mvfs__table_own(struct mvfs__table *table, uint64_t ino,
				   struct mvfs__bin *bin);

/* Takes over the reference of a node that has no place yet; or -ENOMEM. */
int mvfs__table_add(struct mvfs__table *table, struct mvfs__node *node,
		    struct mvfs__bin *bin);

/*
 * The own node leaves the trie: to its hold, or into the bin if nobody holds
 * it. Cannot fail. True if it is gone for good.
 */
bool mvfs__table_remove(struct mvfs__table *table, struct mvfs__node *node,
			struct mvfs__bin *bin);
/* The reverse, for an orphan that gets a name again. 0 or -ENOMEM. */
int mvfs__table_revive(struct mvfs__table *table, uint64_t ino,
		       struct mvfs__bin *bin);

struct mvfs__hold *mvfs__table_hold_get(const struct mvfs__table *table,
					uint64_t ino);
/* One more hold on a number that exists; NULL without memory. */
struct mvfs__hold *mvfs__table_hold(struct mvfs__table *table, uint64_t ino);
/* A new node that has no name: it begins as an orphan with one hold. */
int mvfs__table_add_orphan(struct mvfs__table *table,
			   struct mvfs__node *node);
/*
 * Takes `count` holds back. An orphan that nobody holds any more is returned
 * for the caller to account for and drop; else NULL.
 */
struct mvfs__node *mvfs__table_unhold(struct mvfs__table *table, uint64_t ino,
				      uint64_t count);

/*
 * The nodes become those of the trie, of which they take another reference. A
 * hold on what is not among them keeps its node as it is now, as an orphan; a
 * hold on an orphan that is among them has that one instead. 0; -ENOMEM:
 * nothing has changed.
 */
int mvfs__table_restore(struct mvfs__table *table,
			const struct mvfs__trie *nodes,
			struct mvfs__bin *bin);

/*
 * The nodes become those of the trie, whose reference is taken over: what
 * they were before a change of which nobody has seen anything.
 */
void mvfs__table_roll_back(struct mvfs__table *table,
			   struct mvfs__trie *nodes, struct mvfs__bin *bin);

#endif
