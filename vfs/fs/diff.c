/* SPDX-License-Identifier: MIT */
/*
 * What differs between two trees.
 *
 * First all paths are gathered at which they may differ, then these are
 * sorted and compared one by one. The paths are those of the inodes whose
 * nodes are not the same value, found by walking both tries of nodes at once,
 * and upward from each by its links; and, of a directory that has moved, those
 * of all that is in it. Relatives have most values in common. Strangers have
 * none, and so all paths are gathered; equal numbers mean nothing then, and
 * do no harm, for what is compared is what a path leads to. Where the roots
 * are not of one number, so that a value in common may have two paths, all
 * are gathered from above.
 *
 * Nothing is locked: both trees are references to what they were.
 */
#include "config.h"

#include "vfs/fs/diff.h"

#include <errno.h>
#include <string.h>

#include "vfs/content/string.h"
#include "vfs/fs/fs.h"
#include "vfs/fs/paths.h"
#include "vfs/mem/mem.h"

struct gathering {
	const struct mvfs__still *tree; /* both */
	struct mvfs__paths paths;
};

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
		mvfs__paths_add_node(&g->paths, &g->tree[i], node[i]);
		if (moved)
			mvfs__paths_add_below(&g->paths, &g->tree[i],
					      node[i]);
	}
	return mvfs__paths_failed(&g->paths) ? -ENOMEM : 0;
}

static int compare_all(struct mvfs__diff *d, const struct mvfs__paths *paths)
{
	const struct mvfs__node *node[2];
	size_t i;
	int rc = 0;

	for (i = 0; i < paths->count && !rc; i++) {
		node[0] = mvfs__still_find(&d->tree[0], paths->sorted[i]);
		node[1] = mvfs__still_find(&d->tree[1], paths->sorted[i]);
		rc = mvfs__diff_at(d, paths->sorted[i], node);
	}
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

	if (d->tree[0].root == d->tree[1].root) {
		rc = mvfs__trie_diff(&d->tree[0].nodes, &d->tree[1].nodes,
				     on_changed, &g);
	} else {
		mvfs__paths_add_tree(&g.paths, &d->tree[0]);
		mvfs__paths_add_tree(&g.paths, &d->tree[1]);
	}
	if (!rc)
		rc = mvfs__paths_sort(&g.paths);
	if (!rc)
		rc = compare_all(d, &g.paths);
	mvfs__paths_free(&g.paths);
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
