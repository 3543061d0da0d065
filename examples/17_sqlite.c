/* SPDX-License-Identifier: MIT */
/*
 * SQLite in a tree, by the VFS of examples/sqlite/: what does a transaction do
 * when the disk is full, and is the database still good? Needs no disk, and
 * what it changes is gone by going back to a snapshot.
 */
#include <stdio.h>

#include <sqlite3.h>

#include <memvfs/memvfs.h>

#include "examples/sqlite/memvfs_vfs.h"

static int one(void *to, int count, char **values, char **names)
{
	(void)count;
	(void)names;
	return snprintf(to, 80, "%s", values[0]) < 0;
}

int main(void)
{
	struct memvfs_vfs *vfs;
	struct mvfs_snapshot *empty;
	struct mvfs_stat st;
	char rows[80] = "", check[80] = "";
	sqlite3 *db;
	mvfs *fs;
	int full;

	if (mvfs_create(NULL, &fs) < 0 || mvfs_snapshot(fs, &empty) < 0 ||
	    memvfs_vfs_register(fs, "memvfs", 0, &vfs) ||
	    sqlite3_open_v2("/db", &db, SQLITE_OPEN_READWRITE |
			    SQLITE_OPEN_CREATE, "memvfs") ||
	    sqlite3_exec(db, "CREATE TABLE t(x); INSERT INTO t VALUES(1)",
			 NULL, NULL, NULL) ||
	    mvfs_set_limits(fs, 65536, 0) < 0)
		return 1;
	full = sqlite3_exec(db, "INSERT INTO t VALUES(zeroblob(100000))", NULL,
			    NULL, NULL);
	printf("%s\n", sqlite3_errmsg(db));
	sqlite3_exec(db, "SELECT count(*) FROM t", one, rows, NULL);
	sqlite3_exec(db, "PRAGMA integrity_check", one, check, NULL);
	printf("%s row, integrity: %s\n", rows, check);
	sqlite3_close(db);
	memvfs_vfs_unregister(vfs);
	mvfs_restore(fs, empty);
	full = full == SQLITE_FULL && rows[0] == '1' && check[0] == 'o' &&
	       mvfs_stat(fs, "/db", &st) < 0;
	mvfs_snapshot_release(empty);
	mvfs_destroy(fs);
	return !full;
}
