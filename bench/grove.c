// SPDX-License-Identifier: MIT
#include <config.h>

#include "bench/tree.h"

#include "bench/head.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void bench_grove_path(const struct bench_grove *grove, char prefix, uint64_t i,
		      char path[BENCH_PATH_MAX])
{
	if (grove->flat)
		snprintf(path, BENCH_PATH_MAX, "%c%07llu", prefix,
			 (unsigned long long)i);
	else
		snprintf(path, BENCH_PATH_MAX, "d%04llu/%c%07llu",
			 (unsigned long long)(i / BENCH_IN_DIRECTORY), prefix,
			 (unsigned long long)i);
}

void bench_grove_deep_path(unsigned depth, uint64_t i,
			   char path[BENCH_PATH_MAX])
{
	size_t at = 0;

	for (unsigned d = 1; d < depth; d++)
		at += (size_t)snprintf(path + at, BENCH_PATH_MAX - at, "sub%u/",
				       d);
	snprintf(path + at, BENCH_PATH_MAX - at, "deep%02u-%02u", depth,
		 (unsigned)(i % BENCH_DEEP_FILES));
}

static int make_directory(const struct bench_grove *grove, const char *path)
{
	if (grove->place->kind == BENCH_MEMORY)
		return mvfs_mkdirat(grove->place->fs, grove->root, path, 0755);
	return mkdirat(grove->root, path, 0755) < 0 ? -errno : 0;
}

static int make_file(const struct bench_grove *grove, const char *path,
		     const char *bytes, size_t length)
{
	int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, fd;

	if (grove->place->kind == BENCH_MEMORY) {
		mvfs *fs = grove->place->fs;
		int64_t n = 0;

		fd = mvfs_openat(fs, grove->root, path, flags, 0644);
		if (fd < 0)
			return fd;
		if (length > 0)
			n = mvfs_write(fs, fd, bytes, length);
		mvfs_close(fs, fd);
		return n < 0 ? (int)n : 0;
	}
	fd = openat(grove->root, path, flags, 0644);
	if (fd < 0)
		return -errno;
	if (length > 0 && write(fd, bytes, length) != (ssize_t)length) {
		int result = errno ? -errno : -EIO;

		close(fd);
		return result;
	}
	return close(fd) < 0 ? -errno : 0;
}

static int fill_deep(struct bench_grove *grove)
{
	static const unsigned depths[] = {1, 4, 16};
	char path[BENCH_PATH_MAX];
	int result = 0;

	for (unsigned d = 1; d < 16 && result == 0; d++) {
		size_t at = 0;

		for (unsigned k = 1; k <= d; k++)
			at += (size_t)snprintf(path + at, sizeof(path) - at,
					       "%ssub%u", k > 1 ? "/" : "", k);
		result = make_directory(grove, path);
	}
	for (size_t d = 0; d < 3; d++)
		for (uint64_t i = 0; i < BENCH_DEEP_FILES && result == 0; i++) {
			bench_grove_deep_path(depths[d], i, path);
			result = make_file(grove, path, NULL, 0);
		}
	return result;
}

int bench_grove_fill(struct bench_grove *grove, size_t length,
		     const struct bench_plan *plan)
{
	char path[BENCH_PATH_MAX], bytes[4096];
	int result;

	if (length > sizeof(bytes))
		return -EINVAL;
	memset(bytes, 'x', sizeof(bytes));
	if (grove->place->kind == BENCH_MEMORY) {
		grove->root = mvfs_open(grove->place->fs, "/",
					O_RDONLY | O_DIRECTORY, 0);
		if (grove->root < 0)
			return grove->root;
	} else {
		grove->root = grove->place->dirfd;
	}
	result = fill_deep(grove);
	for (uint64_t i = 0; i < grove->files && result == 0; i++) {
		if (plan->stop != NULL && *plan->stop)
			return -EINTR;
		bench_grove_path(grove, 'f', i, path);
		if (!grove->flat && i % BENCH_IN_DIRECTORY == 0) {
			path[5] = '\0';
			result = make_directory(grove, path);
			path[5] = '/';
		}
		if (result == 0)
			result = make_file(grove, path, bytes, length);
	}
	return result;
}
