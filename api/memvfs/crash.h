/* SPDX-License-Identifier: MIT */
/*
 * Crashes: the trees that may be found after a power cut, at any moment.
 *
 *	mvfs_crash_start(fs, NULL);
 *	save(fs, "/file");
 *	mvfs_crash_each(fs, NULL, check, NULL);
 *
 * From mvfs_crash_start() on, what calls change is in doubt until something
 * makes it durable. What makes what durable, and what may be left of the
 * rest, is a policy:
 *
 * MVFS_CRASH_ORDERED, the default, is what ext4, XFS and btrfs have in common:
 * names become durable in the order in which they were changed, and fsync of a
 * file also makes its names durable. MVFS_CRASH_POSIX promises only what
 * POSIX does: names become durable in any order, and by fsync of their
 * directory alone. memvfs-crash(7) has both as a table by call. After Pillai
 * et al. (OSDI 2014) and Bornholt et al. (ASPLOS 2016).
 *
 * A *point* is a moment behind a call that changed something or made it
 * durable; they are numbered from 0, the start. The tree as it is after each
 * call stays in memory until the end of the tracking, with all that the trees
 * do not have in common: from one kilobyte a call on. What one call changes is
 * one change, which is there as a whole or not at all, but for data; so
 * mvfs_build() and mvfs_write_file() are one change each.
 *
 * Without tracking calls do not become slower. A clone begins without it. A
 * snapshot that is restored brings back what was in doubt when it was made,
 * if it was made since the start; else the restored tree is durable.
 */
#ifndef MEMVFS_CRASH_H
#define MEMVFS_CRASH_H

#include <memvfs/snapshot.h>
#include <memvfs/text.h>
#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Policies: see above.
 *
 * @since 0.1.0
 */
#define MVFS_CRASH_ORDERED 0u
#define MVFS_CRASH_POSIX 1u

/*
 * What may be found of data and attributes of a file that were not made
 * durable: what was durable before; all of it; some of its sectors, and of
 * others what was durable before; or the new size, and garbage in place of
 * every sector that was not made durable. Where none of those asked for can be,
 * as of one sector that is torn, the file is as it was durable.
 *
 * @since 0.1.0
 */
#define MVFS_CRASH_LOST 1u
#define MVFS_CRASH_KEPT 2u
#define MVFS_CRASH_TORN 4u
#define MVFS_CRASH_GARBAGE 8u

/*
 * What a failed fsync does to data in doubt; it makes nothing durable in
 * either case. They stay in doubt, and a later fsync makes them durable. They
 * are taken for durable: a later fsync does not write them again, as in ext4
 * and XFS. Or the file's data are again what was durable, as in btrfs. After
 * Rebello et al. (ATC 2020). mvfs_fault_add() makes an fsync fail.
 *
 * @since 0.1.0
 */
#define MVFS_CRASH_STAYS 0u
#define MVFS_CRASH_FORGOTTEN 1u
#define MVFS_CRASH_REVERTED 2u

/*
 * Which crashes. {0} with `size` set is valid, and what NULL stands for. All
 * of it is the caller's.
 *
 * @since 0.1.0
 */
struct mvfs_crash_options {
	/* sizeof(struct mvfs_crash_options), so that the struct can grow. */
	size_t size;
	/* MVFS_CRASH_ORDERED or MVFS_CRASH_POSIX. */
	unsigned policy;
	/* MVFS_CRASH_LOST and the like; 0: LOST, KEPT and TORN. */
	unsigned data;
	/* MVFS_CRASH_STAYS, FORGOTTEN or REVERTED; of mvfs_crash_start()
	 * alone. */
	unsigned failed_fsync;
	/* Of a disk, in bytes: a power of two from 16 to 65536; 0: 512. */
	uint32_t sector;
	/* How many states of one point are tried; where there are more, that
	 * many are chosen at random. At least 2; 0: 256. */
	uint32_t max_states;
	/* Decides the choice, and what garbage is. */
	uint64_t seed;
};

/*
 * One crash: at which point, and which of its states. It means the same as
 * long as the options and the calls since the start are the same, so it is
 * what a failed test prints and what mvfs_crash() replays. All 0 is the start.
 *
 * @since 0.1.0
 */
struct mvfs_crash_state {
	uint64_t point;
	/* 0 is the state in which as much of what is in doubt is lost as
	 * options->data lets. */
	uint64_t choice;
	/* How many states the point has; UINT64_MAX: more than that. Written
	 * by mvfs_crash_each() and not looked at by others. */
	uint64_t states;
	/* 1: not all states of the point are tried, this one is one of those
	 * that were chosen at random. */
	uint32_t sampled;
	uint32_t reserved;
};

/*
 * From now on it is noted what changes: all that is there is durable, and the
 * present is point 0. Tracking that was on before begins anew.
 *
 * Returns 0, or
 * -EINVAL  `fs` is NULL, options->size is less than version 0.1.0 had, which
 *          is up to `seed`, or a value in it is not one of those above;
 * -ENOMEM  out of memory.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_crash_start(mvfs *fs,
			      const struct mvfs_crash_options *options);

/*
 * Ends the tracking, and frees what it kept. Ending it twice is fine: 0.
 *
 * Returns 0, or
 * -EINVAL  `fs` is NULL.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_crash_stop(mvfs *fs);

/*
 * The number of the last point; calls that change nothing make none.
 *
 * Returns it, or
 * -ENODATA  nothing is tracked;
 * -EINVAL   `fs` is NULL.
 *
 * @since 0.1.0
 */
MVFS_API int64_t mvfs_crash_point(mvfs *fs);

/*
 * Makes a new file system that is what the power cut left, and stores a view
 * on it in *after, as of mvfs_snapshot_clone(): nothing is open, files without
 * a name are gone. `fs` stays as it is. NULL in place of the state: now, with
 * choice 0. Its limits are those of `fs`, and may be exceeded by what is found,
 * as where a file that was truncated for another one has its old size again.
 *
 * Returns 0, or
 * -ENODATA  nothing is tracked;
 * -ERANGE   there is no such point, or it has no such state;
 * -EINVAL   `fs` is NULL, or the options are wrong: see mvfs_crash_start();
 * -EFAULT   `after` is NULL;
 * -ENOMEM   out of memory.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD int mvfs_crash(mvfs *fs,
				       const struct mvfs_crash_options *options,
				       const struct mvfs_crash_state *state,
				       mvfs **after);

/*
 * The same as a snapshot of `fs`: mvfs_restore() puts it in the place of the
 * tree, where all of it is durable then.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD int
mvfs_crash_snapshot(mvfs *fs, const struct mvfs_crash_options *options,
		    const struct mvfs_crash_state *state,
		    struct mvfs_snapshot **snapshot);

/*
 * What a state is made of, as text for people, a line each: the call at whose
 * end the power was cut, each change of names that was in doubt and whether it
 * is there, and what is found of each file in doubt. The string is the
 * caller's. Errors: those of mvfs_crash().
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD int
mvfs_crash_explain(mvfs *fs, const struct mvfs_crash_options *options,
		   const struct mvfs_crash_state *state,
		   struct mvfs_string *text);

/*
 * Called with the tree that a crash left, with no lock held. `after` is good
 * until the callback returns, and is free to be changed; mvfs_clone() keeps
 * it. 0: go on; any other result ends the crashes.
 *
 * @since 0.1.0
 */
typedef int mvfs_crash_fn(void *ctx, mvfs *after,
			  const struct mvfs_crash_state *state);

/*
 * Calls `fn` for every state at every point, the start first; states that are
 * equal to another one of the same point are left out (times are not compared).
 * The same tree may come again at a later point, by when more should be there.
 * `ctx` is passed on to it. Of a point with more than options->max_states
 * states, so many are chosen by options->seed: its two ends, all lost and all
 * kept, and others at random.
 *
 * Returns 0 at the end; what `fn` returned, if that ended it; or
 * -ENODATA  nothing is tracked;
 * -EINVAL   `fs` is NULL, or the options are wrong: see mvfs_crash_start();
 * -EFAULT   `fn` is NULL;
 * -ENOMEM   out of memory.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_crash_each(mvfs *fs,
			     const struct mvfs_crash_options *options,
			     mvfs_crash_fn *fn, void *ctx);

#ifdef __cplusplus
}
#endif

#endif
