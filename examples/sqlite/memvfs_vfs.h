/* SPDX-License-Identifier: MIT */
/*
 * An SQLite VFS on memvfs: databases live in a tree of memory, with their
 * journals beside them, and SQLite knows no difference. So a program that
 * uses SQLite is tested with faults, limits, snapshots and power cuts.
 *
 * To take it into a program: the files of this folder, nothing else.
 *
 * What it promises to SQLite is what a tree is after a power cut of
 * memvfs/crash.h, and no more:
 * - The sector is 512 bytes: of what was written and not synced, each is old
 *   or new, one by one. So a page of 4096 may be torn.
 * - No device characteristic is claimed. Not SAFE_APPEND: a file may have
 *   grown without its bytes. Not SEQUENTIAL: any sector may be the one that
 *   is there. Not ATOMIC512 nor POWERSAFE_OVERWRITE: a sector that was being
 *   written may hold garbage, in all of its bytes. SQLite then keeps what is
 *   durable and what is not in different sectors: it fills the last sector of
 *   a commit in the write-ahead log up. Not UNDELETABLE_WHEN_OPEN: names of
 *   open files can be removed here.
 * - A sync of a file makes no name durable (it does with some policies): as
 *   SQLite's own VFS does, a new journal's or log's first sync syncs its
 *   directory too, and a removal does when SQLite asks for it.
 */
#ifndef MEMVFS_VFS_H
#define MEMVFS_VFS_H

#include <memvfs/memvfs.h>

#ifdef __cplusplus
extern "C" {
#endif

struct memvfs_vfs;

/*
 * Mistakes, made on purpose: what a test must catch. Syncs of journals and
 * logs do nothing; no directory is synced; the characteristics above are
 * claimed, of which SQLite then makes use.
 */
#define MEMVFS_VFS_NO_JOURNAL_SYNC 1u
#define MEMVFS_VFS_NO_DIRECTORY_SYNC 2u
#define MEMVFS_VFS_FALSE_CLAIMS 4u

/*
 * Registers a VFS under a name, for sqlite3_open_v2(path, &db, flags, name):
 * files are opened, made and removed through `fs`, by its user and, where the
 * path is relative, from its current directory. Randomness, sleep, time and
 * extensions are those of the VFS that is the default now. It is not made the
 * default. `fs` and the name stay the caller's and must outlive the VFS.
 * `flags`: MEMVFS_VFS_*, or 0.
 *
 * Any number of threads may use it, each with connections of its own.
 *
 * Returns SQLITE_OK, SQLITE_NOMEM, or what sqlite3_vfs_register() says.
 */
int memvfs_vfs_register(mvfs *fs, const char *name, unsigned flags,
			struct memvfs_vfs **vfs);

/* Ends it. All connections must have been closed before. NULL is fine. */
void memvfs_vfs_unregister(struct memvfs_vfs *vfs);

#ifdef __cplusplus
}
#endif

#endif
