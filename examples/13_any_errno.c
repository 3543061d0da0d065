/* SPDX-License-Identifier: MIT */
/*
 * Any errno on demand: does this code, which saves a file beside the old one
 * and renames it, leave the old one alone whatever goes wrong?
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include <memvfs/memvfs.h>

static int save(mvfs *fs, const char *text)
{
	int fd = mvfs_open(fs, "/new", O_WRONLY | O_CREAT | O_TRUNC, 0644);
	int64_t n = fd < 0 ? fd : mvfs_write(fs, fd, text, strlen(text));
	int r;

	if (n >= 0 && (r = mvfs_fsync(fs, fd)) < 0)
		n = r;
	if (fd >= 0 && (r = mvfs_close(fs, fd)) < 0)
		n = r;
	if (n >= 0)
		n = mvfs_rename(fs, "/new", "/file");
	if (n < 0)
		mvfs_unlink(fs, "/new");
	return (int)n;
}

int main(void)
{
	static const char *const rules[] = {
		"open path=/new errno=EMFILE", "write path=/new errno=ENOSPC",
		"fsync path=/new errno=EIO", "close path=/new errno=EDQUOT",
		"rename path=/file errno=EROFS",
	};
	struct mvfs_string s;
	struct mvfs_error e;
	size_t i, bad = 0;
	mvfs *fs;
	int r;

	if (mvfs_create(NULL, &fs) < 0 || save(fs, "old") < 0)
		return 1;
	for (i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		if (mvfs_fault_add(fs, rules[i], NULL, &e) < 0)
			return fprintf(stderr, "%s\n", e.message), 1;
		r = save(fs, "something new");
		mvfs_fault_clear(fs);
		if (mvfs_read_string(fs, "/file", NULL, 0, &s, &e) < 0)
			return 1;
		printf("%-30s %s, and the file says \"%s\"\n", rules[i],
		       mvfs_errno_name(r), mvfs_string_cstr(&s));
		bad += r >= 0 || s.len != 3;
		mvfs_string_release(&s);
	}
	mvfs_destroy(fs);
	return bad != 0;
}
