/* SPDX-License-Identifier: MIT */
/*
 * Instances and views: making, cloning and ending in-memory file systems,
 * who acts on them, their limits and their clock.
 *
 * An *instance* is a tree with all that is open in it. A program has it by
 * *views*, each a reference with a user and a place; what one view changes,
 * all views of the instance see at their next call. The last view to go takes
 * the instance with it.
 *
 * Any number of threads may use one view or several at once. Two things only
 * are the caller's to order: a view must not be destroyed while another
 * thread is in a call with it, and an instance made with MVFS_CONFINED is
 * for one thread.
 *
 * After fork(2) the child has a private copy of every instance, with all that
 * is open in it, and may use and destroy it. An instance that is mounted stays
 * the parent's: in the child every call on it that can fail is -ESTALE, but
 * mvfs_destroy(), which drops views, the last of which is -EBUSY.
 */
#ifndef MEMVFS_INSTANCE_H
#define MEMVFS_INSTANCE_H

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Flag of mvfs_options: one thread only, the one that creates the instance.
 * No locks are taken, which makes every call cheaper. It cannot be mounted.
 * Clones of it are confined, too; strings that were read from it may go to
 * any thread.
 *
 * @since 0.1.0
 */
#define MVFS_CONFINED 1u

/*
 * Flag of mvfs_options: `seed` is to be used. Without it the seed is random.
 * The seed keys the hash of names, which gives the order of unsorted listings
 * and the cookies of listings: the same in every run with the same seed.
 * Whoever can choose names and knows the seed can make many that collide, so
 * set it in tests, not where strangers choose the names.
 *
 * @since 0.1.0
 */
#define MVFS_SEEDED 2u

/*
 * Gives the time that a call is to stamp. It is called at the beginning of
 * calls that may set times, on the thread that makes the call, with no lock
 * held: it may make calls of its own on the instance. A result whose nsec is
 * out of range counts as 0 ns.
 *
 * @since 0.1.0
 */
typedef struct mvfs_time mvfs_clock_fn(void *ctx);

/*
 * How an instance is made. {0} with `size` set is valid: no limits, a random
 * seed, the system's clock. All of it is the caller's; only what `clock_ctx`
 * points to is used after the call, by the clock.
 *
 * @since 0.1.0
 */
struct mvfs_options {
	/* sizeof(struct mvfs_options), so that the struct can grow. */
	size_t size;
	/* MVFS_CONFINED, MVFS_SEEDED; any other bit is -EINVAL. */
	unsigned flags;
	/* Permissions of the root, the umask not taken away; 0: 0755. */
	uint32_t root_mode;
	/* What all files together may occupy, in bytes, counted in blocks of
	 * 4096 (a part of a block that is left over is not given out). Holes
	 * do not count, nor do names and attributes. 0: no limit. */
	uint64_t max_bytes;
	/* How many inodes there may be; the root counts. 0: no limit. */
	uint64_t max_inodes;
	/* With MVFS_SEEDED. */
	uint64_t seed[2];
	/* NULL: CLOCK_REALTIME. */
	mvfs_clock_fn *clock;
	/* Passed to `clock`. */
	void *clock_ctx;
};

/*
 * Makes a new file system with an empty root directory that belongs to uid 0
 * and gid 0, and stores a view on it in *fs: uid 0, gid 0, no supplementary
 * groups, umask 022, in the root. NULL in place of the options: the defaults.
 * The view is the caller's, to be dropped by mvfs_destroy().
 *
 * Returns 0, or
 * -EINVAL  options->size is less than what this version knows, or a flag or a
 *          bit of root_mode is not known;
 * -EFAULT  `fs` is NULL;
 * -ENOMEM  out of memory.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD int mvfs_create(const struct mvfs_options *options,
					mvfs **fs);

/*
 * Makes an independent file system that begins as what `fs` is now, and
 * stores a view on it in *clone that has the user, umask and place of `fs`.
 * It takes the same short time whatever the size of the tree: the two share
 * what neither has changed since.
 *
 * The clone inherits seed, limits, what counts against them, the clock and
 * the counter of inode numbers. It has no open descriptors, no locks, and
 * none of the files that are open but have no name any more. A root or
 * current directory that was removed becomes "/". Inode numbers that were
 * given out before are the same in both; those given out later may be the
 * same for different files.
 *
 * Returns 0, or
 * -EINVAL, -EFAULT  `fs`, or `clone`, is NULL;
 * -ENOMEM  out of memory.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD int mvfs_clone(mvfs *fs, mvfs **clone);

/*
 * What of mvfs_view_options is to be used: uid, gid and groups; umask. What
 * is not set stays as in the view that is given.
 *
 * @since 0.1.0
 */
#define MVFS_VIEW_CRED 1u
#define MVFS_VIEW_UMASK 2u

/*
 * Who acts through a view, and where. {0} with `size` set is valid: another
 * view just like the first. All of it is the caller's, and is not used after
 * the call.
 *
 * @since 0.1.0
 */
struct mvfs_view_options {
	/* sizeof(struct mvfs_view_options), so that the struct can grow. */
	size_t size;
	/* MVFS_VIEW_*; any other bit is -EINVAL. */
	unsigned set;
	/* With MVFS_VIEW_CRED. uid 0 may do everything that root may with
	 * files; nobody else has any privilege. */
	uint32_t uid, gid;
	/* With MVFS_VIEW_UMASK; permission bits only, as umask(2). */
	uint32_t umask;
	/* Supplementary groups, with MVFS_VIEW_CRED: at most 65536; NULL if
	 * there are none. */
	const uint32_t *groups;
	size_t group_count;
	/* The directory that becomes "/", as chroot(2) does; NULL: as in the
	 * view that is given. */
	const char *root;
	/* The current directory, as seen from the new root; NULL: the root if
	 * `root` is set, else as in the view that is given. */
	const char *cwd;
};

/*
 * Makes another view on the instance of `fs` and stores it in *view: it is the
 * caller's, to be dropped by mvfs_destroy(). So a test acts as uid 1000
 * without root and without leaving its process. It needs no privilege: any
 * view can give any other. NULL in place of the options: a view like `fs`.
 *
 * A view stands for a process where that matters: it owns POSIX record locks
 * (memvfs/locks.h). Descriptors belong to the instance and are good in every
 * view of it, whoever opened them.
 *
 * Returns 0, or
 * -EINVAL   `fs` is NULL, options->size is less than what this version knows,
 *           a bit of options->set is not known, or there are too many groups;
 * -EFAULT   `view` is NULL, or the groups are and their count is not 0;
 * -ENOTDIR  `root` or `cwd` is not a directory;
 * -ENOMEM   out of memory;
 * and what resolving `root` and `cwd` gives, as the user of `fs`: see
 * memvfs/path.h.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD int mvfs_view(mvfs *fs,
				      const struct mvfs_view_options *options,
				      mvfs **view);

/*
 * Drops a view. The last view of an instance ends it: what is open is closed,
 * and its memory is freed, except what strings, clones and extents still
 * refer to. Listings (memvfs/listing.h) must have been closed before. NULL is
 * fine: 0. What was still open is told to who asked by mvfs_set_report()
 * (memvfs/report.h).
 *
 * Returns 0, or
 * -EBUSY  it is the last view and the instance is mounted. Nothing has
 *         changed, and the view is still the caller's.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_destroy(mvfs *fs);

/*
 * Makes a directory the current one of this view: where relative paths start.
 * The directory may be renamed or removed meanwhile; in a removed one nothing
 * is found any more. mvfs_fchdir() takes an open descriptor, O_PATH too.
 * POSIX.1-2024, chdir.
 *
 * Returns 0, or
 * -ENOTDIR  it is not a directory;
 * -EACCES   the view's user may not search it;
 * -EBADF    `fd` is not open;
 * -ENOMEM   out of memory;
 * and what resolving the path gives: see memvfs/path.h.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_chdir(mvfs *fs, const char *path);
MVFS_API int mvfs_fchdir(mvfs *fs, int fd);

/*
 * Sets the umask of this view, whose bits are taken from the mode of what is
 * created through it; bits outside 0777 are ignored. Returns the one before.
 * Never fails. POSIX.1-2024, umask.
 *
 * @since 0.1.0
 */
MVFS_API uint32_t mvfs_umask(mvfs *fs, uint32_t mask);

/*
 * Sets the limits of the instance, in bytes (counted in blocks of 4096) and
 * in inodes; 0 is no limit. Lowering one below what is used is allowed: what
 * is there stays, and nothing more is given out until enough is freed.
 *
 * At a limit, calls that need more give -ENOSPC and change nothing, or do
 * what there is room for and say so by a short count.
 *
 * Returns 0, or
 * -EINVAL  `fs` is NULL.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_set_limits(mvfs *fs, uint64_t max_bytes,
			     uint64_t max_inodes);

/*
 * Sets the clock of the instance from the next call on; NULL is the system's
 * clock again. Calls of other threads that have begun may still ask the clock
 * before, so keep what its `ctx` points to until the instance has ended.
 *
 * Returns 0, or
 * -EINVAL  `fs` is NULL;
 * -ENOMEM  out of memory.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_set_clock(mvfs *fs, mvfs_clock_fn *clock, void *ctx);

/*
 * Sets a clock of the library's own that stands still, so that two runs give
 * the same times: it shows `start`, and goes on by `tick` nanoseconds (0:
 * not at all) each time that a call takes the time, which calls that change
 * something do, once each. It is replaced as by mvfs_set_clock(). A clone
 * gets one of its own that shows the same.
 *
 * Returns 0, or
 * -EINVAL  `fs` is NULL; `tick` is negative; `start` is no time between the
 *          years 1678 and 2262, in which nanoseconds are counted;
 * -EFAULT  `start` is NULL;
 * -ENOMEM  out of memory.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_clock_manual(mvfs *fs, const struct mvfs_time *start,
			       int64_t tick);

/*
 * Sets a clock of mvfs_clock_manual() to another time, or lets it go on by
 * so many nanoseconds (back, if negative).
 *
 * Returns 0, or
 * -EINVAL  `fs` is NULL, or its clock is another one; what the clock would
 *          show is no time between the years 1678 and 2262;
 * -EFAULT  `time` is NULL.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_clock_set(mvfs *fs, const struct mvfs_time *time);
MVFS_API int mvfs_clock_advance(mvfs *fs, int64_t nanoseconds);

/*
 * The version of the library that the program runs with, as "0.1.0": a
 * static string.
 *
 * @since 0.1.0
 */
MVFS_API const char *mvfs_version(void);

/*
 * The name of an error: "ENOENT" for ENOENT and for -ENOENT alike, so that a
 * result can be given as it is. A static string; NULL for 0 and for what is
 * no errno of this host.
 *
 * @since 0.1.0
 */
MVFS_API const char *mvfs_errno_name(int error);

/*
 * The reverse: the number, which is positive, of an error by its name, as
 * ENOENT for "ENOENT"; 0 for NULL and for what is no name of an error of this
 * host.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_errno_number(const char *name);

#ifdef __cplusplus
}
#endif

#endif
