/* SPDX-License-Identifier: MIT */
/*
 * The calls of memvfs/redirect.h, which includes this and then the rest:
 * redirect_paths.h, redirect_stdio.h, redirect_names.h. Here is what they
 * share, and the calls that open, or take a descriptor.
 *
 * Each asks where its path or its descriptor leads, and then makes the
 * library's call or the C library's own. Names are replaced at the end, so up
 * to there they mean what they always do. Coverage does not count what is
 * here.
 */
#include <memvfs/redirect.h>

#ifndef MEMVFS_REDIRECT_INLINE_H
#define MEMVFS_REDIRECT_INLINE_H

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
MVFS__REDIRECT_FD(int, syncfs, (int fd), fd,
	mvfs_getfl(fs, on) < 0 ? -EBADF : mvfs_sync(fs), syncfs(fd))
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

#endif
