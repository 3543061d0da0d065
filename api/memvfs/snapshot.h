/* SPDX-License-Identifier: MIT */
/*
 * A clean slate: what a tree was, to be had again in a time that does not
 * depend on its size.
 */
#ifndef MEMVFS_SNAPSHOT_H
#define MEMVFS_SNAPSHOT_H

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What the tree of an instance was at a moment: names, contents, attributes.
 * It never changes, and any number of threads may restore from it.
 *
 * @since 0.1.0
 */
struct mvfs_snapshot;

/*
 * Stores in *snapshot what the tree is now. Nothing is copied: what is changed
 * later goes elsewhere. What is open or locked, and files that are open but
 * have no name any more, are not in it. It may outlive the instance:
 * mvfs_snapshot_clone() works with it then, too.
 *
 * Returns 0, or
 * -EINVAL, -EFAULT  `fs`, or `snapshot`, is NULL;
 * -ENOMEM  out of memory.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD int mvfs_snapshot(mvfs *fs,
					  struct mvfs_snapshot **snapshot);

/*
 * Lets the tree be again what it was when the snapshot was made of it: all of
 * it at once, for every view. It takes the time that freeing what differs
 * takes. The snapshot stays, and can be restored again.
 *
 * What is open stays open. A descriptor, root or current directory of a file
 * that is in the restored tree refers to it as it was then, and keeps its
 * offset and flags; of one that is not, it refers to what it was before the
 * restore, which then is like a file whose last name was removed. Locks,
 * limits, clock and users stay; if what is restored exceeds the limits,
 * nothing can be added until it does not. Strings and listings stay as they
 * are.
 *
 * Inode numbers that were given out since the last snapshot are given out
 * again if nothing is open and nothing mounted, so that two runs from the same
 * snapshot give the same numbers; otherwise never. A number that a snapshot
 * may know is never given to another inode.
 *
 * Returns 0, or, with nothing changed,
 * -EXDEV   the snapshot is one of another instance;
 * -EINVAL, -EFAULT  `fs`, or `snapshot`, is NULL;
 * -ENOMEM  out of memory.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_restore(mvfs *fs, const struct mvfs_snapshot *snapshot);

/*
 * Makes an independent file system that begins as the snapshot, and stores a
 * view on it in *clone: uid 0, gid 0, no supplementary groups, umask 022, in
 * the root. As of mvfs_clone(), it takes the same short time whatever the
 * size of the tree; it has seed and limits of the instance that the snapshot
 * was made of, but the system's clock.
 *
 * Returns 0, or
 * -EINVAL  `snapshot` is NULL;
 * -EFAULT  `clone` is NULL;
 * -ENOMEM  out of memory.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD int
mvfs_snapshot_clone(const struct mvfs_snapshot *snapshot, mvfs **clone);

/*
 * Gives the snapshot up, and the memory that it alone kept. NULL is fine.
 *
 * @since 0.1.0
 */
MVFS_API void mvfs_snapshot_release(struct mvfs_snapshot *snapshot);

#ifdef __cplusplus
}
#endif

#endif
