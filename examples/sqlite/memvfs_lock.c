/* SPDX-License-Identifier: MIT */
/*
 * The five levels of a database's lock, by record locks on three places of
 * the file, where SQLite's own VFS has them ("File Locking And Concurrency
 * In SQLite Version 3"):
 *
 *	PENDING   write: waits to be alone, and lets no new reader in;
 *	          read: just long enough to see that nobody waits so
 *	RESERVED  write: is going to write, while others still read
 *	SHARED    read: reads; write: is alone
 *
 * The locks are those of the open file (MVFS_LOCK_OFD), so connections of one
 * process meet each other as those of many do, and closing a file that
 * another connection has open, too, takes nothing from it.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "memvfs_vfs_work.h"

#define PENDING	     0x40000000 /* the page of this byte is never used */
#define RESERVED     (PENDING + 1)
#define SHARED	     (PENDING + 2)
#define SHARED_COUNT 510

static int set(struct memvfs_file *file, int type, int64_t start, int64_t len,
	       int otherwise)
{
	struct mvfs_lock lock = {type, SEEK_SET, start, len, 0};
	int r = mvfs_setlk(file->vfs->fs, file->fd, &lock, MVFS_LOCK_OFD);

	if (r == 0)
		return SQLITE_OK;
	if (r == -EAGAIN)
		return SQLITE_BUSY;
	file->error = -r;
	return otherwise;
}

static int lock_shared(struct memvfs_file *file)
{
	int r = set(file, F_RDLCK, PENDING, 1, SQLITE_IOERR_LOCK), r2;

	if (r != SQLITE_OK)
		return r;
	r = set(file, F_RDLCK, SHARED, SHARED_COUNT, SQLITE_IOERR_LOCK);
	r2 = set(file, F_UNLCK, PENDING, 1, SQLITE_IOERR_UNLOCK);
	return r != SQLITE_OK ? r : r2;
}

static int lock_exclusive(struct memvfs_file *file)
{
	int r;

	if (file->lock < SQLITE_LOCK_PENDING) {
		r = set(file, F_WRLCK, PENDING, 1, SQLITE_IOERR_LOCK);
		if (r != SQLITE_OK)
			return r;
		file->lock = SQLITE_LOCK_PENDING;
	}
	return set(file, F_WRLCK, SHARED, SHARED_COUNT, SQLITE_IOERR_LOCK);
}

int memvfs_lock(sqlite3_file *base, int level)
{
	struct memvfs_file *file = (struct memvfs_file *)base;
	int r;

	if (file->lock >= level)
		return SQLITE_OK;
	if (level == SQLITE_LOCK_SHARED)
		r = lock_shared(file);
	else if (level == SQLITE_LOCK_RESERVED)
		r = set(file, F_WRLCK, RESERVED, 1, SQLITE_IOERR_LOCK);
	else
		r = lock_exclusive(file);
	if (r == SQLITE_OK)
		file->lock = level;
	return r;
}

int memvfs_unlock(sqlite3_file *base, int level)
{
	struct memvfs_file *file = (struct memvfs_file *)base;
	int r;

	if (file->lock <= level)
		return SQLITE_OK;
	/* The reader's lock is there before the writer's go: nobody gets in
	 * between. */
	if (level == SQLITE_LOCK_SHARED) {
		r = set(file, F_RDLCK, SHARED, SHARED_COUNT,
			SQLITE_IOERR_RDLOCK);
		if (r != SQLITE_OK)
			return SQLITE_IOERR_RDLOCK;
	}
	r = set(file, F_UNLCK, PENDING, 2, SQLITE_IOERR_UNLOCK);
	if (r == SQLITE_OK && level == SQLITE_LOCK_NONE)
		r = set(file, F_UNLCK, SHARED, SHARED_COUNT,
			SQLITE_IOERR_UNLOCK);
	if (r == SQLITE_OK)
		file->lock = level;
	return r;
}

int memvfs_check_reserved(sqlite3_file *base, int *reserved)
{
	struct memvfs_file *file = (struct memvfs_file *)base;
	struct mvfs_lock lock = {F_WRLCK, SEEK_SET, RESERVED, 1, 0};
	int r;

	*reserved = file->lock >= SQLITE_LOCK_RESERVED;
	if (*reserved)
		return SQLITE_OK;
	r = mvfs_getlk(file->vfs->fs, file->fd, &lock, MVFS_LOCK_OFD);
	if (r < 0) {
		file->error = -r;
		return SQLITE_IOERR_CHECKRESERVEDLOCK;
	}
	*reserved = lock.type != F_UNLCK;
	return SQLITE_OK;
}
