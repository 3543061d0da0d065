/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/posix/served.h"

#include <string.h>

static struct mvfs_time clock_now(void *ctx)
{
	atomic_long *seconds = ctx;
	struct mvfs_time now = { atomic_load(seconds), 0, 0 };

	return now;
}

int served_open(struct served *served, const struct posix_limits *limits,
		atomic_long *seconds)
{
	struct mvfs_options options = { .size = sizeof(options) };

	memset(served, 0, sizeof(*served));
	options.clock = clock_now;
	options.clock_ctx = seconds;
	if (limits) {
		options.max_bytes = limits->bytes;
		options.max_inodes = limits->inodes;
	}
	return mvfs_create(&options, &served->fs);
}

void served_close(struct served *served)
{
	mvfs_string_release(&served->string);
	mvfs_destroy(served->clone);
	mvfs_destroy(served->fs);
	memset(served, 0, sizeof(*served));
}

int served_keep(struct served *served, const char *path)
{
	int r;

	mvfs_string_release(&served->string);
	mvfs_destroy(served->clone);
	served->clone = NULL;
	r = mvfs_read_file(served->fs, path, &served->string);
	return r < 0 ? r : mvfs_clone(served->fs, &served->clone);
}

static bool is_text(const struct mvfs_string *string, const char *text)
{
	return string->len == strlen(text) &&
	       memcmp(string->data, text, string->len) == 0;
}

bool served_kept_is(const struct served *served, const char *path,
		    const char *text)
{
	struct mvfs_string cloned;
	bool same;

	if (!is_text(&served->string, text) ||
	    mvfs_read_file(served->clone, path, &cloned) < 0)
		return false;
	same = is_text(&cloned, text);
	mvfs_string_release(&cloned);
	return same;
}
