/* SPDX-License-Identifier: MIT */
/* Checks of arguments that both tiers make. */
#include "config.h"

#include "api/args.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "vfs/base/error.h"

enum { IOV_LIMIT = 1024, XATTR_SIZE_LIMIT = 65536, XATTR_NAME_LIMIT = 255 };

void mvfs__set_of_times(const struct mvfs_time times[2], unsigned *set,
			struct mvfs_stat *values)
{
	const struct mvfs_time now = { 0, MVFS_TIME_NOW, 0 };

	values->atime = times ? times[0] : now;
	values->mtime = times ? times[1] : now;
	*set = 0;
	if (values->atime.nsec != MVFS_TIME_OMIT)
		*set |= MVFS__SET_ATIME;
	if (values->mtime.nsec != MVFS_TIME_OMIT)
		*set |= MVFS__SET_MTIME;
	if (values->atime.nsec == MVFS_TIME_NOW &&
	    values->mtime.nsec == MVFS_TIME_NOW)
		*set |= MVFS__SET_TOUCH;
}

int mvfs__check_fallocate(int mode, int64_t offset, int64_t len)
{
	const int known = MVFS_KEEP_SIZE | MVFS_PUNCH_HOLE | MVFS_ZERO_RANGE;

	if (offset < 0 || len <= 0)
		return -EINVAL;
	if (mode & ~known)
		return -EOPNOTSUPP;
	if ((mode & MVFS_PUNCH_HOLE) && !(mode & MVFS_KEEP_SIZE))
		return -EOPNOTSUPP;
	if ((mode & MVFS_PUNCH_HOLE) && (mode & MVFS_ZERO_RANGE))
		return -EOPNOTSUPP;
	return 0;
}

int mvfs__check_xattr_name(const char *name)
{
	size_t len;

	if (!name)
		return -EFAULT;
	len = strlen(name);
	return len == 0 || len > XATTR_NAME_LIMIT ? -ERANGE : 0;
}

int mvfs__check_setxattr(const char *name, const void *value, size_t size,
			 int flags)
{
	int rc;

	if (flags & ~(MVFS_XATTR_CREATE | MVFS_XATTR_REPLACE))
		return -EINVAL;
	rc = mvfs__check_xattr_name(name);
	if (rc)
		return rc;
	if (size > XATTR_SIZE_LIMIT)
		return -E2BIG;
	return size && !value ? -EFAULT : 0;
}

int mvfs__check_iov(const struct mvfs_iovec *iov, int count)
{
	int64_t sum = 0;
	int i;

	if (count < 0 || count > IOV_LIMIT)
		return -EINVAL;
	if (count && !iov)
		return -EFAULT;
	for (i = 0; i < count; i++) {
		if (__builtin_add_overflow(sum, iov[i].len, &sum))
			return -EINVAL;
		if (iov[i].len && !iov[i].base)
			return -EFAULT;
	}
	return 0;
}

int mvfs__check_target(const char *target)
{
	if (!target)
		return -EFAULT;
	if (!*target)
		return -ENOENT;
	return strnlen(target, PATH_MAX) == PATH_MAX ? -ENAMETOOLONG : 0;
}

int mvfs__refuse_text(const void *text, size_t len, unsigned flags,
		      unsigned allowed, const struct mvfs_string *out,
		      struct mvfs_error *error)
{
	if (len && !text)
		return mvfs__fail(error, -EFAULT, 0, 0, "%zu bytes at NULL",
				  len);
	if (!out)
		return mvfs__fail(error, -EFAULT, 0, 0,
				  "nowhere to put the string");
	assert(flags & ~allowed);
	return mvfs__fail(error, -EINVAL, 0, 0, "flags 0x%x are not for this "
			  "call, which has MVFS_REPLACE%s", flags & ~allowed,
			  allowed & MVFS_SKIP_BOM ? " and MVFS_SKIP_BOM" : "");
}

int mvfs__refuse(const mvfs *fs, struct mvfs_error *error)
{
	return mvfs__fail(error, fs ? -EFAULT : -EINVAL, 0, 0, "no %s",
			  fs ? "path" : "file system");
}

int mvfs__check_open(int flags)
{
	const int accepted = O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC |
			     O_APPEND | O_NOFOLLOW | O_DIRECTORY | O_PATH |
			     O_TMPFILE | O_SYNC | O_DSYNC | O_NONBLOCK |
			     O_NOCTTY | O_CLOEXEC | O_NOATIME | O_LARGEFILE;

	if (flags & ~accepted)
		return -EINVAL;
	if (flags & O_PATH)
		return 0;
	if ((flags & O_TMPFILE) == O_TMPFILE)
		return (flags & O_CREAT) ||
		       (flags & O_ACCMODE) == O_RDONLY ? -EINVAL : 0;
	if ((flags & O_TMPFILE) & ~O_DIRECTORY)
		return -EINVAL;
	if ((flags & O_DIRECTORY) && (flags & O_CREAT))
		return -EINVAL;
	return 0;
}
