/* SPDX-License-Identifier: MIT */
/* chmod, chown and utimens: who may, and what follows. */
#include "config.h"

#include <errno.h>

#include "vfs/tree/tree.h"

static int may_chown(const struct mvfs__who *who,
		     const struct mvfs__node *node, unsigned set,
		     const struct mvfs_stat *values)
{
	if (mvfs__is_root(who))
		return 0;
	if ((set & MVFS__SET_UID) &&
	    (who->uid != node->uid || values->uid != node->uid))
		return -EPERM;
	if ((set & MVFS__SET_GID) &&
	    (who->uid != node->uid || (values->gid != node->gid &&
				       !mvfs__in_group(who, values->gid))))
		return -EPERM;
	return 0;
}

static bool is_time(const struct mvfs_time *time)
{
	return time->nsec == MVFS_TIME_NOW ||
	       (time->nsec >= 0 && time->nsec <= 999999999);
}

static uint32_t mode_after_chown(const struct mvfs__who *who,
				 const struct mvfs__node *node)
{
	uint32_t mode = mvfs__node_mode(node);

	if (S_ISDIR(mode))
		return mode;
	mode &= ~(uint32_t)S_ISUID;
	if ((mode & S_IXGRP) ||
	    (!mvfs__is_root(who) && !mvfs__in_group(who, node->gid)))
		mode &= ~(uint32_t)S_ISGID;
	return mode;
}

int mvfs__attr_may(const struct mvfs__who *who, const struct mvfs__node *node,
		   unsigned set, const struct mvfs_stat *values)
{
	int rc;

	if (((set & MVFS__SET_ATIME) && !is_time(&values->atime)) ||
	    ((set & MVFS__SET_MTIME) && !is_time(&values->mtime)))
		return -EINVAL;
	if ((set & MVFS__SET_MODE) && mvfs__node_is_lnk(node))
		return -EOPNOTSUPP;
	rc = may_chown(who, node, set, values);
	if (rc)
		return rc;
	if (mvfs__is_owner(who, node))
		return 0;
	/* a chown that has to clear setuid or setgid is a chmod as well */
	if (set & MVFS__SET_MODE)
		return -EPERM;
	if ((set & MVFS__SET_CHOWN) &&
	    mode_after_chown(who, node) != mvfs__node_mode(node))
		return -EPERM;
	if (set & MVFS__SET_TOUCH)
		return mvfs__may(who, node, MVFS__MAY_WRITE);
	if (set & (MVFS__SET_ATIME | MVFS__SET_MTIME))
		return -EPERM;
	return 0;
}

static void set_one_time(struct mvfs__node *node, enum mvfs__which_time which,
			 const struct mvfs_time *time,
			 const struct mvfs_time *now)
{
	mvfs__node_set_time(node, which,
			    time->nsec == MVFS_TIME_NOW ? now : time);
}

void mvfs__attr_set(const struct mvfs__who *who, struct mvfs__node *node,
		    unsigned set, const struct mvfs_stat *values,
		    const struct mvfs_time *now)
{
	uint32_t mode = mvfs__node_mode(node);

	if (set & MVFS__SET_CHOWN)
		mode = mode_after_chown(who, node);
	if (set & MVFS__SET_UID)
		node->uid = values->uid;
	if (set & MVFS__SET_GID)
		node->gid = values->gid;
	if (set & MVFS__SET_MODE) {
		mode = (mode & S_IFMT) | (values->mode & 07777);
		if (!mvfs__is_root(who) && !mvfs__in_group(who, node->gid))
			mode &= ~(uint32_t)S_ISGID;
	}
	mvfs__node_set_mode(node, mode);
	if (set & MVFS__SET_ATIME)
		set_one_time(node, MVFS__ATIME, &values->atime, now);
	if (set & MVFS__SET_MTIME)
		set_one_time(node, MVFS__MTIME, &values->mtime, now);
	mvfs__node_set_time(node, MVFS__CTIME, now);
}
