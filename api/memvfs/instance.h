/* SPDX-License-Identifier: MIT */
/*
 * Instances and views: making, cloning and ending in-memory file systems,
 * who acts on them, their limits and their clock.
 */
#ifndef MEMVFS_INSTANCE_H
#define MEMVFS_INSTANCE_H

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One thread only, no locks, cannot be mounted. */
#define MVFS_CONFINED 1u
/* `seed` is to be used; without it the seed is random. */
#define MVFS_SEEDED 2u

/* Called with no lock held, at the beginning of calls that set times. */
typedef struct mvfs_time mvfs_clock_fn(void *ctx);

/* {0} with `size` set is valid: no limits, random seed, the system's clock. */
struct mvfs_options {
	size_t size;          /* sizeof(struct mvfs_options) */
	unsigned flags;       /* MVFS_CONFINED, MVFS_SEEDED */
	uint32_t root_mode;   /* permissions of the root; 0: 0755 */
	uint64_t max_bytes;   /* 0: no limit; counted in blocks of 4096 */
	uint64_t max_inodes;  /* 0: no limit; the root counts */
	uint64_t seed[2];
	mvfs_clock_fn *clock; /* NULL: CLOCK_REALTIME */
	void *clock_ctx;
};

/* A new, empty file system and a view on it: uid 0, gid 0, umask 022. */
MVFS_API MVFS_NODISCARD int mvfs_create(const struct mvfs_options *options,
					mvfs **fs);

/*
 * An independent file system that begins as what `fs` is now, in constant
 * time, and a view on it that is like `fs`. Inherits seed, limits, counts,
 * clock and inode counter; no descriptors and no locks.
 */
MVFS_API MVFS_NODISCARD int mvfs_clone(mvfs *fs, mvfs **clone);

#define MVFS_VIEW_CRED 1u  /* uid, gid and groups are to be used */
#define MVFS_VIEW_UMASK 2u /* umask is to be used */

/* {0} with `size` set is valid: another view just like the first. */
struct mvfs_view_options {
	size_t size;
	unsigned set;           /* MVFS_VIEW_* */
	uint32_t uid, gid;
	uint32_t umask;
	const uint32_t *groups; /* supplementary; copied */
	size_t group_count;
	const char *root;       /* becomes "/" (a directory); NULL: as in fs */
	const char *cwd;        /* NULL: the root if that changes, else fs's */
};

/* Another view on the same instance. */
MVFS_API MVFS_NODISCARD int mvfs_view(mvfs *fs,
				      const struct mvfs_view_options *options,
				      mvfs **view);

/* Drops a view; the last one ends the instance. NULL is fine: 0. */
MVFS_API int mvfs_destroy(mvfs *fs);

MVFS_API int mvfs_chdir(mvfs *fs, const char *path);
MVFS_API int mvfs_fchdir(mvfs *fs, int fd);
/* Sets the umask (permission bits only) and returns the one before. */
MVFS_API uint32_t mvfs_umask(mvfs *fs, uint32_t mask);

/* Lowering a limit under what is used is allowed: it stops growth only. */
MVFS_API int mvfs_set_limits(mvfs *fs, uint64_t max_bytes,
			     uint64_t max_inodes);
/* NULL: the system's clock again. */
MVFS_API int mvfs_set_clock(mvfs *fs, mvfs_clock_fn *clock, void *ctx);

/* Of this library, "0.1.0"; static. */
MVFS_API const char *mvfs_version(void);
/* "ENOENT" for ENOENT and for -ENOENT; NULL if unknown; static. */
MVFS_API const char *mvfs_errno_name(int error);

#ifdef __cplusplus
}
#endif

#endif
