/* SPDX-License-Identifier: MIT */
/* Where tests put their directories if other users have to reach them. */
#ifndef TESTS_TMPDIR_H
#define TESTS_TMPDIR_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Whether everybody may pass through all directories of the path. */
static inline bool everybody_reaches(const char *path)
{
	char *real = realpath(path, NULL), *slash;
	bool reached = real != NULL;
	struct stat st;

	while (reached && real[1]) {
		reached = !stat(real, &st) && (st.st_mode & S_IXOTH);
		slash = strrchr(real, '/');
		slash[slash == real] = 0;
	}
	free(real);
	return reached;
}

/* TMPDIR; or, where it is private, what never is. */
static inline const char *tmpdir_for_all(void)
{
	const char *tmpdir = getenv("TMPDIR");

	return tmpdir && everybody_reaches(tmpdir) ? tmpdir : "/tmp";
}

#endif
