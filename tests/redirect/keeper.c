/* SPDX-License-Identifier: MIT */
/* A program that knows nothing of memvfs. */
#include "keeper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int keeper_save(const char *path, const char *text)
{
	char name[4096];
	size_t done = 0, len = strlen(text);
	ssize_t n = 0;
	int fd;

	snprintf(name, sizeof(name), "%s.new", path);
	fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd < 0)
		return -1;
	while (n >= 0 && done < len) {
		n = write(fd, text + done, len - done);
		done += n > 0 ? (size_t)n : 0;
	}
	if (n < 0 || fsync(fd) < 0) {
		int error = errno;

		close(fd);
		unlink(name);
		errno = error;
		return -1;
	}
	if (close(fd) < 0)
		return -1;
	return rename(name, path);
}

int keeper_lines(const char *path)
{
	FILE *file = fopen(path, "r");
	int c, lines = 0;

	if (!file)
		return -1;
	while ((c = getc(file)) != EOF)
		lines += c == '\n';
	fclose(file);
	return lines;
}

int keeper_count(const char *path)
{
	const struct dirent *entry;
	DIR *dir = opendir(path);
	int count = 0;

	if (!dir)
		return -1;
	while ((entry = readdir(dir)))
		count += entry->d_name[0] != '.';
	closedir(dir);
	return count;
}
