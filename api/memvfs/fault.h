/* SPDX-License-Identifier: MIT */
/*
 * Faults: any failure, on demand, of the calls that a program makes.
 *
 *	mvfs_fault_add(fs, "write path=/db/log nth=3 errno=ENOSPC", &id, &e);
 *
 * A rule says which calls it is for (their names, the paths that they are
 * about, who acts, which of them in turn) and what then happens. It holds for
 * every view of the instance and for its mounts, until it is removed; it
 * concerns calls that begin from then on. memvfs-fault(7) has the grammar and
 * an example of each effect.
 *
 * Several rules may match a call: what they do adds up, in the order in which
 * they were added, up to the first that fails it. A call that a rule fails has
 * changed nothing, but for close, which closes all the same, as in Linux.
 *
 * Without rules calls do not become slower. A clone begins without any.
 */
#ifndef MEMVFS_FAULT_H
#define MEMVFS_FAULT_H

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Adds the rule that `text` says, and stores its number in *id, if `id` is not
 * NULL: never 0, and never given to another rule of the instance.
 *
 * Returns 0, or
 * -EINVAL  `fs` is NULL; or the text is no rule: the error's offset and length
 *          say which word is wrong, its message the column, which counts bytes
 *          from 1, and what was expected;
 * -EFAULT  `text` is NULL;
 * -EBUSY   the instance has a mount that lets the kernel answer from its
 *          caches, where no rule can reach: mount with cache=none;
 * -ENOMEM  out of memory.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_fault_add(mvfs *fs, const char *text, uint64_t *id,
			    struct mvfs_error *error);

/*
 * Removes a rule, or all of them. It still applies to calls that have begun.
 *
 * Returns 0, or
 * -ENOENT  there is no rule of that number;
 * -EINVAL  `fs` is NULL;
 * -ENOMEM  out of memory (never by mvfs_fault_clear()).
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_fault_remove(mvfs *fs, uint64_t id);
MVFS_API int mvfs_fault_clear(mvfs *fs);

/*
 * Stores how many calls were of the names, paths and user that the rule is
 * for, in *matched, and to how many of these it did something, in *fired.
 * Either may be NULL.
 *
 * Returns 0, or
 * -ENOENT  there is no rule of that number;
 * -EINVAL  `fs` is NULL.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_fault_count(mvfs *fs, uint64_t id, uint64_t *matched,
			      uint64_t *fired);

/*
 * A rule, as mvfs_fault_list() tells it. The text is good until the callback
 * returns.
 *
 * @since 0.1.0
 */
struct mvfs_fault {
	uint64_t id;
	const char *text;   /* as it was added */
	uint64_t matched;   /* as mvfs_fault_count() has it */
	uint64_t fired;
};

/*
 * Called for each rule, with no lock held. 0: go on; any other result ends the
 * list.
 *
 * @since 0.1.0
 */
typedef int mvfs_fault_fn(void *ctx, const struct mvfs_fault *fault);

/*
 * Calls `fn` for each rule that there is when the call begins, in the order in
 * which they were added; `ctx` is passed on to it.
 *
 * Returns 0 at the end; what `fn` returned, if that ended it; or
 * -EINVAL  `fs` is NULL;
 * -EFAULT  `fn` is NULL.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_fault_list(mvfs *fs, mvfs_fault_fn *fn, void *ctx);

#ifdef __cplusplus
}
#endif

#endif
