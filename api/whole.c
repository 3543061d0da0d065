/* SPDX-License-Identifier: MIT */
/* memvfs/whole.h; but for host files, which are in host.c */
#include "config.h"

#include <memvfs/whole.h>

#include "api/args.h"
#include "vfs/base/error.h"

int mvfs_read_string(mvfs *fs, const char *path,
		     const struct mvfs_charset *charset, unsigned flags,
		     struct mvfs_string *string, struct mvfs_error *error)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = mvfs__at(MVFS_AT_FDCWD, path);
	int rc = mvfs__check_said(fs, path, error);

	if (!rc)
		rc = mvfs__check_text(NULL, 0, flags, MVFS__DECODE_FLAGS,
				      string, error);
	return rc ? rc : mvfs__fs_read_string(&from, &at, NULL, charset, flags,
					      string, error);
}

int mvfs_fread_string(mvfs *fs, int fd, const struct mvfs_charset *charset,
		      unsigned flags, struct mvfs_string *string,
		      struct mvfs_error *error)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = mvfs__on(fd);
	int rc = mvfs__check_said(fs, "", error);

	if (!rc)
		rc = mvfs__check_text(NULL, 0, flags, MVFS__DECODE_FLAGS,
				      string, error);
	return rc ? rc : mvfs__fs_read_string(&from, NULL, &on, charset, flags,
					      string, error);
}

/* What both calls for lines check. */
static int check_lines(mvfs *fs, const void *path, unsigned flags,
		       const struct mvfs_lines *lines,
		       struct mvfs_error *error)
{
	int rc = mvfs__check_said(fs, path, error);

	return rc ? rc : mvfs__check_text(NULL, 0, flags, MVFS__DECODE_FLAGS,
					  lines ? &lines->text : NULL, error);
}

int mvfs_read_lines(mvfs *fs, const char *path,
		    const struct mvfs_charset *charset, unsigned flags,
		    uint64_t first, uint64_t count, struct mvfs_lines *lines,
		    struct mvfs_error *error)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = mvfs__at(MVFS_AT_FDCWD, path);
	int rc = check_lines(fs, path, flags, lines, error);

	return rc ? rc : mvfs__fs_read_lines(&from, &at, NULL, charset, flags,
					     first, count, lines, error);
}

int mvfs_fread_lines(mvfs *fs, int fd, const struct mvfs_charset *charset,
		     unsigned flags, uint64_t first, uint64_t count,
		     struct mvfs_lines *lines, struct mvfs_error *error)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = mvfs__on(fd);
	int rc = check_lines(fs, "", flags, lines, error);

	return rc ? rc : mvfs__fs_read_lines(&from, NULL, &on, charset, flags,
					     first, count, lines, error);
}

static int check_string(mvfs *fs, const char *path,
			const struct mvfs_string *string,
			struct mvfs_error *error)
{
	int rc = mvfs__check_said(fs, path, error);

	if (!rc && (!string || (string->len && !string->data)))
		rc = mvfs__fail(error, -EFAULT, 0, 0, "no string");
	return rc;
}

int mvfs_write_string(mvfs *fs, const char *path,
		      const struct mvfs_string *string,
		      const struct mvfs_charset *charset,
		      struct mvfs_error *error)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = mvfs__at(MVFS_AT_FDCWD, path);
	int rc = check_string(fs, path, string, error);

	return rc ? rc : mvfs__fs_write_string(&from, &at, string, charset,
					       error);
}

int mvfs_append_string(mvfs *fs, const char *path,
		       const struct mvfs_string *string,
		       const struct mvfs_charset *charset,
		       struct mvfs_error *error)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = mvfs__at(MVFS_AT_FDCWD, path);
	int rc = check_string(fs, path, string, error);

	return rc ? rc : mvfs__fs_append_string(&from, &at, string, charset,
						error);
}

int mvfs_read_file(mvfs *fs, const char *path, struct mvfs_string *bytes)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = mvfs__at(MVFS_AT_FDCWD, path);
	int rc = mvfs__check(fs, path);

	if (!rc && !bytes)
		rc = -EFAULT;
	return rc ? rc : mvfs__fs_read_file(&from, &at, bytes);
}

int mvfs_write_file(mvfs *fs, const char *path, const void *bytes, size_t len)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = mvfs__at(MVFS_AT_FDCWD, path);
	int rc = mvfs__check(fs, path);

	if (!rc && len && !bytes)
		rc = -EFAULT;
	return rc ? rc : mvfs__fs_write_file(&from, &at, bytes, len);
}

int mvfs_write_adopt(mvfs *fs, const char *path, void *bytes, size_t len,
		     mvfs_free_fn *free_fn, void *ctx)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = mvfs__at(MVFS_AT_FDCWD, path);
	int rc = mvfs__check(fs, path);

	if (!rc && len && !bytes)
		rc = -EFAULT;
	return rc ? rc : mvfs__fs_write_adopt(&from, &at, bytes, len, free_fn,
					      ctx);
}
