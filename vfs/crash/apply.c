/* SPDX-License-Identifier: MIT */
/*
 * Making the tree that a crash leaves: names by records, data by nodes.
 *
 * A node that is in no record yet, or in none any more, stays among the
 * nodes without a name (it is *loose*): a record that is applied later may
 * give it one. What is loose at the end is not found after the crash.
 */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "vfs/crash/crash.h"
#include "vfs/mem/mem.h"

void mvfs__found_share(const struct mvfs__found_tree *from,
		       struct mvfs__found_tree *to)
{
	mvfs__table_init(&to->table);
	mvfs__trie_share(&from->table.nodes, &to->table.nodes);
	to->blocks = from->blocks;
	to->loose = NULL;
	to->loose_count = to->loose_capacity = 0;
}

void mvfs__found_clear(struct mvfs__found_tree *tree, struct mvfs__bin *bin)
{
	mvfs__table_clear(&tree->table, bin);
	mvfs__free(tree->loose);
	tree->loose = NULL;
	tree->loose_count = tree->loose_capacity = 0;
}

int mvfs__found_loose(struct mvfs__found_tree *tree, uint64_t ino)
{
	size_t more = tree->loose_capacity ? tree->loose_capacity * 2 : 8;
	uint64_t *grown;

	if (tree->loose_count == tree->loose_capacity) {
		grown = mvfs__realloc(tree->loose, more * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		tree->loose = grown;
		tree->loose_capacity = more;
	}
	tree->loose[tree->loose_count++] = ino;
	return 0;
}

/* A node that nobody has named, with nothing in it. */
static struct mvfs__node *newborn(const struct mvfs__node *like,
				  struct mvfs__bin *bin)
{
	struct mvfs__node *node = mvfs__node_copy(like);

	if (!node)
		return NULL;
	mvfs__node_unname(node, bin);
	if (mvfs__node_is_reg(node))
		mvfs__content_clear(&node->u.content, bin);
	if (mvfs__node_is_dir(node))
		node->nlink = 2;
	return node;
}

int mvfs__found_born(struct mvfs__found_tree *tree,
		     const struct mvfs__node *like, struct mvfs__bin *bin)
{
	struct mvfs__node *node = newborn(like, bin);
	int rc = node ? mvfs__table_add(&tree->table, node, bin) : -ENOMEM;

	if (rc && node)
		mvfs__obj_drop(&node->obj, bin);
	return rc ? rc : mvfs__found_loose(tree, mvfs__node_ino(like));
}

/* The name, if the directory has it now, goes. */
static int take_name(struct mvfs__found_tree *tree,
		     const struct mvfs__slot *slot, struct mvfs__bin *bin)
{
	const struct mvfs__entry *any = slot->before ? slot->before :
						       slot->after;
	struct mvfs__name name = { any->name, any->len, slot->hash };
	struct mvfs__node *dir, *node;
	struct mvfs__entry *entry;
	struct mvfs__link link;
	uint64_t ino;

	dir = mvfs__table_own(&tree->table, slot->dir, bin);
	if (!dir)
		return -ENOMEM;
	entry = mvfs__dir_find(&dir->u.dir, &name);
	if (!entry)
		return 0;
	link = (struct mvfs__link){ slot->dir, entry->obj.key };
	ino = entry->ino;
	node = mvfs__table_own(&tree->table, ino, bin);
	if (!node || mvfs__links_own(node, bin) ||
	    mvfs__dir_remove(&dir->u.dir, &name, bin))
		return -ENOMEM;
	mvfs__links_remove(node, link, bin);
	if (mvfs__node_is_dir(node))
		dir->nlink--;
	else
		node->nlink--;
	return mvfs__found_loose(tree, ino);
}

static int give_name(struct mvfs__found_tree *tree,
		     const struct mvfs__slot *slot, struct mvfs__bin *bin)
{
	const struct mvfs__entry *entry = slot->after;
	struct mvfs__name name = { entry->name, entry->len, slot->hash };
	struct mvfs__link link = { slot->dir, 0 };
	struct mvfs__node *dir, *node;
	int rc;

	dir = mvfs__table_own(&tree->table, slot->dir, bin);
	node = dir ? mvfs__table_own(&tree->table, entry->ino, bin) : NULL;
	if (!node)
		return -ENOMEM;
	rc = mvfs__node_is_dir(node) ? 0 : mvfs__links_reserve(node, bin);
	if (!rc)
		rc = mvfs__dir_set(&dir->u.dir, &name, entry->ino, entry->type,
				   &link.key, bin);
	if (rc)
		return rc;
	mvfs__links_add(node, link);
	if (mvfs__node_is_dir(node))
		dir->nlink++;
	else
		node->nlink++;
	return 0;
}

int mvfs__found_apply(struct mvfs__found_tree *tree,
		      const struct mvfs__record *record, struct mvfs__bin *bin)
{
	size_t i;
	int rc = 0;

	for (i = 0; i < record->births && !rc; i++)
		if (!mvfs__table_get(&tree->table,
				     mvfs__node_ino(record->born[i])))
			rc = mvfs__found_born(tree, record->born[i], bin);
	for (i = 0; i < record->slots && !rc; i++)
		rc = take_name(tree, &record->slot[i], bin);
	for (i = 0; i < record->slots && !rc; i++)
		if (record->slot[i].after)
			rc = give_name(tree, &record->slot[i], bin);
	return rc;
}

static void set_attributes(struct mvfs__node *node,
			   const struct mvfs__node *newest,
			   struct mvfs__bin *bin)
{
	mvfs__node_set_mode(node, mvfs__node_mode(newest));
	node->uid = newest->uid;
	node->gid = newest->gid;
	memcpy(node->sec, newest->sec, sizeof(node->sec));
	memcpy(node->nsec, newest->nsec, sizeof(node->nsec));
	if (newest->xattrs)
		mvfs__obj_retain(newest->xattrs);
	if (node->xattrs)
		mvfs__obj_drop(node->xattrs, bin);
	node->xattrs = newest->xattrs;
}

int mvfs__found_set(struct mvfs__found_tree *tree,
		    const struct mvfs__node *newest,
		    const struct mvfs__content *content, bool attributes,
		    struct mvfs__bin *bin)
{
	uint64_t ino = mvfs__node_ino(newest);
	struct mvfs__node *node;
	int rc = 0;

	if (!mvfs__table_get(&tree->table, ino))
		rc = mvfs__found_born(tree, newest, bin);
	node = rc ? NULL : mvfs__table_own(&tree->table, ino, bin);
	if (!node)
		return -ENOMEM;
	if (attributes)
		set_attributes(node, newest, bin);
	if (!mvfs__node_is_reg(node))
		return 0;
	tree->blocks -= mvfs__content_blocks(&node->u.content);
	mvfs__content_clear(&node->u.content, bin);
	mvfs__content_share(content, &node->u.content);
	tree->blocks += mvfs__content_blocks(content);
	return 0;
}

const struct mvfs__content *
mvfs__found_data(const struct mvfs__found_tree *tree, uint64_t ino)
{
	static const struct mvfs__content none;
	const struct mvfs__node *node = mvfs__table_get(&tree->table, ino);

	return node && mvfs__node_is_reg(node) ? &node->u.content : &none;
}

int mvfs__found_remove(struct mvfs__found_tree *tree, uint64_t ino,
		       struct mvfs__bin *bin)
{
	struct mvfs__node *node = mvfs__table_own(&tree->table, ino, bin);

	if (!node)
		return -ENOMEM;
	if (mvfs__node_is_reg(node))
		tree->blocks -= mvfs__content_blocks(&node->u.content);
	mvfs__table_remove(&tree->table, node, bin);
	return 0;
}

int mvfs__found_tidy(struct mvfs__found_tree *tree, struct mvfs__bin *bin)
{
	struct mvfs__node *node;
	size_t i;

	for (i = 0; i < tree->loose_count; i++) {
		node = mvfs__table_get(&tree->table, tree->loose[i]);
		if (!node || mvfs__links_count(node))
			continue;
		assert(!mvfs__node_is_dir(node) || !node->u.dir.count);
		if (mvfs__found_remove(tree, tree->loose[i], bin))
			return -ENOMEM;
	}
	tree->loose_count = 0;
	return 0;
}
