// SPDX-License-Identifier: MIT
#include <config.h>

#include "bench/place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int open_instance(const struct bench_needs *needs,
			 struct bench_place *place, char reason[256])
{
	struct mvfs_options options = {sizeof(options),	 MVFS_SEEDED, 0,   0, 0,
				       {needs->seed, 1}, NULL,	      NULL};
	int result = mvfs_create(&options, &place->fs);

	if (result < 0)
		snprintf(reason, 256, "no instance: %s", strerror(-result));
	return result;
}

static int check_room(const struct bench_needs *needs,
		      struct bench_place *place, char reason[256])
{
	struct statvfs st;
	uint64_t room;

	if (fstatvfs(place->dirfd, &st) < 0)
		return 0;
	room = (uint64_t)st.f_bavail * st.f_frsize;
	if (room >= needs->bytes)
		return 0;
	snprintf(reason, 256, "room for %.1f MB, %.1f MB are needed",
		 (double)room / 1e6, (double)needs->bytes / 1e6);
	return -ENOSPC;
}

int bench_place_open(const char *where, const struct bench_needs *needs,
		     struct bench_place *place, char reason[256])
{
	int result = 0;

	memset(place, 0, sizeof(*place));
	place->dirfd = -1;
	snprintf(place->where, sizeof(place->where), "%s", where);
	if (strcmp(where, "memory") == 0) {
		place->kind = BENCH_MEMORY;
		result = open_instance(needs, place, reason);
	} else if (strcmp(where, "mount") == 0) {
		place->kind = BENCH_MOUNT;
		result = open_instance(needs, place, reason);
		if (result == 0)
			result = bench_mount_open(place, reason);
	} else if (strcmp(where, "tmpfs") == 0) {
		place->kind = BENCH_TMPFS;
		result = bench_tmpfs_open(needs, place, reason);
	} else {
		place->kind = BENCH_DIRECTORY;
		result = bench_directory_open(where, place, reason);
		if (result == 0)
			result = check_room(needs, place, reason);
	}
	if (result == 0 && place->dirfd >= 0) {
		result = bench_probe_cache(place);
		if (result < 0)
			snprintf(reason, 256, "%s", strerror(-result));
	}
	if (result < 0)
		bench_place_close(place);
	return result;
}

/* All that is in a directory; nothing is followed out of it. */
static void empty_directory(int fd)
{
	DIR *dir = fdopendir(dup(fd));
	struct dirent *entry;

	if (dir == NULL)
		return;
	rewinddir(dir);
	while ((entry = readdir(dir)) != NULL) {
		int sub;

		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		if (unlinkat(fd, entry->d_name, 0) == 0)
			continue;
		sub = openat(fd, entry->d_name,
			     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (sub < 0)
			continue;
		empty_directory(sub);
		close(sub);
		unlinkat(fd, entry->d_name, AT_REMOVEDIR);
	}
	closedir(dir);
}

void bench_place_empty(const struct bench_place *place)
{
	empty_directory(place->dirfd);
}

void bench_place_close(struct bench_place *place)
{
	if (place->dirfd >= 0) {
		if (place->kind != BENCH_MOUNT && place->base[0] != '\0')
			empty_directory(place->dirfd);
		close(place->dirfd);
		place->dirfd = -1;
	}
	bench_mount_close(place);
	if (place->base[0] != '\0')
		rmdir(place->base);
	place->base[0] = '\0';
	mvfs_destroy(place->fs);
	place->fs = NULL;
}

static int write_host(int dirfd, const char *name, const char *bytes,
		      size_t len, int durable)
{
	int fd, result = 0;
	ssize_t n;

	fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		    0600);
	if (fd < 0)
		return -errno;
	while (len > 0 && result == 0) {
		n = write(fd, bytes, len);
		if (n < 0) {
			if (errno != EINTR)
				result = -errno;
			continue;
		}
		bytes += n;
		len -= (size_t)n;
	}
	if (result == 0 && durable && fsync(fd) < 0)
		result = -errno;
	if (close(fd) < 0 && result == 0)
		result = -errno;
	return result;
}

int bench_place_put(struct bench_place *place, const char *name,
		    const void *bytes, size_t len)
{
	if (place->fs != NULL)
		return mvfs_write_file(place->fs, name, bytes, len);
	return write_host(place->dirfd, name, bytes, len,
			  place->kind == BENCH_DIRECTORY);
}

/* Whether the kernel holds the first page of a file: 0, 1, or why not. */
static int is_resident(int dirfd, const char *name)
{
	unsigned char page = 0;
	int result = 0;
	void *map;
	int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	map = mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED) {
		result = -errno;
		goto out;
	}
	result = mincore(map, 1, &page) < 0 ? -errno : page & 1;
	munmap(map, 1);
out:
	close(fd);
	return result;
}

int bench_place_forget(struct bench_place *place, const char *name)
{
	int fd = openat(place->dirfd, name, O_RDONLY | O_CLOEXEC);
	int result;

	if (fd < 0)
		return -errno;
	result = -posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
	return result;
}

int bench_probe_cache(struct bench_place *place)
{
	static const char probe[] = "probe";
	char bytes[8192];
	struct mvfs_string s;
	int result, resident;

	if (place->kind == BENCH_TMPFS) {
		snprintf(place->no_cold, sizeof(place->no_cold),
			 "tmpfs has none: its pages are the files");
		return 0;
	}
	memset(bytes, 'x', sizeof(bytes));
	result = bench_place_put(place, probe, bytes, sizeof(bytes));
	if (result == 0)
		result = mvfs_host_read_string(place->dirfd, probe, NULL, 0, &s,
					       NULL);
	if (result < 0)
		return result;
	mvfs_string_release(&s);
	/* Opening drops the pages on some mounts: asked of a new opening. */
	resident = is_resident(place->dirfd, probe);
	if (resident == 0)
		snprintf(place->no_warm, sizeof(place->no_warm),
			 "pages are dropped at each open here: always cold");
	else if (bench_place_forget(place, probe) < 0 ||
		 is_resident(place->dirfd, probe) != 0)
		snprintf(place->no_cold, sizeof(place->no_cold),
			 "the kernel keeps the pages of this file system");
	if (place->fs != NULL)
		return mvfs_unlink(place->fs, probe);
	return unlinkat(place->dirfd, probe, 0) < 0 ? -errno : 0;
}
