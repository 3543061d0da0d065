/* SPDX-License-Identifier: MIT */
/*
 * memvfs: an in-memory file system as a library. This header is all of the
 * first tier; memvfs/sys.h is the second, for adapters such as mounts.
 *
 *     instance.h  make, clone and end file systems; users, limits, clock
 *     file.h      descriptors: open, read, write, seek, ranges
 *     fopen.h     files as streams of <stdio.h>
 *     io.h        file calls as a parameter
 *     route.h     paths of unchanged code that lead to a tree
 *     path.h      names and attributes
 *     xattrs.h    extended attributes
 *     locks.h     advisory locks
 *     listing.h   directories and trees
 *     charset.h   charsets by name
 *     text.h      owned strings
 *     whole.h     whole files as strings and as bytes
 *     snapshot.h  a clean slate: the tree as it was
 *     fault.h     any failure on demand
 *     log.h       which calls were made, and whether they should have been
 *     report.h    what stays open, and what is closed twice; places.h, which
 *                 is not part of this one, says where that was opened
 *     diff.h      what differs between two trees
 *     mtree.h     trees as text: made, expected, written down
 *     stats.h     what the library has done, by count
 *     data.h      numbers and texts as bytes, as Java has them
 *     arena.h     memory that is freed all at once
 *     scratch.h   memory for intermediate results
 *
 * Results. Every call returns 0, a count, an offset or a descriptor, or, on
 * failure, a negative errno; `errno` itself is not used. mvfs_errno_name()
 * names it. What a call stores by pointer comes last among its arguments and
 * is written on success only. A call that fails has changed nothing, unless
 * its comment says otherwise.
 *
 * Ownership. What a program passes stays its own and is not used after the
 * call, except by calls with _adopt and _borrow in their names. What it gets
 * (views, descriptors, listings, strings) is its own until it gives it back
 * by the call that each comment names. Option structs begin with their size,
 * so that they can grow; {0} with size set is always valid.
 *
 * Threads. Every call may be made on any thread at any time, unless the
 * instance was made with MVFS_CONFINED. Callbacks are made with no lock held.
 *
 * Links with `pkg-config --libs memvfs`; memvfs(3) is the overview.
 */
#ifndef MEMVFS_MEMVFS_H
#define MEMVFS_MEMVFS_H

#include <memvfs/types.h>
#include <memvfs/instance.h>
#include <memvfs/file.h>
#include <memvfs/fopen.h>
#include <memvfs/io.h>
#include <memvfs/path.h>
#include <memvfs/xattrs.h>
#include <memvfs/locks.h>
#include <memvfs/listing.h>
#include <memvfs/charset.h>
#include <memvfs/text.h>
#include <memvfs/whole.h>
#include <memvfs/route.h>
#include <memvfs/snapshot.h>
#include <memvfs/fault.h>
#include <memvfs/log.h>
#include <memvfs/crash.h>
#include <memvfs/report.h>
#include <memvfs/diff.h>
#include <memvfs/mtree.h>
#include <memvfs/stats.h>
#include <memvfs/data.h>
#include <memvfs/arena.h>
#include <memvfs/scratch.h>

#endif
