/* SPDX-License-Identifier: MIT */
/* memvfs/path.h: the *at calls, attributes, and what leads back to a path. */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include <memvfs/memvfs.h>

#include "tests/expect.h"

static mvfs *fs;
static mvfs *user; /* 1000:1000 */
static int dirfd;  /* of "/d" */

static void put(mvfs *view, const char *path, const char *text)
{
	ok(mvfs_write_file(view, path, text, strlen(text)));
}

static struct mvfs_stat look(const char *path)
{
	struct mvfs_stat st;

	ok(mvfs_lstat(fs, path, &st));
	return st;
}

static void begin(void)
{
	struct mvfs_view_options options = { .size = sizeof(options) };

	ok(mvfs_create(NULL, &fs));
	options.set = MVFS_VIEW_CRED;
	options.uid = options.gid = 1000;
	ok(mvfs_view(fs, &options, &user));
	ok(mvfs_mkdir(fs, "/d", 0777));
	ok(mvfs_chmod(fs, "/d", 0777));
	dirfd = (int)ok(mvfs_open(fs, "/d", O_RDONLY | O_DIRECTORY, 0));
}

static void end(void)
{
	ok(mvfs_destroy(user));
	ok(mvfs_destroy(fs));
}

START_TEST(test_at_calls_start_at_the_descriptor)
{
	struct mvfs_stat st;
	char to[8];

	ok(mvfs_mkdirat(fs, dirfd, "s", 0755));
	ok(mvfs_mknodat(fs, dirfd, "f", S_IFREG | 0644, 0));
	ok(mvfs_symlinkat(fs, "f", dirfd, "l"));
	ck_assert_int_eq(ok(mvfs_readlinkat(fs, dirfd, "l", to, 8)), 1);
	ok(mvfs_linkat(fs, dirfd, "f", dirfd, "s/g", 0));
	ok(mvfs_renameat(fs, dirfd, "f", dirfd, "s/f", 0));
	ok(mvfs_statat(fs, dirfd, "s/f", 0, &st));
	ck_assert_uint_eq(st.nlink, 2);
	ok(mvfs_accessat(fs, dirfd, "s/f", R_OK, 0));
	ok(mvfs_chmodat(fs, dirfd, "s/f", 0600, 0));
	ok(mvfs_chownat(fs, dirfd, "s/f", 1, 2, 0));
	ck_assert_uint_eq(look("/d/s/g").mode, S_IFREG | 0600);
	ck_assert_uint_eq(look("/d/s/g").gid, 2);
	ok(mvfs_unlinkat(fs, dirfd, "s/f", 0));
	ok(mvfs_unlinkat(fs, dirfd, "s/g", 0));
	ok(mvfs_unlinkat(fs, dirfd, "s", AT_REMOVEDIR));
	fails(mvfs_statat(fs, dirfd, "s", 0, &st), ENOENT);
}
END_TEST

START_TEST(test_an_absolute_path_needs_no_descriptor)
{
	struct mvfs_stat st;

	put(fs, "/f", "F");
	ok(mvfs_statat(fs, -5, "/f", 0, &st));
	fails(mvfs_statat(fs, -5, "f", 0, &st), EBADF);
	ok(mvfs_statat(fs, MVFS_AT_FDCWD, "f", 0, &st));
	ok(mvfs_close(fs, dirfd));
	fails(mvfs_statat(fs, dirfd, "f", 0, &st), EBADF);
}
END_TEST

START_TEST(test_a_descriptor_of_a_file_is_no_place_to_start)
{
	struct mvfs_stat st;
	int fd;

	put(fs, "/f", "F");
	fd = (int)ok(mvfs_open(fs, "/f", O_RDONLY, 0));
	fails(mvfs_statat(fs, fd, "x", 0, &st), ENOTDIR);
	fails(mvfs_statat(fs, fd, "", 0, &st), ENOENT);
	ok(mvfs_statat(fs, fd, "", AT_EMPTY_PATH, &st));
	ck_assert_uint_eq(st.ino, look("/f").ino);
	ok(mvfs_close(fs, fd));
}
END_TEST

START_TEST(test_flags_that_a_call_does_not_name_are_einval)
{
	struct mvfs_stat st;

	put(fs, "/d/f", "F");
	fails(mvfs_statat(fs, dirfd, "f", AT_REMOVEDIR, &st), EINVAL);
	fails(mvfs_accessat(fs, dirfd, "f", R_OK, 0x8000), EINVAL);
	fails(mvfs_accessat(fs, dirfd, "f", 8, 0), EINVAL);
	fails(mvfs_chmodat(fs, dirfd, "f", 0, AT_SYMLINK_FOLLOW), EINVAL);
	fails(mvfs_linkat(fs, dirfd, "f", dirfd, "g", AT_SYMLINK_NOFOLLOW),
	      EINVAL);
	fails(mvfs_unlinkat(fs, dirfd, "f", AT_EMPTY_PATH), EINVAL);
	fails(mvfs_renameat(fs, dirfd, "f", dirfd, "g", 0x80), EINVAL);
	fails(mvfs_stat(NULL, "f", &st), EINVAL);
	fails(mvfs_stat(fs, NULL, &st), EFAULT);
	fails(mvfs_stat(fs, "/", NULL), EFAULT);
	ok(mvfs_statat(fs, dirfd, "f", 0, &st));
}
END_TEST

START_TEST(test_nofollow_means_the_symlink_itself)
{
	struct mvfs_stat st;

	put(fs, "/d/f", "F");
	ok(mvfs_symlink(fs, "f", "/d/l"));
	ok(mvfs_statat(fs, dirfd, "l", AT_SYMLINK_NOFOLLOW, &st));
	ck_assert(S_ISLNK(st.mode));
	ok(mvfs_lchown(fs, "/d/l", 5, 6));
	ck_assert_uint_eq(look("/d/l").uid, 5);
	ck_assert_uint_eq(look("/d/f").uid, 0);
	ok(mvfs_chown(fs, "/d/l", 7, 8));
	ck_assert_uint_eq(look("/d/f").uid, 7);
	fails(mvfs_chmodat(fs, dirfd, "l", 0600, AT_SYMLINK_NOFOLLOW),
	      EOPNOTSUPP);
	ok(mvfs_chmod(fs, "/d/l", 0600));
	ck_assert_uint_eq(look("/d/f").mode & 07777, 0600);
	ck_assert_uint_eq(look("/d/l").mode & 07777, 0777);
}
END_TEST

START_TEST(test_access_is_judged_for_the_view_s_user)
{
	put(fs, "/f", "F");
	ok(mvfs_chmod(fs, "/f", 0640));
	ok(mvfs_access(user, "/f", F_OK));
	fails(mvfs_access(user, "/f", R_OK), EACCES);
	ok(mvfs_access(fs, "/f", R_OK | W_OK));
	fails(mvfs_access(fs, "/f", X_OK), EACCES);
	ok(mvfs_chmod(fs, "/f", 0010));
	ok(mvfs_access(fs, "/f", X_OK));
	fails(mvfs_access(user, "/none", F_OK), ENOENT);
}
END_TEST

START_TEST(test_chmod_sets_07777_and_keeps_the_type)
{
	put(fs, "/f", "F");
	ok(mvfs_chmod(fs, "/f", S_IFDIR | 07654));
	ck_assert_uint_eq(look("/f").mode, S_IFREG | 07654);
	ok(mvfs_fchmod(fs, dirfd, 01750));
	ck_assert_uint_eq(look("/d").mode, S_IFDIR | 01750);
	fails(mvfs_fchmod(fs, 77, 0), EBADF);
}
END_TEST

START_TEST(test_setgid_falls_for_who_is_not_in_the_group)
{
	put(user, "/d/f", "F");
	ok(mvfs_chmod(user, "/d/f", 02755));
	ck_assert_uint_eq(look("/d/f").mode & 07777, 02755);
	ok(mvfs_chown(fs, "/d/f", 1000, 50));
	ok(mvfs_chmod(user, "/d/f", 02755));
	ck_assert_uint_eq(look("/d/f").mode & 07777, 0755);
	ok(mvfs_chmod(fs, "/d/f", 02755));
	ck_assert_uint_eq(look("/d/f").mode & 07777, 02755);
}
END_TEST

START_TEST(test_chown_leaves_minus_one_and_takes_setuid_away)
{
	put(fs, "/f", "F");
	ok(mvfs_chown(fs, "/f", 3, 4));
	ok(mvfs_chmod(fs, "/f", 06755));
	ok(mvfs_chown(fs, "/f", (uint32_t)-1, 5));
	ck_assert_uint_eq(look("/f").uid, 3);
	ck_assert_uint_eq(look("/f").gid, 5);
	ck_assert_uint_eq(look("/f").mode & 07777, 0755);
	ok(mvfs_chown(fs, "/f", 6, (uint32_t)-1));
	ck_assert_uint_eq(look("/f").uid, 6);
	ck_assert_uint_eq(look("/f").gid, 5);
	ok(mvfs_chmod(fs, "/d", 06755));
	ok(mvfs_fchown(fs, dirfd, 1, 1));
	ck_assert_uint_eq(look("/d").mode & 07777, 06755);
}
END_TEST

START_TEST(test_an_owner_gives_to_his_groups_only)
{
	struct mvfs_view_options options = { .size = sizeof(options) };
	const uint32_t groups[] = { 50 };
	mvfs *member;

	options.set = MVFS_VIEW_CRED;
	options.uid = options.gid = 1000;
	options.groups = groups;
	options.group_count = 1;
	ok(mvfs_view(fs, &options, &member));
	put(member, "/d/f", "F");
	ok(mvfs_chown(member, "/d/f", 1000, 50));
	ck_assert_uint_eq(look("/d/f").gid, 50);
	fails(mvfs_chown(member, "/d/f", 1000, 51), EPERM);
	fails(mvfs_chown(member, "/d/f", 1001, (uint32_t)-1), EPERM);
	ok(mvfs_destroy(member));
}
END_TEST

START_TEST(test_utimens_sets_omits_and_asks_the_clock)
{
	struct mvfs_time times[2] = { { 1, 2, 0 }, { -3, 999999999, 0 } };
	struct mvfs_stat st;

	put(fs, "/f", "F");
	st = look("/f");
	ok(mvfs_utimens(fs, "/f", times));
	ck_assert_int_eq(look("/f").atime.sec, 1);
	ck_assert_int_eq(look("/f").atime.nsec, 2);
	ck_assert_int_eq(look("/f").mtime.sec, -3);
	ck_assert_int_eq(look("/f").mtime.nsec, 999999999);
	ck_assert_int_eq(look("/f").btime.sec, st.btime.sec);
	times[0].nsec = MVFS_TIME_OMIT;
	times[1].nsec = MVFS_TIME_NOW;
	ok(mvfs_utimensat(fs, MVFS_AT_FDCWD, "f", times, 0));
	ck_assert_int_eq(look("/f").atime.sec, 1);
	ck_assert_int_ge(look("/f").mtime.sec, st.mtime.sec);
	times[1].nsec = 1000000000;
	fails(mvfs_utimens(fs, "/f", times), EINVAL);
	times[1].nsec = MVFS_TIME_OMIT;
	ok(mvfs_utimens(fs, "/none", times));
	ok(mvfs_futimens(fs, dirfd, NULL));
	ck_assert_int_ge(look("/d").atime.sec, st.mtime.sec);
}
END_TEST

static struct mvfs_time at_second(void *ctx)
{
	struct mvfs_time now = { *(int64_t *)ctx, 0, 0 };

	return now;
}

/* As tmpfs does it (Linux 6.18), by a path too. */
START_TEST(test_truncation_to_the_same_size_moves_mtime_and_ctime)
{
	int64_t second = 1;

	ok(mvfs_set_clock(fs, at_second, &second));
	put(fs, "/f", "F");
	second = 2;
	ok(mvfs_truncate(fs, "/f", 1));
	ck_assert_int_eq(look("/f").mtime.sec, 2);
	ck_assert_int_eq(look("/f").ctime.sec, 2);
	put(fs, "/empty", "");
	second = 3;
	ok(mvfs_truncate(fs, "/empty", 0));
	ck_assert_int_eq(look("/empty").ctime.sec, 2);
	ok(mvfs_set_clock(fs, NULL, NULL));
}
END_TEST

START_TEST(test_without_a_view_not_even_nothing_is_set)
{
	const struct mvfs_time omit = { .nsec = MVFS_TIME_OMIT };
	const struct mvfs_time times[2] = { omit, omit };

	fails(mvfs_utimens(NULL, "/", times), EINVAL);
	fails(mvfs_futimens(NULL, 0, times), EINVAL);
	ok(mvfs_utimens(fs, "/missing", times));
}
END_TEST

START_TEST(test_writing_is_enough_to_set_both_times_to_now)
{
	struct mvfs_time times[2] = { { 0, MVFS_TIME_NOW, 0 },
				      { 0, MVFS_TIME_NOW, 0 } };

	put(fs, "/f", "F");
	fails(mvfs_utimens(user, "/f", NULL), EACCES);
	ok(mvfs_chmod(fs, "/f", 0666));
	ok(mvfs_utimens(user, "/f", NULL));
	ok(mvfs_utimens(user, "/f", times));
	times[0].nsec = MVFS_TIME_OMIT;
	fails(mvfs_utimens(user, "/f", times), EPERM);
	times[0].nsec = 0;
	fails(mvfs_utimens(user, "/f", times), EPERM);
}
END_TEST

START_TEST(test_mknod_makes_each_type)
{
	put(fs, "/plain", "");
	ok(mvfs_mknod(fs, "/reg", 0644, 0));
	ok(mvfs_mknod(fs, "/fifo", S_IFIFO | 0644, 0));
	ok(mvfs_mknod(fs, "/sock", S_IFSOCK | 0644, 0));
	ok(mvfs_mknod(fs, "/chr", S_IFCHR | 0644, 0x103));
	ok(mvfs_mknod(fs, "/blk", S_IFBLK | 0644, 0x800));
	ck_assert(S_ISREG(look("/reg").mode));
	ck_assert(S_ISFIFO(look("/fifo").mode));
	ck_assert(S_ISSOCK(look("/sock").mode));
	ck_assert(S_ISCHR(look("/chr").mode));
	ck_assert_uint_eq(look("/chr").rdev, 0x103);
	ck_assert(S_ISBLK(look("/blk").mode));
	ck_assert_uint_eq(look("/fifo").rdev, 0);
	fails(mvfs_mknod(fs, "/dir", S_IFDIR | 0755, 0), EPERM);
	fails(mvfs_mknod(fs, "/lnk", S_IFLNK | 0777, 0), EINVAL);
	fails(mvfs_mknod(user, "/d/chr", S_IFCHR | 0644, 0x103), EPERM);
	fails(mvfs_mknod(user, "/d/blk", S_IFBLK | 0644, 0), EPERM);
	ok(mvfs_mknod(user, "/d/whiteout", S_IFCHR | 0644, 0));
	ok(mvfs_mknod(user, "/d/fifo", S_IFIFO | 0644, 0));
}
END_TEST

START_TEST(test_readlinkat_of_nothing_reads_the_descriptor)
{
	char to[8];
	int fd;

	ok(mvfs_symlink(fs, "target", "/l"));
	fd = (int)ok(mvfs_open(fs, "/l", O_PATH | O_NOFOLLOW, 0));
	ck_assert_int_eq(ok(mvfs_readlinkat(fs, fd, "", to, 8)), 6);
	ck_assert_mem_eq(to, "target", 6);
	fails(mvfs_readlinkat(fs, dirfd, "", to, 8), ENOENT);
	ok(mvfs_close(fs, fd));
}
END_TEST

static void real(mvfs *view, const char *path, const char *expected)
{
	char to[4096];

	ck_assert_int_eq(ok(mvfs_realpath(view, path, to, sizeof(to))),
			 (int64_t)strlen(expected));
	ck_assert_str_eq(to, expected);
}

START_TEST(test_realpath_is_absolute_and_plain)
{
	char to[8];

	ok(mvfs_mkdir(fs, "/d/s", 0755));
	put(fs, "/d/s/f", "F");
	ok(mvfs_symlink(fs, "/d/./s/../s", "/l"));
	real(fs, "l/f", "/d/s/f");
	real(fs, "//d///s/..", "/d");
	real(fs, "/", "/");
	real(fs, ".", "/");
	ok(mvfs_chdir(fs, "/d"));
	real(fs, "s/.", "/d/s");
	ck_assert_int_eq(ok(mvfs_realpath(fs, "s/f", to, 7)), 6);
	fails(mvfs_realpath(fs, "s/f", to, 6), ERANGE);
	fails(mvfs_realpath(fs, "none", to, 8), ENOENT);
	fails(mvfs_realpath(fs, "s/f/", to, 8), ENOTDIR);
}
END_TEST

START_TEST(test_realpath_of_a_link_is_the_name_that_was_asked_for)
{
	put(fs, "/f", "F");
	ok(mvfs_link(fs, "/f", "/d/g"));
	real(fs, "/f", "/f");
	real(fs, "/d/g", "/d/g");
}
END_TEST

START_TEST(test_realpath_sees_no_further_than_its_root)
{
	struct mvfs_view_options options = { .size = sizeof(options) };
	char to[64];
	mvfs *jail;

	ok(mvfs_mkdir(fs, "/d/s", 0755));
	ok(mvfs_chdir(fs, "/d"));
	options.root = "/d/s";
	ok(mvfs_view(fs, &options, &jail));
	real(jail, "/..", "/");
	ok(mvfs_fchdir(jail, dirfd));
	fails(mvfs_realpath(jail, ".", to, sizeof(to)), ENOENT);
	ok(mvfs_destroy(jail));
	ok(mvfs_chdir(fs, "/d/s"));
	ok(mvfs_rmdir(fs, "/d/s"));
	fails(mvfs_realpath(fs, ".", to, sizeof(to)), ENOENT);
}
END_TEST

START_TEST(test_stat_of_a_directory_counts_its_names)
{
	ck_assert_uint_eq(look("/d").size, 40);
	put(fs, "/d/a", "A");
	put(fs, "/d/b", "B");
	ck_assert_uint_eq(look("/d").size, 80);
	ck_assert_uint_eq(look("/d").blksize, 4096);
	ok(mvfs_unlink(fs, "/d/a"));
	ck_assert_uint_eq(look("/d").size, 60);
}
END_TEST

START_TEST(test_statfs_counts_what_files_occupy)
{
	struct mvfs_statfs st;
	int fd;

	ok(mvfs_statfs(fs, &st));
	ck_assert_uint_eq(st.block_size, 4096);
	ck_assert_uint_eq(st.blocks, 0);
	ck_assert_uint_eq(st.inodes_used, 2);
	ck_assert_uint_eq(st.name_max, 255);
	fd = (int)ok(mvfs_open(fs, "/f", O_RDWR | O_CREAT, 0644));
	ok(mvfs_pwrite(fs, fd, "x", 1, 40000));
	ok(mvfs_unlink(fs, "/f"));
	ok(mvfs_statfs(fs, &st));
	ck_assert_uint_eq(st.blocks_used, 1);
	ck_assert_uint_eq(st.inodes_used, 3);
	ok(mvfs_close(fs, fd));
	ok(mvfs_statfs(fs, &st));
	ck_assert_uint_eq(st.blocks_used, 0);
	ck_assert_uint_eq(st.inodes_used, 2);
}
END_TEST

static void add_attributes(Suite *suite)
{
	TCase *t = tcase_create("attributes");

	tcase_add_checked_fixture(t, begin, end);
	tcase_add_test(t, test_access_is_judged_for_the_view_s_user);
	tcase_add_test(t, test_chmod_sets_07777_and_keeps_the_type);
	tcase_add_test(t, test_setgid_falls_for_who_is_not_in_the_group);
	tcase_add_test(t, test_chown_leaves_minus_one_and_takes_setuid_away);
	tcase_add_test(t, test_an_owner_gives_to_his_groups_only);
	tcase_add_test(t, test_utimens_sets_omits_and_asks_the_clock);
	tcase_add_test(t,
	    test_truncation_to_the_same_size_moves_mtime_and_ctime);
	tcase_add_test(t, test_writing_is_enough_to_set_both_times_to_now);
	tcase_add_test(t, test_without_a_view_not_even_nothing_is_set);
	tcase_add_test(t, test_mknod_makes_each_type);
	tcase_add_test(t, test_stat_of_a_directory_counts_its_names);
	tcase_add_test(t, test_statfs_counts_what_files_occupy);
	suite_add_tcase(suite, t);
}

int main(void)
{
	Suite *suite = suite_create("path");
	TCase *t = tcase_create("paths");

	tcase_add_checked_fixture(t, begin, end);
	tcase_add_test(t, test_at_calls_start_at_the_descriptor);
	tcase_add_test(t, test_an_absolute_path_needs_no_descriptor);
	tcase_add_test(t, test_a_descriptor_of_a_file_is_no_place_to_start);
	tcase_add_test(t, test_flags_that_a_call_does_not_name_are_einval);
	tcase_add_test(t, test_nofollow_means_the_symlink_itself);
	tcase_add_test(t, test_readlinkat_of_nothing_reads_the_descriptor);
	tcase_add_test(t, test_realpath_is_absolute_and_plain);
	tcase_add_test(t,
	    test_realpath_of_a_link_is_the_name_that_was_asked_for);
	tcase_add_test(t, test_realpath_sees_no_further_than_its_root);
	suite_add_tcase(suite, t);
	add_attributes(suite);
	return run_suite(suite);
}
