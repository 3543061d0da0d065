/* SPDX-License-Identifier: MIT */
/*
 * The crash model: which trees may be found after a power cut.
 *
 * What calls change is not told by them. While an instance is tracked, each
 * call that changes something leaves a *point*: one more reference to the
 * nodes as they are now. So the change that a call made is what differs
 * between two neighbours, which is found by walking both tries at once, and
 * only when somebody asks for a crash. (A hook at each change of a name was
 * rejected: it had to find memory before each of them, and would have been a
 * second account of what the values say.)
 *
 *     point 0 <- point 1 <- point 2      each: nodes, and what it made durable
 *        |          |          |
 *      durable   record     record       a *cut* goes through them in order
 *
 * A *record* is what one call changed of names: slots {directory, name} with
 * what was there before and after, and the nodes that were born. It happens
 * whole or not at all, and depends on earlier ones that share a slot, or gave
 * birth to its directory or to a node it names; taking a directory away also
 * on those about names in it; and directories move to other directories in
 * one order, or there could be a cycle. A cut holds what is durable (a tree
 * of its own) and the records that are not, the *pending* ones; the files
 * whose data are in doubt are *dirty*.
 *
 * A state of a cut is the durable tree, some of the pending records applied
 * to it (a prefix, or any set that has what its members depend on), and of
 * each dirty file one *variant*.
 */
#ifndef MVFS__CRASH_H
#define MVFS__CRASH_H

#include <memvfs/crash.h>

#include "vfs/event/event.h"
#include "vfs/node/table.h"

/* What a point made durable. */
enum mvfs__durable {
	MVFS__DURABLE_NOTHING,
	MVFS__DURABLE_DATA,   /* bytes and size of a file */
	MVFS__DURABLE_FILE,   /* and attributes; of a directory, its names */
	MVFS__DURABLE_ALL,
	MVFS__DURABLE_FORGOTTEN /* nothing, but what is in doubt of the file
				 * is believed to be */
};

/* A value; immutable once it has a number. */
struct mvfs__point {
	struct mvfs__obj obj;       /* key: the number */
	struct mvfs__point *before; /* a reference; NULL: the start */
	struct mvfs__trie nodes;
	struct mvfs__node *synced;  /* a reference: what became durable */
	uint64_t next_ino;
	uint64_t blocks;
	uint64_t session;           /* which mvfs_crash_start() */
	struct mvfs__trie orphans;  /* of START and ALL: those that may get a
				     * name, which are durable as well */
	uint64_t written;           /* an inode, of which: */
	uint64_t from, to;          /* these bytes were written */
	enum mvfs__op_kind op;
	enum mvfs__durable durable;
};

/* A point that is nothing yet, or NULL. */
struct mvfs__point *mvfs__point_new(void);
mvfs__obj_free_fn mvfs__point_free;

/*
 * The point takes its place behind *head, whose reference it takes over, and
 * a reference to the nodes of the table and to `synced`, if there is one.
 */
void mvfs__point_add(struct mvfs__point **head, struct mvfs__point *point,
		     struct mvfs__table *table, struct mvfs__node *synced);

/* Takes references to the orphans of the table that may get a name. -ENOMEM:
 * to none. */
int mvfs__point_orphans(struct mvfs__point *point,
			const struct mvfs__table *table,
			struct mvfs__bin *bin);

/* Whether anything of the nodes has changed since. */
static inline bool mvfs__point_differs(const struct mvfs__point *point,
				       const struct mvfs__table *table)
{
	return point->nodes.root != table->nodes.root;
}

/* What was durable of the file's data at the point, whatever the policy: an
 * own reference; empty if nothing was. */
void mvfs__point_durable(const struct mvfs__point *point, uint64_t ino,
			 struct mvfs__content *content);

/* One place in a directory, before and after a record. */
struct mvfs__slot {
	uint64_t dir;
	uint64_t hash; /* of the name */
	const struct mvfs__entry *before, *after; /* borrowed, or NULL */
};

struct mvfs__record {
	const struct mvfs__point *point;
	struct mvfs__slot *slot;
	size_t slots;
	const struct mvfs__node **born; /* borrowed: as they began */
	size_t births;
	bool moves_dir; /* to another directory */
	bool chosen;    /* for what is being made */
};

/* Bytes of a file. */
struct mvfs__range {
	uint64_t from, to;
};

/* A node whose data or attributes may be in doubt. */
struct mvfs__dirty {
	uint64_t ino;
	uint64_t count;                  /* see vfs/mem/hash.h */
	const struct mvfs__node *newest; /* borrowed from a point */
	struct mvfs__content forgotten;  /* taken for durable, if: */
	bool forgets;
	struct mvfs__range *range;       /* but what was written since */
	size_t ranges, range_capacity;
	UT_hash_handle hh;
};

/* How a file is found. */
struct mvfs__variant {
	unsigned what;  /* one of MVFS_CRASH_* */
	unsigned which; /* of several torn ones */
};

/* The torn one that has the new size and none of the sectors. */
#define MVFS__TORN_NONE UINT32_MAX

/* A dirty file as it stands at the cut. */
struct mvfs__doubt {
	const struct mvfs__dirty *dirty;
	struct mvfs__content newest; /* what can become durable of it */
	uint64_t *sector;            /* those that differ, in order */
	size_t sectors;
	unsigned variants;           /* one, if that is not LOST, or more */
};

/* A tree that is being made: own, and what has to be looked at at its end. */
struct mvfs__found_tree {
	struct mvfs__table table;
	uint64_t blocks;
	uint64_t *loose; /* inodes that had, or got, no name at some time */
	size_t loose_count, loose_capacity;
};

/* The power is cut behind this point. */
struct mvfs__cut {
	struct mvfs_crash_options options; /* with defaults filled in */
	struct mvfs__seed seed;            /* of the instance's names */
	const struct mvfs__point *first, *point;
	struct mvfs__found_tree durable;
	struct mvfs__record **pending;     /* in order */
	size_t pendings, pending_capacity;
	struct mvfs__dirty *dirty;

	/* states, as mvfs__cut_count() found them */
	struct mvfs__doubt *doubt;
	size_t doubts;
	uint32_t *subset;                  /* sets of pending ones, or NULL */
	uint64_t subsets;
	uint64_t states;                   /* UINT64_MAX: too many to count */
	struct mvfs__bin bin;
};

/* What to choose from, filled in: 0 or -EINVAL. NULL: the defaults. */
int mvfs__crash_options(const struct mvfs_crash_options *given,
			struct mvfs_crash_options *options);

/* At the start, with options and seed set and the rest 0; and one point on: 0
 * or -ENOMEM, after which only the end may come. */
int mvfs__cut_begin(struct mvfs__cut *cut, const struct mvfs__point *first);
int mvfs__cut_step(struct mvfs__cut *cut, const struct mvfs__point *point);
void mvfs__cut_end(struct mvfs__cut *cut);
/* The node as it is durable, or, if it is not, as it was born; or NULL. */
const struct mvfs__node *mvfs__cut_base(const struct mvfs__cut *cut,
					uint64_t ino);
/* Whether the inode has a name, durable or pending. */
bool mvfs__cut_may_name(const struct mvfs__cut *cut, uint64_t ino);

/* record.c: what a point changed; and whether `later` needs `earlier`. */
int mvfs__record_make(const struct mvfs__point *before,
		      const struct mvfs__point *point,
		      struct mvfs__record **out);
void mvfs__record_free(struct mvfs__record *record);
bool mvfs__record_depends(const struct mvfs__record *later,
			  const struct mvfs__record *earlier);

/* apply.c: a tree is made of another, changed, tidied. 0 or -ENOMEM. */
void mvfs__found_share(const struct mvfs__found_tree *from,
		       struct mvfs__found_tree *to);
void mvfs__found_clear(struct mvfs__found_tree *tree, struct mvfs__bin *bin);
int mvfs__found_apply(struct mvfs__found_tree *tree,
		      const struct mvfs__record *record,
		      struct mvfs__bin *bin);
int mvfs__found_loose(struct mvfs__found_tree *tree, uint64_t ino);
/* A node like that one, with no name and nothing in it. */
int mvfs__found_born(struct mvfs__found_tree *tree,
		     const struct mvfs__node *like, struct mvfs__bin *bin);
/* The node has data of that content from now on, and with `attributes` all
 * of `newest` but its names. One that is not there is made. */
int mvfs__found_set(struct mvfs__found_tree *tree,
		    const struct mvfs__node *newest,
		    const struct mvfs__content *content, bool attributes,
		    struct mvfs__bin *bin);
/* A file's data, borrowed; empty where it is not there. */
const struct mvfs__content *
mvfs__found_data(const struct mvfs__found_tree *tree, uint64_t ino);
/* The node, which has no name, goes. */
int mvfs__found_remove(struct mvfs__found_tree *tree, uint64_t ino,
		       struct mvfs__bin *bin);
/* What has no name goes. */
int mvfs__found_tidy(struct mvfs__found_tree *tree, struct mvfs__bin *bin);

/* sectors.c: contents put together. 0 or -ENOMEM. */
int mvfs__sectors_differ(const struct mvfs__content *a,
			 const struct mvfs__content *b, uint32_t sector,
			 uint64_t **sectors, size_t *count);
/* The newest, but for what a variant lets be as in the older one. */
int mvfs__sectors_mix(const struct mvfs__cut *cut,
		      const struct mvfs__doubt *doubt,
		      const struct mvfs__content *older,
		      const struct mvfs__variant *variant,
		      struct mvfs__content *out, struct mvfs__bin *bin);
/* What becomes durable of `newest` where what is forgotten of the file is not
 * written again. */
int mvfs__sectors_skip(const struct mvfs__content *older,
		       const struct mvfs__dirty *dirty,
		       const struct mvfs__content *newest,
		       struct mvfs__content *out, struct mvfs__bin *bin);

/* states.c: the states of a cut. 0 or -ENOMEM. */
int mvfs__cut_count(struct mvfs__cut *cut);
void mvfs__cut_forget(struct mvfs__cut *cut);
/* How many are tried, and the choice of the i-th. */
uint64_t mvfs__cut_tries(const struct mvfs__cut *cut);
uint64_t mvfs__cut_choice(const struct mvfs__cut *cut, uint64_t i);
/* Marks the pending records of the choice, and gives the variant of each
 * doubt, to be freed. 0, -ERANGE or -ENOMEM. */
int mvfs__cut_choose(struct mvfs__cut *cut, uint64_t choice,
		     struct mvfs__variant **variant);
/* Makes the state's tree. */
int mvfs__cut_make(struct mvfs__cut *cut, uint64_t choice,
		   struct mvfs__found_tree *tree);

/* hash.c: equal trees, times apart, have the same, and hardly others. */
uint64_t mvfs__found_hash(const struct mvfs__found_tree *tree,
			  const struct mvfs__point *first);

/* A number that these three decide. */
static inline uint64_t mvfs__crash_random(uint64_t seed, uint64_t a, uint64_t b)
{
	uint64_t z = seed + a * UINT64_C(0x9e3779b97f4a7c15) +
		     b * UINT64_C(0xd1b54a32d192ed03);

	/* splitmix64 (Steele, Lea and Flood, 2014) */
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Of a choice: it is one of those made at random. */
#define MVFS__CHOICE_RANDOM (UINT64_C(1) << 63)

#endif
