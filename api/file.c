/* SPDX-License-Identifier: MIT */
/* memvfs/file.h */
#include "config.h"

#include <memvfs/file.h>

#include <unistd.h>

#include "api/args.h"

int mvfs_openat(mvfs *fs, int dirfd, const char *path, int flags,
		uint32_t mode)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = mvfs__at(dirfd, path);
	const struct mvfs__opening how = { .flags = flags, .mode = mode };
	struct mvfs__opened opened;
	int rc = mvfs__check(fs, path);

	if (!rc)
		rc = mvfs__check_open(flags);
	if (!rc)
		rc = mvfs__fs_open(&from, &at, &how, &opened);
	return rc ? rc : opened.fd;
}

int mvfs_open(mvfs *fs, const char *path, int flags, uint32_t mode)
{
	return mvfs_openat(fs, MVFS_AT_FDCWD, path, flags, mode);
}

int mvfs_close(mvfs *fs, int fd)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = mvfs__on(fd);

	return fs ? mvfs__fs_close(&from, &on) : -EINVAL;
}

int mvfs_dup(mvfs *fs, int fd)
{
	const struct mvfs__from from = mvfs__by(fs);

	return fs ? mvfs__fs_dup(&from, fd, -1) : -EINVAL;
}

int mvfs_dup2(mvfs *fs, int fd, int to)
{
	const struct mvfs__from from = mvfs__by(fs);

	if (!fs)
		return -EINVAL;
	return to < 0 ? -EBADF : mvfs__fs_dup(&from, fd, to);
}

int mvfs_getfl(mvfs *fs, int fd)
{
	const struct mvfs__from from = mvfs__by(fs);

	return fs ? mvfs__fs_getfl(&from, fd) : -EINVAL;
}

int mvfs_setfl(mvfs *fs, int fd, int flags)
{
	const struct mvfs__from from = mvfs__by(fs);

	return fs ? mvfs__fs_setfl(&from, fd, flags) : -EINVAL;
}

static int refuse(mvfs *fs, int fd, unsigned access, int rc)
{
	const struct mvfs__from from = mvfs__by(fs);

	return fs ? mvfs__fs_refuse(&from, fd, access, rc) : -EINVAL;
}

/* Without a byte to move, vectors do not even ask what the file is. */
static bool is_empty(const struct mvfs_iovec *iov, int count)
{
	while (count > 0 && iov->len == 0) {
		iov++;
		count--;
	}
	return count == 0;
}

static int64_t read_iov(mvfs *fs, int fd, const struct mvfs_iovec *iov,
			int count, int64_t offset)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = mvfs__on(fd);
	int rc = mvfs__check(fs, "");

	if (!rc)
		rc = mvfs__check_iov(iov, count);
	if (rc)
		return refuse(fs, fd, R_OK, rc);
	return mvfs__fs_read(&from, &on, iov, (size_t)count, offset);
}

static int64_t readv_at(mvfs *fs, int fd, const struct mvfs_iovec *iov,
			int count, int64_t offset)
{
	if (!mvfs__check_iov(iov, count) && is_empty(iov, count))
		return refuse(fs, fd, R_OK, 0);
	return read_iov(fs, fd, iov, count, offset);
}

static int64_t write_iov(mvfs *fs, int fd, const struct mvfs_iovec *iov,
			 int count, int64_t offset)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = mvfs__on(fd);
	int rc = mvfs__check(fs, "");

	if (!rc)
		rc = mvfs__check_iov(iov, count);
	if (rc)
		return refuse(fs, fd, W_OK, rc);
	return mvfs__fs_write(&from, &on, iov, (size_t)count, offset,
			      MVFS__APPEND_BY_FLAG);
}

int64_t mvfs_read(mvfs *fs, int fd, void *to, size_t len)
{
	const struct mvfs_iovec iov = { to, len };

	return read_iov(fs, fd, &iov, 1, MVFS__OWN_OFFSET);
}

int64_t mvfs_pread(mvfs *fs, int fd, void *to, size_t len, int64_t offset)
{
	const struct mvfs_iovec iov = { to, len };

	return offset < 0 ? -EINVAL : read_iov(fs, fd, &iov, 1, offset);
}

int64_t mvfs_readv(mvfs *fs, int fd, const struct mvfs_iovec *iov, int count)
{
	return readv_at(fs, fd, iov, count, MVFS__OWN_OFFSET);
}

int64_t mvfs_preadv(mvfs *fs, int fd, const struct mvfs_iovec *iov, int count,
		    int64_t offset)
{
	return offset < 0 ? -EINVAL : readv_at(fs, fd, iov, count, offset);
}

/* What is written from is not written to: C has no other iovec. */
static struct mvfs_iovec const_iovec(const void *from, size_t len)
{
	return (struct mvfs_iovec){ (void *)(uintptr_t)from, len };
}

int64_t mvfs_write(mvfs *fs, int fd, const void *from, size_t len)
{
	const struct mvfs_iovec iov = const_iovec(from, len);

	return write_iov(fs, fd, &iov, 1, MVFS__OWN_OFFSET);
}

int64_t mvfs_pwrite(mvfs *fs, int fd, const void *from, size_t len,
		    int64_t offset)
{
	const struct mvfs_iovec iov = const_iovec(from, len);

	return offset < 0 ? -EINVAL : write_iov(fs, fd, &iov, 1, offset);
}

int64_t mvfs_writev(mvfs *fs, int fd, const struct mvfs_iovec *iov, int count)
{
	return write_iov(fs, fd, iov, count, MVFS__OWN_OFFSET);
}

int64_t mvfs_pwritev(mvfs *fs, int fd, const struct mvfs_iovec *iov, int count,
		     int64_t offset)
{
	return offset < 0 ? -EINVAL : write_iov(fs, fd, iov, count, offset);
}

int64_t mvfs_lseek(mvfs *fs, int fd, int64_t offset, int whence)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = mvfs__on(fd);

	return fs ? mvfs__fs_lseek(&from, &on, offset, whence, true) : -EINVAL;
}

int mvfs_ftruncate(mvfs *fs, int fd, int64_t size)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = mvfs__on(fd);
	const struct mvfs_stat values = { .size = (uint64_t)size };

	if (!fs || size < 0)
		return -EINVAL;
	return mvfs__fs_setattr(&from, NULL, 0, &on, MVFS__SET_SIZE, &values,
				NULL);
}

int mvfs_truncate(mvfs *fs, const char *path, int64_t size)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__at at = mvfs__at(MVFS_AT_FDCWD, path);
	const struct mvfs_stat values = { .size = (uint64_t)size };
	int rc = mvfs__check(fs, path);

	if (rc || size < 0)
		return rc ? rc : -EINVAL;
	return mvfs__fs_setattr(&from, &at, MVFS__AT_FOLLOW, NULL,
				MVFS__SET_SIZE, &values, NULL);
}

int mvfs_fallocate(mvfs *fs, int fd, int mode, int64_t offset, int64_t len)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = mvfs__on(fd);
	int rc = mvfs__check(fs, "");

	if (!rc)
		rc = mvfs__check_fallocate(mode, offset, len);
	if (rc)
		/* a mode that other file systems have is refused last */
		return refuse(fs, fd, rc == -EOPNOTSUPP &&
			      !(mode & (MVFS_PUNCH_HOLE | MVFS_ZERO_RANGE)) ?
			      W_OK : 0, rc);
	return mvfs__fs_fallocate(&from, &on, mode, offset, len);
}

/* The offset that a copy begins at: the caller's, or the file's own. */
static int64_t begin_at(const struct mvfs__from *from,
			const struct mvfs__on *on, const int64_t *offset)
{
	if (!offset)
		return mvfs__fs_lseek(from, on, 0, SEEK_CUR, false);
	return *offset;
}

/* Moves what it began at by what was copied. */
static void move_by(const struct mvfs__from *from, const struct mvfs__on *on,
		    int64_t *offset, int64_t count)
{
	if (offset)
		*offset += count;
	else
		(void)mvfs__fs_lseek(from, on, count, SEEK_CUR, true);
}

int64_t mvfs_copy_file_range(mvfs *fs, int in, int64_t *in_offset, int out,
			     int64_t *out_offset, size_t len, unsigned flags)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on in_on = mvfs__on(in), out_on = mvfs__on(out);
	int64_t in_at, out_at, rc;

	if (!fs)
		return -EINVAL;
	if (flags)
		return refuse(fs, in, 0, refuse(fs, out, 0, -EINVAL));
	in_at = begin_at(&from, &in_on, in_offset);
	if (!in_offset && in_at < 0)
		return in_at;
	out_at = begin_at(&from, &out_on, out_offset);
	if (!out_offset && out_at < 0)
		return out_at;
	rc = mvfs__fs_copy_range(&from, &in_on, in_at, &out_on, out_at, len);
	if (rc <= 0)
		return rc;
	move_by(&from, &in_on, in_offset, rc);
	move_by(&from, &out_on, out_offset, rc);
	return rc;
}

int mvfs_clone_file(mvfs *fs, int from_fd, int to_fd)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on in = mvfs__on(from_fd), out = mvfs__on(to_fd);

	return fs ? mvfs__fs_clone_file(&from, &in, &out) : -EINVAL;
}

int mvfs_fsync(mvfs *fs, int fd)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = mvfs__on(fd);

	return fs ? mvfs__fs_fsync(&from, &on, false) : -EINVAL;
}

int mvfs_fdatasync(mvfs *fs, int fd)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = mvfs__on(fd);

	return fs ? mvfs__fs_fsync(&from, &on, true) : -EINVAL;
}

int mvfs_sync(mvfs *fs)
{
	const struct mvfs__from from = mvfs__by(fs);

	return fs ? mvfs__fs_sync(&from) : -EINVAL;
}
