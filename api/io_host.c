/* SPDX-License-Identifier: MIT */
/* memvfs/io.h: the host behind the same calls */
#include "config.h"

#include <memvfs/io.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(sizeof(off_t) == sizeof(int64_t), "large files");

#define CALL(type, name, params, args) \
	static type host_##name params \
	{ \
		(void)ctx; \
		return name args; \
	}

CALL(int, open, (void *ctx, const char *path, int flags, uint32_t mode),
     (path, flags, mode))
CALL(int, close, (void *ctx, int fd),
     (fd))
CALL(int64_t, read, (void *ctx, int fd, void *to, size_t len),
     (fd, to, len))
CALL(int64_t, write, (void *ctx, int fd, const void *from, size_t len),
     (fd, from, len))
CALL(int64_t, pread, (void *ctx, int fd, void *to, size_t len, int64_t offset),
     (fd, to, len, offset))
CALL(int64_t, pwrite, (void *ctx, int fd, const void *from, size_t len,
	               int64_t offset),
     (fd, from, len, offset))
CALL(int64_t, lseek, (void *ctx, int fd, int64_t offset, int whence),
     (fd, offset, whence))
CALL(int, ftruncate, (void *ctx, int fd, int64_t size),
     (fd, size))
CALL(int, truncate, (void *ctx, const char *path, int64_t size),
     (path, size))
CALL(int, fsync, (void *ctx, int fd),
     (fd))
CALL(int, fdatasync, (void *ctx, int fd),
     (fd))
CALL(int, access, (void *ctx, const char *path, int mode),
     (path, mode))
CALL(int, chmod, (void *ctx, const char *path, uint32_t mode),
     (path, mode))
CALL(int, rename, (void *ctx, const char *old, const char *new),
     (old, new))
CALL(int, unlink, (void *ctx, const char *path),
     (path))
CALL(int, mkdir, (void *ctx, const char *path, uint32_t mode),
     (path, mode))
CALL(int, rmdir, (void *ctx, const char *path),
     (path))
CALL(int, link, (void *ctx, const char *old, const char *new),
     (old, new))
CALL(int, symlink, (void *ctx, const char *target, const char *path),
     (target, path))
CALL(int64_t, readlink, (void *ctx, const char *path, char *to, size_t len),
     (path, to, len))
CALL(FILE *, fopen, (void *ctx, const char *path, const char *mode),
     (path, mode))
CALL(FILE *, fdopen, (void *ctx, int fd, const char *mode),
     (fd, mode))

static struct mvfs_time time_of(const struct timespec *ts)
{
	return (struct mvfs_time){ ts->tv_sec, (int32_t)ts->tv_nsec, 0 };
}

static int give_stat(int rc, const struct stat *from, struct mvfs_stat *st)
{
	if (rc)
		return rc;
	*st = (struct mvfs_stat){
		.dev = from->st_dev,
		.ino = from->st_ino,
		.mode = from->st_mode,
		.nlink = (uint32_t)from->st_nlink,
		.uid = from->st_uid,
		.gid = from->st_gid,
		.rdev = from->st_rdev,
		.size = (uint64_t)from->st_size,
		.blocks = (uint64_t)from->st_blocks,
		.blksize = (uint32_t)from->st_blksize,
		.atime = time_of(&from->st_atim),
		.mtime = time_of(&from->st_mtim),
		.ctime = time_of(&from->st_ctim),
	};
	return 0;
}

static int host_fstat(void *ctx, int fd, struct mvfs_stat *st)
{
	struct stat host;

	(void)ctx;
	return give_stat(fstat(fd, &host), &host, st);
}

static int host_stat(void *ctx, const char *path, struct mvfs_stat *st)
{
	struct stat host;

	(void)ctx;
	return give_stat(stat(path, &host), &host, st);
}

static int host_lstat(void *ctx, const char *path, struct mvfs_stat *st)
{
	struct stat host;

	(void)ctx;
	return give_stat(lstat(path, &host), &host, st);
}

static struct mvfs_io_dir *host_opendir(void *ctx, const char *path)
{
	(void)ctx;
	return (struct mvfs_io_dir *)opendir(path);
}

static int host_readdir(void *ctx, struct mvfs_io_dir *dir,
			struct mvfs_dirent *entry)
{
	const int before = errno;
	const struct dirent *d;
	size_t len;

	(void)ctx;
	errno = 0;
	d = readdir((DIR *)dir);
	if (!d && errno)
		return -1;
	errno = before;
	if (!d)
		return 0;
	len = strlen(d->d_name);
	if (len >= sizeof(entry->name)) {
		errno = EOVERFLOW;
		return -1;
	}
	*entry = (struct mvfs_dirent){
		.ino = d->d_ino,
		.cookie = (uint64_t)d->d_off,
		.type = d->d_type,
		.len = (uint16_t)len,
	};
	memcpy(entry->name, d->d_name, len);
	return 1;
}

static int host_closedir(void *ctx, struct mvfs_io_dir *dir)
{
	(void)ctx;
	return closedir((DIR *)dir);
}

static const struct mvfs_io_calls calls = {
	.open = host_open,
	.close = host_close,
	.read = host_read,
	.write = host_write,
	.pread = host_pread,
	.pwrite = host_pwrite,
	.lseek = host_lseek,
	.ftruncate = host_ftruncate,
	.truncate = host_truncate,
	.fsync = host_fsync,
	.fdatasync = host_fdatasync,
	.fstat = host_fstat,
	.stat = host_stat,
	.lstat = host_lstat,
	.access = host_access,
	.chmod = host_chmod,
	.rename = host_rename,
	.unlink = host_unlink,
	.mkdir = host_mkdir,
	.rmdir = host_rmdir,
	.link = host_link,
	.symlink = host_symlink,
	.readlink = host_readlink,
	.opendir = host_opendir,
	.readdir = host_readdir,
	.closedir = host_closedir,
	.fopen = host_fopen,
	.fdopen = host_fdopen,
};

struct mvfs_io mvfs_io_host(void)
{
	return (struct mvfs_io){ &calls, NULL };
}
