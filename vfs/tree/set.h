/* SPDX-License-Identifier: MIT */
/* What a change of attributes sets: MVFS_SET_* of memvfs/sys.h, and two. */
#ifndef MVFS__SET_H
#define MVFS__SET_H

enum {
	MVFS__SET_MODE = 1,
	MVFS__SET_UID = 2,
	MVFS__SET_GID = 4,
	MVFS__SET_SIZE = 8,
	MVFS__SET_ATIME = 16,
	MVFS__SET_MTIME = 32,
	MVFS__SET_CHOWN = 64, /* a chown, even if it sets neither id */
	MVFS__SET_TOUCH = 128 /* both times now: writing is enough for it */
};

#endif
