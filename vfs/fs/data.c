/* SPDX-License-Identifier: MIT */
/*
 * Reading and writing.
 *
 * A reader takes references under the locks and copies after them, so a slow
 * destination holds nobody up. A writer copies under the node's stripe.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "vfs/fs/op.h"
#include "vfs/mem/mem.h"
#include "vfs/mem/scratch.h"

enum { EXTENTS = 8, PIECES = 8 };

/* Memory to read into, as far as it is filled. */
struct sink {
	const struct mvfs_iovec *iov;
	size_t used; /* of iov[0] */
};

/* Where the next `*len` bytes go, which fit one piece. */
static char *sink_next(struct sink *sink, uint64_t left, size_t *len)
{
	char *at;

	while (sink->used == sink->iov->len) {
		sink->iov++;
		sink->used = 0;
	}
	at = (char *)sink->iov->base + sink->used;
	*len = (size_t)mvfs__min64(left, sink->iov->len - sink->used);
	sink->used += *len;
	return at;
}

static void sink_put(struct sink *sink, const uint8_t *bytes, uint64_t length)
{
	size_t len;
	char *at;

	for (; length; length -= len) {
		at = sink_next(sink, length, &len);
		if (!bytes) {
			memset(at, 0, len);
			continue;
		}
		memcpy(at, bytes, len);
		bytes += len;
	}
}

/* What a read found, to be copied out when nothing is locked. */
struct found {
	uint64_t length;
	size_t count;              /* of extents; 0: the share has it */
	struct mvfs__extent extents[EXTENTS];
	struct mvfs__content share;
	uint64_t offset;
};

/* References to [offset, offset + length); the node's data are locked. */
static void find(const struct mvfs__content *content, uint64_t offset,
		 uint64_t length, struct found *found, struct mvfs__bin *bin)
{
	uint64_t covered = 0;

	found->offset = offset;
	found->count = 0;
	found->length = 0;
	if (offset >= content->size || !length)
		return;
	found->length = mvfs__min64(length, content->size - offset);
	found->count = mvfs__content_extents(content, offset, found->length,
					     found->extents, EXTENTS,
					     &covered);
	if (covered >= found->length)
		return;
	/* more pieces than we have room for: the whole, as a reference */
	while (found->count > 0) {
		struct mvfs__extent *e = &found->extents[--found->count];

		if (e->buffer)
			mvfs__obj_drop(&e->buffer->obj, bin);
	}
	mvfs__content_share(content, &found->share);
}

static void copy_out(struct found *found, const struct mvfs_iovec *iov,
		     struct mvfs__bin *bin)
{
	struct sink sink = { iov, 0 };
	uint64_t at, end = found->offset + found->length;
	size_t i, len;
	char *to;

	if (!found->length)
		return;
	mvfs__mem_count_copy((size_t)found->length);
	for (i = 0; i < found->count; i++) {
		sink_put(&sink, found->extents[i].bytes,
			 found->extents[i].length);
		if (found->extents[i].buffer)
			mvfs__obj_drop(&found->extents[i].buffer->obj, bin);
	}
	if (found->count)
		return;
	for (at = found->offset; at < end; at += len) {
		to = sink_next(&sink, end - at, &len);
		mvfs__content_copy_out(&found->share, at, to, len);
	}
	mvfs__content_clear(&found->share, bin);
}

static uint64_t total(const struct mvfs_iovec *iov, size_t count)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < count; i++)
		sum += iov[i].len;
	return sum;
}

/* The file's own offset is read and moved by one call at a time. */
static void lock_position(struct mvfs__op *op, struct mvfs_file *file,
			  int64_t offset)
{
	if (offset == MVFS__OWN_OFFSET && op->fs->stripes && !op->exclusive)
		pthread_mutex_lock(&file->position);
}

static void unlock_position(struct mvfs__op *op, struct mvfs_file *file,
			    int64_t offset)
{
	if (offset == MVFS__OWN_OFFSET && op->fs->stripes && !op->exclusive)
		pthread_mutex_unlock(&file->position);
}

/* A range that ends behind all offsets is refused, whatever is there. */
static int check_range(const struct mvfs_file *file, int64_t offset,
		       uint64_t length)
{
	uint64_t at = offset == MVFS__OWN_OFFSET ? file->offset :
						   (uint64_t)offset;

	return length > (uint64_t)INT64_MAX - at ? -EINVAL : 0;
}

static int may_read(const struct mvfs_file *file,
		    const struct mvfs__node *node, int64_t offset,
		    uint64_t length)
{
	int rc;

	if (!mvfs__file_readable(file))
		return -EBADF;
	rc = check_range(file, offset, length);
	if (rc)
		return rc;
	if (mvfs__node_is_dir(node))
		return -EISDIR;
	return mvfs__node_is_reg(node) ? 0 : -EINVAL;
}

/* With the position: finds what to copy, and moves the offset. */
static int find_at(struct mvfs__op *op, struct mvfs_file *file,
		   const struct mvfs__node *node, uint64_t length,
		   int64_t offset, struct found *found)
{
	bool own = offset == MVFS__OWN_OFFSET;
	int rc = may_read(file, node, offset, length);

	if (rc)
		return rc;
	mvfs__op_data_shared(op, file->ino);
	find(&node->u.content, own ? file->offset : (uint64_t)offset, length,
	     found, &op->bin);
	mvfs__op_data_unlock(op, file->ino);
	if (own)
		file->offset += found->length;
	return 0;
}

static int find_locked(struct mvfs__op *op, const struct mvfs__on *on,
		       uint64_t length, int64_t offset, struct found *found)
{
	struct mvfs_file *file;
	struct mvfs__node *node;
	int rc = mvfs__op_file(op, on, &file, &node);

	if (rc)
		return rc;
	lock_position(op, file, offset);
	rc = find_at(op, file, node, length, offset, found);
	unlock_position(op, file, offset);
	return rc;
}

int64_t mvfs__fs_read(const struct mvfs__from *from, const struct mvfs__on *on,
		      const struct mvfs_iovec *iov, size_t count,
		      int64_t offset)
{
	uint64_t length = total(iov, count);
	struct found found;
	struct mvfs__op op;
	int rc = mvfs__op_begin_data(&op, from, MVFS__OP_READ, on, NULL,
				     (uint64_t)offset, length);

	if (rc)
		return mvfs__op_end(&op, rc);
	mvfs__op_shared(&op);
	rc = find_locked(&op, on, mvfs__op_limit(&op, length), offset, &found);
	mvfs__op_unlock(&op);
	if (rc)
		return mvfs__op_end(&op, rc);
	copy_out(&found, iov, &op.bin);
	if (mvfs__op_flips(&op))
		mvfs__op_flip(&op, iov, found.length);
	return mvfs__op_end(&op, (int64_t)found.length);
}

/* A fault: pieces of bytes of their own, damaged, take the place of shared
 * ones. */
static int flip_pieces(struct mvfs__op *op, struct mvfs__extent *piece,
		       size_t count)
{
	struct mvfs_iovec iov[EXTENTS];
	struct mvfs__buffer *own;
	uint64_t length = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		own = mvfs__buffer_new((size_t)piece[i].length);
		if (!own)
			return -ENOMEM;
		mvfs__buffer_set_used(own, piece[i].length);
		iov[i] = (struct mvfs_iovec){ mvfs__buffer_bytes(own),
					      (size_t)piece[i].length };
		if (piece[i].bytes)
			memcpy(iov[i].base, piece[i].bytes, iov[i].len);
		else
			memset(iov[i].base, 0, iov[i].len);
		if (piece[i].buffer)
			mvfs__obj_drop(&piece[i].buffer->obj, &op->bin);
		piece[i].buffer = own;
		piece[i].bytes = iov[i].base;
		length += iov[i].len;
	}
	mvfs__op_flip(op, iov, length);
	return 0;
}

int64_t mvfs__fs_extents(const struct mvfs__from *from,
			 const struct mvfs__on *on, int64_t offset,
			 size_t len, struct mvfs_extent *extents,
			 size_t capacity)
{
	struct mvfs__extent piece[EXTENTS];
	struct mvfs_file *file;
	struct mvfs__node *node;
	struct mvfs__op op;
	uint64_t covered;
	size_t count = 0, i;
	int rc = mvfs__op_begin_data(&op, from, MVFS__OP_READ, on, NULL,
				     (uint64_t)offset, len);

	if (rc)
		return mvfs__op_end(&op, rc);
	len = (size_t)mvfs__op_limit(&op, len);
	if (capacity > EXTENTS)
		capacity = EXTENTS;
	mvfs__op_shared(&op);
	rc = mvfs__op_file(&op, on, &file, &node);
	if (!rc)
		rc = may_read(file, node, 0, 0);
	if (!rc) {
		mvfs__op_data_shared(&op, mvfs__node_ino(node));
		count = mvfs__content_extents(&node->u.content,
					      (uint64_t)offset, len, piece,
					      capacity, &covered);
		mvfs__op_data_unlock(&op, mvfs__node_ino(node));
	}
	mvfs__op_unlock(&op);
	if (mvfs__op_flips(&op))
		rc = rc ? rc : flip_pieces(&op, piece, count);
	for (i = 0; rc && i < count; i++)
		if (piece[i].buffer)
			mvfs__obj_drop(&piece[i].buffer->obj, &op.bin);
	if (rc)
		return mvfs__op_end(&op, rc);
	for (i = 0; i < count; i++)
		extents[i] = (struct mvfs_extent){
			piece[i].bytes, (size_t)piece[i].length,
			piece[i].buffer
		};
	return mvfs__op_end(&op, (int64_t)count);
}

void mvfs__fs_extents_release(struct mvfs_extent *extents, size_t count)
{
	struct mvfs__bin bin = MVFS__BIN_INIT;
	struct mvfs__buffer *buffer;
	size_t i;

	for (i = 0; i < count; i++) {
		buffer = extents[i].owner;
		if (buffer)
			mvfs__obj_drop(&buffer->obj, &bin);
		extents[i] = (struct mvfs_extent){ NULL, 0, NULL };
	}
	mvfs__bin_empty(&bin);
}

/* A write under way, to an open file. */
struct write {
	struct mvfs__write bytes;
	int64_t offset;
	enum mvfs__append append;
};

/* Takes from the limit what [at, at + *length) costs, or shortens it. */
static int charge(struct mvfs__op *op, const struct mvfs__content *content,
		  uint64_t at, uint64_t *length, bool whole, uint64_t *charged)
{
	for (;;) {
		*charged = mvfs__content_cost(content, at, *length);
		if (!mvfs__op_charge(op, *charged))
			return 0;
		if (whole)
			return -ENOSPC;
		*length = mvfs__content_affordable(content, at, *length,
						   mvfs__op_room(op));
		if (!*length)
			return -ENOSPC;
	}
}

static int write_bytes(struct mvfs__op *op, struct mvfs__node *node,
		       uint64_t at, struct mvfs__write *w)
{
	struct mvfs__content *content = &node->u.content;
	uint64_t before = mvfs__content_blocks(content);
	uint64_t length = w->length, charged;
	int rc;

	if (at >= MVFS__SIZE_MAX ||
	    (w->whole && length > MVFS__SIZE_MAX - at))
		return -EFBIG;
	length = mvfs__min64(length, MVFS__SIZE_MAX - at);
	rc = charge(op, content, at, &length, w->whole, &charged);
	if (rc)
		return rc;
	rc = mvfs__content_write(content, at, w->pieces, w->count, length,
				 &op->bin);
	if (rc) {
		mvfs__fs_free_blocks(op->fs, charged);
		return rc;
	}
	assert(mvfs__content_blocks(content) - before == charged);
	(void)before;
	mvfs__op_modified(op, node);
	if (mvfs__op_tracks(op))
		mvfs__op_wrote(op, node, at, at + length);
	w->written = length;
	return 0;
}

/* A fault: some of the bytes never arrive, though the size does and the call
 * says that all is well. */
static int write_torn(struct mvfs__op *op, struct mvfs__node *node,
		      uint64_t at, struct mvfs__write *w)
{
	uint64_t length = w->length, size = node->u.content.size;
	uint64_t arrive = mvfs__fault_torn(at, length, op->call.torn);
	int rc = 0;

	if (at + length > size)
		rc = mvfs__op_truncate(op, node, at + length);
	if (rc)
		return rc;
	w->length = arrive;
	if (arrive)
		rc = write_bytes(op, node, at, w);
	w->length = length;
	if (rc) {
		/* the end as it was: cutting a hole off cannot fail */
		(void)mvfs__op_truncate(op, node, size);
		return rc;
	}
	if (arrive && w->written < arrive) /* there was no room for more */
		return mvfs__op_truncate(op, node, mvfs__max64(
			size, at + w->written));
	mvfs__op_modified(op, node);
	w->written = length;
	return 0;
}

int mvfs__op_write(struct mvfs__op *op, struct mvfs__node *node, uint64_t at,
		   struct mvfs__write *w)
{
	if (mvfs__op_tears(op) && w->length && at < MVFS__SIZE_MAX &&
	    w->length <= MVFS__SIZE_MAX - at)
		return write_torn(op, node, at, w);
	return write_bytes(op, node, at, w);
}

static bool appends(const struct write *w, const struct mvfs_file *file)
{
	if (w->append == MVFS__APPEND_BY_FLAG)
		return file->flags & O_APPEND;
	return w->append == MVFS__APPEND_YES;
}

/* -EAGAIN: only under the exclusive lock. */
static int write_node(struct mvfs__op *op, struct mvfs_file *file,
		      struct mvfs__node *node, struct write *w)
{
	uint64_t at = w->offset == MVFS__OWN_OFFSET ? file->offset :
						      (uint64_t)w->offset;
	uint64_t ino = file->ino;
	int rc;

	node = mvfs__op_own_data(op, node);
	if (!node)
		return op->exclusive ? -ENOMEM : -EAGAIN;
	mvfs__op_data_exclusive(op, ino);
	if (appends(w, file))
		at = node->u.content.size;
	rc = mvfs__op_write(op, node, at, &w->bytes);
	mvfs__op_data_unlock(op, ino);
	if (!rc && w->offset == MVFS__OWN_OFFSET)
		file->offset = at + w->bytes.written;
	return rc;
}

static int write_locked(struct mvfs__op *op, const struct mvfs__on *on,
			struct write *w)
{
	struct mvfs_file *file;
	struct mvfs__node *node;
	int rc = mvfs__op_file(op, on, &file, &node);

	if (rc)
		return rc;
	if (!mvfs__file_writable(file))
		return -EBADF;
	lock_position(op, file, w->offset);
	rc = check_range(file, w->offset, w->bytes.length);
	if (!rc && w->bytes.length)
		rc = write_node(op, file, node, w);
	unlock_position(op, file, w->offset);
	return rc;
}

static int64_t write_pieces(const struct mvfs__from *from,
			    const struct mvfs__on *on, struct write *w)
{
	struct mvfs__op op;
	int rc = mvfs__op_begin_data(&op, from, MVFS__OP_WRITE, on, NULL,
				     (uint64_t)w->offset, w->bytes.length);

	if (rc)
		return mvfs__op_end(&op, rc);
	w->bytes.length = mvfs__op_limit(&op, w->bytes.length);
	mvfs__op_read_clock(&op);
	mvfs__op_shared(&op);
	rc = write_locked(&op, on, w);
	if (rc == -EAGAIN) {
		mvfs__op_unlock(&op);
		mvfs__op_exclusive(&op);
		rc = write_locked(&op, on, w);
	}
	mvfs__op_unlock(&op);
	return mvfs__op_end(&op, rc ? rc : (int64_t)w->bytes.written);
}

int64_t mvfs__fs_write(const struct mvfs__from *from,
		       const struct mvfs__on *on,
		       const struct mvfs_iovec *iov, size_t count,
		       int64_t offset, enum mvfs__append append)
{
	struct mvfs__piece few[PIECES], *pieces = few;
	struct write w = {
		.bytes = { .count = count, .length = total(iov, count) },
		.offset = offset,
		.append = append,
	};
	struct mvfs_scratch scratch;
	int64_t rc = -ENOMEM;
	size_t i;

	mvfs__scratch_open(&scratch);
	if (count > PIECES)
		pieces = mvfs_scratch_array(&scratch, count, sizeof(*pieces));
	if (pieces) {
		for (i = 0; i < count; i++)
			pieces[i] = (struct mvfs__piece){ iov[i].base,
							  iov[i].len };
		w.bytes.pieces = pieces;
		rc = write_pieces(from, on, &w);
	}
	mvfs_scratch_close(&scratch);
	return rc;
}

int mvfs__fs_fsync(const struct mvfs__from *from, const struct mvfs__on *on,
		   bool data)
{
	struct mvfs_file *file;
	struct mvfs__node *node;
	struct mvfs__op op;
	int rc = mvfs__op_begin_on(&op, from, MVFS__OP_FSYNC, on);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	if (mvfs__op_tracks(&op))
		mvfs__op_exclusive(&op);
	else
		mvfs__op_shared(&op);
	rc = mvfs__op_file(&op, on, &file, &node);
	if (!rc && (file->flags & O_PATH))
		rc = -EBADF;
	if (!rc && mvfs__op_tracks(&op))
		mvfs__op_durable(&op, data ? MVFS__DURABLE_DATA :
				 MVFS__DURABLE_FILE, node);
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_sync(const struct mvfs__from *from)
{
	struct mvfs__op op;
	int rc = mvfs__op_begin(&op, from, MVFS__OP_SYNC);

	if (!rc && mvfs__op_tracks(&op)) {
		mvfs__op_exclusive(&op);
		rc = mvfs__op_durable_all(&op);
		mvfs__op_unlock(&op);
	}
	return (int)mvfs__op_end(&op, rc);
}
