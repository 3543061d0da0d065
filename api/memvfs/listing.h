/* SPDX-License-Identifier: MIT */
/*
 * Listing directories and walking trees.
 *
 * A listing holds the directory as it was when it was opened or rewound, by
 * one reference: it never skips or repeats a name, whatever changes
 * meanwhile. (POSIX leaves open whether names that come or go while a
 * directory is read are seen; here they are not and are.) What lists the
 * directory as it is at each call is mvfs_sys_list() of memvfs/sys.h.
 */
#ifndef MEMVFS_LISTING_H
#define MEMVFS_LISTING_H

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A listing; the caller's, from mvfs_opendir() until mvfs_closedir(). One
 * thread at a time may use it.
 *
 * @since 0.1.0
 */
struct mvfs_dir;

/*
 * A name in a directory. It holds no references: copy it freely.
 *
 * @since 0.1.0
 */
struct mvfs_dirent {
	uint64_t ino;    /* what it leads to */
	uint64_t cookie; /* where the next one follows: never 0, and the same
			  * in every listing and after every change, for as
			  * long as the name stays */
	uint8_t type;    /* DT_* of <dirent.h> */
	uint8_t reserved;
	uint16_t len;    /* of the name, in bytes */
	char name[256];  /* terminated; bytes, not always UTF-8 */
};

/*
 * Flag of mvfs_opendir(): names come in the order of their cookies, which
 * looks random and costs nothing, instead of sorted by their bytes.
 *
 * @since 0.1.0
 */
#define MVFS_LIST_UNSORTED 1u

/*
 * Flag of mvfs_opendir(): "." and ".." come first. Without it they do not
 * come.
 *
 * @since 0.1.0
 */
#define MVFS_LIST_DOTS 2u

/*
 * Flag of mvfs_opendir(): names come shuffled, for tests of what must not rely
 * on an order. It is always the same shuffle for the same names, if the
 * instance has the same seed and the directory the same inode number. Not
 * with MVFS_LIST_UNSORTED.
 *
 * @since 0.1.0
 */
#define MVFS_LIST_SHUFFLED 4u

/*
 * Opens a listing and stores it in *dir; it is to be closed by
 * mvfs_closedir(). The permission to read is checked now; that to search is
 * not needed. Unless it is unsorted, names are sorted once, here. Paths are
 * resolved as memvfs/path.h says; with "" mvfs_opendirat() lists the
 * directory `dirfd` itself. POSIX.1-2024, opendir.
 *
 * Returns 0, or
 * -ENOTDIR  it is not a directory;
 * -EACCES   the view's user may not read it;
 * -EINVAL   a flag is not known, two orders are asked for, or the view is
 *           NULL;
 * -EFAULT   another argument is NULL;
 * -ENOMEM   out of memory;
 * and what resolving the path gives.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD int mvfs_opendir(mvfs *fs, const char *path,
					 unsigned flags,
					 struct mvfs_dir **dir);
MVFS_API MVFS_NODISCARD int mvfs_opendirat(mvfs *fs, int dirfd,
					   const char *path, unsigned flags,
					   struct mvfs_dir **dir);

/*
 * Stores the next entry in *entry and returns 1; returns 0 at the end, and
 * then *entry is as it was. -EFAULT: an argument is NULL. POSIX.1-2024,
 * readdir.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_readdir(struct mvfs_dir *dir, struct mvfs_dirent *entry);

/*
 * Goes on behind the entry with that cookie, in the order of the listing; 0
 * is the start. The cookie may come from another listing of the directory.
 * POSIX.1-2024, seekdir.
 *
 * Returns 0, or
 * -EINVAL  nothing in the listing has that cookie;
 * -EFAULT  `dir` is NULL.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_seekdir(struct mvfs_dir *dir, uint64_t cookie);

/*
 * Starts over, with the directory as it is now. POSIX.1-2024, rewinddir.
 *
 * Returns 0, or
 * -EFAULT  `dir` is NULL;
 * -ENOMEM  out of memory: the listing is then at its end.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_rewinddir(struct mvfs_dir *dir);

/*
 * Closes a listing and frees it; NULL is fine. Returns 0.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_closedir(struct mvfs_dir *dir);

/*
 * When mvfs_walk() calls: with anything, before what is in it; with a
 * directory, after what is in it.
 *
 * @since 0.1.0
 */
enum mvfs_walk_order {
	MVFS_WALK_PRE,
	MVFS_WALK_POST
};

/*
 * What mvfs_walk() has come to. All of it is the walk's, until the callback
 * returns.
 *
 * @since 0.1.0
 */
struct mvfs_walk_entry {
	const char *path;       /* begins with the path given; terminated */
	size_t path_len;        /* in bytes */
	const char *name;       /* the last component, inside path */
	unsigned depth;         /* 0: the path given */
	enum mvfs_walk_order order;
	struct mvfs_stat st;    /* of a symlink: of the link */
};

/*
 * Result of the callback: not into this directory.
 *
 * @since 0.1.0
 */
#define MVFS_WALK_SKIP 1

/*
 * Called for each file of a walk, with no lock held: the tree may be changed
 * from inside, names that go before the walk comes to them are left out. 0:
 * go on; MVFS_WALK_SKIP; any other result ends the walk, which returns it.
 *
 * @since 0.1.0
 */
typedef int mvfs_walk_fn(void *ctx, const struct mvfs_walk_entry *entry);

/*
 * Flag of mvfs_walk(): directories are told MVFS_WALK_POST as well.
 *
 * @since 0.1.0
 */
#define MVFS_WALK_BOTH 1u

/*
 * Calls `fn` with what the path leads to and all that is below it: depth
 * first, the names of each directory sorted by their bytes. The path given is
 * followed if it is a symlink, others are not. `ctx` is passed on to `fn`.
 *
 * Returns 0 at the end; what `fn` returned, if that ended it; or
 * -EINVAL  a flag is not known, or the view is NULL;
 * -EFAULT  another argument is, `ctx` apart;
 * -EACCES  a directory may not be read and searched by the view's user;
 * -ENOMEM  out of memory;
 * and what resolving the path gives (memvfs/path.h).
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_walk(mvfs *fs, const char *path, unsigned flags,
		       mvfs_walk_fn *fn, void *ctx);

#ifdef __cplusplus
}
#endif

#endif
