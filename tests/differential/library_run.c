/* SPDX-License-Identifier: MIT */
/* What each operation is for the library: the call that it is named after. */
#include "config.h"

#include "library.h"
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

static int64_t bytes(struct result *r, int64_t ret)
{
	r->len = ret > 0 ? (size_t)ret : 0;
	return ret;
}

/* Of attributes: with size 0 nothing is stored. */
static int64_t stored(struct result *r, const struct op *op, int64_t ret)
{
	r->len = ret > 0 && op->len ? (size_t)ret : 0;
	return ret;
}

static int64_t sorted(struct result *r, const struct op *op, int64_t ret)
{
	stored(r, op, ret);
	list_sort(r, 0);
	return ret;
}

static int64_t stat_of(struct result *r, int64_t ret)
{
	r->has_stat = ret == 0;
	return ret;
}

static const unsigned char *data(struct result *r, const struct op *op)
{
	data_fill(r->out, (size_t)op->len, op->fill);
	return r->out;
}

static const struct mvfs_time *times(const struct op *op)
{
	return op->null_times ? NULL : op->times;
}

static int64_t vector(mvfs *v, const struct op *op, struct result *r)
{
	static struct mvfs_iovec spare[IOV_SPARE];
	struct mvfs_iovec own[8], *iov = spare;
	size_t share, at = 0;
	int i;

	if (op->code == OP_WRITEV || op->code == OP_PWRITEV)
		data(r, op);
	if (op->count > 0 && op->count <= 8) {
		share = (size_t)op->len / (size_t)op->count;
		iov = own;
		for (i = 0; i < op->count; i++, at += share) {
			own[i].base = r->out + at;
			own[i].len = i + 1 < op->count ? share
						       : (size_t)op->len - at;
		}
	}
	switch (op->code) {
	case OP_READV:
		return bytes(r, mvfs_readv(v, op->fd[0], iov, op->count));
	case OP_PREADV:
		return bytes(r, mvfs_preadv(v, op->fd[0], iov, op->count,
					    op->off));
	case OP_WRITEV:
		return mvfs_writev(v, op->fd[0], iov, op->count);
	default:
		return mvfs_pwritev(v, op->fd[0], iov, op->count, op->off);
	}
}

static int64_t copy_range(mvfs *v, const struct op *op, struct result *r)
{
	int64_t offsets[2] = { op->off, op->off2 }, ret;

	ret = mvfs_copy_file_range(v, op->fd[0],
				   op->no_off ? NULL : &offsets[0], op->fd[1],
				   op->no_off2 ? NULL : &offsets[1],
				   (size_t)op->len, (unsigned)op->xflags);
	if (ret < 0)
		return ret;
	memcpy(r->out, offsets, sizeof(offsets));
	r->len = sizeof(offsets);
	return ret;
}

static int64_t lock(mvfs *v, const struct op *op, struct result *r)
{
	struct mvfs_lock lock = { .type = (int)op->mode,
				  .whence = op->whence,
				  .start = op->off,
				  .len = op->len };
	unsigned flags = op->xflags & 1 ? MVFS_LOCK_OFD : 0;
	int64_t out[4], ret;

	if (op->code == OP_SETLK)
		return mvfs_setlk(v, op->fd[0], &lock, flags);
	ret = mvfs_getlk(v, op->fd[0], &lock, flags);
	if (ret < 0)
		return ret;
	out[0] = lock.type;
	out[1] = lock.whence;
	out[2] = lock.start;
	out[3] = lock.len;
	r->len = lock.type == F_UNLCK ? 8 : sizeof(out);
	memcpy(r->out, out, r->len);
	return 0;
}

static int64_t read_names(struct mvfs_dir *dir, unsigned flags,
			  struct result *r)
{
	char last[256] = "";
	struct mvfs_dirent e;
	unsigned dots = 0;
	int ret;

	while ((ret = mvfs_readdir(dir, &e)) == 1) {
		if (!strcmp(e.name, ".") || !strcmp(e.name, "..")) {
			dots++;
			continue;
		}
		if (!(flags & MVFS_LIST_UNSORTED) && strcmp(last, e.name) >= 0)
			return -EBADMSG;
		if (strlen(e.name) != e.len)
			return -EBADMSG;
		strcpy(last, e.name);
		r->out[r->len++] = e.type;
		memcpy(r->out + r->len, e.name, (size_t)e.len + 1);
		r->len += (size_t)e.len + 1;
	}
	if (dots != (flags & MVFS_LIST_DOTS ? 2 : 0))
		return -EBADMSG;
	return ret;
}

static int64_t list(mvfs *v, const struct op *op, struct result *r)
{
	unsigned flags = (unsigned)op->xflags;
	struct mvfs_dir *dir = NULL;
	int64_t ret;

	ret = op->code == OP_LIST
		      ? mvfs_opendir(v, op->path[0], flags, &dir)
		      : mvfs_opendirat(v, op->fd[0], op->path[0], flags, &dir);
	if (ret < 0)
		return ret;
	ret = read_names(dir, flags, r);
	mvfs_closedir(dir);
	list_sort(r, 1);
	return ret;
}

static int64_t take(struct side *side, struct result *r, int64_t ret,
		    struct mvfs_string *string)
{
	struct library *library = side->own;

	if (ret < 0)
		return ret;
	if (string->flags & MVFS_STRING_TERMINATED && string->data[string->len])
		library_fault(library, "a terminated string is not");
	r->len = string->len < BUFFER ? string->len : BUFFER;
	memcpy(r->out, string->data, r->len);
	library_hold(library, *string);
	return ret;
}

/*
 * For the kernel, reading or writing a whole file is opening and closing it,
 * and that ends the process's record locks.
 */
static void end_locks(struct side *side, const struct op *op, int which)
{
	struct instance *now = &((struct library *)side->own)->now;
	int fd = mvfs_open(now->look[op->user], op->path[which], O_RDONLY, 0);

	if (fd >= 0)
		mvfs_close(now->view[0], fd);
}

static int64_t whole(struct side *side, mvfs *v, const struct op *op,
		     struct result *r)
{
	struct mvfs_string string = { 0 };
	int64_t ret;

	switch (op->code) {
	case OP_READ_FILE:
		ret = mvfs_read_file(v, op->path[0], &string);
		if (ret == 0 || ret == -EISDIR)
			end_locks(side, op, 0);
		return take(side, r, ret, &string);
	case OP_WRITE_FILE:
		ret = mvfs_write_file(v, op->path[0], data(r, op),
				      (size_t)op->len);
		if (ret == 0)
			end_locks(side, op, 0);
		return ret;
	case OP_FREAD_STRING:
		ret = mvfs_fread_string(v, op->fd[0], NULL, 0, &string, NULL);
		return take(side, r, ret, &string);
	default:
		ret = mvfs_read_string(v, op->path[0], NULL, 0, &string, NULL);
		if (ret == 0 || ret == -EISDIR || ret == -EILSEQ)
			end_locks(side, op, 0);
		if (ret == 0 && op->code == OP_COPY_STRING) {
			ret = mvfs_write_string(v, op->path[1], &string, NULL,
						NULL);
			if (ret == 0)
				end_locks(side, op, 1);
		}
		if (ret < 0)
			mvfs_string_release(&string);
		return take(side, r, ret, &string);
	}
}

/* The look of a user goes where he goes. */
static int64_t move(struct side *side, const struct op *op)
{
	struct instance *now = &((struct library *)side->own)->now;
	mvfs *view = now->view[op->user], *look = now->look[op->user];
	int64_t ret;

	if (op->code == OP_CHDIR) {
		ret = mvfs_chdir(view, op->path[0]);
		return ret < 0 ? ret : mvfs_chdir(look, op->path[0]);
	}
	ret = mvfs_fchdir(view, op->fd[0]);
	return ret < 0 ? ret : mvfs_fchdir(look, op->fd[0]);
}

static int64_t run_fd(struct side *side, mvfs *v, const struct op *op,
		      struct result *r)
{
	int f = op->fd[0], g = op->fd[1];
	size_t len = (size_t)op->len;

	switch (op->code) {
	case OP_CLOSE:
		return mvfs_close(v, f);
	case OP_DUP:
		return mvfs_dup(v, f);
	case OP_DUP2:
		return mvfs_dup2(v, f, g);
	case OP_GETFL:
		return mvfs_getfl(v, f);
	case OP_SETFL:
		return mvfs_setfl(v, f, op->flags);
	case OP_READ:
		return bytes(r, mvfs_read(v, f, r->out, len));
	case OP_PREAD:
		return bytes(r, mvfs_pread(v, f, r->out, len, op->off));
	case OP_READV:
	case OP_PREADV:
	case OP_WRITEV:
	case OP_PWRITEV:
		return vector(v, op, r);
	case OP_WRITE:
		return mvfs_write(v, f, data(r, op), len);
	case OP_PWRITE:
		return mvfs_pwrite(v, f, data(r, op), len, op->off);
	case OP_LSEEK:
		return mvfs_lseek(v, f, op->off, op->whence);
	case OP_FTRUNCATE:
		return mvfs_ftruncate(v, f, op->off);
	case OP_FALLOCATE:
		return mvfs_fallocate(v, f, op->flags, op->off, op->len);
	case OP_COPY_RANGE:
		return copy_range(v, op, r);
	case OP_CLONE_FILE:
		return mvfs_clone_file(v, f, g);
	case OP_FSYNC:
		return mvfs_fsync(v, f);
	case OP_FDATASYNC:
		return mvfs_fdatasync(v, f);
	case OP_SYNC:
		return mvfs_sync(v);
	case OP_FSTAT:
		return stat_of(r, mvfs_fstat(v, f, &r->st));
	case OP_FCHMOD:
		return mvfs_fchmod(v, f, op->mode);
	case OP_FCHOWN:
		return mvfs_fchown(v, f, op->uid, op->gid);
	case OP_FUTIMENS:
		return mvfs_futimens(v, f, times(op));
	case OP_FSETXATTR:
		return mvfs_fsetxattr(v, f, op->name, data(r, op), len,
				      op->xflags);
	case OP_FGETXATTR:
		return stored(r, op, mvfs_fgetxattr(v, f, op->name, r->out,
						    len));
	case OP_FLISTXATTR:
		return sorted(r, op, mvfs_flistxattr(v, f, (char *)r->out,
						     len));
	case OP_FREMOVEXATTR:
		return mvfs_fremovexattr(v, f, op->name);
	case OP_FLOCK:
		return mvfs_flock(v, f, op->flags);
	case OP_SETLK:
	case OP_GETLK:
		return lock(v, op, r);
	case OP_FREAD_STRING:
		return whole(side, v, op, r);
	case OP_FCHDIR:
		return move(side, op);
	case OP_UMASK:
		return mvfs_umask(v, op->mode);
	case OP_CLONE:
		((struct library *)side->own)->last = op->xflags;
		return library_clone(side, op->flags);
	default:
		abort();
	}
}

static int64_t run_names(mvfs *v, const struct op *op)
{
	const char *p = op->path[0], *q = op->path[1];
	int a = op->fd[0], b = op->fd[1];

	switch (op->code) {
	case OP_MKDIR:
		return mvfs_mkdir(v, p, op->mode);
	case OP_MKDIRAT:
		return mvfs_mkdirat(v, a, p, op->mode);
	case OP_MKNOD:
		return mvfs_mknod(v, p, op->mode, op->rdev);
	case OP_MKNODAT:
		return mvfs_mknodat(v, a, p, op->mode, op->rdev);
	case OP_UNLINK:
		return mvfs_unlink(v, p);
	case OP_RMDIR:
		return mvfs_rmdir(v, p);
	case OP_UNLINKAT:
		return mvfs_unlinkat(v, a, p, op->flags);
	case OP_RENAME:
		return mvfs_rename(v, p, q);
	case OP_RENAMEAT:
		return mvfs_renameat(v, a, p, b, q, (unsigned)op->flags);
	case OP_LINK:
		return mvfs_link(v, p, q);
	case OP_LINKAT:
		return mvfs_linkat(v, a, p, b, q, op->flags);
	case OP_SYMLINK:
		return mvfs_symlink(v, op->target, p);
	case OP_SYMLINKAT:
		return mvfs_symlinkat(v, op->target, a, p);
	default:
		abort();
	}
}

static int64_t run_attributes(mvfs *v, const struct op *op, struct result *r)
{
	const char *p = op->path[0];
	size_t len = (size_t)op->len;
	int a = op->fd[0];

	switch (op->code) {
	case OP_SETXATTR:
		return mvfs_setxattr(v, p, op->name, data(r, op), len,
				     op->xflags);
	case OP_SETXATTRAT:
		return mvfs_setxattrat(v, a, p, op->flags, op->name,
				       data(r, op), len, op->xflags);
	case OP_GETXATTR:
		return stored(r, op, mvfs_getxattr(v, p, op->name, r->out,
						   len));
	case OP_GETXATTRAT:
		return stored(r, op, mvfs_getxattrat(v, a, p, op->flags,
						     op->name, r->out, len));
	case OP_LISTXATTR:
		return sorted(r, op, mvfs_listxattr(v, p, (char *)r->out,
						    len));
	case OP_LISTXATTRAT:
		return sorted(r, op, mvfs_listxattrat(v, a, p, op->flags,
						      (char *)r->out, len));
	case OP_REMOVEXATTR:
		return mvfs_removexattr(v, p, op->name);
	case OP_REMOVEXATTRAT:
		return mvfs_removexattrat(v, a, p, op->flags, op->name);
	default:
		return run_names(v, op);
	}
}

static int64_t run_path(struct side *side, mvfs *v, const struct op *op,
			struct result *r)
{
	const char *p = op->path[0];
	size_t len = (size_t)op->len;
	int a = op->fd[0];

	switch (op->code) {
	case OP_OPEN:
		return mvfs_open(v, p, op->flags, op->mode);
	case OP_OPENAT:
		return mvfs_openat(v, a, p, op->flags, op->mode);
	case OP_TRUNCATE:
		return mvfs_truncate(v, p, op->off);
	case OP_STAT:
		return stat_of(r, mvfs_stat(v, p, &r->st));
	case OP_LSTAT:
		return stat_of(r, mvfs_lstat(v, p, &r->st));
	case OP_STATAT:
		return stat_of(r, mvfs_statat(v, a, p, op->flags, &r->st));
	case OP_ACCESS:
		return mvfs_access(v, p, (int)op->mode);
	case OP_ACCESSAT:
		return mvfs_accessat(v, a, p, (int)op->mode, op->flags);
	case OP_CHMOD:
		return mvfs_chmod(v, p, op->mode);
	case OP_CHMODAT:
		return mvfs_chmodat(v, a, p, op->mode, op->flags);
	case OP_CHOWN:
		return mvfs_chown(v, p, op->uid, op->gid);
	case OP_LCHOWN:
		return mvfs_lchown(v, p, op->uid, op->gid);
	case OP_CHOWNAT:
		return mvfs_chownat(v, a, p, op->uid, op->gid, op->flags);
	case OP_UTIMENS:
		return mvfs_utimens(v, p, times(op));
	case OP_UTIMENSAT:
		return mvfs_utimensat(v, a, p, times(op), op->flags);
	case OP_READLINK:
		return bytes(r, mvfs_readlink(v, p, (char *)r->out, len));
	case OP_READLINKAT:
		return bytes(r, mvfs_readlinkat(v, a, p, (char *)r->out, len));
	case OP_REALPATH:
		return bytes(r, mvfs_realpath(v, p, (char *)r->out, len));
	case OP_LIST:
	case OP_LISTAT:
		return list(v, op, r);
	case OP_READ_FILE:
	case OP_WRITE_FILE:
	case OP_READ_STRING:
	case OP_COPY_STRING:
		return whole(side, v, op, r);
	case OP_CHDIR:
		return move(side, op);
	default:
		return run_attributes(v, op, r);
	}
}

void library_run(struct side *side, const struct op *op, struct result *result)
{
	struct instance *now = &((struct library *)side->own)->now;
	mvfs *v = op->look ? now->look[op->user] : now->view[op->user];

	/* The kernel's side is one process: one owner of record locks. */
	if (op->code == OP_CLOSE || op->code == OP_DUP2 ||
	    op->code == OP_SETLK || op->code == OP_GETLK)
		v = now->view[0];
	result->len = 0;
	result->has_stat = result->holes = false;
	result->ret = op->path[0] ? run_path(side, v, op, result)
				  : run_fd(side, v, op, result);
}
