// SPDX-License-Identifier: MIT
/*
 * Listings, of the directory as it is now: the offsets are the library's
 * cookies, which stay good whatever changes, so nothing is kept between two
 * calls. Each entry of a readdirplus reply counts as a lookup.
 */
#include <config.h>

#include "fuse/adapter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 16

struct listing {
	fuse_req_t req;
	struct mvfs_mount *mount;
	struct mvfs__acting *acting; /* NULL: without attributes */
	uint64_t dir;
	char *to;
	size_t room, used;
	uint64_t *pinned;            /* what was looked up */
	size_t pin_count;
};

void mvfs__op_opendir(fuse_req_t req, fuse_ino_t node,
		      struct fuse_file_info *fi)
{
	if (mvfs__ctl_wanted(node, fi->flags)) {
		mvfs__ctl_open(req, fi);
		return;
	}
	fi->flags = O_RDONLY | O_DIRECTORY;
	mvfs__op_open(req, node, fi);
}

static int is_dots(const struct mvfs_dirent *entry)
{
	return entry->name[0] == '.' &&
	       (entry->len == 1 || (entry->len == 2 && entry->name[1] == '.'));
}

static int add_plain(struct listing *l, const struct mvfs_dirent *entry)
{
	struct stat attr = { .st_ino = entry->ino,
			     .st_mode = (mode_t)entry->type << 12 };
	size_t need;

	need = fuse_add_direntry(l->req, l->to + l->used, l->room - l->used,
				 entry->name, &attr, entry->cookie);
	if (need > l->room - l->used)
		return 0;
	l->used += need;
	return 1;
}

/*
 * With node id 0 the kernel takes the name alone: so it is for the dots, for
 * names that are gone by now, and for those who may read a directory but not
 * search it.
 */
static int add_plus(struct listing *l, const struct mvfs_dirent *entry)
{
	struct fuse_entry_param e = { 0 };
	struct mvfs_stat st;
	size_t need;
	int r = -ENOENT;

	if (!is_dots(entry)) {
		do {
			r = mvfs_sys_lookup(l->mount->fs, &l->acting->actor,
					    l->dir, entry->name, 1, &st);
		} while (mvfs__acting_again(l->acting, r));
	}
	if (!r) {
		mvfs__fuse_entry(l->mount, &st, &e);
	} else {
		e.attr.st_ino = entry->ino;
		e.attr.st_mode = (mode_t)entry->type << 12;
	}
	need = fuse_add_direntry_plus(l->req, l->to + l->used,
				      l->room - l->used, entry->name, &e,
				      entry->cookie);
	if (need > l->room - l->used) {
		if (!r)
			mvfs_sys_unpin(l->mount->fs, st.ino, 1);
		return 0;
	}
	if (!r)
		l->pinned[l->pin_count++] = st.ino;
	l->used += need;
	return 1;
}

static int fill(struct listing *l, struct mvfs_file *file, uint64_t cookie)
{
	struct mvfs_dirent entries[BATCH];
	int64_t i, n;

	for (;;) {
		n = mvfs_sys_list(l->mount->fs, file, cookie, entries, BATCH);
		if (n <= 0)
			/* What is there already is told first. */
			return l->used ? 0 : (int)n;
		for (i = 0; i < n; i++) {
			if (!(l->acting ? add_plus(l, &entries[i])
					: add_plain(l, &entries[i])))
				return 0;
			cookie = entries[i].cookie;
		}
		/* So that one message is one call, where that is counted. */
		if (n < BATCH)
			return 0;
	}
}

static void list(fuse_req_t req, fuse_ino_t node, size_t size, off_t offset,
		 struct fuse_file_info *fi, struct mvfs__acting *acting)
{
	struct listing l = { .req = req, .acting = acting, .room = size };
	int r = -ENOMEM;

	l.mount = mvfs__mount(req);
	l.dir = mvfs__node(l.mount, node);
	l.to = malloc(size);
	/* An entry with its attributes takes more than 64 bytes. */
	l.pinned = malloc((size / 64 + 1) * sizeof *l.pinned);
	if (l.to && l.pinned)
		r = fill(&l, mvfs__file(fi), offset);
	if (r)
		r = fuse_reply_err(req, -r);
	else
		r = fuse_reply_buf(req, l.to, l.used);
	while (r < 0 && l.pin_count)
		mvfs_sys_unpin(l.mount->fs, l.pinned[--l.pin_count], 1);
	free(l.pinned);
	free(l.to);
}

void mvfs__op_readdir(fuse_req_t req, fuse_ino_t node, size_t size,
		      off_t offset, struct fuse_file_info *fi)
{
	list(req, node, size, offset, fi, NULL);
}

void mvfs__op_readdirplus(fuse_req_t req, fuse_ino_t node, size_t size,
			  off_t offset, struct fuse_file_info *fi)
{
	struct mvfs__acting acting;

	mvfs__acting(&acting, req, mvfs__node(mvfs__mount(req), node), 0);
	list(req, node, size, offset, fi, &acting);
	mvfs__acting_end(&acting);
}
