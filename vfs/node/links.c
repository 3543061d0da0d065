/* SPDX-License-Identifier: MIT */
/*
 * The names of a node: one inside it, more in an array that is shared like
 * every other value and copied before it changes.
 */
#include "config.h"

#include "vfs/node/node.h"

#include <errno.h>

#include "vfs/mem/mem.h"

static struct mvfs__links *new_links(uint32_t capacity)
{
	struct mvfs__links *links;

	links = mvfs__malloc(sizeof(*links) +
			     capacity * sizeof(links->link[0]));
	if (links) {
		mvfs__obj_init(&links->obj, MVFS__LINKS);
		links->count = 0;
		links->capacity = capacity;
	}
	return links;
}

/* An own array with room for `capacity` names takes the place of what is. */
static int replace(struct mvfs__node *node, uint32_t capacity,
		   struct mvfs__bin *bin)
{
	struct mvfs__links *links = new_links(capacity);
	size_t i, count = mvfs__links_count(node);

	if (!links)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		links->link[i] = mvfs__links_get(node, i);
	links->count = (uint32_t)count;
	if (node->obj.flags == MVFS__LINK_MANY)
		mvfs__obj_drop(&node->links.many->obj, bin);
	node->links.many = links;
	node->obj.flags = MVFS__LINK_MANY;
	return 0;
}

int mvfs__links_own(struct mvfs__node *node, struct mvfs__bin *bin)
{
	struct mvfs__links *links = node->links.many;

	if (node->obj.flags != MVFS__LINK_MANY ||
	    mvfs__obj_is_mine(&links->obj))
		return 0;
	return replace(node, links->capacity, bin);
}

int mvfs__links_reserve(struct mvfs__node *node, struct mvfs__bin *bin)
{
	struct mvfs__links *links = node->links.many;

	assert(!mvfs__node_is_dir(node));
	if (node->obj.flags == MVFS__LINK_NONE)
		return 0;
	if (node->obj.flags == MVFS__LINK_ONE)
		return replace(node, 3, bin);
	if (links->count < links->capacity)
		return mvfs__links_own(node, bin);
	return replace(node, links->count + links->count / 2 + 1, bin);
}

void mvfs__links_add(struct mvfs__node *node, struct mvfs__link link)
{
	if (node->obj.flags == MVFS__LINK_MANY) {
		struct mvfs__links *links = node->links.many;

		assert(links->count < links->capacity);
		assert(mvfs__obj_is_mine(&links->obj));
		links->link[links->count++] = link;
		return;
	}
	assert(node->obj.flags == MVFS__LINK_NONE);
	node->links.one = link;
	node->obj.flags = MVFS__LINK_ONE;
}

/* Where the name stands; it does. */
static struct mvfs__link *find(struct mvfs__node *node, struct mvfs__link link)
{
	struct mvfs__link *at = &node->links.one;
	size_t count = mvfs__links_count(node);

	if (node->obj.flags == MVFS__LINK_MANY) {
		assert(mvfs__obj_is_mine(&node->links.many->obj));
		at = node->links.many->link;
	}
	while (at->parent != link.parent || at->key != link.key) {
		assert(count > 1);
		at++;
		count--;
	}
	return at;
}

void mvfs__links_replace(struct mvfs__node *node, struct mvfs__link from,
			 struct mvfs__link to)
{
	*find(node, from) = to;
}

void mvfs__links_remove(struct mvfs__node *node, struct mvfs__link link,
			struct mvfs__bin *bin)
{
	struct mvfs__link *at = find(node, link);
	struct mvfs__links *links;

	if (node->obj.flags == MVFS__LINK_ONE) {
		/* the link stays as it is: of a directory, it is the ".." */
		node->obj.flags = MVFS__LINK_NONE;
		return;
	}
	links = node->links.many;
	*at = links->link[--links->count];
	if (links->count > 1)
		return;
	node->obj.flags = links->count ? MVFS__LINK_ONE : MVFS__LINK_NONE;
	link = links->link[0];
	mvfs__obj_drop(&links->obj, bin);
	node->links.one = link;
}

size_t mvfs__links_count(const struct mvfs__node *node)
{
	switch ((enum mvfs__link_shape)node->obj.flags) {
	case MVFS__LINK_NONE:
		return 0;
	case MVFS__LINK_ONE:
		return 1;
	case MVFS__LINK_MANY:
		break;
	}
	return node->links.many->count;
}

struct mvfs__link mvfs__links_get(const struct mvfs__node *node, size_t i)
{
	assert(i < mvfs__links_count(node));
	if (node->obj.flags == MVFS__LINK_ONE)
		return node->links.one;
	return node->links.many->link[i];
}

void mvfs__links_free(struct mvfs__obj *obj, struct mvfs__bin *bin)
{
	(void)bin;
	assert(obj->kind == MVFS__LINKS);
	mvfs__free(obj);
}
