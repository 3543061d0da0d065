/* SPDX-License-Identifier: MIT */
/* Attributes: stat, access, and all that changes them, sizes included. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>

#include "vfs/fs/op.h"

int mvfs__fs_stat(const struct mvfs__from *from, const struct mvfs__at *at,
		  unsigned flags, unsigned pin, struct mvfs_stat *st)
{
	struct mvfs__node *node;
	struct mvfs__op op;
	int rc = mvfs__op_begin_at(&op, from, MVFS__OP_STAT, at, flags);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	if (pin)
		mvfs__op_exclusive(&op);
	else
		mvfs__op_shared(&op);
	rc = mvfs__op_node(&op, at, flags, &node);
	if (!rc && pin)
		rc = mvfs__op_pin(&op, mvfs__node_ino(node), pin);
	if (!rc)
		mvfs__op_stat(&op, node, st);
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_access(const struct mvfs__from *from, const struct mvfs__at *at,
		    unsigned flags, unsigned mask)
{
	struct mvfs__node *node;
	struct mvfs__op op;
	int rc = mvfs__op_begin_at(&op, from, MVFS__OP_ACCESS, at,
				   flags);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_shared(&op);
	rc = mvfs__op_node(&op, at, flags, &node);
	if (!rc && mask)
		rc = mvfs__may(&op.who, node, mask);
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

/* What the hooks are told of a change of that set. */
static enum mvfs__op_kind kind_of(unsigned set)
{
	if (set & MVFS__SET_SIZE)
		return MVFS__OP_TRUNCATE;
	if (set & MVFS__SET_CHOWN)
		return MVFS__OP_CHOWN;
	if (set & MVFS__SET_MODE)
		return MVFS__OP_CHMOD;
	return MVFS__OP_UTIMENS;
}

static uint64_t length_of(unsigned set, const struct mvfs_stat *values)
{
	return set & MVFS__SET_SIZE ? values->size : 0;
}

/* Whether the size may be set: through a file that was opened for it, or by
 * the right to write. */
static int may_resize(const struct mvfs__op *op, const struct mvfs_file *file,
		      const struct mvfs__node *node)
{
	if (file && (!mvfs__file_writable(file) || !mvfs__node_is_reg(node)))
		return -EINVAL;
	if (file)
		return 0;
	if (mvfs__node_is_dir(node))
		return -EISDIR;
	if (!mvfs__node_is_reg(node))
		return -EINVAL;
	return mvfs__may(&op->who, node, MVFS__MAY_WRITE);
}

/*
 * The own node gets the size, and is modified even where its size stays: by a
 * path, as on tmpfs, only if there was a block that might have been cut.
 */
static int resize(struct mvfs__op *op, struct mvfs__node *node, uint64_t size,
		  bool through_file)
{
	struct mvfs__content *content = &node->u.content;
	bool moves = through_file || mvfs__content_blocks(content) ||
		     content->size != size;
	int rc = mvfs__op_truncate(op, node, size);

	if (rc)
		return rc;
	if (moves)
		mvfs__op_modified(op, node);
	else
		mvfs__node_set_mode(node, mvfs__mode_after_write(
			&op->who, mvfs__node_mode(node), node->gid));
	return 0;
}

static int setattr(struct mvfs__op *op, const struct mvfs_file *file,
		   struct mvfs__node *node, unsigned set,
		   const struct mvfs_stat *values, struct mvfs_stat *st)
{
	int rc = mvfs__attr_may(&op->who, node, set, values);

	if (!rc && (set & MVFS__SET_SIZE))
		rc = may_resize(op, file, node);
	if (rc)
		return rc;
	node = mvfs__table_own(&op->fs->table, mvfs__node_ino(node), &op->bin);
	if (!node)
		return -ENOMEM;
	if (set & MVFS__SET_SIZE)
		rc = resize(op, node, values->size, file != NULL);
	if (rc)
		return rc;
	if (set & ~(unsigned)MVFS__SET_SIZE)
		mvfs__attr_set(&op->who, node, set, values, &op->now);
	if (st)
		mvfs__op_stat(op, node, st);
	return 0;
}

int mvfs__fs_setattr(const struct mvfs__from *from, const struct mvfs__at *at,
		     unsigned flags, const struct mvfs__on *on, unsigned set,
		     const struct mvfs_stat *values, struct mvfs_stat *st)
{
	struct mvfs_file *file = NULL;
	struct mvfs__node *node;
	struct mvfs__op op;
	int rc;

	if (on)
		rc = mvfs__op_begin_data(&op, from, kind_of(set), on, NULL,
					 UINT64_MAX, length_of(set, values));
	else
		rc = mvfs__op_begin_whole(&op, from, kind_of(set), at, flags,
					  length_of(set, values));
	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_read_clock(&op);
	mvfs__op_exclusive(&op);
	if (on)
		rc = mvfs__op_file(&op, on, &file, &node);
	else
		rc = mvfs__op_node(&op, at, flags, &node);
	if (!rc && file && (file->flags & O_PATH))
		rc = -EBADF;
	if (!rc)
		rc = setattr(&op, file, node, set, values, st);
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}
