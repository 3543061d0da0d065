/* SPDX-License-Identifier: MIT */
/* Hard links (17). */
#include "config.h"

#include "tests/posix/cases.h"

START_TEST(test_a_link_is_another_name_of_the_same_inode)
{
	make("a", "A");
	ok(fs->link("a", "b", false));
	ck_assert_uint_eq(look("a").nlink, 2);
	ck_assert_uint_eq(look("b").nlink, 2);
	ck_assert_uint_eq(look("a").ino, look("b").ino);
	ok(fs->unlink("a"));
	ck_assert_uint_eq(look("b").nlink, 1);
	holds("b", "A");
}
END_TEST

START_TEST(test_truncation_through_one_name_is_seen_by_the_other)
{
	int fd;

	make("a", "abcdef");
	ok(fs->link("a", "b", false));
	fd = (int)ok(fs->open("b", O_RDONLY, 0));
	ok(fs->truncate("a", 2));
	holds("b", "ab");
	ck_assert_uint_eq(look_at(fd).size, 2);
	handle_holds(fd, "ab");
	ok(fs->close(fd));
	ok(fs->close((int)ok(fs->open("b", O_WRONLY | O_TRUNC, 0))));
	holds("a", "");
}
END_TEST

START_TEST(test_link_to_an_existing_name_is_eexist)
{
	make("a", "A");
	make("b", "B");
	ok(fs->symlink("nowhere", "l"));
	fails(fs->link("a", "b", false), EEXIST);
	fails(fs->link("a", "a", false), EEXIST);
	fails(fs->link("a", "l", false), EEXIST);
	ck_assert_uint_eq(look("a").nlink, 1);
	holds("b", "B");
	missing("nowhere");
}
END_TEST

START_TEST(test_link_of_a_directory_is_eperm)
{
	ok(fs->mkdir("d", 0755));
	fails(fs->link("d", "e", false), EPERM);
	missing("e");
	ck_assert_uint_eq(look("d").nlink, 2);
}
END_TEST

START_TEST(test_link_of_what_is_missing_is_enoent)
{
	make("a", "A");
	fails(fs->link("x", "y", false), ENOENT);
	fails(fs->link("a", "d/y", false), ENOENT);
	ck_assert_uint_eq(look("a").nlink, 1);
}
END_TEST

START_TEST(test_link_of_a_symlink_links_the_symlink)
{
	make("target", "T");
	ok(fs->symlink("target", "l"));
	ok(fs->link("l", "m", false));
	ck_assert(S_ISLNK(look("m").mode));
	ck_assert_uint_eq(look("l").nlink, 2);
	ck_assert_uint_eq(look("target").nlink, 1);
}
END_TEST

START_TEST(test_link_of_a_symlink_when_told_to_follow_links_its_target)
{
	make("target", "T");
	ok(fs->symlink("target", "l"));
	ok(fs->symlink("nowhere", "dangling"));
	ok(fs->link("l", "m", true));
	ck_assert(S_ISREG(look("m").mode));
	ck_assert_uint_eq(look("l").nlink, 1);
	ck_assert_uint_eq(look("target").nlink, 2);
	fails(fs->link("dangling", "n", true), ENOENT);
}
END_TEST

void add_link_cases(Suite *suite)
{
	TCase *t = posix_tcase(suite, "links");

	tcase_add_test(t, test_a_link_is_another_name_of_the_same_inode);
	tcase_add_test(t,
	    test_truncation_through_one_name_is_seen_by_the_other);
	tcase_add_test(t, test_link_to_an_existing_name_is_eexist);
	tcase_add_test(t, test_link_of_a_directory_is_eperm);
	tcase_add_test(t, test_link_of_what_is_missing_is_enoent);
	tcase_add_test(t, test_link_of_a_symlink_links_the_symlink);
	tcase_add_test(t,
	    test_link_of_a_symlink_when_told_to_follow_links_its_target);
}
