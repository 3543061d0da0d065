/* SPDX-License-Identifier: MIT */
/* memvfs/whole.h: what reads the host's files. */
#include "config.h"

#include <memvfs/whole.h>

#include <errno.h>

#include "vfs/base/error.h"
#include "vfs/content/host.h"

int mvfs_host_read_string(int dirfd, const char *path,
			  const struct mvfs_charset *charset, unsigned flags,
			  struct mvfs_string *string, struct mvfs_error *error)
{
	if (!path || !string)
		return mvfs__fail(error, -EINVAL, 0, 0, "no %s",
				  path ? "place to put the string" : "path");
	if (flags & ~MVFS_REPLACE)
		return mvfs__fail(error, -EINVAL, 0, 0,
				  "unknown flags 0x%x; MVFS_REPLACE is known",
				  flags & ~MVFS_REPLACE);
	return mvfs__host_read_string(dirfd, path, charset, flags, string,
				      error);
}
