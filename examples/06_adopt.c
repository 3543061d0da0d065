/* SPDX-License-Identifier: MIT */
/*
 * Memory that a program has already becomes a file as it is: it is adopted,
 * not copied. It is freed when the last of all that refers to it is gone:
 * here not the file, nor the file system, but a string.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <memvfs/memvfs.h>

static void done(void *ctx, void *bytes, size_t len)
{
	int *freed = ctx;

	printf("freed: %zu bytes\n", len);
	*freed += 1;
	free(bytes);
}

int main(void)
{
	const size_t len = 1 << 20;
	char *picture = malloc(len);
	struct mvfs_string bytes;
	int freed = 0, shared;
	mvfs *fs;

	if (!picture)
		return 1;
	memset(picture, 'p', len);
	if (mvfs_create(NULL, &fs) < 0 ||
	    mvfs_write_adopt(fs, "/picture", picture, len, done, &freed) < 0 ||
	    mvfs_read_file(fs, "/picture", &bytes) < 0)
		return 1;
	shared = bytes.data == picture;
	printf("the string has the %s memory\n", shared ? "same" : "wrong");
	mvfs_unlink(fs, "/picture");
	mvfs_destroy(fs);
	printf("the file is gone; freed %d times\n", freed);
	mvfs_string_release(&bytes);
	return !shared || freed != 1;
}
