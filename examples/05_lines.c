/* SPDX-License-Identifier: MIT */
/*
 * The lines of a file without a copy: each is a place in the file's own
 * bytes. The counts show it.
 */
#include <stdio.h>
#include <string.h>

#include <memvfs/memvfs.h>

static const char journal[] =
	"10:01 started\n"
	"10:02 warning: disk is slow\n"
	"10:07 warning: disk is full\n"
	"10:08 stopped\n";

int main(void)
{
	struct mvfs_stats before = { .size = sizeof(before) };
	struct mvfs_stats after = { .size = sizeof(after) };
	struct mvfs_string more = { .data = "10:09 started\n", .len = 14 };
	struct mvfs_lines lines;
	mvfs *fs;
	size_t i;

	if (mvfs_create(NULL, &fs) < 0 ||
	    mvfs_write_file(fs, "/journal", journal, strlen(journal)) < 0 ||
	    mvfs_append_string(fs, "/journal", &more, NULL, NULL) < 0)
		return 1;

	mvfs_stats(MVFS_STATS_THREAD, &before);
	/* all but the first */
	if (mvfs_read_lines(fs, "/journal", NULL, 0, 1, UINT64_MAX, &lines,
			    NULL) < 0)
		return 1;
	mvfs_stats(MVFS_STATS_THREAD, &after);
	for (i = 0; i < lines.count; i++)
		printf("%zu: %.*s\n", i + 2, (int)lines.line[i].len,
		       lines.line[i].data);
	printf("bytes copied: %llu\n",
	       (unsigned long long)(after.copied_bytes -
				    before.copied_bytes));
	mvfs_lines_release(&lines);
	mvfs_destroy(fs);
	return after.copied_bytes != before.copied_bytes;
}
