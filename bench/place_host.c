// SPDX-License-Identifier: MIT
/*
 * Directories of the host. A tmpfs is found by asking: $TMPDIR, /dev/shm and
 * /tmp if they are one and have room; else, as root, one of our own that is
 * attached nowhere (fsmount(2)), and so ends with its last descriptor, come
 * what may.
 */
#include <config.h>

#include "bench/place.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *kind_of(int fd)
{
	static const struct {
		long magic;
		const char *name;
	} kinds[] = {{TMPFS_MAGIC, "tmpfs"},
		     {RAMFS_MAGIC, "ramfs"},
		     {EXT4_SUPER_MAGIC, "ext4"},
		     {XFS_SUPER_MAGIC, "xfs"},
		     {BTRFS_SUPER_MAGIC, "btrfs"},
		     {OVERLAYFS_SUPER_MAGIC, "overlayfs"},
		     {NFS_SUPER_MAGIC, "nfs"},
		     {0x65735546, "fuse"}};
	struct statfs st;

	if (fstatfs(fd, &st) == 0)
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			if ((long)st.f_type == kinds[i].magic)
				return kinds[i].name;
	return "a file system unknown here";
}

int bench_directory_open(const char *parent, struct bench_place *place,
			 char reason[256])
{
	int result = 0;

	if ((size_t)snprintf(place->base, sizeof(place->base),
			     "%s/memvfs-bench-XXXXXX",
			     parent) >= sizeof(place->base)) {
		result = -ENAMETOOLONG;
		place->base[0] = '\0';
	} else if (mkdtemp(place->base) == NULL) {
		result = -errno;
		place->base[0] = '\0';
	}
	if (result == 0) {
		place->dirfd =
			open(place->base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (place->dirfd < 0)
			result = -errno;
	}
	if (result < 0) {
		snprintf(reason, 256, "%.160s: %s", parent, strerror(-result));
		return result;
	}
	place->moves = 1;
	snprintf(place->about, sizeof(place->about), "%s in %.120s",
		 kind_of(place->dirfd), parent);
	return 0;
}

/* Whether a directory is a tmpfs with room enough; else the reason. */
static int is_good(const char *path, const struct bench_needs *needs, char *why,
		   size_t size)
{
	struct statfs st;
	uint64_t room;

	if (path == NULL || statfs(path, &st) < 0) {
		snprintf(why, size, "not there");
		return 0;
	}
	if ((long)st.f_type != TMPFS_MAGIC) {
		snprintf(why, size, "no tmpfs");
		return 0;
	}
	/* 0 blocks or inodes in all: without a limit. */
	room = (uint64_t)st.f_bavail * (uint64_t)st.f_bsize;
	if ((st.f_blocks != 0 && room < needs->bytes) ||
	    (st.f_files != 0 && (uint64_t)st.f_ffree < needs->files)) {
		snprintf(why, size,
			 "room for %.0f MB and %llu files, needed are %.0f "
			 "and %llu",
			 (double)room / 1e6, (unsigned long long)st.f_ffree,
			 (double)needs->bytes / 1e6,
			 (unsigned long long)needs->files);
		return 0;
	}
	return access(path, W_OK | X_OK) == 0;
}

#if defined SYS_fsopen && defined SYS_fsconfig && defined SYS_fsmount
/* Of <linux/mount.h>, which glibc's <sys/mount.h> does not go with. */
#define SET_STRING 1
#define CREATE	   6

static int own_tmpfs(void)
{
	int fs = (int)syscall(SYS_fsopen, "tmpfs", 1);
	int fd = -1, result;

	if (fs < 0)
		return -errno;
	if (syscall(SYS_fsconfig, fs, SET_STRING, "size", "80%", 0) == 0 &&
	    syscall(SYS_fsconfig, fs, SET_STRING, "nr_inodes", "0", 0) == 0 &&
	    syscall(SYS_fsconfig, fs, CREATE, NULL, NULL, 0) == 0)
		fd = (int)syscall(SYS_fsmount, fs, 1, 0);
	result = fd < 0 ? -errno : fd;
	close(fs);
	return result;
}
#else
static int own_tmpfs(void)
{
	return -ENOSYS;
}
#endif

int bench_tmpfs_open(const struct bench_needs *needs, struct bench_place *place,
		     char reason[256])
{
	const char *candidates[] = {getenv("TMPDIR"), "/dev/shm", "/tmp"};
	char why[3][100] = {"", "", ""};
	int fd;

	for (size_t i = 0; i < 3; i++) {
		if (!is_good(candidates[i], needs, why[i], sizeof(why[i])))
			continue;
		if (bench_directory_open(candidates[i], place, reason) == 0)
			return 0;
		snprintf(why[i], sizeof(why[i]), "not writable");
	}
	fd = own_tmpfs();
	if (fd >= 0) {
		place->dirfd = fd;
		place->moves = 1;
		snprintf(place->about, sizeof(place->about),
			 "tmpfs of its own, attached nowhere");
		return 0;
	}
	snprintf(reason, 256,
		 "$TMPDIR: %.60s; /dev/shm: %.60s; one of its own: %s", why[0],
		 why[1][0] ? why[1] : "not writable", strerror(-fd));
	return -ENOENT;
}
