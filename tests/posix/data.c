/* SPDX-License-Identifier: MIT */
/* Reading, writing, sizes, holes. */
#include "config.h"

#include "tests/posix/cases.h"

#include <memvfs/file.h>

#define MIB (1 << 20)

static int new_file(int flags)
{
	return (int)ok(fs->open("f", O_RDWR | O_CREAT | flags, 0644));
}

/* (18) */
START_TEST(test_append_writes_at_the_end_as_it_is_now)
{
	int fd = new_file(O_APPEND);

	ck_assert_int_eq(ok(fs->write(fd, "seventeen bytes..", 17)), 17);
	ok(fs->ftruncate(fd, 0));
	ok(fs->write(fd, "x", 1));
	ck_assert_uint_eq(look_at(fd).size, 1);
	handle_holds(fd, "x");
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_append_ignores_the_offset_that_was_sought)
{
	int fd = new_file(O_APPEND);

	ok(fs->write(fd, "abc", 3));
	ck_assert_int_eq(ok(fs->lseek(fd, 0, SEEK_SET)), 0);
	ok(fs->write(fd, "d", 1));
	handle_holds(fd, "abcd");
	ck_assert_int_eq(ok(fs->lseek(fd, 0, SEEK_CUR)), 4);
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_append_holds_for_pwrite_too_as_on_linux)
{
	int fd = new_file(O_APPEND);

	ok(fs->write(fd, "abc", 3));
	ck_assert_int_eq(ok(fs->pwrite(fd, "Z", 1, 0)), 1);
	handle_holds(fd, "abcZ");
	ck_assert_int_eq(ok(fs->lseek(fd, 0, SEEK_CUR)), 3);
	ok(fs->close(fd));
}
END_TEST

/* (19) */
START_TEST(test_seek_past_the_end_leaves_the_size)
{
	int fd = new_file(0);

	ok(fs->write(fd, "abc", 3));
	ck_assert_int_eq(ok(fs->lseek(fd, 10000, SEEK_SET)), 10000);
	ck_assert_uint_eq(look_at(fd).size, 3);
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_a_write_past_the_end_leaves_a_hole_of_zeros)
{
	static const char zeros[9997];
	static char got[10001];
	int fd = new_file(0);

	ok(fs->write(fd, "abc", 3));
	ok(fs->lseek(fd, 10000, SEEK_SET));
	ok(fs->write(fd, "z", 1));
	ck_assert_uint_eq(look_at(fd).size, 10001);
	ck_assert_int_eq(ok(fs->pread(fd, got, sizeof(got), 0)), 10001);
	ck_assert_mem_eq(got, "abc", 3);
	ck_assert_mem_eq(got + 3, zeros, sizeof(zeros));
	ck_assert_int_eq(got[10000], 'z');
	ok(fs->close(fd));
}
END_TEST

/* (20) */
START_TEST(test_seek_data_and_hole_show_blocks_of_4096)
{
	int fd = new_file(0);

	ok(fs->ftruncate(fd, MIB));
	ok(fs->pwrite(fd, "x", 1, 8192));
	ck_assert_int_eq(ok(fs->lseek(fd, 0, SEEK_DATA)), 8192);
	ck_assert_int_eq(ok(fs->lseek(fd, 8192, SEEK_HOLE)), 12288);
	ck_assert_int_eq(ok(fs->lseek(fd, 8300, SEEK_DATA)), 8300);
	ck_assert_int_eq(ok(fs->lseek(fd, 100, SEEK_HOLE)), 100);
	ck_assert_int_eq(ok(fs->lseek(fd, MIB - 1, SEEK_HOLE)), MIB - 1);
	fails(fs->lseek(fd, MIB, SEEK_HOLE), ENXIO);
	fails(fs->lseek(fd, MIB, SEEK_DATA), ENXIO);
	fails(fs->lseek(fd, 12288, SEEK_DATA), ENXIO);
	ck_assert_uint_eq(look_at(fd).blocks, 8);
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_the_end_of_a_file_without_holes_is_a_hole)
{
	int fd = new_file(0);

	ok(fs->write(fd, "abc", 3));
	ck_assert_int_eq(ok(fs->lseek(fd, 0, SEEK_DATA)), 0);
	ck_assert_int_eq(ok(fs->lseek(fd, 0, SEEK_HOLE)), 3);
	fails(fs->lseek(fd, 3, SEEK_HOLE), ENXIO);
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_punching_a_hole_frees_the_block_and_keeps_the_size)
{
	char byte = 1;
	int fd = new_file(0);

	ok(fs->ftruncate(fd, MIB));
	ok(fs->pwrite(fd, "x", 1, 8192));
	ok(fs->fallocate(fd, MVFS_PUNCH_HOLE | MVFS_KEEP_SIZE, 8192, 4096));
	ck_assert_uint_eq(look_at(fd).blocks, 0);
	ck_assert_uint_eq(look_at(fd).size, MIB);
	fails(fs->lseek(fd, 0, SEEK_DATA), ENXIO);
	ck_assert_int_eq(ok(fs->pread(fd, &byte, 1, 8192)), 1);
	ck_assert_int_eq(byte, 0);
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_punching_part_of_a_block_zeroes_it_and_frees_nothing)
{
	char got[6];
	int fd = new_file(0);

	ok(fs->write(fd, "abcdef", 6));
	ok(fs->fallocate(fd, MVFS_PUNCH_HOLE | MVFS_KEEP_SIZE, 1, 4));
	ck_assert_uint_eq(look_at(fd).blocks, 8);
	ck_assert_uint_eq(look_at(fd).size, 6);
	ck_assert_int_eq(ok(fs->pread(fd, got, 6, 0)), 6);
	ck_assert_mem_eq(got, "a\0\0\0\0f", 6);
	ok(fs->close(fd));
}
END_TEST

/* (21) */
START_TEST(test_truncation_by_a_second_open_leaves_the_first_offset)
{
	int one = new_file(0);
	int two = (int)ok(fs->open("f", O_WRONLY | O_TRUNC, 0));

	ok(fs->write(one, "aaaa", 4));
	ok(fs->write(two, "bb", 2));
	holds("f", "bbaa");
	ok(fs->close(two));
	two = (int)ok(fs->open("f", O_WRONLY | O_TRUNC, 0));
	ck_assert_uint_eq(look_at(one).size, 0);
	ok(fs->write(one, "c", 1));
	ck_assert_uint_eq(look_at(two).size, 5);
	ok(fs->close(one));
	ok(fs->close(two));
}
END_TEST

START_TEST(test_a_dup_shares_the_offset)
{
	int fd = new_file(0);
	int dup = (int)ok(fs->dup(fd));

	ok(fs->write(fd, "abc", 3));
	ck_assert_int_eq(ok(fs->lseek(dup, 0, SEEK_CUR)), 3);
	ok(fs->write(dup, "d", 1));
	ck_assert_int_eq(ok(fs->lseek(fd, 0, SEEK_CUR)), 4);
	holds("f", "abcd");
	ok(fs->close(fd));
	ok(fs->write(dup, "e", 1));
	holds("f", "abcde");
	ok(fs->close(dup));
}
END_TEST

START_TEST(test_a_second_open_has_an_offset_of_its_own)
{
	int fd = new_file(0);
	int other = (int)ok(fs->open("f", O_RDWR, 0));

	ok(fs->write(fd, "abc", 3));
	ck_assert_int_eq(ok(fs->lseek(other, 0, SEEK_CUR)), 0);
	ok(fs->write(other, "X", 1));
	holds("f", "Xbc");
	ok(fs->close(fd));
	ok(fs->close(other));
}
END_TEST

/* (22) */
START_TEST(test_reading_at_or_past_the_end_is_0)
{
	char byte;
	int fd = new_file(0);

	ok(fs->write(fd, "abc", 3));
	ck_assert_int_eq(ok(fs->pread(fd, &byte, 1, 3)), 0);
	ck_assert_int_eq(ok(fs->pread(fd, &byte, 1, 1000000)), 0);
	ck_assert_int_eq(ok(fs->read(fd, &byte, 1)), 0);
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_negative_offsets_are_einval)
{
	char byte;
	int fd = new_file(0);

	ok(fs->write(fd, "abc", 3));
	fails(fs->pread(fd, &byte, 1, -1), EINVAL);
	fails(fs->pwrite(fd, "x", 1, -1), EINVAL);
	fails(fs->lseek(fd, -1, SEEK_SET), EINVAL);
	fails(fs->lseek(fd, -4, SEEK_CUR), EINVAL);
	fails(fs->lseek(fd, -4, SEEK_END), EINVAL);
	ck_assert_int_eq(ok(fs->lseek(fd, 0, SEEK_CUR)), 3);
	holds("f", "abc");
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_truncation_to_a_negative_size_is_einval)
{
	int fd = new_file(0);

	ok(fs->write(fd, "abc", 3));
	fails(fs->truncate("f", -1), EINVAL);
	fails(fs->ftruncate(fd, -1), EINVAL);
	holds("f", "abc");
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_truncation_of_a_directory_is_eisdir)
{
	ok(fs->mkdir("d", 0755));
	fails(fs->truncate("d", 0), EISDIR);
}
END_TEST

/* (22a) */
static void shrink_and_grow(int fd)
{
	char got[7];

	ok(fs->ftruncate(fd, 3));
	ok(fs->ftruncate(fd, 6));
	ck_assert_int_eq(ok(fs->pread(fd, got, 7, 0)), 6);
	ck_assert_mem_eq(got, "abc\0\0\0", 6);
}

START_TEST(test_shrinking_and_growing_leaves_zeros)
{
	int fd = new_file(0);

	ok(fs->write(fd, "abcdef", 6));
	shrink_and_grow(fd);
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_shrinking_and_growing_leaves_zeros_while_the_bytes_are_kept)
{
	int fd = new_file(0);

	ok(fs->write(fd, "abcdef", 6));
	ok(fs->keep("f"));
	shrink_and_grow(fd);
	ck_assert(fs->kept_is("f", "abcdef"));
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_a_write_behind_a_cut_leaves_zeros_between)
{
	char got[9];
	int fd = new_file(0);

	ok(fs->write(fd, "abcdef", 6));
	ok(fs->keep("f"));
	ok(fs->ftruncate(fd, 2));
	ok(fs->pwrite(fd, "z", 1, 7));
	ck_assert_int_eq(ok(fs->pread(fd, got, 9, 0)), 8);
	ck_assert_mem_eq(got, "ab\0\0\0\0\0z", 8);
	ck_assert(fs->kept_is("f", "abcdef"));
	ok(fs->close(fd));
}
END_TEST

/* (22b) */
START_TEST(test_reserved_space_counts_as_blocks_but_is_no_data)
{
	char byte = 1;
	int fd = new_file(0);

	ok(fs->fallocate(fd, 0, 0, 65536));
	ck_assert_uint_eq(look_at(fd).blocks, 128);
	ck_assert_uint_eq(look_at(fd).size, 65536);
	fails(fs->lseek(fd, 0, SEEK_DATA), ENXIO);
	ck_assert_int_eq(ok(fs->pread(fd, &byte, 1, 40000)), 1);
	ck_assert_int_eq(byte, 0);
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_reserving_with_keep_size_leaves_the_size)
{
	int fd = new_file(0);

	ok(fs->write(fd, "abc", 3));
	ok(fs->fallocate(fd, MVFS_KEEP_SIZE, 0, 65536));
	ck_assert_uint_eq(look_at(fd).blocks, 128);
	ck_assert_uint_eq(look_at(fd).size, 3);
	handle_holds(fd, "abc");
	fails(fs->fallocate(fd, 0, 0, 0), EINVAL);
	fails(fs->fallocate(fd, 0, -1, 10), EINVAL);
	ok(fs->close(fd));
}
END_TEST

static void add_offset_cases(Suite *suite)
{
	TCase *t = posix_tcase(suite, "offsets");

	tcase_add_test(t, test_append_writes_at_the_end_as_it_is_now);
	tcase_add_test(t, test_append_ignores_the_offset_that_was_sought);
	tcase_add_test(t, test_append_holds_for_pwrite_too_as_on_linux);
	tcase_add_test(t, test_seek_past_the_end_leaves_the_size);
	tcase_add_test(t, test_a_write_past_the_end_leaves_a_hole_of_zeros);
	tcase_add_test(t,
	    test_truncation_by_a_second_open_leaves_the_first_offset);
	tcase_add_test(t, test_a_dup_shares_the_offset);
	tcase_add_test(t, test_a_second_open_has_an_offset_of_its_own);
	tcase_add_test(t, test_reading_at_or_past_the_end_is_0);
	tcase_add_test(t, test_negative_offsets_are_einval);
}

void add_data_cases(Suite *suite)
{
	TCase *t = posix_tcase(suite, "data");

	add_offset_cases(suite);
	tcase_add_test(t, test_seek_data_and_hole_show_blocks_of_4096);
	tcase_add_test(t, test_the_end_of_a_file_without_holes_is_a_hole);
	tcase_add_test(t,
	    test_punching_a_hole_frees_the_block_and_keeps_the_size);
	tcase_add_test(t,
	    test_punching_part_of_a_block_zeroes_it_and_frees_nothing);
	tcase_add_test(t, test_truncation_to_a_negative_size_is_einval);
	tcase_add_test(t, test_truncation_of_a_directory_is_eisdir);
	tcase_add_test(t, test_shrinking_and_growing_leaves_zeros);
	tcase_add_test(t,
	    test_shrinking_and_growing_leaves_zeros_while_the_bytes_are_kept);
	tcase_add_test(t, test_a_write_behind_a_cut_leaves_zeros_between);
	tcase_add_test(t,
	    test_reserved_space_counts_as_blocks_but_is_no_data);
	tcase_add_test(t, test_reserving_with_keep_size_leaves_the_size);
}
