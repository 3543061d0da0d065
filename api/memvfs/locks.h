/* SPDX-License-Identifier: MIT */
/*
 * Advisory locks. flock(2) locks belong to the open file, as OFD locks do;
 * POSIX record locks belong to the view, which stands for a process: they
 * end when any descriptor of the file is closed through that view.
 */
#ifndef MEMVFS_LOCKS_H
#define MEMVFS_LOCKS_H

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* LOCK_SH, LOCK_EX, LOCK_UN of <sys/file.h>, with LOCK_NB. */
MVFS_API int mvfs_flock(mvfs *fs, int fd, int operation);

/* A range of a file. */
struct mvfs_lock {
	int type;        /* F_RDLCK, F_WRLCK, F_UNLCK of <fcntl.h> */
	int whence;      /* SEEK_SET, SEEK_CUR, SEEK_END */
	int64_t start;
	int64_t len;     /* 0: to the end, however far; < 0: before start */
	uint64_t owner;  /* stored by get: who holds the lock */
};

/* The lock belongs to the open file, not to the view (F_OFD_SETLK). */
#define MVFS_LOCK_OFD 1u
/* Wait until the lock can be had (F_SETLKW); -EDEADLK for POSIX locks. */
#define MVFS_LOCK_WAIT 2u

MVFS_API int mvfs_setlk(mvfs *fs, int fd, const struct mvfs_lock *lock,
			unsigned flags);
/* *lock becomes the first lock in its way, or type F_UNLCK if none is. */
MVFS_API int mvfs_getlk(mvfs *fs, int fd, struct mvfs_lock *lock,
			unsigned flags);

#ifdef __cplusplus
}
#endif

#endif
