// SPDX-License-Identifier: MIT
/*
 * What is agreed with the kernel, and which operation is served by what.
 * There is no bmap or poll; FICLONE is refused by the kernel before it gets
 * here.
 */
#include <config.h>

#include "fuse/adapter.h"

static void want(struct fuse_conn_info *conn, unsigned capability, int wanted)
{
	if (wanted && (conn->capable & capability))
		conn->want |= capability;
	else
		conn->want &= ~capability;
}

static void init(void *data, struct fuse_conn_info *conn)
{
	struct mvfs_mount *mount = data;

	/* The umask is applied here, for it is not where the directory's
	 * setgid bit, or later its default ACL, say so. */
	want(conn, FUSE_CAP_DONT_MASK, 1);
	/* Without it the kernel takes setuid bits off by a chmod in the name
	 * of the writer, who need not be permitted one. */
	want(conn, FUSE_CAP_HANDLE_KILLPRIV, 1);
	atomic_store(&mount->answer_killpriv,
		     !!(conn->want & FUSE_CAP_HANDLE_KILLPRIV));
	want(conn, FUSE_CAP_ATOMIC_O_TRUNC, 1);
	want(conn, FUSE_CAP_POSIX_LOCKS, 1);
	want(conn, FUSE_CAP_FLOCK_LOCKS, 1);
	want(conn, FUSE_CAP_IOCTL_DIR, 1);
	want(conn, FUSE_CAP_PARALLEL_DIROPS, 1);
	want(conn, FUSE_CAP_ASYNC_READ, 1);
	want(conn, FUSE_CAP_ASYNC_DIO, 1);
	/* Pages of a file that is open are dropped when its times or its size
	 * show that it was changed from elsewhere. */
	want(conn, FUSE_CAP_AUTO_INVAL_DATA, 1);
	/* Attributes that nobody asked for: rules would count them, and the
	 * log have them, as calls. */
	want(conn, FUSE_CAP_READDIRPLUS, !mount->uncached);
	want(conn, FUSE_CAP_READDIRPLUS_AUTO, !mount->uncached);
	/* Coherence: see DESIGN.md. */
	want(conn, FUSE_CAP_WRITEBACK_CACHE, 0);
	want(conn, FUSE_CAP_CACHE_SYMLINKS, 0);
	want(conn, FUSE_CAP_NO_OPEN_SUPPORT, 0);
	want(conn, FUSE_CAP_NO_OPENDIR_SUPPORT, 0);
	want(conn, FUSE_CAP_SPLICE_READ, 0);
	want(conn, FUSE_CAP_SPLICE_WRITE, 0);
	want(conn, FUSE_CAP_SPLICE_MOVE, 0);
	conn->time_gran = 1;
}

const struct fuse_lowlevel_ops mvfs__fuse_ops = {
	.init = init,
	.lookup = mvfs__op_lookup,
	.forget = mvfs__op_forget,
	.forget_multi = mvfs__op_forget_multi,
	.getattr = mvfs__op_getattr,
	.setattr = mvfs__op_setattr,
	.readlink = mvfs__op_readlink,
	.mknod = mvfs__op_mknod,
	.mkdir = mvfs__op_mkdir,
	.unlink = mvfs__op_unlink,
	.rmdir = mvfs__op_rmdir,
	.symlink = mvfs__op_symlink,
	.rename = mvfs__op_rename,
	.link = mvfs__op_link,
	.open = mvfs__op_open,
	.create = mvfs__op_create,
	.read = mvfs__op_read,
	.write = mvfs__op_write,
	.flush = mvfs__op_flush,
	.release = mvfs__op_release,
	.fsync = mvfs__op_fsync,
	.opendir = mvfs__op_opendir,
	.readdir = mvfs__op_readdir,
	.readdirplus = mvfs__op_readdirplus,
	.releasedir = mvfs__op_release,
	.fsyncdir = mvfs__op_fsync,
	.statfs = mvfs__op_statfs,
	.setxattr = mvfs__op_setxattr,
	.getxattr = mvfs__op_getxattr,
	.listxattr = mvfs__op_listxattr,
	.removexattr = mvfs__op_removexattr,
	.access = mvfs__op_access,
	.getlk = mvfs__op_getlk,
	.setlk = mvfs__op_setlk,
	.flock = mvfs__op_flock,
	.fallocate = mvfs__op_fallocate,
	.copy_file_range = mvfs__op_copy_file_range,
	.lseek = mvfs__op_lseek,
	.ioctl = mvfs__op_ioctl,
#ifdef HAVE_STRUCT_FUSE_LOWLEVEL_OPS_TMPFILE
	.tmpfile = mvfs__op_tmpfile,
#endif
#ifdef HAVE_STRUCT_FUSE_LOWLEVEL_OPS_STATX
	.statx = mvfs__op_statx,
#endif
};
