// SPDX-License-Identifier: MIT
/*
 * The kernel's side of a mount: what a directory must be, mounting on it, by
 * ourselves or by fusermount3, and taking the mount off again.
 */
#include <config.h>

#include "fuse/adapter.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sysmacros.h>
#include <unistd.h>

int mvfs__host_device(const char *path, int ask, uint64_t *dev)
{
	struct statx stx;

	if (statx(AT_FDCWD, path,
		  AT_SYMLINK_NOFOLLOW |
			  (ask ? AT_STATX_FORCE_SYNC : AT_STATX_DONT_SYNC),
		  STATX_TYPE, &stx))
		return -errno;
	*dev = makedev(stx.stx_dev_major, stx.stx_dev_minor);
	return 0;
}

static int check_device(struct mvfs_error *error)
{
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);

	if (fd >= 0) {
		close(fd);
		return 0;
	}
	if (errno == ENOENT || errno == ENODEV || errno == ENXIO)
		return mvfs__fuse_error(error, -ENODEV,
					"no /dev/fuse: load the driver "
					"(modprobe fuse); a container needs "
					"--device /dev/fuse and --cap-add "
					"SYS_ADMIN");
	/* fusermount3 may be permitted what we are not. */
	if ((errno == EACCES || errno == EPERM) && geteuid() != 0)
		return 0;
	return mvfs__fuse_error(error, -errno,
				"/dev/fuse cannot be opened: %s%s",
				strerror(errno),
				errno == EPERM || errno == EACCES
					? " (a container needs --device "
					  "/dev/fuse)" : "");
}

/* Whether there is any name in it: 1, 0, or why not. */
static int has_names(const char *dir)
{
	struct dirent *entry;
	DIR *open_dir = opendir(dir);
	int r = 0;

	if (!open_dir)
		return -errno;
	errno = 0;
	while (!r && (entry = readdir(open_dir)))
		r = strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	if (errno)
		r = -errno;
	closedir(open_dir);
	return r;
}

static int dir_error(struct mvfs_error *error, int code, const char *dir)
{
	return mvfs__fuse_error(error, code,
				code == -ENOTCONN
					? "%.150s: a dead FUSE mount is there "
					  "(fusermount3 -u removes it)"
					: "%.150s: %s",
				dir, strerror(-code));
}

int mvfs__host_check(const char *dir, char **absolute,
		     struct mvfs_error *error)
{
	char *path = realpath(dir, NULL);
	struct stat st;
	uint64_t dev;
	int r;

	if (!path)
		return dir_error(error, -errno, dir);
	if (mvfs__mounted_at(path) &&
	    mvfs__host_device(path, 1, &dev) != -ENOTCONN)
		r = mvfs__fuse_error(error, -EBUSY,
				     "%.150s: a memvfs is mounted there "
				     "already", dir);
	else if (stat(path, &st))
		r = dir_error(error, -errno, dir);
	else if (!S_ISDIR(st.st_mode))
		r = dir_error(error, -ENOTDIR, dir);
	else if ((r = has_names(path)) > 0)
		r = mvfs__fuse_error(error, -ENOTEMPTY,
				     "%.150s: the directory is not empty; "
				     "mounting would hide what it holds",
				     dir);
	else if (r < 0)
		r = dir_error(error, r, dir);
	else
		r = check_device(error);
	if (r)
		free(path);
	else
		*absolute = path;
	return r;
}

static int mount_error(struct mvfs_error *error, int code, const char *dir)
{
	const char *why = strerror(-code);

	if (code == -ENODEV)
		why = "the kernel has no FUSE (modprobe fuse)";
	else if (code == -EPERM)
		why = "mounting is not permitted (a container needs "
		      "--cap-add SYS_ADMIN)";
	return mvfs__fuse_error(error, code, "%.120s: cannot be mounted: %s",
				dir, why);
}

/* By ourselves; -EPERM, -EACCES: we are not the one who may. */
static int mount_direct(const char *dir, const struct mvfs__options *options)
{
	char *text;
	int fd, r = 0;

	fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	text = mvfs__options_text(options, fd);
	if (!text)
		r = -ENOMEM;
	else if (mount(options->fsname, dir, MVFS__FUSE_TYPE,
		       options->ms_flags, text))
		r = -errno;
	free(text);
	if (r) {
		close(fd);
		return r;
	}
	return fd;
}

int mvfs__host_mount(const char *dir, const struct mvfs__options *options,
		     struct mvfs_error *error)
{
	char *text;
	int fd;

	fd = mount_direct(dir, options);
	if (fd >= 0)
		return fd;
	if (geteuid() == 0 || (fd != -EPERM && fd != -EACCES))
		return mount_error(error, fd, dir);
	text = mvfs__options_text(options, -1);
	if (!text)
		return mvfs__fuse_error(error, -ENOMEM, "out of memory");
	fd = mvfs__fusermount_mount(dir, text, error);
	free(text);
	return fd;
}

static int unmount_once(const char *dir, int lazy)
{
	if (!umount2(dir, UMOUNT_NOFOLLOW | (lazy ? MNT_DETACH : 0)))
		return 0;
	if (errno != EPERM)
		return -errno;
	return mvfs__fusermount_unmount(dir, lazy);
}

/* Stores through mappings go to the tree while there still is a way. */
static void sync_mount(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	syncfs(fd);
	close(fd);
}

/* 1, 0 if it is nowhere, or why it cannot be taken off. */
static int where(uint64_t dev, const char *dir, struct mvfs__mounted *to)
{
	uint64_t seen = 0;
	int r;

	r = mvfs__mounted_find(dev, NULL, to);
	if (r == 0)
		return 0;
	if (r < 0)
		snprintf(to->dir, sizeof to->dir, "%s", dir);
	/* Something mounted over it would be taken off in its place. */
	if (!mvfs__host_device(to->dir, 0, &seen) && seen != dev)
		return r < 0 ? 0 : -EBUSY;
	return 1;
}

int mvfs__host_unmount(uint64_t dev, const char *dir)
{
	struct mvfs__mounted at;
	int r, tries = 0;

	/* More than one if it was bound to other places, too. */
	while ((r = where(dev, dir, &at)) > 0) {
		r = unmount_once(at.dir, 0);
		if (r == -EBUSY) {
			sync_mount(at.dir);
			r = unmount_once(at.dir, 1);
		}
		/* Somebody else was quicker: look again. */
		if (r && ((r != -EINVAL && r != -ENOENT) || ++tries == 8))
			return r;
	}
	return r;
}
