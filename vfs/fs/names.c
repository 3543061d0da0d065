/* SPDX-License-Identifier: MIT */
/* Names: making, removing, renaming, linking; and where they lead. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "vfs/fs/op.h"
#include "vfs/mem/mem.h"

static enum mvfs__op_kind kind_of(uint32_t mode)
{
	if (S_ISDIR(mode))
		return MVFS__OP_MKDIR;
	return S_ISLNK(mode) ? MVFS__OP_SYMLINK : MVFS__OP_MKNOD;
}

/* Pins the number that the next new node gets, before it is made. */
static int make_pinned(struct mvfs__op *op, const struct mvfs__found *found,
		       const struct mvfs__making *making,
		       struct mvfs__node **node)
{
	const struct mvfs__make make = {
		making->mode, making->rdev, making->target
	};
	struct mvfs__act act = mvfs__op_act(op);
	uint64_t ino = op->fs->table.next_ino;
	int rc = making->pin ? mvfs__op_pin(op, ino, making->pin) : 0;

	if (rc)
		return rc;
	rc = mvfs__tree_make(&act, found, &make, node);
	if (rc && making->pin)
		mvfs__op_unpin(op, ino, making->pin);
	return rc;
}

int mvfs__fs_make(const struct mvfs__from *from, const struct mvfs__at *at,
		  const struct mvfs__making *making, struct mvfs_stat *st)
{
	struct mvfs__found found;
	struct mvfs__node *node;
	struct mvfs__op op;
	int rc;

	rc = mvfs__op_begin_two(&op, from, kind_of(making->mode), at,
				MVFS__NAME_ITSELF, NULL, making->target);
	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_read_clock(&op);
	mvfs__op_exclusive(&op);
	rc = mvfs__op_walk(&op, at, MVFS__NAME_ITSELF, &found);
	if (!rc)
		rc = make_pinned(&op, &found, making, &node);
	if (!rc && st)
		mvfs__op_stat(&op, node, st);
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

static int remove_name(const struct mvfs__from *from,
		       const struct mvfs__at *at, enum mvfs__op_kind kind,
		       int (*fn)(struct mvfs__act *,
				 const struct mvfs__found *))
{
	struct mvfs__found found;
	struct mvfs__act act;
	struct mvfs__op op;
	int rc = mvfs__op_begin_at(&op, from, kind, at, 0);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_read_clock(&op);
	mvfs__op_exclusive(&op);
	act = mvfs__op_act(&op);
	rc = mvfs__op_walk(&op, at, MVFS__NAME_ITSELF, &found);
	if (!rc)
		rc = fn(&act, &found);
	mvfs__op_acted(&op, &act);
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_unlink(const struct mvfs__from *from, const struct mvfs__at *at)
{
	return remove_name(from, at, MVFS__OP_UNLINK, mvfs__tree_unlink);
}

int mvfs__fs_rmdir(const struct mvfs__from *from, const struct mvfs__at *at)
{
	return remove_name(from, at, MVFS__OP_RMDIR, mvfs__tree_rmdir);
}

/* Renaming looks at both directories before it looks at the names. */
static int walk_parent(struct mvfs__op *op, const struct mvfs__at *at,
		       struct mvfs__found *found)
{
	int rc;

	found->too_long = false; /* the walk may not even begin */
	rc = mvfs__op_walk(op, at, MVFS__NAME_ITSELF, found);
	if (!rc || !found->too_long)
		return rc;
	found->last = MVFS__LAST_NAME;
	found->node = NULL;
	return 0;
}

int mvfs__fs_rename(const struct mvfs__from *from, const struct mvfs__at *old,
		    const struct mvfs__at *new, unsigned flags)
{
	struct mvfs__found source, target;
	struct mvfs__act act;
	struct mvfs__op op;
	int rc = mvfs__op_begin_two(&op, from, MVFS__OP_RENAME, old, 0, new,
				    NULL);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_read_clock(&op);
	mvfs__op_exclusive(&op);
	act = mvfs__op_act(&op);
	rc = walk_parent(&op, old, &source);
	if (!rc)
		rc = walk_parent(&op, new, &target);
	if (!rc)
		rc = mvfs__tree_rename(&act, &source, &target, flags);
	mvfs__op_acted(&op, &act);
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

static int link_locked(struct mvfs__op *op, const struct mvfs__at *old,
		       unsigned flags, const struct mvfs__at *new,
		       unsigned pin, struct mvfs_stat *st)
{
	struct mvfs__act act = mvfs__op_act(op);
	struct mvfs__found found;
	struct mvfs__node *node;
	uint64_t ino;
	int rc = mvfs__op_node(op, old, flags, &node);

	if (rc)
		return rc;
	ino = mvfs__node_ino(node);
	rc = mvfs__op_walk(op, new, MVFS__NAME_ITSELF, &found);
	if (rc)
		return rc;
	rc = pin ? mvfs__op_pin(op, ino, pin) : 0;
	if (rc)
		return rc;
	rc = mvfs__tree_link(&act, ino, &found);
	if (rc && pin)
		mvfs__op_unpin(op, ino, pin);
	if (!rc && st)
		mvfs__op_stat(op, mvfs__table_get(&op->fs->table, ino), st);
	return rc;
}

int mvfs__fs_link(const struct mvfs__from *from, const struct mvfs__at *old,
		  unsigned flags, const struct mvfs__at *new, unsigned pin,
		  struct mvfs_stat *st)
{
	struct mvfs__op op;
	int rc = mvfs__op_begin_two(&op, from, MVFS__OP_LINK, old, flags, new,
				    NULL);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_read_clock(&op);
	mvfs__op_exclusive(&op);
	rc = link_locked(&op, old, flags, new, pin, st);
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

int64_t mvfs__fs_readlink(const struct mvfs__from *from,
			  const struct mvfs__at *at, char *to, size_t len)
{
	struct mvfs__target *target = NULL;
	struct mvfs__node *node;
	struct mvfs__op op;
	int64_t rc = mvfs__op_begin_at(&op, from, MVFS__OP_READLINK, at,
				       0);

	if (rc)
		return mvfs__op_end(&op, rc);
	mvfs__op_shared(&op);
	rc = mvfs__op_node(&op, at, MVFS__EMPTY_OK, &node);
	if (!rc && !mvfs__node_is_lnk(node))
		rc = *at->path || at->ino ? -EINVAL : -ENOENT;
	if (!rc) {
		target = node->u.target;
		mvfs__obj_retain(&target->obj);
	}
	mvfs__op_unlock(&op);
	if (target) {
		rc = (int64_t)mvfs__min64(len, target->len);
		memcpy(to, target->bytes, (size_t)rc);
		mvfs__obj_drop(&target->obj, &op.bin);
	}
	return mvfs__op_end(&op, rc);
}

int64_t mvfs__fs_realpath(const struct mvfs__from *from,
			  const struct mvfs__at *at, char *to, size_t len)
{
	char buffer[MVFS__PATH_MAX], *path = NULL;
	struct mvfs__origin origin;
	struct mvfs__found found;
	struct mvfs__op op;
	size_t size;
	int rc = mvfs__op_begin_at(&op, from, MVFS__OP_LOOKUP, at,
				   MVFS__FOLLOW);

	if (rc)
		return mvfs__op_end(&op, rc);
	mvfs__op_shared(&op);
	rc = mvfs__op_origin(&op, at, &origin);
	if (!rc)
		rc = mvfs__walk_node(&origin, at->path, MVFS__FOLLOW, &found);
	if (!rc)
		rc = mvfs__path_found(&origin, &found, buffer, sizeof(buffer),
				      &path);
	mvfs__op_unlock(&op);
	if (rc)
		return mvfs__op_end(&op, rc == -ERANGE ? -ENAMETOOLONG : rc);
	size = (size_t)(buffer + sizeof(buffer) - path);
	if (size > len)
		return mvfs__op_end(&op, -ERANGE);
	memcpy(to, path, size);
	return mvfs__op_end(&op, (int64_t)size - 1);
}
