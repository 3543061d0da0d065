/* SPDX-License-Identifier: MIT */
/*
 * The walk: see walk.h.
 *
 * A symlink met on the way puts what is left of the path on a stack and goes
 * on with its target, so nesting costs no recursion. At most 40 are followed
 * in all, which bounds the stack too.
 */
#include "config.h"

#include "vfs/walk/walk.h"

#include <errno.h>
#include <string.h>

#include "vfs/walk/cache.h"

struct walk {
	const struct mvfs__origin *origin;
	struct mvfs__cache_slot *cache;
	unsigned flags;
	struct mvfs__node *dir;  /* where the walk stands */
	const char *rest;        /* of the path, or of a target */
	unsigned followed;
	unsigned depth;          /* of `stack` */
	const char *stack[MVFS__SYMLINKS_MAX];
};

static const char *skip_slashes(const char *p)
{
	while (*p == '/')
		p++;
	return p;
}

/* Whether nothing but slashes is left, here and on the stack. */
static bool only_slashes(const struct walk *w)
{
	unsigned i;

	if (*skip_slashes(w->rest))
		return false;
	for (i = w->depth; i > 0; i--)
		if (*skip_slashes(w->stack[i - 1]))
			return false;
	return true;
}

static inline bool is_last(const struct walk *w)
{
	if (mvfs__likely(!w->depth)) {
		if (!*w->rest)
			return true;
		if (w->rest[1] != '/' && w->rest[1])
			return false;
	}
	return only_slashes(w);
}

/* A slash behind the last name, in the path or in a link that it led to. */
static bool has_slash(const struct walk *w)
{
	unsigned i;

	if (*w->rest == '/')
		return true;
	for (i = w->depth; i > 0; i--)
		if (*w->stack[i - 1] == '/')
			return true;
	return false;
}

static int may_search(const struct walk *w)
{
	if (!mvfs__node_is_dir(w->dir))
		return -ENOTDIR;
	return mvfs__may(w->origin->who, w->dir, MVFS__MAY_EXEC);
}

static int to_ino(struct walk *w, uint64_t ino)
{
	w->dir = mvfs__table_get(w->origin->table, ino);
	return w->dir ? 0 : -ENOENT;
}

static int go_up(struct walk *w)
{
	if (mvfs__node_ino(w->dir) == w->origin->root)
		return 0;
	return to_ino(w, mvfs__node_parent(w->dir));
}

/* Goes on with the target of a symlink that stands in w->dir. */
static int follow(struct walk *w, const struct mvfs__node *link)
{
	const char *target = link->u.target->bytes;

	if (w->followed++ == MVFS__SYMLINKS_MAX)
		return -ELOOP;
	if (*w->rest) {
		assert(w->depth < MVFS__SYMLINKS_MAX);
		w->stack[w->depth++] = w->rest;
	}
	w->rest = target;
	if (*target == '/')
		return to_ino(w, w->origin->root);
	return 0;
}

/* The next component; returns its length, 0 at the very end. */
static size_t next_component(struct walk *w, const char **name)
{
	for (;;) {
		w->rest = skip_slashes(w->rest);
		if (*w->rest)
			break;
		if (!w->depth)
			return 0;
		w->rest = w->stack[--w->depth];
	}
	*name = w->rest;
	w->rest = strchrnul(w->rest, '/');
	return (size_t)(w->rest - *name);
}

static bool wants_link(const struct walk *w, bool slash)
{
	if (slash)
		return !(w->flags & MVFS__NAME_ITSELF);
	return w->flags & MVFS__FOLLOW;
}

/* One name below w->dir. 1: it was the last, and *found is set. */
static int step(struct walk *w, const char *bytes, size_t len,
		struct mvfs__found *found)
{
	struct mvfs__entry *entry = NULL;
	struct mvfs__node *node = NULL;
	bool last, slash;

	if (len > MVFS__NAME_MAX) {
		found->too_long = is_last(w);
		found->parent = w->dir;
		/* a removed directory is not even looked into */
		return w->dir->nlink ? -ENAMETOOLONG : -ENOENT;
	}
	found->name.bytes = bytes;
	found->name.len = len;
	if (!mvfs__cache_lookup(w->cache, w->origin->table, w->origin->seed,
				w->dir, &found->name, &entry, &node))
		node = NULL;
	last = is_last(w);
	slash = last && has_slash(w);
	if (node && mvfs__node_is_lnk(node) && (!last || wants_link(w, slash)))
		return follow(w, node);
	if (last) {
		found->last = MVFS__LAST_NAME;
		found->slash = slash;
		found->parent = w->dir;
		found->entry = entry;
		found->node = node;
		return 1;
	}
	if (!node)
		return -ENOENT;
	w->dir = node;
	return 0;
}

static bool is_dots(const char *name, size_t len)
{
	return name[0] == '.' && (len == 1 || (len == 2 && name[1] == '.'));
}

/* All components. `found` begins as what the walk starts at. */
static int walk_all(struct walk *w, struct mvfs__found *found)
{
	const char *name;
	size_t len;
	int rc;

	while ((len = next_component(w, &name))) {
		rc = may_search(w);
		if (rc)
			return rc;
		if (!is_dots(name, len)) {
			rc = step(w, name, len, found);
			if (rc)
				return rc < 0 ? rc : 0;
			found->last = MVFS__LAST_ROOT;
			continue;
		}
		found->last = len == 1 ? MVFS__LAST_DOT : MVFS__LAST_DOTDOT;
		rc = len == 1 ? 0 : go_up(w);
		if (rc)
			return rc;
	}
	found->node = w->dir;
	found->slash = true;
	return 0;
}

int mvfs__walk_spelling(const char *path, unsigned flags)
{
	if (!*path && !(flags & MVFS__EMPTY_OK))
		return -ENOENT;
	return strnlen(path, MVFS__PATH_MAX) == MVFS__PATH_MAX ?
	       -ENAMETOOLONG : 0;
}

int mvfs__walk(const struct mvfs__origin *origin, const char *path,
	       unsigned flags, struct mvfs__found *found)
{
	struct walk w;
	int rc;

	w.origin = origin;
	w.cache = mvfs__cache();
	w.flags = flags;
	w.rest = path;
	w.followed = 0;
	w.depth = 0;
	*found = (struct mvfs__found){ .last = MVFS__LAST_ROOT };
	if (!*path && !(flags & MVFS__EMPTY_OK))
		return -ENOENT;
	w.dir = mvfs__cache_node(mvfs__cache_of_start(w.cache), origin->table,
				 *path == '/' ? origin->root : origin->start);
	if (!*path) {
		found->last = MVFS__LAST_DOT;
		found->node = w.dir;
		return w.dir ? 0 : -ENOENT;
	}
	rc = w.dir ? walk_all(&w, found) : -ENOENT;
	/* a path that is too long is that first; one that was read to its end
	 * need not be measured */
	if (mvfs__unlikely(rc || w.followed || *w.rest ||
			   (size_t)(w.rest - path) >= MVFS__PATH_MAX) &&
	    mvfs__walk_spelling(path, flags)) {
		found->too_long = false;
		return -ENAMETOOLONG;
	}
	return rc;
}
