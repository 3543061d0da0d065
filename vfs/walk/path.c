/* SPDX-License-Identifier: MIT */
/* From a node back to its path, name by name through its links. */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "vfs/walk/walk.h"

/* A path that grows at its front. */
struct backwards {
	char *begin; /* of the memory */
	char *at;    /* of the path */
};

static int prepend(struct backwards *b, const char *name, size_t len)
{
	if ((size_t)(b->at - b->begin) < len + 1)
		return -ERANGE;
	b->at -= len;
	memcpy(b->at, name, len);
	*--b->at = '/';
	return 0;
}

/* The names of the directory and of all above it, up to the root. */
static int prepend_dir(const struct mvfs__origin *origin,
		       const struct mvfs__node *dir, struct backwards *b)
{
	const struct mvfs__entry *entry;
	struct mvfs__link link;
	int rc;

	while (mvfs__node_ino(dir) != origin->root) {
		if (!mvfs__links_count(dir))
			return -ENOENT; /* removed, or outside our root */
		link = mvfs__links_get(dir, 0);
		dir = mvfs__table_get(origin->table, link.parent);
		assert(dir);
		entry = (struct mvfs__entry *)mvfs__trie_get(&dir->u.dir,
							     link.key);
		assert(entry);
		rc = prepend(b, entry->name, entry->len);
		if (rc)
			return rc;
	}
	return 0;
}

int mvfs__path_found(const struct mvfs__origin *origin,
		     const struct mvfs__found *found, char *buffer,
		     size_t size, char **path)
{
	struct backwards b = { buffer, buffer + size };
	const struct mvfs__node *dir = found->node;
	int rc = 0;

	if (size < 2)
		return -ERANGE;
	*--b.at = 0;
	if (found->last == MVFS__LAST_NAME) {
		dir = found->parent;
		rc = prepend(&b, found->name.bytes, found->name.len);
	}
	if (!rc)
		rc = prepend_dir(origin, dir, &b);
	if (rc)
		return rc;
	if (!*b.at)
		*--b.at = '/';
	*path = b.at;
	return 0;
}

int mvfs__path_link(const struct mvfs__origin *origin,
		    const struct mvfs__node *node, size_t i, char *buffer,
		    size_t size, char **path)
{
	struct mvfs__found found = { .last = MVFS__LAST_NAME };
	struct mvfs__entry *entry;
	struct mvfs__link link;

	if (mvfs__node_ino(node) == origin->root) {
		found.last = MVFS__LAST_ROOT;
		found.node = (struct mvfs__node *)(uintptr_t)node;
		return i ? -ENOENT : mvfs__path_found(origin, &found, buffer,
						      size, path);
	}
	if (i >= mvfs__links_count(node))
		return -ENOENT;
	link = mvfs__links_get(node, i);
	found.parent = mvfs__table_get(origin->table, link.parent);
	assert(found.parent);
	entry = (struct mvfs__entry *)mvfs__trie_get(&found.parent->u.dir,
						     link.key);
	assert(entry);
	found.name.bytes = entry->name;
	found.name.len = entry->len;
	return mvfs__path_found(origin, &found, buffer, size, path);
}
