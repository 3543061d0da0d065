// SPDX-License-Identifier: MIT
/*
 * Bytes. Reading hands references to the file's own buffers to writev(2) of
 * /dev/fuse: this process copies nothing. Writing takes the bytes where
 * libfuse received them; splice(2) was rejected for both ways, for what is in
 * a pipe has to be copied out of it, too, and each of its calls costs more
 * than copying a page.
 */
#include <config.h>

#include "fuse/adapter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/uio.h>

#define EXTENTS 64
#define PIECES 128
/* Answers count in 32 bits; the kernel asks again for what is left. */
#define COPY_MAX 0x40000000

static const char zeros[64 * 1024];

/* Returns how many pieces, or 0 if they are too many. */
static size_t pieces_of(const struct mvfs_extent *extents, size_t count,
			struct iovec *pieces)
{
	size_t i, n = 0, len, left;
	const char *at;

	for (i = 0; i < count; i++) {
		at = extents[i].base;
		for (left = extents[i].len; left; left -= len) {
			if (n == PIECES)
				return 0;
			len = left;
			if (!extents[i].base && len > sizeof zeros)
				len = sizeof zeros;
			pieces[n].iov_base =
				(void *)(extents[i].base ? at : zeros);
			pieces[n++].iov_len = len;
			at += extents[i].base ? len : 0;
		}
	}
	return n;
}

/* For files that are crumbled: less than asked for would mean their end. */
static void read_copy(fuse_req_t req, struct mvfs_file *file, size_t size,
		      off_t offset)
{
	char *to = malloc(size);
	int64_t r;

	if (!to) {
		fuse_reply_err(req, ENOMEM);
		return;
	}
	r = mvfs_sys_read(mvfs__mount(req)->fs, file, to, size, offset);
	if (r < 0)
		fuse_reply_err(req, -r);
	else
		fuse_reply_buf(req, to, r);
	free(to);
}

/*
 * References to what is in the range, as many as fit; *covered tells how
 * many bytes that is. The library gives only so many at a time.
 */
static int64_t gather(mvfs *fs, struct mvfs_file *file, size_t size,
		      off_t offset, struct mvfs_extent *extents,
		      size_t *covered)
{
	size_t n = 0;
	int64_t i, r;

	*covered = 0;
	while (n < EXTENTS && *covered < size) {
		r = mvfs_sys_extents(fs, file, offset + *covered,
				     size - *covered, extents + n,
				     EXTENTS - n);
		if (r < 0) {
			mvfs_sys_extents_release(extents, n);
			return r;
		}
		/* The end of the file. */
		if (r == 0)
			return n;
		for (i = 0; i < r; i++)
			*covered += extents[n++].len;
	}
	return n;
}

void mvfs__op_read(fuse_req_t req, fuse_ino_t node, size_t size, off_t offset,
		   struct fuse_file_info *fi)
{
	struct mvfs_file *file = mvfs__file(fi);
	struct mvfs_extent extents[EXTENTS];
	struct iovec pieces[PIECES];
	size_t n = 0, covered;
	int64_t r;

	(void)node;
	r = gather(mvfs__mount(req)->fs, file, size, offset, extents,
		   &covered);
	if (r < 0) {
		fuse_reply_err(req, -r);
		return;
	}
	if (r < EXTENTS || covered == size)
		n = pieces_of(extents, r, pieces);
	if (n || !r)
		fuse_reply_iov(req, pieces, n);
	mvfs_sys_extents_release(extents, r);
	if (!n && r)
		read_copy(req, file, size, offset);
}

void mvfs__op_write(fuse_req_t req, fuse_ino_t node, const char *bytes,
		    size_t size, off_t offset, struct fuse_file_info *fi)
{
	struct mvfs__acting acting;
	int64_t r;

	mvfs__acting_writes(&acting, req, node);
	/* Pages stored through a mapping have their place, whatever the
	 * flags of the file by which they happen to come. */
	r = mvfs_sys_write(mvfs__mount(req)->fs, &acting.actor,
			   mvfs__file(fi), bytes, size, offset,
			   (fi->flags & O_APPEND) && !fi->writepage);
	mvfs__acting_end(&acting);
	if (r < 0)
		fuse_reply_err(req, -r);
	else
		fuse_reply_write(req, r);
}

void mvfs__op_fallocate(fuse_req_t req, fuse_ino_t node, int mode,
			off_t offset, off_t length, struct fuse_file_info *fi)
{
	struct mvfs__acting acting;
	int r;

	mvfs__acting_writes(&acting, req, node);
	r = mvfs_sys_fallocate(mvfs__mount(req)->fs, &acting.actor,
			       mvfs__file(fi), mode, offset, length);
	mvfs__acting_end(&acting);
	fuse_reply_err(req, -r);
}

void mvfs__op_lseek(fuse_req_t req, fuse_ino_t node, off_t offset, int whence,
		    struct fuse_file_info *fi)
{
	int64_t r;

	(void)node;
	r = mvfs_sys_seek(mvfs__mount(req)->fs, mvfs__file(fi), offset,
			  whence);
	if (r < 0)
		fuse_reply_err(req, -r);
	else
		fuse_reply_lseek(req, r);
}

void mvfs__op_copy_file_range(fuse_req_t req, fuse_ino_t in, off_t in_offset,
			      struct fuse_file_info *in_fi, fuse_ino_t out,
			      off_t out_offset, struct fuse_file_info *out_fi,
			      size_t len, int flags)
{
	struct mvfs__acting acting;
	int64_t r;

	(void)in;
	if (flags) {
		fuse_reply_err(req, EINVAL);
		return;
	}
	if (len > COPY_MAX)
		len = COPY_MAX;
	mvfs__acting_writes(&acting, req, out);
	r = mvfs_sys_copy_range(mvfs__mount(req)->fs, &acting.actor,
				mvfs__file(in_fi), in_offset,
				mvfs__file(out_fi), out_offset, len);
	mvfs__acting_end(&acting);
	if (r < 0)
		fuse_reply_err(req, -r);
	else
		fuse_reply_write(req, r);
}
