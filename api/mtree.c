/* SPDX-License-Identifier: MIT */
/* memvfs/mtree.h */
#include "config.h"

#include <memvfs/mtree.h>

#include <string.h>

#include "api/args.h"
#include "vfs/base/error.h"

static int check(const mvfs *fs, const char *text, struct mvfs_error *error)
{
	if (mvfs__likely(fs && text))
		return 0;
	return mvfs__fail(error, fs ? -EFAULT : -EINVAL, 0, 0, "no %s",
			  fs ? "text" : "file system");
}

int mvfs_build(mvfs *fs, const char *text, struct mvfs_error *error)
{
	int rc = check(fs, text, error);

	return rc ? rc : mvfs__fs_build(fs, text, strlen(text), error);
}

int mvfs_expect(mvfs *fs, const char *text, struct mvfs_error *error)
{
	int rc = check(fs, text, error);

	return rc ? rc : mvfs__fs_expect(fs, text, strlen(text), error);
}

int mvfs_dump(mvfs *fs, unsigned flags, struct mvfs_string *text)
{
	int rc = mvfs__check(fs, text);

	if (!rc && (flags & ~(MVFS_DUMP_DATA | MVFS_DUMP_TIMES)))
		rc = -EINVAL;
	return rc ? rc : mvfs__fs_dump(fs, flags, text);
}
