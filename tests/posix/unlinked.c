/* SPDX-License-Identifier: MIT */
/* Files that are open and have no name: no longer, or not yet. */
#include "config.h"

#include "tests/posix/cases.h"

/* (9) */
START_TEST(test_an_unlinked_open_file_reads_and_grows_beside_a_new_one)
{
	int fd = (int)ok(fs->open("a", O_RDWR | O_CREAT | O_EXCL, 0644));

	ok(fs->write(fd, "abc", 3));
	ok(fs->unlink("a"));
	make("a", "NEW");
	ck_assert_uint_eq(look_at(fd).nlink, 0);
	handle_holds(fd, "abc");
	ck_assert_int_eq(ok(fs->write(fd, "def", 3)), 3);
	ck_assert_uint_eq(look_at(fd).size, 6);
	handle_holds(fd, "abcdef");
	holds("a", "NEW");
	ck_assert_uint_eq(look("a").nlink, 1);
	ck_assert_uint_ne(look("a").ino, look_at(fd).ino);
	ok(fs->close(fd));
	holds("a", "NEW");
}
END_TEST

/* (10) */
START_TEST(test_a_directory_is_empty_once_its_open_file_is_unlinked)
{
	int fd;

	ok(fs->mkdir("d", 0755));
	fd = (int)ok(fs->open("d/x", O_RDWR | O_CREAT, 0644));
	fails(fs->rmdir("d"), ENOTEMPTY);
	ok(fs->unlink("d/x"));
	ok(fs->rmdir("d"));
	missing("d");
	ok(fs->write(fd, "still", 5));
	handle_holds(fd, "still");
	ok(fs->close(fd));
}
END_TEST

/* (11) */
START_TEST(test_tmpfile_has_no_name_until_it_is_linked)
{
	int fd = (int)ok(fs->open(".", O_TMPFILE | O_RDWR, 0640));

	ck_assert_uint_eq(look_at(fd).nlink, 0);
	ck_assert(S_ISREG(look_at(fd).mode));
	ck_assert_int_eq(count_names("."), 0);
	ok(fs->write(fd, "made", 4));
	ok(fs->linkfd(fd, "name"));
	ck_assert_uint_eq(look_at(fd).nlink, 1);
	ck_assert_uint_eq(look("name").ino, look_at(fd).ino);
	ck_assert_uint_eq(mode_of("name"), 0640);
	holds("name", "made");
	ok(fs->close(fd));
	holds("name", "made");
}
END_TEST

START_TEST(test_tmpfile_for_reading_only_is_einval)
{
	fails(fs->open(".", O_TMPFILE | O_RDONLY, 0600), EINVAL);
	ck_assert_int_eq(count_names("."), 0);
}
END_TEST

START_TEST(test_tmpfile_with_excl_can_never_be_linked)
{
	int fd = (int)ok(fs->open(".", O_TMPFILE | O_RDWR | O_EXCL, 0600));

	fails(fs->linkfd(fd, "name"), ENOENT);
	missing("name");
	ck_assert_uint_eq(look_at(fd).nlink, 0);
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_a_file_whose_last_name_is_gone_cannot_be_linked_again)
{
	int fd;

	make("a", "A");
	fd = (int)ok(fs->open("a", O_RDWR, 0));
	ok(fs->unlink("a"));
	fails(fs->linkfd(fd, "b"), ENOENT);
	missing("b");
	ok(fs->close(fd));
}
END_TEST

void add_unlinked_cases(Suite *suite)
{
	TCase *t = posix_tcase(suite, "unlinked");

	tcase_add_test(t,
	    test_an_unlinked_open_file_reads_and_grows_beside_a_new_one);
	tcase_add_test(t,
	    test_a_directory_is_empty_once_its_open_file_is_unlinked);
	tcase_add_test(t,
	    test_a_file_whose_last_name_is_gone_cannot_be_linked_again);
	if (!posix_can("O_TMPFILE", fs->no_tmpfile))
		return;
	tcase_add_test(t, test_tmpfile_has_no_name_until_it_is_linked);
	tcase_add_test(t, test_tmpfile_for_reading_only_is_einval);
	tcase_add_test(t, test_tmpfile_with_excl_can_never_be_linked);
}
