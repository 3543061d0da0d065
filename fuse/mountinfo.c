// SPDX-License-Identifier: MIT
/*
 * What is mounted where, of ours, from /proc/self/mountinfo. It is told by
 * device number: a directory's path changes when somebody renames one above
 * it, and asking the mount itself may block or find it dead.
 */
#include <config.h>

#include "fuse/adapter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

/* mountinfo writes blanks and backslashes as three octal digits. */
static void unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (text[0] == '\\' && text[1] && text[2] && text[3]) {
			*to++ = (text[1] - '0') * 64 + (text[2] - '0') * 8 +
				(text[3] - '0');
			text += 3;
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
}

/* "36 35 98:0 /root /dir options - type source": 1 if it is one of ours. */
static int read_line(char *line, struct mvfs__mounted *to)
{
	unsigned dev_major, dev_minor;
	char *dash = strstr(line, " - ");
	int at = 0;
	char *dir;

	if (!dash || strncmp(dash + 3, MVFS__FUSE_TYPE " ",
			     sizeof MVFS__FUSE_TYPE))
		return 0;
	if (sscanf(line, "%*d %*d %u:%u %*s %n", &dev_major, &dev_minor,
		   &at) != 2 || !at)
		return 0;
	dir = line + at;
	dir[strcspn(dir, " ")] = '\0';
	unescape(dir);
	to->dev = makedev(dev_major, dev_minor);
	return snprintf(to->dir, sizeof to->dir, "%s", dir) <
	       (int)sizeof to->dir;
}

int mvfs__mounted_find(uint64_t dev, const char *dir,
		       struct mvfs__mounted *to)
{
	struct mvfs__mounted one;
	char *line = NULL;
	size_t size = 0;
	int found = 0;
	FILE *in;

	in = fopen("/proc/self/mountinfo", "re");
	if (!in)
		return -errno;
	while (getline(&line, &size, in) > 0) {
		if (!read_line(line, &one))
			continue;
		if (dev ? one.dev != dev : strcmp(one.dir, dir) != 0)
			continue;
		*to = one;
		found = 1;
	}
	free(line);
	fclose(in);
	return found;
}

uint64_t mvfs__mounted_at(const char *dir)
{
	struct mvfs__mounted found;

	return mvfs__mounted_find(0, dir, &found) > 0 ? found.dev : 0;
}
