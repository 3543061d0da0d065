/* SPDX-License-Identifier: MIT */
/*
 * Memory that ends together: the lines of a file as a list, in an arena. What
 * is needed only for a moment, a path, comes from a scratch frame.
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

int main(void)
{
	struct mvfs_arena arena = MVFS_ARENA_INIT;
	struct mvfs_scratch frame;
	struct mvfs_string text;
	struct line *line;
	int count = 0;
	char *path;
	mvfs *fs;

	mvfs_scratch_open(&frame);
	path = mvfs_scratch_alloc(&frame, 20);
	if (!path || snprintf(path, 20, "/%s.%d", "lines", 7) < 0 ||
	    mvfs_create(NULL, &fs) < 0 ||
	    mvfs_write_file(fs, path, "one\ntwo\nthree\n", 14) < 0 ||
	    mvfs_read_string(fs, path, NULL, 0, &text, NULL) < 0)
		return 1;
	mvfs_scratch_close(&frame);
	for (line = lines_of(&arena, mvfs_string_cstr(&text)); line;
	     line = line->next, count++)
		printf("%s\n", line->text);
	mvfs_arena_close(&arena);
	mvfs_string_release(&text);
	mvfs_destroy(fs);
	return count != 3;
}
