// SPDX-License-Identifier: MIT
/*
 * Hard links. Of each inode with more names than were met so far, an O_PATH
 * descriptor of the tree is kept, from which the next name is linked: paths
 * would have to be kept as well, and may be too long to be used.
 */
#include <config.h>

#include "tool/import_work.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
/* The default one falls through the cases of a switch, to clang's dislike. */
#define HASH_FUNCTION HASH_FNV
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) ((element)->unlisted = 1)
#include <uthash.h>

/* A file system in layers (overlayfs) has the same number more than once. */
struct inode {
	dev_t dev;
	ino_t ino;
};

struct import_link {
	struct inode inode;
	int fd;
	nlink_t missing; /* names still to come, if all are in the source */
	int unlisted;    /* no memory to add it to the table */
	UT_hash_handle hh;
};

static void drop(struct import *import, struct import_link *link)
{
	HASH_DEL(import->links, link);
	mvfs_close(import->fs, link->fd);
	free(link);
}

static struct inode inode_of(const struct stat *st)
{
	struct inode inode;

	memset(&inode, 0, sizeof inode);
	inode.dev = st->st_dev;
	inode.ino = st->st_ino;
	return inode;
}

int import_link_again(struct import *import, const struct stat *st, int to_dir,
		      const char *name)
{
	struct inode inode = inode_of(st);
	struct import_link *link;
	int r;

	if (st->st_nlink < 2)
		return 0;
	HASH_FIND(hh, import->links, &inode, sizeof inode, link);
	if (!link)
		return 0;
	r = mvfs_linkat(import->fs, link->fd, "", to_dir, name,
			AT_EMPTY_PATH);
	if (r)
		return import_error(import, r, "cannot be linked");
	if (--link->missing == 0)
		drop(import, link);
	return 1;
}

int import_link_first(struct import *import, const struct stat *st, int to_dir,
		      const char *name)
{
	struct import_link *link;
	int fd;

	if (st->st_nlink < 2)
		return 0;
	link = malloc(sizeof *link);
	if (!link)
		return import_error(import, -ENOMEM, NULL);
	fd = mvfs_openat(import->fs, to_dir, name, O_PATH | O_NOFOLLOW, 0);
	if (fd < 0) {
		free(link);
		return import_error(import, fd, NULL);
	}
	link->inode = inode_of(st);
	link->fd = fd;
	link->missing = st->st_nlink - 1;
	link->unlisted = 0;
	HASH_ADD(hh, import->links, inode, sizeof link->inode, link);
	if (!link->unlisted)
		return 0;
	mvfs_close(import->fs, fd);
	free(link);
	return import_error(import, -ENOMEM, NULL);
}

void import_links_free(struct import *import)
{
	struct import_link *link, *next;

	HASH_ITER(hh, import->links, link, next)
		drop(import, link);
}
