/* SPDX-License-Identifier: MIT */
/* memvfs/path.h */
#include "config.h"

#include <memvfs/path.h>

#include <sys/stat.h>
#include <unistd.h>

#include "api/args.h"

int mvfs_statat(mvfs *fs, int dirfd, const char *path, int flags,
		struct mvfs_stat *st)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = mvfs__at(dirfd, path);
	int rc = mvfs__check(fs, path);
	int place = mvfs__at_flags(flags, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH |
				   AT_NO_AUTOMOUNT, true);

	if (rc)
		return rc;
	if (place < 0 || !st)
		return place < 0 ? place : -EFAULT;
	return mvfs__fs_stat(&from, &at, (unsigned)place, 0, st);
}

int mvfs_stat(mvfs *fs, const char *path, struct mvfs_stat *st)
{
	return mvfs_statat(fs, MVFS_AT_FDCWD, path, 0, st);
}

int mvfs_lstat(mvfs *fs, const char *path, struct mvfs_stat *st)
{
	return mvfs_statat(fs, MVFS_AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, st);
}

int mvfs_fstat(mvfs *fs, int fd, struct mvfs_stat *st)
{
	if (fd < 0)
		return -EBADF;
	return mvfs_statat(fs, fd, "", AT_EMPTY_PATH, st);
}

int mvfs_accessat(mvfs *fs, int dirfd, const char *path, int mode, int flags)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = mvfs__at(dirfd, path);
	int rc = mvfs__check(fs, path);
	int place = mvfs__at_flags(flags, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH |
				   AT_EACCESS, true);

	if (rc || place < 0)
		return rc ? rc : place;
	if (mode & ~(R_OK | W_OK | X_OK))
		return -EINVAL;
	return mvfs__fs_access(&from, &at, (unsigned)place, (unsigned)mode);
}

int mvfs_access(mvfs *fs, const char *path, int mode)
{
	return mvfs_accessat(fs, MVFS_AT_FDCWD, path, mode, 0);
}

/* One change of attributes, of a place or of an open file. */
static int change_at(mvfs *fs, int dirfd, const char *path, int flags,
		     unsigned set, const struct mvfs_stat *values)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = mvfs__at(dirfd, path);
	int rc = mvfs__check(fs, path);
	int place = mvfs__at_flags(flags, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH,
				   true);

	if (rc || place < 0)
		return rc ? rc : place;
	return mvfs__fs_setattr(&from, &at, (unsigned)place, NULL, set, values,
				NULL);
}

static int change_on(mvfs *fs, int fd, unsigned set,
		     const struct mvfs_stat *values)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = mvfs__on(fd);

	if (!fs)
		return -EINVAL;
	return mvfs__fs_setattr(&from, NULL, 0, &on, set, values, NULL);
}

int mvfs_chmodat(mvfs *fs, int dirfd, const char *path, uint32_t mode,
		 int flags)
{
	const struct mvfs_stat values = { .mode = mode & 07777 };

	return change_at(fs, dirfd, path, flags, MVFS__SET_MODE, &values);
}

int mvfs_chmod(mvfs *fs, const char *path, uint32_t mode)
{
	return mvfs_chmodat(fs, MVFS_AT_FDCWD, path, mode, 0);
}

int mvfs_fchmod(mvfs *fs, int fd, uint32_t mode)
{
	const struct mvfs_stat values = { .mode = mode & 07777 };

	return change_on(fs, fd, MVFS__SET_MODE, &values);
}

static unsigned chown_set(uint32_t uid, uint32_t gid)
{
	return MVFS__SET_CHOWN | (uid == UINT32_MAX ? 0 : MVFS__SET_UID) |
	       (gid == UINT32_MAX ? 0 : MVFS__SET_GID);
}

int mvfs_chownat(mvfs *fs, int dirfd, const char *path, uint32_t uid,
		 uint32_t gid, int flags)
{
	const struct mvfs_stat values = { .uid = uid, .gid = gid };

	return change_at(fs, dirfd, path, flags, chown_set(uid, gid), &values);
}

int mvfs_chown(mvfs *fs, const char *path, uint32_t uid, uint32_t gid)
{
	return mvfs_chownat(fs, MVFS_AT_FDCWD, path, uid, gid, 0);
}

int mvfs_lchown(mvfs *fs, const char *path, uint32_t uid, uint32_t gid)
{
	return mvfs_chownat(fs, MVFS_AT_FDCWD, path, uid, gid,
			    AT_SYMLINK_NOFOLLOW);
}

int mvfs_fchown(mvfs *fs, int fd, uint32_t uid, uint32_t gid)
{
	const struct mvfs_stat values = { .uid = uid, .gid = gid };

	return change_on(fs, fd, chown_set(uid, gid), &values);
}

int mvfs_utimensat(mvfs *fs, int dirfd, const char *path,
		   const struct mvfs_time times[2], int flags)
{
	struct mvfs_stat values;
	unsigned set;

	mvfs__set_of_times(times, &set, &values);
	/* both omitted: Linux does not even look at the path */
	if (!set)
		return fs ? 0 : -EINVAL;
	return change_at(fs, dirfd, path, flags, set, &values);
}

int mvfs_utimens(mvfs *fs, const char *path, const struct mvfs_time times[2])
{
	return mvfs_utimensat(fs, MVFS_AT_FDCWD, path, times, 0);
}

int mvfs_futimens(mvfs *fs, int fd, const struct mvfs_time times[2])
{
	struct mvfs_stat values;
	unsigned set;

	mvfs__set_of_times(times, &set, &values);
	if (!set)
		return fs ? 0 : -EINVAL;
	return change_on(fs, fd, set, &values);
}

static int make(mvfs *fs, int dirfd, const char *path,
		const struct mvfs__making *making)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = mvfs__at(dirfd, path);
	int rc = mvfs__check(fs, path);

	return rc ? rc : mvfs__fs_make(&from, &at, making, NULL);
}

int mvfs_mkdirat(mvfs *fs, int dirfd, const char *path, uint32_t mode)
{
	const struct mvfs__making making = {
		.mode = S_IFDIR | (mode & (S_ISVTX | 0777)),
	};

	return make(fs, dirfd, path, &making);
}

int mvfs_mkdir(mvfs *fs, const char *path, uint32_t mode)
{
	return mvfs_mkdirat(fs, MVFS_AT_FDCWD, path, mode);
}

int mvfs_mknodat(mvfs *fs, int dirfd, const char *path, uint32_t mode,
		 uint64_t rdev)
{
	struct mvfs__making making = { .mode = mode, .rdev = rdev };

	if (!(mode & S_IFMT))
		making.mode |= S_IFREG;
	if (mode & ~(uint32_t)(S_IFMT | 07777))
		return -EINVAL;
	switch (making.mode & S_IFMT) {
	case S_IFREG:
	case S_IFIFO:
	case S_IFSOCK:
	case S_IFCHR:
	case S_IFBLK:
		return make(fs, dirfd, path, &making);
	case S_IFDIR:
		return -EPERM;
	default:
		return -EINVAL;
	}
}

int mvfs_mknod(mvfs *fs, const char *path, uint32_t mode, uint64_t rdev)
{
	return mvfs_mknodat(fs, MVFS_AT_FDCWD, path, mode, rdev);
}

int mvfs_unlinkat(mvfs *fs, int dirfd, const char *path, int flags)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = mvfs__at(dirfd, path);
	int rc = mvfs__check(fs, path);

	if (!rc && (flags & ~AT_REMOVEDIR))
		rc = -EINVAL;
	if (rc)
		return rc;
	return flags & AT_REMOVEDIR ? mvfs__fs_rmdir(&from, &at) :
				      mvfs__fs_unlink(&from, &at);
}

int mvfs_unlink(mvfs *fs, const char *path)
{
	return mvfs_unlinkat(fs, MVFS_AT_FDCWD, path, 0);
}

int mvfs_rmdir(mvfs *fs, const char *path)
{
	return mvfs_unlinkat(fs, MVFS_AT_FDCWD, path, AT_REMOVEDIR);
}

int mvfs_renameat(mvfs *fs, int from_dirfd, const char *old, int to_dirfd,
		  const char *new, unsigned flags)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at source = mvfs__at(from_dirfd, old);
	const struct mvfs__at target = mvfs__at(to_dirfd, new);
	int rc = mvfs__check(fs, old);

	if (!rc)
		rc = mvfs__check(fs, new);
	if (!rc && (flags & ~(MVFS_RENAME_NOREPLACE | MVFS_RENAME_EXCHANGE)))
		rc = -EINVAL;
	if (!rc && (flags & MVFS_RENAME_NOREPLACE) &&
	    (flags & MVFS_RENAME_EXCHANGE))
		rc = -EINVAL;
	return rc ? rc : mvfs__fs_rename(&from, &source, &target, flags);
}

int mvfs_rename(mvfs *fs, const char *from, const char *to)
{
	return mvfs_renameat(fs, MVFS_AT_FDCWD, from, MVFS_AT_FDCWD, to, 0);
}

int mvfs_linkat(mvfs *fs, int from_dirfd, const char *old, int to_dirfd,
		const char *new, int flags)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at source = mvfs__at(from_dirfd, old);
	const struct mvfs__at target = mvfs__at(to_dirfd, new);
	int place = mvfs__at_flags(flags, AT_SYMLINK_FOLLOW | AT_EMPTY_PATH,
				   false);
	int rc = mvfs__check(fs, old);

	if (!rc)
		rc = mvfs__check(fs, new);
	if (rc || place < 0)
		return rc ? rc : place;
	return mvfs__fs_link(&from, &source, (unsigned)place, &target, 0,
			     NULL);
}

int mvfs_link(mvfs *fs, const char *from, const char *to)
{
	return mvfs_linkat(fs, MVFS_AT_FDCWD, from, MVFS_AT_FDCWD, to, 0);
}

int mvfs_symlinkat(mvfs *fs, const char *target, int dirfd, const char *path)
{
	const struct mvfs__making making = {
		.mode = S_IFLNK | 0777, .target = target
	};
	int rc = mvfs__check_target(target);

	return rc ? rc : make(fs, dirfd, path, &making);
}

int mvfs_symlink(mvfs *fs, const char *target, const char *path)
{
	return mvfs_symlinkat(fs, target, MVFS_AT_FDCWD, path);
}

int64_t mvfs_readlinkat(mvfs *fs, int dirfd, const char *path, char *to,
			size_t len)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = mvfs__at(dirfd, path);
	int rc = mvfs__check(fs, path);

	if (rc || !len)
		return rc ? rc : -EINVAL;
	return to ? mvfs__fs_readlink(&from, &at, to, len) : -EFAULT;
}

int64_t mvfs_readlink(mvfs *fs, const char *path, char *to, size_t len)
{
	return mvfs_readlinkat(fs, MVFS_AT_FDCWD, path, to, len);
}

int64_t mvfs_realpath(mvfs *fs, const char *path, char *to, size_t len)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = mvfs__at(MVFS_AT_FDCWD, path);
	int rc = mvfs__check(fs, path);

	if (!rc && !to)
		rc = -EFAULT;
	return rc ? rc : mvfs__fs_realpath(&from, &at, to, len);
}

int mvfs_statfs(mvfs *fs, struct mvfs_statfs *st)
{
	const struct mvfs__from from = mvfs__by(fs);
	int rc = mvfs__check(fs, st);

	return rc ? rc : mvfs__fs_statfs(&from, st);
}
