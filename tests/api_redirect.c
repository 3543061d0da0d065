/* SPDX-License-Identifier: MIT */
/*
 * memvfs/redirect.h, with which this file is compiled, and memvfs/route.h:
 * what the calls of POSIX do in a tree, and where a path leads.
 */
#include "config.h"

#include <memvfs/memvfs.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/expect.h"
#include "tests/redirect/calls.h"

static mvfs *fs, *inner;

static void start(void)
{
	ok(mvfs_create(NULL, &fs));
	ok(mvfs_create(NULL, &inner));
	umask(022);
	ck_assert_int_eq(chdir("/"), 0);
}

static void end(void)
{
	ok(mvfs_destroy(fs));
	ok(mvfs_destroy(inner));
}

static void fails_with(int error, long result)
{
	ck_assert_int_eq(result, -1);
	ck_assert_int_eq(errno, error);
}

START_TEST(test_calls_in_a_tree_tell_what_the_kernel_tells)
{
	static char ours[30000], theirs[30000];
	char dir[] = "/tmp/memvfs-redirect-XXXXXX";
	struct mvfs_view_options options = {
		.size = sizeof(options), .set = MVFS_VIEW_CRED,
		.uid = getuid(), .gid = getgid(),
	};
	mvfs *view;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	calls_plain(dir, theirs, sizeof(theirs));
	ok(mvfs_chmod(fs, "/", 0777));
	ok(mvfs_view(fs, &options, &view));
	/* over a place where something else would be seen */
	ok(mvfs_route(view, "/etc", 0));
	calls_redirected("/etc", ours, sizeof(ours));
	ck_assert_str_eq(ours, theirs);
	ok(mvfs_unroute("/etc", 0));
	ok(mvfs_destroy(view));
	ck_assert_int_eq(rmdir(dir), 0);
	fails(mvfs_close(fs, 0), EBADF);
}
END_TEST

START_TEST(test_the_longest_prefix_counts_and_only_whole_components)
{
	struct stat st;

	ok(mvfs_route(fs, "/no/where", 0));
	ok(mvfs_route(inner, "//no/./where/x/../inside/", 0));
	fails(mvfs_route(fs, "/no/where", 0), EEXIST);
	ck_assert_int_eq(mkdir("/no/where/dir", 0755), 0);
	ck_assert_int_eq(mkdir("/no/where/inside/other", 0755), 0);
	ok(mvfs_chdir(fs, "/dir"));
	ok(mvfs_chdir(inner, "/other"));
	fails_with(ENOENT, stat("/no/whereever", &st));
	fails_with(ENOENT, stat("/no", &st));
	ck_assert_int_eq(stat("/no/where", &st), 0);
	ck_assert_int_eq(stat("//no///./where/", &st), 0);
	ck_assert_int_eq(stat("/no/where/inside/../dir", &st), 0);
	ck_assert_int_eq(stat("/no/where/inside/.././../where/dir", &st), 0);
	fails_with(ENOENT, stat("/no/where/missing/../dir", &st));
	ok(mvfs_unroute("/no/where/inside", 0));
	fails_with(ENOENT, stat("/no/where/inside/other", &st));
	ok(mvfs_unroute("/no/where", 0));
	fails_with(ENOENT, stat("/no/where", &st));
	fails(mvfs_unroute("/no/where", 0), ENOENT);
}
END_TEST

START_TEST(test_what_goes_through_a_prefix_and_out_is_the_hosts)
{
	ok(mvfs_route(fs, "/no/where", 0));
	ck_assert_int_eq(access("/no/where/../../proc/self/status", R_OK), 0);
	ck_assert_int_eq(chdir("/proc"), 0);
	ck_assert_int_eq(access("../no/where", X_OK), 0);
	ck_assert_int_eq(mkdir("../no/where/dir", 0755), 0);
	ck_assert_int_eq(chdir("/no/where/dir"), 0);
	ck_assert_int_eq(access("../../../proc/self/status", R_OK), 0);
	ok(mvfs_unroute("/no/where", 0));
	/* and one is where one was before */
	ck_assert_int_eq(access("self/status", R_OK), 0);
}
END_TEST

START_TEST(test_relative_paths_of_descriptors_of_the_host_are_resolved)
{
	int dir = open("/proc", O_RDONLY | O_DIRECTORY), fd;

	ok(mvfs_route(fs, "/proc/tree", 0));
	fd = openat(dir, "tree/file", O_CREAT | O_WRONLY, 0600);
	ck_assert_int_ge(fd, MVFS_REDIRECT_FIRST);
	ck_assert_int_eq(close(fd), 0);
	ck_assert_int_eq(close(dir), 0);
	ok(mvfs_chmod(fs, "/file", 0600));
	ok(mvfs_unroute("/proc/tree", 0));
}
END_TEST

START_TEST(test_a_root_that_is_routed_takes_everything)
{
	char path[100];

	ok(mvfs_route(fs, "/", 0));
	fails_with(ENOENT, access("/proc", F_OK));
	ck_assert_int_eq(mkdir("/proc", 0755), 0);
	ck_assert_int_eq(chdir("/proc"), 0);
	ck_assert_str_eq(getcwd(path, sizeof(path)), "/proc");
	ck_assert_str_eq(realpath("../proc", path), "/proc");
	ck_assert_str_eq(realpath("/", path), "/");
	ok(mvfs_unroute("/", 0));
	ck_assert_int_eq(access("/proc/self", F_OK), 0);
}
END_TEST

START_TEST(test_between_a_tree_and_the_rest_nothing_moves)
{
	char dir[] = "/tmp/memvfs-redirect-XXXXXX";
	int fd, other;

	ok(mvfs_route(fs, "/no/a", 0));
	ok(mvfs_route(inner, "/no/b", 0));
	ck_assert_ptr_nonnull(mkdtemp(dir));
	fd = open("/no/a/file", O_CREAT | O_RDWR, 0600);
	other = open("/no/b/file", O_CREAT | O_RDWR, 0600);
	fails_with(EXDEV, rename("/no/a/file", "/no/b/new"));
	fails_with(EXDEV, rename(dir, "/no/b/new"));
	fails_with(EXDEV, link("/no/a/file", "/tmp/new"));
	fails_with(EOPNOTSUPP, dup2(fd, 1));
	fails_with(EOPNOTSUPP, dup2(fd, other));
	ck_assert_ptr_eq(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0),
			 MAP_FAILED);
	ck_assert_int_eq(errno, ENODEV);
	ok(mvfs_unroute("/no/b", 0));
	fails_with(EBADF, write(other, "x", 1));
	fails_with(EBADF, openat(other, "x", O_RDONLY));
	ck_assert_int_eq(write(fd, "x", 1), 1);
	ok(mvfs_unroute("/no/a", 0));
	ck_assert_int_eq(rmdir(dir), 0);
}
END_TEST

static void *look(void *arg)
{
	struct stat st;

	*(int *)arg = stat("/no/where", &st);
	return arg;
}

START_TEST(test_a_route_of_a_thread_is_not_seen_by_others)
{
	pthread_t thread;
	struct stat st;
	int other = 5;

	ok(mvfs_route(fs, "/no/where", MVFS_ROUTE_THREAD));
	ck_assert_int_eq(stat("/no/where", &st), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, look, &other), 0);
	pthread_join(thread, NULL);
	ck_assert_int_eq(other, -1);
	ok(mvfs_route(inner, "/no/where", 0));
	ok(mvfs_mkdir(inner, "/inner", 0755));
	fails_with(ENOENT, stat("/no/where/inner", &st));
	fails(mvfs_unroute("/no/there", MVFS_ROUTE_THREAD), ENOENT);
	ok(mvfs_unroute("/no/where", MVFS_ROUTE_THREAD));
	ck_assert_int_eq(stat("/no/where/inner", &st), 0);
	ok(mvfs_unroute("/no/where", 0));
}
END_TEST

START_TEST(test_a_child_has_its_own_copy_of_the_tree)
{
	int status, fd;
	pid_t child;

	ok(mvfs_route(fs, "/no/where", 0));
	fd = open("/no/where/file", O_CREAT | O_RDWR, 0600);
	child = fork();
	if (!child)
		_exit(write(fd, "x", 1) != 1 || unlink("/no/where/file"));
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(lseek(fd, 0, SEEK_END), 0);
	ck_assert_int_eq(access("/no/where/file", F_OK), 0);
	ck_assert_int_eq(close(fd), 0);
	ok(mvfs_unroute("/no/where", 0));
}
END_TEST

START_TEST(test_arguments_that_are_wrong_are_refused)
{
	static char path[5000];
	char name[20];
	int i;

	fails(mvfs_route(NULL, "/p", 0), EINVAL);
	fails(mvfs_route(fs, NULL, 0), EFAULT);
	fails(mvfs_route(fs, "p", 0), EINVAL);
	fails(mvfs_route(fs, "", 0), EINVAL);
	fails(mvfs_route(fs, "/p", 2), EINVAL);
	fails(mvfs_unroute(NULL, 0), EFAULT);
	fails(mvfs_unroute("p", 0), EINVAL);
	memset(path, 'x', sizeof(path) - 1);
	path[0] = '/';
	fails(mvfs_route(fs, path, 0), ENAMETOOLONG);
	for (i = 0; i < 128; i++) {
		snprintf(name, sizeof(name), "/p/%d", i);
		ok(mvfs_route(fs, name, 0));
	}
	fails(mvfs_route(fs, "/q", 0), EMFILE);
	fails_with(ENOENT, open("", O_RDONLY));
	fails_with(ENAMETOOLONG, open(path, O_RDONLY));
	while (i--) {
		snprintf(name, sizeof(name), "/p/%d", i);
		ok(mvfs_unroute(name, 0));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("redirect");
	TCase *tc = tcase_create("redirect");

	tcase_add_checked_fixture(tc, start, end);
	tcase_add_test(tc, test_calls_in_a_tree_tell_what_the_kernel_tells);
	tcase_add_test(tc,
		test_the_longest_prefix_counts_and_only_whole_components);
	tcase_add_test(tc,
		test_what_goes_through_a_prefix_and_out_is_the_hosts);
	tcase_add_test(tc,
		test_relative_paths_of_descriptors_of_the_host_are_resolved);
	tcase_add_test(tc, test_a_root_that_is_routed_takes_everything);
	tcase_add_test(tc, test_between_a_tree_and_the_rest_nothing_moves);
	tcase_add_test(tc, test_a_route_of_a_thread_is_not_seen_by_others);
	tcase_add_test(tc, test_a_child_has_its_own_copy_of_the_tree);
	tcase_add_test(tc, test_arguments_that_are_wrong_are_refused);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
