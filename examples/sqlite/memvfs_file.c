/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "memvfs_vfs_work.h"

#define SECTOR 512

/* Notes what went wrong, for SQLITE_FCNTL_LAST_ERRNO. */
static int failed(struct memvfs_file *file, int64_t result, int code)
{
	file->error = (int)-result;
	return code;
}

static int file_close(sqlite3_file *base)
{
	struct memvfs_file *file = (struct memvfs_file *)base;
	int r;

	memvfs_shm_unmap(base, 0);
	r = mvfs_close(file->vfs->fs, file->fd);
	return r < 0 ? SQLITE_IOERR_CLOSE : SQLITE_OK;
}

/* A read may be short, a write too: by a limit, or by a fault. */
static int file_read(sqlite3_file *base, void *to, int len,
		     sqlite3_int64 offset)
{
	struct memvfs_file *file = (struct memvfs_file *)base;
	size_t left = (size_t)len;
	char *at = to;

	while (left > 0) {
		int64_t n = mvfs_pread(file->vfs->fs, file->fd, at, left,
				       offset);

		if (n == -EINTR)
			continue;
		if (n < 0)
			return failed(file, n, SQLITE_IOERR_READ);
		if (n == 0)
			break;
		at += n;
		offset += n;
		left -= (size_t)n;
	}
	memset(at, 0, left);
	return left > 0 ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
}

static int file_write(sqlite3_file *base, const void *from, int len,
		      sqlite3_int64 offset)
{
	struct memvfs_file *file = (struct memvfs_file *)base;
	size_t left = (size_t)len;
	const char *at = from;

	while (left > 0) {
		int64_t n = mvfs_pwrite(file->vfs->fs, file->fd, at, left,
					offset);

		if (n == -EINTR)
			continue;
		if (n == -ENOSPC || n == -EDQUOT || n == 0)
			return failed(file, n, SQLITE_FULL);
		if (n < 0)
			return failed(file, n, SQLITE_IOERR_WRITE);
		at += n;
		offset += n;
		left -= (size_t)n;
	}
	return SQLITE_OK;
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size)
{
	struct memvfs_file *file = (struct memvfs_file *)base;
	int r = mvfs_ftruncate(file->vfs->fs, file->fd, size);

	return r < 0 ? failed(file, r, SQLITE_IOERR_TRUNCATE) : SQLITE_OK;
}

static int is_journal(const struct memvfs_file *file)
{
	return (file->flags & (SQLITE_OPEN_MAIN_JOURNAL |
			       SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL)) !=
	       0;
}

static int file_sync(sqlite3_file *base, int flags)
{
	struct memvfs_file *file = (struct memvfs_file *)base;
	struct memvfs_vfs *vfs = file->vfs;
	int r;

	if (is_journal(file) && vfs->flags & MEMVFS_VFS_NO_JOURNAL_SYNC)
		return SQLITE_OK;
	if (flags & SQLITE_SYNC_DATAONLY)
		r = mvfs_fdatasync(vfs->fs, file->fd);
	else
		r = mvfs_fsync(vfs->fs, file->fd);
	if (r < 0)
		return failed(file, r, SQLITE_IOERR_FSYNC);
	if (!file->sync_name)
		return SQLITE_OK;
	r = memvfs_sync_directory(vfs, file->path);
	if (r < 0)
		return failed(file, r, SQLITE_IOERR_DIR_FSYNC);
	file->sync_name = 0;
	return SQLITE_OK;
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size)
{
	struct memvfs_file *file = (struct memvfs_file *)base;
	struct mvfs_stat st;
	int r = mvfs_fstat(file->vfs->fs, file->fd, &st);

	if (r < 0)
		return failed(file, r, SQLITE_IOERR_FSTAT);
	*size = (sqlite3_int64)st.size;
	return SQLITE_OK;
}

/* Whether the name leads elsewhere by now: then a journal beside it is not
 * this file's. */
static int has_moved(struct memvfs_file *file)
{
	struct mvfs_stat st, named;

	return file->path != NULL &&
	       (mvfs_fstat(file->vfs->fs, file->fd, &st) < 0 ||
		mvfs_stat(file->vfs->fs, file->path, &named) < 0 ||
		st.ino != named.ino);
}

static int file_control(sqlite3_file *base, int op, void *argument)
{
	struct memvfs_file *file = (struct memvfs_file *)base;

	switch (op) {
	case SQLITE_FCNTL_LOCKSTATE:
		*(int *)argument = file->lock;
		return SQLITE_OK;
	case SQLITE_FCNTL_LAST_ERRNO:
		*(int *)argument = file->error;
		return SQLITE_OK;
	case SQLITE_FCNTL_HAS_MOVED:
		*(int *)argument = has_moved(file);
		return SQLITE_OK;
	case SQLITE_FCNTL_VFSNAME:
		*(char **)argument =
			sqlite3_mprintf("%s", file->vfs->base.zName);
		return SQLITE_OK;
	default:
		return SQLITE_NOTFOUND;
	}
}

static int file_sector(sqlite3_file *base)
{
	(void)base;
	return SECTOR;
}

static int file_characteristics(sqlite3_file *base)
{
	struct memvfs_file *file = (struct memvfs_file *)base;

	if (file->vfs->flags & MEMVFS_VFS_FALSE_CLAIMS)
		return SQLITE_IOCAP_POWERSAFE_OVERWRITE |
		       SQLITE_IOCAP_SAFE_APPEND | SQLITE_IOCAP_SEQUENTIAL;
	return 0; /* memvfs_vfs.h says why */
}

/* Version 2: without the mapped pages of xFetch, which memvfs has not. */
const sqlite3_io_methods memvfs_file_methods = {
	.iVersion = 2,
	.xClose = file_close,
	.xRead = file_read,
	.xWrite = file_write,
	.xTruncate = file_truncate,
	.xSync = file_sync,
	.xFileSize = file_size,
	.xLock = memvfs_lock,
	.xUnlock = memvfs_unlock,
	.xCheckReservedLock = memvfs_check_reserved,
	.xFileControl = file_control,
	.xSectorSize = file_sector,
	.xDeviceCharacteristics = file_characteristics,
	.xShmMap = memvfs_shm_map,
	.xShmLock = memvfs_shm_lock,
	.xShmBarrier = memvfs_shm_barrier,
	.xShmUnmap = memvfs_shm_unmap,
};
