/* SPDX-License-Identifier: MIT */
/*
 * What the cases share: the file system under test, and short ways to say
 * what must hold. A number in a comment, (12), is that of docs/posix-cases.md.
 */
#ifndef TESTS_POSIX_CASES_H
#define TESTS_POSIX_CASES_H

#include <check.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memvfs/path.h>

#include "tests/expect.h"
#include "tests/posix/driver.h"

/* Under which every case of this program runs. */
extern const struct posix_fs *fs;

/* The file of that name, or the handle, reads exactly this text. */
#define holds(path, text) posix_holds(EXPECT_WHERE(path), (path), (text))
#define handle_holds(fd, text) \
	posix_handle_holds(EXPECT_WHERE(fd), (fd), (text))
/* Nothing has that name. */
#define missing(path) posix_missing(EXPECT_WHERE(path), (path))

void posix_holds(const char *where, const char *path, const char *text);
void posix_handle_holds(const char *where, int fd, const char *text);
void posix_missing(const char *where, const char *path);

/* Creates or replaces a file. */
void make(const char *path, const char *text);
/* lstat and fstat, which must succeed. */
struct mvfs_stat look(const char *path);
struct mvfs_stat look_at(int fd);
/* Permission bits of a name. */
uint32_t mode_of(const char *path);
/* How many names a directory has. */
int count_names(const char *path);

/* A group of cases with a new, empty file system for each test. */
TCase *posix_tcase(Suite *suite, const char *name);
/* Whether the group is run: if there is a reason against it, prints it. */
bool posix_can(const char *group, const char *reason);

void add_rename_cases(Suite *suite);
void add_unlinked_cases(Suite *suite);
void add_path_cases(Suite *suite);
void add_link_cases(Suite *suite);
void add_data_cases(Suite *suite);
void add_mode_cases(Suite *suite);
void add_user_cases(Suite *suite);
void add_dirhandle_cases(Suite *suite);
void add_time_cases(Suite *suite);
void add_xattr_cases(Suite *suite);
void add_lock_cases(Suite *suite);
void add_listing_cases(Suite *suite);
void add_limit_cases(Suite *suite);

/* Runs all of them; the exit status of the program. */
int posix_run(const struct posix_fs *driver);

#endif
