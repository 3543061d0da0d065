/* SPDX-License-Identifier: MIT */
/* Mounts in private directories: however the process ends, nothing is left. */
#include <config.h>

#include <memvfs/fuse.h>
#include <memvfs/memvfs.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/expect.h"

static mvfs *fs;
static struct mvfs_mount *mount;

static void begin(void)
{
	struct mvfs_error error;

	ok(mvfs_create(NULL, &fs));
	if (mvfs_mount_temp(fs, NULL, &mount, &error))
		ck_abort_msg("%s", error.message);
}

static void wait_a_moment(void)
{
	nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
}

/* Neither the directory nor a mount that it would hide. */
static void expect_gone(const char *dir)
{
	struct stat st;
	int i;

	for (i = 0; i < 500; i++) {
		if (lstat(dir, &st) && errno == ENOENT)
			return;
		wait_a_moment();
	}
	ck_abort_msg("%s is still there", dir);
}

static void end_by_exit(void)
{
	exit(0);
}

static void end_by_abort(void)
{
	abort();
}

static void end_by_kill(void)
{
	raise(SIGKILL);
}

static void end_at_once(void)
{
	_exit(0);
}

/* The mount in use by the one who serves it. */
static void end_with_files_open(void)
{
	if (chdir(mvfs_mount_dir(mount)) ||
	    open("file", O_CREAT | O_RDWR, 0600) < 0)
		_exit(9);
	raise(SIGKILL);
}

static void end_with_a_child_left(void)
{
	if (!fork()) {
		sleep(20);
		_exit(0);
	}
	raise(SIGKILL);
}

static struct mvfs_time sleep_first(void *ctx)
{
	(void)ctx;
	sleep(60);
	return (struct mvfs_time){ 0 };
}

static void *kill_soon(void *data)
{
	wait_a_moment();
	raise(SIGKILL);
	return data;
}

/* For an answer that it would have had to give itself. */
static void end_while_it_waits(void)
{
	pthread_t thread;

	if (chdir(mvfs_mount_dir(mount)) ||
	    mvfs_set_clock(fs, sleep_first, NULL) ||
	    pthread_create(&thread, NULL, kill_soon, NULL))
		_exit(9);
	(void)!open("file", O_CREAT | O_RDWR, 0600);
	_exit(9);
}

static void (*const ends[])(void) = {
	end_by_exit, end_by_abort, end_by_kill, end_at_once,
	end_with_files_open, end_with_a_child_left, end_while_it_waits,
};

START_TEST(test_nothing_is_left_however_the_process_ends)
{
	char path[4096] = "";
	int told[2], status;
	pid_t child;

	ck_assert_int_eq(pipe(told), 0);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (!child) {
		begin();
		if (write(told[1], mvfs_mount_dir(mount),
			  strlen(mvfs_mount_dir(mount))) < 0)
			_exit(8);
		ends[_i]();
	}
	ck_assert_int_gt(read(told[0], path, sizeof(path) - 1), 0);
	ck_assert_ptr_nonnull(strstr(path, "/memvfs-"));
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(!WIFEXITED(status) || WEXITSTATUS(status) == 0);
	expect_gone(path);
}
END_TEST

START_TEST(test_the_directory_is_private_and_shows_the_tree)
{
	char path[4200], dir[4096];
	struct stat st;
	int fd;

	begin();
	snprintf(dir, sizeof(dir), "%s", mvfs_mount_dir(mount));
	ok(mvfs_write_file(fs, "/file", "text", 4));
	snprintf(path, sizeof(path), "%s/file", dir);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_size, 4);
	/* whoever serves it and forgets a file */
	fd = open(path, O_RDONLY);
	ck_assert_int_ge(fd, 0);
	ok(mvfs_unmount(mount));
	ck_assert_int_eq(lstat(dir, &st), -1);
	ck_assert_int_eq(errno, ENOENT);
	close(fd);
	ok(mvfs_destroy(fs));
}
END_TEST

START_TEST(test_no_wait_finds_the_janitor_and_sigpipe_is_the_callers)
{
	struct sigaction now;

	begin();
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
	ok(mvfs_unmount(mount));
	ck_assert_int_eq(sigaction(SIGPIPE, NULL, &now), 0);
	ck_assert(now.sa_handler == SIG_DFL);
	ok(mvfs_destroy(fs));
}
END_TEST

START_TEST(test_refusals_leave_no_directory)
{
	struct mvfs_mount_options options = { .size = 1 };
	struct mvfs_error error = { .code = 0 };
	char dir[] = "/tmp/memvfs-temp-XXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(dir));
	setenv("TMPDIR", dir, 1);
	ok(mvfs_create(NULL, &fs));
	fails(mvfs_mount_temp(NULL, NULL, &mount, &error), EINVAL);
	fails(mvfs_mount_temp(fs, NULL, NULL, NULL), EINVAL);
	fails(mvfs_mount_temp(fs, &options, &mount, &error), EINVAL);
	ck_assert_int_eq(error.code, -EINVAL);
	/* empty */
	ck_assert_int_eq(rmdir(dir), 0);
	fails(mvfs_mount_temp(fs, NULL, &mount, &error), ENOENT);
	ck_assert_ptr_null(mvfs_mount_dir(NULL));
	ok(mvfs_destroy(fs));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fuse_temp");
	TCase *tc = tcase_create("temp");
	struct mvfs_error error;
	mvfs *probe;

	ok(mvfs_create(NULL, &probe));
	if (mvfs_mount_temp(probe, NULL, &mount, &error)) {
		printf("SKIP: %s\n", error.message);
		return 77;
	}
	ok(mvfs_unmount(mount));
	ok(mvfs_destroy(probe));
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, test_nothing_is_left_however_the_process_ends,
			    0, sizeof(ends) / sizeof(ends[0]));
	tcase_add_test(tc, test_the_directory_is_private_and_shows_the_tree);
	tcase_add_test(tc,
		test_no_wait_finds_the_janitor_and_sigpipe_is_the_callers);
	tcase_add_test(tc, test_refusals_leave_no_directory);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
