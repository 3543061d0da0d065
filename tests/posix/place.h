/* SPDX-License-Identifier: MIT */
/*
 * A folder of one's own, in which the kernel's file systems of the tests are
 * mounted: each test gets a folder there; at the end, whatever failing tests
 * left mounted is unmounted and all of it is removed.
 */
#ifndef TESTS_POSIX_PLACE_H
#define TESTS_POSIX_PLACE_H

/* Makes the folder in `parent` (NULL: in TMPDIR); 0 or a negative errno. */
int place_open(const char *parent);
/* A new folder in it for the calling process; its path, static. */
const char *place_new(void);
/* Removes a folder that place_new() gave, with what is in it. */
void place_remove(const char *path);
void place_close(void);

#endif
