/* SPDX-License-Identifier: MIT */
/*
 * A power cut at every moment: the file is the old one or the new one. With an
 * fsync left out of save(), a state is found in which it is neither.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include <memvfs/memvfs.h>

static int sync_dir(mvfs *fs, const char *path)
{
	int fd = mvfs_open(fs, path, O_RDONLY, 0);

	return mvfs_fsync(fs, fd) < 0 || mvfs_close(fs, fd) < 0;
}

static int save(mvfs *fs, const char *text, int careful)
{
	int fd = mvfs_open(fs, "/new", O_CREAT | O_WRONLY | O_TRUNC, 0600);

	return mvfs_write(fs, fd, text, strlen(text)) < 0 ||
	       (careful && mvfs_fsync(fs, fd) < 0) || mvfs_close(fs, fd) < 0 ||
	       mvfs_rename(fs, "/new", "/conf") < 0 || sync_dir(fs, "/");
}

static int check(void *ctx, mvfs *after, const struct mvfs_crash_state *state)
{
	struct mvfs_string text, why;
	int good;

	if (mvfs_read_file(after, "/conf", &text) < 0)
		return 1;
	good = text.len == 3 && (!memcmp(text.data, "old", 3) ||
				 !memcmp(text.data, "new", 3));
	mvfs_string_release(&text);
	if (good || mvfs_crash_explain(ctx, NULL, state, &why) < 0)
		return !good;
	fwrite(why.data, 1, why.len, stdout);
	mvfs_string_release(&why);
	return 1;
}

int main(void)
{
	int careful, bad[2];
	mvfs *fs;

	for (careful = 0; careful < 2; careful++) {
		if (mvfs_create(NULL, &fs) < 0 ||
		    mvfs_write_file(fs, "/conf", "old", 3) < 0 ||
		    mvfs_crash_start(fs, NULL) < 0 || save(fs, "new", careful))
			return 1;
		bad[careful] = mvfs_crash_each(fs, NULL, check, fs);
		mvfs_destroy(fs);
	}
	return !bad[0] || bad[1];
}
