/* SPDX-License-Identifier: MIT */
/* What the public calls check alike, and the places that they name. */
#ifndef MVFS__ARGS_H
#define MVFS__ARGS_H

#include <errno.h>
#include <fcntl.h>

#include <memvfs/text.h>

#include "vfs/base/base.h"
#include "vfs/fs/fs.h"

static inline struct mvfs__from mvfs__by(mvfs *fs)
{
	return (struct mvfs__from){ fs, NULL };
}

static inline struct mvfs__from mvfs__as(mvfs *fs,
					 const struct mvfs_actor *actor)
{
	return (struct mvfs__from){ fs, actor };
}

static inline struct mvfs__at mvfs__at(int dirfd, const char *path)
{
	return (struct mvfs__at){ .dirfd = dirfd, .path = path };
}

static inline struct mvfs__on mvfs__on(int fd)
{
	return (struct mvfs__on){ NULL, fd };
}

/* -EINVAL: no instance; -EFAULT: no path where there must be one. */
static inline int mvfs__check(const mvfs *fs, const void *path)
{
	if (!fs)
		return -EINVAL;
	return path ? 0 : -EFAULT;
}

/*
 * The flags of a place from AT_* ones: `follow` tells whether a symlink is
 * followed where neither flag says. Negative: a flag that is not `allowed`.
 */
static inline int mvfs__at_flags(int at_flags, int allowed, bool follow)
{
	if (at_flags & ~allowed)
		return -EINVAL;
	if (at_flags & AT_SYMLINK_NOFOLLOW)
		follow = false;
	if (allowed & AT_SYMLINK_FOLLOW)
		follow = at_flags & AT_SYMLINK_FOLLOW;
	return (follow ? MVFS__AT_FOLLOW : 0) |
	       (at_flags & AT_EMPTY_PATH ? MVFS__AT_EMPTY : 0);
}

/* utimens(2)'s arguments as a change of attributes. */
void mvfs__set_of_times(const struct mvfs_time times[2], unsigned *set,
			struct mvfs_stat *values);

/* fallocate(2)'s; -EINVAL, -EOPNOTSUPP. */
int mvfs__check_fallocate(int mode, int64_t offset, int64_t len);

/* setxattr(2)'s; -EINVAL, -ERANGE, -E2BIG, -EFAULT. */
int mvfs__check_setxattr(const char *name, const void *value, size_t size,
			 int flags);
int mvfs__check_xattr_name(const char *name);

/* readv(2)'s: -EINVAL, -EFAULT. */
int mvfs__check_iov(const struct mvfs_iovec *iov, int count);

/* symlink(2)'s first: -EFAULT, -ENOENT, -ENAMETOOLONG. */
int mvfs__check_target(const char *target);

int mvfs__refuse_text(const void *text, size_t len, unsigned flags,
		      unsigned allowed, const struct mvfs_string *out,
		      struct mvfs_error *error);
int mvfs__refuse(const mvfs *fs, struct mvfs_error *error);

/*
 * What calls that make a string check: a text of `len` bytes, of the flags at
 * most those `allowed`, and where to put it. -EFAULT, -EINVAL, and `error` says
 * which.
 */
static inline int mvfs__check_text(const void *text, size_t len,
				   unsigned flags, unsigned allowed,
				   const struct mvfs_string *out,
				   struct mvfs_error *error)
{
	if (mvfs__likely((text || !len) && out && !(flags & ~allowed)))
		return 0;
	return mvfs__refuse_text(text, len, flags, allowed, out, error);
}

/* The flags of calls that decode. */
#define MVFS__DECODE_FLAGS (MVFS_REPLACE | MVFS_SKIP_BOM)

/* mvfs__check() for calls that can say what is missing. */
static inline int mvfs__check_said(const mvfs *fs, const void *path,
				   struct mvfs_error *error)
{
	return mvfs__likely(fs && path) ? 0 : mvfs__refuse(fs, error);
}

/* open(2)'s flags: -EINVAL. */
int mvfs__check_open(int flags);

#endif
