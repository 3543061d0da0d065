/* SPDX-License-Identifier: MIT */
/* memvfs/data.h, but for what is inline */
#include "config.h"

#include <memvfs/data.h>

#include "api/args.h"
#include "vfs/content/string.h"
#include "vfs/stream/stream.h"

int mvfs_data_do_open(struct mvfs_data_out *out, mvfs *fs, int fd)
{
	const struct mvfs__from from = mvfs__by(fs);

	return fs ? mvfs__fs_data_out(&from, fd, out) : -EINVAL;
}

uint64_t mvfs_data_do_size(const struct mvfs_data_out *out)
{
	return mvfs__data_out_size(out);
}

int mvfs_data_do_flush(struct mvfs_data_out *out)
{
	return mvfs__data_out_flush(out);
}

int mvfs_data_do_string(struct mvfs_data_out *out, struct mvfs_string *bytes)
{
	return bytes ? mvfs__data_out_string(out, bytes) : -EFAULT;
}

int mvfs_data_do_file(struct mvfs_data_out *out, mvfs *fs, const char *path)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = mvfs__at(MVFS_AT_FDCWD, path);
	int rc = mvfs__check(fs, path);

	return rc ? rc : mvfs__fs_data_out_file(&from, &at, out);
}

int mvfs_data_do_reset(struct mvfs_data_out *out)
{
	return mvfs__data_out_reset(out);
}

int mvfs_data_do_close(struct mvfs_data_out *out)
{
	return mvfs__data_out_close(out);
}

int mvfs_data_do_more(struct mvfs_data_out *out, size_t size)
{
	return mvfs__data_out_more(out, size);
}

int mvfs_data_do_bytes(struct mvfs_data_out *out, const void *bytes,
		       size_t len)
{
	if (len && !bytes)
		return mvfs__data_out_fail(out, -EFAULT);
	return mvfs__data_put_bytes(out, bytes, len);
}

/* Of numbers in an array. */
static int check_array(const void *values, size_t count, unsigned width)
{
	if (width != 2 && width != 4 && width != 8)
		return -EINVAL;
	return count && !values ? -EFAULT : 0;
}

int mvfs_data_do_array(struct mvfs_data_out *out, const void *values,
		       size_t count, unsigned width, int little)
{
	int rc = check_array(values, count, width);

	if (rc)
		return mvfs__data_out_fail(out, rc);
	return mvfs__data_put_array(out, values, count, width, little);
}

int mvfs_data_do_utf(struct mvfs_data_out *out, const char *utf8, size_t len,
		     struct mvfs_error *error)
{
	if (len && !utf8)
		return mvfs__data_out_fail(out, -EFAULT);
	return mvfs__data_put_utf(out, utf8, len, error);
}

int mvfs_data_do_units(struct mvfs_data_out *out, const char *utf8,
		       size_t len, int low, struct mvfs_error *error)
{
	if (len && !utf8)
		return mvfs__data_out_fail(out, -EFAULT);
	return mvfs__data_put_units(out, utf8, len, low, error);
}

int mvfs_data_in_string(struct mvfs_data_in *in,
			const struct mvfs_string *bytes)
{
	if (!in || !bytes)
		return -EFAULT;
	mvfs__data_in_begin(in, mvfs__string_share(bytes));
	return 0;
}

int mvfs_data_in_file(struct mvfs_data_in *in, mvfs *fs, const char *path)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = mvfs__at(MVFS_AT_FDCWD, path);
	int rc = mvfs__check(fs, path);

	if (!rc && !in)
		rc = -EFAULT;
	return rc ? rc : mvfs__fs_data_in(&from, &at, in);
}

void mvfs_data_in_close(struct mvfs_data_in *in)
{
	if (in)
		mvfs__data_in_close(in);
}

int mvfs_data_in_seek(struct mvfs_data_in *in, size_t position)
{
	return mvfs__data_in_seek(in, position);
}

int mvfs_data_get_bytes(struct mvfs_data_in *in, void *bytes, size_t len)
{
	if (len && !bytes)
		return mvfs__data_in_fail(in, -EFAULT);
	return mvfs__data_get_bytes(in, bytes, len);
}

int mvfs_data_get_array(struct mvfs_data_in *in, void *values, size_t count,
			unsigned width, int little)
{
	int rc = check_array(values, count, width);

	if (rc)
		return mvfs__data_in_fail(in, rc);
	return mvfs__data_get_array(in, values, count, width, little);
}

int mvfs_data_get_string(struct mvfs_data_in *in, size_t len,
			 struct mvfs_string *bytes)
{
	if (!bytes)
		return mvfs__data_in_fail(in, -EFAULT);
	return mvfs__data_get_string(in, len, bytes);
}

int mvfs_data_get_utf(struct mvfs_data_in *in, struct mvfs_string *text,
		      struct mvfs_error *error)
{
	if (!text)
		return mvfs__data_in_fail(in, -EFAULT);
	return mvfs__data_get_utf(in, text, error);
}

int mvfs_data_get_line(struct mvfs_data_in *in, struct mvfs_string *line)
{
	if (!line)
		return mvfs__data_in_fail(in, -EFAULT);
	return mvfs__data_get_line(in, line);
}
