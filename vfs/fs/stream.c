/* SPDX-License-Identifier: MIT */
/* Data streams to and from files. */
#include "config.h"

#include <errno.h>

#include "vfs/content/string.h"
#include "vfs/fs/op.h"
#include "vfs/stream/stream.h"

/* A block, as write(2) writes. */
static int64_t write_fd(mvfs *fs, int fd, const void *from, size_t len)
{
	const struct mvfs_iovec iov = { (void *)(uintptr_t)from, len };
	const struct mvfs__from by = { fs, NULL };
	const struct mvfs__on on = { NULL, fd };

	return mvfs__fs_write(&by, &on, &iov, 1, MVFS__OWN_OFFSET,
			      MVFS__APPEND_BY_FLAG);
}

int mvfs__fs_data_out(const struct mvfs__from *from, int fd,
		      struct mvfs_data_out *out)
{
	return mvfs__data_out_begin(out, write_fd, from->view, fd);
}

int mvfs__fs_data_out_file(const struct mvfs__from *from,
			   const struct mvfs__at *at,
			   struct mvfs_data_out *out)
{
	struct mvfs__buffer *b;
	int rc = mvfs__data_out_buffer(out, &b);

	if (rc)
		return rc;
	if (b)
		mvfs__obj_retain(&b->obj);
	rc = mvfs__fs_write_buffer(from, at, b, 0, b ? b->used : 0);
	if (!rc)
		mvfs__data_out_empty(out);
	return rc;
}

int mvfs__fs_data_in(const struct mvfs__from *from, const struct mvfs__at *at,
		     struct mvfs_data_in *in)
{
	struct mvfs_string bytes;
	int rc = mvfs__fs_read_file(from, at, &bytes);

	if (!rc)
		mvfs__data_in_begin(in, bytes);
	return rc;
}
