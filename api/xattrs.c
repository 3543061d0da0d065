/* SPDX-License-Identifier: MIT */
/* memvfs/xattrs.h */
#include "config.h"

#include <memvfs/xattrs.h>

#include "api/args.h"

/* Which of a path's forms a call has. */
static int place_of(int at_flags)
{
	return mvfs__at_flags(at_flags, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH,
			      true);
}

/* A descriptor that is meant itself must be more than one of O_PATH. */
static struct mvfs__at at_of(int dirfd, const char *path)
{
	return (struct mvfs__at){ 0, dirfd, path, path && !*path };
}

/* A negative one could be read as MVFS_AT_FDCWD. */
static int check_fd(int fd)
{
	return fd < 0 ? -EBADF : 0;
}

int mvfs_setxattrat(mvfs *fs, int dirfd, const char *path, int at_flags,
		    const char *name, const void *value, size_t size,
		    int flags)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = at_of(dirfd, path);
	int rc = mvfs__check(fs, path), place = place_of(at_flags);

	if (!rc && place < 0)
		rc = place;
	if (!rc)
		rc = mvfs__check_setxattr(name, value, size, flags);
	if (rc)
		return rc;
	return mvfs__fs_setxattr(&from, &at, (unsigned)place, name, value,
				 size, flags);
}

int mvfs_setxattr(mvfs *fs, const char *path, const char *name,
		  const void *value, size_t size, int flags)
{
	return mvfs_setxattrat(fs, MVFS_AT_FDCWD, path, 0, name, value, size,
			       flags);
}

int mvfs_fsetxattr(mvfs *fs, int fd, const char *name, const void *value,
		   size_t size, int flags)
{
	int rc = check_fd(fd);

	return rc ? rc : mvfs_setxattrat(fs, fd, "", AT_EMPTY_PATH, name,
					 value, size, flags);
}

int64_t mvfs_getxattrat(mvfs *fs, int dirfd, const char *path, int at_flags,
			const char *name, void *value, size_t size)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = at_of(dirfd, path);
	int rc = mvfs__check(fs, path), place = place_of(at_flags);

	if (!rc && place < 0)
		rc = place;
	if (!rc)
		rc = mvfs__check_xattr_name(name);
	if (rc)
		return rc;
	if (size && !value)
		return -EFAULT;
	return mvfs__fs_getxattr(&from, &at, (unsigned)place, name, value,
				 size);
}

int64_t mvfs_getxattr(mvfs *fs, const char *path, const char *name,
		      void *value, size_t size)
{
	return mvfs_getxattrat(fs, MVFS_AT_FDCWD, path, 0, name, value, size);
}

int64_t mvfs_fgetxattr(mvfs *fs, int fd, const char *name, void *value,
		       size_t size)
{
	int rc = check_fd(fd);

	return rc ? rc : mvfs_getxattrat(fs, fd, "", AT_EMPTY_PATH, name,
					 value, size);
}

int64_t mvfs_listxattrat(mvfs *fs, int dirfd, const char *path, int at_flags,
			 char *names, size_t size)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = at_of(dirfd, path);
	int rc = mvfs__check(fs, path), place = place_of(at_flags);

	if (rc || place < 0)
		return rc ? rc : place;
	if (size && !names)
		return -EFAULT;
	return mvfs__fs_listxattr(&from, &at, (unsigned)place, names, size);
}

int64_t mvfs_listxattr(mvfs *fs, const char *path, char *names, size_t size)
{
	return mvfs_listxattrat(fs, MVFS_AT_FDCWD, path, 0, names, size);
}

int64_t mvfs_flistxattr(mvfs *fs, int fd, char *names, size_t size)
{
	int rc = check_fd(fd);

	return rc ? rc : mvfs_listxattrat(fs, fd, "", AT_EMPTY_PATH, names,
					  size);
}

int mvfs_removexattrat(mvfs *fs, int dirfd, const char *path, int at_flags,
		       const char *name)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = at_of(dirfd, path);
	int rc = mvfs__check(fs, path), place = place_of(at_flags);

	if (!rc && place < 0)
		rc = place;
	if (!rc)
		rc = mvfs__check_xattr_name(name);
	if (rc)
		return rc;
	return mvfs__fs_removexattr(&from, &at, (unsigned)place, name);
}

int mvfs_removexattr(mvfs *fs, const char *path, const char *name)
{
	return mvfs_removexattrat(fs, MVFS_AT_FDCWD, path, 0, name);
}

int mvfs_fremovexattr(mvfs *fs, int fd, const char *name)
{
	int rc = check_fd(fd);

	return rc ? rc : mvfs_removexattrat(fs, fd, "", AT_EMPTY_PATH, name);
}
