/* SPDX-License-Identifier: MIT */
/*
 * Walking a tree: directories as they were when they were reached, each in a
 * scratch frame of its own, so that depth costs no stack, and a walk of a
 * tree that is not deep no memory. Nothing is locked while the callback runs;
 * what it removes meanwhile is left out.
 */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "vfs/fs/listing.h"
#include "vfs/mem/mem.h"
#include "vfs/mem/scratch.h"

/* A directory on the way. */
struct frame {
	struct frame *up;
	struct mvfs_scratch scratch; /* has the frame, and the order */
	struct mvfs__listing listing;
	size_t next;     /* entry to visit */
	size_t path_len; /* of the directory */
	size_t name;     /* where its name begins */
	struct mvfs_stat st;
};

struct tree_walk {
	const struct mvfs__from *from;
	unsigned flags;
	mvfs_walk_fn *fn;
	void *ctx;
	char *path;
	size_t path_capacity;
	bool path_on_heap; /* no longer in the scratch frame of the walk */
	struct frame *frame;
	size_t depth;
};

/* Of the path, which few outgrow. */
#define PATH_CAPACITY 1024

/* Frames are open behind the one that has the path: it moves to the heap. */
static int grow_path(struct tree_walk *w, size_t want)
{
	size_t target = w->path_capacity + w->path_capacity / 2;
	char *grown;

	if (want <= w->path_capacity)
		return 0;
	if (target < want)
		target = want;
	grown = mvfs__realloc(w->path_on_heap ? w->path : NULL, target);
	if (!grown)
		return -ENOMEM;
	if (!w->path_on_heap)
		memcpy(grown, w->path, w->path_capacity);
	w->path = grown;
	w->path_capacity = target;
	w->path_on_heap = true;
	return 0;
}

/* The inode as it is now, and, if `dir`, what it holds. */
static int look(struct tree_walk *w, uint64_t ino, struct mvfs_stat *st,
		struct mvfs__listing *dir)
{
	const struct mvfs__at at = { ino, MVFS_AT_FDCWD, "" };
	struct mvfs__node *node;
	struct mvfs__op op;
	int rc = mvfs__op_begin_at(&op, w->from, dir ? MVFS__OP_LIST :
				   MVFS__OP_STAT, &at, MVFS__EMPTY_OK);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_shared(&op);
	rc = mvfs__op_node(&op, &at, MVFS__EMPTY_OK, &node);
	if (!rc && st)
		mvfs__op_stat(&op, node, st);
	if (!rc && dir)
		rc = mvfs__may(&op.who, node, MVFS__MAY_READ |
			       MVFS__MAY_EXEC);
	if (!rc && dir)
		mvfs__listing_take(&op, node, dir);
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

static int call(struct tree_walk *w, size_t path_len, size_t name,
		unsigned depth, enum mvfs_walk_order order,
		const struct mvfs_stat *st)
{
	const struct mvfs_walk_entry entry = {
		.path = w->path,
		.path_len = path_len,
		.name = w->path + name,
		.depth = depth,
		.order = order,
		.st = *st,
	};

	w->path[path_len] = 0;
	return w->fn(w->ctx, &entry);
}

/* A frame in its own memory, or NULL. */
static struct frame *new_frame(void)
{
	struct mvfs_scratch scratch;
	struct frame *frame;

	mvfs__scratch_open(&scratch);
	frame = mvfs_scratch_alloc(&scratch, sizeof(*frame));
	if (frame)
		frame->scratch = scratch;
	else
		mvfs_scratch_close(&scratch);
	return frame;
}

static void end_frame(struct frame *frame)
{
	struct mvfs_scratch scratch = frame->scratch;

	mvfs_scratch_close(&scratch);
}

/* Goes into the directory that the path now names. */
static int enter(struct tree_walk *w, size_t path_len, size_t name,
		 const struct mvfs_stat *st)
{
	struct frame *frame = new_frame();
	int rc;

	if (!frame)
		return -ENOMEM;
	frame->st = *st;
	frame->next = 0;
	frame->path_len = path_len;
	frame->name = name;
	rc = look(w, st->ino, NULL, &frame->listing);
	if (rc) {
		end_frame(frame);
		return rc == -ENOENT ? 0 : rc;
	}
	frame->up = w->frame;
	w->frame = frame;
	w->depth++;
	return mvfs__listing_sort(&frame->listing,
				  mvfs_scratch_array(&frame->scratch,
						frame->listing.trie.count,
						sizeof(struct mvfs__entry *)));
}

/* Appends the name to the directory's path; the new length. */
static int append(struct tree_walk *w, const struct frame *frame,
		  const struct mvfs__entry *entry, size_t *name, size_t *len)
{
	size_t at = frame->path_len;
	int rc = grow_path(w, at + entry->len + 2);

	if (rc)
		return rc;
	if (at && w->path[at - 1] != '/')
		w->path[at++] = '/';
	memcpy(w->path + at, entry->name, entry->len);
	*name = at;
	*len = at + entry->len;
	return 0;
}

static int visit(struct tree_walk *w, size_t path_len, size_t name,
		 const struct mvfs_stat *st)
{
	int rc = call(w, path_len, name, (unsigned)w->depth, MVFS_WALK_PRE,
		      st);

	if (rc == MVFS_WALK_SKIP)
		return 0;
	if (rc || !S_ISDIR(st->mode))
		return rc;
	return enter(w, path_len, name, st);
}

static int visit_next(struct tree_walk *w, struct frame *frame)
{
	struct mvfs__entry *entry = frame->listing.sorted[frame->next++];
	struct mvfs_stat st;
	size_t name, len;
	int rc = append(w, frame, entry, &name, &len);

	if (rc)
		return rc;
	rc = look(w, entry->ino, &st, NULL);
	if (rc)
		return rc == -ENOENT ? 0 : rc;
	return visit(w, len, name, &st);
}

static void leave(struct tree_walk *w)
{
	struct mvfs__bin bin = MVFS__BIN_INIT;
	struct frame *frame = w->frame;

	w->frame = frame->up;
	w->depth--;
	mvfs__listing_clear(&frame->listing, &bin);
	end_frame(frame);
	mvfs__bin_empty(&bin);
}

static int finish(struct tree_walk *w, const struct frame *frame)
{
	struct frame done = *frame;
	int rc;

	leave(w);
	if (!(w->flags & MVFS_WALK_BOTH))
		return 0;
	rc = call(w, done.path_len, done.name, (unsigned)w->depth,
		  MVFS_WALK_POST, &done.st);
	return rc == MVFS_WALK_SKIP ? 0 : rc;
}

/* All that is left after a first visit that returned `rc`. */
static int run(struct tree_walk *w, int rc)
{
	struct frame *frame;

	while (!rc && (frame = w->frame))
		rc = frame->next < frame->listing.trie.count ?
		     visit_next(w, frame) : finish(w, frame);
	while (w->depth)
		leave(w);
	return rc;
}

/* Where the last name of the path begins. */
static size_t last_name(const char *path, size_t len)
{
	while (len && path[len - 1] == '/')
		len--;
	while (len && path[len - 1] != '/')
		len--;
	return len;
}

int mvfs__fs_walk(const struct mvfs__from *from, const char *path,
		  unsigned flags, mvfs_walk_fn *fn, void *ctx)
{
	const struct mvfs__at at = { 0, MVFS_AT_FDCWD, path };
	struct tree_walk w = {
		.from = from, .flags = flags, .fn = fn, .ctx = ctx
	};
	struct mvfs_scratch scratch;
	struct mvfs_stat st;
	size_t len = strlen(path);
	int rc = mvfs__fs_stat(from, &at, MVFS__AT_FOLLOW, 0, &st);

	if (rc)
		return rc;
	w.path_capacity = len < PATH_CAPACITY ? PATH_CAPACITY : len + 1;
	mvfs__scratch_open(&scratch);
	w.path = mvfs_scratch_alloc(&scratch, w.path_capacity);
	if (w.path) {
		memcpy(w.path, path, len + 1);
		rc = run(&w, visit(&w, len, last_name(path, len), &st));
	} else {
		rc = -ENOMEM;
	}
	if (w.path_on_heap)
		mvfs__free(w.path);
	mvfs_scratch_close(&scratch);
	return rc;
}
