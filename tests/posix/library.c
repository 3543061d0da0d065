/* SPDX-License-Identifier: MIT */
/* The calls as calls of the library; a user is a view. */
#include "config.h"

#include "tests/posix/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/posix/served.h"

static struct served served;
static atomic_long seconds;
static mvfs *other;	/* the view of another user; NULL: root acts */
static mvfs *acting;	/* either */

static void must(int r, const char *what)
{
	if (r < 0) {
		fprintf(stderr, "%s: %s\n", what, strerror(-r));
		abort();
	}
}

static void begin(const struct posix_limits *limits)
{
	atomic_store(&seconds, 1000000000);
	must(served_open(&served, limits, &seconds), "mvfs_create");
	acting = served.fs;
}

static void end(void)
{
	mvfs_destroy(other);
	other = NULL;
	served_close(&served);
}

static void tick(void)
{
	atomic_fetch_add(&seconds, 1);
}

static void act_as(uint32_t uid, uint32_t gid)
{
	struct mvfs_view_options options = { .size = sizeof(options) };
	mvfs *before = other;

	options.set = MVFS_VIEW_CRED;
	options.uid = uid;
	options.gid = gid;
	other = NULL;
	if (uid)
		must(mvfs_view(acting, &options, &other), "mvfs_view");
	acting = other ? other : served.fs;
	mvfs_destroy(before);
}

static uint32_t set_umask(uint32_t mask)
{
	return mvfs_umask(acting, mask);
}

static int l_open(const char *path, int flags, uint32_t mode)
{
	return mvfs_open(acting, path, flags, mode);
}

static int l_openat(int dirfd, const char *path, int flags, uint32_t mode)
{
	return mvfs_openat(acting, dirfd, path, flags, mode);
}

static int l_close(int fd)
{
	return mvfs_close(acting, fd);
}

static int l_dup(int fd)
{
	return mvfs_dup(acting, fd);
}

static int64_t l_read(int fd, void *to, size_t len)
{
	return mvfs_read(acting, fd, to, len);
}

static int64_t l_write(int fd, const void *from, size_t len)
{
	return mvfs_write(acting, fd, from, len);
}

static int64_t l_pread(int fd, void *to, size_t len, int64_t offset)
{
	return mvfs_pread(acting, fd, to, len, offset);
}

static int64_t l_pwrite(int fd, const void *from, size_t len, int64_t offset)
{
	return mvfs_pwrite(acting, fd, from, len, offset);
}

static int64_t l_lseek(int fd, int64_t offset, int whence)
{
	return mvfs_lseek(acting, fd, offset, whence);
}

static int l_ftruncate(int fd, int64_t size)
{
	return mvfs_ftruncate(acting, fd, size);
}

static int l_truncate(const char *path, int64_t size)
{
	return mvfs_truncate(acting, path, size);
}

static int l_fallocate(int fd, int mode, int64_t offset, int64_t len)
{
	return mvfs_fallocate(acting, fd, mode, offset, len);
}

static int l_fsync(int fd)
{
	return mvfs_fsync(acting, fd);
}

static int l_stat(const char *path, struct mvfs_stat *st)
{
	return mvfs_stat(acting, path, st);
}

static int l_lstat(const char *path, struct mvfs_stat *st)
{
	return mvfs_lstat(acting, path, st);
}

static int l_fstat(int fd, struct mvfs_stat *st)
{
	return mvfs_fstat(acting, fd, st);
}

static int l_chmod(const char *path, uint32_t mode)
{
	return mvfs_chmod(acting, path, mode);
}

static int l_chown(const char *path, uint32_t uid, uint32_t gid)
{
	return mvfs_chown(acting, path, uid, gid);
}

static int l_mkdir(const char *path, uint32_t mode)
{
	return mvfs_mkdir(acting, path, mode);
}

static int l_mkfifo(const char *path, uint32_t mode)
{
	return mvfs_mknod(acting, path, S_IFIFO | mode, 0);
}

static int l_rmdir(const char *path)
{
	return mvfs_rmdir(acting, path);
}

static int l_unlink(const char *path)
{
	return mvfs_unlink(acting, path);
}

static int l_rename(const char *from, const char *to, unsigned flags)
{
	return flags ? mvfs_renameat(acting, MVFS_AT_FDCWD, from,
				     MVFS_AT_FDCWD, to, flags) :
		       mvfs_rename(acting, from, to);
}

static int l_link(const char *from, const char *to, bool follow)
{
	return follow ? mvfs_linkat(acting, MVFS_AT_FDCWD, from,
				    MVFS_AT_FDCWD, to, AT_SYMLINK_FOLLOW) :
			mvfs_link(acting, from, to);
}

static int l_linkfd(int fd, const char *to)
{
	return mvfs_linkat(acting, fd, "", MVFS_AT_FDCWD, to, AT_EMPTY_PATH);
}

static int l_symlink(const char *target, const char *path)
{
	return mvfs_symlink(acting, target, path);
}

static int64_t l_readlink(const char *path, char *to, size_t len)
{
	return mvfs_readlink(acting, path, to, len);
}

static int l_setxattr(const char *path, const char *name, const void *value,
		      size_t size, int flags)
{
	return mvfs_setxattr(acting, path, name, value, size, flags);
}

static int l_lsetxattr(const char *path, const char *name, const void *value,
		       size_t size, int flags)
{
	return mvfs_setxattrat(acting, MVFS_AT_FDCWD, path,
			       AT_SYMLINK_NOFOLLOW, name, value, size, flags);
}

static int64_t l_getxattr(const char *path, const char *name, void *value,
			  size_t size)
{
	return mvfs_getxattr(acting, path, name, value, size);
}

static int64_t l_listxattr(const char *path, char *names, size_t size)
{
	return mvfs_listxattr(acting, path, names, size);
}

static int l_removexattr(const char *path, const char *name)
{
	return mvfs_removexattr(acting, path, name);
}

static int l_flock(int fd, int operation)
{
	return mvfs_flock(acting, fd, operation);
}

static int l_setlk(int fd, int type, int64_t start, int64_t len, bool ofd)
{
	struct mvfs_lock lock = {
		.type = type,
		.whence = SEEK_SET,
		.start = start,
		.len = len,
	};

	return mvfs_setlk(acting, fd, &lock, ofd ? MVFS_LOCK_OFD : 0);
}

/* Another view is another process. */
static int l_lock_met(const char *path)
{
	struct mvfs_lock lock = { .type = F_WRLCK, .whence = SEEK_SET };
	mvfs *process;
	int fd, r = mvfs_view(acting, NULL, &process);

	if (r < 0)
		return r;
	fd = r = mvfs_open(process, path, O_RDWR, 0);
	if (fd >= 0) {
		r = mvfs_getlk(process, fd, &lock, 0);
		mvfs_close(process, fd);
	}
	mvfs_destroy(process);
	return r < 0 ? r : lock.type;
}

static int l_opendir(const char *path, void **dir)
{
	struct mvfs_dir *listing = NULL;
	int r = mvfs_opendir(acting, path, 0, &listing);

	*dir = listing;
	return r;
}

static int l_readdir(void *dir, char name[256])
{
	struct mvfs_dirent entry;
	int r = mvfs_readdir(dir, &entry);

	if (r == 1)
		memcpy(name, entry.name, (size_t)entry.len + 1);
	return r;
}

static int l_closedir(void *dir)
{
	return mvfs_closedir(dir);
}

static int keep(const char *path)
{
	return served_keep(&served, path);
}

static bool kept_is(const char *path, const char *text)
{
	return served_kept_is(&served, path, text);
}

const struct posix_fs posix_library = {
	.name = "library",
	.rooted = true,
	.begin = begin,
	.end = end,
	.tick = tick,
	.act_as = act_as,
	.umask = set_umask,
	.open = l_open,
	.openat = l_openat,
	.close = l_close,
	.dup = l_dup,
	.read = l_read,
	.write = l_write,
	.pread = l_pread,
	.pwrite = l_pwrite,
	.lseek = l_lseek,
	.ftruncate = l_ftruncate,
	.truncate = l_truncate,
	.fallocate = l_fallocate,
	.fsync = l_fsync,
	.stat = l_stat,
	.lstat = l_lstat,
	.fstat = l_fstat,
	.chmod = l_chmod,
	.chown = l_chown,
	.mkdir = l_mkdir,
	.mkfifo = l_mkfifo,
	.rmdir = l_rmdir,
	.unlink = l_unlink,
	.rename = l_rename,
	.link = l_link,
	.linkfd = l_linkfd,
	.symlink = l_symlink,
	.readlink = l_readlink,
	.setxattr = l_setxattr,
	.lsetxattr = l_lsetxattr,
	.getxattr = l_getxattr,
	.listxattr = l_listxattr,
	.removexattr = l_removexattr,
	.flock = l_flock,
	.setlk = l_setlk,
	.lock_met_by_another_process = l_lock_met,
	.opendir = l_opendir,
	.readdir = l_readdir,
	.closedir = l_closedir,
	.keep = keep,
	.kept_is = kept_is,
};
