/* SPDX-License-Identifier: MIT */
/*
 * The kernel's side: a directory of a tmpfs (or of a mount of memvfs), in
 * which each round gets a directory of its own as root.
 *
 * It runs on a thread that shares neither descriptors nor current directory,
 * umask and root with the others, so two such sides can be in one process,
 * each with its own POSIX locks. Ids are set by raw system calls, which
 * change those of the calling thread alone. chroot(2) and not openat2(2) with
 * RESOLVE_IN_ROOT, because every call has to resolve so, not open alone.
 */
#include "config.h"

#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_setresuid32
#define SYS_setresuid32 SYS_setresuid
#define SYS_setresgid32 SYS_setresgid
#define SYS_setgroups32 SYS_setgroups
#endif

int64_t kernel_ret(int64_t ret)
{
	return ret < 0 ? -errno : ret;
}

static void must(int64_t ret, const char *what)
{
	if (ret < 0) {
		perror(what);
		abort();
	}
}

/* In a user namespace chroot needs a capability that operations must lack. */
static void raise_caps(const struct kernel *k, bool up)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3,
						 0 };
	struct __user_cap_data_struct data[2];

	if (!k->caps)
		return;
	must(syscall(SYS_capget, &head, data), "capget");
	data[0].effective = up ? data[0].permitted : 0;
	data[1].effective = up ? data[1].permitted : 0;
	must(syscall(SYS_capset, &head, data), "capset");
}

static void become_root(struct side *side)
{
	struct kernel *k = side->own;

	if (k->looking || !side->facts.several_users)
		return;
	must(syscall(SYS_setresuid32, 0, 0, 0), "setresuid");
	k->looking = true;
}

static void switch_user(struct side *side, unsigned user)
{
	struct kernel *k = side->own;
	const struct user *u = &side->users[user];

	if (!side->facts.several_users)
		return;
	must(syscall(SYS_setgroups32, (size_t)u->group_count, u->groups),
	     "setgroups");
	must(syscall(SYS_setresgid32, u->gid, u->gid, u->gid), "setresgid");
	must(fchdir(FD_CWD + (int)user), "fchdir");
	umask(k->umask[user]);
}

void kernel_act(struct side *side, const struct op *op)
{
	struct kernel *k = side->own;
	uint32_t uid = side->users[op->user].uid;

	if (k->acting != op->user) {
		become_root(side);
		switch_user(side, op->user);
		k->acting = op->user;
	}
	if (op->look) {
		become_root(side);
	} else if (k->looking && side->facts.several_users) {
		if (uid)
			must(syscall(SYS_setresuid32, uid, uid, 0),
			     "setresuid");
		k->looking = uid == 0;
	}
}

void kernel_moved(struct side *side, unsigned user)
{
	int fd;

	become_root(side);
	fd = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	must(fd, "open(.)");
	must(dup3(fd, FD_CWD + (int)user, O_CLOEXEC), "dup3");
	close(fd);
}

void kernel_return(struct side *side, unsigned user)
{
	become_root(side);
	raise_caps(side->own, true);
	must(fchdir(FD_CWD + (int)user), "fchdir");
	raise_caps(side->own, false);
}

void kernel_go_home(struct side *side, unsigned user)
{
	become_root(side);
	raise_caps(side->own, true);
	if (side->facts.chrooted) {
		must(chdir("/"), "chdir");
		kernel_moved(side, user);
	}
	raise_caps(side->own, false);
}

static int remove_children(int dir)
{
	struct result list = { 0 };
	size_t at;

	list.out = malloc(BUFFER);
	if (!list.out)
		abort();
	if (kernel_list(dir, ".", &list) < 0)
		list.len = 0;
	for (at = 0; at < list.len; at += 2 + strlen((char *)list.out + at + 1))
		kernel_remove(dir, (char *)list.out + at + 1);
	free(list.out);
	return 0;
}

int kernel_remove(int at, const char *name)
{
	int dir;

	if (unlinkat(at, name, 0) == 0)
		return 0;
	fchmodat(at, name, 0700, 0);
	dir = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
				       O_CLOEXEC);
	if (dir >= 0) {
		remove_children(dir);
		close(dir);
	}
	return unlinkat(at, name, AT_REMOVEDIR);
}

static void leave_round(struct side *side)
{
	struct kernel *k = side->own;
	char name[16];
	int fd;

	become_root(side);
	for (fd = KERNEL_FD; fd < KERNEL_FD + 2 * FD_MAX; fd++)
		close(fd);
	raise_caps(k, true);
	if (k->may_chroot) {
		must(fchdir(FD_REAL_ROOT), "fchdir");
		must(chroot("."), "chroot");
	}
	must(fchdir(FD_BASE), "fchdir");
	if (k->round) {
		snprintf(name, sizeof(name), "%u", k->round);
		kernel_remove(FD_BASE, name);
	}
	raise_caps(k, false);
}

static void reset(struct side *side)
{
	struct kernel *k = side->own;
	char name[16];
	unsigned user;

	leave_round(side);
	snprintf(name, sizeof(name), "%u", ++k->round);
	if (side->facts.several_users)
		must(syscall(SYS_setresgid32, 0, 0, 0), "setresgid");
	umask(022);
	must(mkdir(name, 0777), "mkdir");
	must(chmod(name, 0777), "chmod");
	must(chdir(name), "chdir");
	raise_caps(k, true);
	if (k->may_chroot)
		must(chroot("."), "chroot");
	raise_caps(k, false);
	for (user = 0; user < USERS; user++) {
		kernel_moved(side, user);
		k->umask[user] = 022;
	}
	k->acting = -1;
}

/* Takes every descriptor below KERNEL_FD that is free. */
static int fill_descriptors(void)
{
	int fd;

	for (fd = 3; fd < KERNEL_FD; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    dup3(FD_NULL, fd, O_CLOEXEC) < 0)
			return -errno;
	return fcntl(KERNEL_FD, F_GETFD) < 0 ? 0 : -EMFILE;
}

static int reserve(int tmp, int fd)
{
	int ret;

	if (tmp < 0)
		return -errno;
	ret = fcntl(fd, F_GETFD) < 0 ? dup3(tmp, fd, O_CLOEXEC) : -1;
	if (ret < 0)
		errno = EMFILE;
	close(tmp);
	return ret < 0 ? -errno : 0;
}

/* `own`: the table of descriptors is this thread's alone. */
static int reserve_descriptors(struct side *side, bool own)
{
	const int dir = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
	int base = fcntl(side->dir, F_DUPFD_CLOEXEC, 3), fd, ret;

	for (fd = 3; base >= 0 && own && fd < 1024; fd++)
		if (fd != base)
			close(fd);
	ret = reserve(base, FD_BASE);
	if (ret == 0)
		ret = reserve(open("/dev/null", O_RDWR | O_CLOEXEC), FD_NULL);
	if (ret == 0)
		ret = reserve(open("/", dir), FD_REAL_ROOT);
	if (ret < 0)
		return ret;
	side->facts.realpath =
		reserve(open("/proc/thread-self/fd", dir), FD_PROC) == 0;
	return fill_descriptors();
}

static int start(struct side *side)
{
	struct kernel *k = calloc(1, sizeof(*k));
	bool own = unshare(CLONE_FS | CLONE_FILES) == 0;
	int ret;

	if (!k)
		return -ENOMEM;
	side->own = k;
	ret = reserve_descriptors(side, own);
	if (ret < 0) {
		fprintf(stderr, "the directory: %s\n", strerror(-ret));
		free(k);
		side->own = NULL;
		return ret;
	}
	k->acting = -1;
	k->looking = side->facts.several_users;
	k->caps = !side->facts.several_users;
	raise_caps(k, true);
	k->may_chroot = fchdir(FD_BASE) == 0 && chroot(".") == 0;
	raise_caps(k, false);
	side->facts.chrooted = k->may_chroot;
	if (!k->may_chroot)
		side->facts.realpath = false;
	kernel_probe(side);
	return 0;
}

static void stop(struct side *side)
{
	if (!side->own)
		return;
	leave_round(side);
	free(side->own);
	side->own = NULL;
}

static void audit(struct side *side, const struct dump *dump, char fault[512])
{
	(void)side;
	(void)dump;
	(void)fault;
}

const struct driver kernel_driver = {
	.name = "kernel",
	.start = start,
	.stop = stop,
	.reset = reset,
	.run = kernel_run,
	.audit = audit
};
