/* SPDX-License-Identifier: MIT */
/*
 * Extended attributes: small values with names, kept with an inode; xattr(7).
 *
 * A name has at most 255 bytes and begins with its namespace:
 * user.      on regular files and directories only; reading and writing need
 *            that permission of the file, and in a sticky directory one
 *            writes only the attributes of what one owns;
 * trusted.   for uid 0 alone; to others they are not there;
 * security.  read by everybody, written by uid 0.
 * A value is any bytes, at most 65536, and may be empty.
 *
 * Paths are resolved as memvfs/path.h says, with the errors named there; a
 * symlink is followed, unless AT_SYMLINK_NOFOLLOW is in `at_flags`. With
 * AT_EMPTY_PATH and "" `dirfd` itself is meant. Any other bit is -EINVAL. The
 * calls that begin with mvfs_f take a descriptor, not one of O_PATH: -EBADF.
 * Names and values that are passed are the caller's, and are not used after
 * the call. Changes move ctime.
 *
 * Errors of every call here that takes a name:
 * -ERANGE      the name is empty, or has more than 255 bytes;
 * -EOPNOTSUPP  it is in no namespace, or in one that is not there (system.
 *              among them: there are no ACLs);
 * -EINVAL      nothing follows the namespace; or the view is NULL;
 * -EFAULT      another pointer is, and must not be.
 */
#ifndef MEMVFS_XATTRS_H
#define MEMVFS_XATTRS_H

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * How an attribute is set, with the values of <sys/xattr.h>: it must not be
 * there, or it must be; with 0 either is fine.
 *
 * @since 0.1.0
 */
#define MVFS_XATTR_CREATE 1
#define MVFS_XATTR_REPLACE 2

/*
 * Sets an attribute to the `size` bytes of the value, which may be NULL if
 * size is 0. setxattr(2).
 *
 * Returns 0, or
 * -EEXIST  MVFS_XATTR_CREATE, and it is there;
 * -ENODATA  MVFS_XATTR_REPLACE, and it is not;
 * -E2BIG   `size` is more than 65536;
 * -EINVAL  `flags` has other bits;
 * -EPERM   user. on what is neither file nor directory, or on another's
 *          sticky directory; another namespace, and the user is not uid 0;
 * -EACCES  user., without the permission to write;
 * -ENOMEM  out of memory;
 * and what is named above.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_setxattr(mvfs *fs, const char *path, const char *name,
			   const void *value, size_t size, int flags);
MVFS_API int mvfs_fsetxattr(mvfs *fs, int fd, const char *name,
			    const void *value, size_t size, int flags);
MVFS_API int mvfs_setxattrat(mvfs *fs, int dirfd, const char *path,
			     int at_flags, const char *name,
			     const void *value, size_t size, int flags);

/*
 * Stores the value of an attribute in the `size` bytes at `value`. With size
 * 0 nothing is stored, and `value` may be NULL: so one asks for the size.
 * getxattr(2).
 *
 * Returns the size of the value, or
 * -ENODATA  there is no such attribute, or not for this user;
 * -ERANGE   the value is larger than `size`, which is not 0;
 * -EACCES   user., without the permission to read;
 * and what is named above.
 *
 * @since 0.1.0
 */
MVFS_API int64_t mvfs_getxattr(mvfs *fs, const char *path, const char *name,
			       void *value, size_t size);
MVFS_API int64_t mvfs_fgetxattr(mvfs *fs, int fd, const char *name,
				void *value, size_t size);
MVFS_API int64_t mvfs_getxattrat(mvfs *fs, int dirfd, const char *path,
				 int at_flags, const char *name, void *value,
				 size_t size);

/*
 * Stores the names of all attributes that this user may see, each with a
 * terminating 0, one behind the other. With size 0 nothing is stored, and
 * `names` may be NULL. No permission on the file itself is needed.
 * listxattr(2).
 *
 * Returns the size of all names, or
 * -ERANGE  that is more than `size`, which is not 0;
 * -E2BIG   it is more than 65536;
 * and what resolving the path gives.
 *
 * @since 0.1.0
 */
MVFS_API int64_t mvfs_listxattr(mvfs *fs, const char *path, char *names,
				size_t size);
MVFS_API int64_t mvfs_flistxattr(mvfs *fs, int fd, char *names, size_t size);
MVFS_API int64_t mvfs_listxattrat(mvfs *fs, int dirfd, const char *path,
				  int at_flags, char *names, size_t size);

/*
 * Removes an attribute. removexattr(2).
 *
 * Returns 0, or
 * -ENODATA  there is no such attribute;
 * -EPERM, -EACCES, -ENOMEM  as for mvfs_setxattr();
 * and what is named above.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_removexattr(mvfs *fs, const char *path, const char *name);
MVFS_API int mvfs_fremovexattr(mvfs *fs, int fd, const char *name);
MVFS_API int mvfs_removexattrat(mvfs *fs, int dirfd, const char *path,
				int at_flags, const char *name);

#ifdef __cplusplus
}
#endif

#endif
