/* SPDX-License-Identifier: MIT */
/*
 * Extended attributes, xattr(7): namespaces user., trusted. (uid 0 only) and
 * security.; any other is -EOPNOTSUPP. Names are at most 255 bytes, values
 * at most 65536.
 */
#ifndef MEMVFS_XATTRS_H
#define MEMVFS_XATTRS_H

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MVFS_XATTR_CREATE 1  /* -EEXIST if it is there */
#define MVFS_XATTR_REPLACE 2 /* -ENODATA if it is not */

MVFS_API int mvfs_setxattr(mvfs *fs, const char *path, const char *name,
			   const void *value, size_t size, int flags);
MVFS_API int mvfs_fsetxattr(mvfs *fs, int fd, const char *name,
			    const void *value, size_t size, int flags);
MVFS_API int mvfs_setxattrat(mvfs *fs, int dirfd, const char *path,
			     int at_flags, const char *name,
			     const void *value, size_t size, int flags);
/* Size of the value; with size 0 nothing is stored; -ERANGE if too small. */
MVFS_API int64_t mvfs_getxattr(mvfs *fs, const char *path, const char *name,
			       void *value, size_t size);
MVFS_API int64_t mvfs_fgetxattr(mvfs *fs, int fd, const char *name,
				void *value, size_t size);
MVFS_API int64_t mvfs_getxattrat(mvfs *fs, int dirfd, const char *path,
				 int at_flags, const char *name, void *value,
				 size_t size);
/* Names, each terminated, one behind the other. */
MVFS_API int64_t mvfs_listxattr(mvfs *fs, const char *path, char *names,
				size_t size);
MVFS_API int64_t mvfs_flistxattr(mvfs *fs, int fd, char *names, size_t size);
MVFS_API int64_t mvfs_listxattrat(mvfs *fs, int dirfd, const char *path,
				  int at_flags, char *names, size_t size);
MVFS_API int mvfs_removexattr(mvfs *fs, const char *path, const char *name);
MVFS_API int mvfs_fremovexattr(mvfs *fs, int fd, const char *name);
MVFS_API int mvfs_removexattrat(mvfs *fs, int dirfd, const char *path,
				int at_flags, const char *name);

#ifdef __cplusplus
}
#endif

#endif
