/* SPDX-License-Identifier: MIT */
/* What an ordinary user may not do (25). */
#include "config.h"

#include "tests/posix/cases.h"

#define USER 1000
#define OTHER 2000

/* A directory that a user owns. */
static void make_dir_of(uint32_t id, const char *path, uint32_t mode)
{
	ok(fs->mkdir(path, 0700));
	ok(fs->chown(path, id, id));
	ok(fs->chmod(path, mode));
}

START_TEST(test_a_directory_without_x_is_listed_but_not_entered)
{
	struct mvfs_stat st;

	make_dir_of(USER, "d", 0755);
	make("d/f", "F");
	ok(fs->chmod("d", 0644));
	fs->act_as(USER, USER);
	fails(fs->stat("d/f", &st), EACCES);
	fails(fs->open("d/f", O_RDONLY, 0), EACCES);
	fails(fs->unlink("d/f"), EACCES);
	ck_assert_int_eq(count_names("d"), 1);
}
END_TEST

START_TEST(test_a_directory_without_r_is_entered_but_not_listed)
{
	void *dir;

	make_dir_of(USER, "d", 0755);
	make("d/f", "F");
	ok(fs->chmod("d", 0311));
	fs->act_as(USER, USER);
	holds("d/f", "F");
	fails(fs->opendir("d", &dir), EACCES);
}
END_TEST

START_TEST(test_a_directory_without_w_is_not_changed)
{
	make_dir_of(USER, "d", 0755);
	fs->act_as(USER, USER);
	make("d/f", "F");
	ok(fs->chmod("d", 0555));
	fails(fs->open("d/n", O_WRONLY | O_CREAT, 0644), EACCES);
	fails(fs->mkdir("d/n", 0755), EACCES);
	fails(fs->unlink("d/f"), EACCES);
	fails(fs->rename("d/f", "d/g", 0), EACCES);
	fails(fs->link("d/f", "d/g", false), EACCES);
	holds("d/f", "F");
}
END_TEST

START_TEST(test_the_owner_is_judged_by_the_owners_bits_alone)
{
	make("f", "F");
	ok(fs->chown("f", USER, USER));
	ok(fs->chmod("f", 0077));
	fs->act_as(USER, USER);
	fails(fs->open("f", O_RDONLY, 0), EACCES);
	fs->act_as(OTHER, USER);
	holds("f", "F");
}
END_TEST

START_TEST(test_chmod_of_anothers_file_is_eperm)
{
	make("f", "F");
	ok(fs->chmod("f", 0666));
	fs->act_as(USER, USER);
	fails(fs->chmod("f", 0777), EPERM);
	fails(fs->chown("f", USER, USER), EPERM);
	ck_assert_uint_eq(mode_of("f"), 0666);
	ck_assert_uint_eq(look("f").uid, 0);
}
END_TEST

START_TEST(test_a_sticky_directory_guards_the_names_of_others)
{
	ok(fs->mkdir("tmp", 0755));
	ok(fs->chmod("tmp", 01777));
	fs->act_as(OTHER, OTHER);
	make("tmp/theirs", "T");
	fs->act_as(USER, USER);
	make("tmp/mine", "M");
	fails(fs->unlink("tmp/theirs"), EPERM);
	fails(fs->rename("tmp/theirs", "tmp/x", 0), EPERM);
	fails(fs->rename("tmp/mine", "tmp/theirs", 0), EPERM);
	holds("tmp/theirs", "T");
	ok(fs->rename("tmp/mine", "tmp/ours", 0));
	ok(fs->unlink("tmp/ours"));
}
END_TEST

START_TEST(test_the_owner_of_a_sticky_directory_removes_anothers_name)
{
	make_dir_of(USER, "tmp", 01777);
	fs->act_as(OTHER, OTHER);
	make("tmp/theirs", "T");
	fs->act_as(USER, USER);
	ok(fs->unlink("tmp/theirs"));
}
END_TEST

START_TEST(test_a_write_by_a_user_who_is_not_the_owner_clears_06000)
{
	int fd;

	make("f", "F");
	ok(fs->chown("f", OTHER, OTHER));
	ok(fs->chmod("f", 06777));
	ck_assert_uint_eq(mode_of("f"), 06777);
	fs->act_as(USER, USER);
	fd = (int)ok(fs->open("f", O_WRONLY, 0));
	ck_assert_uint_eq(mode_of("f"), 06777);
	ok(fs->write(fd, "x", 1));
	ck_assert_uint_eq(mode_of("f"), 0777);
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_a_truncation_by_a_user_who_is_not_the_owner_clears_06000)
{
	make("f", "F");
	ok(fs->chown("f", OTHER, OTHER));
	ok(fs->chmod("f", 06777));
	fs->act_as(USER, USER);
	ok(fs->truncate("f", 0));
	ck_assert_uint_eq(mode_of("f"), 0777);
}
END_TEST

START_TEST(test_a_write_by_root_keeps_06000)
{
	int fd;

	make("f", "F");
	ok(fs->chown("f", OTHER, OTHER));
	ok(fs->chmod("f", 06777));
	fd = (int)ok(fs->open("f", O_WRONLY, 0));
	ok(fs->write(fd, "x", 1));
	ck_assert_uint_eq(mode_of("f"), 06777);
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_children_of_a_setgid_directory_take_its_group)
{
	ok(fs->mkdir("d", 0755));
	ok(fs->chown("d", USER, OTHER));
	ok(fs->chmod("d", 02777));
	fs->act_as(USER, USER);
	make("d/f", "F");
	ok(fs->mkdir("d/s", 0755));
	ok(fs->symlink("x", "d/l"));
	ck_assert_uint_eq(look("d/f").gid, OTHER);
	ck_assert_uint_eq(look("d/s").gid, OTHER);
	ck_assert_uint_eq(look("d/l").gid, OTHER);
	ck_assert_uint_eq(look("d/f").uid, USER);
}
END_TEST

START_TEST(test_a_subdirectory_of_a_setgid_directory_keeps_setgid)
{
	ok(fs->mkdir("d", 0755));
	ok(fs->chown("d", USER, OTHER));
	ok(fs->chmod("d", 02777));
	fs->act_as(USER, USER);
	ok(fs->mkdir("d/s", 0755));
	make("d/f", "F");
	ck_assert_uint_eq(mode_of("d/s"), 02755);
	ck_assert_uint_eq(mode_of("d/f"), 0644);
}
END_TEST

START_TEST(test_what_a_user_creates_is_the_users)
{
	make_dir_of(USER, "d", 0755);
	fs->act_as(USER, OTHER);
	make("d/f", "F");
	ok(fs->mkdir("d/s", 0755));
	ck_assert_uint_eq(look("d/f").uid, USER);
	ck_assert_uint_eq(look("d/f").gid, OTHER);
	ck_assert_uint_eq(look("d/s").uid, USER);
	ck_assert_uint_eq(look("d/s").gid, OTHER);
}
END_TEST

void add_user_cases(Suite *suite)
{
	TCase *t;

	if (!posix_can("users", fs->no_users))
		return;
	t = posix_tcase(suite, "users");
	tcase_add_test(t,
	    test_a_directory_without_x_is_listed_but_not_entered);
	tcase_add_test(t,
	    test_a_directory_without_r_is_entered_but_not_listed);
	tcase_add_test(t, test_a_directory_without_w_is_not_changed);
	tcase_add_test(t, test_the_owner_is_judged_by_the_owners_bits_alone);
	tcase_add_test(t, test_chmod_of_anothers_file_is_eperm);
	tcase_add_test(t, test_a_sticky_directory_guards_the_names_of_others);
	tcase_add_test(t,
	    test_the_owner_of_a_sticky_directory_removes_anothers_name);
	tcase_add_test(t,
	    test_a_write_by_a_user_who_is_not_the_owner_clears_06000);
	tcase_add_test(t,
	    test_a_truncation_by_a_user_who_is_not_the_owner_clears_06000);
	tcase_add_test(t, test_a_write_by_root_keeps_06000);
	tcase_add_test(t, test_children_of_a_setgid_directory_take_its_group);
	tcase_add_test(t,
	    test_a_subdirectory_of_a_setgid_directory_keeps_setgid);
	tcase_add_test(t, test_what_a_user_creates_is_the_users);
}
