/* SPDX-License-Identifier: MIT */
/* Open files by pointer: data, sizes, holes, extents, limits. */
#include "config.h"

#include "tests/sys/sys.h"

#include <memvfs/file.h>

static int64_t put(struct mvfs_file *file, const char *text, int64_t offset)
{
	return mvfs_sys_write(fs, &root, file, text, strlen(text), offset, 0);
}

/* (18) */
START_TEST(test_append_is_at_the_end_whatever_the_offset)
{
	struct mvfs_file *file = open_ino(make(top, "f", "abc"), O_RDWR);

	ck_assert_int_eq(ok(mvfs_sys_write(fs, &root, file, "d", 1, 0, 1)),
			 1);
	file_holds(file, "abcd");
	ok(mvfs_sys_close(fs, file));
}
END_TEST

/* (19) (20) */
START_TEST(test_seek_tells_data_from_holes)
{
	uint64_t ino = make(top, "f", "");
	struct mvfs_file *file = open_ino(ino, O_RDWR);
	const int64_t size = 1 << 20;

	ok(set_size(&root, ino, file, (uint64_t)size));
	ok(put(file, "x", 8192));
	ck_assert_int_eq(ok(mvfs_sys_seek(fs, file, 0, SEEK_DATA)), 8192);
	ck_assert_int_eq(ok(mvfs_sys_seek(fs, file, 8192, SEEK_HOLE)), 12288);
	fails(mvfs_sys_seek(fs, file, size, SEEK_HOLE), ENXIO);
	fails(mvfs_sys_seek(fs, file, 12288, SEEK_DATA), ENXIO);
	ok(mvfs_sys_fallocate(fs, &root, file,
			      MVFS_PUNCH_HOLE | MVFS_KEEP_SIZE, 8192, 4096));
	ck_assert_uint_eq(look(ino).blocks, 0);
	ck_assert_uint_eq(look(ino).size, (uint64_t)size);
	ok(mvfs_sys_close(fs, file));
}
END_TEST

/* (22) */
START_TEST(test_bad_offsets_and_sizes_are_einval)
{
	uint64_t ino = make(top, "f", "abc");
	struct mvfs_file *file = open_ino(ino, O_RDWR);
	char byte;

	ck_assert_int_eq(ok(mvfs_sys_read(fs, file, &byte, 1, 3)), 0);
	fails(mvfs_sys_read(fs, file, &byte, 1, -1), EINVAL);
	fails(put(file, "x", -1), EINVAL);
	fails(set_size(&root, ino, file, (uint64_t)-1), EINVAL);
	fails(set_size(&root, make_dir(top, "d"), NULL, 0), EISDIR);
	holds(ino, "abc");
	ok(mvfs_sys_close(fs, file));
}
END_TEST

/* (22a) */
START_TEST(test_extents_stay_while_the_file_shrinks_and_grows)
{
	uint64_t ino = make(top, "f", "abcdef");
	struct mvfs_file *file = open_ino(ino, O_RDWR);
	struct mvfs_extent extent;
	char got[7];

	ck_assert_int_eq(ok(mvfs_sys_extents(fs, file, 0, 100, &extent, 1)),
			 1);
	ck_assert_uint_eq(extent.len, 6);
	ok(set_size(&root, ino, file, 3));
	ok(set_size(&root, ino, file, 6));
	ck_assert_int_eq(ok(mvfs_sys_read(fs, file, got, 7, 0)), 6);
	ck_assert_mem_eq(got, "abc\0\0\0", 6);
	ok(put(file, "XYZ", 0));
	ck_assert_mem_eq(extent.base, "abcdef", 6);
	ok(mvfs_sys_close(fs, file));
	ck_assert_mem_eq(extent.base, "abcdef", 6);
	mvfs_sys_extents_release(&extent, 1);
}
END_TEST

START_TEST(test_an_extent_of_a_hole_has_no_base)
{
	uint64_t ino = make(top, "f", "abc");
	struct mvfs_file *file = open_ino(ino, O_RDWR);
	struct mvfs_extent extents[8];
	int64_t count, i;
	size_t len = 0;

	ok(set_size(&root, ino, file, 1 << 20));
	count = ok(mvfs_sys_extents(fs, file, 4096, 1 << 20, extents, 8));
	for (i = 0; i < count; i++) {
		ck_assert_ptr_null(extents[i].base);
		len += extents[i].len;
	}
	ck_assert_uint_eq(len, (1 << 20) - 4096);
	mvfs_sys_extents_release(extents, (size_t)count);
	ck_assert_int_eq(ok(mvfs_sys_extents(fs, file, 1 << 20, 10, extents,
					     8)), 0);
	ok(mvfs_sys_close(fs, file));
}
END_TEST

/* (22b) */
START_TEST(test_reserved_space_counts_as_blocks_but_is_no_data)
{
	uint64_t ino = make(top, "f", "");
	struct mvfs_file *file = open_ino(ino, O_RDWR);

	ok(mvfs_sys_fallocate(fs, &root, file, 0, 0, 65536));
	ck_assert_uint_eq(look(ino).blocks, 128);
	fails(mvfs_sys_seek(fs, file, 0, SEEK_DATA), ENXIO);
	ok(mvfs_sys_close(fs, file));
}
END_TEST

/* (21) */
START_TEST(test_trunc_of_an_open_is_seen_by_every_handle)
{
	uint64_t ino = make(top, "f", "abc");
	struct mvfs_file *one = open_ino(ino, O_RDWR);
	struct mvfs_file *two = open_ino(ino, O_WRONLY | O_TRUNC);

	file_holds(one, "");
	ok(put(one, "aaaa", 0));
	ok(put(two, "bb", 0));
	file_holds(one, "bbaa");
	ok(mvfs_sys_close(fs, one));
	ok(mvfs_sys_close(fs, two));
}
END_TEST

/* (23) */
START_TEST(test_a_file_is_used_as_it_was_opened)
{
	uint64_t ino = make(top, "f", "abc");
	struct mvfs_file *reader = open_ino(ino, O_RDONLY);
	struct mvfs_file *writer = open_ino(ino, O_WRONLY);
	char byte;

	fails(put(reader, "x", 0), EBADF);
	fails(mvfs_sys_read(fs, writer, &byte, 1, 0), EBADF);
	fails(set_size(&user, ino, reader, 0), EINVAL);
	ok(set_mode(&root, ino, 0));
	ok(set_size(&user, ino, writer, 1));
	ok(put(writer, "b", 1));
	file_holds(reader, "ab");
	ok(mvfs_sys_close(fs, reader));
	ok(mvfs_sys_close(fs, writer));
}
END_TEST

START_TEST(test_create_opens_for_writing_whatever_the_mode)
{
	struct mvfs_file *file;
	struct mvfs_stat st;
	int created = -1;

	ok(mvfs_sys_create(fs, &user, make_dir_of(&user, "d", 0755), "f",
			   0444, O_WRONLY, 0, &st, &created, &file));
	ck_assert_int_eq(created, 1);
	ck_assert_uint_eq(st.mode, S_IFREG | 0444);
	ck_assert_uint_eq(st.uid, 1000);
	ok(put(file, "abc", 0));
	ok(set_size(&user, st.ino, file, 1));
	ok(mvfs_sys_close(fs, file));
	fails(mvfs_sys_open(fs, &user, st.ino, O_WRONLY, &file), EACCES);
	fails(mvfs_sys_create(fs, &user, find(top, "d"), "f", 0444, O_WRONLY,
			      0, &st, &created, &file), EACCES);
	ok(mvfs_sys_create(fs, &user, find(top, "d"), "f", 0600, O_RDONLY,
			   0, &st, &created, &file));
	ck_assert_int_eq(created, 0);
	ok(mvfs_sys_close(fs, file));
}
END_TEST

START_TEST(test_a_directory_is_opened_for_reading_only)
{
	uint64_t d = make_dir(top, "d");
	struct mvfs_file *file;
	char byte;

	fails(mvfs_sys_open(fs, &root, d, O_WRONLY, &file), EISDIR);
	fails(mvfs_sys_open(fs, &root, d, O_RDWR, &file), EISDIR);
	file = open_ino(d, O_RDONLY | O_DIRECTORY);
	fails(mvfs_sys_read(fs, file, &byte, 1, 0), EISDIR);
	ok(mvfs_sys_close(fs, file));
	fails(mvfs_sys_open(fs, &root, make(top, "f", ""),
			    O_RDONLY | O_DIRECTORY, &file), ENOTDIR);
}
END_TEST

START_TEST(test_copy_range_copies_and_leaves_the_source)
{
	struct mvfs_file *in = open_ino(make(top, "a", "abcdef"), O_RDONLY);
	struct mvfs_file *out = open_ino(make(top, "b", "BBBBBBBB"), O_RDWR);

	ck_assert_int_eq(ok(mvfs_sys_copy_range(fs, &root, in, 1, out, 2,
						3)), 3);
	file_holds(out, "BBbcdBBB");
	ck_assert_int_eq(ok(mvfs_sys_copy_range(fs, &root, in, 4, out, 8,
						100)), 2);
	file_holds(out, "BBbcdBBBef");
	file_holds(in, "abcdef");
	ok(mvfs_sys_close(fs, in));
	ok(mvfs_sys_close(fs, out));
}
END_TEST

/* (28) */
START_TEST(test_a_write_past_the_limit_is_short_and_the_next_is_enospc)
{
	struct mvfs_file *file;
	char *block = calloc(1, 80000);

	ck_assert_ptr_nonnull(block);
	ok(mvfs_set_limits(fs, 65536, 0));
	file = open_ino(make(top, "f", ""), O_RDWR);
	ck_assert_int_eq(ok(mvfs_sys_write(fs, &root, file, block, 80000, 0,
					   0)), 65536);
	fails(put(file, "x", 65536), ENOSPC);
	ok(put(file, "x", 100));
	ok(mvfs_sys_unlink(fs, &root, top, "f"));
	{
		struct mvfs_file *g = open_ino(make(top, "g", ""), O_RDWR);

		fails(put(g, "x", 0), ENOSPC);
		ok(mvfs_sys_close(fs, file));
		ok(put(g, "x", 0));
		ok(mvfs_sys_close(fs, g));
	}
	free(block);
}
END_TEST

START_TEST(test_inodes_are_counted_until_the_last_pin_goes)
{
	struct mvfs_stat st;
	uint64_t f;

	ok(mvfs_set_limits(fs, 0, 2));
	f = make(top, "f", "");
	fails(mvfs_sys_mkdir(fs, &root, top, "d", 0755, 0, &st), ENOSPC);
	ok(mvfs_sys_lookup(fs, &root, top, "f", 1, &st));
	ok(mvfs_sys_rename(fs, &root, top, "f", top, "g", 0));
	ok(mvfs_sys_unlink(fs, &root, top, "g"));
	fails(mvfs_sys_mkdir(fs, &root, top, "d", 0755, 0, &st), ENOSPC);
	mvfs_sys_unpin(fs, f, 1);
	ok(mvfs_sys_mkdir(fs, &root, top, "d", 0755, 0, &st));
}
END_TEST

void add_file_tests(Suite *suite)
{
	TCase *t = sys_tcase(suite, "files");

	tcase_add_test(t, test_append_is_at_the_end_whatever_the_offset);
	tcase_add_test(t, test_seek_tells_data_from_holes);
	tcase_add_test(t, test_bad_offsets_and_sizes_are_einval);
	tcase_add_test(t, test_extents_stay_while_the_file_shrinks_and_grows);
	tcase_add_test(t, test_an_extent_of_a_hole_has_no_base);
	tcase_add_test(t,
	    test_reserved_space_counts_as_blocks_but_is_no_data);
	tcase_add_test(t, test_trunc_of_an_open_is_seen_by_every_handle);
	tcase_add_test(t, test_a_file_is_used_as_it_was_opened);
	tcase_add_test(t, test_create_opens_for_writing_whatever_the_mode);
	tcase_add_test(t, test_a_directory_is_opened_for_reading_only);
	tcase_add_test(t, test_copy_range_copies_and_leaves_the_source);
	tcase_add_test(t,
	    test_a_write_past_the_limit_is_short_and_the_next_is_enospc);
	tcase_add_test(t, test_inodes_are_counted_until_the_last_pin_goes);
}
