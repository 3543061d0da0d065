/* SPDX-License-Identifier: MIT */
/* Checks and steps that several changes take: see act.h. */
#include "config.h"

#include "vfs/tree/act.h"

#include <errno.h>

int mvfs__act_may_create(const struct mvfs__act *act,
			 const struct mvfs__node *dir)
{
	if (!dir->nlink)
		return -ENOENT;
	return mvfs__may(act->who, dir, MVFS__MAY_WRITE | MVFS__MAY_EXEC);
}

int mvfs__act_may_delete(const struct mvfs__act *act,
			 const struct mvfs__node *dir,
			 const struct mvfs__node *node, bool as_dir)
{
	int rc = mvfs__may_remove(act->who, dir, node);

	if (rc)
		return rc;
	if (as_dir && !mvfs__node_is_dir(node))
		return -ENOTDIR;
	if (!as_dir && mvfs__node_is_dir(node))
		return -EISDIR;
	return 0;
}

void mvfs__act_changed(const struct mvfs__act *act, struct mvfs__node *node)
{
	mvfs__node_set_time(node, MVFS__CTIME, &act->now);
}

void mvfs__act_modified(const struct mvfs__act *act, struct mvfs__node *node)
{
	mvfs__node_set_time(node, MVFS__MTIME, &act->now);
	mvfs__node_set_time(node, MVFS__CTIME, &act->now);
}

void mvfs__act_lost_name(struct mvfs__act *act, struct mvfs__node *node,
			 struct mvfs__link link)
{
	uint64_t blocks = 0;

	mvfs__links_remove(node, link, act->bin);
	mvfs__act_changed(act, node);
	node->nlink = mvfs__node_is_dir(node) ? 0 : node->nlink - 1;
	if (node->nlink)
		return;
	if (mvfs__node_is_reg(node))
		blocks = mvfs__content_blocks(&node->u.content);
	node->linkable = 0;
	if (mvfs__table_remove(act->table, node, act->bin))
		act->freed += blocks;
}
