/* SPDX-License-Identifier: MIT */
/*
 * A clean slate for every test: the tree is built once, and each test gets a
 * clone of its own. A clone costs the same whatever the size of the tree;
 * what is changed later is copied then, and only that.
 */
#include <stdio.h>
#include <string.h>

#include <memvfs/memvfs.h>

static int is(mvfs *fs, const char *path, const char *expected)
{
	struct mvfs_string text;
	int same;

	if (mvfs_read_string(fs, path, NULL, 0, &text, NULL) < 0)
		return 0;
	same = text.len == strlen(expected) &&
	       memcmp(text.data, expected, text.len) == 0;
	mvfs_string_release(&text);
	return same;
}

int main(void)
{
	mvfs *fixture, *test;
	int right;

	if (mvfs_create(NULL, &fixture) < 0 ||
	    mvfs_mkdir(fixture, "/conf", 0755) < 0 ||
	    mvfs_write_file(fixture, "/conf/color", "blue", 4) < 0 ||
	    mvfs_write_file(fixture, "/conf/size", "9", 1) < 0)
		return 1;

	if (mvfs_clone(fixture, &test) < 0 ||
	    mvfs_write_file(test, "/conf/color", "red", 3) < 0 ||
	    mvfs_unlink(test, "/conf/size") < 0)
		return 1;

	right = is(test, "/conf/color", "red") &&
		is(fixture, "/conf/color", "blue") &&
		is(fixture, "/conf/size", "9");
	printf("the fixture is %s\n", right ? "as it was" : "spoilt");
	mvfs_destroy(test);
	mvfs_destroy(fixture);
	return !right;
}
