/* SPDX-License-Identifier: MIT */
/*
 * What happens at the beginning and the end of a call while somebody
 * listens: its places are resolved to paths, rules are asked and may change
 * what it does, and the log is told.
 *
 * Paths are resolved as uid 0 would, under the lock, which is then dropped:
 * what the call itself finds may be another by then, as with any look before
 * an act.
 */
#include "config.h"

#include <errno.h>
#include <time.h>

#include "vfs/fs/op.h"
#include "vfs/mem/mem.h"

enum { NO_PATH = -1 };

static const struct mvfs__who anybody = { .uid = 0 };

/* Adds a path to those of the call, and says where in *at. 0 or -ENOMEM. */
static int add(struct mvfs__heard *h, const char *path, int64_t *at)
{
	size_t size = strlen(path) + 1, capacity;
	char *grown;

	if (h->capacity - h->len < size) {
		capacity = (h->len + size) * 2;
		grown = mvfs__realloc(h->paths, capacity);
		if (!grown)
			return -ENOMEM;
		h->paths = grown;
		h->capacity = capacity;
	}
	if (at)
		*at = (int64_t)h->len;
	memcpy(h->paths + h->len, path, size);
	h->len += size;
	return 0;
}

/* From the root of the instance, whatever the view's is. */
struct mvfs__origin mvfs__fs_whole_tree(const struct mvfs__fs *fs)
{
	return (struct mvfs__origin){
		.table = &fs->table,
		.seed = &fs->seed,
		.who = &anybody,
		.root = MVFS__ROOT_INO,
		.start = MVFS__ROOT_INO,
	};
}

/* A path that leads nowhere: as it is given, behind where it starts. */
static int add_given(struct mvfs__op *op, const struct mvfs__origin *origin,
		     const char *given, int64_t *at)
{
	const struct mvfs__origin all = mvfs__fs_whole_tree(op->fs);
	char buffer[2 * MVFS__PATH_MAX], *path;
	struct mvfs__node *start;
	size_t len, size;
	uint64_t ino = *given == '/' ? origin->root : origin->start;

	start = mvfs__table_get(&op->fs->table, ino);
	if (!start || mvfs__path_link(&all, start, 0, buffer,
				      MVFS__PATH_MAX, &path))
		return add(&op->heard, "", at);
	len = strlen(path);
	memmove(buffer, path, len + 1);
	while (*given == '/')
		given++;
	if (len > 1)
		buffer[len++] = '/';
	/* a longer one is cut, and leads nowhere either */
	size = mvfs__min64(strlen(given), MVFS__PATH_MAX - 1);
	memcpy(buffer + len, given, size);
	buffer[len + size] = 0;
	return add(&op->heard, buffer, at);
}

/* The other names of a node, for rules. */
static int add_names(struct mvfs__op *op, const struct mvfs__node *node,
		     int64_t path, int64_t *names)
{
	const struct mvfs__origin all = mvfs__fs_whole_tree(op->fs);
	char buffer[MVFS__PATH_MAX], *name;
	struct mvfs__heard *h = &op->heard;
	size_t i, count = mvfs__links_count(node);
	int rc = 0;

	*names = (int64_t)h->len;
	for (i = 0; i < count && !rc; i++) {
		if (mvfs__path_link(&all, node, i, buffer, sizeof(buffer),
				    &name))
			continue;
		if (path == NO_PATH || strcmp(name, h->paths + path) != 0)
			rc = add(h, name, NULL);
	}
	return rc ? rc : add(h, "", NULL);
}

/* What the call tells of the node that it is about. */
static void note_node(struct mvfs__op *op, const struct mvfs__node *node)
{
	op->call.ino = mvfs__node_ino(node);
	if (op->call.op != MVFS__OP_READ_STRING || !mvfs__node_is_reg(node))
		return;
	mvfs__op_data_shared(op, op->call.ino);
	op->call.length = node->u.content.size;
	mvfs__op_data_unlock(op, op->call.ino);
}

/* Where a place is, by the name that it is given; *node, or NULL. */
static int hear_at(struct mvfs__op *op, const struct mvfs__at *at,
		   unsigned flags, int64_t *path, struct mvfs__node **node)
{
	const struct mvfs__origin all = mvfs__fs_whole_tree(op->fs);
	char buffer[MVFS__PATH_MAX], *found_path;
	struct mvfs__origin origin;
	struct mvfs__found found;
	int rc = mvfs__op_origin(op, at, &origin);

	*node = NULL;
	if (rc)
		return add(&op->heard, "", path);
	origin.who = &anybody;
	rc = mvfs__walk(&origin, at->path,
			MVFS__NAME_ITSELF | MVFS__EMPTY_OK, &found);
	if (!rc)
		rc = mvfs__path_found(&all, &found, buffer, sizeof(buffer),
				      &found_path);
	if (rc)
		return add_given(op, &origin, at->path, path);
	*node = found.node;
	rc = add(&op->heard, found_path, path);
	if (found.node && mvfs__node_is_lnk(found.node) &&
	    (flags & MVFS__FOLLOW) &&
	    !mvfs__walk(&origin, at->path, flags | MVFS__EMPTY_OK, &found))
		*node = found.node;
	return rc;
}

static int hear_on(struct mvfs__op *op, const struct mvfs__on *on,
		   int64_t *path, struct mvfs__node **node)
{
	const struct mvfs__origin all = mvfs__fs_whole_tree(op->fs);
	char buffer[MVFS__PATH_MAX], *name = buffer;
	const struct mvfs_file *file;

	*node = NULL;
	file = on->file ? on->file : mvfs__fds_get(&op->fs->fds, on->fd);
	if (file)
		*node = mvfs__table_get(&op->fs->table, file->ino);
	if (!*node || mvfs__path_link(&all, *node, 0, buffer, sizeof(buffer),
				      &name))
		*(name = buffer) = 0;
	return add(&op->heard, name, path);
}

static int hear_paths(struct mvfs__op *op, int64_t *path, int64_t *path2,
		      int64_t *names)
{
	const struct mvfs__heard *h = &op->heard;
	struct mvfs__node *node = NULL, *other;
	int rc;

	if (h->on)
		rc = hear_on(op, h->on, path, &node);
	else if (h->at)
		rc = hear_at(op, h->at, h->flags, path, &node);
	else
		rc = add(&op->heard, "/", path);
	if (!rc && h->on2)
		rc = hear_on(op, h->on2, path2, &other);
	else if (!rc && h->at2)
		rc = hear_at(op, h->at2, 0, path2, &other);
	if (node)
		note_node(op, node);
	else
		op->call.creates = h->at != NULL &&
				   (h->flags & MVFS__NAME_ITSELF);
	if (!rc && node && (op->listening & MVFS__EAR_FAULT))
		rc = add_names(op, node, *path, names);
	return rc;
}

static const char *path_at(const struct mvfs__op *op, int64_t at)
{
	return at == NO_PATH ? NULL : op->heard.paths + at;
}

/* Paths, and the rules as they are now. 0 or -ENOMEM. */
static int hear(struct mvfs__op *op)
{
	int64_t path = NO_PATH, path2 = NO_PATH, names = NO_PATH;
	struct mvfs__heard *h = &op->heard;
	int rc;

	mvfs__op_shared(op);
	rc = hear_paths(op, &path, &path2, &names);
	if (!rc && op->fs->rules && (op->listening & MVFS__EAR_FAULT)) {
		h->rules = op->fs->rules;
		mvfs__obj_retain(&h->rules->obj);
	}
	mvfs__op_unlock(op);
	if (!rc && h->rules && h->rules->count) {
		h->took = mvfs__calloc(h->rules->count, sizeof(*h->took));
		rc = h->took ? 0 : -ENOMEM;
	}
	op->call.path = rc ? "" : path_at(op, path);
	if (!rc && path2 != NO_PATH)
		op->call.path2 = path_at(op, path2);
	if (!rc)
		op->call.names = path_at(op, names);
	return rc;
}

/* Without any lock. */
static void sleep_for(uint64_t nanoseconds)
{
	struct timespec left = {
		(time_t)(nanoseconds / 1000000000),
		(long)(nanoseconds % 1000000000),
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR)
		continue;
}

int mvfs__op_tell_begin(struct mvfs__op *op)
{
	const struct mvfs__hooks *hooks;
	int rc = 0;

	op->call.path = "";
	if (op->listening & MVFS__EAR_STALE)
		return -ESTALE;
	if (!op->listening)
		return 0;
	if (op->heard.on && !op->heard.on->file)
		op->call.dirfd = op->heard.on->fd;
	if (mvfs__op_tracks(op)) {
		op->heard.point = mvfs__point_new();
		rc = op->heard.point || op->call.op == MVFS__OP_CLOSE ?
		     0 : -ENOMEM;
	}
	if (!rc && (op->listening & ~(unsigned)(MVFS__EAR_CRASH |
						MVFS__EAR_STRINGS)))
		rc = hear(op);
	/* what cannot be heard cannot be failed either: to close comes first */
	if (rc && op->call.op == MVFS__OP_CLOSE)
		rc = 0;
	else if (!rc && op->heard.took)
		rc = mvfs__fault_begin(op->heard.rules, &op->call,
				       op->heard.took);
	if (op->call.delay)
		sleep_for(op->call.delay);
	if (rc || !(op->listening & MVFS__EAR_HOOKS))
		return rc;
	hooks = atomic_load_explicit(&op->fs->hooks, memory_order_acquire);
	return hooks ? hooks->begin(hooks->ctx, &op->call) : 0;
}

static void tell_end(struct mvfs__op *op)
{
	struct mvfs__heard *h = &op->heard;
	struct mvfs__bin bin = MVFS__BIN_INIT;
	const struct mvfs__hooks *hooks;

	if (op->listening & MVFS__EAR_HOOKS) {
		hooks = atomic_load_explicit(&op->fs->hooks,
					     memory_order_acquire);
		if (hooks)
			hooks->end(hooks->ctx, &op->call);
	}
	if (h->took)
		mvfs__fault_end(h->rules, &op->call, h->took);
	if (op->listening & MVFS__EAR_LOG)
		mvfs__log_add(&op->fs->log, &op->call);
	if (mvfs__op_tracks(op) && op->call.op == MVFS__OP_FSYNC &&
	    op->call.rule && op->call.result < 0)
		mvfs__op_fsync_failed(op);
	if (h->point)
		mvfs__obj_drop(&h->point->obj, &bin);
	mvfs__free(h->took);
	mvfs__free(h->paths);
	if (h->rules)
		mvfs__obj_drop(&h->rules->obj, &bin);
	mvfs__bin_empty(&bin);
}

void mvfs__op_finish(struct mvfs__op *op, int64_t result)
{
	if (op->bin.head)
		mvfs__bin_empty(&op->bin);
	if (op->listening) {
		op->call.result = result;
		tell_end(op);
	}
}

void mvfs__op_flip(const struct mvfs__op *op, const struct mvfs_iovec *iov,
		   uint64_t length)
{
	uint64_t i, bit, at;
	const struct mvfs_iovec *piece;

	for (i = 0; length && i < mvfs__min64(op->call.flip_bits, length * 8);
	     i++) {
		bit = mvfs__fault_flip(op->call.flip_seed, i, length);
		at = bit / 8;
		for (piece = iov; at >= piece->len; piece++)
			at -= piece->len;
		((unsigned char *)piece->base)[at] ^=
			(unsigned char)(1u << bit % 8);
	}
}

int mvfs__op_tear(struct mvfs__op *op, struct mvfs__content *content)
{
	uint64_t size = content->size;
	int rc;

	if (!size)
		return 0;
	rc = mvfs__content_truncate(content, mvfs__fault_torn(
		0, size, op->call.torn), &op->bin);
	return rc ? rc : mvfs__content_truncate(content, size, &op->bin);
}
