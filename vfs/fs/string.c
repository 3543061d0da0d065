/* SPDX-License-Identifier: MIT */
/*
 * Whole files read as strings. Under the locks a reference is taken, and
 * nothing else; classifying, decoding and gathering happen when they are gone.
 */
#include "config.h"

#include <errno.h>

#include "vfs/base/error.h"
#include "vfs/content/lines.h"
#include "vfs/content/string.h"
#include "vfs/fs/op.h"

/* A whole file, as taken under the lock. */
struct whole {
	uint64_t ino;
	uint64_t length;
	uint64_t start;              /* in the buffer */
	struct mvfs__buffer *buffer; /* NULL: empty, or `share` has it */
	bool shared;                 /* with the file, which has it too */
	struct mvfs__content share;
};

void mvfs__op_say(struct mvfs_error *error, int code, const char *what,
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

/* A fault: less of it, or damaged. On failure the reference is dropped. */
static int spoil(struct mvfs__op *op, struct whole *whole)
{
	struct mvfs__buffer *own;
	struct mvfs_iovec iov;

	whole->length = mvfs__op_limit(op, whole->length);
	if (!whole->buffer || (whole->length && !mvfs__op_flips(op)))
		return 0;
	own = whole->length ? mvfs__buffer_new((size_t)whole->length) : NULL;
	if (own) {
		iov.base = mvfs__buffer_bytes(own);
		iov.len = (size_t)whole->length;
		memcpy(iov.base, mvfs__buffer_bytes(whole->buffer) +
		       whole->start, iov.len);
		mvfs__buffer_set_used(own, whole->length);
		mvfs__op_flip(op, &iov, whole->length);
	}
	mvfs__obj_drop(&whole->buffer->obj, &op->bin);
	whole->buffer = own;
	whole->start = 0;
	whole->shared = false;
	return whole->length && !own ? -ENOMEM : 0;
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
		rc = mvfs__op_begin_at(op, from, MVFS__OP_READ_STRING, at,
				       MVFS__FOLLOW);
	if (rc)
		return rc;
	mvfs__op_shared(op);
	rc = take(op, at, on, whole);
	mvfs__op_unlock(op);
	if (!rc && mvfs__unlikely(!whole->buffer) && whole->length)
		rc = gather(op, whole);
	if (mvfs__unlikely(op->listening) && !rc)
		rc = spoil(op, whole);
	return rc;
}

int mvfs__fs_read_string(const struct mvfs__from *from,
			 const struct mvfs__at *at, const struct mvfs__on *on,
			 const struct mvfs_charset *charset, unsigned flags,
			 struct mvfs_string *string, struct mvfs_error *error)
{
	struct mvfs_string made, *to = string;
	struct whole whole;
	struct mvfs__op op;
	int rc = read_whole(&op, from, at, on, &whole);

	if (rc) {
		mvfs__op_say(error, rc, "read", at);
		return (int)mvfs__op_end(&op, rc);
	}
	if (mvfs__op_holds(&op))
		to = &made;
	if (whole.buffer && !whole.start &&
	    whole.length == whole.buffer->used &&
	    mvfs__string_on_plain(whole.buffer, charset, flags, to))
		rc = 0;
	else
		rc = mvfs__string_from_buffer(whole.buffer, whole.start,
					      whole.length, charset, flags,
					      to, error);
	if (rc)
		mvfs__error_name(error, at ? at->path : "the open file");
	else if (!whole.shared)
		to->flags &= ~MVFS_STRING_SHARED;
	if (mvfs__op_holds(&op) && !rc) {
		rc = mvfs__op_hold(&op, whole.ino, &made, string);
		if (rc)
			mvfs__op_say(error, rc, "read", at);
	}
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_read_file(const struct mvfs__from *from,
		       const struct mvfs__at *at, struct mvfs_string *bytes)
{
	struct mvfs_string made, *to = bytes;
	struct whole whole;
	struct mvfs__op op;
	int rc = read_whole(&op, from, at, NULL, &whole);

	if (mvfs__op_holds(&op))
		to = &made;
	if (!rc)
		rc = mvfs__string_bytes(whole.buffer, whole.start,
					whole.length, to);
	if (!rc && !whole.shared)
		to->flags &= ~MVFS_STRING_SHARED;
	if (mvfs__op_holds(&op) && !rc)
		rc = mvfs__op_hold(&op, whole.ino, &made, bytes);
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_read_lines(const struct mvfs__from *from,
			const struct mvfs__at *at, const struct mvfs__on *on,
			const struct mvfs_charset *charset, unsigned flags,
			uint64_t first, uint64_t count,
			struct mvfs_lines *lines, struct mvfs_error *error)
{
	struct mvfs_string text;
	int rc = mvfs__fs_read_string(from, at, on, charset, flags, &text,
				      error);

	if (rc)
		return rc;
	rc = mvfs__lines_of(&text, first, count, lines);
	if (rc)
		mvfs__op_say(error, rc, "read", at);
	return rc;
}
