/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <memvfs/memvfs.h>

int main(void)
{
	struct mvfs_string text;
	mvfs *fs;

	if (mvfs_create(NULL, &fs) < 0 ||
	    mvfs_mkdir(fs, "/etc", 0755) < 0 ||
	    mvfs_write_file(fs, "/etc/motd", "Grüß dich!\n", 13) < 0 ||
	    mvfs_read_string(fs, "/etc/motd", NULL, 0, &text, NULL) < 0)
		return 1;
	mvfs_destroy(fs); /* the string does not need it any more */
	fwrite(text.data, 1, text.len, stdout); /* and nothing was copied */
	mvfs_string_release(&text);
	return 0;
}
