/* SPDX-License-Identifier: MIT */
/* memvfs/io.h: a tree behind calls of POSIX's shape */
#include "config.h"

#include <memvfs/file.h>
#include <memvfs/fopen.h>
#include <memvfs/io.h>
#include <memvfs/path.h>

#include <errno.h>

static int64_t posix(int64_t result)
{
	if (result >= 0)
		return result;
	errno = (int)-result;
	return -1;
}

/* The call of the library that has the same arguments. */
#define CALL(type, name, params, args) \
	static type io_##name params \
	{ \
		return (type)posix(mvfs_##name args); \
	}

CALL(int, open, (void *ctx, const char *path, int flags, uint32_t mode),
     (ctx, path, flags, mode))
CALL(int, close, (void *ctx, int fd),
     (ctx, fd))
CALL(int64_t, read, (void *ctx, int fd, void *to, size_t len),
     (ctx, fd, to, len))
CALL(int64_t, write, (void *ctx, int fd, const void *from, size_t len),
     (ctx, fd, from, len))
CALL(int64_t, pread, (void *ctx, int fd, void *to, size_t len, int64_t offset),
     (ctx, fd, to, len, offset))
CALL(int64_t, pwrite, (void *ctx, int fd, const void *from, size_t len,
	               int64_t offset),
     (ctx, fd, from, len, offset))
CALL(int64_t, lseek, (void *ctx, int fd, int64_t offset, int whence),
     (ctx, fd, offset, whence))
CALL(int, ftruncate, (void *ctx, int fd, int64_t size),
     (ctx, fd, size))
CALL(int, truncate, (void *ctx, const char *path, int64_t size),
     (ctx, path, size))
CALL(int, fsync, (void *ctx, int fd),
     (ctx, fd))
CALL(int, fdatasync, (void *ctx, int fd),
     (ctx, fd))
CALL(int, fstat, (void *ctx, int fd, struct mvfs_stat *st),
     (ctx, fd, st))
CALL(int, stat, (void *ctx, const char *path, struct mvfs_stat *st),
     (ctx, path, st))
CALL(int, lstat, (void *ctx, const char *path, struct mvfs_stat *st),
     (ctx, path, st))
CALL(int, access, (void *ctx, const char *path, int mode),
     (ctx, path, mode))
CALL(int, chmod, (void *ctx, const char *path, uint32_t mode),
     (ctx, path, mode))
CALL(int, rename, (void *ctx, const char *old, const char *new),
     (ctx, old, new))
CALL(int, unlink, (void *ctx, const char *path),
     (ctx, path))
CALL(int, mkdir, (void *ctx, const char *path, uint32_t mode),
     (ctx, path, mode))
CALL(int, rmdir, (void *ctx, const char *path),
     (ctx, path))
CALL(int, link, (void *ctx, const char *old, const char *new),
     (ctx, old, new))
CALL(int, symlink, (void *ctx, const char *target, const char *path),
     (ctx, target, path))
CALL(int64_t, readlink, (void *ctx, const char *path, char *to, size_t len),
     (ctx, path, to, len))

static struct mvfs_io_dir *io_opendir(void *ctx, const char *path)
{
	struct mvfs_dir *dir;

	if (posix(mvfs_opendir(ctx, path, MVFS_LIST_DOTS, &dir)))
		return NULL;
	return (struct mvfs_io_dir *)dir;
}

static int io_readdir(void *ctx, struct mvfs_io_dir *dir,
		      struct mvfs_dirent *entry)
{
	(void)ctx;
	return (int)posix(mvfs_readdir((struct mvfs_dir *)dir, entry));
}

static int io_closedir(void *ctx, struct mvfs_io_dir *dir)
{
	(void)ctx;
	return (int)posix(mvfs_closedir((struct mvfs_dir *)dir));
}

static FILE *io_fopen(void *ctx, const char *path, const char *mode)
{
	FILE *file;

	return posix(mvfs_fopen(ctx, path, mode, &file)) ? NULL : file;
}

static FILE *io_fdopen(void *ctx, int fd, const char *mode)
{
	FILE *file;

	return posix(mvfs_fdopen(ctx, fd, mode, &file)) ? NULL : file;
}

static const struct mvfs_io_calls calls = {
	.open = io_open,
	.close = io_close,
	.read = io_read,
	.write = io_write,
	.pread = io_pread,
	.pwrite = io_pwrite,
	.lseek = io_lseek,
	.ftruncate = io_ftruncate,
	.truncate = io_truncate,
	.fsync = io_fsync,
	.fdatasync = io_fdatasync,
	.fstat = io_fstat,
	.stat = io_stat,
	.lstat = io_lstat,
	.access = io_access,
	.chmod = io_chmod,
	.rename = io_rename,
	.unlink = io_unlink,
	.mkdir = io_mkdir,
	.rmdir = io_rmdir,
	.link = io_link,
	.symlink = io_symlink,
	.readlink = io_readlink,
	.opendir = io_opendir,
	.readdir = io_readdir,
	.closedir = io_closedir,
	.fopen = io_fopen,
	.fdopen = io_fdopen,
};

struct mvfs_io mvfs_io(mvfs *fs)
{
	return (struct mvfs_io){ &calls, fs };
}
