/* SPDX-License-Identifier: MIT */
/* A program as it is, that knows nothing of memvfs; examples/12_redirect.c
 * tests it. It is compiled with -include memvfs/redirect.h. */
#include "12_redirect_save.h"

#include <stdio.h>

int save(const char *path, const char *text)
{
	char name[200];
	FILE *file;

	snprintf(name, sizeof(name), "%s.new", path);
	file = fopen(name, "w");
	if (!file)
		return -1;
	fputs(text, file);
	if (fclose(file)) {
		remove(name);
		return -1;
	}
	return rename(name, path);
}
