/* SPDX-License-Identifier: MIT */
/*
 * Mounts inside the test's own process. Tests of Check run in processes of
 * their own; whatever one of them leaves mounted when it dies, the runner
 * takes away at the end.
 */
#ifndef TESTS_FUSE_FIXTURE_H
#define TESTS_FUSE_FIXTURE_H

#include "tests/expect.h"

#include <check.h>
#include <errno.h>
#include <stdint.h>

#include <memvfs/fuse.h>
#include <memvfs/memvfs.h>

/* What begin_mount() made: an instance, mounted on a fresh directory. */
extern mvfs *fs;
extern struct mvfs_mount *mnt;
extern const char *dir;

mvfs *new_fs(void);
void begin_mount(void);
void begin_mount_with(const struct mvfs_mount_options *options);
/* Unmounts (if that was not done) and holds that nothing is left. */
void end_mount(void);

/* A fresh directory on the host. */
const char *fresh_dir(void);
/* dir/name; the last 16 stay valid. */
const char *in(const char *directory, const char *name);
const char *at(const char *name);

/* A host call's result, as memvfs has them: negative errno. */
int64_t host(int64_t result);

/* How many threads, and mounts below the test's directory, there are. */
int count_threads(void);
void expect_threads(int count);
int count_mounts(void);
/* As root by umount2(2), otherwise by fusermount3. */
int unmount_by_host(const char *path, int flags);
/* Gives a condition 30 s to become true. */
int await(int (*condition)(void *), void *data);

/* Runs the suite; 77 where there are no mounts. */
int run_fuse_tests(Suite *suite);

#endif
