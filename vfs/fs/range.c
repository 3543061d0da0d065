/* SPDX-License-Identifier: MIT */
/* Seeking, and ranges of a file: reserving, punching, copying, cloning. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "vfs/fs/op.h"

/* What a copy that has to move bytes does at once, under a stripe. */
enum { STEP = MVFS__COPY_MAX };

static int64_t seek_target(const struct mvfs_file *file,
			   const struct mvfs__node *node, int64_t offset,
			   int whence)
{
	const struct mvfs__content *content = &node->u.content;
	bool is_reg = mvfs__node_is_reg(node);
	int64_t base = 0;

	switch (whence) {
	case SEEK_SET:
		break;
	case SEEK_CUR:
		base = (int64_t)file->offset;
		break;
	case SEEK_END:
		if (!is_reg)
			return -EINVAL;
		base = (int64_t)content->size;
		break;
	case SEEK_DATA:
	case SEEK_HOLE:
		if (!is_reg)
			return -EINVAL;
		if (offset < 0)
			return -ENXIO;
		return whence == SEEK_DATA ?
		       mvfs__content_seek_data(content, (uint64_t)offset) :
		       mvfs__content_seek_hole(content, (uint64_t)offset);
	default:
		return -EINVAL;
	}
	if (__builtin_add_overflow(base, offset, &base) || base < 0)
		return -EINVAL;
	return base;
}

int64_t mvfs__fs_lseek(const struct mvfs__from *from,
		       const struct mvfs__on *on, int64_t offset, int whence,
		       bool moves)
{
	struct mvfs_file *file;
	struct mvfs__node *node;
	struct mvfs__op op;
	int64_t rc = mvfs__op_begin_data(&op, from, MVFS__OP_LSEEK, on, NULL,
					 (uint64_t)offset, 0);

	if (rc)
		return mvfs__op_end(&op, rc);
	mvfs__op_shared(&op);
	rc = mvfs__op_file(&op, on, &file, &node);
	if (!rc && (file->flags & O_PATH))
		rc = -EBADF;
	if (!rc) {
		if (op.fs->stripes)
			pthread_mutex_lock(&file->position);
		mvfs__op_data_shared(&op, file->ino);
		rc = seek_target(file, node, offset, whence);
		mvfs__op_data_unlock(&op, file->ino);
		if (rc >= 0 && moves)
			file->offset = (uint64_t)rc;
		if (op.fs->stripes)
			pthread_mutex_unlock(&file->position);
	}
	mvfs__op_unlock(&op);
	return mvfs__op_end(&op, rc);
}

/*
 * What fallocate does is made on a share of the content, which replaces the
 * content when all of it has succeeded.
 */
struct edit {
	struct mvfs__op *op;
	int mode;
	uint64_t offset, length;
};

static int edit_range(const struct edit *e, struct mvfs__content *content)
{
	struct mvfs__bin *bin = &e->op->bin;
	int rc = 0;

	if (e->mode & (MVFS_PUNCH_HOLE | MVFS_ZERO_RANGE))
		rc = mvfs__content_punch(content, e->offset, e->length, bin);
	if (!rc && !(e->mode & MVFS_PUNCH_HOLE))
		rc = mvfs__content_reserve(content, e->offset, e->length, bin);
	if (!rc && !(e->mode & MVFS_KEEP_SIZE) &&
	    e->offset + e->length > content->size)
		rc = mvfs__content_truncate(content, e->offset + e->length,
					    bin);
	return rc;
}

static int fallocate_own(const struct edit *e, struct mvfs__node *node)
{
	struct mvfs__op *op = e->op;
	struct mvfs__content changed;
	int rc;

	if (!(e->mode & (MVFS_PUNCH_HOLE | MVFS_ZERO_RANGE)) &&
	    mvfs__content_cost(&node->u.content, e->offset, e->length) >
	    mvfs__op_room(op))
		return -ENOSPC;
	mvfs__content_share(&node->u.content, &changed);
	rc = edit_range(e, &changed);
	if (!rc)
		rc = mvfs__op_edit(op, node, &changed, e->offset,
				   e->offset + e->length);
	mvfs__content_clear(&changed, &op->bin);
	return rc;
}

static int may_fallocate(const struct mvfs_file *file,
			 const struct mvfs__node *node, uint64_t offset,
			 uint64_t length)
{
	if (!mvfs__file_writable(file))
		return -EBADF;
	if (mvfs__node_is_dir(node))
		return -EISDIR;
	if (!mvfs__node_is_reg(node))
		return -ENODEV;
	return offset + length > MVFS__SIZE_MAX ? -EFBIG : 0;
}

int mvfs__fs_fallocate(const struct mvfs__from *from,
		       const struct mvfs__on *on, int mode, int64_t offset,
		       int64_t len)
{
	struct mvfs_file *file;
	struct mvfs__node *node;
	struct mvfs__op op;
	struct edit e = { &op, mode, (uint64_t)offset, (uint64_t)len };
	int rc = mvfs__op_begin_data(&op, from, MVFS__OP_FALLOCATE, on, NULL,
				     e.offset, e.length);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_read_clock(&op);
	mvfs__op_exclusive(&op);
	rc = mvfs__op_file(&op, on, &file, &node);
	if (!rc)
		rc = may_fallocate(file, node, e.offset, e.length);
	if (!rc) {
		node = mvfs__op_own_data(&op, node);
		rc = node ? fallocate_own(&e, node) : -ENOMEM;
	}
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

/* One step of a copy between files. */
struct copy {
	const struct mvfs__on *in, *out;
	uint64_t in_offset, out_offset;
	uint64_t rest;   /* of the whole copy; cut by its first step */
	uint64_t length; /* of this step: wanted; then done */
};

static int may_copy(const struct mvfs_file *in, const struct mvfs__node *from,
		    const struct mvfs_file *out, const struct mvfs__node *to)
{
	if ((in->flags | out->flags) & O_PATH)
		return -EBADF;
	if (mvfs__node_is_dir(from) || mvfs__node_is_dir(to))
		return -EISDIR;
	if (!mvfs__node_is_reg(from) || !mvfs__node_is_reg(to))
		return -EINVAL;
	if (!mvfs__file_readable(in) || !mvfs__file_writable(out) ||
	    (out->flags & O_APPEND))
		return -EBADF;
	return 0;
}

/* The length that the limit allows; a multiple of blocks if shortened. */
static uint64_t affordable(struct mvfs__op *op, const struct mvfs__content *to,
			   const struct mvfs__content *from,
			   const struct copy *c)
{
	uint64_t room = mvfs__op_room(op), low = 0, high, mid;

	if (mvfs__content_clone_cost(to, c->out_offset, from, c->in_offset,
				     c->length) <= room)
		return c->length;
	high = c->length / MVFS__BLOCK + 1;
	while (high - low > 1) {
		mid = low + (high - low) / 2;
		if (mvfs__content_clone_cost(to, c->out_offset, from,
					     c->in_offset,
					     mid * MVFS__BLOCK) <= room)
			low = mid;
		else
			high = mid;
	}
	return low * MVFS__BLOCK;
}

/* Lets a range of `to` be that of a share of another content. */
static int copy_into(struct mvfs__op *op, struct mvfs__node *node,
		     const struct mvfs__content *share, struct copy *c)
{
	struct mvfs__content *to = &node->u.content;
	uint64_t before = mvfs__content_blocks(to), after, cost;
	int rc;

	do { /* others may take room meanwhile */
		c->length = affordable(op, to, share, c);
		if (!c->length)
			return -ENOSPC;
		cost = mvfs__content_clone_cost(to, c->out_offset, share,
						c->in_offset, c->length);
	} while (mvfs__op_charge(op, cost));
	rc = mvfs__content_clone_range(to, c->out_offset, share, c->in_offset,
				       c->length, &op->bin);
	if (rc) {
		mvfs__fs_free_blocks(op->fs, cost);
		return rc;
	}
	after = mvfs__content_blocks(to);
	assert(after <= before + cost);
	/* holes of the source may have set blocks free */
	mvfs__fs_free_blocks(op->fs, before + cost - after);
	mvfs__op_modified(op, node);
	if (mvfs__op_tracks(op))
		mvfs__op_wrote(op, node, c->out_offset,
			       c->out_offset + c->length);
	return 0;
}

/* Refuses ranges in the order of Linux, and cuts the copy at the end of the
 * source: as it is at first, for a file copied to itself may grow by it. */
static int check_ranges(struct copy *c, uint64_t size, bool same)
{
	int64_t in = (int64_t)c->in_offset, out = (int64_t)c->out_offset;
	uint64_t rest = c->rest;

	if (c->in_offset + rest < rest || c->out_offset + rest < rest)
		return -EOVERFLOW;
	if (in >= (int64_t)size)
		rest = 0;
	else
		rest = mvfs__min64(rest, size - c->in_offset);
	if (out == INT64_MAX)
		return -EFBIG;
	if (out >= 0)
		rest = mvfs__min64(rest, (uint64_t)(INT64_MAX - out));
	if (same && c->in_offset < c->out_offset + rest &&
	    c->out_offset < c->in_offset + rest)
		return -EINVAL;
	c->rest = rest;
	c->length = mvfs__min64(c->length, rest);
	return in < 0 || out < 0 ? -EINVAL : 0;
}

/* -EAGAIN: only under the exclusive lock. */
static int copy_locked(struct mvfs__op *op, struct copy *c)
{
	struct mvfs_file *in, *out;
	struct mvfs__node *from, *to;
	struct mvfs__content share;
	int rc = mvfs__op_file(op, c->in, &in, &from);

	if (!rc)
		rc = mvfs__op_file(op, c->out, &out, &to);
	if (!rc)
		rc = may_copy(in, from, out, to);
	if (rc)
		return rc;
	mvfs__op_data_shared(op, in->ino);
	mvfs__content_share(&from->u.content, &share);
	mvfs__op_data_unlock(op, in->ino);
	rc = check_ranges(c, share.size, from == to);
	if (!rc && c->length) {
		to = mvfs__op_own_data(op, to);
		rc = to ? 0 : op->exclusive ? -ENOMEM : -EAGAIN;
	}
	if (!rc && c->length) {
		mvfs__op_data_exclusive(op, out->ino);
		rc = copy_into(op, to, &share, c);
		mvfs__op_data_unlock(op, out->ino);
	}
	mvfs__content_clear(&share, &op->bin);
	return rc;
}

static int copy_step(struct mvfs__op *op, struct copy *c)
{
	uint64_t length = c->length;
	int rc;

	mvfs__op_shared(op);
	rc = copy_locked(op, c);
	if (rc == -EAGAIN) {
		mvfs__op_unlock(op);
		mvfs__op_exclusive(op);
		c->length = length;
		rc = copy_locked(op, c);
	}
	mvfs__op_unlock(op);
	return rc;
}

static bool can_share(const struct copy *c)
{
	return (c->in_offset | c->out_offset) % MVFS__BLOCK == 0;
}

int64_t mvfs__fs_copy_range(const struct mvfs__from *from,
			    const struct mvfs__on *in, int64_t in_offset,
			    const struct mvfs__on *out, int64_t out_offset,
			    uint64_t len)
{
	struct copy c = { in, out, (uint64_t)in_offset, (uint64_t)out_offset,
			  len, len };
	uint64_t done = 0, want;
	struct mvfs__op op;
	int rc = mvfs__op_begin_data(&op, from, MVFS__OP_COPY_RANGE, out, in,
				     c.out_offset, len);

	if (rc)
		return mvfs__op_end(&op, rc);
	c.rest = mvfs__op_limit(&op, len);
	mvfs__op_read_clock(&op);
	do {
		want = c.rest;
		if (!can_share(&c))
			want = mvfs__min64(want, STEP -
					   c.out_offset % MVFS__BLOCK);
		c.length = want;
		rc = copy_step(&op, &c);
		if (rc)
			break;
		done += c.length;
		c.rest -= c.length;
		c.in_offset += c.length;
		c.out_offset += c.length;
	} while (c.length == want && c.rest);
	return mvfs__op_end(&op, done ? (int64_t)done : rc);
}

static int clone_locked(struct mvfs__op *op, const struct mvfs__on *in_on,
			const struct mvfs__on *out_on)
{
	struct mvfs_file *in, *out;
	struct mvfs__node *from, *to;
	struct mvfs__content share;
	int rc = mvfs__op_file(op, in_on, &in, &from);

	if (!rc)
		rc = mvfs__op_file(op, out_on, &out, &to);
	if (!rc)
		rc = may_copy(in, from, out, to);
	if (rc || from == to)
		return rc;
	to = mvfs__op_own_data(op, to);
	if (!to)
		return -ENOMEM;
	mvfs__content_share(&from->u.content, &share);
	rc = mvfs__op_replace(op, to, &share);
	mvfs__content_clear(&share, &op->bin);
	return rc;
}

int mvfs__fs_clone_file(const struct mvfs__from *from,
			const struct mvfs__on *in, const struct mvfs__on *out)
{
	struct mvfs__op op;
	int rc = mvfs__op_begin_data(&op, from, MVFS__OP_COPY_RANGE, out, in,
				     0, 0);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_read_clock(&op);
	mvfs__op_exclusive(&op);
	rc = clone_locked(&op, in, out);
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}
