/* SPDX-License-Identifier: MIT */
/*
 * Memory that ends together: the lines of a file as a list, in an arena. The
 * arena is closed, and all of it is gone. What is needed only for a moment, a
 * path that is put together, comes from a scratch frame.
 */
#include <stdio.h>
#include <string.h>

#include <memvfs/memvfs.h>

struct line {
	struct line *next;
	const char *text;
};

/* The lines of the text, the last first; NULL without memory. */
static struct line *lines_of(struct mvfs_arena *arena, const char *text)
{
	struct line *first = NULL, *line;
	size_t len;

	for (; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		line = mvfs_arena_alloc(arena, sizeof(*line));
		if (!line)
			return NULL;
		line->text = mvfs_arena_strndup(arena, text, len);
		line->next = first;
		first = line;
	}
	return first;
}

static int read_below(mvfs *fs, const char *dir, const char *name,
		      struct mvfs_string *text)
{
	size_t room = strlen(dir) + strlen(name) + 2;
	struct mvfs_scratch frame;
	char *path;
	int rc = -1;

	mvfs_scratch_open(&frame);
	path = mvfs_scratch_alloc(&frame, room);
	if (path) {
		snprintf(path, room, "%s/%s", dir, name);
		rc = mvfs_read_string(fs, path, NULL, 0, text, NULL);
	}
	mvfs_scratch_close(&frame);
	return rc;
}

int main(void)
{
	struct mvfs_arena arena = MVFS_ARENA_INIT;
	struct mvfs_string text;
	struct line *line;
	int count = 0;
	mvfs *fs;

	if (mvfs_create(NULL, &fs) < 0 || mvfs_mkdir(fs, "/etc", 0755) < 0 ||
	    mvfs_write_file(fs, "/etc/hosts", "one\ntwo\nthree\n", 14) < 0 ||
	    read_below(fs, "/etc", "hosts", &text) < 0)
		return 1;
	for (line = lines_of(&arena, mvfs_string_cstr(&text)); line;
	     line = line->next, count++)
		printf("%s\n", line->text);
	mvfs_arena_close(&arena);
	mvfs_string_release(&text);
	mvfs_destroy(fs);
	return count != 3;
}
