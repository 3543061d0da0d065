/* SPDX-License-Identifier: MIT */
/*
 * A program that is not changed (12_redirect_save.c), in a tree: compiled
 * with -include memvfs/redirect.h, its calls go where a route leads them.
 * Here the disk is full, and nobody needs root to see what happens then.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <memvfs/memvfs.h>

#include "12_redirect_save.h"

int main(void)
{
	struct mvfs_string text;
	struct mvfs_stat st;
	mvfs *fs;
	int r, error;

	if (mvfs_create(NULL, &fs) < 0 || mvfs_route(fs, "/data", 0) < 0)
		return 1;
	if (save("/data/file", "first") || mvfs_set_limits(fs, 4096, 0))
		return 1;
	r = save("/data/file", "second");
	error = errno;
	mvfs_unroute("/data", 0);
	if (mvfs_read_string(fs, "/file", NULL, 0, &text, NULL) < 0)
		return 1;
	printf("%s; the file is still \"%.*s\"\n", mvfs_errno_name(error),
	       (int)text.len, text.data);
	r = r == -1 && error == ENOSPC && text.len == 5 &&
	    mvfs_stat(fs, "/file.new", &st) == -ENOENT;
	mvfs_string_release(&text);
	mvfs_destroy(fs);
	return !r;
}
