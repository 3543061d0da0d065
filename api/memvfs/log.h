/* SPDX-License-Identifier: MIT */
/*
 * The operation log: which calls were made, in the order in which they ended,
 * and whether these were those that a test expects.
 *
 *	mvfs_log_start(fs, 0);
 *	save(fs, "/file");
 *	mvfs_expect_log(fs, "+ write /new\n"
 *			    "  fsync /new\n"
 *			    "  rename /new /file\n", &error);
 *
 * A call is a line:
 *
 *	CALL PATH [PATH2] [offset=N] [bytes=N] uid=N [rule=N] = RESULT
 *
 * CALL is a name of memvfs-fault(7). PATH is absolute, with no symlink before
 * the last name; "#N" is inode N, where it has no name (any more). Blanks,
 * control characters and the signs of globs are written with a backslash, as
 * words of a rule are. `bytes` is how many were wanted; RESULT is what the
 * call returned, an error by its name. `rule` is the number of the fault that
 * was done to it, of several the first.
 *
 * Calls by descriptor have the path that the file had then. Calls on the
 * instance as a whole (views, clones, snapshots, limits, faults, the log) are
 * not logged, nor are those that cannot be without an argument, which fail
 * before they begin.
 *
 * Without a log calls do not become slower. A clone begins without one.
 */
#ifndef MEMVFS_LOG_H
#define MEMVFS_LOG_H

#include <memvfs/text.h>
#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Starts a log, empty, in place of one that there was. It has room for
 * `capacity` calls (0: 4096); when it is full the oldest one goes, and is
 * counted. mvfs_log_stop() lets it stay as it is.
 *
 * Returns 0, or
 * -EINVAL  `fs` is NULL, or `capacity` is more than 16777216;
 * -EBUSY   the instance has a mount that lets the kernel answer from its
 *          caches, so that the log would lack calls: mount with cache=none
 *          (never by mvfs_log_stop());
 * -ENOMEM  out of memory (never by mvfs_log_stop()).
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_log_start(mvfs *fs, size_t capacity);
MVFS_API int mvfs_log_stop(mvfs *fs);

/*
 * A call, as mvfs_log_each() tells it. Texts are good until the callback
 * returns.
 *
 * @since 0.1.0
 */
struct mvfs_log_entry {
	uint64_t number;   /* of the calls since the start, from 1 on: what is
			    * missing before the first was dropped */
	const char *call;  /* its name */
	const char *path;  /* "": it has none */
	const char *path2; /* of rename, link, copy_range; the target of
			    * symlink; or NULL */
	uint64_t ino;      /* where path is "", if there is one; else 0 */
	uint64_t offset;   /* of data; UINT64_MAX: the file's own, or none */
	uint64_t bytes;    /* of data, as many as were wanted */
	uint64_t rule;     /* the fault that was done; 0: none */
	int64_t result;    /* that the call returned */
	uint32_t uid;      /* who acted */
};

/*
 * Called for each call of a log, with no lock held. 0: go on; any other result
 * ends it.
 *
 * @since 0.1.0
 */
typedef int mvfs_log_fn(void *ctx, const struct mvfs_log_entry *entry);

/*
 * Calls `fn` for each call in the log as it is now, the oldest first; `ctx` is
 * passed on to it.
 *
 * Returns 0 at the end; what `fn` returned, if that ended it; or
 * -EINVAL  `fs` is NULL;
 * -EFAULT  `fn` is NULL;
 * -ENOMEM  out of memory.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_log_each(mvfs *fs, mvfs_log_fn *fn, void *ctx);

/*
 * Stores the log as text in *text: a line for each call, as above. If calls
 * were dropped, the first line is "# N dropped". The text can be expected as
 * it is. The string is the caller's; mvfs_string_release() gives it back.
 *
 * Returns 0, or
 * -EINVAL, -EFAULT  `fs`, or `text`, is NULL;
 * -ENOMEM  out of memory.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD int mvfs_log_text(mvfs *fs, struct mvfs_string *text);

/*
 * Whether the log has the calls that `text` says, one a line, in that order.
 * A line is as above, but only the names of calls (several with ',' between)
 * have to be there; paths are globs as in a rule, `= ok` is any result but an
 * error, and what is left out is not compared. Lines that are empty or begin
 * with '#' are skipped.
 *
 * A line stands for one call; with '+' before it for one or more in a row; with
 * '!' for none. Calls that fit no line are ignored: all others have to be
 * there, in this order and no more often. So with
 *
 *	+ write /t
 *	fsync /t
 *	rename /t /f
 *
 * there is one fsync of /t between the last write to it and the rename, while
 * "! unlink /f" says that /f was never unlinked. If the first line is `exact`,
 * no call is ignored.
 *
 * Returns 0, or
 * -EBADMSG  the log is another: the error's offset and length say which line
 *           was not met, its message shows the log around that place;
 * -EINVAL   `fs` is NULL; or the text is wrong: the error says in which line
 *           and column, and what was expected;
 * -EFAULT   `text` is NULL;
 * -ENOMEM   out of memory.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_expect_log(mvfs *fs, const char *text,
			     struct mvfs_error *error);

#ifdef __cplusplus
}
#endif

#endif
