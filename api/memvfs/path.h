/* SPDX-License-Identifier: MIT */
/*
 * Names and attributes: what is done to a path.
 *
 * The *at calls start at a directory descriptor or MVFS_AT_FDCWD; a path
 * that begins with '/' starts at the view's root. `flags` of the *at calls
 * are the host's AT_* of <fcntl.h>: AT_SYMLINK_NOFOLLOW, AT_SYMLINK_FOLLOW,
 * AT_REMOVEDIR, AT_EACCESS, AT_EMPTY_PATH (the descriptor itself).
 */
#ifndef MEMVFS_PATH_H
#define MEMVFS_PATH_H

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

MVFS_API int mvfs_stat(mvfs *fs, const char *path, struct mvfs_stat *st);
MVFS_API int mvfs_lstat(mvfs *fs, const char *path, struct mvfs_stat *st);
MVFS_API int mvfs_fstat(mvfs *fs, int fd, struct mvfs_stat *st);
MVFS_API int mvfs_statat(mvfs *fs, int dirfd, const char *path, int flags,
			 struct mvfs_stat *st);
/* R_OK, W_OK, X_OK, F_OK for the view's user. */
MVFS_API int mvfs_access(mvfs *fs, const char *path, int mode);
MVFS_API int mvfs_accessat(mvfs *fs, int dirfd, const char *path, int mode,
			   int flags);

MVFS_API int mvfs_chmod(mvfs *fs, const char *path, uint32_t mode);
MVFS_API int mvfs_fchmod(mvfs *fs, int fd, uint32_t mode);
MVFS_API int mvfs_chmodat(mvfs *fs, int dirfd, const char *path,
			  uint32_t mode, int flags);
/* (uint32_t)-1 leaves an id unchanged. */
MVFS_API int mvfs_chown(mvfs *fs, const char *path, uint32_t uid,
			uint32_t gid);
MVFS_API int mvfs_lchown(mvfs *fs, const char *path, uint32_t uid,
			 uint32_t gid);
MVFS_API int mvfs_fchown(mvfs *fs, int fd, uint32_t uid, uint32_t gid);
MVFS_API int mvfs_chownat(mvfs *fs, int dirfd, const char *path, uint32_t uid,
			  uint32_t gid, int flags);
/* times[0] is atime, times[1] mtime; NULL: both now. */
MVFS_API int mvfs_utimens(mvfs *fs, const char *path,
			  const struct mvfs_time times[2]);
MVFS_API int mvfs_futimens(mvfs *fs, int fd,
			   const struct mvfs_time times[2]);
MVFS_API int mvfs_utimensat(mvfs *fs, int dirfd, const char *path,
			    const struct mvfs_time times[2], int flags);

MVFS_API int mvfs_mkdir(mvfs *fs, const char *path, uint32_t mode);
MVFS_API int mvfs_mkdirat(mvfs *fs, int dirfd, const char *path,
			  uint32_t mode);
/* mode has S_IFREG (or no type), S_IFIFO, S_IFSOCK, S_IFCHR or S_IFBLK. */
MVFS_API int mvfs_mknod(mvfs *fs, const char *path, uint32_t mode,
			uint64_t rdev);
MVFS_API int mvfs_mknodat(mvfs *fs, int dirfd, const char *path,
			  uint32_t mode, uint64_t rdev);
MVFS_API int mvfs_unlink(mvfs *fs, const char *path);
MVFS_API int mvfs_rmdir(mvfs *fs, const char *path);
MVFS_API int mvfs_unlinkat(mvfs *fs, int dirfd, const char *path, int flags);
#define MVFS_RENAME_NOREPLACE 1u
#define MVFS_RENAME_EXCHANGE 2u
MVFS_API int mvfs_rename(mvfs *fs, const char *from, const char *to);
MVFS_API int mvfs_renameat(mvfs *fs, int from_dirfd, const char *from,
			   int to_dirfd, const char *to, unsigned flags);
MVFS_API int mvfs_link(mvfs *fs, const char *from, const char *to);
MVFS_API int mvfs_linkat(mvfs *fs, int from_dirfd, const char *from,
			 int to_dirfd, const char *to, int flags);
MVFS_API int mvfs_symlink(mvfs *fs, const char *target, const char *path);
MVFS_API int mvfs_symlinkat(mvfs *fs, const char *target, int dirfd,
			    const char *path);
/* As readlink(2): not terminated; returns the bytes stored, cut to `len`. */
MVFS_API int64_t mvfs_readlink(mvfs *fs, const char *path, char *to,
			       size_t len);
MVFS_API int64_t mvfs_readlinkat(mvfs *fs, int dirfd, const char *path,
				 char *to, size_t len);
/*
 * The absolute path, without symlinks, ".", "..", or double slashes, as seen
 * from the view's root; terminated. Returns its length; -ERANGE if `len` is
 * too small. (4096 always is enough unless it is longer than PATH_MAX.)
 */
MVFS_API int64_t mvfs_realpath(mvfs *fs, const char *path, char *to,
			       size_t len);
MVFS_API int mvfs_statfs(mvfs *fs, struct mvfs_statfs *st);

#ifdef __cplusplus
}
#endif

#endif
