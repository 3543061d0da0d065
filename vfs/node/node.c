/* SPDX-License-Identifier: MIT */
/* Making, copying and describing nodes: see node.h. */
#include "config.h"

#include "vfs/node/node.h"

#include <errno.h>
#include <string.h>

#include "vfs/mem/slab.h"

#if UINTPTR_MAX > UINT32_MAX
_Static_assert(sizeof(struct mvfs__node) == 136, "no larger by oversight");
#endif

/* What a directory adds to its size for each name, and begins with. */
enum { DIR_SIZE = 40, ENTRY_SIZE = 20 };

struct mvfs__node *mvfs__node_new(uint64_t ino, uint32_t mode,
				  const struct mvfs_time *now)
{
	struct mvfs__node *node = mvfs__slab_alloc(sizeof(*node));
	unsigned which;

	if (!node)
		return NULL;
	assert(ino > 0);
	memset(node, 0, sizeof(*node));
	mvfs__obj_init(&node->obj, MVFS__NODE);
	node->obj.key = ino;
	node->obj.flags = MVFS__LINK_NONE;
	mvfs__node_set_mode(node, mode);
	node->nlink = mvfs__node_is_dir(node) ? 2 : 0;
	for (which = 0; which < MVFS__TIMES; which++)
		mvfs__node_set_time(node, which, now);
	return node;
}

struct mvfs__node *mvfs__node_copy(const struct mvfs__node *node)
{
	struct mvfs__node *copy = mvfs__slab_alloc(sizeof(*copy));

	if (!copy)
		return NULL;
	mvfs__obj_init(&copy->obj, MVFS__NODE);
	copy->obj.key = node->obj.key;
	copy->obj.flags = node->obj.flags;
	copy->obj.small = node->obj.small;
	memcpy((char *)copy + sizeof(copy->obj),
	       (const char *)node + sizeof(node->obj),
	       sizeof(*node) - sizeof(node->obj));
	if (node->xattrs)
		mvfs__obj_retain(node->xattrs);
	if (node->obj.flags == MVFS__LINK_MANY)
		mvfs__obj_retain(&node->links.many->obj);
	if (mvfs__node_is_dir(node))
		mvfs__trie_share(&node->u.dir, &copy->u.dir);
	else if (mvfs__node_is_reg(node))
		mvfs__content_share(&node->u.content, &copy->u.content);
	else if (mvfs__node_is_lnk(node) && node->u.target)
		mvfs__obj_retain(&node->u.target->obj);
	return copy;
}

void mvfs__node_unname(struct mvfs__node *node, struct mvfs__bin *bin)
{
	assert(mvfs__obj_is_mine(&node->obj));
	if (node->obj.flags == MVFS__LINK_MANY)
		mvfs__obj_drop(&node->links.many->obj, bin);
	node->obj.flags = MVFS__LINK_NONE;
	node->nlink = 0;
	if (mvfs__node_is_dir(node))
		mvfs__trie_clear(&node->u.dir, bin);
}

void mvfs__node_free(struct mvfs__obj *obj, struct mvfs__bin *bin)
{
	struct mvfs__node *node = (struct mvfs__node *)obj;

	assert(obj->kind == MVFS__NODE);
	if (node->xattrs)
		mvfs__obj_drop(node->xattrs, bin);
	if (obj->flags == MVFS__LINK_MANY)
		mvfs__obj_drop(&node->links.many->obj, bin);
	if (mvfs__node_is_dir(node))
		mvfs__trie_clear(&node->u.dir, bin);
	else if (mvfs__node_is_reg(node))
		mvfs__content_clear(&node->u.content, bin);
	else if (mvfs__node_is_lnk(node) && node->u.target)
		mvfs__obj_drop(&node->u.target->obj, bin);
	mvfs__slab_free(node, sizeof(*node));
}

void mvfs__node_set_mode(struct mvfs__node *node, uint32_t mode)
{
	assert((mode & ~(uint32_t)(S_IFMT | 07777)) == 0);
	node->obj.small = (uint16_t)mode;
}

void mvfs__node_set_time(struct mvfs__node *node, enum mvfs__which_time which,
			 const struct mvfs_time *time)
{
	assert(time->nsec >= 0 && time->nsec < 1000000000);
	node->sec[which] = time->sec;
	node->nsec[which] = (uint32_t)time->nsec;
}

struct mvfs_time mvfs__node_time(const struct mvfs__node *node,
				 enum mvfs__which_time which)
{
	return (struct mvfs_time){
		.sec = node->sec[which],
		.nsec = (int32_t)node->nsec[which],
	};
}

void mvfs__node_stat(const struct mvfs__node *node, struct mvfs_stat *st)
{
	memset(st, 0, sizeof(*st));
	st->ino = mvfs__node_ino(node);
	st->mode = mvfs__node_mode(node);
	st->nlink = node->nlink;
	st->uid = node->uid;
	st->gid = node->gid;
	st->blksize = MVFS__BLOCK;
	st->atime = mvfs__node_time(node, MVFS__ATIME);
	st->mtime = mvfs__node_time(node, MVFS__MTIME);
	st->ctime = mvfs__node_time(node, MVFS__CTIME);
	st->btime = mvfs__node_time(node, MVFS__BTIME);
	switch (st->mode & S_IFMT) {
	case S_IFDIR:
		st->size = DIR_SIZE + ENTRY_SIZE * node->u.dir.count;
		break;
	case S_IFREG:
		st->size = node->u.content.size;
		st->blocks = mvfs__content_blocks(&node->u.content) *
			     (MVFS__BLOCK / 512);
		break;
	case S_IFLNK:
		st->size = node->u.target->len;
		break;
	case S_IFCHR:
	case S_IFBLK:
		st->rdev = node->u.rdev;
		break;
	default:
		break;
	}
}

struct mvfs__target *mvfs__target_new(const char *bytes, size_t len)
{
	struct mvfs__target *target = mvfs__malloc(sizeof(*target) + len + 1);

	if (target) {
		mvfs__obj_init(&target->obj, MVFS__PLAIN);
		target->len = len;
		memcpy(target->bytes, bytes, len);
		target->bytes[len] = 0;
	}
	return target;
}

void mvfs__node_check(const struct mvfs__node *node)
{
	size_t names = mvfs__links_count(node);

	assert(node->obj.kind == MVFS__NODE);
	assert(mvfs__node_ino(node) > 0);
	if (mvfs__node_is_dir(node)) {
		assert(names <= 1);
		assert(node->nlink == 0 || node->nlink >= 2);
		mvfs__trie_check(&node->u.dir);
	} else {
		assert(node->nlink == names);
	}
	if (mvfs__node_is_reg(node))
		mvfs__content_check(&node->u.content);
	(void)names;
}
