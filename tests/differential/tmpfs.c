/* SPDX-License-Identifier: MIT */
/*
 * A tmpfs to compare with: one of our own that is mounted nowhere (so nothing
 * has to be cleaned up), as root or in a user namespace; else a directory of
 * one that is there.
 */
#include "config.h"

#include "oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Linux 5.2; the numbers and values are those of every architecture. */
enum {
	NR_fsopen = 430,
	NR_fsconfig,
	NR_fsmount,
	SET_STRING = 1,
	CMD_CREATE = 6,
	ATTR_NOATIME = 0x10
};

static int own_tmpfs(uint64_t max_bytes)
{
	char size[24];
	int fs = (int)syscall(NR_fsopen, "tmpfs", 1), fd = -1;

	if (fs < 0)
		return -1;
	/* 0 is no limit there, too. */
	snprintf(size, sizeof(size), "%llu", (unsigned long long)max_bytes);
	if (syscall(NR_fsconfig, fs, SET_STRING, "mode", "777", 0) == 0 &&
	    syscall(NR_fsconfig, fs, SET_STRING, "size", size, 0) == 0 &&
	    syscall(NR_fsconfig, fs, CMD_CREATE, NULL, NULL, 0) == 0)
		fd = (int)syscall(NR_fsmount, fs, 1, ATTR_NOATIME);
	close(fs);
	return fd;
}

static bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) > 0;

	if (fd >= 0)
		close(fd);
	return ok;
}

/* Enough of a root to mount and chroot; files are the user's as before. */
static bool enter_namespace(void)
{
	char uids[64], gids[64];

	snprintf(uids, sizeof(uids), "%u %u 1", getuid(), getuid());
	snprintf(gids, sizeof(gids), "%u %u 1", getgid(), getgid());
	return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 &&
	       write_file("/proc/self/setgroups", "deny") &&
	       write_file("/proc/self/uid_map", uids) &&
	       write_file("/proc/self/gid_map", gids);
}

static int directory_in(const char *dir, char **path)
{
	struct statfs st;

	if (!dir || statfs(dir, &st) < 0 || st.f_type != TMPFS_MAGIC ||
	    asprintf(path, "%s/oracle.XXXXXX", dir) < 0)
		return -1;
	if (mkdtemp(*path))
		return open(*path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(*path);
	*path = NULL;
	return -1;
}

int tmpfs_open(struct tmpfs *tmpfs, bool alone, uint64_t max_bytes,
	       const char **why)
{
	const char *const dirs[] = { getenv("TMPDIR"), "/dev/shm", "/tmp",
				     "/run/shm" };
	size_t i;

	tmpfs->path = NULL;
	tmpfs->fd = own_tmpfs(max_bytes);
	/* Threads that are there already could not enter it. */
	if (tmpfs->fd < 0 && alone && geteuid() != 0 && enter_namespace())
		tmpfs->fd = own_tmpfs(max_bytes);
	if (tmpfs->fd < 0 && max_bytes) {
		*why = "no tmpfs of that size can be mounted";
		return -1;
	}
	for (i = 0; tmpfs->fd < 0 && i < sizeof(dirs) / sizeof(*dirs); i++)
		tmpfs->fd = directory_in(dirs[i], &tmpfs->path);
	if (tmpfs->fd < 0)
		*why = "no tmpfs can be mounted, and none is at TMPDIR, "
		       "/dev/shm, /tmp";
	return tmpfs->fd;
}

void tmpfs_close(struct tmpfs *tmpfs)
{
	if (tmpfs->path)
		rmdir(tmpfs->path);
	free(tmpfs->path);
	tmpfs->path = NULL;
}
