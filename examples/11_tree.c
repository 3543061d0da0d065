/* SPDX-License-Identifier: MIT */
/*
 * Trees as text, in mtree(5): what a test begins with is built in one call,
 * and what it should have left is held against the tree in another. What is
 * not as expected is told by path, keyword, and the first byte that differs.
 */
#include <stdio.h>
#include <string.h>

#include <memvfs/memvfs.h>

static const char begin[] =
	"./etc/app.conf  mode=0644 uid=1000 data=\"color=blue\\n\"\n"
	"./var/log       type=dir mode=0775 gid=4\n"
	"./var/big       size=1000000 fill=7\n"
	"./etc/link      type=link link=app.conf\n";

/* Only what is named is compared; but a directory with a line of its own
 * holds no more than the text says. */
static const char end[] =
	"./etc           type=dir\n"
	"./etc/app.conf  mode=0600 data=\"color=red\\n\"\n"
	"./etc/link      link=app.conf\n"
	"./var/big       size=1000000 fill=7\n";

int main(void)
{
	struct mvfs_error error;
	struct mvfs_string text;
	mvfs *fs;
	int rc;

	if (mvfs_create(NULL, &fs) < 0)
		return 1;
	rc = mvfs_build(fs, begin, &error);
	if (rc < 0) {
		printf("%s\n", error.message);
		return 1;
	}
	mvfs_write_file(fs, "/etc/app.conf", "color=read\n", 11);
	mvfs_chmod(fs, "/etc/app.conf", 0600);
	rc = mvfs_expect(fs, end, &error);
	printf("%s\n", rc < 0 ? error.message : "as expected");
	mvfs_write_file(fs, "/etc/app.conf", "color=red\n", 10);
	rc = mvfs_expect(fs, end, &error);
	printf("%s\n", rc < 0 ? error.message : "as expected");

	if (mvfs_dump(fs, 0, &text) < 0)
		return 1;
	printf("%.*s", (int)text.len, text.data);
	mvfs_string_release(&text);
	mvfs_destroy(fs);
	return rc < 0;
}
