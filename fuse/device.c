/* SPDX-License-Identifier: MIT */
/*
 * What passes between libfuse and /dev/fuse. It passes as it is, but for one
 * bit: libfuse 3.14 has FUSE_CAP_HANDLE_KILLPRIV and forgets it in its answer
 * to INIT. The kernel then takes setuid bits off itself, by a chmod in the
 * name of the writer, who need not be permitted one, so writing fails.
 */
#include <config.h>

#include "fuse/adapter.h"

#include <stddef.h>
#include <unistd.h>
#include <linux/fuse.h>
#include <sys/uio.h>

static void add_killpriv(struct iovec *iov, int count)
{
	struct fuse_init_out *out;

	if (count < 2 || iov[1].iov_len < offsetof(struct fuse_init_out, flags)
					  + sizeof out->flags)
		return;
	out = iov[1].iov_base;
	out->flags |= FUSE_HANDLE_KILLPRIV;
}

static ssize_t device_read(int fd, void *buf, size_t len, void *data)
{
	(void)data;
	return read(fd, buf, len);
}

/* Until INIT is answered the kernel sends nothing else, so what is written
 * first after mvfs__fuse_ops.init was called is the answer. */
static ssize_t device_writev(int fd, struct iovec *iov, int count, void *data)
{
	struct mvfs_mount *mount = data;

	if (atomic_load_explicit(&mount->answer_killpriv,
				 memory_order_relaxed) &&
	    atomic_exchange(&mount->answer_killpriv, 0))
		add_killpriv(iov, count);
	return writev(fd, iov, count);
}

int mvfs__device_give(struct mvfs_mount *mount, int fd)
{
	const struct fuse_custom_io io = {
		.read = device_read,
		.writev = device_writev,
	};

	return fuse_session_custom_io(mount->session, &io, fd);
}
