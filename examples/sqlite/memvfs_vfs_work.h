/* SPDX-License-Identifier: MIT */
/* The parts of the VFS: memvfs_vfs.c has what is about names, memvfs_file.c
 * about open files, memvfs_lock.c their locks, memvfs_shm.c the memory that
 * connections share while they use a write-ahead log. */
#ifndef MEMVFS_VFS_WORK_H
#define MEMVFS_VFS_WORK_H

#include <pthread.h>

#include <sqlite3.h>

#include "memvfs_vfs.h"

struct memvfs_shm;	/* of a database: of all of its connections */
struct memvfs_shm_user; /* of one of them */

struct memvfs_vfs {
	sqlite3_vfs base; /* first: SQLite has a pointer to it */
	sqlite3_vfs *host; /* for what has nothing to do with files */
	mvfs *fs;
	unsigned flags;
	pthread_mutex_t mutex;  /* of `shms` and all that it leads to */
	struct memvfs_shm *shms;
};

struct memvfs_file {
	sqlite3_file base; /* first, as above */
	struct memvfs_vfs *vfs;
	const char *path; /* SQLite's, until the file is closed; or NULL */
	int fd;
	int flags;	  /* SQLITE_OPEN_* */
	int lock;	  /* SQLITE_LOCK_* */
	int sync_name;	  /* the next sync is to make its name durable */
	int error;	  /* errno of the last failure */
	struct memvfs_shm_user *shm; /* or NULL */
};

/* Makes the names in the directory of a path durable. 0 or -errno. */
int memvfs_sync_directory(struct memvfs_vfs *vfs, const char *path);

extern const sqlite3_io_methods memvfs_file_methods;

int memvfs_lock(sqlite3_file *base, int level);
int memvfs_unlock(sqlite3_file *base, int level);
int memvfs_check_reserved(sqlite3_file *base, int *reserved);

int memvfs_shm_map(sqlite3_file *base, int region, int size, int extend,
		   void volatile **memory);
int memvfs_shm_lock(sqlite3_file *base, int first, int count, int flags);
void memvfs_shm_barrier(sqlite3_file *base);
int memvfs_shm_unmap(sqlite3_file *base, int remove);

#endif
