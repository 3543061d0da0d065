/* SPDX-License-Identifier: MIT */
/*
 * memvfs: an in-memory file system as a library. This header is all of the
 * first tier; memvfs/sys.h is the second, for adapters.
 *
 * Every call returns 0, a count or a descriptor, or a negative errno;
 * out-parameters come last and are written on success only. Every call is
 * thread-safe unless the instance was made with MVFS_CONFINED.
 */
#ifndef MEMVFS_MEMVFS_H
#define MEMVFS_MEMVFS_H

#include <memvfs/types.h>
#include <memvfs/instance.h>
#include <memvfs/file.h>
#include <memvfs/path.h>
#include <memvfs/xattrs.h>
#include <memvfs/locks.h>
#include <memvfs/listing.h>
#include <memvfs/text.h>
#include <memvfs/whole.h>

#endif
