/* SPDX-License-Identifier: MIT */
/*
 * The reference-counted value that everything in a tree is.
 *
 * A value may be changed only while it is yours alone: its count is 1, and
 * so is the count of every value on the way to it from your root. Otherwise
 * make your own copy first. mvfs__obj_is_mine() answers the first half; the
 * owner of the root sees to the second by walking downwards.
 *
 * Dropping the last reference does not destroy: it puts the value into a
 * bin, which its holder empties after all locks are dropped. Destruction is
 * a loop, never a recursion, so a value of any depth ends in constant stack.
 *
 *      refs  kind own           key | next
 *     +-----+----+-------------+-----------------+----
 *     | 4   | 1  | 3           | 8               | ...
 *     +-----+----+-------------+-----------------+----
 *
 * The second word belongs to the kind while the value lives (the key of a
 * trie's value, the map of a trie node, what is known of a buffer's text),
 * and chains the bin when it is dead.
 */
#ifndef MVFS__OBJ_H
#define MVFS__OBJ_H

#include <stdatomic.h>

#include "vfs/base/base.h"

enum mvfs__kind {
	MVFS__PLAIN,  /* holds no references; freed and that is all */
	MVFS__TRIE,   /* a node of a trie */
	MVFS__ENTRY,  /* a name in a directory */
	MVFS__NODE,   /* an inode */
	MVFS__RUNS,   /* a content of more than one run */
	MVFS__BUFFER, /* bytes */
	MVFS__XATTRS, /* the extended attributes of a node */
	MVFS__LINKS,  /* the names of a node that has several */
	MVFS__RULES,  /* the fault rules of an instance */
	MVFS__POINT,  /* what an instance was, for crashes */
	MVFS__KINDS
};

struct mvfs__obj {
	atomic_uint refs;
	uint8_t kind;    /* enum mvfs__kind, never changed */
	uint8_t flags;   /* of the kind */
	uint16_t small;  /* of the kind */
	union {
		uint64_t key;           /* of the kind, while alive */
		_Atomic uint64_t word;  /* the same, where threads race for it */
		struct mvfs__obj *next; /* in a bin */
	};
};

_Static_assert(sizeof(struct mvfs__obj) == 16, "a value's head is 16 bytes");

/* Values whose last reference was dropped, to be destroyed later. */
struct mvfs__bin {
	struct mvfs__obj *head;
};

#define MVFS__BIN_INIT { NULL }

/*
 * How a dead value of each kind ends: it drops the references that it holds
 * into `bin` and frees its memory. vfs/fs/kinds.c defines the one table.
 */
typedef void mvfs__obj_free_fn(struct mvfs__obj *obj, struct mvfs__bin *bin);
extern mvfs__obj_free_fn *const mvfs__obj_free[MVFS__KINDS];

/* Destroys all values in `bin` and what becomes dead by that. No locks. */
void mvfs__bin_empty(struct mvfs__bin *bin);

static inline void mvfs__obj_init(struct mvfs__obj *obj, enum mvfs__kind kind)
{
	atomic_init(&obj->refs, 1);
	obj->kind = (uint8_t)kind;
	obj->flags = 0;
	obj->small = 0;
	obj->key = 0;
}

/* One more reference; the caller holds one, or the lock that guards one. */
static inline void mvfs__obj_retain(struct mvfs__obj *obj)
{
	unsigned before = atomic_fetch_add_explicit(&obj->refs, 1,
						    memory_order_relaxed);

	assert(before > 0 && before < UINT32_MAX);
	(void)before;
}

/*
 * True while the caller's reference is the only one. Acquire: what an
 * earlier holder wrote or read before dropping its reference has happened.
 */
static inline bool mvfs__obj_is_mine(const struct mvfs__obj *obj)
{
	/* C11 atomics are not const-correct */
	atomic_uint *refs = (atomic_uint *)(uintptr_t)&obj->refs;

	return atomic_load_explicit(refs, memory_order_acquire) == 1;
}

/* Drops a reference; the last one puts the value into the bin. */
static inline void mvfs__obj_drop(struct mvfs__obj *obj, struct mvfs__bin *bin)
{
	if (mvfs__obj_is_mine(obj)) {
		/* nobody else is left to retain it */
	} else if (atomic_fetch_sub_explicit(&obj->refs, 1,
					     memory_order_release) != 1) {
		return;
	} else {
		/* acquires what the others did; a fence is lost on TSan */
		(void)mvfs__obj_is_mine(obj);
	}
	obj->next = bin->head;
	bin->head = obj;
}

#endif
