/* SPDX-License-Identifier: MIT */
/* memvfs/whole.h: what reads the host's files. */
#include "config.h"

#include <memvfs/whole.h>

#include "api/args.h"
#include "vfs/base/error.h"
#include "vfs/content/host.h"

int mvfs_host_read_string(int dirfd, const char *path,
			  const struct mvfs_charset *charset, unsigned flags,
			  struct mvfs_string *string, struct mvfs_error *error)
{
	int ret = mvfs__check_text(NULL, 0, flags, MVFS__DECODE_FLAGS,
				   string, error);

	if (ret)
		return ret;
	if (!path)
		return mvfs__fail(error, -EFAULT, 0, 0, "no path");
	return mvfs__host_read_string(dirfd, path, charset, flags, string,
				      error);
}
