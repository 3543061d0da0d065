/* SPDX-License-Identifier: MIT */
/* Taking names away. */
#include "config.h"

#include <errno.h>

#include "vfs/tree/act.h"

/* All that removing the name will touch becomes own. */
static int prepare(struct mvfs__act *act, const struct mvfs__found *found,
		   struct mvfs__node **dir, struct mvfs__node **node)
{
	*dir = mvfs__act_own(act, found->parent);
	if (!*dir)
		return -ENOMEM;
	*node = mvfs__act_own(act, found->node);
	if (!*node || mvfs__links_own(*node, act->bin))
		return -ENOMEM;
	return mvfs__dir_own(&(*dir)->u.dir, &found->name, act->bin);
}

static int take_away(struct mvfs__act *act, const struct mvfs__found *found)
{
	struct mvfs__link link = { .key = found->entry->obj.key };
	struct mvfs__node *dir, *node;
	bool is_dir;
	int rc = prepare(act, found, &dir, &node);

	if (rc)
		return rc;
	link.parent = mvfs__node_ino(dir);
	is_dir = mvfs__node_is_dir(node);
	rc = mvfs__dir_remove(&dir->u.dir, &found->name, act->bin);
	assert(rc == 0);
	mvfs__act_lost_name(act, node, link);
	dir->nlink -= is_dir;
	mvfs__act_modified(act, dir);
	mvfs__act_renew(act);
	return rc;
}

int mvfs__tree_unlink(struct mvfs__act *act, const struct mvfs__found *found)
{
	int rc;

	if (found->last != MVFS__LAST_NAME)
		return -EISDIR;
	if (!found->node)
		return -ENOENT;
	if (found->slash)
		return mvfs__node_is_dir(found->node) ? -EISDIR : -ENOTDIR;
	rc = mvfs__act_may_delete(act, found->parent, found->node, false);
	return rc ? rc : take_away(act, found);
}

int mvfs__tree_rmdir(struct mvfs__act *act, const struct mvfs__found *found)
{
	int rc;

	switch (found->last) {
	case MVFS__LAST_NAME:
		break;
	case MVFS__LAST_DOT:
		return -EINVAL;
	case MVFS__LAST_DOTDOT:
		return -ENOTEMPTY;
	case MVFS__LAST_ROOT:
		return -EBUSY;
	}
	if (!found->node)
		return -ENOENT;
	rc = mvfs__act_may_delete(act, found->parent, found->node, true);
	if (rc)
		return rc;
	if (found->node->u.dir.count)
		return -ENOTEMPTY;
	return take_away(act, found);
}
