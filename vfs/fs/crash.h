/* SPDX-License-Identifier: MIT */
/* Crashes of an instance, for the files of vfs/fs alone. */
#ifndef MVFS__FS_CRASH_H
#define MVFS__FS_CRASH_H

#include "vfs/crash/crash.h"
#include "vfs/fs/still.h"

/* A crash that is looked into: all points, and a cut that goes through. */
struct mvfs__crash {
	struct mvfs__point *head;   /* a reference */
	struct mvfs__point **point; /* by their numbers */
	size_t count;
	struct mvfs__cut cut;
	struct mvfs__still still;   /* without nodes: what all states have */
};

/* The cut is at the start. 0, -EINVAL, -ENODATA, -ENOMEM: then no end. */
int mvfs__crash_begin(mvfs *view, const struct mvfs_crash_options *options,
		      struct mvfs__crash *crash);
void mvfs__crash_end(struct mvfs__crash *crash);
/* Takes the cut to the state's point (NULL: the last), and counts its states.
 * 0, -ERANGE, -ENOMEM. */
int mvfs__crash_go(struct mvfs__crash *crash,
		   const struct mvfs_crash_state *state);

/* Exclusively: the points are that one, which begins as the present tree;
 * NULL: none. */
void mvfs__fs_track(struct mvfs__fs *fs, struct mvfs__point *start,
		    struct mvfs__bin *bin);

/* Takes the tree over as a snapshot of the view's instance, or drops it. */
int mvfs__fs_snapshot_of(mvfs *view, struct mvfs__still *still,
			 struct mvfs_snapshot **out);

#endif
