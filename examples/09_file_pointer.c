/* SPDX-License-Identifier: MIT */
/*
 * Code that takes a FILE *, on a file that is on no disk: fprintf, fseek and
 * getline are the C library's own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <memvfs/memvfs.h>

/* Knows nothing of memvfs. */
static long sum(FILE *file)
{
	char *line = NULL;
	size_t room = 0;
	long total = 0;

	while (getline(&line, &room, file) > 0)
		total += strtol(line, NULL, 10);
	free(line);
	return total;
}

int main(void)
{
	struct mvfs_stat st;
	FILE *file;
	mvfs *fs;
	long total;

	if (mvfs_create(NULL, &fs) < 0 ||
	    mvfs_fopen(fs, "/numbers", "w+", &file) < 0)
		return 1;
	fprintf(file, "%d\n%d\n", 40, 2);
	rewind(file);
	total = sum(file);
	if (fclose(file) || mvfs_stat(fs, "/numbers", &st) < 0)
		return 1;
	printf("%ld, of %llu bytes\n", total, (unsigned long long)st.size);
	mvfs_destroy(fs);
	return !(total == 42 && st.size == 5);
}
