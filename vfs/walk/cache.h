/* SPDX-License-Identifier: MIT */
/*
 * What a thread looked up last: (directory, name) -> entry and node, valid
 * for one generation of a table. Generations are unique in the process and
 * compared, under the lock, before a cached pointer is followed, so a slot
 * of a tree that changed or ended can never be believed.
 *
 * A hit costs a multiplication and a comparison of the name: the keyed hash,
 * which a directory needs so that nobody can choose names that collide, is
 * computed on a miss only. Names that collide here cost a miss, no more.
 */
#ifndef MVFS__CACHE_H
#define MVFS__CACHE_H

#include <string.h>

#include "vfs/mem/thread.h"
#include "vfs/node/table.h"

enum {
	MVFS__CACHE_BITS = 8,
	MVFS__CACHE_START = 1 << MVFS__CACHE_BITS, /* behind those of names */
	MVFS__CACHE_FDS,
	MVFS__CACHE_FD_SLOTS = 31,
	MVFS__CACHE_SLOTS = MVFS__CACHE_FDS + MVFS__CACHE_FD_SLOTS
};

/* A line of the processor's cache, and all that a short name needs. */
struct mvfs__cache_slot {
	uint64_t generation; /* 0: empty */
	uint64_t dir;
	uint64_t end[2]; /* of the name */
	uint64_t len;
	uint64_t hash;
	struct mvfs__entry *entry;
	struct mvfs__node *node;
};

struct mvfs__cache_slot *mvfs__cache_make(void);

/* The calling thread's slots. */
static inline struct mvfs__cache_slot *mvfs__cache(void)
{
	struct mvfs__cache_slot *slots = mvfs__thread_self.cache;

	return mvfs__likely(slots != NULL) ? slots : mvfs__cache_make();
}

/*
 * The first and last bytes of a name in two words: all of it up to 16 bytes,
 * enough to spread longer ones.
 */
static inline void mvfs__ends_of(const char *name, size_t len, uint64_t end[2])
{
	if (len >= 8) {
		end[0] = mvfs__load64(name);
		end[1] = mvfs__load64(name + len - 8);
	} else if (len >= 4) {
		end[0] = mvfs__load32(name);
		end[1] = mvfs__load32(name + len - 4);
	} else {
		end[0] = (unsigned char)name[0] |
			 (unsigned)(unsigned char)name[len / 2] << 8;
		end[1] = (unsigned char)name[len - 1];
	}
}

/* The slot that the name has, whoever is in it. */
static inline struct mvfs__cache_slot *
mvfs__cache_slot(struct mvfs__cache_slot *cache, uint64_t dir,
		 const uint64_t end[2], size_t len)
{
	const uint64_t mask = MVFS__CACHE_START - 1;
	uint64_t name = (end[0] ^ (end[1] << 1) ^ len) * 0x9E3779B97F4A7C15u;

	/* the directory comes late, out of the slot before: little is left
	 * to do with it */
	return &cache[(name >> (64 - MVFS__CACHE_BITS)) ^
		      ((dir ^ dir >> MVFS__CACHE_BITS) & mask)];
}

/* What the slot says of the name, which is complete then; or false. */
static inline bool mvfs__cache_hit(const struct mvfs__cache_slot *slot,
				   const struct mvfs__table *table,
				   uint64_t dir, const uint64_t end[2],
				   struct mvfs__name *name)
{
	if (slot->generation != table->generation || slot->dir != dir ||
	    slot->len != name->len || slot->end[0] != end[0] ||
	    slot->end[1] != end[1])
		return false;
	if (name->len > 16 && memcmp(slot->entry->name + 8, name->bytes + 8,
				     name->len - 16) != 0)
		return false;
	name->hash = slot->hash;
	return true;
}

/*
 * Looks the name up in the directory itself, and puts it into the slot; false:
 * there is none. *name is complete in any case.
 */
bool mvfs__cache_miss(struct mvfs__cache_slot *slot,
		      const struct mvfs__table *table,
		      const struct mvfs__seed *seed,
		      const struct mvfs__node *dir, const uint64_t end[2],
		      struct mvfs__name *name, struct mvfs__entry **entry,
		      struct mvfs__node **node);

/* Entry and node of the name in the directory; false: there is none. */
static inline bool mvfs__cache_lookup(struct mvfs__cache_slot *cache,
				      const struct mvfs__table *table,
				      const struct mvfs__seed *seed,
				      const struct mvfs__node *dir,
				      struct mvfs__name *name,
				      struct mvfs__entry **entry,
				      struct mvfs__node **node)
{
	uint64_t ino = mvfs__node_ino(dir), end[2];
	struct mvfs__cache_slot *slot;

	mvfs__ends_of(name->bytes, name->len, end);
	slot = mvfs__cache_slot(cache, ino, end, name->len);
	if (!mvfs__cache_hit(slot, table, ino, end, name))
		return mvfs__cache_miss(slot, table, seed, dir, end, name,
					entry, node);
	*entry = slot->entry;
	*node = slot->node;
	return true;
}

/* Looks the number up in the table, and puts the node into the slot. */
struct mvfs__node *mvfs__cache_node_miss(struct mvfs__cache_slot *slot,
					 const struct mvfs__table *table,
					 uint64_t ino);

/*
 * The node of a number, or NULL, by a slot that the caller expects it in: the
 * one for where walks start, or that of a descriptor. It saves the way down
 * the trie, each step of which waits for the one before.
 */
static inline struct mvfs__node *
mvfs__cache_node(struct mvfs__cache_slot *slot,
		 const struct mvfs__table *table, uint64_t ino)
{
	if (slot->generation == table->generation && slot->dir == ino)
		return slot->node;
	return mvfs__cache_node_miss(slot, table, ino);
}

static inline struct mvfs__cache_slot *
mvfs__cache_of_start(struct mvfs__cache_slot *cache)
{
	return &cache[MVFS__CACHE_START];
}

static inline struct mvfs__cache_slot *
mvfs__cache_of_fd(struct mvfs__cache_slot *cache, int fd)
{
	return &cache[MVFS__CACHE_FDS + (unsigned)fd % MVFS__CACHE_FD_SLOTS];
}

#endif
