/* SPDX-License-Identifier: MIT */
/*
 * Whole files as strings. Under the locks a reference is taken, and nothing
 * else; classifying, decoding and gathering happen when they are gone.
 */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "vfs/base/error.h"
#include "vfs/content/string.h"
#include "vfs/fs/op.h"
#include "vfs/mem/mem.h"

/* A whole file, as taken under the lock. */
struct whole {
	uint64_t ino;
	uint64_t length;
	uint64_t start;              /* in the buffer */
	struct mvfs__buffer *buffer; /* NULL: empty, or `share` has it */
	bool shared;                 /* with the file, which has it too */
	struct mvfs__content share;
};

/* Says which file could not be read or written, and why. */
static void say(struct mvfs_error *error, int code, const char *what,
		const struct mvfs__at *at)
{
	const char *name = mvfs_errno_name(code);

	(void)mvfs__fail(error, code, 0, 0, "cannot %s: %s", what,
			 name ? name : "unknown error");
	mvfs__error_name(error, at ? at->path : "the open file");
}

static int may_read_whole(struct mvfs__op *op, const struct mvfs_file *file,
			  const struct mvfs__node *node)
{
	if (file && !mvfs__file_readable(file))
		return -EBADF;
	if (!file) {
		int rc = mvfs__may(&op->who, node, MVFS__MAY_READ);

		if (rc)
			return rc;
	}
	if (mvfs__node_is_dir(node))
		return -EISDIR;
	return mvfs__node_is_reg(node) ? 0 : -ENXIO;
}

/* Locked: takes a reference to all that the file holds. */
static int take(struct mvfs__op *op, const struct mvfs__at *at,
		const struct mvfs__on *on, struct whole *whole)
{
	struct mvfs_file *file = NULL;
	struct mvfs__node *node;
	int rc;

	if (on)
		rc = mvfs__op_file(op, on, &file, &node);
	else
		rc = mvfs__op_node(op, at, MVFS__FOLLOW, &node);
	if (!rc)
		rc = may_read_whole(op, file, node);
	if (rc)
		return rc;
	whole->ino = mvfs__node_ino(node);
	whole->start = 0;
	mvfs__op_data_shared(op, whole->ino);
	whole->length = node->u.content.size;
	whole->shared = true;
	whole->buffer = mvfs__content_whole(&node->u.content, &whole->start);
	if (whole->length && !whole->buffer)
		mvfs__content_share(&node->u.content, &whole->share);
	mvfs__op_data_unlock(op, whole->ino);
	return 0;
}

/* Puts the gathered bytes into the place of the runs, if they still are. */
static bool install(struct mvfs__op *op, struct whole *whole)
{
	struct mvfs__node *node;
	bool installed = false;

	mvfs__op_shared(op);
	node = mvfs__table_get(&op->fs->table, whole->ino);
	if (node && mvfs__table_is_own(&op->fs->table, node)) {
		mvfs__op_data_exclusive(op, whole->ino);
		installed = mvfs__content_install(&node->u.content,
						  &whole->share,
						  whole->buffer, &op->bin);
		mvfs__op_data_unlock(op, whole->ino);
	}
	mvfs__op_unlock(op);
	return installed;
}

/* Several runs, or holes, become one buffer; no lock is held. */
static int gather(struct mvfs__op *op, struct whole *whole)
{
	assert(whole->length && !whole->buffer);
	whole->buffer = mvfs__content_gather(&whole->share);
	whole->start = 0;
	if (whole->buffer)
		whole->shared = install(op, whole);
	mvfs__content_clear(&whole->share, &op->bin);
	return whole->buffer ? 0 : -ENOMEM;
}

/* All but the making of the string. */
static int read_whole(struct mvfs__op *op, const struct mvfs__from *from,
		      const struct mvfs__at *at, const struct mvfs__on *on,
		      struct whole *whole)
{
	int rc;

	if (on)
		rc = mvfs__op_begin_on(op, from, MVFS__OP_READ_STRING, on);
	else
		rc = mvfs__op_begin_at(op, from, MVFS__OP_READ_STRING, at);
	if (rc)
		return rc;
	mvfs__op_shared(op);
	rc = take(op, at, on, whole);
	mvfs__op_unlock(op);
	if (rc || mvfs__likely(whole->buffer != NULL) || !whole->length)
		return rc;
	return gather(op, whole);
}

int mvfs__fs_read_string(const struct mvfs__from *from,
			 const struct mvfs__at *at, const struct mvfs__on *on,
			 const struct mvfs_charset *charset, unsigned flags,
			 struct mvfs_string *string, struct mvfs_error *error)
{
	struct whole whole;
	struct mvfs__op op;
	int rc = read_whole(&op, from, at, on, &whole);

	if (rc) {
		say(error, rc, "read", at);
		return (int)mvfs__op_end(&op, rc);
	}
	if (whole.buffer && !whole.start &&
	    whole.length == whole.buffer->used &&
	    mvfs__string_on_known(whole.buffer, charset, flags,
				  string))
		rc = 0;
	else
		rc = mvfs__string_from_buffer(whole.buffer, whole.start,
					      whole.length, charset, flags,
					      string, error);
	if (rc)
		mvfs__error_name(error, at ? at->path : "the open file");
	else if (!whole.shared)
		string->flags &= ~MVFS_STRING_SHARED;
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_read_file(const struct mvfs__from *from,
		       const struct mvfs__at *at, struct mvfs_string *bytes)
{
	struct whole whole;
	struct mvfs__op op;
	int rc = read_whole(&op, from, at, NULL, &whole);

	if (!rc)
		rc = mvfs__string_bytes(whole.buffer, whole.start,
					whole.length, bytes);
	if (!rc && !whole.shared)
		bytes->flags &= ~MVFS_STRING_SHARED;
	return (int)mvfs__op_end(&op, rc);
}

/* The file that is there gets the new content, which takes its place. */
static int replace(struct mvfs__op *op, struct mvfs__node *node,
		   struct mvfs__content *fresh)
{
	int rc;

	if (mvfs__node_is_dir(node))
		return -EISDIR;
	rc = mvfs__may(&op->who, node, MVFS__MAY_WRITE);
	if (rc)
		return rc;
	if (!mvfs__node_is_reg(node))
		return -ENXIO;
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

static int write_locked(struct mvfs__op *op, const struct mvfs__at *at,
			struct mvfs__content *fresh)
{
	struct mvfs__found found;
	int rc = mvfs__op_walk(op, at, MVFS__FOLLOW | MVFS__NAME_ITSELF,
			       &found);

	if (rc)
		return rc;
	if (found.last != MVFS__LAST_NAME || found.slash)
		return -EISDIR;
	return found.node ? replace(op, found.node, fresh) :
			    make(op, &found, fresh);
}

/* The buffer's bytes become the file's; takes the reference over. */
static int write_whole(const struct mvfs__from *from,
		       const struct mvfs__at *at, struct mvfs__buffer *buffer,
		       uint64_t start, uint64_t length)
{
	struct mvfs__content fresh;
	struct mvfs__op op;
	int rc = mvfs__op_begin_at(&op, from, MVFS__OP_WRITE_FILE, at);

	op.call.length = length;
	mvfs__content_init(&fresh);
	if (!rc && length)
		rc = mvfs__content_set(&fresh, buffer, start, length, &op.bin);
	if (rc || !length) {
		if (buffer)
			mvfs__obj_drop(&buffer->obj, &op.bin);
		if (rc)
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
	rc = write_whole(from, at, buffer, start, length);
	if (rc)
		say(error, rc, "write", at);
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
	return write_whole(from, at, buffer, 0, len);
}
