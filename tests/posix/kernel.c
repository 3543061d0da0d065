/* SPDX-License-Identifier: MIT */
/*
 * The calls as system calls, relative to the current directory. A user is
 * acted by the file system ids of this process (setfsuid(2)): the kernel then
 * also takes away what root may do with files.
 */
#include "config.h"

#include "tests/posix/driver.h"

#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/file.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <sys/xattr.h>

static int64_t result(int64_t value)
{
	return value < 0 ? -errno : value;
}

static void must(int failed, const char *what)
{
	if (failed) {
		perror(what);
		abort();
	}
}

static void act_as(uint32_t uid, uint32_t gid)
{
	must(setgroups(0, NULL), "setgroups");
	setfsgid(gid);
	setfsuid(uid);
}

static uint32_t set_umask(uint32_t mask)
{
	return umask(mask);
}

static int k_open(const char *path, int flags, uint32_t mode)
{
	return (int)result(open(path, flags, mode));
}

static int k_openat(int dirfd, const char *path, int flags, uint32_t mode)
{
	return (int)result(openat(dirfd, path, flags, mode));
}

static int k_close(int fd)
{
	return (int)result(close(fd));
}

static int k_dup(int fd)
{
	return (int)result(dup(fd));
}

static int64_t k_read(int fd, void *to, size_t len)
{
	return result(read(fd, to, len));
}

static int64_t k_write(int fd, const void *from, size_t len)
{
	return result(write(fd, from, len));
}

static int64_t k_pread(int fd, void *to, size_t len, int64_t offset)
{
	return result(pread(fd, to, len, offset));
}

static int64_t k_pwrite(int fd, const void *from, size_t len, int64_t offset)
{
	return result(pwrite(fd, from, len, offset));
}

static int64_t k_lseek(int fd, int64_t offset, int whence)
{
	return result(lseek(fd, offset, whence));
}

static int k_ftruncate(int fd, int64_t size)
{
	return (int)result(ftruncate(fd, size));
}

static int k_truncate(const char *path, int64_t size)
{
	return (int)result(truncate(path, size));
}

static int k_fallocate(int fd, int mode, int64_t offset, int64_t len)
{
	return (int)result(fallocate(fd, mode, offset, len));
}

static int k_fsync(int fd)
{
	return (int)result(fsync(fd));
}

static struct mvfs_time time_of(struct timespec from)
{
	struct mvfs_time to = { from.tv_sec, (int32_t)from.tv_nsec, 0 };

	return to;
}

/* The birth time stays 0: no case needs it. */
static int stored(int failed, const struct stat *from, struct mvfs_stat *st)
{
	if (failed)
		return -errno;
	memset(st, 0, sizeof(*st));
	st->dev = from->st_dev;
	st->ino = from->st_ino;
	st->mode = from->st_mode;
	st->nlink = (uint32_t)from->st_nlink;
	st->uid = from->st_uid;
	st->gid = from->st_gid;
	st->rdev = from->st_rdev;
	st->size = (uint64_t)from->st_size;
	st->blocks = (uint64_t)from->st_blocks;
	st->blksize = (uint32_t)from->st_blksize;
	st->atime = time_of(from->st_atim);
	st->mtime = time_of(from->st_mtim);
	st->ctime = time_of(from->st_ctim);
	return 0;
}

static int k_stat(const char *path, struct mvfs_stat *st)
{
	struct stat buf;

	return stored(stat(path, &buf), &buf, st);
}

static int k_lstat(const char *path, struct mvfs_stat *st)
{
	struct stat buf;

	return stored(lstat(path, &buf), &buf, st);
}

static int k_fstat(int fd, struct mvfs_stat *st)
{
	struct stat buf;

	return stored(fstat(fd, &buf), &buf, st);
}

static int k_chmod(const char *path, uint32_t mode)
{
	return (int)result(chmod(path, mode));
}

static int k_chown(const char *path, uint32_t uid, uint32_t gid)
{
	return (int)result(chown(path, uid, gid));
}

static int k_mkdir(const char *path, uint32_t mode)
{
	return (int)result(mkdir(path, mode));
}

static int k_mkfifo(const char *path, uint32_t mode)
{
	return (int)result(mkfifo(path, mode));
}

static int k_rmdir(const char *path)
{
	return (int)result(rmdir(path));
}

static int k_unlink(const char *path)
{
	return (int)result(unlink(path));
}

/* The C library's renameat2 refuses flags on its own before it asks. */
static int k_rename(const char *from, const char *to, unsigned flags)
{
	return (int)result(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD,
				   to, flags));
}

static int k_link(const char *from, const char *to, bool follow)
{
	return (int)result(linkat(AT_FDCWD, from, AT_FDCWD, to,
				  follow ? AT_SYMLINK_FOLLOW : 0));
}

/* Without root by way of /proc, which a changed root directory hides. */
static int k_linkfd(int fd, const char *to)
{
	char path[40];

	if (geteuid() == 0)
		return (int)result(linkat(fd, "", AT_FDCWD, to,
					  AT_EMPTY_PATH));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return k_link(path, to, true);
}

static int k_symlink(const char *target, const char *path)
{
	return (int)result(symlink(target, path));
}

static int64_t k_readlink(const char *path, char *to, size_t len)
{
	return result(readlink(path, to, len));
}

static int k_setxattr(const char *path, const char *name, const void *value,
		      size_t size, int flags)
{
	return (int)result(setxattr(path, name, value, size, flags));
}

static int k_lsetxattr(const char *path, const char *name, const void *value,
		       size_t size, int flags)
{
	return (int)result(lsetxattr(path, name, value, size, flags));
}

static int64_t k_getxattr(const char *path, const char *name, void *value,
			  size_t size)
{
	return result(getxattr(path, name, value, size));
}

static int64_t k_listxattr(const char *path, char *names, size_t size)
{
	return result(listxattr(path, names, size));
}

static int k_removexattr(const char *path, const char *name)
{
	return (int)result(removexattr(path, name));
}

static int k_flock(int fd, int operation)
{
	return (int)result(flock(fd, operation));
}

static int k_setlk(int fd, int type, int64_t start, int64_t len, bool ofd)
{
	struct flock lock = {
		.l_type = (short)type,
		.l_whence = SEEK_SET,
		.l_start = start,
		.l_len = len,
	};
	int r = fcntl(fd, ofd ? F_OFD_SETLK : F_SETLK, &lock);

	/* POSIX allows either. */
	return r && errno == EACCES ? -EAGAIN : (int)result(r);
}

/* Exits, since returning would run the test twice. */
static void tell_lock(const char *path)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = open(path, O_RDWR);

	if (fd < 0 || fcntl(fd, F_GETLK, &lock))
		_exit(100);
	_exit(lock.l_type);
}

static int k_lock_met(const char *path)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		tell_lock(path);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -errno;
	if (!WIFEXITED(status) || WEXITSTATUS(status) == 100)
		return -EIO;
	return WEXITSTATUS(status);
}

static int k_opendir(const char *path, void **dir)
{
	*dir = opendir(path);
	return *dir ? 0 : -errno;
}

static int k_readdir(void *dir, char name[256])
{
	struct dirent *entry;

	do {
		errno = 0;
		entry = readdir(dir);
		if (!entry)
			return -errno;
	} while (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."));
	snprintf(name, 256, "%s", entry->d_name);
	return 1;
}

static int k_closedir(void *dir)
{
	return (int)result(closedir(dir));
}

static void name_calls(struct posix_fs *fs)
{
	fs->mkdir = k_mkdir;
	fs->mkfifo = k_mkfifo;
	fs->rmdir = k_rmdir;
	fs->unlink = k_unlink;
	fs->rename = k_rename;
	fs->link = k_link;
	fs->linkfd = k_linkfd;
	fs->symlink = k_symlink;
	fs->readlink = k_readlink;
	fs->setxattr = k_setxattr;
	fs->lsetxattr = k_lsetxattr;
	fs->getxattr = k_getxattr;
	fs->listxattr = k_listxattr;
	fs->removexattr = k_removexattr;
	fs->flock = k_flock;
	fs->setlk = k_setlk;
	fs->lock_met_by_another_process = k_lock_met;
	fs->opendir = k_opendir;
	fs->readdir = k_readdir;
	fs->closedir = k_closedir;
}

static int outside = -1;

/* Check itself needs the old root where tests are not processes. */
static bool may_chroot(void)
{
	const char *fork = getenv("CK_FORK");

	return geteuid() == 0 && !(fork && strcmp(fork, "no") == 0);
}

void posix_kernel_enter(const char *path)
{
	outside = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	must(outside < 0, "/");
	must(chdir(path), path);
	if (may_chroot())
		must(chroot("."), path);
}

void posix_kernel_leave(void)
{
	if (geteuid() == 0)
		act_as(0, 0);
	must(fchdir(outside), "/");
	if (may_chroot())
		must(chroot("."), "/");
	close(outside);
	outside = -1;
}

void posix_kernel_calls(struct posix_fs *fs)
{
	fs->act_as = act_as;
	fs->umask = set_umask;
	fs->open = k_open;
	fs->openat = k_openat;
	fs->close = k_close;
	fs->dup = k_dup;
	fs->read = k_read;
	fs->write = k_write;
	fs->pread = k_pread;
	fs->pwrite = k_pwrite;
	fs->lseek = k_lseek;
	fs->ftruncate = k_ftruncate;
	fs->truncate = k_truncate;
	fs->fallocate = k_fallocate;
	fs->fsync = k_fsync;
	fs->stat = k_stat;
	fs->lstat = k_lstat;
	fs->fstat = k_fstat;
	fs->chmod = k_chmod;
	fs->chown = k_chown;
	name_calls(fs);
	fs->rooted = may_chroot();
	if (geteuid() != 0)
		fs->no_users = "acting as others needs root";
}
