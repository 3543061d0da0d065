/* SPDX-License-Identifier: MIT */
/*
 * Files of the host (the kernel's) as strings.
 */
#ifndef MVFS__HOST_H
#define MVFS__HOST_H

#include <memvfs/text.h>

#include "vfs/base/base.h"

/*
 * mvfs_host_read_string(); arguments are valid. The size that fstat(2) tells
 * is a hint only: files that have none, grow or shrink are read to their end.
 * Errors are the kernel's, those of decoding, and -EFBIG or -ENOMEM; the
 * message names the path.
 */
int mvfs__host_read_string(int dirfd, const char *path,
			   const struct mvfs_charset *cs, unsigned flags,
			   struct mvfs_string *out, struct mvfs_error *error);

#endif
