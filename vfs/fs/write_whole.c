/* SPDX-License-Identifier: MIT */
/*
 * Whole files written, and strings appended. The new bytes are classified,
 * encoded and, where they are to be the file's own, copied before any lock is
 * taken; then they take the place of the old ones all at once.
 *
 * An append copies under the node's stripe, as a write does, so that the file
 * stays in one piece. Where there is nothing to append to, it is a write of a
 * whole file, and may share.
 */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "vfs/base/error.h"
#include "vfs/content/convert.h"
#include "vfs/content/string.h"
#include "vfs/fs/op.h"
#include "vfs/mem/mem.h"

static int may_write_whole(struct mvfs__op *op, const struct mvfs__node *node)
{
	int rc;

	if (mvfs__node_is_dir(node))
		return -EISDIR;
	rc = mvfs__may(&op->who, node, MVFS__MAY_WRITE);
	if (rc)
		return rc;
	return mvfs__node_is_reg(node) ? 0 : -ENXIO;
}

/* The file that is there gets the new content, which takes its place. */
static int replace(struct mvfs__op *op, struct mvfs__node *node,
		   struct mvfs__content *fresh)
{
	int rc = may_write_whole(op, node);

	if (rc)
		return rc;
	node = mvfs__table_own(&op->fs->table, mvfs__node_ino(node), &op->bin);
	if (!node)
		return -ENOMEM;
	return mvfs__op_replace(op, node, fresh);
}

static int make(struct mvfs__op *op, const struct mvfs__found *found,
		struct mvfs__content *fresh)
{
	const struct mvfs__make make = { .mode = S_IFREG | 0666 };
	uint64_t blocks = mvfs__content_blocks(fresh);
	struct mvfs__act act = mvfs__op_act(op);
	struct mvfs__node *node;
	int rc = mvfs__op_charge(op, blocks);

	if (rc)
		return rc;
	rc = mvfs__tree_make(&act, found, &make, &node);
	if (rc) {
		mvfs__fs_free_blocks(op->fs, blocks);
		return rc;
	}
	node->u.content = *fresh;
	mvfs__content_init(fresh);
	return 0;
}

static int find(struct mvfs__op *op, const struct mvfs__at *at,
		struct mvfs__found *found)
{
	int rc = mvfs__op_walk(op, at, MVFS__FOLLOW | MVFS__NAME_ITSELF,
			       found);

	if (rc)
		return rc;
	return found->last != MVFS__LAST_NAME || found->slash ? -EISDIR : 0;
}

static int write_locked(struct mvfs__op *op, const struct mvfs__at *at,
			struct mvfs__content *fresh)
{
	struct mvfs__found found;
	int rc = find(op, at, &found);

	if (rc)
		return rc;
	return found.node ? replace(op, found.node, fresh) :
			    make(op, &found, fresh);
}

int mvfs__fs_write_buffer(const struct mvfs__from *from,
			  const struct mvfs__at *at,
			  struct mvfs__buffer *buffer, uint64_t start,
			  uint64_t length)
{
	struct mvfs__content fresh;
	struct mvfs__op op;
	int rc = mvfs__op_begin_whole(&op, from, MVFS__OP_WRITE_FILE, at,
				      MVFS__FOLLOW | MVFS__NAME_ITSELF,
				      length);

	mvfs__content_init(&fresh);
	if (!rc && length)
		rc = mvfs__content_set(&fresh, buffer, start, length, &op.bin);
	if (rc || !length) {
		if (buffer)
			mvfs__obj_drop(&buffer->obj, &op.bin);
		if (rc)
			return (int)mvfs__op_end(&op, rc);
	}
	if (mvfs__op_tears(&op))
		rc = mvfs__op_tear(&op, &fresh);
	if (rc) {
		mvfs__content_clear(&fresh, &op.bin);
		return (int)mvfs__op_end(&op, rc);
	}
	mvfs__op_read_clock(&op);
	mvfs__op_exclusive(&op);
	rc = write_locked(&op, at, &fresh);
	mvfs__op_unlock(&op);
	mvfs__content_clear(&fresh, &op.bin);
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_write_string(const struct mvfs__from *from,
			  const struct mvfs__at *at,
			  const struct mvfs_string *string,
			  const struct mvfs_charset *charset,
			  struct mvfs_error *error)
{
	struct mvfs__buffer *buffer;
	uint64_t start, length;
	int rc = mvfs__string_encode(string, charset, &buffer, &start, &length,
				     error);

	if (rc) {
		mvfs__error_name(error, at->path);
		return rc;
	}
	rc = mvfs__fs_write_buffer(from, at, buffer, start, length);
	if (rc)
		mvfs__op_say(error, rc, "write", at);
	return rc;
}

int mvfs__fs_write_file(const struct mvfs__from *from,
			const struct mvfs__at *at, const void *bytes,
			size_t len)
{
	struct mvfs__buffer *buffer = NULL;

	if (len) {
		buffer = mvfs__buffer_new(len);
		if (!buffer)
			return -ENOMEM;
		memcpy(mvfs__buffer_bytes(buffer), bytes, len);
		mvfs__buffer_set_used(buffer, len);
		mvfs__mem_count_copy(len);
	}
	return mvfs__fs_write_buffer(from, at, buffer, 0, len);
}

int mvfs__fs_write_adopt(const struct mvfs__from *from,
			 const struct mvfs__at *at, void *bytes, size_t len,
			 mvfs_free_fn *free_fn, void *ctx)
{
	struct mvfs__buffer *buffer;
	int rc;

	buffer = mvfs__buffer_adopt(bytes, len, free_fn, ctx);
	if (!buffer)
		return -ENOMEM;
	/* a reference of our own: on failure it is the last, on success it may
	 * be, for others can replace the file at once */
	mvfs__obj_retain(&buffer->obj);
	rc = mvfs__fs_write_buffer(from, at, buffer, 0, len);
	if (rc)
		mvfs__buffer_disown(buffer);
	mvfs__string_drop(buffer);
	return rc;
}

/* A string to be appended. */
struct append {
	struct mvfs__write write;
	struct mvfs__piece piece;
	struct mvfs__buffer *buffer; /* has the bytes; NULL: the caller's own */
	uint64_t start;              /* of them in the buffer */
	bool utf8, ascii;            /* what they are known to be */
	/* the bytes alone, for where there is nothing to append to */
	struct mvfs__content fresh;
	bool has_fresh;
};

/* The bytes to append, as they are or encoded. */
static int append_init(struct append *a, const struct mvfs_string *string,
		       const struct mvfs_charset *charset,
		       struct mvfs_error *error)
{
	struct mvfs__verdict v;
	int same = 1;

	*a = (struct append){ .write = { .count = 1, .whole = true } };
	mvfs__content_init(&a->fresh);
	a->write.length = string->len;
	a->piece.bytes = string->data;
	if (charset && charset->marked)
		return mvfs__fail(error, -EINVAL, 0, 0, "cannot append in %s, "
				  "which begins with a mark of its own: name "
				  "the order of the file's bytes, if that is "
				  "it", charset->name);
	if (string->len)
		same = mvfs__string_same(string, charset, &v, error);
	if (same < 0)
		return same;
	if (!same) {
		int rc = mvfs__convert((const uint8_t *)string->data,
				       string->len, charset, MVFS__ENCODE, 0,
				       &a->buffer, error);
		if (rc)
			return rc;
		a->write.length = a->buffer->used;
		a->piece.bytes = mvfs__buffer_bytes(a->buffer);
	} else if (string->len && string->owner) {
		a->buffer = string->owner;
		a->start = mvfs__string_stretch(string).start;
		mvfs__obj_retain(&a->buffer->obj);
	}
	a->utf8 = same && string->len;
	a->ascii = a->utf8 && v.ascii;
	a->piece.length = (size_t)a->write.length;
	return 0;
}

/* Before the exclusive lock: what may become all of a file. */
static int append_prepare(struct append *a, struct mvfs__bin *bin)
{
	struct mvfs__buffer *buffer = a->buffer;
	int rc;

	a->has_fresh = true;
	if (!a->write.length)
		return 0;
	if (buffer)
		mvfs__obj_retain(&buffer->obj);
	else
		buffer = mvfs__convert_copy(a->piece.bytes, a->piece.length,
					    &(struct mvfs__verdict){
						.valid = a->piece.length,
						.ascii = a->ascii,
					    });
	if (!buffer)
		return -ENOMEM;
	rc = mvfs__content_set(&a->fresh, buffer, a->start, a->write.length,
			       bin);
	if (rc)
		mvfs__obj_drop(&buffer->obj, bin);
	else if (a->buffer)
		mvfs__mem_count(shares, 1);
	return rc;
}

/* The node is own and its data are locked. */
static int append_own(struct mvfs__op *op, struct mvfs__node *node,
		      struct append *a)
{
	struct mvfs__content *content = &node->u.content;
	uint64_t end = content->size;
	int rc;

	if (!content->held && !end && a->buffer) {
		if (!a->has_fresh)
			return -EAGAIN;
		return mvfs__op_replace(op, node, &a->fresh);
	}
	rc = mvfs__op_write(op, node, end, &a->write);
	if (!rc && a->utf8 && !mvfs__op_tears(op))
		mvfs__content_learn(content, end, a->ascii);
	return rc;
}

/* -EAGAIN: only under the exclusive lock, and prepared. */
static int append_locked(struct mvfs__op *op, const struct mvfs__at *at,
			 struct append *a)
{
	struct mvfs__found found;
	struct mvfs__node *node;
	int rc = find(op, at, &found);

	if (!rc && !found.node)
		return a->has_fresh ? make(op, &found, &a->fresh) : -EAGAIN;
	if (!rc)
		rc = may_write_whole(op, found.node);
	if (rc || !a->write.length)
		return rc;
	node = mvfs__op_own_data(op, found.node);
	if (!node)
		return op->exclusive ? -ENOMEM : -EAGAIN;
	mvfs__op_data_exclusive(op, mvfs__node_ino(node));
	rc = append_own(op, node, a);
	mvfs__op_data_unlock(op, mvfs__node_ino(node));
	return rc;
}

static int append_all(const struct mvfs__from *from, const struct mvfs__at *at,
		      struct append *a)
{
	struct mvfs__op op;
	int rc = mvfs__op_begin_whole(&op, from, MVFS__OP_WRITE_FILE, at,
				      MVFS__FOLLOW | MVFS__NAME_ITSELF,
				      a->write.length);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_read_clock(&op);
	mvfs__op_shared(&op);
	rc = append_locked(&op, at, a);
	mvfs__op_unlock(&op);
	if (rc == -EAGAIN) {
		rc = append_prepare(a, &op.bin);
		if (!rc && mvfs__op_tears(&op))
			rc = mvfs__op_tear(&op, &a->fresh);
		if (!rc) {
			mvfs__op_exclusive(&op);
			rc = append_locked(&op, at, a);
			mvfs__op_unlock(&op);
		}
	}
	mvfs__content_clear(&a->fresh, &op.bin);
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_append_string(const struct mvfs__from *from,
			   const struct mvfs__at *at,
			   const struct mvfs_string *string,
			   const struct mvfs_charset *charset,
			   struct mvfs_error *error)
{
	struct append a;
	int rc = append_init(&a, string, charset, error);

	if (rc) {
		mvfs__error_name(error, at->path);
		return rc;
	}
	a.write.pieces = &a.piece;
	rc = append_all(from, at, &a);
	mvfs__string_drop(a.buffer);
	if (rc)
		mvfs__op_say(error, rc, "write", at);
	return rc;
}
