/* SPDX-License-Identifier: MIT */
/* The life of a mount inside a process. */
#include <config.h>

#include "tests/fuse_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/syscr.h"

START_TEST(test_mount_answers_when_the_call_returns)
{
	struct stat st;
	struct mvfs_stat root;

	begin_mount();
	ok(host(stat(dir, &st)));
	ok(mvfs_stat(fs, "/", &root));
	ck_assert_uint_eq(st.st_ino, root.ino);
	ck_assert_uint_eq(st.st_mode, root.mode);
	ck_assert_uint_eq(count_mounts(), 1);
	end_mount();
}
END_TEST

static void refused(mvfs *with, const char *where,
		    const struct mvfs_mount_options *options, int code)
{
	struct mvfs_mount *untouched = (struct mvfs_mount *)&fs, *got;
	struct mvfs_error error = { .code = 1 };
	int before = count_threads();

	got = untouched;
	fails(mvfs_mount(with, where, options, &got, &error), code);
	ck_assert_ptr_eq(got, untouched);
	ck_assert_int_eq(error.code, -code);
	ck_assert_uint_gt(strlen(error.message), 5);
	/* and without a place for the message */
	fails(mvfs_mount(with, where, options, &got, NULL), code);
	expect_threads(before);
}

START_TEST(test_refusals_have_their_errno_and_change_nothing)
{
	struct mvfs_mount_options options = { .size = sizeof options };
	struct mvfs_options confined = { .size = sizeof confined,
					 .flags = MVFS_CONFINED };
	struct mvfs_mount *got;
	mvfs *alone;

	fs = new_fs();
	dir = fresh_dir();
	refused(fs, at("missing"), NULL, ENOENT);
	ok(host(close(open(at("file"), O_CREAT | O_WRONLY, 0600))));
	refused(fs, at("file"), NULL, ENOTDIR);
	refused(fs, dir, NULL, ENOTEMPTY);
	ok(host(unlink(at("file"))));
	refused(NULL, dir, NULL, EINVAL);
	refused(fs, NULL, NULL, EINVAL);
	fails(mvfs_mount(fs, dir, NULL, NULL, NULL), EINVAL);
	options.size = 0;
	refused(fs, dir, &options, EINVAL);
	options.size = sizeof options;
	options.flags = 1u << 31;
	refused(fs, dir, &options, EINVAL);
	options.flags = 0;
	options.options = "default_permissions";
	refused(fs, dir, &options, EINVAL);
	options.options = "max_read=x";
	refused(fs, dir, &options, EINVAL);
	options.options = NULL;
	options.max_threads = 10001;
	refused(fs, dir, &options, EINVAL);
	ok(mvfs_create(&confined, &alone));
	refused(alone, dir, NULL, EINVAL);
	ok(mvfs_destroy(alone));
	ck_assert_int_eq(count_mounts(), 0);
	options.max_threads = 1; /* or another may begin at any request */
	ok(mvfs_mount(fs, dir, &options, &got, NULL));
	refused(fs, dir, NULL, EBUSY);
	ok(mvfs_unmount(got));
	ok(mvfs_destroy(fs));
}
END_TEST

START_TEST(test_check_finds_what_mount_would_refuse)
{
	struct mvfs_mount_options options = { .size = sizeof options };
	struct mvfs_error error = { .code = 0 };

	dir = fresh_dir();
	ok(mvfs_mount_check(dir, NULL, &error));
	ok(mvfs_mount_check(dir, &options, NULL));
	fails(mvfs_mount_check(at("missing"), NULL, &error), ENOENT);
	ck_assert_ptr_nonnull(strstr(error.message, "missing"));
	fails(mvfs_mount_check("/dev/null", NULL, &error), ENOTDIR);
	options.options = "ro,unheard-of";
	fails(mvfs_mount_check(dir, &options, &error), EINVAL);
	ck_assert_ptr_nonnull(strstr(error.message, "unheard-of"));
	fails(mvfs_mount_check(NULL, NULL, NULL), EINVAL);
	ck_assert_int_eq(count_mounts(), 0);
}
END_TEST

START_TEST(test_last_view_cannot_go_while_mounted)
{
	mvfs *second;

	begin_mount();
	fails(mvfs_destroy(fs), EBUSY);
	ok(mvfs_view(fs, NULL, &second));
	ok(mvfs_destroy(fs));
	fs = second;
	ok(mvfs_write_file(fs, "/file", "x", 1));
	ok(host(access(at("file"), F_OK)));
	end_mount();
}
END_TEST

START_TEST(test_process_signals_are_not_touched)
{
	struct sigaction before[NSIG], after;
	sigset_t mask, mask_after;
	int i;

	for (i = 1; i < NSIG; i++)
		if (sigaction(i, NULL, &before[i]))
			memset(&before[i], 0, sizeof before[i]);
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	begin_mount();
	for (i = 1; i < NSIG; i++)
		if (!sigaction(i, NULL, &after))
			ck_assert_ptr_eq(after.sa_handler,
					 before[i].sa_handler);
	pthread_sigmask(SIG_SETMASK, NULL, &mask_after);
	for (i = 1; i < NSIG; i++)
		ck_assert_int_eq(sigismember(&mask, i),
				 sigismember(&mask_after, i));
	end_mount();
}
END_TEST

static atomic_int handled_by;

static void remember_thread(int number)
{
	(void)number;
	handled_by = gettid();
}

START_TEST(test_threads_of_the_mount_take_no_signals)
{
	struct sigaction action = { .sa_handler = remember_thread };
	struct stat st;
	sigset_t set;
	int i;

	begin_mount();
	sigaction(SIGUSR1, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	for (i = 0; i < 20; i++) {
		/* Blocked here: another thread would have to take it. */
		pthread_sigmask(SIG_BLOCK, &set, NULL);
		kill(getpid(), SIGUSR1);
		ok(host(stat(dir, &st)));
		ck_assert_int_eq(handled_by, 0);
		pthread_sigmask(SIG_UNBLOCK, &set, NULL);
		ck_assert_int_eq(handled_by, getpid());
		handled_by = 0;
	}
	end_mount();
}
END_TEST

START_TEST(test_device_is_not_inherited_by_programs)
{
	struct dirent *entry;
	char link[64], target[64];
	int found = 0;
	ssize_t n;
	DIR *fds;

	begin_mount();
	fds = opendir("/proc/self/fd");
	while ((entry = readdir(fds))) {
		snprintf(link, sizeof link, "/proc/self/fd/%.20s",
			 entry->d_name);
		n = readlink(link, target, sizeof target - 1);
		target[n < 0 ? 0 : n] = '\0';
		if (strcmp(target, "/dev/fuse"))
			continue;
		found++;
		ck_assert_int_ne(fcntl(atoi(entry->d_name), F_GETFD) &
				 FD_CLOEXEC, 0);
	}
	closedir(fds);
	ck_assert_int_eq(found, 1);
	end_mount();
}
END_TEST

static void *wait_in_thread(void *result)
{
	*(int *)result = mvfs_mount_wait(mnt);
	return NULL;
}

START_TEST(test_waiting_ends_when_somebody_unmounts)
{
	int results[3] = { 1, 1, 1 }, i;
	pthread_t threads[3];

	begin_mount();
	for (i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, wait_in_thread, &results[i]);
	ok(unmount_by_host(dir, 0));
	for (i = 0; i < 3; i++) {
		pthread_join(threads[i], NULL);
		ck_assert_int_eq(results[i], 0);
	}
	ck_assert_int_eq(mvfs_mount_wait(mnt), 0);
	end_mount();
}
END_TEST

static void stop_mount(int number)
{
	(void)number;
	mvfs_mount_stop(mnt);
}

START_TEST(test_waiting_ends_when_a_handler_stops_it)
{
	struct sigaction action = { .sa_handler = stop_mount };
	struct stat st;

	begin_mount();
	sigaction(SIGALRM, &action, NULL);
	alarm(1);
	fails(mvfs_mount_wait(mnt), EINTR);
	fails(mvfs_mount_wait(mnt), EINTR);
	mvfs_mount_stop(mnt);
	/* Stopping unmounts nothing. */
	ck_assert_int_eq(count_mounts(), 1);
	ok(host(stat(dir, &st)));
	end_mount();
}
END_TEST

START_TEST(test_mount_in_use_ends_with_enotconn_for_its_users)
{
	char byte;
	int fd, cwd;

	begin_mount();
	ok(mvfs_write_file(fs, "/file", "text", 4));
	ok(mvfs_mkdir(fs, "/d", 0755));
	fd = ok(host(open(at("file"), O_RDWR)));
	cwd = ok(host(open(at("d"), O_RDONLY | O_DIRECTORY)));
	ok(mvfs_unmount(mnt));
	mnt = NULL;
	ck_assert_int_eq(count_mounts(), 0);
	fails(host(pwrite(fd, "x", 1, 0)), ENOTCONN);
	fails(host(pread(fd, &byte, 1, 0)), ENOTCONN);
	fails(host(openat(cwd, "x", O_CREAT | O_RDWR, 0600)), ENOTCONN);
	close(fd);
	close(cwd);
	end_mount();
}
END_TEST

START_TEST(test_stores_through_a_mapping_are_kept_when_a_mount_in_use_ends)
{
	struct mvfs_string bytes;
	char *map;
	int fd;

	begin_mount();
	ok(mvfs_write_file(fs, "/file", "....", 4));
	fd = ok(host(open(at("file"), O_RDWR)));
	map = mmap(NULL, 4, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ck_assert_ptr_ne(map, MAP_FAILED);
	memcpy(map, "text", 4);
	ok(mvfs_unmount(mnt));
	mnt = NULL;
	ok(mvfs_read_file(fs, "/file", &bytes));
	ck_assert_int_eq(memcmp(bytes.data, "text", 4), 0);
	mvfs_string_release(&bytes);
	munmap(map, 4);
	close(fd);
	end_mount();
}
END_TEST

START_TEST(test_what_the_kernel_held_is_free_after_the_end)
{
	struct mvfs_statfs before, after;
	int fd;

	begin_mount();
	ok(mvfs_statfs(fs, &before));
	fd = ok(host(open(at("file"), O_RDWR | O_CREAT, 0600)));
	ok(host(pwrite(fd, "x", 1, 0)));
	ok(host(unlink(at("file"))));
	ok(mvfs_statfs(fs, &after));
	ck_assert_uint_eq(after.inodes_used, before.inodes_used + 1);
	ok(mvfs_unmount(mnt));
	mnt = NULL;
	ok(mvfs_statfs(fs, &after));
	ck_assert_uint_eq(after.inodes_used, before.inodes_used);
	ck_assert_uint_eq(after.blocks_used, before.blocks_used);
	close(fd);
	end_mount();
}
END_TEST

START_TEST(test_several_mounts_of_several_instances)
{
	struct mvfs_mount *mounts[4];
	const char *dirs[4];
	mvfs *other;
	char name[16];
	int i;

	fs = new_fs();
	other = new_fs();
	for (i = 0; i < 4; i++) {
		dirs[i] = fresh_dir();
		ok(mvfs_mount(i < 2 ? fs : other, dirs[i], NULL, &mounts[i],
			      NULL));
	}
	ok(mvfs_write_file(fs, "/one", "1", 1));
	ok(mvfs_write_file(other, "/two", "2", 1));
	for (i = 0; i < 4; i++) {
		snprintf(name, sizeof name, "%s", i < 2 ? "one" : "two");
		ok(host(access(in(dirs[i], name), F_OK)));
		snprintf(name, sizeof name, "%s", i < 2 ? "two" : "one");
		fails(host(access(in(dirs[i], name), F_OK)), ENOENT);
	}
	/* Two mounts of one instance see each other. */
	ok(host(close(open(in(dirs[0], "by-first"), O_CREAT | O_RDWR, 0600))));
	ok(host(unlink(in(dirs[1], "by-first"))));
	fails(host(access(in(dirs[0], "by-first"), F_OK)), ENOENT);
	for (i = 0; i < 4; i++)
		ok(mvfs_unmount(mounts[i]));
	ck_assert_int_eq(count_mounts(), 0);
	ok(mvfs_destroy(fs));
	ok(mvfs_destroy(other));
}
END_TEST

/* The instance's own root has inode number 1; here it is not the mount's. */
START_TEST(test_a_view_with_another_root_has_its_own_numbers)
{
	struct mvfs_view_options deeper = { .size = sizeof deeper,
					    .root = "/a/b" };
	struct mvfs_stat expected;
	struct stat st;
	mvfs *view;

	fs = new_fs();
	ok(mvfs_mkdir(fs, "/a", 0755));
	ok(mvfs_mkdir(fs, "/a/b", 0750));
	ok(mvfs_mkdir(fs, "/a/b/c", 0755));
	ok(mvfs_write_file(fs, "/a/b/c/file", "x", 1));
	ok(mvfs_write_file(fs, "/above", "x", 1));
	ok(mvfs_view(fs, &deeper, &view));
	dir = fresh_dir();
	ok(mvfs_mount(view, dir, NULL, &mnt, NULL));
	ok(mvfs_stat(fs, "/a/b", &expected));
	ok(host(stat(dir, &st)));
	ck_assert_uint_eq(st.st_ino, expected.ino);
	ck_assert_uint_eq(st.st_mode & 07777, 0750u);
	ok(mvfs_stat(fs, "/a/b/c/file", &expected));
	ok(host(stat(at("c/file"), &st)));
	ck_assert_uint_eq(st.st_ino, expected.ino);
	ok(host(stat(at("c/.."), &st)));
	ok(mvfs_stat(fs, "/a/b", &expected));
	ck_assert_uint_eq(st.st_ino, expected.ino);
	fails(host(access(at("../above/file"), F_OK)), ENOENT);
	ok(host(mkdir(at("made"), 0700)));
	ok(mvfs_stat(fs, "/a/b/made", &expected));
	/* It goes on where its root is moved to. */
	ok(mvfs_rename(fs, "/a", "/z"));
	ok(host(rmdir(at("made"))));
	fails(mvfs_stat(fs, "/z/b/made", &expected), ENOENT);
	ok(mvfs_unmount(mnt));
	ok(mvfs_destroy(view));
	ok(mvfs_destroy(fs));
}
END_TEST

/* Mounts, opens a file there, and leaves without unmounting. */
static void leave(void (*how)(int))
{
	begin_mount();
	ok(mvfs_write_file(fs, "/file", "text", 4));
	ok(host(open(at("file"), O_RDWR)));
	how(3);
}

START_TEST(test_exit_unmounts_what_is_left_even_in_use)
{
	int status = 0;
	pid_t child = ok(host(fork()));

	if (!child)
		leave(exit);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 3);
	ck_assert_int_eq(count_mounts(), 0);
}
END_TEST

START_TEST(test_a_child_by_fork_cannot_end_or_keep_the_mount)
{
	int waits[2], ready[2], status = 0, fd;
	char byte = 0;
	pid_t child;

	begin_mount();
	ok(mvfs_write_file(fs, "/file", "text", 4));
	ok(host(pipe(waits)));
	ok(host(pipe(ready)));
	child = ok(host(fork()));
	if (!child) {
		close(waits[1]);
		if (mvfs_unmount(mnt) != -ESTALE ||
		    mvfs_mount_wait(mnt) != -ESTALE ||
		    access(at("file"), R_OK) || write(ready[1], &byte, 1) != 1)
			_exit(1);
		while (read(waits[0], &byte, 1) < 0)
			;
		/* Not the handler that unmounts in the parent. */
		exit(0);
	}
	close(waits[0]);
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	fd = ok(host(open(at("file"), O_RDWR)));
	ok(mvfs_unmount(mnt));
	mnt = NULL;
	/* The child still runs, but holds no connection open. */
	fails(host(pread(fd, &byte, 1, 0)), ENOTCONN);
	close(fd);
	close(waits[1]);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	end_mount();
}
END_TEST

START_TEST(test_exit_of_a_child_by_fork_does_not_unmount)
{
	int status = 0;
	struct stat st;
	pid_t child;

	begin_mount();
	child = ok(host(fork()));
	if (!child)
		exit(0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(count_mounts(), 1);
	ok(host(stat(dir, &st)));
	end_mount();
}
END_TEST

START_TEST(test_unmounting_null_is_fine)
{
	ok(mvfs_unmount(NULL));
	mvfs_mount_stop(NULL);
	fails(mvfs_mount_wait(NULL), EINVAL);
}
END_TEST

START_TEST(test_names_with_odd_bytes_can_be_mounted_on)
{
	const char *odd;

	fs = new_fs();
	dir = fresh_dir();
	odd = at("a b\tc\nd\\e,f\\040");
	ok(host(mkdir(odd, 0700)));
	ok(mvfs_mount(fs, odd, NULL, &mnt, NULL));
	fails(mvfs_mount(fs, odd, NULL, &mnt, NULL), EBUSY);
	ok(mvfs_unmount(mnt));
	ck_assert_int_eq(count_mounts(), 0);
	ok(host(rmdir(odd)));
	ok(mvfs_destroy(fs));
}
END_TEST

START_TEST(test_mounting_many_times_leaves_nothing)
{
	int i, fd, first = -1;

	for (i = 0; i < 50; i++) {
		begin_mount();
		ok(mvfs_write_file(fs, "/file", "x", 1));
		ok(host(access(at("file"), R_OK)));
		end_mount();
		fd = ok(host(open("/dev/null", O_RDONLY)));
		if (first < 0)
			first = fd;
		ck_assert_int_eq(fd, first);
		close(fd);
	}
}
END_TEST

/* The library reads what it serves: of any size, and past its 1 MiB. */
START_TEST(test_a_mount_is_read_as_any_host_file)
{
	static const size_t sizes[] = { 1, 4096, 100000, 5 << 20 };
	char *bytes = calloc(1, 5 << 20);
	struct mvfs_string string;
	struct mvfs_error error;
	size_t i;
	long before;

	memset(bytes, 'b', 5 << 20);
	begin_mount();
	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		ok(mvfs_write_file(fs, "/file", bytes, sizes[i]));
		before = reads_so_far();
		ok(mvfs_host_read_string(AT_FDCWD, at("file"), NULL, 0,
					 &string, &error));
		if (before >= 0)
			ck_assert_int_eq(reads_since(before), 1);
		ck_assert_uint_eq(string.len, sizes[i]);
		ck_assert(memcmp(string.data, bytes, sizes[i]) == 0);
		mvfs_string_release(&string);
	}
	ok(mvfs_write_file(fs, "/file", "ab\xff", 3));
	fails(mvfs_host_read_string(AT_FDCWD, at("file"), NULL, 0, &string,
				    &error), EILSEQ);
	ck_assert_uint_eq(error.offset, 2);
	fails(mvfs_host_read_string(AT_FDCWD, at("none"), NULL, 0, &string,
				    &error), ENOENT);
	end_mount();
	free(bytes);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fuse_inprocess");
	TCase *tests = tcase_create("life");

	tcase_set_timeout(tests, 120);
	tcase_add_test(tests, test_mount_answers_when_the_call_returns);
	tcase_add_test(tests,
		       test_refusals_have_their_errno_and_change_nothing);
	tcase_add_test(tests, test_check_finds_what_mount_would_refuse);
	tcase_add_test(tests, test_last_view_cannot_go_while_mounted);
	tcase_add_test(tests, test_process_signals_are_not_touched);
	tcase_add_test(tests, test_threads_of_the_mount_take_no_signals);
	tcase_add_test(tests, test_device_is_not_inherited_by_programs);
	tcase_add_test(tests, test_waiting_ends_when_somebody_unmounts);
	tcase_add_test(tests, test_waiting_ends_when_a_handler_stops_it);
	tcase_add_test(tests,
		       test_mount_in_use_ends_with_enotconn_for_its_users);
	tcase_add_test(tests,
	    test_stores_through_a_mapping_are_kept_when_a_mount_in_use_ends);
	tcase_add_test(tests, test_what_the_kernel_held_is_free_after_the_end);
	tcase_add_test(tests, test_several_mounts_of_several_instances);
	tcase_add_test(tests,
		       test_a_view_with_another_root_has_its_own_numbers);
	tcase_add_test(tests, test_exit_unmounts_what_is_left_even_in_use);
	tcase_add_test(tests,
		       test_a_child_by_fork_cannot_end_or_keep_the_mount);
	tcase_add_test(tests, test_exit_of_a_child_by_fork_does_not_unmount);
	tcase_add_test(tests, test_unmounting_null_is_fine);
	tcase_add_test(tests, test_names_with_odd_bytes_can_be_mounted_on);
	tcase_add_test(tests, test_mounting_many_times_leaves_nothing);
	tcase_add_test(tests, test_a_mount_is_read_as_any_host_file);
	suite_add_tcase(suite, tests);
	return run_fuse_tests(suite);
}
