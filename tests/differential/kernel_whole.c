/* SPDX-License-Identifier: MIT */
/* Extended attributes, whole files, and the order of lists. */
#include "config.h"

#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

/* New in Linux 6.13; the numbers are those of every architecture. */
enum {
	NR_setxattrat = 463,
	NR_getxattrat,
	NR_listxattrat,
	NR_removexattrat
};

struct xattr_args {
	_Alignas(8) uint64_t value;
	uint32_t size, flags;
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void list_sort(struct result *result, size_t skip)
{
	char *copy = malloc(result->len + 1), **names;
	size_t count = 0, at, len;

	names = malloc((result->len / 2 + 1) * sizeof(*names));
	if (!copy || !names)
		abort();
	memcpy(copy, result->out, result->len);
	for (at = 0; at < result->len; at += strlen(copy + at) + 1) {
		at += skip;
		names[count++] = copy + at;
	}
	qsort(names, count, sizeof(*names), compare_names);
	for (at = 0, result->len = 0; at < count; at++) {
		len = strlen(names[at]) + 1 + skip;
		memcpy(result->out + result->len, names[at] - skip, len);
		result->len += len;
	}
	free(names);
	free(copy);
}

/* Whether the call is for a path from the current directory, as in 1999. */
static bool is_plain(const struct op *op)
{
	return op->path[0] && op->fd[0] == AT_FDCWD &&
	       !(op->flags & ~AT_SYMLINK_NOFOLLOW);
}

static int64_t set_attribute(const struct op *op, void *value)
{
	struct xattr_args args = { (uintptr_t)value, (uint32_t)op->len,
				   (uint32_t)op->xflags };
	size_t len = (size_t)op->len;

	data_fill(value, len, op->fill);
	if (!op->path[0])
		return fsetxattr(kernel_fd(op->fd[0]), op->name, value, len,
				 op->xflags);
	if (is_plain(op))
		return op->flags ? lsetxattr(op->path[0], op->name, value,
					     len, op->xflags)
				 : setxattr(op->path[0], op->name, value, len,
					    op->xflags);
	return syscall(NR_setxattrat, kernel_fd(op->fd[0]), op->path[0],
		       op->flags, op->name, &args, sizeof(args));
}

static int64_t get_attribute(const struct op *op, void *value)
{
	struct xattr_args args = { (uintptr_t)value, (uint32_t)op->len, 0 };
	size_t len = (size_t)op->len;

	if (!op->path[0])
		return fgetxattr(kernel_fd(op->fd[0]), op->name, value, len);
	if (is_plain(op))
		return op->flags
			       ? lgetxattr(op->path[0], op->name, value, len)
			       : getxattr(op->path[0], op->name, value, len);
	return syscall(NR_getxattrat, kernel_fd(op->fd[0]), op->path[0],
		       op->flags, op->name, &args, sizeof(args));
}

static int64_t list_attributes(const struct op *op, char *names)
{
	size_t len = (size_t)op->len;

	if (!op->path[0])
		return flistxattr(kernel_fd(op->fd[0]), names, len);
	if (is_plain(op))
		return op->flags ? llistxattr(op->path[0], names, len)
				 : listxattr(op->path[0], names, len);
	return syscall(NR_listxattrat, kernel_fd(op->fd[0]), op->path[0],
		       op->flags, names, len);
}

static int64_t remove_attribute(const struct op *op)
{
	if (!op->path[0])
		return fremovexattr(kernel_fd(op->fd[0]), op->name);
	if (is_plain(op))
		return op->flags ? lremovexattr(op->path[0], op->name)
				 : removexattr(op->path[0], op->name);
	return syscall(NR_removexattrat, kernel_fd(op->fd[0]), op->path[0],
		       op->flags, op->name);
}

static int64_t attribute(const struct op *op, struct result *result)
{
	int64_t ret;

	switch (op->code) {
	case OP_SETXATTR:
	case OP_FSETXATTR:
	case OP_SETXATTRAT:
		return kernel_ret(set_attribute(op, result->out));
	case OP_GETXATTR:
	case OP_FGETXATTR:
	case OP_GETXATTRAT:
		ret = kernel_ret(get_attribute(op, result->out));
		result->len = ret > 0 && op->len ? (size_t)ret : 0;
		return ret;
	case OP_LISTXATTR:
	case OP_FLISTXATTR:
	case OP_LISTXATTRAT:
		ret = kernel_ret(list_attributes(op, (char *)result->out));
		result->len = ret > 0 && op->len ? (size_t)ret : 0;
		list_sort(result, 0);
		return ret;
	case OP_REMOVEXATTR:
	case OP_FREMOVEXATTR:
	case OP_REMOVEXATTRAT:
		return kernel_ret(remove_attribute(op));
	default:
		abort();
	}
}

int64_t kernel_xattr(struct side *side, const struct op *op,
		     struct result *result)
{
	const struct kernel *k = side->own;
	struct op plain = *op;
	int64_t ret;

	if (!op->path[0] && op->fd[0] < 0)
		return -EBADF; /* AT_FDCWD is let pass from 6.13 on */
	if (!op->path[0] || is_plain(op) || k->xattrat)
		return attribute(op, result);
	/*
	 * Older kernels have no such calls for directory descriptors; they
	 * would look at the other arguments first, as with a path of "".
	 */
	if (op->flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))
		return -EINVAL;
	plain.fd[0] = AT_FDCWD;
	plain.path[0] = "";
	ret = attribute(&plain, result);
	if (ret != -ENOENT || !*op->path[0])
		return ret;
	if (strlen(op->path[0]) >= PATH_MAX)
		return -ENAMETOOLONG;
	if (op->path[0][0] != '/' && fchdir(kernel_fd(op->fd[0])) < 0)
		return -errno;
	plain.path[0] = op->path[0];
	ret = attribute(&plain, result);
	kernel_return(side, op->user);
	return ret;
}

/* From the beginning, leaving the offset alone. */
static int64_t read_whole(int fd, struct result *result)
{
	struct statx x;
	ssize_t got;

	if (kernel_statx(fd, "", AT_EMPTY_PATH, &x) && x.stx_size > WHOLE_MAX)
		return NOT_DONE;
	while ((got = pread(fd, result->out + result->len,
			    BUFFER - result->len, (off_t)result->len)) > 0)
		result->len += (size_t)got;
	return got < 0 ? -errno : 0;
}

static int64_t read_path(const char *path, struct result *result)
{
	int64_t fd, ret;
	struct statx x;

	/* Before it is opened: closing it would end record locks. */
	if (kernel_statx(AT_FDCWD, path, 0, &x) && x.stx_size > WHOLE_MAX)
		return NOT_DONE;
	fd = kernel_open(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return fd;
	ret = read_whole(kernel_fd((int)fd), result);
	close(kernel_fd((int)fd));
	return ret;
}

static int64_t write_path(const char *path, struct result *result)
{
	int64_t fd = kernel_open(AT_FDCWD, path,
				 O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
				 0666);
	int64_t ret;

	if (fd < 0)
		return fd;
	ret = kernel_ret(write(kernel_fd((int)fd), result->out, result->len));
	close(kernel_fd((int)fd));
	return ret < 0 ? ret : 0;
}

int64_t kernel_whole(const struct op *op, struct result *result)
{
	int64_t ret;

	if (op->code == OP_WRITE_FILE) {
		result->len = (size_t)op->len;
		data_fill(result->out, result->len, op->fill);
		ret = write_path(op->path[0], result);
		result->len = 0;
		return ret;
	}
	if (op->code == OP_FREAD_STRING)
		ret = read_whole(kernel_fd(op->fd[0]), result);
	else
		ret = read_path(op->path[0], result);
	if (ret == 0 && op->code != OP_READ_FILE &&
	    !data_is_utf8(result->out, result->len))
		ret = -EILSEQ;
	if (ret == 0 && op->code == OP_COPY_STRING)
		ret = write_path(op->path[1], result);
	if (ret < 0)
		result->len = 0;
	return ret;
}
