/* SPDX-License-Identifier: MIT */
/*
 * A clean slate without a clone: one file system, and a snapshot to go back
 * to before each test. What is open stays open, users and limits stay, and
 * it takes the same short time whatever the size of the tree. What a test has
 * changed is what differs from the snapshot.
 */
#include <stdio.h>
#include <string.h>

#include <memvfs/memvfs.h>

static int test_add(mvfs *fs)
{
	return mvfs_write_file(fs, "/conf/color", "red", 3) < 0 ||
	       mvfs_mkdir(fs, "/conf/more", 0700) < 0;
}

static int test_remove(mvfs *fs)
{
	return mvfs_unlink(fs, "/conf/color") < 0;
}

int main(void)
{
	int (*const tests[])(mvfs *) = { test_add, test_remove };
	struct mvfs_snapshot *slate;
	struct mvfs_string changes;
	mvfs *fs, *before;
	int i, failed = 0;

	if (mvfs_create(NULL, &fs) < 0 ||
	    mvfs_mkdir(fs, "/conf", 0755) < 0 ||
	    mvfs_write_file(fs, "/conf/color", "blue", 4) < 0 ||
	    mvfs_snapshot(fs, &slate) < 0 ||
	    mvfs_snapshot_clone(slate, &before) < 0)
		return 1;
	for (i = 0; i < 2; i++) {
		failed |= tests[i](fs);
		if (mvfs_diff_text(before, fs, NULL, &changes) < 0)
			return 1;
		printf("test %d:\n%.*s", i + 1, (int)changes.len, changes.data);
		mvfs_string_release(&changes);
		failed |= mvfs_restore(fs, slate) < 0;
	}
	mvfs_snapshot_release(slate);
	mvfs_destroy(before);
	mvfs_destroy(fs);
	return failed;
}
