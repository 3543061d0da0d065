/* SPDX-License-Identifier: MIT */
/* What this kernel's file system can do, found out by doing it. */
#include "config.h"

#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

/* New in Linux 6.6 and 6.13; the numbers are those of every architecture. */
enum { NR_fchmodat2 = 452, NR_setxattrat = 463 };

enum { FUSE_MAGIC = 0x65735546 };

static bool policy(const char *name)
{
	char path[64], c = '0';
	int fd;

	snprintf(path, sizeof(path), "proc/sys/fs/%s", name);
	fd = openat(FD_REAL_ROOT, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, &c, 1) != 1)
		c = '0';
	if (fd >= 0)
		close(fd);
	return c != '0';
}

/* Whether a change that follows a look always shows as a later time. */
static bool times_are_fine(int fd)
{
	struct stat old, new;
	int i;

	for (i = 0; i < 50; i++) {
		fstat(fd, &old);
		fchmod(fd, 0600);
		fstat(fd, &new);
		if (old.st_ctim.tv_sec == new.st_ctim.tv_sec &&
		    old.st_ctim.tv_nsec == new.st_ctim.tv_nsec)
			return false;
	}
	return true;
}

static bool reads_move_atime(int fd)
{
	struct timespec old[2] = { { 1000, 0 }, { 2000, 0 } };
	struct stat st;
	char c;

	if (pwrite(fd, "x", 1, 0) != 1 || futimens(fd, old) < 0 ||
	    pread(fd, &c, 1, 0) != 1 || fstat(fd, &st) < 0)
		return true;
	return st.st_atim.tv_sec != 1000;
}

static void probe_file(struct side *side, int fd)
{
	struct facts *facts = &side->facts;

	facts->user_xattr = fsetxattr(fd, "user.probe", "1", 1, 0) == 0;
	facts->trusted_xattr = fsetxattr(fd, "trusted.probe", "1", 1, 0) == 0;
	facts->security_xattr =
		fsetxattr(fd, "security.probe", "1", 1, 0) == 0;
	facts->fine_times = times_are_fine(fd);
	facts->holds_still = !reads_move_atime(fd);
}

void kernel_probe(struct side *side)
{
	struct facts *facts = &side->facts;
	struct kernel *k = side->own;
	struct statfs st;
	int fd;

	facts->fuse = fstatfs(FD_BASE, &st) == 0 && st.f_type == FUSE_MAGIC;
	fchdir(FD_BASE);
	mkdir("probe", 0700);
	fd = open("probe/f", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd >= 0) {
		probe_file(side, fd);
		close(fd);
	}
	facts->devices = mknod("probe/n", S_IFCHR | 0600, makedev(1, 3)) == 0;
	fd = open("probe", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	facts->tmpfile = fd >= 0;
	close(fd);
	fd = open("probe/d", O_RDONLY | O_CREAT | O_DIRECTORY | O_CLOEXEC,
		  0600);
	facts->creat_directory = fd < 0 && errno == EINVAL;
	close(fd);
	k->fchmodat2 = syscall(NR_fchmodat2, AT_FDCWD, "probe/f", 0600, 0) == 0;
	k->xattrat = syscall(NR_setxattrat, AT_FDCWD, "probe/f", 0, "user.x",
			     NULL, (size_t)0) == 0 || errno != ENOSYS;
	facts->chmodat_flags = k->fchmodat2;
	facts->xattrat = k->xattrat;
	facts->sticky_guarded = policy("protected_symlinks") ||
				policy("protected_regular") ||
				policy("protected_fifos");
	facts->hardlinks_guarded = policy("protected_hardlinks");
	kernel_remove(FD_BASE, "probe");
}
