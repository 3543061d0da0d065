/* SPDX-License-Identifier: MIT */
/*
 * What a log should have: a text is met, or is not, or is none, and then the
 * error says where. Nothing is met "exact"ly by what it is not met by.
 */
#include "config.h"

#include <memvfs/memvfs.h>

#include <errno.h>
#include <fcntl.h>

#include "fuzz/grammar.h"

const char fuzz_corpus[] = "log";

/* A tree with a log, which stays. */
static mvfs *start(void)
{
	const struct mvfs_options options = {
		.size = sizeof(options), .flags = MVFS_SEEDED,
	};
	mvfs *fs;
	int fd;

	hold(mvfs_create(&options, &fs) == 0, "no memory");
	hold(mvfs_mkdir(fs, "/d", 0755) == 0, "mkdir");
	hold(mvfs_log_start(fs, 0) == 0, "no log");
	fd = mvfs_open(fs, "/f", O_CREAT | O_RDWR, 0644);
	hold(mvfs_pwrite(fs, fd, "1234", 4, 0) == 4, "write");
	hold(mvfs_write(fs, fd, "1234", 4) == 4, "write");
	hold(mvfs_fsync(fs, fd) == 0, "fsync");
	hold(mvfs_mkdir(fs, "/d", 0755) == -EEXIST, "mkdir");
	hold(mvfs_symlink(fs, "a b", "/s") == 0, "symlink");
	hold(mvfs_rename(fs, "/f", "/g") == 0, "rename");
	hold(mvfs_close(fs, fd) == 0, "close");
	hold(mvfs_log_stop(fs) == 0, "stop");
	return fs;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_string(data, size), *exact;
	struct mvfs_error e = { 0 };
	static mvfs *fs;
	int rc;

	if (!fs)
		fs = start();
	rc = mvfs_expect_log(fs, text, &e);
	hold(rc == 0 || rc == -EBADMSG || rc == -EINVAL, "%d", rc);
	if (rc) {
		hold(e.code == rc && e.message[0], "%d", e.code);
		hold(e.offset <= strlen(text) &&
		     e.length <= strlen(text) - e.offset, "a place in \"%s\"",
		     text);
		exact = malloc(size + 8);
		hold(exact != NULL, "no memory");
		snprintf(exact, size + 8, "exact\n%s", text);
		hold(mvfs_expect_log(fs, exact, NULL) != 0 ||
		     strstr(text, "exact"), "\"%s\" is met exactly", text);
		free(exact);
	}
	free(text);
	return 0;
}
