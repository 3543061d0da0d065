/* SPDX-License-Identifier: MIT */
/*
 * Listing directories and walking trees. A listing holds the directory as it
 * was when it was opened or rewound: it never skips or repeats a name,
 * whatever changes meanwhile.
 */
#ifndef MEMVFS_LISTING_H
#define MEMVFS_LISTING_H

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct mvfs_dir;

struct mvfs_dirent {
	uint64_t ino;
	uint64_t cookie; /* where the next one follows; stable */
	uint8_t type;    /* DT_* of <dirent.h> */
	uint8_t reserved;
	uint16_t len;    /* of the name */
	char name[256];  /* terminated; bytes, not always UTF-8 */
};

#define MVFS_LIST_UNSORTED 1u /* in the order of keys, without sorting */
#define MVFS_LIST_DOTS 2u     /* "." and ".." first */

MVFS_API MVFS_NODISCARD int mvfs_opendir(mvfs *fs, const char *path,
					 unsigned flags,
					 struct mvfs_dir **dir);
MVFS_API MVFS_NODISCARD int mvfs_opendirat(mvfs *fs, int dirfd,
					   const char *path, unsigned flags,
					   struct mvfs_dir **dir);
/* 1 and an entry, or 0 at the end. */
MVFS_API int mvfs_readdir(struct mvfs_dir *dir, struct mvfs_dirent *entry);
/* Goes on behind the entry with that cookie; 0 is the start. */
MVFS_API int mvfs_seekdir(struct mvfs_dir *dir, uint64_t cookie);
/* Starts over, with the directory as it is now. */
MVFS_API int mvfs_rewinddir(struct mvfs_dir *dir);
MVFS_API int mvfs_closedir(struct mvfs_dir *dir);

enum mvfs_walk_order {
	MVFS_WALK_PRE,  /* anything, before what is in it */
	MVFS_WALK_POST  /* a directory, after what is in it */
};

struct mvfs_walk_entry {
	const char *path;       /* begins with the path given; terminated */
	size_t path_len;
	const char *name;       /* the last component, inside path */
	unsigned depth;         /* 0: the path given */
	enum mvfs_walk_order order;
	struct mvfs_stat st;
};

/* From the callback: not into this directory. */
#define MVFS_WALK_SKIP 1
/*
 * Called with no lock held; the tree may be changed from inside. A result
 * other than 0 and MVFS_WALK_SKIP ends the walk, which returns it.
 */
typedef int mvfs_walk_fn(void *ctx, const struct mvfs_walk_entry *entry);

#define MVFS_WALK_BOTH 1u /* POST calls too */

/* Depth first, names sorted, symlinks not followed (the path given is). */
MVFS_API int mvfs_walk(mvfs *fs, const char *path, unsigned flags,
		       mvfs_walk_fn *fn, void *ctx);

#ifdef __cplusplus
}
#endif

#endif
