/* SPDX-License-Identifier: MIT */
/*
 * Who acts, and what that allows: the permission checks of POSIX.1-2024,
 * 4.7 "File Access Permissions", as Linux has them. uid 0 has every
 * capability, nobody else has any.
 */
#ifndef MVFS__ACCESS_H
#define MVFS__ACCESS_H

#include "vfs/node/node.h"

/* Borrowed by the call that it is passed to. */
struct mvfs__who {
	uint32_t uid, gid;
	uint32_t umask;
	const uint32_t *groups;
	size_t group_count;
};

enum {
	MVFS__MAY_EXEC = 1, /* X_OK */
	MVFS__MAY_WRITE = 2, /* W_OK */
	MVFS__MAY_READ = 4 /* R_OK */
};

static inline bool mvfs__is_root(const struct mvfs__who *who)
{
	return who->uid == 0;
}

static inline bool mvfs__is_owner(const struct mvfs__who *who,
				  const struct mvfs__node *node)
{
	return who->uid == node->uid || who->uid == 0;
}

bool mvfs__in_group(const struct mvfs__who *who, uint32_t gid);

/* 0 or -EACCES: for those whom being the owner does not let in. */
int mvfs__may_other(const struct mvfs__who *who, const struct mvfs__node *node,
		    unsigned mask);

static inline int mvfs__may(const struct mvfs__who *who,
			    const struct mvfs__node *node, unsigned mask)
{
	assert(mask <= 7);
	if (who->uid == node->uid && !(mask & ~(mvfs__node_mode(node) >> 6)))
		return 0;
	return mvfs__may_other(who, node, mask);
}

/*
 * Whether `who` may take the name of `node` out of `dir` (write and search
 * permission, and the sticky bit): 0, -EACCES or -EPERM.
 */
int mvfs__may_remove(const struct mvfs__who *who,
		     const struct mvfs__node *dir,
		     const struct mvfs__node *node);

/*
 * The mode and group of what `who` makes in `dir` with `mode`: the umask
 * (not for symlinks), and the rules of setgid directories.
 */
uint32_t mvfs__mode_in(const struct mvfs__who *who,
		       const struct mvfs__node *dir, uint32_t mode);
uint32_t mvfs__gid_in(const struct mvfs__who *who,
		      const struct mvfs__node *dir);

/* The mode after a write or truncation by `who`: setuid and setgid fall. */
uint32_t mvfs__mode_after_write(const struct mvfs__who *who, uint32_t mode,
				uint32_t gid);

#endif
