/* SPDX-License-Identifier: MIT */
/* A directory as it was, for the files of vfs/fs that list. */
#ifndef MVFS__LISTING_H
#define MVFS__LISTING_H

#include "vfs/fs/op.h"

struct mvfs__listing {
	uint64_t ino;
	uint64_t parent;             /* what ".." is, as the view sees it */
	struct mvfs__trie trie;      /* a share of the directory's */
	struct mvfs__entry **sorted; /* borrowed from it, in the caller's
				      * memory; or NULL */
};

/* What a library's caller holds. */
struct mvfs_dir {
	struct mvfs *view;
	unsigned flags;
	uint64_t ino;   /* held */
	struct mvfs__listing listing;
	uint64_t cookie; /* of what was read last */
	size_t next;     /* in the sorted array */
	const char *place; /* that opened it; NULL: not known */
	struct mvfs_dir *after, **back; /* of the instance, under its latch */
};

/* Locked, shared at least: the directory as it is now. */
void mvfs__listing_take(struct mvfs__op *op, const struct mvfs__node *node,
			struct mvfs__listing *listing);
/*
 * Sorts by the bytes of the names, into the caller's memory (NULL: there was
 * none), which has room for all that are in the trie. 0 or -ENOMEM. No lock.
 */
int mvfs__listing_sort(struct mvfs__listing *listing,
		       struct mvfs__entry **sorted);
void mvfs__listing_clear(struct mvfs__listing *listing,
			 struct mvfs__bin *bin);

#endif
