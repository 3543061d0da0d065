/* SPDX-License-Identifier: MIT */
/* Gathering paths: see paths.h. */
#include "config.h"

#include "vfs/fs/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "vfs/mem/mem.h"

/* A directory on the way down, and how far its entries have been seen. */
struct level {
	const struct mvfs__node *dir;
	size_t path_len;
	uint64_t key;
};

bool mvfs__paths_failed(const struct mvfs__paths *p)
{
	return p->bytes.failed || p->places.failed || p->path.failed ||
	       p->levels.failed;
}

/* What has been added to the bytes from `place` on is a path. */
static void note(struct mvfs__paths *p, size_t place)
{
	mvfs__grow_add(&p->bytes, "", 1);
	mvfs__grow_add(&p->places, &place, sizeof(place));
}

void mvfs__paths_add_node(struct mvfs__paths *p,
			  const struct mvfs__still *tree,
			  const struct mvfs__node *node)
{
	size_t i, place, count = mvfs__links_count(node);

	if (mvfs__node_ino(node) == tree->root)
		count = 1;
	for (i = 0; i < count; i++) {
		place = p->bytes.len;
		if (mvfs__still_path(tree, node, i, &p->bytes))
			note(p, place);
	}
}

static void push(struct mvfs__paths *p, const struct mvfs__node *dir)
{
	const struct level level = { dir, p->path.len, 0 };

	mvfs__grow_add(&p->levels, &level, sizeof(level));
}

static void step_down(struct mvfs__paths *p, const struct mvfs__still *tree,
		      const struct mvfs__entry *entry)
{
	const struct mvfs__node *node = mvfs__still_node(tree, entry->ino);
	size_t place = p->bytes.len;

	mvfs__grow_add(&p->path, "/", 1);
	mvfs__grow_add(&p->path, entry->name, entry->len);
	mvfs__grow_add(&p->bytes, mvfs__grow_string(&p->path), p->path.len);
	note(p, place);
	if (mvfs__node_is_dir(node))
		push(p, node);
	else if (mvfs__links_count(node) > 1)
		mvfs__paths_add_node(p, tree, node);
}

void mvfs__paths_add_below(struct mvfs__paths *p,
			   const struct mvfs__still *tree,
			   const struct mvfs__node *dir)
{
	const struct mvfs__entry *entry;
	struct level *top;

	mvfs__grow_clear(&p->path);
	if (mvfs__node_ino(dir) != tree->root &&
	    !mvfs__still_path(tree, dir, 0, &p->path))
		return;
	push(p, dir);
	while (p->levels.len && !mvfs__paths_failed(p)) {
		top = (struct level *)(void *)(p->levels.bytes +
					       p->levels.len) - 1;
		p->path.len = top->path_len;
		entry = mvfs__dir_after(&top->dir->u.dir, top->key);
		if (!entry) {
			p->levels.len -= sizeof(*top);
			continue;
		}
		top->key = entry->obj.key;
		step_down(p, tree, entry);
	}
}

void mvfs__paths_add_tree(struct mvfs__paths *p,
			  const struct mvfs__still *tree)
{
	const struct mvfs__node *root = mvfs__still_node(tree, tree->root);

	if (!root)
		return;
	mvfs__paths_add_node(p, tree, root);
	mvfs__paths_add_below(p, tree, root);
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

int mvfs__paths_sort(struct mvfs__paths *p)
{
	size_t i, place, count = p->places.len / sizeof(place);

	if (mvfs__paths_failed(p))
		return -ENOMEM;
	if (!count)
		return 0;
	p->sorted = mvfs__malloc(count * sizeof(*p->sorted));
	if (!p->sorted)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		memcpy(&place, p->places.bytes + i * sizeof(place),
		       sizeof(place));
		p->sorted[i] = p->bytes.bytes + place;
	}
	qsort(p->sorted, count, sizeof(*p->sorted), by_path);
	for (i = 0; i < count; i++)
		if (!i || strcmp(p->sorted[i], p->sorted[p->count - 1]) != 0)
			p->sorted[p->count++] = p->sorted[i];
	return 0;
}

void mvfs__paths_free(struct mvfs__paths *p)
{
	mvfs__grow_free(&p->bytes);
	mvfs__grow_free(&p->places);
	mvfs__grow_free(&p->path);
	mvfs__grow_free(&p->levels);
	mvfs__free(p->sorted);
}
