/* SPDX-License-Identifier: MIT */
/*
 * A directory: a trie of immutable entries, keyed by a 61-bit SipHash-1-3 of
 * the name under the instance's seed and two low bits that tell names of
 * equal hash apart (a fifth such name is -ENOSPC). A hash of 0 counts as 1,
 * so keys begin at 4 and fit a signed 64-bit cookie; the cookies 0, 1 and 2
 * are the start, "." and "..".
 *
 *     key = (hash61 << 2) | which,  4 <= key < 2^63
 *
 * A key is stable while its name stays, so it is the listing cookie: a
 * listing that resumes after a key sees every name that stays exactly once,
 * whatever else changes. (A table by position was rejected: removals move
 * what follows. One big hash table was rejected: see trie.h.)
 *
 * Names are bytes, 1 to 255 of them, any but '/' and NUL; callers check.
 */
#ifndef MVFS__DIR_H
#define MVFS__DIR_H

#include "vfs/base/siphash.h"
#include "vfs/trie/trie.h"

#define MVFS__NAME_MAX 255u
#define MVFS__KEY_FIRST 4u /* the smallest key that a name can have */
#define MVFS__SAME_HASH 4u /* names that the low bits of a key tell apart */

/* Immutable once it is in a trie. obj.key is the key. */
struct mvfs__entry {
	struct mvfs__obj obj;
	uint64_t ino;
	uint8_t type; /* DT_* of dirent.h */
	uint8_t len;
	char name[]; /* len bytes, not terminated */
};

/* A name with its hash, computed once for a call. */
struct mvfs__name {
	const char *bytes;
	size_t len;
	uint64_t hash; /* of 61 bits, never 0 */
};

struct mvfs__name mvfs__name_make(const struct mvfs__seed *seed,
				  const char *bytes, size_t len);

/* The entry of that name (borrowed until the trie changes), or NULL. */
struct mvfs__entry *mvfs__dir_find(const struct mvfs__trie *dir,
				   const struct mvfs__name *name);

/*
 * Adds a name, or lets an existing one mean another inode, in one step; the
 * entry's key is stored in *key. -ENOSPC: four other names have that hash;
 * -ENOMEM; nothing has changed in either case.
 */
int mvfs__dir_set(struct mvfs__trie *dir, const struct mvfs__name *name,
		  uint64_t ino, unsigned type, uint64_t *key,
		  struct mvfs__bin *bin);

/* The same with an entry made beforehand: cannot fail where the name is
 * there and its path owned. Takes the entry's reference over on success. */
int mvfs__dir_put(struct mvfs__trie *dir, const struct mvfs__name *name,
		  struct mvfs__entry *entry, struct mvfs__bin *bin);

/* A new entry, with no key yet, or NULL without memory. */
struct mvfs__entry *mvfs__entry_new(const struct mvfs__name *name,
				    uint64_t ino, unsigned type);

/*
 * Makes the path to the name the directory's own, so that a later remove or
 * put of that very name cannot fail. 0, -ENOENT or -ENOMEM.
 */
int mvfs__dir_own(struct mvfs__trie *dir, const struct mvfs__name *name,
		  struct mvfs__bin *bin);

/* 0, -ENOENT, or -ENOMEM where the path is not owned. */
int mvfs__dir_remove(struct mvfs__trie *dir, const struct mvfs__name *name,
		     struct mvfs__bin *bin);

/* The first entry with a key > `cookie` (>= 2), or NULL. Borrowed. */
struct mvfs__entry *mvfs__dir_after(const struct mvfs__trie *dir,
				    uint64_t cookie);

/*
 * Asserts the invariants, whether NDEBUG is defined or not; for tests. That
 * keys follow from names is left out where `seed` is NULL.
 */
void mvfs__dir_check(const struct mvfs__trie *dir,
		     const struct mvfs__seed *seed);

mvfs__obj_free_fn mvfs__entry_free;

#endif
