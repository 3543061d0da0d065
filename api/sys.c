/* SPDX-License-Identifier: MIT */
/* memvfs/sys.h: names and inodes */
#include "config.h"

#include <memvfs/sys.h>

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/args.h"

_Static_assert((unsigned)MVFS__SET_MODE == MVFS_SET_MODE &&
	       (unsigned)MVFS__SET_UID == MVFS_SET_UID &&
	       (unsigned)MVFS__SET_GID == MVFS_SET_GID &&
	       (unsigned)MVFS__SET_SIZE == MVFS_SET_SIZE &&
	       (unsigned)MVFS__SET_ATIME == MVFS_SET_ATIME &&
	       (unsigned)MVFS__SET_MTIME == MVFS_SET_MTIME,
	       "the core's bits are the public ones");

static struct mvfs__at at_name(uint64_t parent, const char *name)
{
	return (struct mvfs__at){ parent, MVFS_AT_FDCWD, name };
}

static struct mvfs__at at_ino(uint64_t ino)
{
	return at_name(ino, "");
}

/* One component, and not one of the dots. */
static int check_name(const mvfs *fs, uint64_t parent, const char *name)
{
	int rc = mvfs__check(fs, name);

	if (rc)
		return rc;
	if (!parent || !*name || !strcmp(name, ".") || !strcmp(name, ".."))
		return -EINVAL;
	return strchr(name, '/') ? -EINVAL : 0;
}

static int check_ino(const mvfs *fs, uint64_t ino)
{
	return fs && ino ? 0 : -EINVAL;
}

uint64_t mvfs_sys_root(mvfs *fs)
{
	return fs ? mvfs__fs_root(fs) : 0;
}

int mvfs_sys_attach(mvfs *fs, unsigned flags, mvfs **view)
{
	int rc = mvfs__check(fs, view);

	if (!rc && flags & ~MVFS_SYS_CACHES)
		rc = -EINVAL;
	return rc ? rc : mvfs__fs_attach(fs, flags, view);
}

int mvfs_sys_listen(mvfs *fs, const struct mvfs_sys_listener *listener)
{
	if (!fs)
		return -EINVAL;
	if (listener && !listener->after)
		return -EFAULT;
	mvfs__fs_listen(fs, listener);
	return 0;
}

void mvfs_sys_unpin(mvfs *fs, uint64_t ino, uint64_t count)
{
	if (fs && ino && count)
		mvfs__fs_unpin(fs, ino, count);
}

int mvfs_sys_lookup(mvfs *fs, const struct mvfs_actor *actor, uint64_t parent,
		    const char *name, unsigned pin, struct mvfs_stat *st)
{
	const struct mvfs__from from = mvfs__as(fs, actor);
	const struct mvfs__at at = at_name(parent, name);
	int rc = mvfs__check(fs, name);

	if (!rc)
		rc = strcmp(name, "..") ? check_name(fs, parent, name) :
					  check_ino(fs, parent);
	if (!rc && !st)
		rc = -EFAULT;
	return rc ? rc : mvfs__fs_stat(&from, &at, 0, pin, st);
}

int mvfs_sys_stat(mvfs *fs, uint64_t ino, struct mvfs_stat *st)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = at_ino(ino);
	int rc = check_ino(fs, ino);

	if (!rc && !st)
		rc = -EFAULT;
	return rc ? rc : mvfs__fs_stat(&from, &at, MVFS__AT_EMPTY, 0, st);
}

int mvfs_sys_access(mvfs *fs, const struct mvfs_actor *actor, uint64_t ino,
		    int mode)
{
	const struct mvfs__from from = mvfs__as(fs, actor);
	const struct mvfs__at at = at_ino(ino);
	int rc = check_ino(fs, ino);

	if (!rc && (mode & ~(R_OK | W_OK | X_OK)))
		rc = -EINVAL;
	return rc ? rc : mvfs__fs_access(&from, &at, MVFS__AT_EMPTY,
					 (unsigned)mode);
}

/* A time that is in place: the caller's, or now. */
static bool is_time(const struct mvfs_time *time)
{
	return time->nsec == MVFS_TIME_NOW ||
	       (time->nsec >= 0 && time->nsec <= 999999999);
}

int mvfs_sys_setattr(mvfs *fs, const struct mvfs_actor *actor, uint64_t ino,
		     struct mvfs_file *file, unsigned set,
		     const struct mvfs_stat *values, struct mvfs_stat *st)
{
	const unsigned times = MVFS_SET_ATIME | MVFS_SET_MTIME;
	const struct mvfs__from from = mvfs__as(fs, actor);
	const struct mvfs__on on = { file, -1 };
	const struct mvfs__at at = at_ino(ino);
	int rc = check_ino(fs, ino);

	if (rc || !values)
		return rc ? rc : -EFAULT;
	if (set & ~(MVFS_SET_MODE | MVFS_SET_UID | MVFS_SET_GID |
		    MVFS_SET_SIZE | times) ||
	    ((set & MVFS_SET_ATIME) && !is_time(&values->atime)) ||
	    ((set & MVFS_SET_MTIME) && !is_time(&values->mtime)) ||
	    ((set & MVFS_SET_SIZE) && values->size > INT64_MAX))
		return -EINVAL;
	if (set & (MVFS_SET_UID | MVFS_SET_GID))
		set |= MVFS__SET_CHOWN;
	if ((set & times) == times && values->atime.nsec == MVFS_TIME_NOW &&
	    values->mtime.nsec == MVFS_TIME_NOW)
		set |= MVFS__SET_TOUCH;
	return mvfs__fs_setattr(&from, &at, MVFS__AT_EMPTY, file ? &on : NULL,
				set, values, st);
}

int64_t mvfs_sys_readlink(mvfs *fs, uint64_t ino, char *to, size_t len)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = at_ino(ino);
	int rc = check_ino(fs, ino);

	if (!rc && !to)
		rc = -EFAULT;
	return rc ? rc : mvfs__fs_readlink(&from, &at, to, len);
}

static int make(mvfs *fs, const struct mvfs_actor *actor, uint64_t parent,
		const char *name, const struct mvfs__making *making,
		struct mvfs_stat *st)
{
	const struct mvfs__from from = mvfs__as(fs, actor);
	const struct mvfs__at at = at_name(parent, name);
	int rc = check_name(fs, parent, name);

	return rc ? rc : mvfs__fs_make(&from, &at, making, st);
}

int mvfs_sys_mknod(mvfs *fs, const struct mvfs_actor *actor, uint64_t parent,
		   const char *name, uint32_t mode, uint64_t rdev,
		   unsigned pin, struct mvfs_stat *st)
{
	const struct mvfs__making making = { mode, rdev, NULL, pin };

	switch (mode & S_IFMT) {
	case S_IFREG:
	case S_IFIFO:
	case S_IFSOCK:
	case S_IFCHR:
	case S_IFBLK:
		break;
	default:
		return -EINVAL;
	}
	if (mode & ~(uint32_t)(S_IFMT | 07777))
		return -EINVAL;
	return make(fs, actor, parent, name, &making, st);
}

int mvfs_sys_mkdir(mvfs *fs, const struct mvfs_actor *actor, uint64_t parent,
		   const char *name, uint32_t mode, unsigned pin,
		   struct mvfs_stat *st)
{
	const struct mvfs__making making = {
		.mode = S_IFDIR | (mode & (S_ISVTX | 0777)), .pin = pin
	};

	return make(fs, actor, parent, name, &making, st);
}

int mvfs_sys_symlink(mvfs *fs, const struct mvfs_actor *actor,
		     const char *target, uint64_t parent, const char *name,
		     unsigned pin, struct mvfs_stat *st)
{
	const struct mvfs__making making = {
		.mode = S_IFLNK | 0777, .target = target, .pin = pin
	};
	int rc = mvfs__check_target(target);

	return rc ? rc : make(fs, actor, parent, name, &making, st);
}

int mvfs_sys_unlink(mvfs *fs, const struct mvfs_actor *actor, uint64_t parent,
		    const char *name)
{
	const struct mvfs__from from = mvfs__as(fs, actor);
	const struct mvfs__at at = at_name(parent, name);
	int rc = check_name(fs, parent, name);

	return rc ? rc : mvfs__fs_unlink(&from, &at);
}

int mvfs_sys_rmdir(mvfs *fs, const struct mvfs_actor *actor, uint64_t parent,
		   const char *name)
{
	const struct mvfs__from from = mvfs__as(fs, actor);
	const struct mvfs__at at = at_name(parent, name);
	int rc = check_name(fs, parent, name);

	return rc ? rc : mvfs__fs_rmdir(&from, &at);
}

int mvfs_sys_rename(mvfs *fs, const struct mvfs_actor *actor,
		    uint64_t from_parent, const char *old, uint64_t to_parent,
		    const char *new, unsigned flags)
{
	const struct mvfs__from from = mvfs__as(fs, actor);
	const struct mvfs__at source = at_name(from_parent, old);
	const struct mvfs__at target = at_name(to_parent, new);
	const unsigned known = MVFS_RENAME_NOREPLACE | MVFS_RENAME_EXCHANGE;
	int rc = check_name(fs, from_parent, old);

	if (!rc)
		rc = check_name(fs, to_parent, new);
	if (!rc && ((flags & ~known) || flags == known))
		rc = -EINVAL;
	return rc ? rc : mvfs__fs_rename(&from, &source, &target, flags);
}

int mvfs_sys_link(mvfs *fs, const struct mvfs_actor *actor, uint64_t ino,
		  uint64_t parent, const char *name, unsigned pin,
		  struct mvfs_stat *st)
{
	const struct mvfs__from from = mvfs__as(fs, actor);
	const struct mvfs__at source = at_ino(ino);
	const struct mvfs__at target = at_name(parent, name);
	int rc = check_name(fs, parent, name);

	if (!rc)
		rc = check_ino(fs, ino);
	return rc ? rc : mvfs__fs_link(&from, &source, MVFS__AT_EMPTY, &target,
				       pin, st);
}

int mvfs_sys_setxattr(mvfs *fs, const struct mvfs_actor *actor, uint64_t ino,
		      const char *name, const void *value, size_t size,
		      int flags)
{
	const struct mvfs__from from = mvfs__as(fs, actor);
	const struct mvfs__at at = at_ino(ino);
	int rc = check_ino(fs, ino);

	if (!rc)
		rc = mvfs__check_setxattr(name, value, size, flags);
	return rc ? rc : mvfs__fs_setxattr(&from, &at, MVFS__AT_EMPTY, name,
					   value, size, flags);
}

int64_t mvfs_sys_getxattr(mvfs *fs, const struct mvfs_actor *actor,
			  uint64_t ino, const char *name, void *value,
			  size_t size)
{
	const struct mvfs__from from = mvfs__as(fs, actor);
	const struct mvfs__at at = at_ino(ino);
	int rc = check_ino(fs, ino);

	if (!rc)
		rc = mvfs__check_xattr_name(name);
	if (!rc && size && !value)
		rc = -EFAULT;
	return rc ? rc : mvfs__fs_getxattr(&from, &at, MVFS__AT_EMPTY, name,
					   value, size);
}

int64_t mvfs_sys_listxattr(mvfs *fs, const struct mvfs_actor *actor,
			   uint64_t ino, char *names, size_t size)
{
	const struct mvfs__from from = mvfs__as(fs, actor);
	const struct mvfs__at at = at_ino(ino);
	int rc = check_ino(fs, ino);

	if (!rc && size && !names)
		rc = -EFAULT;
	return rc ? rc : mvfs__fs_listxattr(&from, &at, MVFS__AT_EMPTY, names,
					    size);
}

int mvfs_sys_removexattr(mvfs *fs, const struct mvfs_actor *actor,
			 uint64_t ino, const char *name)
{
	const struct mvfs__from from = mvfs__as(fs, actor);
	const struct mvfs__at at = at_ino(ino);
	int rc = check_ino(fs, ino);

	if (!rc)
		rc = mvfs__check_xattr_name(name);
	return rc ? rc : mvfs__fs_removexattr(&from, &at, MVFS__AT_EMPTY,
					      name);
}
