/* SPDX-License-Identifier: MIT */
/*
 * The persistent map: from a 64-bit key to a reference-counted value that
 * begins with struct mvfs__obj and holds its key there.
 *
 * 64-way and bitmap-compressed: a node is a 64-bit map and a packed array of
 * as many children as the map has bits. It is as high as its largest key
 * needs, and a subtree with one key is never built: its value, which knows
 * its key, stands there instead, so hashed keys go only as deep as they
 * differ. A slot is a pointer with its lowest bit set for a value.
 *
 *     root ─> [map|· · ·]──> [map|· ·]──> value
 *                  └> value      └──────> value
 *
 * Two tries share every subtree that neither has changed since one was made
 * from the other. A change happens in place along a path whose nodes all
 * have one reference, and on copies from the first node on that has more.
 *
 * In a trie of a million values (x86-64, shared server): 15 to 24 bytes a
 * hashed key and 8.6 a dense one, beside the values; a lookup takes 6 ns if
 * all is in the cache, and the first change after a share copies 4 or 5
 * nodes, in 0.5 us where they are hot and 1.7 us at a random place.
 *
 * Rejected: an array of two levels, or one hash table for each directory, of
 * which the first change after a share copies thousands of references; trees
 * with fewer children, which are deeper, so miss the cache more often.
 *
 * Not synchronised: the instance lock guards the root.
 */
#ifndef MVFS__TRIE_H
#define MVFS__TRIE_H

#include "vfs/base/obj.h"

struct mvfs__trie {
	uintptr_t root;  /* 0: empty; tagged: the only value; else a node */
	uint32_t height; /* levels of nodes below root; 0 if root is none */
	uint32_t spare;  /* the owner's own */
	uint64_t count;  /* keys */
};

/*
 * Makes `to`, whose content counts for nothing, another reference to what
 * `from` holds; `spare` is copied. Cannot fail.
 */
void mvfs__trie_share(const struct mvfs__trie *from, struct mvfs__trie *to);

/* Drops what the trie holds, which is empty afterwards; `spare` stays. */
void mvfs__trie_clear(struct mvfs__trie *trie, struct mvfs__bin *bin);

/* The value of the key (borrowed: valid until the trie changes) or NULL. */
struct mvfs__obj *mvfs__trie_get(const struct mvfs__trie *trie, uint64_t key);

/*
 * The value with the smallest of the four keys from `key`, a multiple of 4,
 * on (borrowed), or NULL. As fast as mvfs__trie_get.
 */
struct mvfs__obj *mvfs__trie_get4(const struct mvfs__trie *trie, uint64_t key);

/*
 * Puts the value under its key; the trie takes over the caller's reference
 * and drops that of a value that had the key before. -ENOMEM: nothing has
 * changed, the reference is still the caller's. Cannot fail if the key is
 * there and its path is owned (mvfs__trie_own).
 */
int mvfs__trie_put(struct mvfs__trie *trie, struct mvfs__obj *value,
		   struct mvfs__bin *bin);

/*
 * Makes every node on the path to the key this trie's alone. `*value` is the
 * key's value (borrowed; it may still be shared), or NULL if the key is
 * absent: then the path is owned as far as there is one. Harmless in itself:
 * what the trie maps is unchanged. 0 or -ENOMEM.
 */
int mvfs__trie_own(struct mvfs__trie *trie, uint64_t key,
		   struct mvfs__obj **value, struct mvfs__bin *bin);

/*
 * Removes the key and drops its value. -ENOENT: not there. -ENOMEM: nothing
 * has changed; cannot happen while the path is owned, for then it only
 * shrinks in place.
 */
int mvfs__trie_remove(struct mvfs__trie *trie, uint64_t key,
		      struct mvfs__bin *bin);

/* The value with the smallest key >= `key` (borrowed), or NULL. */
struct mvfs__obj *mvfs__trie_next(const struct mvfs__trie *trie, uint64_t key);

/* The value with the largest key <= `key` (borrowed), or NULL. */
struct mvfs__obj *mvfs__trie_prev(const struct mvfs__trie *trie, uint64_t key);

/*
 * Calls `fn` for every key, in order, whose value pointer differs: with the
 * value in `a` and the one in `b`, either NULL where the key is absent.
 * Subtrees that are the same pointer are skipped. Stops at the first result
 * of `fn` that is not 0, and returns it.
 */
typedef int mvfs__trie_diff_fn(void *arg, struct mvfs__obj *a,
			       struct mvfs__obj *b);
int mvfs__trie_diff(const struct mvfs__trie *a, const struct mvfs__trie *b,
		    mvfs__trie_diff_fn *fn, void *arg);

/* Asserts every invariant of the structure, NDEBUG or not; for tests. */
void mvfs__trie_check(const struct mvfs__trie *trie);

/* How a dead trie node ends: for the table of kinds. */
mvfs__obj_free_fn mvfs__trie_node_free;

#endif
