/* SPDX-License-Identifier: MIT */
/* Inside of the kernel's driver: a directory, who acts there, and how. */
#ifndef ORACLE_KERNEL_H
#define ORACLE_KERNEL_H

#include "oracle.h"

struct statx;

/*
 * Descriptors of the process below KERNEL_FD are all taken, so the kernel
 * gives out KERNEL_FD + n where memvfs gives out n. Some of those below:
 */
enum {
	KERNEL_FD = 64,
	FD_NULL = 40,   /* /dev/null: fills the rest */
	FD_BASE,        /* the directory that holds one per round */
	FD_REAL_ROOT,   /* to leave the chroot */
	FD_PROC,        /* /proc/thread-self/fd, or FD_NULL's file */
	FD_CWD          /* + user: O_PATH */
};

struct kernel {
	int acting;            /* the user whose ids these are; -1: none */
	bool looking;          /* but with root's rights */
	bool may_chroot, caps; /* caps: raised for a moment */
	bool remove_base;
	bool fchmodat2, xattrat;
	unsigned round;
	uint32_t umask[USERS];
};

/* -errno of a system call that failed. */
int64_t kernel_ret(int64_t ret);
static inline int kernel_fd(int fd)
{
	return fd < 0 ? fd : fd + KERNEL_FD;
}

void kernel_act(struct side *side, const struct op *op);
/* After a chdir that worked: the user's from now on. */
void kernel_moved(struct side *side, unsigned user);
/* To the root, whether the user may or not. */
void kernel_go_home(struct side *side, unsigned user);
/* Back to the user's current directory. */
void kernel_return(struct side *side, unsigned user);
void kernel_probe(struct side *side);
void kernel_run(struct side *side, const struct op *op,
		struct result *result);
int kernel_remove(int at, const char *name);

/* kernel_calls.c: what takes more than one system call. */
int64_t kernel_stat(int at, const char *path, int flags,
		    struct result *result);
/* Of 64 bits on every machine: fstat(2) may not hold size and times. */
bool kernel_statx(int at, const char *path, int flags, struct statx *x);
int64_t kernel_open(int at, const char *path, int flags, uint32_t mode);
int64_t kernel_vector(const struct op *op, int fd, struct result *result);
int64_t kernel_fallocate(const struct op *op, int fd, struct result *result);
int64_t kernel_copy_range(const struct op *op, struct result *result);
int64_t kernel_clone_file(int from, int to);
int64_t kernel_list(int at, const char *path, struct result *result);
int64_t kernel_realpath(const char *path, struct result *result, size_t len);
int64_t kernel_lock(const struct op *op, int fd, struct result *result);
int64_t kernel_xattr(struct side *side, const struct op *op,
		     struct result *result);
int64_t kernel_whole(const struct op *op, struct result *result);
/* Puts terminated names in order; `skip` bytes stand before each (DT_). */
void list_sort(struct result *result, size_t skip);

#endif
