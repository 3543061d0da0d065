/* SPDX-License-Identifier: MIT */
/*
 * A disk that is full, for the code that should survive it: here one that
 * saves a file the careful way, beside the old one, and renames it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include <memvfs/memvfs.h>

static int save(mvfs *fs, const char *path, const char *text, size_t len)
{
	int fd = mvfs_open(fs, "new", O_WRONLY | O_CREAT | O_TRUNC, 0644);
	int64_t n = fd < 0 ? fd : 0;
	size_t done;

	for (done = 0; n >= 0 && done < len; done += (size_t)n)
		n = mvfs_write(fs, fd, text + done, len - done);
	if (fd >= 0)
		mvfs_close(fs, fd);
	if (n < 0) {
		mvfs_unlink(fs, "new");
		return (int)n;
	}
	return mvfs_rename(fs, "new", path);
}

int main(void)
{
	static char big[20000];
	struct mvfs_options options = { .size = sizeof(options) };
	struct mvfs_statfs st;
	mvfs *fs;
	int r;

	options.max_bytes = 16384;
	if (mvfs_create(&options, &fs) < 0 || save(fs, "file", "small", 5) < 0)
		return 1;
	memset(big, 'x', sizeof(big));
	r = save(fs, "file", big, sizeof(big));
	if (mvfs_statfs(fs, &st) < 0)
		return 1;
	printf("%s; %llu of %llu blocks in use\n", mvfs_errno_name(r),
	       (unsigned long long)st.blocks_used,
	       (unsigned long long)st.blocks);
	mvfs_destroy(fs);
	return !(r == -ENOSPC && st.blocks_used == 1);
}
