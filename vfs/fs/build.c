/* SPDX-License-Identifier: MIT */
/*
 * Building what a text says. The text is read and the contents are made
 * before anything is locked; then all is made under one lock, so that others
 * see nothing or all of it. If a line fails, the nodes that were there before
 * come back: they were kept by one more reference.
 *
 * Attributes are set when all names are there, the last first: a directory
 * that its owner may not search is no hindrance to what is in it, and what is
 * made in it does not move its times.
 */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "vfs/base/error.h"
#include "vfs/fs/op.h"
#include "vfs/fs/spec.h"
#include "vfs/mem/mem.h"

/* A line, and what was made of it. */
struct item {
	const struct mvfs__spec *spec;
	struct mvfs__content content;
	uint64_t ino;
};

/* What stands first for an inode= of the text. */
struct group {
	uint64_t number;
	uint64_t ino;
	unsigned count; /* 1; 0 where the table could not grow */
	UT_hash_handle hh;
};

struct build {
	struct mvfs__op *op;
	struct mvfs__act act;
	const struct mvfs__mtree *tree;
	struct item *items;
	size_t count;
	struct group *groups;
	struct mvfs_error *error;
};

static int say(struct build *b, const struct mvfs__spec *spec, int code,
	       const char *what)
{
	const char *name = mvfs_errno_name(code);

	(void)mvfs__fail(b->error, code, spec->offset, spec->length,
			 "line %u: %s: %s", spec->line, what,
			 name ? name : "unknown error");
	mvfs__error_name(b->error, mvfs__mtree_text(b->tree, spec->path));
	return code;
}

/* Directories that the path goes through and that have no line. */
static int make_parents(struct build *b, const char *path)
{
	const struct mvfs__make dir = { .mode = S_IFDIR | 0777 };
	struct mvfs__at at = { .dirfd = MVFS_AT_FDCWD };
	char *copy = mvfs__memdup(path, strlen(path) + 1), *slash;
	struct mvfs__found found;
	struct mvfs__node *node;
	int rc = copy ? 0 : -ENOMEM;

	at.path = copy;
	for (slash = copy; !rc && (slash = strchr(slash + 1, '/'));) {
		*slash = 0;
		rc = mvfs__op_walk(b->op, &at, MVFS__FOLLOW, &found);
		if (!rc && !found.node)
			rc = mvfs__tree_make(&b->act, &found, &dir, &node);
		*slash = '/';
	}
	mvfs__free(copy);
	return rc;
}

static int walk(struct build *b, const char *path, struct mvfs__found *found)
{
	const struct mvfs__at at = { .dirfd = MVFS_AT_FDCWD, .path = path };
	int rc = mvfs__op_walk(b->op, &at, MVFS__NAME_ITSELF, found);

	if (rc != -ENOENT)
		return rc;
	rc = make_parents(b, path);
	return rc ? rc : mvfs__op_walk(b->op, &at, MVFS__NAME_ITSELF, found);
}

static struct group *group_of(struct build *b, const struct mvfs__spec *spec)
{
	struct group *group = NULL;

	if (mvfs__spec_has(spec, MVFS__KEY_INODE))
		HASH_FIND(hh, b->groups, &spec->inode, sizeof(spec->inode),
			  group);
	return group;
}

static int begin_group(struct build *b, const struct mvfs__spec *spec,
		       uint64_t ino)
{
	struct group *group;

	if (!mvfs__spec_has(spec, MVFS__KEY_INODE) || group_of(b, spec))
		return 0;
	group = mvfs__calloc(1, sizeof(*group));
	if (!group)
		return -ENOMEM;
	group->number = spec->inode;
	group->ino = ino;
	group->count = 1;
	HASH_ADD(hh, b->groups, number, sizeof(group->number), group);
	if (group->count)
		return 0;
	mvfs__free(group);
	return -ENOMEM;
}

/* What has a name already, or gets another one of a file of the text. */
static int take(struct build *b, struct item *item,
		const struct mvfs__found *found)
{
	struct group *group = group_of(b, item->spec);
	int rc;

	if (!found->node) {
		rc = mvfs__tree_link(&b->act, group->ino, found);
		item->ino = group->ino;
		return rc;
	}
	item->ino = mvfs__node_ino(found->node);
	if (group && group->ino != item->ino)
		return -EEXIST;
	if (mvfs__spec_has(item->spec, MVFS__KEY_TYPE) &&
	    (mvfs__node_mode(found->node) & S_IFMT) != item->spec->type)
		return -EEXIST;
	return 0;
}

static int make_new(struct build *b, struct item *item,
		    const struct mvfs__found *found)
{
	const struct mvfs__spec *spec = item->spec;
	struct mvfs__make new = {
		.mode = spec->type | (spec->type == S_IFDIR ? 0777 : 0666),
		.rdev = spec->rdev,
	};
	struct mvfs__node *node;
	int rc;

	if (!mvfs__spec_has(spec, MVFS__KEY_TYPE))
		return say(b, spec, -EINVAL, "nothing is there, and there is "
			   "no type=");
	if (spec->type == S_IFLNK) {
		if (!mvfs__spec_has(spec, MVFS__KEY_LINK))
			return say(b, spec, -EINVAL, "there is no link=");
		new.mode = S_IFLNK | 0777;
		new.target = mvfs__mtree_text(b->tree, spec->link);
	}
	rc = mvfs__tree_make(&b->act, found, &new, &node);
	if (rc)
		return say(b, spec, rc, "cannot be made");
	item->ino = mvfs__node_ino(node);
	return 0;
}

static int set_target(struct build *b, struct item *item)
{
	struct mvfs__node *node;
	struct mvfs__target *target;
	const char *text;

	if (!mvfs__spec_has(item->spec, MVFS__KEY_LINK))
		return 0;
	text = mvfs__mtree_text(b->tree, item->spec->link);
	node = mvfs__table_get(&b->op->fs->table, item->ino);
	if (!strcmp(node->u.target->bytes, text))
		return 0;
	target = mvfs__target_new(text, strlen(text));
	if (!target)
		return -ENOMEM;
	node = mvfs__table_own(&b->op->fs->table, item->ino, &b->op->bin);
	if (!node) {
		mvfs__obj_drop(&target->obj, &b->op->bin);
		return -ENOMEM;
	}
	mvfs__obj_drop(&node->u.target->obj, &b->op->bin);
	node->u.target = target;
	return 0;
}

/* The file is, by what it is, as the line says. */
static int set_content(struct build *b, struct item *item)
{
	const unsigned keys = MVFS__KEY_DATA | MVFS__KEY_FILL | MVFS__KEY_SIZE;
	struct mvfs__node *node;

	node = mvfs__table_get(&b->op->fs->table, item->ino);
	if (mvfs__node_is_lnk(node))
		return set_target(b, item);
	if (!mvfs__node_is_reg(node) || !mvfs__spec_has(item->spec, keys))
		return 0;
	if (mvfs__may(&b->op->who, node, MVFS__MAY_WRITE))
		return -EACCES;
	node = mvfs__table_own(&b->op->fs->table, item->ino, &b->op->bin);
	if (!node)
		return -ENOMEM;
	return mvfs__op_replace(b->op, node, &item->content);
}

static int build_item(struct build *b, struct item *item)
{
	const struct mvfs__spec *spec = item->spec;
	struct mvfs__found found;
	int rc = walk(b, mvfs__mtree_text(b->tree, spec->path), &found);

	if (rc)
		return say(b, spec, rc, "cannot be reached");
	if (found.node || group_of(b, spec)) {
		rc = take(b, item, &found);
		if (rc)
			return say(b, spec, rc, found.node ?
				   "is something else" : "cannot be linked");
	} else {
		rc = make_new(b, item, &found);
		if (rc)
			return rc;
	}
	rc = begin_group(b, spec, item->ino);
	if (!rc)
		rc = set_content(b, item);
	return rc ? say(b, spec, rc, "cannot be written") : 0;
}

/* One change of attributes; each is allowed or not by itself. */
static int set(struct build *b, struct item *item, unsigned what,
	       const struct mvfs_stat *values)
{
	struct mvfs__node *node;
	int rc;

	node = mvfs__table_get(&b->op->fs->table, item->ino);
	rc = mvfs__attr_may(&b->op->who, node, what, values);
	if (rc)
		return rc;
	node = mvfs__table_own(&b->op->fs->table, item->ino, &b->op->bin);
	if (!node)
		return -ENOMEM;
	mvfs__attr_set(&b->op->who, node, what, values, &b->op->now);
	return 0;
}

static int set_owner(struct build *b, struct item *item)
{
	const struct mvfs__spec *spec = item->spec;
	const struct mvfs_stat values = { .uid = spec->uid, .gid = spec->gid };
	const struct mvfs__node *node;
	unsigned what = 0;

	node = mvfs__table_get(&b->op->fs->table, item->ino);
	if (mvfs__spec_has(spec, MVFS__KEY_UID) && spec->uid != node->uid)
		what |= MVFS__SET_UID | MVFS__SET_CHOWN;
	if (mvfs__spec_has(spec, MVFS__KEY_GID) && spec->gid != node->gid)
		what |= MVFS__SET_GID | MVFS__SET_CHOWN;
	return what ? set(b, item, what, &values) : 0;
}

static int set_attributes(struct build *b, struct item *item)
{
	const struct mvfs__spec *spec = item->spec;
	const struct mvfs_stat values = {
		.mode = spec->mode, .atime = spec->time, .mtime = spec->time,
	};
	const struct mvfs__node *node;
	int rc = set_owner(b, item);

	node = mvfs__table_get(&b->op->fs->table, item->ino);
	if (!rc && mvfs__spec_has(spec, MVFS__KEY_MODE) &&
	    !mvfs__node_is_lnk(node))
		rc = set(b, item, MVFS__SET_MODE, &values);
	if (!rc && mvfs__spec_has(spec, MVFS__KEY_TIME))
		rc = set(b, item, MVFS__SET_ATIME | MVFS__SET_MTIME, &values);
	return rc ? say(b, spec, rc, "cannot be given these attributes") : 0;
}

static int build_all(struct build *b)
{
	size_t i;
	int rc = 0;

	for (i = 0; i < b->count && !rc; i++)
		rc = build_item(b, &b->items[i]);
	for (i = b->count; i > 0 && !rc; i--)
		rc = set_attributes(b, &b->items[i - 1]);
	return rc;
}

/* Exclusively: all of it or nothing. */
static int build_locked(struct build *b)
{
	struct mvfs__fs *fs = b->op->fs;
	uint64_t blocks = atomic_load(&fs->blocks);
	uint64_t next_ino = fs->table.next_ino;
	struct mvfs__trie before;
	int rc;

	mvfs__table_share_nodes(&fs->table, &before);
	b->act = mvfs__op_act(b->op);
	rc = build_all(b);
	if (rc) {
		mvfs__table_roll_back(&fs->table, &before, &b->op->bin);
		fs->table.next_ino = next_ino;
		atomic_store(&fs->blocks, blocks);
	} else {
		mvfs__trie_clear(&before, &b->op->bin);
	}
	return rc;
}

/* The contents, of no more than there may be; the limit may change yet. */
static int prepare(struct build *b, uint64_t max_blocks)
{
	struct item *item;
	size_t i;
	int rc = 0;

	for (i = 0; i < b->count && !rc; i++) {
		item = &b->items[i];
		item->spec = mvfs__mtree_spec(b->tree, i);
		mvfs__content_init(&item->content);
		if (mvfs__spec_has(item->spec, MVFS__KEY_FILL) &&
		    item->spec->size / MVFS__BLOCK > max_blocks)
			rc = -ENOSPC;
		if (!rc)
			rc = mvfs__spec_content(b->tree, item->spec,
						&item->content, &b->op->bin);
		if (rc)
			return say(b, item->spec, rc, "cannot be written");
	}
	return 0;
}

static void clean_up(struct build *b)
{
	struct group *group, *next;
	size_t i;

	HASH_ITER(hh, b->groups, group, next) {
		HASH_DEL(b->groups, group);
		mvfs__free(group);
	}
	for (i = 0; i < b->count; i++)
		mvfs__content_clear(&b->items[i].content, &b->op->bin);
	mvfs__free(b->items);
}

static int build_tree(mvfs *view, const struct mvfs__mtree *tree,
		      struct mvfs_error *error)
{
	const struct mvfs__from from = { view, NULL };
	struct build b = { .tree = tree, .error = error,
			   .count = mvfs__mtree_count(tree) };
	struct mvfs__op op;
	uint64_t max_blocks;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_BUILD);

	if (rc)
		return (int)mvfs__op_end(&op, mvfs__fail(error, rc, 0, 0,
							 "refused"));
	b.op = &op;
	b.items = mvfs__calloc(b.count + 1, sizeof(*b.items));
	if (!b.items)
		return (int)mvfs__op_end(&op, mvfs__fail(error, -ENOMEM, 0, 0,
							 "out of memory"));
	mvfs__op_shared(&op);
	max_blocks = op.fs->max_blocks;
	mvfs__op_unlock(&op);
	rc = prepare(&b, max_blocks);
	if (!rc) {
		mvfs__op_read_clock(&op);
		mvfs__op_exclusive(&op);
		rc = build_locked(&b);
		mvfs__op_unlock(&op);
	}
	clean_up(&b);
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_build(mvfs *view, const char *text, size_t len,
		   struct mvfs_error *error)
{
	struct mvfs__mtree tree;
	int rc = mvfs__mtree_parse(&tree, text, len, error);

	if (!rc)
		rc = build_tree(view, &tree, error);
	mvfs__mtree_free(&tree);
	return rc;
}
