/* SPDX-License-Identifier: MIT */
/* New nodes, and new names of old ones. */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "vfs/tree/act.h"

/* What is common to all that adds a name where `found` has none. */
static int may_add(const struct mvfs__act *act,
		   const struct mvfs__found *found, bool is_dir)
{
	if (found->last != MVFS__LAST_NAME || found->node)
		return -EEXIST;
	if (found->slash && !is_dir)
		return -ENOENT;
	return mvfs__act_may_create(act, found->parent);
}

/* The one device that everybody may make: it is none. */
static bool is_whiteout(const struct mvfs__make *make)
{
	return S_ISCHR(make->mode) && make->rdev == 0;
}

static int may_make(const struct mvfs__act *act,
		    const struct mvfs__found *found,
		    const struct mvfs__make *make)
{
	int rc = may_add(act, found, S_ISDIR(make->mode));

	if (rc)
		return rc;
	if ((S_ISCHR(make->mode) || S_ISBLK(make->mode)) &&
	    !is_whiteout(make) && !mvfs__is_root(act->who))
		return -EPERM;
	if (act->table->nodes.count + act->table->orphans >= act->max_inodes)
		return -ENOSPC;
	return 0;
}

/* The node that `make` describes, without names; NULL without memory. */
static struct mvfs__node *new_node(struct mvfs__act *act,
				   const struct mvfs__node *dir,
				   const struct mvfs__make *make)
{
	uint32_t mode = mvfs__mode_in(act->who, dir, make->mode);
	struct mvfs__node *node;

	node = mvfs__node_new(act->table->next_ino, mode, &act->now);
	if (!node)
		return NULL;
	node->uid = act->who->uid;
	node->gid = mvfs__gid_in(act->who, dir);
	if (S_ISCHR(mode) || S_ISBLK(mode))
		node->u.rdev = make->rdev;
	if (!S_ISLNK(mode))
		return node;
	node->u.target = mvfs__target_new(make->target, strlen(make->target));
	if (node->u.target)
		return node;
	mvfs__obj_drop(&node->obj, act->bin);
	return NULL;
}

int mvfs__tree_make(struct mvfs__act *act, const struct mvfs__found *found,
		    const struct mvfs__make *make, struct mvfs__node **out)
{
	bool is_dir = S_ISDIR(make->mode);
	struct mvfs__node *dir, *node;
	struct mvfs__link link;
	int rc = may_make(act, found, make);

	if (rc)
		return rc;
	dir = mvfs__act_own(act, found->parent);
	if (!dir)
		return -ENOMEM;
	node = new_node(act, dir, make);
	if (!node)
		return -ENOMEM;
	rc = mvfs__table_add(act->table, node, act->bin);
	if (rc) {
		mvfs__obj_drop(&node->obj, act->bin);
		return rc;
	}
	link.parent = mvfs__node_ino(dir);
	rc = mvfs__dir_set(&dir->u.dir, &found->name, mvfs__node_ino(node),
			   mvfs__mode_type(make->mode), &link.key, act->bin);
	if (rc) {
		mvfs__table_remove(act->table, node, act->bin);
		return rc;
	}
	act->table->next_ino++;
	mvfs__links_add(node, link);
	node->nlink = is_dir ? 2 : 1;
	dir->nlink += is_dir;
	mvfs__act_modified(act, dir);
	*out = node;
	return 0;
}

int mvfs__tree_tmpfile(struct mvfs__act *act, struct mvfs__node *dir,
		       uint32_t mode, bool linkable, struct mvfs__node **out)
{
	struct mvfs__make make = { .mode = S_IFREG | (mode & 07777) };
	struct mvfs__node *node;
	int rc = mvfs__may(act->who, dir, MVFS__MAY_WRITE | MVFS__MAY_EXEC);

	if (rc)
		return rc;
	if (act->table->nodes.count + act->table->orphans >= act->max_inodes)
		return -ENOSPC;
	node = new_node(act, dir, &make);
	if (!node)
		return -ENOMEM;
	rc = mvfs__table_add_orphan(act->table, node);
	if (rc) {
		mvfs__obj_drop(&node->obj, act->bin);
		return rc;
	}
	act->table->next_ino++;
	node->linkable = linkable;
	*out = node;
	return 0;
}

static int may_link(const struct mvfs__act *act, const struct mvfs__node *node,
		    const struct mvfs__found *to)
{
	int rc = may_add(act, to, false);

	if (rc)
		return rc;
	if (mvfs__node_is_dir(node))
		return -EPERM;
	if (!node->nlink && !node->linkable)
		return -ENOENT;
	return node->nlink == UINT32_MAX ? -EMLINK : 0;
}

int mvfs__tree_link(struct mvfs__act *act, uint64_t ino,
		    const struct mvfs__found *to)
{
	struct mvfs__node *node = mvfs__table_get(act->table, ino);
	struct mvfs__node *dir;
	struct mvfs__link link;
	bool orphan;
	int rc = may_link(act, node, to);

	if (rc)
		return rc;
	dir = mvfs__act_own(act, to->parent);
	node = dir ? mvfs__act_own(act, node) : NULL;
	if (!node || mvfs__links_reserve(node, act->bin))
		return -ENOMEM;
	orphan = !node->nlink;
	if (orphan && mvfs__table_revive(act->table, ino, act->bin))
		return -ENOMEM;
	link.parent = mvfs__node_ino(dir);
	rc = mvfs__dir_set(&dir->u.dir, &to->name, ino,
			   mvfs__mode_type(mvfs__node_mode(node)), &link.key,
			   act->bin);
	if (rc) {
		if (orphan)
			mvfs__table_remove(act->table, node, act->bin);
		return rc;
	}
	mvfs__links_add(node, link);
	node->nlink++;
	mvfs__act_changed(act, node);
	mvfs__act_modified(act, dir);
	return 0;
}
