// SPDX-License-Identifier: MIT
/* Names: looking up, making, moving, removing; and forgetting. */
#include <config.h>

#include "fuse/adapter.h"

#include <errno.h>
#include <limits.h>

#include <memvfs/path.h>

static void reply_entry(fuse_req_t req, int r, const struct mvfs_stat *st)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	struct fuse_entry_param e;

	if (r) {
		fuse_reply_err(req, -r);
		return;
	}
	mvfs__fuse_entry(mount, st, &e);
	/* The one who asked was killed: the kernel counts no lookup. */
	if (fuse_reply_entry(req, &e) < 0)
		mvfs_sys_unpin(mount->fs, st->ino, 1);
}

void mvfs__op_lookup(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	uint64_t ino = mvfs__node(mount, parent);
	struct mvfs__acting acting;
	struct mvfs_stat st;
	int r;

	mvfs__acting(&acting, req, ino, 0);
	do {
		r = mvfs_sys_lookup(mount->fs, &acting.actor, ino, name, 1,
				    &st);
	} while (mvfs__acting_again(&acting, r));
	mvfs__acting_end(&acting);
	reply_entry(req, r, &st);
}

void mvfs__op_forget(fuse_req_t req, fuse_ino_t node, uint64_t count)
{
	struct mvfs_mount *mount = mvfs__mount(req);

	/* The root is never looked up, so nothing is pinned. */
	if (node != FUSE_ROOT_ID)
		mvfs_sys_unpin(mount->fs, mvfs__node(mount, node), count);
	fuse_reply_none(req);
}

void mvfs__op_forget_multi(fuse_req_t req, size_t count,
			   struct fuse_forget_data *forgets)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	size_t i;

	for (i = 0; i < count; i++)
		if (forgets[i].ino != FUSE_ROOT_ID)
			mvfs_sys_unpin(mount->fs,
				       mvfs__node(mount, forgets[i].ino),
				       forgets[i].nlookup);
	fuse_reply_none(req);
}

void mvfs__op_readlink(fuse_req_t req, fuse_ino_t node)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	char target[PATH_MAX + 1];
	int64_t r;

	r = mvfs_sys_readlink(mount->fs, mvfs__node(mount, node), target,
			      sizeof target - 1);
	if (r < 0) {
		fuse_reply_err(req, -r);
		return;
	}
	target[r] = '\0';
	fuse_reply_readlink(req, target);
}

void mvfs__op_mknod(fuse_req_t req, fuse_ino_t parent, const char *name,
		    mode_t mode, dev_t rdev)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	uint64_t ino = mvfs__node(mount, parent);
	struct mvfs__acting acting;
	struct mvfs_stat st;
	int r;

	mvfs__acting(&acting, req, ino, 0);
	do {
		r = mvfs_sys_mknod(mount->fs, &acting.actor, ino, name, mode,
				   rdev, 1, &st);
	} while (mvfs__acting_again(&acting, r));
	mvfs__acting_end(&acting);
	reply_entry(req, r, &st);
}

void mvfs__op_mkdir(fuse_req_t req, fuse_ino_t parent, const char *name,
		    mode_t mode)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	uint64_t ino = mvfs__node(mount, parent);
	struct mvfs__acting acting;
	struct mvfs_stat st;
	int r;

	mvfs__acting(&acting, req, ino, 0);
	do {
		r = mvfs_sys_mkdir(mount->fs, &acting.actor, ino, name,
				   mode & 07777, 1, &st);
	} while (mvfs__acting_again(&acting, r));
	mvfs__acting_end(&acting);
	reply_entry(req, r, &st);
}

void mvfs__op_symlink(fuse_req_t req, const char *target, fuse_ino_t parent,
		      const char *name)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	uint64_t ino = mvfs__node(mount, parent);
	struct mvfs__acting acting;
	struct mvfs_stat st;
	int r;

	mvfs__acting(&acting, req, ino, 0);
	do {
		r = mvfs_sys_symlink(mount->fs, &acting.actor, target, ino,
				     name, 1, &st);
	} while (mvfs__acting_again(&acting, r));
	mvfs__acting_end(&acting);
	reply_entry(req, r, &st);
}

void mvfs__op_link(fuse_req_t req, fuse_ino_t node, fuse_ino_t new_parent,
		   const char *new_name)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	uint64_t ino = mvfs__node(mount, node);
	uint64_t parent = mvfs__node(mount, new_parent);
	struct mvfs__acting acting;
	struct mvfs_stat st;
	int r;

	mvfs__acting(&acting, req, parent, ino);
	do {
		r = mvfs_sys_link(mount->fs, &acting.actor, ino, parent,
				  new_name, 1, &st);
	} while (mvfs__acting_again(&acting, r));
	mvfs__acting_end(&acting);
	reply_entry(req, r, &st);
}

static void remove_name(fuse_req_t req, fuse_ino_t parent, const char *name,
			int is_dir)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	uint64_t ino = mvfs__node(mount, parent);
	struct mvfs__acting acting;
	int r;

	mvfs__acting(&acting, req, ino, 0);
	do {
		r = is_dir ? mvfs_sys_rmdir(mount->fs, &acting.actor, ino,
					    name)
			   : mvfs_sys_unlink(mount->fs, &acting.actor, ino,
					     name);
	} while (mvfs__acting_again(&acting, r));
	mvfs__acting_end(&acting);
	fuse_reply_err(req, -r);
}

void mvfs__op_unlink(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	remove_name(req, parent, name, 0);
}

void mvfs__op_rmdir(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	remove_name(req, parent, name, 1);
}

void mvfs__op_rename(fuse_req_t req, fuse_ino_t parent, const char *name,
		     fuse_ino_t new_parent, const char *new_name,
		     unsigned flags)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	uint64_t from = mvfs__node(mount, parent);
	uint64_t to = mvfs__node(mount, new_parent);
	struct mvfs__acting acting;
	int r;

	_Static_assert(MVFS_RENAME_NOREPLACE == 1 && MVFS_RENAME_EXCHANGE == 2,
		       "the kernel's flags pass through");
	mvfs__acting(&acting, req, from, to);
	mvfs__acting_moves(&acting, from, name);
	mvfs__acting_moves(&acting, to, new_name);
	do {
		r = mvfs_sys_rename(mount->fs, &acting.actor, from, name, to,
				    new_name, flags);
	} while (mvfs__acting_again(&acting, r));
	mvfs__acting_end(&acting);
	fuse_reply_err(req, -r);
}
