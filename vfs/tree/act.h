/* SPDX-License-Identifier: MIT */
/* What the changes of vfs/tree share among themselves. */
#ifndef MVFS__ACT_H
#define MVFS__ACT_H

#include "vfs/tree/tree.h"

/* The node of that number as the instance's own, or NULL. */
static inline struct mvfs__node *mvfs__act_own(struct mvfs__act *act,
					       const struct mvfs__node *node)
{
	return mvfs__table_own(act->table, mvfs__node_ino(node), act->bin);
}

/* Whether a name may be added to the directory: 0, -ENOENT or -EACCES. */
int mvfs__act_may_create(const struct mvfs__act *act,
			 const struct mvfs__node *dir);

/* That and more for taking the name of a directory, or of another node. */
int mvfs__act_may_delete(const struct mvfs__act *act,
			 const struct mvfs__node *dir,
			 const struct mvfs__node *node, bool as_dir);

/* mtime and ctime; ctime alone. */
void mvfs__act_modified(const struct mvfs__act *act, struct mvfs__node *node);
void mvfs__act_changed(const struct mvfs__act *act, struct mvfs__node *node);

/* A name went from the own node: counts it, and ends it with the last. */
void mvfs__act_lost_name(struct mvfs__act *act, struct mvfs__node *node,
			 struct mvfs__link link);

/* What names led to has changed: cached look-ups must not be believed. */
static inline void mvfs__act_renew(struct mvfs__act *act)
{
	act->table->generation = mvfs__unique();
}

#endif
