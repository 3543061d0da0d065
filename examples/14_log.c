/* SPDX-License-Identifier: MIT */
/*
 * Which calls were made: a file that is to survive a power cut is synced
 * after the last write to it and before it is renamed.
 */
#include <fcntl.h>
#include <stdio.h>

#include <memvfs/memvfs.h>

static void save(mvfs *fs, int careful)
{
	int fd = mvfs_open(fs, "/new", O_WRONLY | O_CREAT | O_TRUNC, 0644);

	mvfs_write(fs, fd, "one ", 4);
	if (!careful)
		mvfs_fsync(fs, fd); /* too early */
	mvfs_write(fs, fd, "two", 3);
	if (careful)
		mvfs_fsync(fs, fd);
	mvfs_close(fs, fd);
	mvfs_rename(fs, "/new", "/file");
}

int main(void)
{
	static const char wanted[] = "+ write /new\n"
				     "  fsync /new = 0\n"
				     "  rename /new /file\n"
				     "! unlink /file\n";
	struct mvfs_error e = { 0 };
	int careful, r, bad = 0;
	mvfs *fs;

	if (mvfs_create(NULL, &fs) < 0)
		return 1;
	for (careful = 0; careful < 2; careful++) {
		if (mvfs_log_start(fs, 0) < 0)
			return 1;
		save(fs, careful);
		r = mvfs_expect_log(fs, wanted, &e);
		printf("%s\n", r ? e.message : "as it should be");
		bad += (r == 0) != careful;
	}
	mvfs_destroy(fs);
	return bad;
}
