/* SPDX-License-Identifier: MIT */
/*
 * The calls of memvfs/redirect.h, which includes this. Each asks where its
 * path or its descriptor leads, and then makes the library's call or the C
 * library's own. Names are replaced at the end, so here they mean what they
 * always do. Coverage does not count what is here.
 */
#ifndef MEMVFS_REDIRECT_INLINE_H
#define MEMVFS_REDIRECT_INLINE_H

#include <memvfs/redirect.h>

#pragma GCC system_header

#define MVFS__REDIRECT \
	static inline __attribute__((__unused__, \
				     __no_profile_instrument_function__))

MVFS__REDIRECT int64_t mvfs__redirect_result(int64_t result)
{
	if (result >= 0)
		return result;
	errno = (int)-result;
	return -1;
}

/*
 * A call with a path: `tree` is the library's in terms of `at`, `host` the C
 * library's; one with a descriptor: in terms of `fs` and `on`; and one with
 * two paths, which lead to one tree, to the host both, or apart.
 */
#define MVFS__REDIRECT_PATH(type, name, params, dirfd, path, tree, host) \
	MVFS__REDIRECT type mvfs__redirect_##name params \
	{ \
		struct mvfs_redirect_place at; \
		int rc = mvfs_redirect_path(&at, dirfd, path); \
		\
		if (rc == 0) \
			return host; \
		return (type)mvfs__redirect_result(rc < 0 ? rc : (tree)); \
	}
#define MVFS__REDIRECT_FD(type, name, params, fd, tree, host) \
	MVFS__REDIRECT type mvfs__redirect_##name params \
	{ \
		mvfs *fs; \
		int on; \
		\
		if (fd < MVFS_REDIRECT_FIRST) \
			return host; \
		on = mvfs_redirect_fd(fd, &fs); \
		return (type)mvfs__redirect_result(on < 0 ? on : (tree)); \
	}
#define MVFS__REDIRECT_TWO(name, params, fd1, path1, fd2, path2, tree, host) \
	MVFS__REDIRECT int mvfs__redirect_##name params \
	{ \
		struct mvfs_redirect_place at, to; \
		int rc = mvfs_redirect_path(&at, fd1, path1); \
		int rc2 = mvfs_redirect_path(&to, fd2, path2); \
		\
		if (rc == 0 && rc2 == 0) \
			return host; \
		if (rc < 0 || rc2 < 0) \
			rc = rc < 0 ? rc : rc2; \
		else if (rc != rc2 || at.fs != to.fs) \
			rc = -EXDEV; \
		else \
			rc = (tree); \
		return (int)mvfs__redirect_result(rc); \
	}

/* What the library tells, in the object's own types. */
MVFS__REDIRECT void mvfs__redirect_time(struct timespec *to,
					const struct mvfs_time *from)
{
	to->tv_sec = (time_t)from->sec;
	to->tv_nsec = from->nsec;
}

MVFS__REDIRECT int mvfs__redirect_stat_of(int rc, const struct mvfs_stat *from,
					  struct stat *st)
{
	if (rc < 0)
		return rc;
	memset(st, 0, sizeof(*st));
	st->st_dev = (dev_t)from->dev;
	st->st_ino = (ino_t)from->ino;
	st->st_mode = (mode_t)from->mode;
	st->st_nlink = (nlink_t)from->nlink;
	st->st_uid = (uid_t)from->uid;
	st->st_gid = (gid_t)from->gid;
	st->st_rdev = (dev_t)from->rdev;
	st->st_size = (off_t)from->size;
	st->st_blksize = (blksize_t)from->blksize;
	st->st_blocks = (blkcnt_t)from->blocks;
	mvfs__redirect_time(&st->st_atim, &from->atime);
	mvfs__redirect_time(&st->st_mtim, &from->mtime);
	mvfs__redirect_time(&st->st_ctim, &from->ctime);
	if (st->st_size < 0 || (uint64_t)st->st_size != from->size ||
	    (uint64_t)st->st_ino != from->ino)
		return -EOVERFLOW;
	return 0;
}

/* A place that off_t cannot tell. */
MVFS__REDIRECT int64_t mvfs__redirect_offset(int64_t offset)
{
	return (off_t)offset == offset ? offset : -EOVERFLOW;
}

MVFS__REDIRECT const struct mvfs_time *
mvfs__redirect_times(struct mvfs_time to[2], const struct timespec *from)
{
	int i;

	for (i = 0; from && i < 2; i++) {
		to[i].sec = from[i].tv_sec;
		to[i].nsec = from[i].tv_nsec == UTIME_NOW ? MVFS_TIME_NOW :
			     from[i].tv_nsec == UTIME_OMIT ? MVFS_TIME_OMIT :
			     from[i].tv_nsec < 0 ? -3 :
			     (int32_t)from[i].tv_nsec;
		to[i].reserved = 0;
	}
	return from ? to : NULL;
}

/* A descriptor of the route that it was opened by. */
MVFS__REDIRECT int mvfs__redirect_given(int first, int fd)
{
	return fd < 0 ? fd : first + fd;
}

/* Opening. */
MVFS__REDIRECT int mvfs__redirect_open_at(int dirfd, const char *path,
					  int flags, mode_t mode)
{
	struct mvfs_redirect_place at;
	int rc = mvfs_redirect_path(&at, dirfd, path);

	if (rc == 0)
		return openat(at.dirfd, at.path, flags, mode);
	if (rc > 0)
		rc = mvfs__redirect_given(at.first, mvfs_openat(at.fs,
					at.dirfd, at.path, flags, mode));
	return (int)mvfs__redirect_result(rc);
}

#define MVFS__REDIRECT_MODE(flags, mode) \
	do { \
		va_list args_; \
		\
		if (((flags) & O_CREAT) || \
		    ((flags) & MVFS__O_TMPFILE) == MVFS__O_TMPFILE) { \
			va_start(args_, flags); \
			mode = va_arg(args_, mode_t); \
			va_end(args_); \
		} \
	} while (0)
#if defined __O_TMPFILE
#define MVFS__O_TMPFILE (__O_TMPFILE | 0200000)
#else
#define MVFS__O_TMPFILE (-1)
#endif

MVFS__REDIRECT int mvfs__redirect_open(const char *path, int flags, ...)
{
	mode_t mode = 0;

	MVFS__REDIRECT_MODE(flags, mode);
	return mvfs__redirect_open_at(AT_FDCWD, path, flags, mode);
}

MVFS__REDIRECT int mvfs__redirect_openat(int dirfd, const char *path,
					 int flags, ...)
{
	mode_t mode = 0;

	MVFS__REDIRECT_MODE(flags, mode);
	return mvfs__redirect_open_at(dirfd, path, flags, mode);
}

MVFS__REDIRECT int mvfs__redirect_creat(const char *path, mode_t mode)
{
	return mvfs__redirect_open_at(AT_FDCWD, path,
				      O_WRONLY | O_CREAT | O_TRUNC, mode);
}

/* Open files. */
MVFS__REDIRECT int mvfs__redirect_fstat_of(mvfs *fs, int fd, struct stat *st)
{
	struct mvfs_stat found;
	int rc = mvfs_fstat(fs, fd, &found);

	return mvfs__redirect_stat_of(rc, &found, st);
}

/* A change to a directory of the host leaves the one in a tree. */
MVFS__REDIRECT int mvfs__redirect_left(int rc)
{
	return rc ? rc : mvfs_redirect_chdir(NULL);
}

MVFS__REDIRECT int mvfs__redirect_no_tty(void)
{
	errno = ENOTTY;
	return 0;
}

MVFS__REDIRECT_FD(int, close, (int fd), fd, mvfs_close(fs, on), close(fd))
MVFS__REDIRECT_FD(ssize_t, read, (int fd, void *to, size_t len), fd,
	mvfs_read(fs, on, to, len), read(fd, to, len))
MVFS__REDIRECT_FD(ssize_t, write, (int fd, const void *from, size_t len), fd,
	mvfs_write(fs, on, from, len), write(fd, from, len))
MVFS__REDIRECT_FD(ssize_t, pread, (int fd, void *to, size_t len, off_t offset),
	fd, mvfs_pread(fs, on, to, len, offset), pread(fd, to, len, offset))
MVFS__REDIRECT_FD(ssize_t, pwrite,
	(int fd, const void *from, size_t len, off_t offset), fd,
	mvfs_pwrite(fs, on, from, len, offset), pwrite(fd, from, len, offset))
MVFS__REDIRECT_FD(ssize_t, readv, (int fd, const struct iovec *iov, int n), fd,
	mvfs_readv(fs, on, (const struct mvfs_iovec *)iov, n),
	readv(fd, iov, n))
MVFS__REDIRECT_FD(ssize_t, writev, (int fd, const struct iovec *iov, int n),
	fd, mvfs_writev(fs, on, (const struct mvfs_iovec *)iov, n),
	writev(fd, iov, n))
MVFS__REDIRECT_FD(off_t, lseek, (int fd, off_t offset, int whence), fd,
	mvfs__redirect_offset(mvfs_lseek(fs, on, offset, whence)),
	lseek(fd, offset, whence))
MVFS__REDIRECT_FD(int, fstat, (int fd, struct stat *st), fd,
	mvfs__redirect_fstat_of(fs, on, st), fstat(fd, st))
MVFS__REDIRECT_FD(int, ftruncate, (int fd, off_t size), fd,
	mvfs_ftruncate(fs, on, size), ftruncate(fd, size))
MVFS__REDIRECT_FD(int, fsync, (int fd), fd, mvfs_fsync(fs, on), fsync(fd))
MVFS__REDIRECT_FD(int, fdatasync, (int fd), fd, mvfs_fdatasync(fs, on),
	fdatasync(fd))
MVFS__REDIRECT_FD(int, fchmod, (int fd, mode_t mode), fd,
	mvfs_fchmod(fs, on, mode), fchmod(fd, mode))
MVFS__REDIRECT_FD(int, fchown, (int fd, uid_t uid, gid_t gid), fd,
	mvfs_fchown(fs, on, uid, gid), fchown(fd, uid, gid))
MVFS__REDIRECT_FD(int, fchdir, (int fd), fd, mvfs_redirect_fchdir(fd),
	mvfs__redirect_left(fchdir(fd)))
MVFS__REDIRECT_FD(int, isatty, (int fd), fd, mvfs__redirect_no_tty(),
	isatty(fd))
MVFS__REDIRECT_FD(int, dup, (int fd), fd,
	mvfs__redirect_given(fd & ~(MVFS_REDIRECT_EACH - 1), mvfs_dup(fs, on)),
	dup(fd))
MVFS__REDIRECT_FD(int, posix_fadvise,
	(int fd, off_t offset, off_t len, int advice), fd, 0,
	posix_fadvise(fd, offset, len, advice))

MVFS__REDIRECT_FD(int, flock, (int fd, int operation), fd,
	mvfs_flock(fs, on, operation), flock(fd, operation))
#if defined __USE_GNU
MVFS__REDIRECT_FD(int, syncfs, (int fd), fd, mvfs_fsync(fs, on), syncfs(fd))
MVFS__REDIRECT_FD(int, fallocate, (int fd, int mode, off_t offset, off_t len),
	fd, mvfs_fallocate(fs, on, mode, offset, len),
	fallocate(fd, mode, offset, len))
#endif
#if defined __USE_MISC
MVFS__REDIRECT_FD(ssize_t, preadv,
	(int fd, const struct iovec *iov, int n, off_t offset), fd,
	mvfs_preadv(fs, on, (const struct mvfs_iovec *)iov, n, offset),
	preadv(fd, iov, n, offset))
MVFS__REDIRECT_FD(ssize_t, pwritev,
	(int fd, const struct iovec *iov, int n, off_t offset), fd,
	mvfs_pwritev(fs, on, (const struct mvfs_iovec *)iov, n, offset),
	pwritev(fd, iov, n, offset))
#endif

/* Of the errno, not -1. */
MVFS__REDIRECT int mvfs__redirect_posix_fallocate(int fd, off_t offset,
						  off_t len)
{
	mvfs *fs;
	int on;

	if (fd < MVFS_REDIRECT_FIRST)
		return posix_fallocate(fd, offset, len);
	on = mvfs_redirect_fd(fd, &fs);
	return on < 0 ? -on : -mvfs_fallocate(fs, on, 0, offset, len);
}

MVFS__REDIRECT int mvfs__redirect_dup2(int fd, int to)
{
	const int same = ~(MVFS_REDIRECT_EACH - 1);
	mvfs *fs;
	int on;

	if (fd < MVFS_REDIRECT_FIRST && to < MVFS_REDIRECT_FIRST)
		return dup2(fd, to);
	on = (fd & same) != (to & same) ? -EOPNOTSUPP :
	     mvfs_redirect_fd(fd, &fs);
	if (on >= 0)
		on = mvfs_dup2(fs, on, to & ~same);
	return (int)mvfs__redirect_result(on < 0 ? on : to);
}

MVFS__REDIRECT int mvfs__redirect_lock(mvfs *fs, int fd, int cmd,
				       struct flock *lock)
{
	struct mvfs_lock to;
	unsigned flags = 0;
	int rc;

	if (!lock)
		return -EFAULT;
	memset(&to, 0, sizeof(to));
	to.type = lock->l_type;
	to.whence = lock->l_whence;
	to.start = lock->l_start;
	to.len = lock->l_len;
#if defined F_OFD_SETLK
	if (cmd == F_OFD_GETLK || cmd == F_OFD_SETLK || cmd == F_OFD_SETLKW)
		flags |= MVFS_LOCK_OFD;
	if (cmd == F_OFD_SETLKW)
		flags |= MVFS_LOCK_WAIT;
	if (cmd == F_OFD_GETLK)
		cmd = F_GETLK;
#endif
	if (cmd == F_SETLKW)
		flags |= MVFS_LOCK_WAIT;
	if (cmd != F_GETLK)
		return mvfs_setlk(fs, fd, &to, flags);
	rc = mvfs_getlk(fs, fd, &to, flags);
	if (rc)
		return rc;
	lock->l_type = (short)to.type;
	if (to.type == F_UNLCK)
		return 0;
	lock->l_whence = (short)to.whence;
	lock->l_start = (off_t)to.start;
	lock->l_len = (off_t)to.len;
	lock->l_pid = flags ? -1 : getpid();
	return 0;
}

MVFS__REDIRECT int mvfs__redirect_control(mvfs *fs, int first, int fd, int cmd,
					  void *arg)
{
	switch (cmd) {
	case F_DUPFD:
#if defined F_DUPFD_CLOEXEC
	case F_DUPFD_CLOEXEC:
#endif
		return mvfs__redirect_given(first, mvfs_dup(fs, fd));
	case F_GETFD:
		/* they end at exec, always */
		return mvfs_getfl(fs, fd) < 0 ? -EBADF : FD_CLOEXEC;
	case F_SETFD:
		return mvfs_getfl(fs, fd) < 0 ? -EBADF : 0;
	case F_GETFL:
		return mvfs_getfl(fs, fd);
	case F_SETFL:
		return mvfs_setfl(fs, fd, (int)(intptr_t)arg);
	case F_GETLK:
	case F_SETLK:
	case F_SETLKW:
#if defined F_OFD_SETLK
	case F_OFD_GETLK:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
#endif
		return mvfs__redirect_lock(fs, fd, cmd, (struct flock *)arg);
	default:
		return -EINVAL;
	}
}

MVFS__REDIRECT int mvfs__redirect_fcntl(int fd, int cmd, ...)
{
	va_list args;
	void *arg;
	mvfs *fs;
	int on;

	va_start(args, cmd);
	arg = va_arg(args, void *);
	va_end(args);
	if (fd < MVFS_REDIRECT_FIRST)
		return fcntl(fd, cmd, arg);
	on = mvfs_redirect_fd(fd, &fs);
	if (on >= 0)
		on = mvfs__redirect_control(fs,
					    fd & ~(MVFS_REDIRECT_EACH - 1),
					    on, cmd, arg);
	return (int)mvfs__redirect_result(on);
}

MVFS__REDIRECT int mvfs__redirect_ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (fd < MVFS_REDIRECT_FIRST)
		return ioctl(fd, request, arg);
	errno = ENOTTY;
	return -1;
}

MVFS__REDIRECT void *mvfs__redirect_mmap(void *at, size_t len, int prot,
					 int flags, int fd, off_t offset)
{
	if (fd < MVFS_REDIRECT_FIRST)
		return mmap(at, len, prot, flags, fd, offset);
	errno = ENODEV;
	return MAP_FAILED;
}

MVFS__REDIRECT_FD(int, futimens, (int fd, const struct timespec times[2]), fd,
	mvfs_futimens(fs, on, mvfs__redirect_times((struct mvfs_time[2]){
		{ 0, 0, 0 } }, times)),
	futimens(fd, times))

/* Paths. */
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

/* Streams. */
MVFS__REDIRECT FILE *mvfs__redirect_fopen(const char *path, const char *mode)
{
	struct mvfs_redirect_place at;
	FILE *file;
	int rc = mvfs_redirect_path(&at, AT_FDCWD, path);

	if (rc == 0)
		return fopen(at.path, mode);
	if (rc > 0)
		rc = mvfs_fopen(at.fs, at.path, mode, &file);
	return mvfs__redirect_result(rc) < 0 ? NULL : file;
}

MVFS__REDIRECT FILE *mvfs__redirect_fdopen(int fd, const char *mode)
{
	FILE *file;
	mvfs *fs;
	int on;

	if (fd < MVFS_REDIRECT_FIRST)
		return fdopen(fd, mode);
	on = mvfs_redirect_fd(fd, &fs);
	if (on >= 0)
		on = mvfs_fdopen(fs, on, mode, &file);
	return mvfs__redirect_result(on) < 0 ? NULL : file;
}

MVFS__REDIRECT int mvfs__redirect_fileno(FILE *file)
{
	int fd = mvfs_redirect_fileno(file);

	return fd < 0 ? fileno(file) : fd;
}

#if defined __USE_GNU
MVFS__REDIRECT int mvfs__redirect_vdprintf(int fd, const char *format,
					   va_list args)
{
	char *text;
	ssize_t done = 0, n = 0;
	int len;

	if (fd < MVFS_REDIRECT_FIRST)
		return vdprintf(fd, format, args);
	len = vasprintf(&text, format, args);
	if (len < 0)
		return -1;
	for (; n >= 0 && done < len; done += n)
		n = mvfs__redirect_write(fd, text + done,
					 (size_t)(len - done));
	free(text);
	return n < 0 ? -1 : len;
}

MVFS__REDIRECT int mvfs__redirect_dprintf(int fd, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = mvfs__redirect_vdprintf(fd, format, args);
	va_end(args);
	return n;
}
#endif

/*
 * Directories. A DIR of the C library is at an even address; one of a tree is
 * told by an odd one.
 */
struct mvfs__redirect_dir {
	struct mvfs_dir *dir;
	int fd;
	uint64_t last; /* cookie of the entry */
	struct dirent entry;
};

MVFS__REDIRECT struct mvfs__redirect_dir *mvfs__redirect_dir_of(DIR *dir)
{
	const uintptr_t at = (uintptr_t)(void *)dir;

	return (at & 1) ? (struct mvfs__redirect_dir *)(at - 1) : NULL;
}

MVFS__REDIRECT DIR *mvfs__redirect_fdopendir(int fd)
{
	struct mvfs__redirect_dir *d;
	mvfs *fs;
	int on;

	if (fd < MVFS_REDIRECT_FIRST)
		return fdopendir(fd);
	on = mvfs_redirect_fd(fd, &fs);
	if (mvfs__redirect_result(on) < 0)
		return NULL;
	d = (struct mvfs__redirect_dir *)calloc(1, sizeof(*d));
	if (!d)
		return NULL;
	on = mvfs_opendirat(fs, on, "", MVFS_LIST_DOTS, &d->dir);
	if (mvfs__redirect_result(on) < 0) {
		free(d);
		return NULL;
	}
	d->fd = fd;
	return (DIR *)(void *)((uintptr_t)d + 1);
}

MVFS__REDIRECT DIR *mvfs__redirect_opendir(const char *path)
{
	struct mvfs_redirect_place at;
	DIR *dir;
	int fd, error, rc = mvfs_redirect_path(&at, AT_FDCWD, path);

	if (rc == 0)
		return opendir(at.path);
	fd = mvfs__redirect_open_at(AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0);
	if (fd < 0)
		return NULL;
	dir = mvfs__redirect_fdopendir(fd);
	if (!dir) {
		error = errno;
		mvfs__redirect_close(fd);
		errno = error;
	}
	return dir;
}

MVFS__REDIRECT struct dirent *mvfs__redirect_readdir(DIR *dir)
{
	struct mvfs__redirect_dir *d = mvfs__redirect_dir_of(dir);
	struct mvfs_dirent found;
	int rc;

	if (!d)
		return readdir(dir);
	rc = mvfs_readdir(d->dir, &found);
	if (mvfs__redirect_result(rc) <= 0)
		return NULL;
	d->last = found.cookie;
	d->entry.d_ino = (ino_t)found.ino;
	d->entry.d_off = (off_t)found.cookie;
	d->entry.d_reclen = sizeof(d->entry);
	d->entry.d_type = found.type;
	memcpy(d->entry.d_name, found.name, (size_t)found.len + 1);
	return &d->entry;
}

MVFS__REDIRECT int mvfs__redirect_closedir(DIR *dir)
{
	struct mvfs__redirect_dir *d = mvfs__redirect_dir_of(dir);
	int rc;

	if (!d)
		return closedir(dir);
	mvfs_closedir(d->dir);
	rc = mvfs__redirect_close(d->fd);
	free(d);
	return rc;
}

MVFS__REDIRECT void mvfs__redirect_rewinddir(DIR *dir)
{
	struct mvfs__redirect_dir *d = mvfs__redirect_dir_of(dir);

	if (!d) {
		rewinddir(dir);
		return;
	}
	d->last = 0;
	(void)mvfs_rewinddir(d->dir);
}

MVFS__REDIRECT int mvfs__redirect_dirfd(DIR *dir)
{
	struct mvfs__redirect_dir *d = mvfs__redirect_dir_of(dir);

	return d ? d->fd : dirfd(dir);
}

#if defined __USE_MISC || defined __USE_XOPEN
MVFS__REDIRECT long mvfs__redirect_telldir(DIR *dir)
{
	struct mvfs__redirect_dir *d = mvfs__redirect_dir_of(dir);

	return d ? (long)d->last : telldir(dir);
}

MVFS__REDIRECT void mvfs__redirect_seekdir(DIR *dir, long to)
{
	struct mvfs__redirect_dir *d = mvfs__redirect_dir_of(dir);

	if (!d)
		seekdir(dir, to);
	else if (!mvfs_seekdir(d->dir, (uint64_t)to))
		d->last = (uint64_t)to;
}
#endif

/*
 * What is not covered: the use of one of these names is an error. stat and
 * flock, which are structs as well, are replaced where they are called, and
 * cannot be passed on by address.
 */
#if defined __has_attribute
#if __has_attribute(__unavailable__)
#define MVFS__UNCOVERED_AS(name, text) \
	extern __typeof__(name) name __attribute__((__unavailable__(text)));
#endif
#endif
#if !defined MVFS__UNCOVERED_AS
#define MVFS__UNCOVERED_AS(name, text) \
	extern __typeof__(name) name __attribute__((__error__(text)));
#endif
#define MVFS__UNCOVERED(name) \
	MVFS__UNCOVERED_AS(name, "memvfs/redirect.h does not cover " #name)

MVFS__UNCOVERED_AS(stat, "memvfs/redirect.h covers calls of stat only")
MVFS__UNCOVERED_AS(flock, "memvfs/redirect.h covers calls of flock only")
MVFS__UNCOVERED(pathconf)
MVFS__UNCOVERED(fpathconf)
MVFS__UNCOVERED(freopen)
MVFS__UNCOVERED(statvfs)
MVFS__UNCOVERED(fstatvfs)
MVFS__UNCOVERED(statfs)
MVFS__UNCOVERED(fstatfs)
MVFS__UNCOVERED(scandir)
MVFS__UNCOVERED(ftw)
MVFS__UNCOVERED(fts_open)
MVFS__UNCOVERED(glob)
MVFS__UNCOVERED(inotify_add_watch)
MVFS__UNCOVERED(mkfifoat)
MVFS__UNCOVERED(sendfile)
#if defined __USE_MISC
MVFS__UNCOVERED(lockf)
MVFS__UNCOVERED(chroot)
MVFS__UNCOVERED(mknod)
MVFS__UNCOVERED(mknodat)
MVFS__UNCOVERED(futimes)
MVFS__UNCOVERED(lutimes)
MVFS__UNCOVERED(setxattr)
MVFS__UNCOVERED(lsetxattr)
MVFS__UNCOVERED(fsetxattr)
MVFS__UNCOVERED(getxattr)
MVFS__UNCOVERED(lgetxattr)
MVFS__UNCOVERED(fgetxattr)
MVFS__UNCOVERED(listxattr)
MVFS__UNCOVERED(llistxattr)
MVFS__UNCOVERED(flistxattr)
MVFS__UNCOVERED(removexattr)
MVFS__UNCOVERED(lremovexattr)
MVFS__UNCOVERED(fremovexattr)
MVFS__UNCOVERED(mkstemps)
#endif
#if defined __USE_XOPEN_EXTENDED
MVFS__UNCOVERED(nftw)
#endif
#if defined __USE_GNU
MVFS__UNCOVERED(getdents64)
MVFS__UNCOVERED(statx)
MVFS__UNCOVERED(scandirat)
MVFS__UNCOVERED(euidaccess)
MVFS__UNCOVERED(eaccess)
MVFS__UNCOVERED(futimesat)
MVFS__UNCOVERED(get_current_dir_name)
MVFS__UNCOVERED(canonicalize_file_name)
MVFS__UNCOVERED(mkostemps)
MVFS__UNCOVERED(splice)
MVFS__UNCOVERED(tee)
MVFS__UNCOVERED(vmsplice)
MVFS__UNCOVERED(sync_file_range)
MVFS__UNCOVERED(readahead)
MVFS__UNCOVERED(copy_file_range)
MVFS__UNCOVERED(preadv2)
MVFS__UNCOVERED(pwritev2)
MVFS__UNCOVERED(dup3)
MVFS__UNCOVERED(fileno_unlocked)
MVFS__UNCOVERED(close_range)
MVFS__UNCOVERED(closefrom)
MVFS__UNCOVERED(name_to_handle_at)
MVFS__UNCOVERED(open_by_handle_at)
#endif
#if defined __USE_LARGEFILE64
MVFS__UNCOVERED(open64)
MVFS__UNCOVERED(openat64)
MVFS__UNCOVERED(creat64)
MVFS__UNCOVERED(fopen64)
MVFS__UNCOVERED(freopen64)
MVFS__UNCOVERED(stat64)
MVFS__UNCOVERED(lstat64)
MVFS__UNCOVERED(fstat64)
MVFS__UNCOVERED(fstatat64)
MVFS__UNCOVERED(statfs64)
MVFS__UNCOVERED(fstatfs64)
MVFS__UNCOVERED(statvfs64)
MVFS__UNCOVERED(fstatvfs64)
MVFS__UNCOVERED(lseek64)
MVFS__UNCOVERED(pread64)
MVFS__UNCOVERED(pwrite64)
MVFS__UNCOVERED(truncate64)
MVFS__UNCOVERED(ftruncate64)
MVFS__UNCOVERED(readdir64)
MVFS__UNCOVERED(mmap64)
MVFS__UNCOVERED(lockf64)
MVFS__UNCOVERED(posix_fadvise64)
MVFS__UNCOVERED(posix_fallocate64)
MVFS__UNCOVERED(sendfile64)
MVFS__UNCOVERED(ftw64)
MVFS__UNCOVERED(nftw64)
MVFS__UNCOVERED(glob64)
#endif

/* From here on. */
#define access mvfs__redirect_access
#define chdir mvfs__redirect_chdir
#define chmod mvfs__redirect_chmod
#define chown mvfs__redirect_chown
#define close mvfs__redirect_close
#define closedir mvfs__redirect_closedir
#define creat mvfs__redirect_creat
#define dirfd mvfs__redirect_dirfd
#define dprintf mvfs__redirect_dprintf
#define dup mvfs__redirect_dup
#define dup2 mvfs__redirect_dup2
#define faccessat mvfs__redirect_faccessat
#define fallocate mvfs__redirect_fallocate
#define fchdir mvfs__redirect_fchdir
#define fchmod mvfs__redirect_fchmod
#define fchmodat mvfs__redirect_fchmodat
#define fchown mvfs__redirect_fchown
#define fchownat mvfs__redirect_fchownat
#define fcntl mvfs__redirect_fcntl
#define fdatasync mvfs__redirect_fdatasync
#define fdopen mvfs__redirect_fdopen
#define fdopendir mvfs__redirect_fdopendir
#define fileno mvfs__redirect_fileno
#define fopen mvfs__redirect_fopen
#define fstat mvfs__redirect_fstat
#define fstatat mvfs__redirect_fstatat
#define fsync mvfs__redirect_fsync
#define ftruncate mvfs__redirect_ftruncate
#define futimens mvfs__redirect_futimens
#define getcwd mvfs__redirect_getcwd
#define ioctl mvfs__redirect_ioctl
#define isatty mvfs__redirect_isatty
#define lchown mvfs__redirect_lchown
#define link mvfs__redirect_link
#define linkat mvfs__redirect_linkat
#define lseek mvfs__redirect_lseek
#define lstat mvfs__redirect_lstat
#define mkdir mvfs__redirect_mkdir
#define mkdirat mvfs__redirect_mkdirat
#define mkdtemp mvfs__redirect_mkdtemp
#define mkfifo mvfs__redirect_mkfifo
#define mkostemp mvfs__redirect_mkostemp
#define mkstemp mvfs__redirect_mkstemp
#define mmap mvfs__redirect_mmap
#define open mvfs__redirect_open
#define openat mvfs__redirect_openat
#define opendir mvfs__redirect_opendir
#define posix_fadvise mvfs__redirect_posix_fadvise
#define posix_fallocate mvfs__redirect_posix_fallocate
#define pread mvfs__redirect_pread
#define preadv mvfs__redirect_preadv
#define pwrite mvfs__redirect_pwrite
#define pwritev mvfs__redirect_pwritev
#define read mvfs__redirect_read
#define readdir mvfs__redirect_readdir
#define readlink mvfs__redirect_readlink
#define readlinkat mvfs__redirect_readlinkat
#define readv mvfs__redirect_readv
#define realpath mvfs__redirect_realpath
#define remove mvfs__redirect_remove
#define rename mvfs__redirect_rename
#define renameat mvfs__redirect_renameat
#define renameat2 mvfs__redirect_renameat2
#define rewinddir mvfs__redirect_rewinddir
#define rmdir mvfs__redirect_rmdir
#define seekdir mvfs__redirect_seekdir
#define symlink mvfs__redirect_symlink
#define symlinkat mvfs__redirect_symlinkat
#define syncfs mvfs__redirect_syncfs
#define telldir mvfs__redirect_telldir
#define truncate mvfs__redirect_truncate
#define umask mvfs__redirect_umask
#define unlink mvfs__redirect_unlink
#define unlinkat mvfs__redirect_unlinkat
#define utime mvfs__redirect_utime
#define utimensat mvfs__redirect_utimensat
#define utimes mvfs__redirect_utimes
#define vdprintf mvfs__redirect_vdprintf
#define write mvfs__redirect_write
#define writev mvfs__redirect_writev
#define stat(path, st) mvfs__redirect_stat(path, st)
#define flock(fd, operation) mvfs__redirect_flock(fd, operation)

#endif
