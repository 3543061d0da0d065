/* SPDX-License-Identifier: MIT */
/*
 * Resolving a path: POSIX.1-2024, 4.16 "Pathname Resolution", with Linux's
 * choices (path_resolution(7)): 40 symlinks in all, 4095 bytes of path, 255
 * of a name; every component is walked, ".." too, never cut as a string.
 *
 * One walk serves look-ups and changes: it yields the directory and the name
 * of the last component as well as what is there. It allocates nothing.
 *
 * The caller holds the instance lock, shared or exclusively; what the result
 * points to is good until it is dropped or the tree is changed.
 */
#ifndef MVFS__WALK_H
#define MVFS__WALK_H

#include <errno.h>

#include "vfs/node/access.h"
#include "vfs/node/table.h"

#define MVFS__PATH_MAX 4096u /* with the terminating 0 */
#define MVFS__SYMLINKS_MAX 40u

/* From where, and as whom. */
struct mvfs__origin {
	const struct mvfs__table *table;
	const struct mvfs__seed *seed;
	const struct mvfs__who *who;
	uint64_t root;  /* what "/" is, and where ".." ends */
	uint64_t start; /* where a relative path starts */
};

enum {
	MVFS__FOLLOW = 1,     /* a symlink as the last component too */
	MVFS__EMPTY_OK = 2,   /* "" is the start itself */
	/* a trailing slash does not make the last symlink followed: for what
	 * changes the name rather than what it leads to */
	MVFS__NAME_ITSELF = 4
};

enum mvfs__last {
	MVFS__LAST_NAME,
	MVFS__LAST_DOT,    /* "." or nothing */
	MVFS__LAST_DOTDOT,
	MVFS__LAST_ROOT
};

struct mvfs__found {
	enum mvfs__last last;
	bool slash;                 /* the path ended with one */
	bool too_long;              /* the last name, hence the error */
	struct mvfs__node *parent;  /* that holds the name; with LAST_NAME */
	struct mvfs__name name;     /* with LAST_NAME */
	struct mvfs__entry *entry;  /* NULL: there is none of that name */
	struct mvfs__node *node;    /* NULL: the same */
};

/* What is wrong with how it is spelled, wherever it leads: -ENOENT for "",
 * -ENAMETOOLONG. */
int mvfs__walk_spelling(const char *path, unsigned flags);

/*
 * 0 with *found, where a missing last component is no error (node NULL).
 * -ENOENT, -ENOTDIR, -EACCES, -ELOOP, -ENAMETOOLONG.
 */
int mvfs__walk(const struct mvfs__origin *origin, const char *path,
	       unsigned flags, struct mvfs__found *found);

/* The same, but something must be there: else -ENOENT. */
static inline int mvfs__walk_node(const struct mvfs__origin *origin,
				  const char *path, unsigned flags,
				  struct mvfs__found *found)
{
	int rc = mvfs__walk(origin, path, flags, found);

	if (rc)
		return rc;
	if (!found->node)
		return -ENOENT;
	if (found->last == MVFS__LAST_NAME && found->slash &&
	    !mvfs__node_is_dir(found->node))
		return -ENOTDIR;
	return 0;
}

/*
 * The absolute path of what was found, as seen from the root, by the very
 * name that it was found under: written backwards, so that it ends at
 * `buffer + size`, terminated; *path is where it begins. -ENOENT: it cannot
 * be reached from the root; -ERANGE: it does not fit.
 */
int mvfs__path_found(const struct mvfs__origin *origin,
		     const struct mvfs__found *found, char *buffer,
		     size_t size, char **path);

/* The same by the i-th of a node's names; -ENOENT: it has not so many. */
int mvfs__path_link(const struct mvfs__origin *origin,
		    const struct mvfs__node *node, size_t i, char *buffer,
		    size_t size, char **path);

#endif
