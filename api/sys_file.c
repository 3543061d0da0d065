/* SPDX-License-Identifier: MIT */
/* memvfs/sys.h: open files */
#include "config.h"

#include <memvfs/sys.h>

#include <string.h>
#include <unistd.h>

#include "api/args.h"

static struct mvfs__on on_file(struct mvfs_file *file)
{
	return (struct mvfs__on){ file, -1 };
}

static int check_file(const mvfs *fs, const struct mvfs_file *file)
{
	return fs && file ? 0 : -EINVAL;
}

static int open_at(mvfs *fs, const struct mvfs_actor *actor,
		   const struct mvfs__at *at, struct mvfs__opening *how,
		   struct mvfs__opened *opened)
{
	const struct mvfs__from from = mvfs__as(fs, actor);
	int rc = mvfs__check_open(how->flags);

	how->by_file = true;
	return rc ? rc : mvfs__fs_open(&from, at, how, opened);
}

int mvfs_sys_open(mvfs *fs, const struct mvfs_actor *actor, uint64_t ino,
		  int flags, struct mvfs_file **file)
{
	const struct mvfs__at at = { ino, MVFS_AT_FDCWD, "" };
	struct mvfs__opening how = {
		.flags = flags & ~(O_CREAT | O_EXCL | O_NOFOLLOW),
	};
	struct mvfs__opened opened;
	int rc = fs && ino ? 0 : -EINVAL;

	if (!rc && !file)
		rc = -EFAULT;
	if (!rc)
		rc = open_at(fs, actor, &at, &how, &opened);
	if (!rc)
		*file = opened.file;
	return rc;
}

/* What create and tmpfile have in common. */
static int make_open(mvfs *fs, const struct mvfs_actor *actor,
		     const struct mvfs__at *at, struct mvfs__opening *how,
		     struct mvfs_stat *st, int *created,
		     struct mvfs_file **file)
{
	struct mvfs__opened opened;
	int rc;

	if (!file)
		return -EFAULT;
	rc = open_at(fs, actor, at, how, &opened);
	if (rc)
		return rc;
	if (st)
		*st = opened.st;
	if (created)
		*created = opened.created;
	*file = opened.file;
	return 0;
}

int mvfs_sys_create(mvfs *fs, const struct mvfs_actor *actor, uint64_t parent,
		    const char *name, uint32_t mode, int flags, unsigned pin,
		    struct mvfs_stat *st, int *created,
		    struct mvfs_file **file)
{
	const struct mvfs__at at = { parent, MVFS_AT_FDCWD, name };
	struct mvfs__opening how = {
		.flags = flags | O_CREAT | O_NOFOLLOW,
		.mode = mode,
		.pin = pin,
	};
	int rc = mvfs__check(fs, name);

	if (!rc && (!parent || !*name || strchr(name, '/') ||
		    !strcmp(name, ".") || !strcmp(name, "..")))
		rc = -EINVAL;
	return rc ? rc : make_open(fs, actor, &at, &how, st, created, file);
}

int mvfs_sys_tmpfile(mvfs *fs, const struct mvfs_actor *actor, uint64_t parent,
		     uint32_t mode, int flags, unsigned pin,
		     struct mvfs_stat *st, struct mvfs_file **file)
{
	const struct mvfs__at at = { parent, MVFS_AT_FDCWD, "" };
	struct mvfs__opening how = {
		.flags = (flags & ~O_CREAT) | O_TMPFILE,
		.mode = mode,
		.pin = pin,
	};

	if (!fs || !parent)
		return -EINVAL;
	return make_open(fs, actor, &at, &how, st, NULL, file);
}

int mvfs_sys_close(mvfs *fs, struct mvfs_file *file)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = on_file(file);
	int rc = check_file(fs, file);

	return rc ? rc : mvfs__fs_close(&from, &on);
}

int64_t mvfs_sys_read(mvfs *fs, struct mvfs_file *file, void *to, size_t len,
		      int64_t offset)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = on_file(file);
	const struct mvfs_iovec iov = { to, len };
	int rc = check_file(fs, file);

	if (!rc && offset < 0)
		rc = -EINVAL;
	if (!rc)
		rc = mvfs__check_iov(&iov, 1);
	return rc ? rc : mvfs__fs_read(&from, &on, &iov, 1, offset);
}

int64_t mvfs_sys_write(mvfs *fs, const struct mvfs_actor *actor,
		       struct mvfs_file *file, const void *bytes, size_t len,
		       int64_t offset, int append)
{
	const struct mvfs__from from = mvfs__as(fs, actor);
	const struct mvfs__on on = on_file(file);
	const struct mvfs_iovec iov = { (void *)(uintptr_t)bytes, len };
	int rc = check_file(fs, file);

	if (!rc && offset < 0)
		rc = -EINVAL;
	if (!rc)
		rc = mvfs__check_iov(&iov, 1);
	return rc ? rc : mvfs__fs_write(&from, &on, &iov, 1, offset, append ?
					MVFS__APPEND_YES : MVFS__APPEND_NO);
}

int64_t mvfs_sys_extents(mvfs *fs, struct mvfs_file *file, int64_t offset,
			 size_t len, struct mvfs_extent *extents,
			 size_t capacity)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = on_file(file);
	int rc = check_file(fs, file);

	if (!rc && offset < 0)
		rc = -EINVAL;
	if (!rc && capacity && !extents)
		rc = -EFAULT;
	return rc ? rc : mvfs__fs_extents(&from, &on, offset, len, extents,
					  capacity);
}

void mvfs_sys_extents_release(struct mvfs_extent *extents, size_t count)
{
	mvfs__fs_extents_release(extents, count);
}

int64_t mvfs_sys_seek(mvfs *fs, struct mvfs_file *file, int64_t offset,
		      int whence)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = on_file(file);
	int rc = check_file(fs, file);

	return rc ? rc : mvfs__fs_lseek(&from, &on, offset, whence, false);
}

int mvfs_sys_fallocate(mvfs *fs, const struct mvfs_actor *actor,
		       struct mvfs_file *file, int mode, int64_t offset,
		       int64_t len)
{
	const struct mvfs__from from = mvfs__as(fs, actor);
	const struct mvfs__on on = on_file(file);
	int rc = check_file(fs, file);

	if (!rc)
		rc = mvfs__check_fallocate(mode, offset, len);
	return rc ? rc : mvfs__fs_fallocate(&from, &on, mode, offset, len);
}

int64_t mvfs_sys_copy_range(mvfs *fs, const struct mvfs_actor *actor,
			    struct mvfs_file *in, int64_t in_offset,
			    struct mvfs_file *out, int64_t out_offset,
			    size_t len)
{
	const struct mvfs__from from = mvfs__as(fs, actor);
	const struct mvfs__on in_on = on_file(in), out_on = on_file(out);
	int rc = check_file(fs, in);

	if (!rc)
		rc = check_file(fs, out);
	if (!rc && (in_offset < 0 || out_offset < 0))
		rc = -EINVAL;
	if (rc)
		return rc;
	if (len > (uint64_t)(INT64_MAX - in_offset))
		len = (size_t)(INT64_MAX - in_offset);
	if (len > (uint64_t)(INT64_MAX - out_offset))
		return -EFBIG;
	return mvfs__fs_copy_range(&from, &in_on, in_offset, &out_on,
				   out_offset, len);
}

int mvfs_sys_fsync(mvfs *fs, struct mvfs_file *file, int datasync)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = on_file(file);
	int rc = check_file(fs, file);

	return rc ? rc : mvfs__fs_fsync(&from, &on, datasync != 0);
}

int64_t mvfs_sys_list(mvfs *fs, struct mvfs_file *dir, uint64_t cookie,
		      struct mvfs_dirent *entries, size_t capacity)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = on_file(dir);
	int rc = check_file(fs, dir);

	if (!rc && capacity && !entries)
		rc = -EFAULT;
	return rc ? rc : mvfs__fs_list(&from, &on, cookie, entries, capacity);
}

int mvfs_sys_flock(mvfs *fs, struct mvfs_file *file, int operation)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = on_file(file);
	int rc = check_file(fs, file);

	return rc ? rc : mvfs__fs_flock(&from, &on, operation, false);
}

int mvfs_sys_setlk(mvfs *fs, struct mvfs_file *file, uint64_t owner,
		   const struct mvfs_lock *lock)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = on_file(file);
	int rc = check_file(fs, file);

	if (!rc && !lock)
		rc = -EFAULT;
	return rc ? rc : mvfs__fs_setlk(&from, &on, owner, lock, 0);
}

int mvfs_sys_getlk(mvfs *fs, struct mvfs_file *file, uint64_t owner,
		   struct mvfs_lock *lock)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = on_file(file);
	int rc = check_file(fs, file);

	if (!rc && !lock)
		rc = -EFAULT;
	return rc ? rc : mvfs__fs_getlk(&from, &on, owner, lock, 0);
}

int mvfs_sys_flush(mvfs *fs, struct mvfs_file *file, uint64_t owner)
{
	const struct mvfs__from from = mvfs__by(fs);
	const struct mvfs__on on = on_file(file);
	int rc = check_file(fs, file);

	return rc ? rc : mvfs__fs_flush(&from, &on, owner);
}

uint64_t mvfs_sys_locks_wait(mvfs *fs, uint64_t seen, int timeout_ms)
{
	return fs ? mvfs__fs_locks_wait(fs, seen, timeout_ms) : seen;
}

void mvfs_sys_locks_wake(mvfs *fs)
{
	if (fs)
		mvfs__fs_locks_wake(fs);
}
