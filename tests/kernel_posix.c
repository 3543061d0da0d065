/* SPDX-License-Identifier: MIT */
/*
 * The POSIX cases on the kernel's own tmpfs: not a test of memvfs but of the
 * cases, which must hold there before they are asked of anything else. As
 * root each test gets a tmpfs of its own, in a private mount namespace; else
 * a folder on a tmpfs that is found.
 */
#include "config.h"

#include "tests/posix/cases.h"
#include "tests/posix/place.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <sys/mount.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <linux/magic.h>

static struct posix_fs kernel = { .name = "tmpfs" };
static bool mounts;
static const char *folder;

static void must(int failed, const char *what)
{
	if (failed) {
		perror(what);
		abort();
	}
}

static void begin(const struct posix_limits *limits)
{
	const struct posix_limits none = { 0, 0 };
	char options[100];

	if (!limits)
		limits = &none;
	folder = place_new();
	snprintf(options, sizeof(options), "mode=0755,size=%llu,nr_inodes=%llu",
		 (unsigned long long)limits->bytes,
		 (unsigned long long)limits->inodes);
	if (mounts)
		must(mount("memvfs-test", folder, "tmpfs", MS_NOATIME,
			   options), "mount tmpfs");
	posix_kernel_enter(folder);
}

static void end(void)
{
	posix_kernel_leave();
	if (mounts)
		umount2(folder, MNT_DETACH);
	place_remove(folder);
}

/*
 * Waits until the coarse clock is past what the exact one shows now: the
 * kernel gives out times of either, and the coarse one stays behind.
 */
static void tick(void)
{
	const struct timespec nap = { 0, 1000000 };
	struct timespec start, now;

	clock_gettime(CLOCK_REALTIME, &start);
	do {
		nanosleep(&nap, NULL);
		clock_gettime(CLOCK_REALTIME_COARSE, &now);
	} while (now.tv_sec < start.tv_sec ||
		 (now.tv_sec == start.tv_sec && now.tv_nsec <= start.tv_nsec));
}

static int keep(const char *path)
{
	(void)path;
	return 0;
}

static bool kept_is(const char *path, const char *text)
{
	(void)path;
	(void)text;
	return true;
}

/* Where a tmpfs is; NULL: nowhere that we may write. */
static const char *find_tmpfs(void)
{
	const char *places[] = { getenv("TMPDIR"), "/dev/shm", "/tmp" };
	struct statfs st;
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (places[i] && statfs(places[i], &st) == 0 &&
		    st.f_type == TMPFS_MAGIC && access(places[i], W_OK) == 0)
			return places[i];
	return NULL;
}

static bool can_mount(void)
{
	return geteuid() == 0 && unshare(CLONE_NEWNS) == 0 &&
	       mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

static void probe_xattrs(void)
{
	begin(NULL);
	must(mkdir("probe", 0755), "probe");
	if (setxattr("probe", "user.probe", "", 0, 0) && errno == EOPNOTSUPP)
		kernel.no_xattrs = "this tmpfs has no user xattrs "
				   "(Linux before 6.6)";
	end();
}

int main(void)
{
	const char *parent;
	int status;

	posix_kernel_calls(&kernel);
	kernel.begin = begin;
	kernel.end = end;
	kernel.tick = tick;
	kernel.keep = keep;
	kernel.kept_is = kept_is;
	mounts = can_mount();
	if (!mounts)
		kernel.no_limits = "mounting a tmpfs needs root";
	parent = mounts ? NULL : find_tmpfs();
	if ((!mounts && !parent) || place_open(parent)) {
		printf("SKIP: no tmpfs in TMPDIR, /dev/shm or /tmp\n");
		return 77;
	}
	probe_xattrs();
	status = posix_run(&kernel);
	place_close();
	return status;
}
