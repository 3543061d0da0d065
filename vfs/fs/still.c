/* SPDX-License-Identifier: MIT */
/* Paths in a tree that does not change: see still.h. */
#include "config.h"

#include "vfs/fs/still.h"

#include <errno.h>
#include <string.h>

/* The entry of a link, and in *dir the directory that has it. */
static const struct mvfs__entry *entry_of(const struct mvfs__still *still,
					  struct mvfs__link link,
					  const struct mvfs__node **dir)
{
	*dir = mvfs__still_node(still, link.parent);
	assert(*dir && mvfs__node_is_dir(*dir));
	return (struct mvfs__entry *)mvfs__trie_get(&(*dir)->u.dir, link.key);
}

/* The length of the path of a link; 0: it is outside the root. */
static size_t path_length(const struct mvfs__still *still,
			  struct mvfs__link link)
{
	const struct mvfs__node *dir;
	size_t len = 0;

	for (;;) {
		len += entry_of(still, link, &dir)->len + 1u;
		if (mvfs__node_ino(dir) == still->root)
			return len;
		if (!mvfs__links_count(dir))
			return 0;
		link = mvfs__links_get(dir, 0);
	}
}

bool mvfs__still_path(const struct mvfs__still *still,
		      const struct mvfs__node *node, size_t i,
		      struct mvfs__grow *to)
{
	const struct mvfs__entry *entry;
	struct mvfs__link link;
	size_t len;
	char *end;

	if (mvfs__node_ino(node) == still->root) {
		mvfs__grow_add(to, "/", 1);
		return true;
	}
	link = mvfs__links_get(node, i);
	len = path_length(still, link);
	end = len ? mvfs__grow_room(to, len) : NULL;
	if (!end)
		return len != 0;
	for (end += len;; link = mvfs__links_get(node, 0)) {
		entry = entry_of(still, link, &node);
		end -= entry->len;
		memcpy(end, entry->name, entry->len);
		*--end = '/';
		if (mvfs__node_ino(node) == still->root)
			return true;
	}
}

const struct mvfs__node *mvfs__still_find(const struct mvfs__still *still,
					  const char *path)
{
	const struct mvfs__node *node = mvfs__still_node(still, still->root);
	const struct mvfs__entry *entry;
	struct mvfs__name name;
	const char *end;

	for (; node; path = end) {
		while (*path == '/')
			path++;
		if (!*path)
			return node;
		end = path + strcspn(path, "/");
		if (!mvfs__node_is_dir(node))
			return NULL;
		name = mvfs__name_make(&still->seed, path,
				       (size_t)(end - path));
		entry = mvfs__dir_find(&node->u.dir, &name);
		node = entry ? mvfs__still_node(still, entry->ino) : NULL;
	}
	return NULL;
}
