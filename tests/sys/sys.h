/* SPDX-License-Identifier: MIT */
/*
 * The tests of memvfs/sys.h: what they share. Numbers, (12), are those of
 * docs/posix-cases.md: the same rules, asked by inode number and name.
 */
#ifndef TESTS_SYS_SYS_H
#define TESTS_SYS_SYS_H

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include <memvfs/sys.h>

#include "tests/expect.h"

extern mvfs *fs;
extern uint64_t top;			/* the root's inode */
extern const struct mvfs_actor root;	/* umask 022 */
extern const struct mvfs_actor user;	/* 1000:1000 */
extern const struct mvfs_actor other;	/* 2000:2000 */

/* Creates a file with that text, or a directory; its inode. */
uint64_t make(uint64_t parent, const char *name, const char *text);
uint64_t make_dir(uint64_t parent, const char *name);
uint64_t make_dir_of(const struct mvfs_actor *owner, const char *name,
		     uint32_t mode);
struct mvfs_file *open_ino(uint64_t ino, int flags);
/* Attributes of an inode, and the inode of a name. */
struct mvfs_stat look(uint64_t ino);
uint64_t find(uint64_t parent, const char *name);
int look_up(uint64_t parent, const char *name);
int set_mode(const struct mvfs_actor *actor, uint64_t ino, uint32_t mode);
int set_size(const struct mvfs_actor *actor, uint64_t ino,
	     struct mvfs_file *file, uint64_t size);
/* Later calls see a later time. */
void tick(void);

#define holds(ino, text) sys_holds(EXPECT_WHERE(ino), (ino), (text))
#define file_holds(file, text) \
	sys_file_holds(EXPECT_WHERE(file), (file), (text))
#define missing(parent, name) fails(look_up((parent), (name)), ENOENT)

void sys_holds(const char *where, uint64_t ino, const char *text);
void sys_file_holds(const char *where, struct mvfs_file *file,
		    const char *text);

void begin_with_limits(uint64_t bytes, uint64_t inodes);
TCase *sys_tcase(Suite *suite, const char *name);

void add_name_tests(Suite *suite);
void add_pin_tests(Suite *suite);
void add_file_tests(Suite *suite);
void add_user_tests(Suite *suite);
void add_xattr_tests(Suite *suite);
void add_lock_tests(Suite *suite);
void add_list_tests(Suite *suite);

#endif
