/* SPDX-License-Identifier: MIT */
/* Operations that are more than one system call for the kernel. */
#include "config.h"

#include "kernel.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef SYS_faccessat2
#define SYS_faccessat2 439
#endif
#ifndef FICLONE
#define FICLONE _IOW(0x94, 9, int)
#endif

static struct mvfs_time time_of(struct statx_timestamp ts)
{
	return (struct mvfs_time){ ts.tv_sec, (int32_t)ts.tv_nsec, 0 };
}

bool kernel_statx(int at, const char *path, int flags, struct statx *x)
{
	return statx(at, path, flags, STATX_BASIC_STATS, x) == 0;
}

int64_t kernel_stat(int at, const char *path, int flags,
		    struct result *result)
{
	struct statx x;

	if (statx(at, path, flags, STATX_BASIC_STATS | STATX_BTIME, &x) < 0)
		return -errno;
	result->has_stat = true;
	result->st = (struct mvfs_stat){
		.ino = x.stx_ino,
		.mode = x.stx_mode,
		.nlink = x.stx_nlink,
		.uid = x.stx_uid,
		.gid = x.stx_gid,
		.rdev = makedev(x.stx_rdev_major, x.stx_rdev_minor),
		.size = x.stx_size,
		.blocks = x.stx_blocks,
		.blksize = x.stx_blksize,
		.atime = time_of(x.stx_atime),
		.mtime = time_of(x.stx_mtime),
		.ctime = time_of(x.stx_ctime)
	};
	return 0;
}

/*
 * LEGAL_OPEN_SPECIAL: what memvfs says to opening a fifo, socket or device;
 * the kernel would wait, or ask a driver. 0: it is none.
 */
static int open_special(int at, const char *path, int flags)
{
	int fd, need, ret = 0;
	struct statx x;

	if ((flags & (O_PATH | O_DIRECTORY)) ||
	    (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
		return 0;
	fd = openat(at, path, O_PATH | O_CLOEXEC | (flags & O_NOFOLLOW));
	if (fd < 0)
		return 0;
	if (kernel_statx(fd, "", AT_EMPTY_PATH, &x) && !S_ISREG(x.stx_mode) &&
	    !S_ISDIR(x.stx_mode) && !S_ISLNK(x.stx_mode)) {
		need = (flags & O_ACCMODE) == O_RDONLY	 ? R_OK
		       : (flags & O_ACCMODE) == O_WRONLY ? W_OK
							 : R_OK | W_OK;
		if (flags & O_TRUNC)
			need |= W_OK;
		ret = syscall(SYS_faccessat2, fd, "", need,
			      AT_EMPTY_PATH | AT_EACCESS) < 0 ? -errno : -ENXIO;
	}
	close(fd);
	return ret;
}

int64_t kernel_open(int at, const char *path, int flags, uint32_t mode)
{
	int ret = open_special(at, path, flags);

	if (ret == 0)
		ret = openat(at, path, flags, mode);
	else
		return ret;
	return ret < 0 ? -errno : ret - KERNEL_FD;
}

int64_t kernel_vector(const struct op *op, int fd, struct result *result)
{
	static struct iovec spare[IOV_SPARE];
	size_t share, at = 0;
	struct iovec *iov = spare, own[8];
	bool writes = op->code == OP_WRITEV || op->code == OP_PWRITEV;
	bool at_offset = op->code == OP_PREADV || op->code == OP_PWRITEV;
	ssize_t ret;
	int i;

	if (writes)
		data_fill(result->out, (size_t)op->len, op->fill);
	if (op->count > 0 && op->count <= 8) {
		share = (size_t)op->len / (size_t)op->count;
		iov = own;
		for (i = 0; i < op->count; i++, at += share) {
			own[i].iov_base = result->out + at;
			own[i].iov_len = i + 1 < op->count
						 ? share
						 : (size_t)op->len - at;
		}
	}
	if (at_offset)
		ret = writes ? pwritev(fd, iov, op->count, op->off)
			     : preadv(fd, iov, op->count, op->off);
	else
		ret = writes ? writev(fd, iov, op->count)
			     : readv(fd, iov, op->count);
	if (!writes && ret > 0)
		result->len = (size_t)ret;
	return kernel_ret(ret);
}

/* Whether blocks are reserved that hold no data. */
static bool has_reserved(int fd)
{
	int64_t here = lseek(fd, 0, SEEK_CUR), at, end = 0, blocks = 0;
	struct statx x;

	while ((at = lseek(fd, end, SEEK_DATA)) >= 0) {
		end = lseek(fd, at, SEEK_HOLE);
		if (end <= at)
			break; /* LEGAL_LAST_PAGE */
		blocks += (end - 1) / 4096 + 1 - at / 4096;
	}
	lseek(fd, here, SEEK_SET);
	return kernel_statx(fd, "", AT_EMPTY_PATH, &x) &&
	       blocks * 8 != (int64_t)x.stx_blocks;
}

/* LEGAL_ZERO_RANGE: tmpfs has none, but all that it consists of. */
int64_t kernel_fallocate(const struct op *op, int fd, struct result *result)
{
	const int keep = FALLOC_FL_KEEP_SIZE;
	int64_t off = op->off, len = op->len;
	int mode = op->flags, ret;

	result->holes = has_reserved(fd);
	ret = fallocate(fd, mode, off, len);
	if (ret == 0 || errno != EOPNOTSUPP ||
	    (mode & ~keep) != FALLOC_FL_ZERO_RANGE)
		return kernel_ret(ret);
	if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | keep, off, len) < 0)
		return -errno;
	return kernel_ret(fallocate(fd, mode & keep, off, len));
}

static bool has_holes(int fd, int64_t from, int64_t to)
{
	int64_t here = lseek(fd, 0, SEEK_CUR);
	int64_t hole = lseek(fd, from, SEEK_HOLE);

	lseek(fd, here, SEEK_SET);
	return hole >= 0 && hole < to;
}

int64_t kernel_copy_range(const struct op *op, struct result *result)
{
	int in = kernel_fd(op->fd[0]), out = kernel_fd(op->fd[1]);
	int64_t offsets[2] = { op->off, op->off2 };
	ssize_t ret;

	ret = copy_file_range(in, op->no_off ? NULL : &offsets[0], out,
			      op->no_off2 ? NULL : &offsets[1],
			      (size_t)op->len, (unsigned)op->xflags);
	if (ret < 0)
		return -errno;
	if (ret > 0) {
		int64_t end = op->no_off ? lseek(in, 0, SEEK_CUR) : offsets[0];

		/* Of one file, the copy itself may have filled them. */
		result->holes = has_holes(in, end - ret, end) ||
				has_holes(in, 0, INT64_MAX);
	}
	memcpy(result->out, offsets, sizeof(offsets));
	result->len = sizeof(offsets);
	return ret;
}

static int64_t copy_data(int from, int to, int64_t size)
{
	int64_t at, end = 0, here = lseek(from, 0, SEEK_CUR);
	char *buffer = malloc(BUFFER);
	ssize_t got;

	if (!buffer)
		abort();
	while ((at = lseek(from, end, SEEK_DATA)) >= 0) {
		end = lseek(from, at, SEEK_HOLE);
		if (end <= at)
			abort();
		for (; at < end; at += got) {
			got = pread(from, buffer,
				    end - at > BUFFER ? BUFFER
						      : (size_t)(end - at),
				    at);
			if (got <= 0 ||
			    pwrite(to, buffer, (size_t)got, at) != got)
				abort();
		}
	}
	free(buffer);
	lseek(from, here, SEEK_SET);
	return kernel_ret(ftruncate(to, size));
}

/* LEGAL_CLONE_FILE */
int64_t kernel_clone_file(int from, int to)
{
	struct statx x, other;

	if (ioctl(to, FICLONE, from) == 0)
		return 0;
	if (errno != EOPNOTSUPP && errno != ENOTTY)
		return -errno;
	if (!kernel_statx(from, "", AT_EMPTY_PATH, &x) ||
	    !kernel_statx(to, "", AT_EMPTY_PATH, &other))
		return -errno;
	if (x.stx_ino == other.stx_ino || x.stx_size > LAST_PAGE ||
	    has_reserved(from))
		return NOT_DONE;
	if (ftruncate(to, 0) < 0)
		return -errno;
	return copy_data(from, to, (int64_t)x.stx_size);
}

int64_t kernel_list(int at, const char *path, struct result *result)
{
	struct {
		uint64_t ino, off;
		uint16_t len;
		uint8_t type;
		char name[256 + 8];
	} *entry;
	static _Thread_local _Alignas(8) char buffer[32768];
	int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int64_t ret;
	size_t size;
	long got, i;

	result->len = 0;
	if (fd < 0)
		return -errno;
	while ((got = syscall(SYS_getdents64, fd, buffer, sizeof(buffer))) > 0)
		for (i = 0; i < got; i += entry->len) {
			entry = (void *)(buffer + i);
			size = strlen(entry->name) + 1;
			if (!strcmp(entry->name, ".") ||
			    !strcmp(entry->name, "..") ||
			    result->len + size + 1 > BUFFER)
				continue;
			result->out[result->len++] = entry->type;
			memcpy(result->out + result->len, entry->name, size);
			result->len += size;
		}
	/* Of a removed directory; readdir(3) calls that the end. */
	ret = got < 0 && errno == ENOENT ? 0 : kernel_ret(got);
	close(fd);
	list_sort(result, 1);
	return ret;
}

int64_t kernel_realpath(const char *path, struct result *result, size_t len)
{
	static const char gone[] = " (deleted)";
	int fd = open(path, O_PATH | O_CLOEXEC);
	char number[16];
	ssize_t got;

	if (fd < 0)
		return -errno;
	snprintf(number, sizeof(number), "%d", fd);
	got = readlinkat(FD_PROC, number, (char *)result->out, 8192);
	if (got < 0)
		got = -errno;
	close(fd);
	if (got < 0)
		return got;
	if (got > (ssize_t)strlen(gone) &&
	    !memcmp(result->out + got - strlen(gone), gone, strlen(gone)))
		return -ENOENT;
	if ((size_t)got + 1 > len)
		return -ERANGE;
	result->len = (size_t)got;
	return got;
}

int64_t kernel_lock(const struct op *op, int fd, struct result *result)
{
	bool ofd = op->xflags & 1, get = op->code == OP_GETLK;
	struct flock lock = { .l_type = (short)op->mode,
			      .l_whence = (short)op->whence,
			      .l_start = op->off,
			      .l_len = op->len };
	int64_t out[4];

	if (fcntl(fd,
		  get ? (ofd ? F_OFD_GETLK : F_GETLK)
		      : (ofd ? F_OFD_SETLK : F_SETLK),
		  &lock) < 0)
		return errno == EACCES ? -EAGAIN : -errno;
	if (get) {
		out[0] = lock.l_type;
		out[1] = lock.l_whence;
		out[2] = lock.l_start;
		out[3] = lock.l_len;
		result->len = lock.l_type == F_UNLCK ? 8 : sizeof(out);
		memcpy(result->out, out, result->len);
	}
	return 0;
}
