/* SPDX-License-Identifier: MIT */
/*
 * Acting as another user, without root and without leaving the process: a
 * view is a reference to a file system, who acts on it, and where.
 */
#include <fcntl.h>
#include <stdio.h>

#include <memvfs/memvfs.h>

static int try_to_open(mvfs *view, const char *who, const char *path)
{
	int fd = mvfs_open(view, path, O_RDONLY, 0);

	if (fd < 0) {
		printf("%s: %s: %s\n", who, path, mvfs_errno_name(fd));
		return 0;
	}
	printf("%s: %s: opened\n", who, path);
	mvfs_close(view, fd);
	return 1;
}

int main(void)
{
	struct mvfs_view_options guest = { .size = sizeof(guest) };
	int root_can, guest_can;
	mvfs *fs, *view;

	if (mvfs_create(NULL, &fs) < 0 ||
	    mvfs_write_file(fs, "/shadow", "secret", 6) < 0 ||
	    mvfs_chmod(fs, "/shadow", 0600) < 0)
		return 1;

	guest.set = MVFS_VIEW_CRED;
	guest.uid = guest.gid = 1000;
	if (mvfs_view(fs, &guest, &view) < 0)
		return 1;

	root_can = try_to_open(fs, "root", "/shadow");
	guest_can = try_to_open(view, "guest", "/shadow");
	mvfs_destroy(view);
	mvfs_destroy(fs);
	return !(root_can && !guest_can);
}
