/* SPDX-License-Identifier: MIT */
/*
 * Leaks: what is still open when an instance ends, and what is closed twice,
 * each with its path and the place in the program that opened it.
 *
 *	mvfs_set_report(fs, 0, print, NULL);
 *	...
 *	mvfs_destroy(fs);
 *
 *	descriptor 3 of /db/log is still open, opened at journal.c:71
 *
 * Nothing is told until a function is set. Places are known where the opening
 * calls say them: those of a file that includes memvfs/places.h do, with the
 * file and the line, and all others say what mvfs_here() has set.
 */
#ifndef MEMVFS_REPORT_H
#define MEMVFS_REPORT_H

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What a report is about. More may follow.
 *
 * FILE     a descriptor that is open, of a stream too; without a number, what
 *          a mount has open;
 * LISTING  mvfs_closedir() was not called;
 * LOCK     a record lock or flock that is held;
 * VIEW     another view: while there is one, the instance does not end;
 * MOUNT    the instance is mounted, or used by another adapter (what that has
 *          pinned goes with it, and is no leak);
 * CLOSED   a descriptor is closed that was closed before: the call is -EBADF;
 * STRING   a string that was read is not released (MVFS_REPORT_STRINGS only);
 * LOST     memory ran out, so what there was to tell cannot be told.
 *
 * @since 0.1.0
 */
#define MVFS_REPORT_FILE 1u
#define MVFS_REPORT_LISTING 2u
#define MVFS_REPORT_LOCK 3u
#define MVFS_REPORT_VIEW 4u
#define MVFS_REPORT_MOUNT 5u
#define MVFS_REPORT_CLOSED 6u
#define MVFS_REPORT_LOST 7u
#define MVFS_REPORT_STRING 8u

/*
 * Flag of mvfs_set_report(): strings are told of, too, that mvfs_read_string(),
 * mvfs_read_file(), mvfs_read_lines() and the like give from then on; and where
 * they are shared, cut or written to a file, until the last of them goes. They
 * may well outlive the instance, so nobody is told unless it is asked for.
 * Each read then takes memory and a mutex more; without the flag it does not.
 *
 * @since 0.1.0
 */
#define MVFS_REPORT_STRINGS 1u

/*
 * One of them. Texts of the library's are good until the callback returns;
 * places are the pointers that were given to mvfs_here(). The library makes
 * these structs, and may add to their end.
 *
 * @since 0.1.0
 */
struct mvfs_report {
	/* MVFS_REPORT_*. */
	unsigned what;
	/* The descriptor, or -1. */
	int fd;
	/* From the root of the instance, by the first name; "" where there is
	 * none (any more), and of views. */
	const char *path;
	/* Where it was opened, set or made; NULL: not known. */
	const char *opened;
	/* Of CLOSED: where it was closed before, and where again. NULL: not
	 * known. */
	const char *closed, *again;
	/* All of it as a line, without its end. */
	const char *line;
};

/*
 * Is told of one thing, with no lock held.
 *
 * @since 0.1.0
 */
typedef void mvfs_report_fn(void *ctx, const struct mvfs_report *report);

/*
 * From now on `fn` is told, with `ctx`, of every descriptor of the instance
 * that is closed a second time, on the thread that does it, and by
 * mvfs_destroy() of the last view of all that is open then. The instance has
 * ended when that is told, or its mount keeps it (-EBUSY): so the callback
 * must make no call on it then. NULL in place of `fn`: nobody is told.
 *
 * A descriptor counts as closed before only if it was open after this call,
 * or when it was made. Clones tell nobody. The child of a fork(2) has the
 * callback too, for its own copy of the instance. `flags`: MVFS_REPORT_STRINGS
 * or 0.
 *
 * Returns 0, or
 * -EINVAL  `fs` is NULL, or a flag is not known;
 * -ENOMEM  out of memory.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_set_report(mvfs *fs, unsigned flags, mvfs_report_fn *fn,
			     void *ctx);

/*
 * Tells `fn` of all that is open in the instance now: descriptors, listings,
 * locks, views other than `fs`, and strings if mvfs_set_report() was asked for
 * them (here also those that only a file of the tree holds). It may make
 * calls. NULL in place of `fn`: they are counted only.
 *
 * Returns how many there are, or
 * -EINVAL  `fs` is NULL;
 * -ENOMEM  out of memory: nothing was told.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_each_open(mvfs *fs, mvfs_report_fn *fn, void *ctx);

/*
 * What this thread opens from now on, in any instance, it opens in that
 * place: a text for people, such as the name of a test, or NULL. It is not
 * copied, so it must stay until the last instance that something was opened
 * in has ended; a string literal does. Opening costs a store more then.
 *
 * Returns the place before.
 *
 * @since 0.1.0
 */
MVFS_API const char *mvfs_here(const char *place);

#ifdef __cplusplus
}
#endif

#endif
