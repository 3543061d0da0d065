/* SPDX-License-Identifier: MIT */
/*
 * File calls as a parameter: the same code on a tree of this library and on
 * the files of the host.
 *
 * A program that takes its I/O as a `struct mvfs_io` runs in production with
 * mvfs_io_host() and in its tests with mvfs_io(fs):
 *
 *     int fd = io.call->open(io.ctx, "journal", O_RDONLY, 0);
 *
 * The calls have the shape that POSIX gives them: a descriptor, a count or 0,
 * or -1 (NULL where they give a pointer), and then errno says why. That is
 * unlike the rest of the library, whose results are negative errnos. What
 * differs from POSIX is the types, which depend on neither _FILE_OFFSET_BITS
 * nor the host: offsets are int64_t, modes uint32_t, attributes struct
 * mvfs_stat, entries struct mvfs_dirent.
 *
 * Whoever calls checks no arguments for the library: they are as the namesake
 * in memvfs/file.h, path.h, listing.h and fopen.h says, and on the host as
 * POSIX does.
 */
#ifndef MEMVFS_IO_H
#define MEMVFS_IO_H

#include <stdio.h>

#include <memvfs/listing.h>
#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A listing of either kind, from opendir() until closedir(). */
struct mvfs_io_dir;

/*
 * The calls. Each takes the `ctx` of its struct mvfs_io first, and has the
 * name and the effect of the call of POSIX.1-2024. A later version may have
 * more at the end.
 *
 * @since 0.1.0
 */
struct mvfs_io_calls {
	/* `mode` is used with O_CREAT and O_TMPFILE. */
	int (*open)(void *ctx, const char *path, int flags, uint32_t mode);
	int (*close)(void *ctx, int fd);
	int64_t (*read)(void *ctx, int fd, void *to, size_t len);
	int64_t (*write)(void *ctx, int fd, const void *from, size_t len);
	int64_t (*pread)(void *ctx, int fd, void *to, size_t len,
			 int64_t offset);
	int64_t (*pwrite)(void *ctx, int fd, const void *from, size_t len,
			  int64_t offset);
	int64_t (*lseek)(void *ctx, int fd, int64_t offset, int whence);
	int (*ftruncate)(void *ctx, int fd, int64_t size);
	int (*truncate)(void *ctx, const char *path, int64_t size);
	int (*fsync)(void *ctx, int fd);
	int (*fdatasync)(void *ctx, int fd);

	/* btime is 0 where the host does not tell it. */
	int (*fstat)(void *ctx, int fd, struct mvfs_stat *st);
	int (*stat)(void *ctx, const char *path, struct mvfs_stat *st);
	int (*lstat)(void *ctx, const char *path, struct mvfs_stat *st);
	int (*access)(void *ctx, const char *path, int mode);
	int (*chmod)(void *ctx, const char *path, uint32_t mode);

	int (*rename)(void *ctx, const char *from, const char *to);
	int (*unlink)(void *ctx, const char *path);
	int (*mkdir)(void *ctx, const char *path, uint32_t mode);
	int (*rmdir)(void *ctx, const char *path);
	int (*link)(void *ctx, const char *from, const char *to);
	int (*symlink)(void *ctx, const char *target, const char *path);
	/* Stores no terminating 0. */
	int64_t (*readlink)(void *ctx, const char *path, char *to,
			    size_t len);

	struct mvfs_io_dir *(*opendir)(void *ctx, const char *path);
	/* 1 and an entry; 0 at the end. "." and ".." come, too; the order is
	 * that of the file system (here: sorted, but for those two). */
	int (*readdir)(void *ctx, struct mvfs_io_dir *dir,
		       struct mvfs_dirent *entry);
	int (*closedir)(void *ctx, struct mvfs_io_dir *dir);

	/* Ended by fclose(3), whichever it is. */
	FILE *(*fopen)(void *ctx, const char *path, const char *mode);
	FILE *(*fdopen)(void *ctx, int fd, const char *mode);
};

/*
 * Some files, and the calls that reach them. Two pointers: pass it by value.
 *
 * @since 0.1.0
 */
struct mvfs_io {
	const struct mvfs_io_calls *call;
	void *ctx;
};

/*
 * The files of a tree, as the view's user sees them. Good for as long as the
 * view is; nothing is to be given back. Never fails; with NULL each call
 * fails with EINVAL.
 *
 * @since 0.1.0
 */
MVFS_API struct mvfs_io mvfs_io(mvfs *fs);

/*
 * The files of the host, as the process sees them. Never fails.
 *
 * @since 0.1.0
 */
MVFS_API struct mvfs_io mvfs_io_host(void);

#ifdef __cplusplus
}
#endif

#endif
