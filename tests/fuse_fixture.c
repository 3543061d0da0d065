/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuse_fixture.h"
#include "tests/tmpdir.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

mvfs *fs;
struct mvfs_mount *mnt;
const char *dir;

static char base[200];
static int threads_before, mounts_before;

/* Shared with the guard: who mounts, and what. */
static struct {
	_Atomic pid_t pid;
	atomic_uint connection; /* its number below /sys/fs/fuse */
} *owner;

int64_t host(int64_t result)
{
	return result < 0 ? -errno : result;
}

const char *in(const char *directory, const char *name)
{
	static char paths[16][512];
	static unsigned next;
	char *path = paths[next++ % 16];

	snprintf(path, sizeof paths[0], "%s/%s", directory, name);
	return path;
}

const char *at(const char *name)
{
	return in(dir, name);
}

const char *fresh_dir(void)
{
	static char paths[8][300];
	static unsigned next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof paths[0], "%s/mnt-XXXXXX", base);
	ck_assert_ptr_nonnull(mkdtemp(path));
	return path;
}

int count_threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	int n = -2;

	while (tasks && readdir(tasks))
		n++;
	if (tasks)
		closedir(tasks);
	return n;
}

/* Calls fn for each mount below base, deepest last; returns how many. */
static int each_mount(void (*fn)(const char *path))
{
	FILE *in_file = fopen("/proc/self/mountinfo", "re");
	char line[4096], path[4096];
	int n = 0;

	while (in_file && fgets(line, sizeof line, in_file)) {
		if (sscanf(line, "%*s %*s %*s %*s %4095s", path) != 1 ||
		    strncmp(path, base, strlen(base)) != 0)
			continue;
		n++;
		if (fn)
			fn(path);
	}
	if (in_file)
		fclose(in_file);
	return n;
}

int count_mounts(void)
{
	return each_mount(NULL);
}

int unmount_by_host(const char *path, int flags)
{
	char command[4200];

	if (!umount2(path, flags))
		return 0;
	if (errno != EPERM)
		return -errno;
	snprintf(command, sizeof command, "fusermount3 -u%s -- '%s'",
		 flags & MNT_DETACH ? "z" : "", path);
	return system(command) ? -EBUSY : 0;
}

static void take_off(const char *path)
{
	fprintf(stderr, "left mounted: %s\n", path);
	unmount_by_host(path, MNT_DETACH);
}

int await(int (*condition)(void *), void *data)
{
	int i;

	for (i = 0; i < 3000; i++) {
		if (condition(data))
			return 1;
		usleep(10000);
	}
	return 0;
}

/* Acts as the user who runs the test, and belongs to him. */
mvfs *new_fs(void)
{
	const struct mvfs_options plain = { .size = sizeof plain };
	struct mvfs_view_options user = {
		.size = sizeof user, .set = MVFS_VIEW_CRED,
		.uid = geteuid(), .gid = getegid(),
	};
	mvfs *made, *view;

	ok(mvfs_create(&plain, &made));
	ok(mvfs_chown(made, "/", user.uid, user.gid));
	ok(mvfs_view(made, &user, &view));
	ok(mvfs_destroy(made));
	return view;
}

static int threads_are(void *count)
{
	return count_threads() == *(int *)count;
}

/* A joined thread may still be seen for a moment. */
void expect_threads(int count)
{
	ck_assert_msg(await(threads_are, &count), "%d threads instead of %d",
		      count_threads(), count);
}

void begin_mount_with(const struct mvfs_mount_options *options)
{
	struct mvfs_error error = { .code = 0 };
	struct stat st;

	owner->connection = 0;
	owner->pid = getpid();
	threads_before = count_threads();
	mounts_before = count_mounts();
	fs = new_fs();
	dir = fresh_dir();
	if (mvfs_mount(fs, dir, options, &mnt, &error))
		ck_abort_msg("%s: %s", dir, error.message);
	ok(host(stat(dir, &st)));
	owner->connection = minor(st.st_dev);
}

void begin_mount(void)
{
	begin_mount_with(NULL);
}

void end_mount(void)
{
	ok(mvfs_unmount(mnt));
	mnt = NULL;
	owner->connection = 0;
	ck_assert_int_eq(count_mounts(), mounts_before);
	expect_threads(threads_before);
	ok(mvfs_destroy(fs));
	fs = NULL;
	ok(host(rmdir(dir)));
}

static int probe(struct mvfs_error *error)
{
	const struct mvfs_options plain = { .size = sizeof plain };
	int r;

	r = mvfs_create(&plain, &fs);
	if (r)
		return r;
	snprintf(base, sizeof base, "%.150s/memvfs-fuse-XXXXXX",
		 tmpdir_for_all());
	if (!mkdtemp(base))
		return -errno;
	r = mvfs_mount(fs, base, NULL, &mnt, error);
	if (!r)
		r = mvfs_unmount(mnt);
	mvfs_destroy(fs);
	return r;
}

/* Whether the process is on its way out or gone, or was killed while it waits
 * for an answer, so that it cannot be. */
static int is_ending(pid_t pid)
{
	enum { EXITING = 4 }; /* the kernel's PF_EXITING */
	char path[64], text[512] = "", *rest;
	unsigned long pending = 0;
	unsigned flags = 0;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return 1;
	rest = fgets(text, sizeof text, file) ? strrchr(text, ')') : NULL;
	fclose(file);
	if (!rest || sscanf(rest + 1, "%*s %*d %*d %*d %*d %*d %u %*s %*s %*s "
			    "%*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
			    "%*s %*s %*s %*s %*s %*s %lu", &flags,
			    &pending) != 2)
		return 1;
	return (flags & EXITING) || (pending & 1ul << (SIGKILL - 1));
}

static void take_off_dead(const char *path)
{
	umount2(path, MNT_FORCE);
	unmount_by_host(path, MNT_DETACH);
}

/* Closes the connection for a process that cannot any more. */
static void force(void)
{
	char path[64];
	int fd;

	fprintf(stderr, "process %d died with its mount\n", (int)owner->pid);
	snprintf(path, sizeof path, "/sys/fs/fuse/connections/%u/abort",
		 (unsigned)owner->connection);
	mount("fusectl", "/sys/fs/fuse/connections", "fusectl", 0, NULL);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd >= 0) {
		if (write(fd, "1", 1) != 1)
			perror(path);
		close(fd);
	}
	each_mount(take_off_dead);
	owner->connection = 0;
}

/*
 * A process that is killed with files of its own mount open cannot end, and
 * the runner would wait for it for ever: somebody else has to close the
 * connection. Outlives the runner, which may be killed as well.
 */
static pid_t start_guard(void)
{
	pid_t runner = getpid(), guard, dying = 0;

	guard = fork();
	if (guard)
		return guard;
	setpgid(0, 0);
	while (getppid() == runner || (owner->connection && owner->pid)) {
		sleep(1);
		if (!owner->connection || !is_ending(owner->pid))
			dying = 0;
		else if (dying != owner->pid)
			dying = owner->pid; /* it may get there by itself */
		else
			force();
	}
	_exit(0);
}

int run_fuse_tests(Suite *suite)
{
	struct mvfs_error error = { .message = "" };
	char command[300];
	SRunner *runner;
	pid_t guard;
	int r, failed;

	owner = mmap(NULL, sizeof *owner, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (owner == MAP_FAILED)
		return EXIT_FAILURE;

	r = probe(&error);
	if (r == -ENODEV || r == -EACCES || r == -EPERM || r == -ENOPKG) {
		printf("SKIP: no mounts here: %s\n", error.message);
		rmdir(base);
		return 77;
	}
	if (r) {
		fprintf(stderr, "%s: %s\n", strerror(-r), error.message);
		return EXIT_FAILURE;
	}
	guard = start_guard();
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	if (guard > 0) {
		kill(guard, SIGKILL);
		waitpid(guard, NULL, 0);
	}
	each_mount(take_off);
	snprintf(command, sizeof command, "rm -rf '%s'", base);
	if (system(command))
		failed++;
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
