/* SPDX-License-Identifier: MIT */
/*
 * What differs between two trees.
 *
 * First all paths are gathered at which they may differ, then these are
 * sorted and compared one by one. Between relatives, the paths are those of
 * the inodes whose nodes are not the same value, found by walking both tries
 * of nodes at once, and upward from each by its links; and, of a directory
 * that has moved, those of all that is in it. Between strangers, they are all
 * paths. So both kinds give the same answer, by the same steps.
 *
 * Nothing is locked: both trees are references to what they were.
 */
#include "config.h"

#include "vfs/fs/diff.h"

#include <errno.h>
#include <stdlib.h>

#include "vfs/content/string.h"
#include "vfs/fs/fs.h"
#include "vfs/mem/mem.h"

/* Paths, each terminated, one behind the other, and where each begins. */
struct paths {
	struct mvfs__grow bytes;
	struct mvfs__grow places; /* size_t each */
};

/* A directory on the way down, and how far its entries have been seen. */
struct level {
	const struct mvfs__node *dir;
	size_t path_len;
	uint64_t key;
};

struct gathering {
	const struct mvfs__still *tree; /* both */
	struct paths paths;
	struct mvfs__grow path;   /* of the walk down */
	struct mvfs__grow levels; /* struct level each */
};

static bool has_failed(const struct gathering *g)
{
	return g->paths.bytes.failed || g->paths.places.failed ||
	       g->path.failed || g->levels.failed;
}

/* What has been added to the bytes from `place` on is a path. */
static void note(struct paths *paths, size_t place)
{
	mvfs__grow_add(&paths->bytes, "", 1);
	mvfs__grow_add(&paths->places, &place, sizeof(place));
}

static void add_path(struct paths *paths, const char *path, size_t len)
{
	size_t place = paths->bytes.len;

	mvfs__grow_add(&paths->bytes, path, len);
	note(paths, place);
}

/* All paths of a node. */
static void add_node(struct gathering *g, const struct mvfs__still *tree,
		     const struct mvfs__node *node)
{
	size_t i, place, count = mvfs__links_count(node);

	if (mvfs__node_ino(node) == tree->root)
		count = 1;
	for (i = 0; i < count; i++) {
		place = g->paths.bytes.len;
		if (mvfs__still_path(tree, node, i, &g->paths.bytes))
			note(&g->paths, place);
	}
}

static void push(struct gathering *g, const struct mvfs__node *dir)
{
	const struct level level = { dir, g->path.len, 0 };

	mvfs__grow_add(&g->levels, &level, sizeof(level));
}

static void step_down(struct gathering *g, const struct mvfs__still *tree,
		      const struct mvfs__entry *entry)
{
	const struct mvfs__node *node = mvfs__still_node(tree, entry->ino);

	mvfs__grow_add(&g->path, "/", 1);
	mvfs__grow_add(&g->path, entry->name, entry->len);
	add_path(&g->paths, mvfs__grow_string(&g->path), g->path.len);
	if (mvfs__node_is_dir(node))
		push(g, node);
	else if (mvfs__links_count(node) > 1)
		add_node(g, tree, node); /* their group has changed */
}

/* All that is below a directory, whose own path is g->path. */
static void add_below(struct gathering *g, const struct mvfs__still *tree,
		      const struct mvfs__node *dir)
{
	const struct mvfs__entry *entry;
	struct level *top;

	push(g, dir);
	while (g->levels.len && !has_failed(g)) {
		top = (struct level *)(void *)(g->levels.bytes +
					       g->levels.len) - 1;
		g->path.len = top->path_len;
		entry = mvfs__dir_after(&top->dir->u.dir, top->key);
		if (!entry) {
			g->levels.len -= sizeof(*top);
			continue;
		}
		top->key = entry->obj.key;
		step_down(g, tree, entry);
	}
}

static void add_tree(struct gathering *g, const struct mvfs__still *tree)
{
	const struct mvfs__node *root = mvfs__still_node(tree, tree->root);

	if (!root)
		return;
	add_path(&g->paths, "/", 1);
	mvfs__grow_clear(&g->path);
	add_below(g, tree, root);
}

/* Whether a directory that is in both has not the same place and name. */
static bool has_moved(const struct gathering *g, const struct mvfs__node *a,
		      const struct mvfs__node *b)
{
	const struct mvfs__node *node[2] = { a, b };
	const struct mvfs__entry *entry[2];
	const struct mvfs__node *dir;
	struct mvfs__link link[2];
	size_t i;

	if (!mvfs__links_count(a) || !mvfs__links_count(b))
		return false; /* the root of both */
	for (i = 0; i < 2; i++) {
		link[i] = mvfs__links_get(node[i], 0);
		dir = mvfs__still_node(&g->tree[i], link[i].parent);
		entry[i] = (struct mvfs__entry *)mvfs__trie_get(&dir->u.dir,
								link[i].key);
	}
	return link[0].parent != link[1].parent ||
	       entry[0]->len != entry[1]->len ||
	       memcmp(entry[0]->name, entry[1]->name, entry[0]->len) != 0;
}

static int on_changed(void *arg, struct mvfs__obj *a, struct mvfs__obj *b)
{
	const struct mvfs__node *node[2] = { (struct mvfs__node *)a,
					     (struct mvfs__node *)b };
	struct gathering *g = arg;
	bool moved;
	size_t i;

	moved = a && b && mvfs__node_is_dir(node[0]) &&
		mvfs__node_is_dir(node[1]) && has_moved(g, node[0], node[1]);
	for (i = 0; i < 2; i++) {
		if (!node[i])
			continue;
		add_node(g, &g->tree[i], node[i]);
		mvfs__grow_clear(&g->path);
		if (moved && mvfs__still_path(&g->tree[i], node[i], 0,
					      &g->path))
			add_below(g, &g->tree[i], node[i]);
	}
	return has_failed(g) ? -ENOMEM : 0;
}

/* Whether nodes of equal numbers are, or were, the same inodes. */
static bool are_relatives(const struct mvfs__still tree[2])
{
	const struct mvfs__node *a = mvfs__still_node(&tree[0], tree[0].root);
	const struct mvfs__node *b = mvfs__still_node(&tree[1], tree[1].root);

	return a && b && mvfs__node_is_same_inode(a, b);
}

int mvfs__path_order(const char *a, const char *b)
{
	unsigned char x, y;

	while (*a && *a == *b) {
		a++;
		b++;
	}
	/* a slash comes before all that a name may have */
	x = (unsigned char)*a;
	y = (unsigned char)*b;
	if (x == '/' || y == '/')
		return !x || (y && x == '/') ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int by_path(const void *a, const void *b)
{
	return mvfs__path_order(*(char *const *)a, *(char *const *)b);
}

/* Compares at each path once. */
static int compare_all(struct mvfs__diff *d, const struct paths *paths)
{
	size_t i, count = paths->places.len / sizeof(size_t);
	const struct mvfs__node *node[2];
	const char **path;
	int rc = 0;

	if (!count)
		return 0;
	path = mvfs__malloc(count * sizeof(*path));
	if (!path)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		size_t place;

		memcpy(&place, paths->places.bytes + i * sizeof(place),
		       sizeof(place));
		path[i] = paths->bytes.bytes + place;
	}
	qsort(path, count, sizeof(*path), by_path);
	for (i = 0; i < count && !rc; i++) {
		if (i && !strcmp(path[i], path[i - 1]))
			continue;
		node[0] = mvfs__still_find(&d->tree[0], path[i]);
		node[1] = mvfs__still_find(&d->tree[1], path[i]);
		rc = mvfs__diff_at(d, path[i], node);
	}
	mvfs__free(path);
	return rc;
}

static void free_pairs(struct mvfs__diff *d)
{
	struct mvfs__diff_pair *pair, *next;

	HASH_ITER(hh, d->pairs, pair, next) {
		HASH_DEL(d->pairs, pair);
		mvfs__free(pair);
	}
}

static int compare(struct mvfs__diff *d)
{
	struct gathering g = { .tree = d->tree };
	int rc = 0;
	size_t i;

	if (are_relatives(d->tree)) {
		rc = mvfs__trie_diff(&d->tree[0].nodes, &d->tree[1].nodes,
				     on_changed, &g);
	} else {
		add_tree(&g, &d->tree[0]);
		add_tree(&g, &d->tree[1]);
	}
	if (!rc)
		rc = has_failed(&g) ? -ENOMEM : compare_all(d, &g.paths);
	mvfs__grow_free(&g.paths.bytes);
	mvfs__grow_free(&g.paths.places);
	mvfs__grow_free(&g.path);
	mvfs__grow_free(&g.levels);
	mvfs__grow_free(&d->line);
	for (i = 0; i < 2; i++)
		mvfs__grow_free(&d->text[i]);
	free_pairs(d);
	return rc;
}

int mvfs__fs_diff(mvfs *a, mvfs *b, unsigned what, mvfs_diff_fn *fn, void *ctx)
{
	struct mvfs__diff d = { .what = what, .fn = fn, .ctx = ctx };
	int rc = mvfs__still_take(a, false, &d.tree[0]);

	if (rc)
		return rc;
	rc = mvfs__still_take(b, false, &d.tree[1]);
	if (!rc) {
		rc = compare(&d);
		mvfs__still_drop(&d.tree[1]);
	}
	mvfs__still_drop(&d.tree[0]);
	return rc;
}

static int add_line(void *ctx, const struct mvfs_difference *difference)
{
	struct mvfs__grow *text = ctx;

	mvfs__grow_text(text, difference->line);
	mvfs__grow_add(text, "\n", 1);
	return text->failed ? -ENOMEM : 0;
}

int mvfs__fs_diff_text(mvfs *a, mvfs *b, unsigned what,
		       struct mvfs_string *string)
{
	struct mvfs__grow text = { NULL, 0, 0, false };
	int rc = mvfs__fs_diff(a, b, what, add_line, &text);

	if (!rc)
		rc = mvfs__string_copy(text.bytes, text.len, string);
	mvfs__grow_free(&text);
	return rc;
}
