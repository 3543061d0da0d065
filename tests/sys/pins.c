/* SPDX-License-Identifier: MIT */
/* Inodes without a name: held by pins, by handles, or never named. */
#include "config.h"

#include "tests/sys/sys.h"

/* (9) */
START_TEST(test_a_pin_keeps_an_inode_after_its_last_name)
{
	struct mvfs_stat st;
	uint64_t ino = make(top, "f", "kept"), new;

	ok(mvfs_sys_lookup(fs, &root, top, "f", 2, &st));
	ok(mvfs_sys_unlink(fs, &root, top, "f"));
	new = make(top, "f", "NEW");
	ck_assert_uint_ne(new, ino);
	ck_assert_uint_eq(look(ino).nlink, 0);
	holds(ino, "kept");
	mvfs_sys_unpin(fs, ino, 1);
	holds(ino, "kept");
	mvfs_sys_unpin(fs, ino, 1);
	ck_assert_int_lt(mvfs_sys_stat(fs, ino, &st), 0);
	holds(new, "NEW");
}
END_TEST

START_TEST(test_an_unpin_leaves_what_has_a_name)
{
	struct mvfs_stat st;
	uint64_t ino;

	ok(mvfs_sys_mkdir(fs, &root, top, "d", 0755, 1, &st));
	ino = st.ino;
	mvfs_sys_unpin(fs, ino, 1);
	ck_assert_uint_eq(find(top, "d"), ino);
	ck_assert_uint_eq(look(ino).nlink, 2);
}
END_TEST

START_TEST(test_an_inode_number_is_never_given_out_again)
{
	uint64_t first = make(top, "f", "F");

	ok(mvfs_sys_unlink(fs, &root, top, "f"));
	ck_assert_uint_gt(make(top, "f", "F"), first);
}
END_TEST

START_TEST(test_an_unlinked_open_file_reads_and_grows)
{
	uint64_t ino = make(top, "f", "abc");
	struct mvfs_file *file = open_ino(ino, O_RDWR);
	struct mvfs_stat st;

	ok(mvfs_sys_unlink(fs, &root, top, "f"));
	ok(mvfs_sys_write(fs, &root, file, "d", 1, 0, 1));
	file_holds(file, "abcd");
	ck_assert_uint_eq(look(ino).nlink, 0);
	ok(mvfs_sys_close(fs, file));
	ck_assert_int_lt(mvfs_sys_stat(fs, ino, &st), 0);
}
END_TEST

/* (10) */
START_TEST(test_a_directory_is_empty_once_its_open_file_is_unlinked)
{
	uint64_t d = make_dir(top, "d"), x = make(d, "x", "X");
	struct mvfs_file *file = open_ino(x, O_RDONLY);

	ok(mvfs_sys_unlink(fs, &root, d, "x"));
	ok(mvfs_sys_rmdir(fs, &root, top, "d"));
	file_holds(file, "X");
	ok(mvfs_sys_close(fs, file));
}
END_TEST

/* (11) */
START_TEST(test_tmpfile_has_no_name_until_it_is_linked)
{
	struct mvfs_file *file;
	struct mvfs_stat st;
	uint64_t ino;

	ok(mvfs_sys_tmpfile(fs, &root, top, 0666, O_RDWR, 0, &st, &file));
	ino = st.ino;
	ck_assert_uint_eq(st.nlink, 0);
	ck_assert_uint_eq(st.mode, S_IFREG | 0644);
	ok(mvfs_sys_write(fs, &root, file, "made", 4, 0, 0));
	ok(mvfs_sys_link(fs, &root, ino, top, "name", 0, &st));
	ck_assert_uint_eq(st.nlink, 1);
	ck_assert_uint_eq(find(top, "name"), ino);
	ok(mvfs_sys_close(fs, file));
	holds(ino, "made");
}
END_TEST

START_TEST(test_tmpfile_refuses_what_open_refuses)
{
	struct mvfs_file *file;
	struct mvfs_stat st;
	uint64_t ino;

	fails(mvfs_sys_tmpfile(fs, &root, top, 0600, O_RDONLY, 0, &st, &file),
	      EINVAL);
	ok(mvfs_sys_tmpfile(fs, &root, top, 0600, O_RDWR | O_EXCL, 0, &st,
			    &file));
	ino = st.ino;
	fails(mvfs_sys_link(fs, &root, ino, top, "name", 0, &st), ENOENT);
	missing(top, "name");
	ok(mvfs_sys_close(fs, file));
}
END_TEST

START_TEST(test_what_lost_its_last_name_cannot_be_linked_again)
{
	struct mvfs_stat st;
	uint64_t ino = make(top, "f", "F");
	struct mvfs_file *file = open_ino(ino, O_RDONLY);

	ok(mvfs_sys_unlink(fs, &root, top, "f"));
	fails(mvfs_sys_link(fs, &root, ino, top, "g", 0, &st), ENOENT);
	ok(mvfs_sys_close(fs, file));
}
END_TEST

/* (25a) */
START_TEST(test_nothing_is_made_in_a_removed_directory)
{
	uint64_t d = make_dir(top, "d"), f = make(top, "f", "F");
	struct mvfs_file *dir = open_ino(d, O_RDONLY);
	struct mvfs_file *file;
	struct mvfs_stat st;
	int created;

	ok(mvfs_sys_rmdir(fs, &root, top, "d"));
	ck_assert_uint_eq(look(d).nlink, 0);
	fails(mvfs_sys_create(fs, &root, d, "w", 0644, O_RDWR, 0, &st,
			      &created, &file), ENOENT);
	fails(mvfs_sys_mkdir(fs, &root, d, "w", 0755, 0, &st), ENOENT);
	fails(mvfs_sys_link(fs, &root, f, d, "w", 0, &st), ENOENT);
	fails(mvfs_sys_rename(fs, &root, top, "f", d, "w", 0), ENOENT);
	ok(mvfs_sys_fsync(fs, dir, 0));
	ok(mvfs_sys_close(fs, dir));
	ck_assert_uint_eq(find(top, "f"), f);
}
END_TEST

void add_pin_tests(Suite *suite)
{
	TCase *t = sys_tcase(suite, "pins");

	tcase_add_test(t, test_a_pin_keeps_an_inode_after_its_last_name);
	tcase_add_test(t, test_an_unpin_leaves_what_has_a_name);
	tcase_add_test(t, test_an_inode_number_is_never_given_out_again);
	tcase_add_test(t, test_an_unlinked_open_file_reads_and_grows);
	tcase_add_test(t,
	    test_a_directory_is_empty_once_its_open_file_is_unlinked);
	tcase_add_test(t, test_tmpfile_has_no_name_until_it_is_linked);
	tcase_add_test(t, test_tmpfile_refuses_what_open_refuses);
	tcase_add_test(t, test_what_lost_its_last_name_cannot_be_linked_again);
	tcase_add_test(t, test_nothing_is_made_in_a_removed_directory);
}
