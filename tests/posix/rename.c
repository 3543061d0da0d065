/* SPDX-License-Identifier: MIT */
/* Rename: what becomes of both names, of handles, of what lies below. */
#include "config.h"

#include "tests/posix/cases.h"

/* (1) */
START_TEST(test_rename_over_an_open_file_keeps_the_old_one_for_its_handle)
{
	int fd;

	make("a", "AAA");
	make("b", "BBB");
	fd = (int)ok(fs->open("b", O_RDONLY, 0));
	ok(fs->rename("a", "b", 0));
	handle_holds(fd, "BBB");
	ck_assert_uint_eq(look_at(fd).nlink, 0);
	holds("b", "AAA");
	missing("a");
	ok(fs->close(fd));
}
END_TEST

/* (2) */
START_TEST(test_a_handle_follows_its_file_through_a_rename)
{
	int fd = (int)ok(fs->open("a", O_WRONLY | O_CREAT | O_EXCL, 0644));

	ok(fs->write(fd, "x", 1));
	ok(fs->rename("a", "c", 0));
	ck_assert_int_eq(ok(fs->write(fd, "yz", 2)), 2);
	holds("c", "xyz");
	missing("a");
	ok(fs->close(fd));
}
END_TEST

/* (3) */
START_TEST(test_rename_between_links_of_one_inode_keeps_both)
{
	make("a", "one");
	ok(fs->link("a", "b", false));
	ok(fs->rename("a", "b", 0));
	holds("a", "one");
	holds("b", "one");
	ck_assert_uint_eq(look("a").ino, look("b").ino);
	ck_assert_uint_eq(look("a").nlink, 2);
}
END_TEST

/* (4) */
START_TEST(test_rename_of_a_directory_over_one_that_is_not_empty_is_enotempty)
{
	ok(fs->mkdir("d", 0755));
	ok(fs->mkdir("e", 0755));
	make("e/f", "kept");
	fails(fs->rename("d", "e", 0), ENOTEMPTY);
	holds("e/f", "kept");
	ck_assert_int_eq(count_names("d"), 0);
}
END_TEST

START_TEST(test_rename_of_a_directory_over_a_file_is_enotdir)
{
	ok(fs->mkdir("d", 0755));
	make("f", "kept");
	fails(fs->rename("d", "f", 0), ENOTDIR);
	holds("f", "kept");
	ck_assert(S_ISDIR(look("d").mode));
}
END_TEST

START_TEST(test_rename_of_a_file_over_a_directory_is_eisdir)
{
	ok(fs->mkdir("d", 0755));
	make("f", "kept");
	fails(fs->rename("f", "d", 0), EISDIR);
	holds("f", "kept");
	ck_assert(S_ISDIR(look("d").mode));
}
END_TEST

START_TEST(test_rename_of_a_directory_into_itself_is_einval)
{
	ok(fs->mkdir("d", 0755));
	ok(fs->mkdir("d/e", 0755));
	fails(fs->rename("d", "d/n", 0), EINVAL);
	fails(fs->rename("d", "d/e", 0), EINVAL);
	fails(fs->rename("d", "d/e/n", 0), EINVAL);
	ck_assert(S_ISDIR(look("d/e").mode));
	ck_assert_uint_eq(look("d").nlink, 3);
}
END_TEST

START_TEST(test_rename_of_what_is_missing_is_enoent)
{
	make("b", "kept");
	fails(fs->rename("a", "b", 0), ENOENT);
	fails(fs->rename("a", "c", 0), ENOENT);
	fails(fs->rename("b", "d/c", 0), ENOENT);
	holds("b", "kept");
	missing("c");
}
END_TEST

START_TEST(test_rename_to_itself_is_no_change)
{
	make("f", "same");
	ok(fs->mkdir("d", 0755));
	ok(fs->rename("f", "f", 0));
	ok(fs->rename("d", "d", 0));
	holds("f", "same");
	ck_assert_uint_eq(look("f").nlink, 1);
	ck_assert_uint_eq(look("d").nlink, 2);
}
END_TEST

START_TEST(test_rename_of_a_directory_over_an_empty_one_replaces_it)
{
	uint64_t ino;

	ok(fs->mkdir("d", 0755));
	make("d/f", "inside");
	ok(fs->mkdir("e", 0755));
	ino = look("d").ino;
	ok(fs->rename("d", "e", 0));
	ck_assert_uint_eq(look("e").ino, ino);
	holds("e/f", "inside");
	missing("d");
	ck_assert_uint_eq(look(".").nlink, 3);
}
END_TEST

/* (5) */
START_TEST(test_what_lies_below_a_renamed_directory_moves_with_it)
{
	ok(fs->mkdir("d", 0755));
	ok(fs->mkdir("d/s", 0755));
	make("d/s/f", "deep");
	holds("d/s/f", "deep");
	ok(fs->rename("d", "n", 0));
	holds("n/s/f", "deep");
	missing("d/s/f");
	missing("d");
}
END_TEST

/* (6) */
START_TEST(test_moving_a_directory_fixes_nlink_and_dotdot)
{
	ok(fs->mkdir("p", 0755));
	ok(fs->mkdir("q", 0755));
	ok(fs->mkdir("p/d", 0755));
	make("p/mark", "p");
	make("q/mark", "q");
	ck_assert_uint_eq(look("p").nlink, 3);
	ck_assert_uint_eq(look("q").nlink, 2);
	holds("p/d/../mark", "p");
	ok(fs->rename("p/d", "q/d", 0));
	ck_assert_uint_eq(look("p").nlink, 2);
	ck_assert_uint_eq(look("q").nlink, 3);
	ck_assert_uint_eq(look("q/d").nlink, 2);
	ck_assert_uint_eq(look("q/d/..").ino, look("q").ino);
	holds("q/d/../mark", "q");
}
END_TEST

/* (7) */
START_TEST(test_noreplace_over_what_exists_is_eexist)
{
	make("a", "A");
	make("b", "B");
	fails(fs->rename("a", "b", MVFS_RENAME_NOREPLACE), EEXIST);
	holds("a", "A");
	holds("b", "B");
	ok(fs->rename("a", "c", MVFS_RENAME_NOREPLACE));
	holds("c", "A");
	missing("a");
}
END_TEST

START_TEST(test_noreplace_over_a_dangling_symlink_is_eexist)
{
	make("a", "A");
	ok(fs->symlink("nowhere", "l"));
	fails(fs->rename("a", "l", MVFS_RENAME_NOREPLACE), EEXIST);
	fails(fs->rename("a", "a", MVFS_RENAME_NOREPLACE), EEXIST);
	holds("a", "A");
}
END_TEST

START_TEST(test_exchange_swaps_two_files)
{
	uint64_t a, b;

	make("a", "A");
	make("b", "B");
	a = look("a").ino;
	b = look("b").ino;
	ok(fs->rename("a", "b", MVFS_RENAME_EXCHANGE));
	holds("a", "B");
	holds("b", "A");
	ck_assert_uint_eq(look("a").ino, b);
	ck_assert_uint_eq(look("b").ino, a);
}
END_TEST

START_TEST(test_exchange_swaps_a_file_with_a_directory_that_is_not_empty)
{
	ok(fs->mkdir("p", 0755));
	ok(fs->mkdir("p/d", 0755));
	make("p/d/in", "inside");
	make("f", "file");
	ok(fs->rename("f", "p/d", MVFS_RENAME_EXCHANGE));
	holds("p/d", "file");
	holds("f/in", "inside");
	ck_assert_uint_eq(look("p").nlink, 2);
	ck_assert_uint_eq(look(".").nlink, 4);
	ck_assert_uint_eq(look("f/..").ino, look(".").ino);
}
END_TEST

START_TEST(test_exchange_of_a_directory_with_what_it_contains_is_einval)
{
	ok(fs->mkdir("d", 0755));
	make("d/f", "inside");
	fails(fs->rename("d", "d/f", MVFS_RENAME_EXCHANGE), EINVAL);
	/* Without the flag: the file's parent is what would be moved. */
	fails(fs->rename("d/f", "d", MVFS_RENAME_EXCHANGE), EINVAL);
	holds("d/f", "inside");
}
END_TEST

START_TEST(test_noreplace_with_exchange_is_einval)
{
	make("a", "A");
	make("b", "B");
	fails(fs->rename("a", "b",
			 MVFS_RENAME_NOREPLACE | MVFS_RENAME_EXCHANGE),
	      EINVAL);
	holds("a", "A");
	holds("b", "B");
}
END_TEST

START_TEST(test_exchange_with_what_is_missing_is_enoent)
{
	make("a", "A");
	fails(fs->rename("a", "b", MVFS_RENAME_EXCHANGE), ENOENT);
	fails(fs->rename("b", "a", MVFS_RENAME_EXCHANGE), ENOENT);
	holds("a", "A");
	missing("b");
}
END_TEST

/* (8) */
START_TEST(test_rename_of_a_symlink_moves_the_link)
{
	make("target", "T");
	ok(fs->symlink("target", "l"));
	ok(fs->rename("l", "m", 0));
	missing("l");
	ck_assert(S_ISLNK(look("m").mode));
	holds("m", "T");
	holds("target", "T");
}
END_TEST

START_TEST(test_rename_over_a_symlink_replaces_the_link_not_its_target)
{
	make("target", "T");
	make("f", "F");
	ok(fs->symlink("target", "l"));
	ok(fs->rename("f", "l", 0));
	ck_assert(S_ISREG(look("l").mode));
	holds("l", "F");
	holds("target", "T");
	missing("f");
}
END_TEST

void add_rename_cases(Suite *suite)
{
	TCase *t = posix_tcase(suite, "rename");

	tcase_add_test(t,
	    test_rename_over_an_open_file_keeps_the_old_one_for_its_handle);
	tcase_add_test(t, test_a_handle_follows_its_file_through_a_rename);
	tcase_add_test(t, test_rename_between_links_of_one_inode_keeps_both);
	tcase_add_test(t,
	    test_rename_of_a_directory_over_one_that_is_not_empty_is_enotempty);
	tcase_add_test(t, test_rename_of_a_directory_over_a_file_is_enotdir);
	tcase_add_test(t, test_rename_of_a_file_over_a_directory_is_eisdir);
	tcase_add_test(t, test_rename_of_a_directory_into_itself_is_einval);
	tcase_add_test(t, test_rename_of_what_is_missing_is_enoent);
	tcase_add_test(t, test_rename_to_itself_is_no_change);
	tcase_add_test(t,
	    test_rename_of_a_directory_over_an_empty_one_replaces_it);
	tcase_add_test(t,
	    test_what_lies_below_a_renamed_directory_moves_with_it);
	tcase_add_test(t, test_moving_a_directory_fixes_nlink_and_dotdot);
	tcase_add_test(t, test_noreplace_over_what_exists_is_eexist);
	tcase_add_test(t, test_noreplace_over_a_dangling_symlink_is_eexist);
	tcase_add_test(t, test_exchange_swaps_two_files);
	tcase_add_test(t,
	    test_exchange_swaps_a_file_with_a_directory_that_is_not_empty);
	tcase_add_test(t,
	    test_exchange_of_a_directory_with_what_it_contains_is_einval);
	tcase_add_test(t, test_noreplace_with_exchange_is_einval);
	tcase_add_test(t, test_exchange_with_what_is_missing_is_enoent);
	tcase_add_test(t, test_rename_of_a_symlink_moves_the_link);
	tcase_add_test(t,
	    test_rename_over_a_symlink_replaces_the_link_not_its_target);
}
