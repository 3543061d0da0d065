/* SPDX-License-Identifier: MIT */
/*
 * Fault rules: a text is a rule, which then is listed as it is and leaves the
 * tree alone when it fails a call, or it is none, and the error says where.
 */
#include "config.h"

#include <memvfs/memvfs.h>

#include <errno.h>
#include <fcntl.h>

#include "fuzz/grammar.h"

const char fuzz_corpus[] = "fault";

static int same(void *ctx, const struct mvfs_fault *fault)
{
	hold(!strcmp(fault->text, ctx), "%s", fault->text);
	return 1;
}

static void check_error(const char *text, const struct mvfs_error *e)
{
	unsigned long long column;

	hold(e->code == -EINVAL, "%d", e->code);
	hold(e->offset <= strlen(text) &&
	     e->length <= strlen(text) - e->offset, "a place in \"%s\"", text);
	hold(sscanf(e->message, "column %llu:", &column) == 1 &&
	     column == e->offset + 1, "%s", e->message);
}

/* Calls that a rule may be for. */
static void work(mvfs *fs)
{
	char to[8];
	struct mvfs_string s;
	int fd = mvfs_open(fs, "/f", O_CREAT | O_RDWR, 0644);
	int64_t n;

	if (fd >= 0) {
		n = mvfs_write(fs, fd, "abcdefg", 7);
		hold(n <= 7 && n != 0, "%lld", (long long)n);
		n = mvfs_pread(fs, fd, to, sizeof(to), 0);
		hold(n <= 7, "%lld", (long long)n);
		(void)mvfs_fsync(fs, fd);
		(void)mvfs_close(fs, fd);
		hold(mvfs_close(fs, fd) == -EBADF, "still open");
	}
	if (mvfs_read_file(fs, "/f", &s) == 0)
		mvfs_string_release(&s);
	(void)mvfs_write_file(fs, "/d/f", "12345", 5);
	(void)mvfs_rename(fs, "/d/f", "/g");
}

static void try_rule(char *text)
{
	const struct mvfs_options options = {
		.size = sizeof(options), .flags = MVFS_SEEDED,
	};
	struct mvfs_error e = { 0 };
	uint64_t id = 0;
	mvfs *fs;
	int rc;

	hold(mvfs_create(&options, &fs) == 0, "no memory");
	hold(mvfs_mkdir(fs, "/d", 0755) == 0, "mkdir");
	rc = mvfs_fault_add(fs, text, &id, &e);
	hold(rc == 0 || rc == -EINVAL, "%d", rc);
	hold(!rc == !!id, "a number for what is no rule");
	if (rc)
		check_error(text, &e);
	else
		hold(mvfs_fault_list(fs, same, text) == 1, "not listed");
	if (!rc && !strstr(text, "delay"))
		work(fs);
	hold(mvfs_destroy(fs) == 0, "destroy");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_string(data, size), *at = text, *end;

	do { /* each line is one */
		end = strchr(at, '\n');
		if (end)
			*end = 0;
		try_rule(at);
		at = end + 1;
	} while (end);
	free(text);
	return 0;
}
