/* SPDX-License-Identifier: MIT */
/* Extended attributes: who may, and the list as a value. */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "vfs/fs/op.h"
#include "vfs/node/xattr.h"

static bool has_prefix(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

static int may_user(const struct mvfs__who *who, const struct mvfs__node *node,
		    bool write)
{
	if (!mvfs__node_is_reg(node) && !mvfs__node_is_dir(node))
		return write ? -EPERM : -ENODATA;
	if (write && mvfs__node_is_dir(node) &&
	    (mvfs__node_mode(node) & S_ISVTX) && !mvfs__is_owner(who, node))
		return -EPERM;
	return mvfs__may(who, node, write ? MVFS__MAY_WRITE : MVFS__MAY_READ);
}

/* A name of no namespace of ours; Linux asks the mode before it says so. */
static int may_none(const struct mvfs__who *who, const struct mvfs__node *node,
		    const char *name, bool write)
{
	int rc = 0;

	if (!has_prefix(name, "system."))
		rc = mvfs__may(who, node,
			       write ? MVFS__MAY_WRITE : MVFS__MAY_READ);
	return rc ? rc : -EOPNOTSUPP;
}

/* xattr(7)'s rules for each namespace, in Linux's order. */
static int may(const struct mvfs__who *who, const struct mvfs__node *node,
	       const char *name, bool write)
{
	const char *rest = strchr(name, '.');
	int rc = 0;

	if (has_prefix(name, "user."))
		rc = may_user(who, node, write);
	else if (has_prefix(name, "trusted."))
		rc = mvfs__is_root(who) ? 0 : write ? -EPERM : -ENODATA;
	else if (has_prefix(name, "security."))
		rc = write && !mvfs__is_root(who) ? -EPERM : 0;
	else
		return may_none(who, node, name, write);
	if (rc)
		return rc;
	return rest[1] ? 0 : -EINVAL;
}

/* Changes the list of an own node to `list`, whose reference it takes. */
static void put_list(struct mvfs__op *op, struct mvfs__node *node,
		     struct mvfs__obj *list)
{
	if (node->xattrs)
		mvfs__obj_drop(node->xattrs, &op->bin);
	node->xattrs = list;
	mvfs__node_set_time(node, MVFS__CTIME, &op->now);
}

struct change {
	const char *name;
	const void *value;
	size_t size;
	int how; /* MVFS_XATTR_* */
	bool remove;
};

static int change_list(struct mvfs__op *op, struct mvfs__node *node,
		       const struct change *c)
{
	struct mvfs__obj *list;
	const void *old;
	bool there;
	int rc = may(&op->who, node, c->name, true);

	if (rc)
		return rc;
	there = mvfs__xattr_get(node->xattrs, c->name, &old) >= 0;
	if (there && (c->how & MVFS_XATTR_CREATE))
		return -EEXIST;
	if (!there && (c->remove || (c->how & MVFS_XATTR_REPLACE)))
		return -ENODATA;
	node = mvfs__table_own(&op->fs->table, mvfs__node_ino(node), &op->bin);
	if (!node)
		return -ENOMEM;
	if (c->remove)
		rc = mvfs__xattr_remove(node->xattrs, c->name, &list);
	else
		rc = mvfs__xattr_set(node->xattrs, c->name, c->value, c->size,
				     &list);
	if (!rc)
		put_list(op, node, list);
	return rc;
}

static int change(const struct mvfs__from *from, const struct mvfs__at *at,
		  unsigned flags, enum mvfs__op_kind kind,
		  const struct change *c)
{
	struct mvfs__node *node;
	struct mvfs__op op;
	int rc = mvfs__op_begin_at(&op, from, kind, at, flags);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_read_clock(&op);
	mvfs__op_exclusive(&op);
	rc = mvfs__op_node(&op, at, flags, &node);
	if (!rc)
		rc = change_list(&op, node, c);
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_setxattr(const struct mvfs__from *from,
		      const struct mvfs__at *at, unsigned flags,
		      const char *name, const void *value, size_t size,
		      int how)
{
	const struct change c = { name, value, size, how, false };

	return change(from, at, flags, MVFS__OP_SETXATTR, &c);
}

int mvfs__fs_removexattr(const struct mvfs__from *from,
			 const struct mvfs__at *at, unsigned flags,
			 const char *name)
{
	const struct change c = { .name = name, .remove = true };

	return change(from, at, flags, MVFS__OP_REMOVEXATTR, &c);
}

/* The node's list as a new reference (or NULL), if `name` may be read. */
static int take_list(struct mvfs__op *op, const struct mvfs__at *at,
		     unsigned flags, const char *name,
		     struct mvfs__obj **list)
{
	struct mvfs__node *node;
	int rc;

	mvfs__op_shared(op);
	rc = mvfs__op_node(op, at, flags, &node);
	if (!rc && name)
		rc = may(&op->who, node, name, false);
	*list = rc ? NULL : node->xattrs;
	if (*list)
		mvfs__obj_retain(*list);
	mvfs__op_unlock(op);
	return rc;
}

int64_t mvfs__fs_getxattr(const struct mvfs__from *from,
			  const struct mvfs__at *at, unsigned flags,
			  const char *name, void *value, size_t size)
{
	struct mvfs__obj *list;
	const void *found;
	struct mvfs__op op;
	int64_t rc = mvfs__op_begin_at(&op, from, MVFS__OP_GETXATTR, at,
				       flags);

	if (rc)
		return mvfs__op_end(&op, rc);
	rc = take_list(&op, at, flags, name, &list);
	if (!rc)
		rc = mvfs__xattr_get(list, name, &found);
	if (rc > 0 && size) {
		if ((uint64_t)rc > size)
			rc = -ERANGE;
		else
			memcpy(value, found, (size_t)rc);
	}
	if (list)
		mvfs__obj_drop(list, &op.bin);
	return mvfs__op_end(&op, rc);
}

struct names {
	char *to; /* NULL: they are only counted */
	size_t used;
	bool all; /* trusted ones too */
};

static void add_name(void *arg, const char *name, size_t len)
{
	struct names *n = arg;

	if (!n->all && has_prefix(name, "trusted."))
		return;
	if (n->to)
		memcpy(n->to + n->used, name, len + 1);
	n->used += len + 1;
}

int64_t mvfs__fs_listxattr(const struct mvfs__from *from,
			   const struct mvfs__at *at, unsigned flags,
			   char *to, size_t size)
{
	struct names count = { NULL, 0, false }, names = { to, 0, false };
	struct mvfs__obj *list;
	struct mvfs__op op;
	int64_t rc = mvfs__op_begin_at(&op, from, MVFS__OP_LISTXATTR, at,
				       flags);

	if (rc)
		return mvfs__op_end(&op, rc);
	count.all = names.all = mvfs__is_root(&op.who);
	rc = take_list(&op, at, flags, NULL, &list);
	if (!rc)
		mvfs__xattr_each(list, add_name, &count);
	if (!rc && count.used > MVFS__XATTR_LIST_MAX)
		rc = -E2BIG;
	else if (!rc && size && count.used > size)
		rc = -ERANGE;
	if (!rc && size)
		mvfs__xattr_each(list, add_name, &names);
	if (list)
		mvfs__obj_drop(list, &op.bin);
	return mvfs__op_end(&op, rc ? rc : (int64_t)count.used);
}
