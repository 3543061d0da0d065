/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/posix/place.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mount.h>
#include <sys/stat.h>

static char place[2000];
static char current[2100];

int place_open(const char *parent)
{
	if (!parent)
		parent = getenv("TMPDIR");
	if (!parent || !*parent)
		parent = "/tmp";
	snprintf(place, sizeof(place), "%s/memvfs-posix-XXXXXX", parent);
	if (!mkdtemp(place))
		return -errno;
	/* Other users act in it. */
	return chmod(place, 0755) ? -errno : 0;
}

const char *place_new(void)
{
	snprintf(current, sizeof(current), "%s/%ld", place, (long)getpid());
	if (mkdir(current, 0755) || chmod(current, 0755)) {
		perror(current);
		abort();
	}
	return current;
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path) ? -1 : 0;
}

void place_remove(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

void place_close(void)
{
	char path[2400];
	struct dirent *entry;
	DIR *dir = opendir(place);

	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", place, entry->d_name);
		while (umount2(path, MNT_DETACH) == 0)
			;
	}
	if (dir)
		closedir(dir);
	place_remove(place);
}
