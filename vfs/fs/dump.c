/* SPDX-License-Identifier: MIT */
/*
 * A tree as mtree(5), in the order of its paths. Files of several names have
 * an inode= of their own, counted from 1 on: a number of the instance would
 * differ between trees that are alike.
 */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "vfs/content/string.h"
#include "vfs/fs/fs.h"
#include "vfs/fs/paths.h"
#include "vfs/mem/hash.h"
#include "vfs/mtree/escape.h"
#include "vfs/mtree/mtree.h"

struct group {
	uint64_t ino;
	uint64_t number;
	unsigned count; /* 1; 0 where the table could not grow */
	UT_hash_handle hh;
};

struct dump {
	struct mvfs__still still;
	struct mvfs__paths paths;
	struct mvfs__grow text;
	struct group *groups;
	uint64_t last; /* number of a group */
	unsigned flags;
};

/* The number of the node's group, or 0 without memory. */
static uint64_t group_of(struct dump *d, uint64_t ino)
{
	struct group *group;

	HASH_FIND(hh, d->groups, &ino, sizeof(ino), group);
	if (group)
		return group->number;
	group = mvfs__calloc(1, sizeof(*group));
	if (!group)
		return 0;
	group->ino = ino;
	group->number = d->last + 1;
	group->count = 1;
	HASH_ADD(hh, d->groups, ino, sizeof(group->ino), group);
	if (group->count)
		return ++d->last;
	mvfs__free(group);
	return 0;
}

static void add_links(struct dump *d, const struct mvfs__node *node)
{
	uint64_t number;

	if (mvfs__links_count(node) < 2)
		return;
	number = group_of(d, mvfs__node_ino(node));
	if (!number)
		d->text.failed = true;
	mvfs__grow_format(&d->text, " nlink=%u inode=%llu", node->nlink,
			  (unsigned long long)number);
}

/* Up to the last byte that is not 0; the size tells the rest. */
static void add_data(struct dump *d, const struct mvfs__content *content)
{
	struct mvfs__grow bytes = { NULL, 0, 0, false };
	int64_t data, end = 0;
	size_t len;
	char *to;

	while ((data = mvfs__content_seek_data(content, (uint64_t)end)) >= 0)
		end = mvfs__content_seek_hole(content, (uint64_t)data);
	len = (size_t)end;
	to = (uint64_t)end > SIZE_MAX ? NULL : mvfs__grow_room(&bytes, len);
	if (to) {
		mvfs__content_copy_out(content, 0, to, len);
		while (len && !to[len - 1])
			len--;
		mvfs__grow_text(&d->text, " data=");
		mvfs__escape_quoted(&d->text, to, len);
	} else {
		d->text.failed = true;
	}
	mvfs__grow_free(&bytes);
}

static void add_content(struct dump *d, const struct mvfs__node *node)
{
	switch (mvfs__node_mode(node) & S_IFMT) {
	case S_IFREG:
		mvfs__grow_format(&d->text, " size=%llu",
				  (unsigned long long)node->u.content.size);
		if (d->flags & MVFS_DUMP_DATA)
			add_data(d, &node->u.content);
		break;
	case S_IFLNK:
		mvfs__grow_text(&d->text, " link=");
		mvfs__escape_word(&d->text, node->u.target->bytes,
				  node->u.target->len);
		break;
	case S_IFCHR:
	case S_IFBLK:
		mvfs__grow_format(&d->text, " device=native,%u,%u",
				  major(node->u.rdev), minor(node->u.rdev));
		break;
	default:
		break;
	}
}

static void add_node(struct dump *d, const char *path,
		     const struct mvfs__node *node)
{
	struct mvfs_time time = mvfs__node_time(node, MVFS__MTIME);
	uint32_t mode = mvfs__node_mode(node);

	mvfs__grow_text(&d->text, ".");
	if (path[1])
		mvfs__escape_word(&d->text, path, strlen(path));
	mvfs__grow_format(&d->text, " type=%s mode=%04o uid=%u gid=%u",
			  mvfs__mtree_type(mode), mode & 07777, node->uid,
			  node->gid);
	if (d->flags & MVFS_DUMP_TIMES)
		mvfs__grow_format(&d->text, " time=%lld.%09d",
				  (long long)time.sec, (int)time.nsec);
	if (!mvfs__node_is_dir(node))
		add_links(d, node);
	add_content(d, node);
	mvfs__grow_add(&d->text, "\n", 1);
}

static int add_all(struct dump *d)
{
	size_t i;
	int rc;

	mvfs__paths_add_tree(&d->paths, &d->still);
	rc = mvfs__paths_sort(&d->paths);
	if (rc)
		return rc;
	mvfs__grow_text(&d->text, "#mtree\n");
	for (i = 0; i < d->paths.count; i++)
		add_node(d, d->paths.sorted[i],
			 mvfs__still_find(&d->still, d->paths.sorted[i]));
	return d->text.failed ? -ENOMEM : 0;
}

int mvfs__fs_dump(mvfs *view, unsigned flags, struct mvfs_string *string)
{
	struct dump d = { .flags = flags };
	struct group *group, *next;
	int rc = mvfs__still_take(view, false, &d.still);

	if (rc)
		return rc;
	rc = add_all(&d);
	if (!rc)
		rc = mvfs__string_copy(d.text.bytes, d.text.len, string);
	HASH_ITER(hh, d.groups, group, next) {
		HASH_DEL(d.groups, group);
		mvfs__free(group);
	}
	mvfs__paths_free(&d.paths);
	mvfs__grow_free(&d.text);
	mvfs__still_drop(&d.still);
	return rc;
}
