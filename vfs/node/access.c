/* SPDX-License-Identifier: MIT */
/* Permission checks: see access.h. */
#include "config.h"

#include "vfs/node/access.h"

#include <errno.h>

bool mvfs__in_group(const struct mvfs__who *who, uint32_t gid)
{
	size_t i;

	if (who->gid == gid)
		return true;
	for (i = 0; i < who->group_count; i++)
		if (who->groups[i] == gid)
			return true;
	return false;
}

int mvfs__may_other(const struct mvfs__who *who, const struct mvfs__node *node,
		    unsigned mask)
{
	uint32_t mode = mvfs__node_mode(node);
	uint32_t bits = mode;

	assert(mask <= 7);
	if (who->uid == node->uid)
		bits >>= 6;
	else if ((mode & 070) != ((mode & 07) << 3) &&
		 mvfs__in_group(who, node->gid))
		bits >>= 3;
	if ((mask & ~bits) == 0)
		return 0;
	if (!mvfs__is_root(who))
		return -EACCES;
	if (S_ISDIR(mode) || !(mask & MVFS__MAY_EXEC) || (mode & 0111))
		return 0;
	return -EACCES;
}

int mvfs__may_remove(const struct mvfs__who *who,
		     const struct mvfs__node *dir,
		     const struct mvfs__node *node)
{
	int rc = mvfs__may(who, dir, MVFS__MAY_WRITE | MVFS__MAY_EXEC);

	if (rc)
		return rc;
	if ((mvfs__node_mode(dir) & S_ISVTX) && who->uid != node->uid &&
	    !mvfs__is_owner(who, dir))
		return -EPERM;
	return 0;
}

uint32_t mvfs__gid_in(const struct mvfs__who *who,
		      const struct mvfs__node *dir)
{
	return mvfs__node_mode(dir) & S_ISGID ? dir->gid : who->gid;
}

uint32_t mvfs__mode_in(const struct mvfs__who *who,
		       const struct mvfs__node *dir, uint32_t mode)
{
	uint32_t mask = who->umask & 0777;

	if (S_ISLNK(mode))
		return S_IFLNK | 0777;
	if (!(mvfs__node_mode(dir) & S_ISGID))
		return mode & ~mask;
	if (S_ISDIR(mode))
		return (mode & ~mask) | S_ISGID;
	/* as it was asked for: the umask may take the x away */
	if ((mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) &&
	    !mvfs__is_root(who) && !mvfs__in_group(who, dir->gid))
		mode &= ~(uint32_t)S_ISGID;
	return mode & ~mask;
}

uint32_t mvfs__mode_after_write(const struct mvfs__who *who, uint32_t mode,
				uint32_t gid)
{
	if (!(mode & (S_ISUID | S_ISGID)) || mvfs__is_root(who) ||
	    S_ISDIR(mode))
		return mode;
	mode &= ~(uint32_t)S_ISUID;
	if ((mode & S_IXGRP) || !mvfs__in_group(who, gid))
		mode &= ~(uint32_t)S_ISGID;
	return mode;
}
