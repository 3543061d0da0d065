/* SPDX-License-Identifier: MIT */
/*
 * What the library has done, by count: so that a test can hold that a call
 * copied nothing, instead of measuring that it was fast.
 */
#ifndef MEMVFS_STATS_H
#define MEMVFS_STATS_H

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Whose counts: those of the calling thread, or the sum of all threads of the
 * process, with those that have ended. A call counts on the thread that makes
 * it, and a mount on the threads that serve it.
 *
 * @since 0.1.0
 */
#define MVFS_STATS_THREAD 0
#define MVFS_STATS_PROCESS 1

/*
 * Counts since the thread, or the process, began. They are never set back: to
 * know what a stretch of a program did, subtract. The child of a fork(2)
 * begins with the counts that the process had.
 *
 * @since 0.1.0
 */
struct mvfs_stats {
	/* sizeof(struct mvfs_stats), so that the struct can grow. */
	size_t size;
	uint64_t allocations;      /* of memory, granted or not, by any call */
	uint64_t copies;           /* of bytes of files and strings that the
				    * library made: reads into the caller's
				    * memory, decoded text, gathered pieces,
				    * what a write found shared; but not the
				    * bytes that a write(2) brings */
	uint64_t copied_bytes;     /* in those */
	uint64_t classified_bytes; /* looked at to find out what text they are;
				    * what is known is not looked at again */
	uint64_t shares;           /* strings and written files that are a
				    * reference to bytes, not a copy */
	uint64_t tree_copies;      /* nodes of the trees inside that were
				    * copied because a clone has them too */
};

/*
 * Stores the counts in *stats, whose `size` the caller has set: those of the
 * members that are within it. A program that was compiled with an older, and
 * shorter, struct goes on to work; what is behind the members that this
 * library knows stays as it is. Counting takes
 * no lock and shares nothing between threads; asking for the process takes a
 * lock, and what other threads do meanwhile may be in it or not.
 *
 * Returns 0, or
 * -EINVAL  another scope, or stats->size is less than version 0.1.0 had, which
 *          is up to `tree_copies`;
 * -EFAULT  `stats` is NULL.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_stats(int scope, struct mvfs_stats *stats);

#ifdef __cplusplus
}
#endif

#endif
