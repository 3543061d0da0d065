/* SPDX-License-Identifier: MIT */
/*
 * Advisory locks: they keep nobody from reading or writing, only from having
 * a lock at the same time.
 *
 * Three kinds, by who owns them:
 * flock   the whole of a file; the open file, so that dup'ed descriptors share
 *         the lock. They do not meet record locks, as on Linux;
 * OFD     a range of bytes; the open file;
 * POSIX   a range of bytes; the view, which stands for a process: a view
 *         never stands in its own way, and its locks on a file end when *any*
 *         descriptor of the file is closed through that view.
 * OFD and POSIX locks (record locks) meet each other. A lock ends with the
 * last descriptor of the open file that it was set through, that of a view
 * with mvfs_destroy() at the latest.
 */
#ifndef MEMVFS_LOCKS_H
#define MEMVFS_LOCKS_H

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Takes or gives back the flock(2) lock of an open file: LOCK_SH, LOCK_EX or
 * LOCK_UN of <sys/file.h>; with LOCK_NB it does not wait. A lock that the open
 * file has is changed to the new kind; where that has to wait, the old one is
 * given up first. How the file was opened does not matter.
 *
 * Returns 0, or
 * -EAGAIN  LOCK_NB, and another open file is in the way;
 * -EDEADLK  it would have to wait and the instance is MVFS_CONFINED: nobody
 *          else is there to give the lock back;
 * -EINVAL  `operation` is none of these;
 * -EBADF   `fd` is not open, or was opened with O_PATH;
 * -ENOMEM  out of memory.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_flock(mvfs *fs, int fd, int operation);

/*
 * A lock on a range of a file, as struct flock of fcntl(2).
 *
 * @since 0.1.0
 */
struct mvfs_lock {
	int type;        /* F_RDLCK, F_WRLCK, F_UNLCK of <fcntl.h> */
	int whence;      /* what `start` counts from: SEEK_SET, SEEK_CUR,
			  * SEEK_END */
	int64_t start;   /* in bytes */
	int64_t len;     /* in bytes; 0: to the end of the file, however far
			  * it grows; < 0: the bytes before `start` */
	uint64_t owner;  /* stored by mvfs_getlk(): who holds the lock, a
			  * number for each view and each open file */
};

/*
 * Flag of mvfs_setlk() and mvfs_getlk(): the lock belongs to the open file,
 * not to the view; F_OFD_SETLK.
 *
 * @since 0.1.0
 */
#define MVFS_LOCK_OFD 1u

/*
 * Flag of mvfs_setlk(): wait until the lock can be had; F_SETLKW.
 *
 * @since 0.1.0
 */
#define MVFS_LOCK_WAIT 2u

/*
 * Takes a read lock (shared) or a write lock (exclusive) on a range, or gives
 * all locks of the owner in the range back (F_UNLCK). Locks that the owner has
 * in the range become what is asked for; ranges are split and joined as
 * needed. POSIX.1-2024, fcntl, F_SETLK; F_OFD_SETLK of Linux.
 *
 * Returns 0, or
 * -EAGAIN   another owner is in the way, and MVFS_LOCK_WAIT is not set;
 * -EDEADLK  to wait would be for ever: POSIX locks of views that wait for each
 *           other, or an instance that is MVFS_CONFINED. (OFD locks are not
 *           checked, as on Linux.)
 * -EBADF    `fd` is not open, not for reading (F_RDLCK) or writing (F_WRLCK);
 * -EINVAL   the type, whence or a flag is none of these, or the range begins
 *           before the file;
 * -EOVERFLOW  it ends behind the largest offset, 2^63 - 1;
 * -EFAULT   `lock` is NULL;
 * -ENOMEM   out of memory.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_setlk(mvfs *fs, int fd, const struct mvfs_lock *lock,
			unsigned flags);

/*
 * Asks whether mvfs_setlk() with that lock would be refused. *lock becomes the
 * first lock in its way, with whence SEEK_SET; or only its type becomes
 * F_UNLCK if none is. `flags`: MVFS_LOCK_OFD or 0. POSIX.1-2024, fcntl,
 * F_GETLK.
 *
 * Returns 0, or
 * -EBADF   `fd` is not open, or was opened with O_PATH;
 * -EINVAL  the type (F_UNLCK too), whence or a flag is none of these, or the
 *          range begins before the file;
 * -EOVERFLOW, -EFAULT  as for mvfs_setlk().
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_getlk(mvfs *fs, int fd, struct mvfs_lock *lock,
			unsigned flags);

#ifdef __cplusplus
}
#endif

#endif
