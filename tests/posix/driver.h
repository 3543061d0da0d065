/* SPDX-License-Identifier: MIT */
/*
 * The calls of POSIX as a table, so that one case is run through the library
 * and through the kernel. The kernel's driver serves twice: on a tmpfs, which
 * proves that the cases themselves are right, and on a mount of memvfs.
 *
 * Every call returns what its namesake does, but a negative errno instead of
 * -1 and errno. Relative paths start at the root of the file system.
 */
#ifndef TESTS_POSIX_DRIVER_H
#define TESTS_POSIX_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <fcntl.h>

#include <memvfs/types.h>

struct posix_limits {
	uint64_t bytes;
	uint64_t inodes;
};

struct posix_fs {
	const char *name;
	/* What cannot be had here, each with the reason; NULL: it can. */
	const char *no_users;
	const char *no_limits;
	const char *no_tmpfile;
	const char *no_xattrs;
	/* "/" is the root of the file system under test. */
	bool rooted;
	/* Space of a file that was closed last comes back a little later. */
	bool frees_later;

	/* An empty file system for one test; limits NULL: none. */
	void (*begin)(const struct posix_limits *limits);
	void (*end)(void);
	/* From now on the clock shows another time. */
	void (*tick)(void);
	/* Who acts. uid 0 is the one who began. */
	void (*act_as)(uint32_t uid, uint32_t gid);
	uint32_t (*umask)(uint32_t mask);

	int (*open)(const char *path, int flags, uint32_t mode);
	int (*openat)(int dirfd, const char *path, int flags, uint32_t mode);
	int (*close)(int fd);
	int (*dup)(int fd);
	int64_t (*read)(int fd, void *to, size_t len);
	int64_t (*write)(int fd, const void *from, size_t len);
	int64_t (*pread)(int fd, void *to, size_t len, int64_t offset);
	int64_t (*pwrite)(int fd, const void *from, size_t len,
			  int64_t offset);
	int64_t (*lseek)(int fd, int64_t offset, int whence);
	int (*ftruncate)(int fd, int64_t size);
	int (*truncate)(const char *path, int64_t size);
	int (*fallocate)(int fd, int mode, int64_t offset, int64_t len);
	int (*fsync)(int fd);

	int (*stat)(const char *path, struct mvfs_stat *st);
	int (*lstat)(const char *path, struct mvfs_stat *st);
	int (*fstat)(int fd, struct mvfs_stat *st);
	int (*chmod)(const char *path, uint32_t mode);
	int (*chown)(const char *path, uint32_t uid, uint32_t gid);

	int (*mkdir)(const char *path, uint32_t mode);
	int (*mkfifo)(const char *path, uint32_t mode);
	int (*rmdir)(const char *path);
	int (*unlink)(const char *path);
	/* flags: MVFS_RENAME_* of memvfs/path.h, the kernel's own too */
	int (*rename)(const char *from, const char *to, unsigned flags);
	int (*link)(const char *from, const char *to, bool follow);
	/* Gives an open file a name. */
	int (*linkfd)(int fd, const char *to);
	int (*symlink)(const char *target, const char *path);
	int64_t (*readlink)(const char *path, char *to, size_t len);

	int (*setxattr)(const char *path, const char *name,
			const void *value, size_t size, int flags);
	int (*lsetxattr)(const char *path, const char *name,
			 const void *value, size_t size, int flags);
	int64_t (*getxattr)(const char *path, const char *name, void *value,
			    size_t size);
	int64_t (*listxattr)(const char *path, char *names, size_t size);
	int (*removexattr)(const char *path, const char *name);

	int (*flock)(int fd, int operation);
	/* Never waits. */
	int (*setlk)(int fd, int type, int64_t start, int64_t len, bool ofd);
	/* What a write lock of all of the file, wanted by another process,
	 * would meet: F_RDLCK, F_WRLCK, or F_UNLCK if nothing. */
	int (*lock_met_by_another_process)(const char *path);

	int (*opendir)(const char *path, void **dir);
	/* 1 and a name, without "." and ".."; 0 at the end. */
	int (*readdir)(void *dir, char name[256]);
	int (*closedir)(void *dir);

	/*
	 * Something keeps the bytes that the file has now: a string and a
	 * clone. Then: whether all that is kept still reads `text`. Only
	 * what memvfs serves has these; elsewhere nothing is kept.
	 */
	int (*keep)(const char *path);
	bool (*kept_is)(const char *path, const char *text);
};

/*
 * The rows from open to closedir by system calls, and act_as and umask. As
 * root begin calls posix_kernel_enter() with the mounted folder, which makes
 * it the root directory of the process; end calls posix_kernel_leave().
 */
void posix_kernel_calls(struct posix_fs *fs);
void posix_kernel_enter(const char *path);
void posix_kernel_leave(void);

#endif
