/* SPDX-License-Identifier: MIT */
/* A program that knows nothing of memvfs, and leaks. */
#include "tests/redirect/leaky.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static FILE *file;
static DIR *dir;

int leaky_open(const char *path)
{
	return open(path, O_RDWR | O_CREAT, 0600) < 0 ? -1 : __LINE__;
}

int leaky_stream(const char *path)
{
	file = fopen(path, "w"); return file ? __LINE__ : -1;
}

int leaky_listing(const char *path)
{
	dir = opendir(path); return dir ? __LINE__ : -1;
}

int leaky_lock(const char *path)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = open(path, O_RDWR);

	return fcntl(fd, F_SETLK, &lock) < 0 ? -1 : __LINE__;
}

int leaky_end(void)
{
	return fclose(file) || closedir(dir) ? -1 : 0;
}

int leaky_close(const char *path)
{
	int fd = open(path, O_RDONLY);

	return close(fd) < 0 || close(fd) == 0 ? -1 : __LINE__;
}
