/* SPDX-License-Identifier: MIT */
/*
 * A node: an inode as a value. Attributes, extended attributes, its names,
 * and exactly one of directory, content, symlink target or device number.
 *
 * A node knows its names as {parent inode, key of the entry}: one inside,
 * more in an array; a directory's one is its "..". So any inode yields its
 * paths in O(depth). Inode numbers, never pointers, so values have no cycle.
 *
 * Locks: mode, owner, nlink, names and xattrs change under the instance lock
 * held exclusively; size, data and times of a content also under it shared
 * with the node's stripe exclusively.
 *
 * 136 bytes: a million empty files in 250 bytes each stand or fall with it.
 */
#ifndef MVFS__NODE_H
#define MVFS__NODE_H

#include <memvfs/types.h>

#include <sys/stat.h>

#include "vfs/content/content.h"
#include "vfs/dir/dir.h"

enum mvfs__which_time {
	MVFS__ATIME,
	MVFS__MTIME,
	MVFS__CTIME,
	MVFS__BTIME,
	MVFS__TIMES
};

/* One name of a node. */
struct mvfs__link {
	uint64_t parent;
	uint64_t key;
};

struct mvfs__links {
	struct mvfs__obj obj;
	uint32_t count, capacity;
	struct mvfs__link link[];
};

/* Where a node's names are: in obj.flags. */
enum mvfs__link_shape {
	MVFS__LINK_NONE, /* of a directory: removed, .parent still is its ".." */
	MVFS__LINK_ONE,
	MVFS__LINK_MANY
};

/* What a symlink says. Immutable. */
struct mvfs__target {
	struct mvfs__obj obj;
	uint64_t len;
	char bytes[]; /* terminated */
};

struct mvfs__node {
	struct mvfs__obj obj; /* key: ino; flags: link shape; small: mode */
	uint32_t nlink;
	uint32_t uid, gid;
	uint32_t nsec[MVFS__TIMES];
	uint32_t linkable; /* 1: made by O_TMPFILE, may be given a name */
	int64_t sec[MVFS__TIMES];
	uint64_t epoch; /* in which it was made the instance's own */
	struct mvfs__obj *xattrs; /* or NULL */
	union {
		struct mvfs__link one;
		struct mvfs__links *many;
	} links;
	union {
		struct mvfs__trie dir;
		struct mvfs__content content;
		struct mvfs__target *target;
		uint64_t rdev;
	} u;
};

static inline uint32_t mvfs__node_mode(const struct mvfs__node *node)
{
	return node->obj.small;
}

static inline uint64_t mvfs__node_ino(const struct mvfs__node *node)
{
	return node->obj.key;
}

static inline bool mvfs__node_is_dir(const struct mvfs__node *node)
{
	return S_ISDIR(mvfs__node_mode(node));
}

static inline bool mvfs__node_is_reg(const struct mvfs__node *node)
{
	return S_ISREG(mvfs__node_mode(node));
}

static inline bool mvfs__node_is_lnk(const struct mvfs__node *node)
{
	return S_ISLNK(mvfs__node_mode(node));
}

/* DT_* of a mode. */
static inline unsigned mvfs__mode_type(uint32_t mode)
{
	return (mode & S_IFMT) >> 12;
}

/* A directory's "..". */
static inline uint64_t mvfs__node_parent(const struct mvfs__node *dir)
{
	assert(mvfs__node_is_dir(dir));
	return dir->links.one.parent;
}

/*
 * A new node without names: nlink 0 (a directory: 2), all times `now`. The
 * rest is as `mode` says, empty. NULL without memory.
 */
struct mvfs__node *mvfs__node_new(uint64_t ino, uint32_t mode,
				  const struct mvfs_time *now);

/* A copy that shares all that the node holds, or NULL. */
struct mvfs__node *mvfs__node_copy(const struct mvfs__node *node);

void mvfs__node_set_mode(struct mvfs__node *node, uint32_t mode);
void mvfs__node_set_time(struct mvfs__node *node, enum mvfs__which_time which,
			 const struct mvfs_time *time);
struct mvfs_time mvfs__node_time(const struct mvfs__node *node,
				 enum mvfs__which_time which);
/* What stat tells but for `dev`; the caller holds the stripe for data. */
void mvfs__node_stat(const struct mvfs__node *node, struct mvfs_stat *st);

/*
 * The own node has no name any more, and a directory no content: as when the
 * last name is removed, but at once.
 */
void mvfs__node_unname(struct mvfs__node *node, struct mvfs__bin *bin);

/* A symlink's target, new, or NULL. */
struct mvfs__target *mvfs__target_new(const char *bytes, size_t len);

/*
 * Names of a node that is the caller's own. own() makes the array of several
 * names its own, so that replace() and remove() can change it; reserve()
 * sees to room for one more as well. These two, and nothing else, can fail:
 * -ENOMEM, and nothing has changed.
 */
int mvfs__links_own(struct mvfs__node *node, struct mvfs__bin *bin);
int mvfs__links_reserve(struct mvfs__node *node, struct mvfs__bin *bin);
void mvfs__links_add(struct mvfs__node *node, struct mvfs__link link);
void mvfs__links_replace(struct mvfs__node *node, struct mvfs__link from,
			 struct mvfs__link to);
void mvfs__links_remove(struct mvfs__node *node, struct mvfs__link link,
			struct mvfs__bin *bin);
size_t mvfs__links_count(const struct mvfs__node *node);
struct mvfs__link mvfs__links_get(const struct mvfs__node *node, size_t i);

/* Asserts the invariants; for tests. */
void mvfs__node_check(const struct mvfs__node *node);

mvfs__obj_free_fn mvfs__node_free, mvfs__links_free;

#endif
