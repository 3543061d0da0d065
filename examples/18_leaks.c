/* SPDX-License-Identifier: MIT */
/*
 * What a program leaves open, and what it closes twice: told with the path and
 * the line that opened it, which the calls say themselves from the include of
 * memvfs/places.h on.
 */
#include <fcntl.h>
#include <stdio.h>

#include <memvfs/memvfs.h>
#include <memvfs/places.h>

static int told;

static void print(void *ctx, const struct mvfs_report *report)
{
	(void)ctx;
	printf("%s\n", report->line);
	told++;
}

static void careless(mvfs *fs)
{
	int log = mvfs_open(fs, "/log", O_WRONLY | O_CREAT, 0600);
	int old = mvfs_open(fs, "/old", O_WRONLY | O_CREAT, 0600);

	mvfs_close(fs, old);
	mvfs_close(fs, old);
	mvfs_write(fs, log, "forgotten", 9);
}

int main(void)
{
	mvfs *fs;

	if (mvfs_create(NULL, &fs) < 0 ||
	    mvfs_set_report(fs, 0, print, NULL) < 0)
		return 1;
	careless(fs);
	if (mvfs_each_open(fs, NULL, NULL) != 1)
		return 1;
	mvfs_destroy(fs);
	return told != 2;
}
