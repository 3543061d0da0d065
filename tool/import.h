/* SPDX-License-Identifier: MIT */
/*
 * Copies a directory of the host into a memvfs tree: names, types, owners,
 * modes, times of access and change in ns, hard links, symlinks (never
 * followed), extended attributes, holes, and fifos, devices and sockets as
 * such. Sees nothing of the library but its public calls.
 *
 * It stays in one file system: a directory on which another one is mounted
 * is copied as an empty directory. Copying /proc or a mount of the tree
 * itself would have no end otherwise.
 */
#ifndef TOOL_IMPORT_H
#define TOOL_IMPORT_H

#include <stdint.h>

#include <memvfs/memvfs.h>

/* What was left out; 0: everything is there. */
struct import_left {
	uint64_t mounted; /* directories whose mounted content was left out */
	uint64_t xattrs;  /* of namespaces that memvfs has not: ACLs */
	char mounted_path[200], xattrs_path[200]; /* the first of each */
};

/*
 * Fills the root of the view, which must be empty and act as uid 0, from the
 * directory `source`, attributes of the directory itself included. When it
 * fails, the error's message names the path and the tree holds a part of it.
 */
int import_tree(mvfs *fs, const char *source, struct import_left *left,
		struct mvfs_error *error);

#endif
