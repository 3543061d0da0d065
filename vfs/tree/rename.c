/* SPDX-License-Identifier: MIT */
/*
 * Renaming: checks in the order that Linux makes them (do_renameat2), then
 * all that can fail, then what cannot.
 */
#include "config.h"

#include <errno.h>

#include "vfs/tree/act.h"

struct rename {
	struct mvfs__act *act;
	const struct mvfs__found *from, *to;
	bool exchange;
	/* own, once prepared; `over` is what stands at the new name */
	struct mvfs__node *from_dir, *to_dir, *node, *over;
};

/* Whether `above` is the directory itself or on its way to the root. */
static bool is_above(const struct mvfs__act *act,
		     const struct mvfs__node *above,
		     const struct mvfs__node *dir)
{
	for (;;) {
		if (dir == above)
			return true;
		if (mvfs__node_ino(dir) == MVFS__ROOT_INO || !dir->nlink)
			return false;
		dir = mvfs__table_get(act->table, mvfs__node_parent(dir));
	}
}

/* What the names themselves refuse. */
static int check_names(const struct rename *r, unsigned flags)
{
	const struct mvfs__node *node = r->from->node, *over = r->to->node;

	if (r->from->last != MVFS__LAST_NAME ||
	    r->to->last != MVFS__LAST_NAME)
		return flags & MVFS__NOREPLACE &&
		       r->from->last == MVFS__LAST_NAME ? -EEXIST : -EBUSY;
	if (r->from->too_long)
		return r->from->parent->nlink ? -ENAMETOOLONG : -ENOENT;
	if (!node || !r->to->parent->nlink)
		return -ENOENT;
	if (r->to->too_long)
		return -ENAMETOOLONG;
	if ((flags & MVFS__NOREPLACE) && over)
		return -EEXIST;
	if (r->exchange && !over)
		return -ENOENT;
	if (r->exchange && r->to->slash && !mvfs__node_is_dir(over))
		return -ENOTDIR;
	if (!mvfs__node_is_dir(node) &&
	    (r->from->slash || (!r->exchange && r->to->slash)))
		return -ENOTDIR;
	if (mvfs__node_is_dir(node) && is_above(r->act, node, r->to->parent))
		return -EINVAL;
	if (over && mvfs__node_is_dir(over) &&
	    is_above(r->act, over, r->from->parent))
		return r->exchange ? -EINVAL : -ENOTEMPTY;
	return 0;
}

/* A directory that changes its parent has its ".." rewritten. */
static int may_move(const struct rename *r, const struct mvfs__node *node)
{
	if (!mvfs__node_is_dir(node) || r->from->parent == r->to->parent)
		return 0;
	return mvfs__may(r->act->who, node, MVFS__MAY_WRITE);
}

static int check_rights(const struct rename *r)
{
	const struct mvfs__node *node = r->from->node, *over = r->to->node;
	bool is_dir = mvfs__node_is_dir(node);
	int rc;

	rc = mvfs__act_may_delete(r->act, r->from->parent, node, is_dir);
	if (rc)
		return rc;
	if (!over)
		rc = mvfs__act_may_create(r->act, r->to->parent);
	else
		rc = mvfs__act_may_delete(r->act, r->to->parent, over,
					  r->exchange ?
					  mvfs__node_is_dir(over) : is_dir);
	if (rc)
		return rc;
	rc = may_move(r, node);
	if (rc)
		return rc;
	if (r->exchange)
		return may_move(r, over);
	if (over && is_dir && over->u.dir.count)
		return -ENOTEMPTY;
	return 0;
}

/* All that the renaming touches becomes own, old names' paths included. */
static int prepare(struct rename *r)
{
	struct mvfs__act *act = r->act;

	r->from_dir = mvfs__act_own(act, r->from->parent);
	if (!r->from_dir)
		return -ENOMEM;
	/* what was found may be a clone's alone by now, and end with it */
	r->to_dir = r->to->parent == r->from->parent ?
		    r->from_dir : mvfs__act_own(act, r->to->parent);
	if (!r->to_dir)
		return -ENOMEM;
	r->node = mvfs__act_own(act, r->from->node);
	if (!r->node || mvfs__links_own(r->node, act->bin))
		return -ENOMEM;
	if (r->to->node) {
		r->over = mvfs__act_own(act, r->to->node);
		if (!r->over || mvfs__links_own(r->over, act->bin))
			return -ENOMEM;
	}
	return mvfs__dir_own(&r->from_dir->u.dir, &r->from->name, act->bin);
}

static void finish(struct rename *r)
{
	mvfs__act_changed(r->act, r->node);
	if (r->over)
		mvfs__act_changed(r->act, r->over);
	mvfs__act_modified(r->act, r->from_dir);
	mvfs__act_modified(r->act, r->to_dir);
	mvfs__act_renew(r->act);
}

static unsigned type_of(const struct mvfs__node *node)
{
	return mvfs__mode_type(mvfs__node_mode(node));
}

static int move(struct rename *r)
{
	bool is_dir = mvfs__node_is_dir(r->node);
	struct mvfs__link old = {
		mvfs__node_ino(r->from_dir), r->from->entry->obj.key
	};
	struct mvfs__link new = { mvfs__node_ino(r->to_dir), 0 };
	int rc;

	rc = mvfs__dir_set(&r->to_dir->u.dir, &r->to->name,
			   mvfs__node_ino(r->node), type_of(r->node),
			   &new.key, r->act->bin);
	if (rc)
		return rc;
	rc = mvfs__dir_remove(&r->from_dir->u.dir, &r->from->name,
			      r->act->bin);
	assert(rc == 0);
	mvfs__links_replace(r->node, old, new);
	r->from_dir->nlink -= is_dir;
	r->to_dir->nlink += is_dir;
	finish(r);
	if (r->over) {
		r->to_dir->nlink -= mvfs__node_is_dir(r->over);
		mvfs__act_lost_name(r->act, r->over, new);
	}
	return rc;
}

/* A new entry in the place of an own one: cannot fail. */
static void point(struct rename *r, struct mvfs__node *dir,
		  const struct mvfs__name *name, struct mvfs__entry *entry)
{
	int rc = mvfs__dir_put(&dir->u.dir, name, entry, r->act->bin);

	assert(rc == 0);
	(void)rc;
}

static int exchange(struct rename *r)
{
	struct mvfs__link old = {
		mvfs__node_ino(r->from_dir), r->from->entry->obj.key
	};
	struct mvfs__link new = {
		mvfs__node_ino(r->to_dir), r->to->entry->obj.key
	};
	int moved = mvfs__node_is_dir(r->node) - mvfs__node_is_dir(r->over);
	struct mvfs__entry *there, *here;

	if (mvfs__dir_own(&r->to_dir->u.dir, &r->to->name, r->act->bin))
		return -ENOMEM;
	there = mvfs__entry_new(&r->to->name, mvfs__node_ino(r->node),
				type_of(r->node));
	here = mvfs__entry_new(&r->from->name, mvfs__node_ino(r->over),
			       type_of(r->over));
	if (!there || !here) {
		if (there)
			mvfs__obj_drop(&there->obj, r->act->bin);
		if (here)
			mvfs__obj_drop(&here->obj, r->act->bin);
		return -ENOMEM;
	}
	point(r, r->to_dir, &r->to->name, there);
	point(r, r->from_dir, &r->from->name, here);
	mvfs__links_replace(r->node, old, new);
	mvfs__links_replace(r->over, new, old);
	r->from_dir->nlink -= (uint32_t)moved;
	r->to_dir->nlink += (uint32_t)moved;
	finish(r);
	return 0;
}

int mvfs__tree_rename(struct mvfs__act *act, const struct mvfs__found *from,
		      const struct mvfs__found *to, unsigned flags)
{
	struct rename r = {
		.act = act,
		.from = from,
		.to = to,
		.exchange = flags & MVFS__EXCHANGE,
	};
	int rc = check_names(&r, flags);

	if (rc)
		return rc;
	if (from->node == to->node)
		return 0;
	rc = check_rights(&r);
	if (rc)
		return rc;
	rc = prepare(&r);
	if (rc)
		return rc;
	return r.exchange ? exchange(&r) : move(&r);
}
