/* SPDX-License-Identifier: MIT */
/* memvfs/file.h: flags, descriptors, vectors, ranges, the largest file. */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

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

static int open_new(const char *path, int flags)
{
	return (int)ok(mvfs_open(fs, path, O_RDWR | O_CREAT | flags, 0644));
}

static struct mvfs_stat look(int fd)
{
	struct mvfs_stat st;

	ok(mvfs_fstat(fs, fd, &st));
	return st;
}

static void holds(int fd, const char *text)
{
	char got[256];
	int64_t len = ok(mvfs_pread(fs, fd, got, sizeof(got), 0));

	ck_assert_int_eq(len, (int64_t)strlen(text));
	ck_assert_mem_eq(got, text, (size_t)len);
}

static void put(int fd, const char *text)
{
	ck_assert_int_eq(ok(mvfs_pwrite(fs, fd, text, strlen(text), 0)),
			 (int64_t)strlen(text));
}

START_TEST(test_open_refuses_flags_that_make_no_sense)
{
	fails(mvfs_open(fs, "/f", O_RDONLY | 0x40000000, 0), EINVAL);
	fails(mvfs_open(fs, "/f", O_CREAT | O_DIRECTORY, 0644), EINVAL);
	fails(mvfs_open(fs, "/", O_TMPFILE | O_RDWR | O_CREAT, 0644), EINVAL);
	fails(mvfs_open(fs, NULL, O_RDONLY, 0), EFAULT);
	fails(mvfs_open(NULL, "/f", O_RDONLY, 0), EINVAL);
	fails(mvfs_openat(fs, 9, "f", O_RDONLY, 0), EBADF);
	open_new("/f", O_SYNC | O_DSYNC | O_NONBLOCK | O_NOCTTY | O_CLOEXEC |
		 O_NOATIME | O_LARGEFILE);
}
END_TEST

START_TEST(test_there_is_nobody_behind_fifos_sockets_and_devices)
{
	ok(mvfs_mknod(fs, "/fifo", S_IFIFO | 0644, 0));
	ok(mvfs_mknod(fs, "/sock", S_IFSOCK | 0644, 0));
	ok(mvfs_mknod(fs, "/null", S_IFCHR | 0644, 0x103));
	fails(mvfs_open(fs, "/fifo", O_RDONLY | O_NONBLOCK, 0), ENXIO);
	fails(mvfs_open(fs, "/sock", O_RDWR, 0), ENXIO);
	fails(mvfs_open(fs, "/null", O_WRONLY, 0), ENXIO);
	ok(mvfs_open(fs, "/fifo", O_PATH, 0));
}
END_TEST

START_TEST(test_o_path_is_a_reference_and_no_more)
{
	struct mvfs_view_options options = { .size = sizeof(options) };
	mvfs *user;
	char byte;
	int fd, dup;

	put(open_new("/f", 0), "abc");
	ok(mvfs_chmod(fs, "/f", 0));
	options.set = MVFS_VIEW_CRED;
	options.uid = options.gid = 1000;
	ok(mvfs_view(fs, &options, &user));
	fails(mvfs_open(user, "/f", O_RDONLY, 0), EACCES);
	fd = (int)ok(mvfs_open(user, "/f", O_PATH | O_TRUNC, 0));
	ck_assert_uint_eq(look(fd).size, 3);
	fails(mvfs_read(fs, fd, &byte, 1), EBADF);
	fails(mvfs_write(fs, fd, "x", 1), EBADF);
	fails(mvfs_lseek(fs, fd, 0, SEEK_SET), EBADF);
	fails(mvfs_ftruncate(fs, fd, 0), EBADF);
	fails(mvfs_fchmod(fs, fd, 0), EBADF);
	fails(mvfs_fsync(fs, fd), EBADF);
	fails(mvfs_fsetxattr(fs, fd, "user.a", "", 0, 0), EBADF);
	fails(mvfs_fgetxattr(fs, fd, "user.a", NULL, 0), EBADF);
	fails(mvfs_flistxattr(fs, fd, NULL, 0), EBADF);
	fails(mvfs_flock(fs, fd, 1), EBADF);
	dup = (int)ok(mvfs_dup(fs, fd));
	ck_assert_int_eq(ok(mvfs_getfl(fs, dup)) & O_PATH, O_PATH);
	ok(mvfs_close(fs, dup));
	ok(mvfs_close(fs, fd));
	ok(mvfs_destroy(user));
}
END_TEST

START_TEST(test_dup2_replaces_what_was_open)
{
	int one = open_new("/a", 0), two = open_new("/b", 0);

	ck_assert_int_eq(ok(mvfs_dup2(fs, one, two)), two);
	put(two, "abc");
	holds(one, "abc");
	ck_assert_int_eq(ok(mvfs_dup2(fs, one, one)), one);
	ck_assert_int_eq(ok(mvfs_dup2(fs, one, 100)), 100);
	holds(100, "abc");
	fails(mvfs_dup2(fs, 50, one), EBADF);
	holds(one, "abc");
	fails(mvfs_dup2(fs, one, -1), EBADF);
	fails(mvfs_dup2(fs, one, INT_MAX), EBADF);
}
END_TEST

START_TEST(test_dup2_needs_no_free_descriptor_where_it_replaces_one)
{
	int fd = (int)ok(mvfs_open(fs, "/f", O_CREAT | O_RDWR, 0644)), last;

	while ((last = mvfs_dup(fs, fd)) >= 0)
		continue;
	ck_assert_int_eq(last, -EMFILE);
	ck_assert_int_eq(ok(mvfs_dup2(fs, fd, 1000)), 1000);
	fails(mvfs_dup2(fs, fd, INT_MAX), EBADF);
}
END_TEST

START_TEST(test_the_first_descriptor_is_0)
{
	ck_assert_int_eq(open_new("/f", 0), 0);
	ck_assert_int_eq(open_new("/f", 0), 1);
	ok(mvfs_close(fs, 0));
	ck_assert_int_eq(open_new("/f", 0), 0);
}
END_TEST

START_TEST(test_append_can_be_turned_on_and_off)
{
	int fd = open_new("/f", O_EXCL);

	ck_assert_int_eq(ok(mvfs_getfl(fs, fd)) & (O_ACCMODE | O_EXCL),
			 O_RDWR);
	put(fd, "abc");
	ok(mvfs_setfl(fs, fd, O_APPEND | O_WRONLY | O_TRUNC));
	ck_assert_int_eq(ok(mvfs_getfl(fs, fd)) & O_ACCMODE, O_RDWR);
	ok(mvfs_write(fs, fd, "d", 1));
	holds(fd, "abcd");
	ok(mvfs_setfl(fs, fd, 0));
	ok(mvfs_pwrite(fs, fd, "X", 1, 0));
	holds(fd, "Xbcd");
}
END_TEST

START_TEST(test_vectors_are_read_and_written_in_turn)
{
	char a[2], b[3], c[4] = "###";
	struct mvfs_iovec in[] = { { a, 2 }, { NULL, 0 }, { b, 3 }, { c, 3 } };
	char x[] = "xy", z[] = "z";
	struct mvfs_iovec out[] = { { x, 2 }, { NULL, 0 }, { z, 1 } };
	int fd = open_new("/f", 0);

	put(fd, "abcdef");
	ck_assert_int_eq(ok(mvfs_readv(fs, fd, in, 4)), 6);
	ck_assert_mem_eq(a, "ab", 2);
	ck_assert_mem_eq(b, "cde", 3);
	ck_assert_str_eq(c, "f##");
	ck_assert_int_eq(ok(mvfs_preadv(fs, fd, in, 1, 4)), 2);
	ck_assert_mem_eq(a, "ef", 2);
	ck_assert_int_eq(ok(mvfs_writev(fs, fd, out, 3)), 3);
	ck_assert_int_eq(ok(mvfs_pwritev(fs, fd, out, 3, 1)), 3);
	holds(fd, "axyzefxyz");
	fails(mvfs_readv(fs, fd, in, -1), EINVAL);
	fails(mvfs_readv(fs, fd, in, 1025), EINVAL);
	fails(mvfs_preadv(fs, fd, in, 1, -1), EINVAL);
	fails(mvfs_writev(fs, fd, NULL, 1), EFAULT);
	fails(mvfs_read(fs, fd, NULL, 1), EFAULT);
}
END_TEST

START_TEST(test_more_pieces_than_fit_a_small_array_are_fine)
{
	struct mvfs_iovec iov[1024];
	char bytes[1024], got[1024];
	int i, fd = open_new("/f", 0);

	for (i = 0; i < 1024; i++) {
		bytes[i] = (char)(i % 101);
		iov[i] = (struct mvfs_iovec){ &bytes[i], 1 };
	}
	ck_assert_int_eq(ok(mvfs_writev(fs, fd, iov, 1024)), 1024);
	for (i = 0; i < 1024; i++)
		iov[i].base = &got[i];
	ck_assert_int_eq(ok(mvfs_preadv(fs, fd, iov, 1024, 0)), 1024);
	ck_assert_mem_eq(got, bytes, 1024);
}
END_TEST

START_TEST(test_access_mode_3_gives_neither_reading_nor_writing)
{
	int fd;

	ok(mvfs_write_file(fs, "/f", "a", 1));
	fd = (int)ok(mvfs_open(fs, "/f", O_ACCMODE, 0));
	fails(mvfs_read(fs, fd, &fd, 1), EBADF);
	fails(mvfs_write(fs, fd, "b", 1), EBADF);
}
END_TEST

START_TEST(test_a_file_is_at_most_2_to_the_63_less_1)
{
	int fd = open_new("/f", 0);
	char got[2];

	fails(mvfs_pwrite(fs, fd, "ab", 2, INT64_MAX - 1), EINVAL);
	fails(mvfs_pread(fs, fd, got, 2, INT64_MAX - 1), EINVAL);
	ck_assert_int_eq(ok(mvfs_pwrite(fs, fd, "a", 1, INT64_MAX - 1)), 1);
	ck_assert_uint_eq(look(fd).size, INT64_MAX);
	ck_assert_uint_eq(look(fd).blocks, 8);
	fails(mvfs_pwrite(fs, fd, "a", 1, INT64_MAX), EINVAL);
	ck_assert_int_eq(ok(mvfs_lseek(fs, fd, 0, SEEK_END)), INT64_MAX);
	fails(mvfs_lseek(fs, fd, 1, SEEK_CUR), EINVAL);
	ok(mvfs_ftruncate(fs, fd, 0));
	ok(mvfs_ftruncate(fs, fd, INT64_MAX));
	fails(mvfs_fallocate(fs, fd, 0, INT64_MAX, 1), EFBIG);
}
END_TEST

START_TEST(test_fallocate_refuses_what_fallocate_2_refuses)
{
	int fd = open_new("/f", 0);
	int reader = (int)ok(mvfs_open(fs, "/f", O_RDONLY, 0));

	fails(mvfs_fallocate(fs, fd, 0, -1, 1), EINVAL);
	fails(mvfs_fallocate(fs, fd, 0, 0, 0), EINVAL);
	fails(mvfs_fallocate(fs, fd, MVFS_PUNCH_HOLE, 0, 1), EOPNOTSUPP);
	fails(mvfs_fallocate(fs, fd, 0x40, 0, 1), EOPNOTSUPP);
	fails(mvfs_fallocate(fs, reader, 0, 0, 1), EBADF);
	ck_assert_uint_eq(look(fd).size, 0);
}
END_TEST

START_TEST(test_zero_range_zeroes_and_reserves)
{
	char got[3];
	int fd = open_new("/f", 0);

	ok(mvfs_pwrite(fs, fd, "abc", 3, 4095));
	ok(mvfs_fallocate(fs, fd, MVFS_ZERO_RANGE, 4096, 8192));
	ck_assert_uint_eq(look(fd).size, 12288);
	ck_assert_uint_eq(look(fd).blocks, 24);
	ok(mvfs_pread(fs, fd, got, 3, 4095));
	ck_assert_mem_eq(got, "a\0\0", 3);
	ok(mvfs_fallocate(fs, fd, MVFS_ZERO_RANGE | MVFS_KEEP_SIZE, 0,
			  20000));
	ck_assert_uint_eq(look(fd).size, 12288);
}
END_TEST

START_TEST(test_copy_file_range_moves_the_offsets_that_it_used)
{
	int in = open_new("/a", 0), out = open_new("/b", 0);
	int64_t from = 1, to = 5;

	put(in, "abcdef");
	ck_assert_int_eq(ok(mvfs_copy_file_range(fs, in, NULL, out, NULL, 4,
						 0)), 4);
	ck_assert_int_eq(ok(mvfs_lseek(fs, in, 0, SEEK_CUR)), 4);
	ck_assert_int_eq(ok(mvfs_lseek(fs, out, 0, SEEK_CUR)), 4);
	ck_assert_int_eq(ok(mvfs_copy_file_range(fs, in, &from, out, &to, 2,
						 0)), 2);
	ck_assert_int_eq(from, 3);
	ck_assert_int_eq(to, 7);
	ck_assert_int_eq(ok(mvfs_lseek(fs, in, 0, SEEK_CUR)), 4);
	ck_assert_uint_eq(look(out).size, 7);
	ck_assert_int_eq(ok(mvfs_copy_file_range(fs, in, NULL, out, &to, 100,
						 0)), 2);
	ck_assert_int_eq(ok(mvfs_copy_file_range(fs, in, NULL, out, &to, 100,
						 0)), 0);
}
END_TEST

START_TEST(test_copy_file_range_refuses_what_is_not_a_copy)
{
	int fd = open_new("/a", 0), append = open_new("/b", O_APPEND);
	int reader = (int)ok(mvfs_open(fs, "/a", O_RDONLY, 0));
	int writer = (int)ok(mvfs_open(fs, "/b", O_WRONLY, 0));
	int dir = (int)ok(mvfs_open(fs, "/", O_RDONLY, 0));
	int64_t zero = 0, two = 2, negative = -1;

	put(fd, "abcdef");
	fails(mvfs_copy_file_range(fs, fd, &zero, reader, NULL, 1, 0), EBADF);
	fails(mvfs_copy_file_range(fs, writer, NULL, fd, NULL, 1, 0), EBADF);
	fails(mvfs_copy_file_range(fs, fd, &zero, append, NULL, 1, 0), EBADF);
	fails(mvfs_copy_file_range(fs, fd, &zero, fd, &two, 4, 0), EINVAL);
	fails(mvfs_copy_file_range(fs, fd, &zero, writer, NULL, 1, 1),
	      EINVAL);
	fails(mvfs_copy_file_range(fs, fd, &negative, writer, NULL, 1, 0),
	      EOVERFLOW);
	fails(mvfs_copy_file_range(fs, fd, &negative, writer, NULL, 0, 0),
	      EINVAL);
	fails(mvfs_copy_file_range(fs, dir, &zero, fd, NULL, 1, 0), EISDIR);
	holds(fd, "abcdef");
}
END_TEST

START_TEST(test_a_cloned_file_goes_its_own_way)
{
	static char bytes[20000], got[20000];
	int one = open_new("/a", 0), two = open_new("/b", 0);
	struct mvfs_statfs st;

	memset(bytes, 'x', sizeof(bytes));
	ok(mvfs_write(fs, one, bytes, sizeof(bytes)));
	put(two, "old");
	ok(mvfs_clone_file(fs, one, two));
	ck_assert_uint_eq(look(two).size, sizeof(bytes));
	ok(mvfs_statfs(fs, &st));
	ck_assert_uint_eq(st.blocks_used, 10);
	ok(mvfs_pwrite(fs, one, "y", 1, 10000));
	ck_assert_int_eq(ok(mvfs_pread(fs, two, got, sizeof(got), 0)),
			 (int64_t)sizeof(got));
	ck_assert_mem_eq(got, bytes, sizeof(bytes));
	ok(mvfs_pwrite(fs, two, "z", 1, 0));
	ok(mvfs_pread(fs, one, got, 1, 0));
	ck_assert_int_eq(got[0], 'x');
	ok(mvfs_clone_file(fs, one, one));
	ck_assert_uint_eq(look(one).size, sizeof(bytes));
}
END_TEST

START_TEST(test_a_clone_of_a_file_that_does_not_fit_is_enospc)
{
	static const char bytes[8192];
	int one = open_new("/a", 0), two = open_new("/b", 0);

	ok(mvfs_write(fs, one, bytes, sizeof(bytes)));
	put(two, "old");
	ok(mvfs_set_limits(fs, 12288, 0));
	fails(mvfs_clone_file(fs, one, two), ENOSPC);
	holds(two, "old");
}
END_TEST

START_TEST(test_syncing_needs_a_descriptor_and_no_more)
{
	int fd = open_new("/f", 0);

	ok(mvfs_fsync(fs, fd));
	ok(mvfs_fdatasync(fs, fd));
	ok(mvfs_sync(fs));
	ok(mvfs_close(fs, fd));
	fails(mvfs_fsync(fs, fd), EBADF);
	fails(mvfs_fdatasync(fs, fd), EBADF);
}
END_TEST

static void add_ranges(Suite *suite)
{
	TCase *t = tcase_create("ranges");

	tcase_add_checked_fixture(t, begin, end);
	tcase_add_test(t, test_a_file_is_at_most_2_to_the_63_less_1);
	tcase_add_test(t,
		test_access_mode_3_gives_neither_reading_nor_writing);
	tcase_add_test(t, test_fallocate_refuses_what_fallocate_2_refuses);
	tcase_add_test(t, test_zero_range_zeroes_and_reserves);
	tcase_add_test(t,
	    test_copy_file_range_moves_the_offsets_that_it_used);
	tcase_add_test(t, test_copy_file_range_refuses_what_is_not_a_copy);
	tcase_add_test(t, test_a_cloned_file_goes_its_own_way);
	tcase_add_test(t, test_a_clone_of_a_file_that_does_not_fit_is_enospc);
	suite_add_tcase(suite, t);
}

int main(void)
{
	Suite *suite = suite_create("file");
	TCase *t = tcase_create("descriptors");

	tcase_add_checked_fixture(t, begin, end);
	tcase_add_test(t, test_open_refuses_flags_that_make_no_sense);
	tcase_add_test(t,
	    test_there_is_nobody_behind_fifos_sockets_and_devices);
	tcase_add_test(t, test_o_path_is_a_reference_and_no_more);
	tcase_add_test(t, test_dup2_replaces_what_was_open);
	tcase_add_test(t, test_the_first_descriptor_is_0);
	tcase_add_test(t,
		test_dup2_needs_no_free_descriptor_where_it_replaces_one);
	tcase_add_test(t, test_append_can_be_turned_on_and_off);
	tcase_add_test(t, test_vectors_are_read_and_written_in_turn);
	tcase_add_test(t, test_more_pieces_than_fit_a_small_array_are_fine);
	tcase_add_test(t, test_syncing_needs_a_descriptor_and_no_more);
	suite_add_tcase(suite, t);
	add_ranges(suite);
	return run_suite(suite);
}
