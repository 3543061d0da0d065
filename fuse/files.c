// SPDX-License-Identifier: MIT
/*
 * Open files. Nothing of a file's pages is kept from one open to the next
 * (keep_cache is 0); with cache=none there are none, but for mappings
 * (direct_io is 1: it forbids shared ones).
 */
#include <config.h>

#include "fuse/adapter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <utlist.h>

/* What the kernel adds to the flags of open(2) when it opens for execve(2);
 * its __FMODE_EXEC, which no installed header names. */
#define KERNEL_EXEC 0x20

/* O_APPEND is told anew with each write, for fcntl(2) may change it. */
#define FLAGS_KEPT (O_ACCMODE | O_TRUNC | O_CREAT | O_EXCL | O_SYNC | O_DSYNC)

struct mvfs__handle *mvfs__handle_new(struct mvfs_mount *mount,
				      struct mvfs_file *file, uint64_t written)
{
	struct mvfs__handle *handle = malloc(sizeof *handle);

	if (!handle)
		return NULL;
	*handle = (struct mvfs__handle){ .file = file, .written = written };
	pthread_mutex_lock(&mount->lock);
	DL_APPEND(mount->handles, handle);
	pthread_mutex_unlock(&mount->lock);
	return handle;
}

void mvfs__handle_close(struct mvfs_mount *mount, struct mvfs__handle *handle)
{
	pthread_mutex_lock(&mount->lock);
	DL_DELETE(mount->handles, handle);
	pthread_mutex_unlock(&mount->lock);
	mvfs__locks_release(mount, handle);
	if (handle->session)
		mvfs__ctl_close(handle->session);
	else
		mvfs_sys_close(mount->fs, handle->file);
	free(handle);
}

static int keep(struct mvfs_mount *mount, struct mvfs_file *file,
		fuse_ino_t node, struct fuse_file_info *fi)
{
	int writes = (fi->flags & O_ACCMODE) != O_RDONLY;
	struct mvfs__handle *handle = mvfs__handle_new(mount, file,
						       writes ? node : 0);

	if (!handle) {
		mvfs_sys_close(mount->fs, file);
		return -ENOMEM;
	}
	fi->fh = (uintptr_t)handle;
	fi->keep_cache = 0;
	fi->direct_io = mount->uncached;
	return 0;
}

/* execve(2) needs permission to execute, not to read. */
static int open_exec(mvfs *fs, const struct mvfs_actor *actor, uint64_t ino,
		     int flags, struct mvfs_file **file)
{
	static const struct mvfs_actor root;
	int r;

	r = mvfs_sys_access(fs, actor, ino, X_OK);
	if (r)
		return r;
	return mvfs_sys_open(fs, &root, ino, flags, file);
}

void mvfs__op_open(fuse_req_t req, fuse_ino_t node, struct fuse_file_info *fi)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	uint64_t ino = mvfs__node(mount, node);
	int flags = fi->flags & FLAGS_KEPT;
	struct mvfs__acting acting;
	struct mvfs_file *file;
	int r;

	mvfs__acting(&acting, req, ino, 0);
	do {
		r = fi->flags & KERNEL_EXEC
			    ? open_exec(mount->fs, &acting.actor, ino, flags,
					&file)
			    : mvfs_sys_open(mount->fs, &acting.actor, ino,
					    flags, &file);
	} while (mvfs__acting_again(&acting, r));
	mvfs__acting_end(&acting);
	if (!r)
		r = keep(mount, file, node, fi);
	if (r)
		fuse_reply_err(req, -r);
	else if (fuse_reply_open(req, fi) < 0)
		mvfs__handle_close(mount, mvfs__handle(fi));
}

static void reply_create(fuse_req_t req, const struct mvfs_stat *st,
			 struct mvfs_file *file, struct fuse_file_info *fi)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	struct fuse_entry_param e;
	int r;

	mvfs__fuse_entry(mount, st, &e);
	r = keep(mount, file, e.ino, fi);
	if (r) {
		fuse_reply_err(req, -r);
	} else if (fuse_reply_create(req, &e, fi) < 0) {
		mvfs__handle_close(mount, mvfs__handle(fi));
		r = -EINTR;
	}
	if (r)
		mvfs_sys_unpin(mount->fs, st->ino, 1);
}

void mvfs__op_create(fuse_req_t req, fuse_ino_t parent, const char *name,
		     mode_t mode, struct fuse_file_info *fi)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	uint64_t ino = mvfs__node(mount, parent);
	struct mvfs__acting acting;
	struct mvfs_file *file;
	struct mvfs_stat st;
	int r, created;

	mvfs__acting(&acting, req, ino, 0);
	do {
		r = mvfs_sys_create(mount->fs, &acting.actor, ino, name,
				    mode & 07777, fi->flags & FLAGS_KEPT, 1,
				    &st, &created, &file);
	} while (mvfs__acting_again(&acting, r));
	mvfs__acting_end(&acting);
	if (r)
		fuse_reply_err(req, -r);
	else
		reply_create(req, &st, file, fi);
}

#ifdef HAVE_STRUCT_FUSE_LOWLEVEL_OPS_TMPFILE
void mvfs__op_tmpfile(fuse_req_t req, fuse_ino_t parent, mode_t mode,
		      struct fuse_file_info *fi)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	uint64_t ino = mvfs__node(mount, parent);
	struct mvfs__acting acting;
	struct mvfs_file *file;
	struct mvfs_stat st;
	int r;

	mvfs__acting(&acting, req, ino, 0);
	do {
		r = mvfs_sys_tmpfile(mount->fs, &acting.actor, ino,
				     mode & 07777, fi->flags & FLAGS_KEPT, 1,
				     &st, &file);
	} while (mvfs__acting_again(&acting, r));
	mvfs__acting_end(&acting);
	if (r)
		fuse_reply_err(req, -r);
	else
		reply_create(req, &st, file, fi);
}
#endif

void mvfs__op_flush(fuse_req_t req, fuse_ino_t node, struct fuse_file_info *fi)
{
	struct mvfs_mount *mount = mvfs__mount(req);

	(void)node;
	mvfs__locks_flush(mount, mvfs__handle(fi), fi->lock_owner);
	fuse_reply_err(req, 0);
}

void mvfs__op_release(fuse_req_t req, fuse_ino_t node,
		      struct fuse_file_info *fi)
{
	(void)node;
	mvfs__handle_close(mvfs__mount(req), mvfs__handle(fi));
	fuse_reply_err(req, 0);
}

void mvfs__op_fsync(fuse_req_t req, fuse_ino_t node, int datasync,
		    struct fuse_file_info *fi)
{
	(void)node;
	fuse_reply_err(req, -mvfs_sys_fsync(mvfs__mount(req)->fs,
					    mvfs__file(fi), datasync));
}
