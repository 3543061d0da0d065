/* SPDX-License-Identifier: MIT */
/* What tests/oracle found to differ from Linux, each as the rule it broke. */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memvfs/memvfs.h>

#include "tests/expect.h"

static mvfs *fs;

static void begin(void)
{
	ok(mvfs_create(NULL, &fs));
}

static void end(void)
{
	ok(mvfs_destroy(fs));
}

static mvfs *as(uint32_t uid, uint32_t gid)
{
	struct mvfs_view_options options = { .size = sizeof(options),
					     .set = MVFS_VIEW_CRED,
					     .uid = uid,
					     .gid = gid };
	mvfs *view;

	ok(mvfs_view(fs, &options, &view));
	return view;
}

static struct mvfs_stat look(const char *path)
{
	struct mvfs_stat st;

	ok(mvfs_lstat(fs, path, &st));
	return st;
}

static int open_new(const char *path)
{
	return (int)ok(mvfs_open(fs, path, O_RDWR | O_CREAT, 0644));
}

static void set(int fd, int type, int64_t start, int64_t len, unsigned flags)
{
	const struct mvfs_lock lock = { type, SEEK_SET, start, len, 0 };

	ok(mvfs_setlk(fs, fd, &lock, flags));
}

/* What is in the way of writing to all of the file. */
static struct mvfs_lock first_lock(int fd, unsigned flags)
{
	struct mvfs_lock lock = { F_WRLCK, SEEK_SET, 0, 0, 0 };

	ok(mvfs_getlk(fs, fd, &lock, flags));
	return lock;
}

START_TEST(test_a_lock_from_0_does_not_swallow_one_to_the_end)
{
	int one = open_new("/f"), two = open_new("/f");
	struct mvfs_lock lock;

	set(one, F_RDLCK, 5084, 0, MVFS_LOCK_OFD);
	set(one, F_RDLCK, 0, 1, MVFS_LOCK_OFD);
	lock = first_lock(two, MVFS_LOCK_OFD);
	ck_assert_int_eq(lock.start, 0);
	ck_assert_int_eq(lock.len, 1);
}
END_TEST

START_TEST(test_getlk_tells_the_lock_that_starts_first)
{
	int one = open_new("/f"), two = open_new("/f");

	set(one, F_RDLCK, 0, 1, MVFS_LOCK_OFD);
	set(one, F_RDLCK, 65, 0, MVFS_LOCK_OFD);
	set(one, F_WRLCK, 30, 1, MVFS_LOCK_OFD);
	ck_assert_int_eq(first_lock(two, MVFS_LOCK_OFD).start, 0);
	set(one, F_UNLCK, 0, 1, MVFS_LOCK_OFD);
	ck_assert_int_eq(first_lock(two, MVFS_LOCK_OFD).start, 30);
}
END_TEST

START_TEST(test_closing_an_o_path_descriptor_ends_no_lock)
{
	int one = open_new("/f"), two = open_new("/f");

	set(one, F_WRLCK, 0, 0, 0);
	ok(mvfs_close(fs, (int)ok(mvfs_open(fs, "/f", O_PATH, 0))));
	ck_assert_int_eq(first_lock(two, MVFS_LOCK_OFD).type, F_WRLCK);
	ok(mvfs_close(fs, (int)ok(mvfs_open(fs, "/f", O_RDONLY, 0))));
	ck_assert_int_eq(first_lock(two, MVFS_LOCK_OFD).type, F_UNLCK);
}
END_TEST

START_TEST(test_dup2_on_a_descriptor_of_the_same_file_closes_it)
{
	int one = open_new("/f"), two = open_new("/f");
	int dup = (int)ok(mvfs_dup(fs, one));

	set(one, F_WRLCK, 0, 0, 0);
	ok(mvfs_dup2(fs, one, one));
	ck_assert_int_eq(first_lock(two, MVFS_LOCK_OFD).type, F_WRLCK);
	ck_assert_int_eq(ok(mvfs_dup2(fs, one, dup)), dup);
	ck_assert_int_eq(first_lock(two, MVFS_LOCK_OFD).type, F_UNLCK);
	ok(mvfs_close(fs, one));
	ok(mvfs_pwrite(fs, dup, "x", 1, 0));
}
END_TEST

START_TEST(test_a_locked_range_counts_from_a_directorys_size)
{
	int fd;
	struct mvfs_lock lock = { F_RDLCK, SEEK_END, -5, 5, 0 };

	ok(mvfs_mkdir(fs, "/d", 0755));
	fd = (int)ok(mvfs_open(fs, "/d", O_RDONLY, 0));
	ok(mvfs_setlk(fs, fd, &lock, 0));
	lock.start = -41;
	fails(mvfs_setlk(fs, fd, &lock, 0), EINVAL);
}
END_TEST

START_TEST(test_a_copy_within_a_file_ends_where_the_file_ended)
{
	static char bytes[270000];
	int64_t from = 333;
	int fd = open_new("/f");

	ok(mvfs_pwrite(fs, fd, bytes, sizeof(bytes), 0));
	ok(mvfs_lseek(fs, fd, 0, SEEK_END));
	ck_assert_int_eq(ok(mvfs_copy_file_range(fs, fd, &from, fd, NULL,
						 sizeof(bytes), 0)),
			 (int64_t)sizeof(bytes) - 333);
}
END_TEST

START_TEST(test_a_bad_descriptor_is_seen_before_other_arguments)
{
	int fd = (int)ok(mvfs_open(fs, "/", O_RDONLY, 0));
	char c;
	const struct mvfs_iovec iov = { &c, 1 };
	const struct mvfs_lock lock = { 99, SEEK_SET, 0, 0, 0 };

	fails(mvfs_fallocate(fs, 9, 0, 0, 0), EBADF);
	fails(mvfs_fallocate(fs, fd, 0, 0, 0), EINVAL);
	fails(mvfs_readv(fs, 9, &iov, -1), EBADF);
	fails(mvfs_writev(fs, fd, &iov, -1), EBADF);
	fails(mvfs_copy_file_range(fs, 9, NULL, fd, NULL, 1, 1), EBADF);
	fails(mvfs_setlk(fs, 9, &lock, 0), EBADF);
	fails(mvfs_setlk(fs, fd, &lock, 0), EINVAL);
}
END_TEST

START_TEST(test_the_spelling_of_a_path_is_seen_before_its_descriptor)
{
	static char path[PATH_MAX + 1];
	struct mvfs_stat st;

	memset(path, 'n', PATH_MAX);
	fails(mvfs_statat(fs, 9, "", 0, &st), ENOENT);
	fails(mvfs_statat(fs, 9, path, 0, &st), ENAMETOOLONG);
	fails(mvfs_statat(fs, 9, "f", 0, &st), EBADF);
}
END_TEST

START_TEST(test_rename_sees_the_old_name_before_a_new_one_is_too_long)
{
	char name[257];

	memset(name, 'n', 256);
	name[256] = '\0';
	fails(mvfs_rename(fs, "/missing", name), ENOENT);
	ok(mvfs_write_file(fs, "/f", "", 0));
	fails(mvfs_rename(fs, "/f", name), ENAMETOOLONG);
	fails(mvfs_rename(fs, name, "/f"), ENAMETOOLONG);
}
END_TEST

START_TEST(test_in_a_removed_directory_there_is_nothing)
{
	char name[257];
	struct mvfs_stat st;

	memset(name, 'n', 256);
	name[256] = '\0';
	ok(mvfs_write_file(fs, "/f", "", 0));
	ok(mvfs_mkdir(fs, "/d", 0755));
	ok(mvfs_chdir(fs, "/d"));
	ok(mvfs_rmdir(fs, "/d"));
	fails(mvfs_rename(fs, "/f", "new/"), ENOENT);
	fails(mvfs_rename(fs, "/..", name), EBUSY);
	fails(mvfs_rename(fs, name, "/f"), ENOENT);
	fails(mvfs_stat(fs, name, &st), ENOENT);
}
END_TEST

START_TEST(test_vectors_of_nothing_do_not_ask_what_they_read)
{
	int fd = (int)ok(mvfs_open(fs, "/", O_RDONLY, 0));
	const struct mvfs_iovec iov = { NULL, 0 };
	char c;

	ck_assert_int_eq(ok(mvfs_readv(fs, fd, &iov, 1)), 0);
	ck_assert_int_eq(ok(mvfs_preadv(fs, fd, &iov, 0, 7)), 0);
	fails(mvfs_readv(fs, fd, &iov, 1025), EINVAL);
	fails(mvfs_read(fs, fd, &c, 0), EISDIR);
}
END_TEST

START_TEST(test_o_path_leaves_no_other_flags)
{
	int fd = (int)ok(mvfs_open(fs, "/", O_PATH | O_WRONLY | O_APPEND, 0));

	ck_assert_int_eq(ok(mvfs_getfl(fs, fd)), O_PATH);
}
END_TEST

START_TEST(test_setgid_is_judged_before_the_umask)
{
	mvfs *user = as(1000, 1000);

	ok(mvfs_mkdir(fs, "/d", 0755));
	ok(mvfs_chown(fs, "/d", 0, 2000));
	ok(mvfs_chmod(fs, "/d", 02777));
	mvfs_umask(user, 0777);
	ok(mvfs_open(user, "/d/f", O_RDONLY | O_CREAT, 06777));
	ck_assert_uint_eq(look("/d/f").mode, S_IFREG | 04000);
	ok(mvfs_open(user, "/d/g", O_RDONLY | O_CREAT, 06767));
	ck_assert_uint_eq(look("/d/g").mode, S_IFREG | 06000);
	ok(mvfs_destroy(user));
}
END_TEST

START_TEST(test_a_chown_that_would_clear_setgid_is_a_chmod_too)
{
	mvfs *user = as(1000, 1000);
	const uint32_t same = UINT32_MAX;

	ok(mvfs_write_file(fs, "/f", "", 0));
	ok(mvfs_chown(user, "/f", same, same));
	ok(mvfs_chmod(fs, "/f", 02755));
	fails(mvfs_chown(user, "/f", same, same), EPERM);
	ok(mvfs_destroy(user));
}
END_TEST

START_TEST(test_a_name_of_no_namespace_is_judged_after_the_mode)
{
	mvfs *user = as(1000, 1000);

	ok(mvfs_write_file(fs, "/f", "", 0));
	ok(mvfs_chmod(fs, "/f", 0600));
	fails(mvfs_setxattr(user, "/f", "none.a", "", 0, 0), EACCES);
	fails(mvfs_setxattr(fs, "/f", "none.a", "", 0, 0), EOPNOTSUPP);
	fails(mvfs_setxattr(user, "/f", "system.a", "", 0, 0), EOPNOTSUPP);
	ok(mvfs_destroy(user));
}
END_TEST

static void add_locks(Suite *suite)
{
	TCase *t = tcase_create("locks");

	tcase_add_checked_fixture(t, begin, end);
	tcase_add_test(t, test_a_lock_from_0_does_not_swallow_one_to_the_end);
	tcase_add_test(t, test_getlk_tells_the_lock_that_starts_first);
	tcase_add_test(t, test_closing_an_o_path_descriptor_ends_no_lock);
	tcase_add_test(t, test_dup2_on_a_descriptor_of_the_same_file_closes_it);
	tcase_add_test(t, test_a_locked_range_counts_from_a_directorys_size);
	suite_add_tcase(suite, t);
}

int main(void)
{
	Suite *suite = suite_create("oracle");
	TCase *t = tcase_create("calls");

	tcase_add_checked_fixture(t, begin, end);
	tcase_add_test(t, test_a_copy_within_a_file_ends_where_the_file_ended);
	tcase_add_test(t, test_a_bad_descriptor_is_seen_before_other_arguments);
	tcase_add_test(t,
	    test_the_spelling_of_a_path_is_seen_before_its_descriptor);
	tcase_add_test(t,
	    test_rename_sees_the_old_name_before_a_new_one_is_too_long);
	tcase_add_test(t, test_in_a_removed_directory_there_is_nothing);
	tcase_add_test(t, test_vectors_of_nothing_do_not_ask_what_they_read);
	tcase_add_test(t, test_o_path_leaves_no_other_flags);
	tcase_add_test(t, test_setgid_is_judged_before_the_umask);
	tcase_add_test(t, test_a_chown_that_would_clear_setgid_is_a_chmod_too);
	tcase_add_test(t, test_a_name_of_no_namespace_is_judged_after_the_mode);
	suite_add_tcase(suite, t);
	add_locks(suite);
	return run_suite(suite);
}
