/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/core.h"

mvfs *fs;

static const struct mvfs__who root = { .uid = 0 };

void core_start(void)
{
	const struct mvfs_options options = {
		.size = sizeof(options),
		.flags = MVFS_SEEDED,
		.seed = { 1, 2 },
	};

	ok(mvfs_create(&options, &fs));
}

void core_end(void)
{
	ok(mvfs_destroy(fs));
}

int core_walk(const struct mvfs__who *who, const char *path, unsigned flags,
	      struct mvfs__found *found)
{
	const struct mvfs__origin origin = {
		.table = &fs->fs->table,
		.seed = &fs->fs->seed,
		.who = who ? who : &root,
		.root = MVFS__ROOT_INO,
		.start = MVFS__ROOT_INO,
	};

	return mvfs__walk(&origin, path, flags, found);
}

struct mvfs__node *core_node(const char *path)
{
	struct mvfs__found found;

	ok(core_walk(NULL, path, MVFS__FOLLOW, &found));
	ck_assert_ptr_nonnull(found.node);
	return found.node;
}

/* Unlike Check's own, quick while all is well: there are many. */
#define HOLDS(what) \
	do { \
		if (!(what)) \
			ck_abort_msg("does not hold: %s", #what); \
	} while (0)

/* Directories below, and names in all, as the walk of the tree counts. */
struct count {
	uint64_t names;
	uint64_t dirs;
};

/* The entry of each link of a node is there and leads back to it. */
static void check_links(const struct mvfs__table *table,
			const struct mvfs__node *node)
{
	const struct mvfs__entry *entry;
	const struct mvfs__node *dir;
	struct mvfs__link link;
	size_t i;

	for (i = 0; i < mvfs__links_count(node); i++) {
		link = mvfs__links_get(node, i);
		dir = mvfs__table_get(table, link.parent);
		HOLDS(dir != NULL);
		entry = (struct mvfs__entry *)mvfs__trie_get(&dir->u.dir,
							     link.key);
		HOLDS(entry != NULL);
		HOLDS(entry->ino == mvfs__node_ino(node));
		HOLDS(entry->type ==
		      mvfs__mode_type(mvfs__node_mode(node)));
	}
}

static struct count check_dir(const struct mvfs__table *table,
			      const struct mvfs__node *dir)
{
	struct count count = { 0, 0 };
	const struct mvfs__entry *entry;
	const struct mvfs__node *child;
	uint64_t key = 0;

	while ((entry = mvfs__dir_after(&dir->u.dir, key))) {
		key = entry->obj.key;
		count.names++;
		child = mvfs__table_get(table, entry->ino);
		HOLDS(child != NULL);
		if (!mvfs__node_is_dir(child))
			continue;
		count.dirs++;
		HOLDS(mvfs__node_parent(child) == mvfs__node_ino(dir));
	}
	HOLDS(count.names == dir->u.dir.count);
	HOLDS(dir->nlink == 2 + count.dirs);
	return count;
}

/* What files without a name occupy. */
static uint64_t orphan_blocks(const struct mvfs__table *table)
{
	const struct mvfs__hold *hold;
	uint64_t blocks = 0, count = 0;

	for (hold = table->holds; hold; hold = hold->hh.next) {
		if (!hold->orphan)
			continue;
		count++;
		mvfs__node_check(hold->orphan);
		HOLDS(hold->orphan->nlink == 0);
		if (mvfs__node_is_reg(hold->orphan))
			blocks += mvfs__content_blocks(
				&hold->orphan->u.content);
	}
	HOLDS(count == table->orphans);
	return blocks;
}

void core_check(const mvfs *view)
{
	const struct mvfs__table *table = &view->fs->table;
	const struct mvfs__node *node;
	uint64_t ino = 0, names = 0, links = 0, blocks;

	mvfs__trie_check(&table->nodes);
	blocks = orphan_blocks(table);
	while ((node = (struct mvfs__node *)mvfs__trie_next(&table->nodes,
							     ino))) {
		ino = mvfs__node_ino(node) + 1;
		mvfs__node_check(node);
		check_links(table, node);
		links += mvfs__links_count(node);
		if (mvfs__node_is_dir(node))
			names += check_dir(table, node).names;
		if (mvfs__node_is_reg(node))
			blocks += mvfs__content_blocks(&node->u.content);
	}
	HOLDS(names == links);
	HOLDS(blocks == atomic_load(&view->fs->blocks));
}

int core_run(const char *name, TCase *tests)
{
	Suite *suite = suite_create(name);

	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
