/* SPDX-License-Identifier: MIT */
/*
 * A fixture for programs that are only given a path: a mount in a private
 * directory, which goes with this process however it ends. Where there is no
 * FUSE, that is said, and nothing is tested.
 */
#include <stdio.h>
#include <stdlib.h>

#include <memvfs/fuse.h>
#include <memvfs/memvfs.h>

int main(void)
{
	struct mvfs_mount *mount;
	struct mvfs_error error;
	struct mvfs_string text;
	char command[5000];
	mvfs *fs;
	int good;

	if (mvfs_create(NULL, &fs) < 0)
		return 1;
	if (mvfs_mount_temp(fs, NULL, &mount, &error) < 0) {
		printf("no mount here: %s\n", error.message);
		return 77;
	}
	/* any program; it sees files like all others */
	snprintf(command, sizeof(command), "cd %s && printf hello >file",
		 mvfs_mount_dir(mount));
	if (system(command) ||
	    mvfs_read_string(fs, "/file", NULL, 0, &text, NULL) < 0)
		return 1;
	printf("%.*s, in %s\n", (int)text.len, text.data,
	       mvfs_mount_dir(mount));
	good = text.len == 5;
	mvfs_string_release(&text);
	if (mvfs_unmount(mount) < 0)
		return 1;
	mvfs_destroy(fs);
	return !good;
}
