/* SPDX-License-Identifier: MIT */
/* What each operation is for the kernel: one system call where there is one. */
#include "config.h"

#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_faccessat2
#define SYS_faccessat2 439
#endif
enum { NR_fchmodat2 = 452 };
/* 32-bit machines have one of 64 bits beside the old one. */
#ifndef SYS_utimensat_time64
#define SYS_utimensat_time64 SYS_utimensat
#endif

static int64_t bytes(struct result *result, int64_t ret)
{
	result->len = ret > 0 ? (size_t)ret : 0;
	return kernel_ret(ret);
}

static int64_t descriptor(int64_t ret)
{
	return ret < 0 ? -errno : ret - KERNEL_FD;
}

static int64_t times(const struct op *op, int at, const char *path, int flags)
{
	struct {
		int64_t sec, nsec;
	} ts[2];
	int i;

	if (!path && at < 0 && !(!op->null_times &&
				 op->times[0].nsec == MVFS_TIME_OMIT &&
				 op->times[1].nsec == MVFS_TIME_OMIT))
		return -EBADF;
	for (i = 0; i < 2; i++) {
		int32_t nsec = op->times[i].nsec;

		ts[i].sec = op->times[i].sec;
		ts[i].nsec = nsec == MVFS_TIME_NOW  ? UTIME_NOW
				: nsec == MVFS_TIME_OMIT ? UTIME_OMIT
							 : nsec;
	}
	/* glibc refuses a NULL path, which is how the kernel spells it. */
	return kernel_ret(syscall(SYS_utimensat_time64, at, path,
				  op->null_times ? NULL : ts, flags));
}

static int64_t chmod_at(const struct side *side, const struct op *op, int at)
{
	const struct kernel *k = side->own;

	if (!k->fchmodat2)
		return kernel_ret(fchmodat(at, op->path[0], op->mode, 0));
	return kernel_ret(syscall(NR_fchmodat2, at, op->path[0], op->mode,
				  op->flags));
}

static int64_t move(struct side *side, const struct op *op, int64_t ret)
{
	struct kernel *k = side->own;
	mode_t mask;

	switch (op->code) {
	case OP_UMASK:
		mask = umask(op->mode);
		k->umask[op->user] = op->mode & 0777;
		return mask;
	default:
		if (ret < 0)
			return -errno;
		kernel_moved(side, op->user);
		return 0;
	}
}

static int64_t run_fd(struct side *side, const struct op *op,
		      struct result *r, int f, int g)
{
	switch (op->code) {
	case OP_CLOSE:
		return kernel_ret(close(f));
	case OP_DUP:
		return descriptor(dup(f));
	case OP_DUP2:
		return descriptor(dup2(f, g));
	case OP_GETFL:
		return kernel_ret(fcntl(f, F_GETFL));
	case OP_SETFL:
		return kernel_ret(fcntl(f, F_SETFL, op->flags));
	case OP_READ:
		return bytes(r, read(f, r->out, (size_t)op->len));
	case OP_PREAD:
		return bytes(r, pread(f, r->out, (size_t)op->len, op->off));
	case OP_READV:
	case OP_PREADV:
	case OP_WRITEV:
	case OP_PWRITEV:
		return kernel_vector(op, f, r);
	case OP_WRITE:
		data_fill(r->out, (size_t)op->len, op->fill);
		return kernel_ret(write(f, r->out, (size_t)op->len));
	case OP_PWRITE:
		data_fill(r->out, (size_t)op->len, op->fill);
		return kernel_ret(pwrite(f, r->out, (size_t)op->len, op->off));
	case OP_LSEEK:
		return kernel_ret(lseek(f, op->off, op->whence));
	case OP_FTRUNCATE:
		return kernel_ret(ftruncate(f, op->off));
	case OP_FALLOCATE:
		return kernel_fallocate(op, f, r);
	case OP_COPY_RANGE:
		return kernel_copy_range(op, r);
	case OP_CLONE_FILE:
		return kernel_clone_file(f, g);
	case OP_FSYNC:
		return kernel_ret(fsync(f));
	case OP_FDATASYNC:
		return kernel_ret(fdatasync(f));
	case OP_FSTAT:
		return f < 0 ? -EBADF : kernel_stat(f, "", AT_EMPTY_PATH, r);
	case OP_FCHMOD:
		return kernel_ret(fchmod(f, op->mode));
	case OP_FCHOWN:
		return kernel_ret(fchown(f, op->uid, op->gid));
	case OP_FUTIMENS:
		return times(op, f, NULL, 0);
	case OP_FLOCK:
		return kernel_ret(flock(f, op->flags));
	case OP_SETLK:
	case OP_GETLK:
		return kernel_lock(op, f, r);
	case OP_FCHDIR:
		return move(side, op, fchdir(f));
	default:
		return kernel_xattr(side, op, r);
	}
}

static int64_t run_names(const struct op *op, int a, int b)
{
	const char *p = op->path[0], *q = op->path[1];

	switch (op->code) {
	case OP_MKDIR:
		return kernel_ret(mkdir(p, op->mode));
	case OP_MKDIRAT:
		return kernel_ret(mkdirat(a, p, op->mode));
	case OP_MKNOD:
		return kernel_ret(mknod(p, op->mode, op->rdev));
	case OP_MKNODAT:
		return kernel_ret(mknodat(a, p, op->mode, op->rdev));
	case OP_UNLINK:
		return kernel_ret(unlink(p));
	case OP_RMDIR:
		return kernel_ret(rmdir(p));
	case OP_UNLINKAT:
		return kernel_ret(unlinkat(a, p, op->flags));
	case OP_RENAME:
		return kernel_ret(rename(p, q));
	case OP_RENAMEAT:
		return kernel_ret(renameat2(a, p, b, q, (unsigned)op->flags));
	case OP_LINK:
		return kernel_ret(link(p, q));
	case OP_LINKAT:
		return kernel_ret(linkat(a, p, b, q, op->flags));
	case OP_SYMLINK:
		return kernel_ret(symlink(op->target, p));
	case OP_SYMLINKAT:
		return kernel_ret(symlinkat(op->target, a, p));
	default:
		return -ENOSYS;
	}
}

static int64_t run_path(struct side *side, const struct op *op,
			struct result *r, int a)
{
	const char *p = op->path[0];

	switch (op->code) {
	case OP_OPEN:
		return kernel_open(AT_FDCWD, p, op->flags, op->mode);
	case OP_OPENAT:
		return kernel_open(a, p, op->flags, op->mode);
	case OP_TRUNCATE:
		return kernel_ret(truncate(p, op->off));
	case OP_STAT:
		return kernel_stat(AT_FDCWD, p, 0, r);
	case OP_LSTAT:
		return kernel_stat(AT_FDCWD, p, AT_SYMLINK_NOFOLLOW, r);
	case OP_STATAT:
		return kernel_stat(a, p, op->flags, r);
	case OP_ACCESS:
		return kernel_ret(access(p, (int)op->mode));
	case OP_ACCESSAT:
		return kernel_ret(syscall(SYS_faccessat2, a, p, (int)op->mode,
					  op->flags));
	case OP_CHMOD:
		return kernel_ret(chmod(p, op->mode));
	case OP_CHMODAT:
		return chmod_at(side, op, a);
	case OP_CHOWN:
		return kernel_ret(chown(p, op->uid, op->gid));
	case OP_LCHOWN:
		return kernel_ret(lchown(p, op->uid, op->gid));
	case OP_CHOWNAT:
		return kernel_ret(
			fchownat(a, p, op->uid, op->gid, op->flags));
	case OP_UTIMENS:
		return times(op, AT_FDCWD, p, 0);
	case OP_UTIMENSAT:
		return times(op, a, p, op->flags);
	case OP_READLINK:
		return bytes(r, readlink(p, (char *)r->out, (size_t)op->len));
	case OP_READLINKAT:
		return bytes(r, readlinkat(a, p, (char *)r->out,
					   (size_t)op->len));
	case OP_REALPATH:
		return kernel_realpath(p, r, (size_t)op->len);
	case OP_LIST:
		return kernel_list(AT_FDCWD, p, r);
	case OP_LISTAT:
		return kernel_list(a, p, r);
	case OP_CHDIR:
		return move(side, op, chdir(p));
	case OP_MKDIR:
	case OP_MKDIRAT:
	case OP_MKNOD:
	case OP_MKNODAT:
	case OP_UNLINK:
	case OP_RMDIR:
	case OP_UNLINKAT:
	case OP_RENAME:
	case OP_RENAMEAT:
	case OP_LINK:
	case OP_LINKAT:
	case OP_SYMLINK:
	case OP_SYMLINKAT:
		return run_names(op, a, kernel_fd(op->fd[1]));
	case OP_READ_FILE:
	case OP_WRITE_FILE:
	case OP_READ_STRING:
	case OP_COPY_STRING:
		return kernel_whole(op, r);
	default:
		return kernel_xattr(side, op, r);
	}
}

/* Where memvfs makes a clone, its new instance has nothing open. */
static int64_t forget(struct side *side)
{
	unsigned user;
	int fd;

	for (fd = KERNEL_FD; fd < KERNEL_FD + FD_MAX; fd++)
		close(fd);
	for (user = 0; user < USERS; user++)
		kernel_go_home(side, user);
	return 0;
}

void kernel_run(struct side *side, const struct op *op, struct result *result)
{
	int a = kernel_fd(op->fd[0]), b = kernel_fd(op->fd[1]);

	kernel_act(side, op);
	result->len = 0;
	result->has_stat = result->holes = false;
	if (op->code == OP_CLONE)
		result->ret = forget(side);
	else if (op->code == OP_SYNC)
		result->ret = 0; /* the machine's disks are left in peace */
	else if (op->code == OP_UMASK)
		result->ret = move(side, op, 0);
	else if (op->code == OP_FREAD_STRING)
		result->ret = kernel_whole(op, result);
	else if (op->path[0])
		result->ret = run_path(side, op, result, a);
	else
		result->ret = run_fd(side, op, result, a, b);
}
