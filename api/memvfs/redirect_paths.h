/* SPDX-License-Identifier: MIT */
/* Of memvfs/redirect.h, which includes this: the calls that take paths. */
#include <memvfs/redirect.h>

#ifndef MEMVFS_REDIRECT_PATHS_H
#define MEMVFS_REDIRECT_PATHS_H

#pragma GCC system_header

MVFS__REDIRECT int
mvfs__redirect_statat_of(const struct mvfs_redirect_place *at, int flags,
			 struct stat *st)
{
	struct mvfs_stat found;
	int rc = mvfs_statat(at->fs, at->dirfd, at->path, flags, &found);

	return mvfs__redirect_stat_of(rc, &found, st);
}

MVFS__REDIRECT_PATH(int, stat, (const char *path, struct stat *st), AT_FDCWD,
	path, mvfs__redirect_statat_of(&at, 0, st), stat(at.path, st))
MVFS__REDIRECT_PATH(int, lstat, (const char *path, struct stat *st), AT_FDCWD,
	path, mvfs__redirect_statat_of(&at, AT_SYMLINK_NOFOLLOW, st),
	lstat(at.path, st))
MVFS__REDIRECT_PATH(int, fstatat,
	(int dirfd, const char *path, struct stat *st, int flags), dirfd, path,
	mvfs__redirect_statat_of(&at, flags, st),
	fstatat(at.dirfd, at.path, st, flags))
MVFS__REDIRECT_PATH(int, utimensat,
	(int dirfd, const char *path, const struct timespec times[2],
	 int flags), dirfd, path,
	mvfs_utimensat(at.fs, at.dirfd, at.path,
		       mvfs__redirect_times((struct mvfs_time[2]){
				{ 0, 0, 0 } }, times), flags),
	utimensat(at.dirfd, at.path, times, flags))
MVFS__REDIRECT_PATH(int, access, (const char *path, int mode), AT_FDCWD, path,
	mvfs_access(at.fs, at.path, mode), access(at.path, mode))
MVFS__REDIRECT_PATH(int, faccessat,
	(int dirfd, const char *path, int mode, int flags), dirfd, path,
	mvfs_accessat(at.fs, at.dirfd, at.path, mode, flags),
	faccessat(at.dirfd, at.path, mode, flags))
MVFS__REDIRECT_PATH(int, chmod, (const char *path, mode_t mode), AT_FDCWD,
	path, mvfs_chmod(at.fs, at.path, mode), chmod(at.path, mode))
MVFS__REDIRECT_PATH(int, fchmodat,
	(int dirfd, const char *path, mode_t mode, int flags), dirfd, path,
	mvfs_chmodat(at.fs, at.dirfd, at.path, mode, flags),
	fchmodat(at.dirfd, at.path, mode, flags))
MVFS__REDIRECT_PATH(int, chown, (const char *path, uid_t uid, gid_t gid),
	AT_FDCWD, path, mvfs_chown(at.fs, at.path, uid, gid),
	chown(at.path, uid, gid))
MVFS__REDIRECT_PATH(int, lchown, (const char *path, uid_t uid, gid_t gid),
	AT_FDCWD, path, mvfs_lchown(at.fs, at.path, uid, gid),
	lchown(at.path, uid, gid))
MVFS__REDIRECT_PATH(int, fchownat,
	(int dirfd, const char *path, uid_t uid, gid_t gid, int flags), dirfd,
	path, mvfs_chownat(at.fs, at.dirfd, at.path, uid, gid, flags),
	fchownat(at.dirfd, at.path, uid, gid, flags))
MVFS__REDIRECT_PATH(int, truncate, (const char *path, off_t size), AT_FDCWD,
	path, mvfs_truncate(at.fs, at.path, size), truncate(at.path, size))
MVFS__REDIRECT_PATH(int, unlink, (const char *path), AT_FDCWD, path,
	mvfs_unlink(at.fs, at.path), unlink(at.path))
MVFS__REDIRECT_PATH(int, unlinkat, (int dirfd, const char *path, int flags),
	dirfd, path, mvfs_unlinkat(at.fs, at.dirfd, at.path, flags),
	unlinkat(at.dirfd, at.path, flags))
MVFS__REDIRECT_PATH(int, rmdir, (const char *path), AT_FDCWD, path,
	mvfs_rmdir(at.fs, at.path), rmdir(at.path))
MVFS__REDIRECT_PATH(int, mkdir, (const char *path, mode_t mode), AT_FDCWD,
	path, mvfs_mkdir(at.fs, at.path, mode), mkdir(at.path, mode))
MVFS__REDIRECT_PATH(int, mkdirat, (int dirfd, const char *path, mode_t mode),
	dirfd, path, mvfs_mkdirat(at.fs, at.dirfd, at.path, mode),
	mkdirat(at.dirfd, at.path, mode))
MVFS__REDIRECT_PATH(int, mkfifo, (const char *path, mode_t mode), AT_FDCWD,
	path, mvfs_mknod(at.fs, at.path, S_IFIFO | (mode & 07777), 0),
	mkfifo(at.path, mode))
MVFS__REDIRECT_PATH(int, symlink, (const char *target, const char *path),
	AT_FDCWD, path, mvfs_symlink(at.fs, target, at.path),
	symlink(target, at.path))
MVFS__REDIRECT_PATH(int, symlinkat,
	(const char *target, int dirfd, const char *path), dirfd, path,
	mvfs_symlinkat(at.fs, target, at.dirfd, at.path),
	symlinkat(target, at.dirfd, at.path))
MVFS__REDIRECT_PATH(ssize_t, readlink,
	(const char *path, char *to, size_t len), AT_FDCWD, path,
	mvfs_readlink(at.fs, at.path, to, len), readlink(at.path, to, len))
MVFS__REDIRECT_PATH(ssize_t, readlinkat,
	(int dirfd, const char *path, char *to, size_t len), dirfd, path,
	mvfs_readlinkat(at.fs, at.dirfd, at.path, to, len),
	readlinkat(at.dirfd, at.path, to, len))
MVFS__REDIRECT_PATH(int, chdir, (const char *path), AT_FDCWD, path,
	mvfs_redirect_chdir(&at), mvfs__redirect_left(chdir(at.path)))

MVFS__REDIRECT_TWO(rename, (const char *from, const char *target), AT_FDCWD,
	from, AT_FDCWD, target, mvfs_rename(at.fs, at.path, to.path),
	rename(at.path, to.path))
MVFS__REDIRECT_TWO(renameat,
	(int from_fd, const char *from, int target_fd, const char *target),
	from_fd, from, target_fd, target,
	mvfs_renameat(at.fs, at.dirfd, at.path, to.dirfd, to.path, 0),
	renameat(at.dirfd, at.path, to.dirfd, to.path))
MVFS__REDIRECT_TWO(link, (const char *from, const char *target), AT_FDCWD,
	from, AT_FDCWD, target, mvfs_link(at.fs, at.path, to.path),
	link(at.path, to.path))
MVFS__REDIRECT_TWO(linkat,
	(int from_fd, const char *from, int target_fd, const char *target,
	 int flags), from_fd, from, target_fd, target,
	mvfs_linkat(at.fs, at.dirfd, at.path, to.dirfd, to.path, flags),
	linkat(at.dirfd, at.path, to.dirfd, to.path, flags))
#if defined __USE_GNU
MVFS__REDIRECT_TWO(renameat2,
	(int from_fd, const char *from, int target_fd, const char *target,
	 unsigned flags), from_fd, from, target_fd, target,
	mvfs_renameat(at.fs, at.dirfd, at.path, to.dirfd, to.path, flags),
	renameat2(at.dirfd, at.path, to.dirfd, to.path, flags))
#endif

MVFS__REDIRECT int mvfs__redirect_remove(const char *path)
{
	if (!mvfs__redirect_unlink(path))
		return 0;
	return errno == EISDIR ? mvfs__redirect_rmdir(path) : -1;
}

MVFS__REDIRECT int mvfs__redirect_utime(const char *path,
					const struct utimbuf *to)
{
	struct timespec times[2];

	memset(times, 0, sizeof(times));
	if (to) {
		times[0].tv_sec = to->actime;
		times[1].tv_sec = to->modtime;
	}
	return mvfs__redirect_utimensat(AT_FDCWD, path, to ? times : NULL, 0);
}

MVFS__REDIRECT int mvfs__redirect_utimes(const char *path,
					 const struct timeval to[2])
{
	struct timespec times[2];
	int i;

	for (i = 0; to && i < 2; i++) {
		if (to[i].tv_usec < 0 || to[i].tv_usec > 999999) {
			errno = EINVAL;
			return -1;
		}
		times[i].tv_sec = to[i].tv_sec;
		times[i].tv_nsec = to[i].tv_usec * 1000;
	}
	return mvfs__redirect_utimensat(AT_FDCWD, path, to ? times : NULL, 0);
}

MVFS__REDIRECT mode_t mvfs__redirect_umask(mode_t mask)
{
	mvfs_redirect_umask((uint32_t)mask);
	return umask(mask);
}

MVFS__REDIRECT char *mvfs__redirect_getcwd(char *to, size_t len)
{
	char path[4096];
	int64_t n = mvfs_redirect_getcwd(path, sizeof(path));

	if (n == 0)
		return getcwd(to, len);
	if (!to && !len)
		len = (size_t)n;
	if (n < 0 || (size_t)n > len) {
		errno = to && !len ? EINVAL : ERANGE;
		return NULL;
	}
	if (!to)
		to = (char *)malloc(len);
	return to ? (char *)memcpy(to, path, (size_t)n) : NULL;
}

MVFS__REDIRECT char *mvfs__redirect_realpath(const char *path, char *to)
{
	struct mvfs_redirect_place at;
	char found[4096];
	int64_t n = mvfs_redirect_path(&at, AT_FDCWD, path);

	if (n == 0)
		return realpath(at.path, to);
	if (n > 0)
		n = mvfs_redirect_realpath(&at, found, sizeof(found));
	if (mvfs__redirect_result(n) < 0)
		return NULL;
	if (!to)
		to = (char *)malloc((size_t)n + 1);
	return to ? (char *)memcpy(to, found, (size_t)n + 1) : NULL;
}

/* The first name that is free, so that a run is like the other; the host's
 * own names are random. */
MVFS__REDIRECT int mvfs__redirect_temp(char *path, int flags, int is_dir)
{
	struct mvfs_redirect_place at;
	size_t len = strlen(path), i;
	unsigned long n, rest;
	int rc = mvfs_redirect_path(&at, AT_FDCWD, path);

	if (rc == 0)
		return is_dir ? (mkdtemp(path) ? 0 : -1) :
		       flags ? mkostemp(path, flags) : mkstemp(path);
	if (len < 6 || memcmp(path + len - 6, "XXXXXX", 6) != 0) {
		errno = EINVAL;
		return -1;
	}
	for (n = 0; n < 26ul * 26 * 26 * 26; n++) {
		for (i = 1, rest = n; i <= 6; i++, rest /= 26)
			path[len - i] = (char)('a' + rest % 26);
		rc = is_dir ? mvfs__redirect_mkdir(path, 0700) :
		     mvfs__redirect_open_at(AT_FDCWD, path, flags | O_RDWR |
					    O_CREAT | O_EXCL, 0600);
		if (rc >= 0 || errno != EEXIST)
			break;
	}
	if (rc < 0)
		memcpy(path + len - 6, "XXXXXX", 6);
	return rc;
}

MVFS__REDIRECT int mvfs__redirect_mkstemp(char *path)
{
	return mvfs__redirect_temp(path, 0, 0);
}

MVFS__REDIRECT int mvfs__redirect_mkostemp(char *path, int flags)
{
	return mvfs__redirect_temp(path, flags, 0);
}

MVFS__REDIRECT char *mvfs__redirect_mkdtemp(char *path)
{
	return mvfs__redirect_temp(path, 0, 1) < 0 ? NULL : path;
}

#endif
