/* SPDX-License-Identifier: MIT */
/*
 * Open files: descriptors, reading, writing, seeking, sizes, ranges.
 *
 * Descriptors belong to the instance, the lowest free number first, and are
 * good in every view of it. Flags, modes and whence are the host's own, of
 * <fcntl.h>, <sys/stat.h> and <unistd.h>.
 */
#ifndef MEMVFS_FILE_H
#define MEMVFS_FILE_H

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In place of a directory descriptor: the view's current directory. */
#define MVFS_AT_FDCWD (-100)

/*
 * open(2): O_RDONLY, O_WRONLY, O_RDWR; O_CREAT, O_EXCL, O_TRUNC, O_APPEND,
 * O_NOFOLLOW, O_DIRECTORY, O_PATH, O_TMPFILE; O_SYNC, O_DSYNC, O_NONBLOCK,
 * O_NOCTTY, O_CLOEXEC, O_NOATIME, O_LARGEFILE are accepted and change
 * nothing. Any other bit is -EINVAL. Opening a fifo, a socket or a device
 * without O_PATH is -ENXIO: there is nobody at the other end.
 */
MVFS_API int mvfs_open(mvfs *fs, const char *path, int flags, uint32_t mode);
MVFS_API int mvfs_openat(mvfs *fs, int dirfd, const char *path, int flags,
			 uint32_t mode);
MVFS_API int mvfs_close(mvfs *fs, int fd);
MVFS_API int mvfs_dup(mvfs *fs, int fd);
MVFS_API int mvfs_dup2(mvfs *fs, int fd, int to);
/* The open flags that F_GETFL tells; set: O_APPEND alone can be changed. */
MVFS_API int mvfs_getfl(mvfs *fs, int fd);
MVFS_API int mvfs_setfl(mvfs *fs, int fd, int flags);

MVFS_API int64_t mvfs_read(mvfs *fs, int fd, void *to, size_t len);
MVFS_API int64_t mvfs_pread(mvfs *fs, int fd, void *to, size_t len,
			    int64_t offset);
MVFS_API int64_t mvfs_readv(mvfs *fs, int fd, const struct mvfs_iovec *iov,
			    int count);
MVFS_API int64_t mvfs_preadv(mvfs *fs, int fd, const struct mvfs_iovec *iov,
			     int count, int64_t offset);
MVFS_API int64_t mvfs_write(mvfs *fs, int fd, const void *from, size_t len);
MVFS_API int64_t mvfs_pwrite(mvfs *fs, int fd, const void *from, size_t len,
			     int64_t offset);
MVFS_API int64_t mvfs_writev(mvfs *fs, int fd, const struct mvfs_iovec *iov,
			     int count);
MVFS_API int64_t mvfs_pwritev(mvfs *fs, int fd, const struct mvfs_iovec *iov,
			      int count, int64_t offset);

/* SEEK_SET, SEEK_CUR, SEEK_END, SEEK_DATA, SEEK_HOLE. */
MVFS_API int64_t mvfs_lseek(mvfs *fs, int fd, int64_t offset, int whence);

MVFS_API int mvfs_ftruncate(mvfs *fs, int fd, int64_t size);
MVFS_API int mvfs_truncate(mvfs *fs, const char *path, int64_t size);

/* Modes of mvfs_fallocate, with the values of <linux/falloc.h>. */
#define MVFS_KEEP_SIZE 0x01
#define MVFS_PUNCH_HOLE 0x02 /* only with MVFS_KEEP_SIZE */
#define MVFS_ZERO_RANGE 0x10
MVFS_API int mvfs_fallocate(mvfs *fs, int fd, int mode, int64_t offset,
			    int64_t len);

/*
 * copy_file_range(2), sharing buffers instead of copying where the offsets
 * are multiples of 4096. A NULL offset uses and moves the descriptor's own.
 */
MVFS_API int64_t mvfs_copy_file_range(mvfs *fs, int in, int64_t *in_offset,
				      int out, int64_t *out_offset,
				      size_t len, unsigned flags);
/* The file `to` gets the content of the file `from`, sharing all of it. */
MVFS_API int mvfs_clone_file(mvfs *fs, int from, int to);

MVFS_API int mvfs_fsync(mvfs *fs, int fd);
MVFS_API int mvfs_fdatasync(mvfs *fs, int fd);
MVFS_API int mvfs_sync(mvfs *fs);

#ifdef __cplusplus
}
#endif

#endif
