/* SPDX-License-Identifier: MIT */
/*
 * What the cases need of a memvfs besides its calls, whether they reach it
 * by the library or by a mount: a clock that is set, and something that
 * keeps the bytes of a file (a string and a clone) to be looked at later.
 */
#ifndef TESTS_POSIX_SERVED_H
#define TESTS_POSIX_SERVED_H

#include <stdatomic.h>
#include <stdbool.h>

#include <memvfs/memvfs.h>

#include "tests/posix/driver.h"

struct served {
	mvfs *fs;
	mvfs *clone;
	struct mvfs_string string;
};

/* Seconds since 1970; *seconds may be in shared memory. */
int served_open(struct served *served, const struct posix_limits *limits,
		atomic_long *seconds);
void served_close(struct served *served);

int served_keep(struct served *served, const char *path);
/* The string, and the file of that path in the clone, read `text`. */
bool served_kept_is(const struct served *served, const char *path,
		    const char *text);

#endif
