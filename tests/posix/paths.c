/* SPDX-License-Identifier: MIT */
/* How a path is resolved: slashes, dots, symlinks, lengths. */
#include "config.h"

#include "tests/posix/cases.h"

/* (12) */
START_TEST(test_a_path_through_a_file_is_enotdir)
{
	struct mvfs_stat st;

	make("a", "A");
	fails(fs->open("a/", O_RDONLY, 0), ENOTDIR);
	fails(fs->open("a/b", O_RDONLY, 0), ENOTDIR);
	fails(fs->open("a/b", O_WRONLY | O_CREAT, 0644), ENOTDIR);
	fails(fs->stat("a/", &st), ENOTDIR);
	fails(fs->lstat("a/b", &st), ENOTDIR);
	fails(fs->mkdir("a/b", 0755), ENOTDIR);
	holds("a", "A");
}
END_TEST

START_TEST(test_dots_do_not_make_a_file_a_directory)
{
	struct mvfs_stat st;

	make("a", "A");
	fails(fs->open("a/.", O_RDONLY, 0), ENOTDIR);
	fails(fs->open("a/../a", O_RDONLY, 0), ENOTDIR);
	fails(fs->stat("a/.", &st), ENOTDIR);
	fails(fs->stat("a/..", &st), ENOTDIR);
}
END_TEST

START_TEST(test_dotdot_does_not_cancel_what_is_missing)
{
	make("a", "A");
	fails(fs->open("nod/../a", O_RDONLY, 0), ENOENT);
	fails(fs->unlink("nod/../a"), ENOENT);
	holds("a", "A");
}
END_TEST

START_TEST(test_creating_in_a_missing_directory_is_enoent)
{
	fails(fs->open("nodir/x", O_WRONLY | O_CREAT, 0644), ENOENT);
	fails(fs->mkdir("nodir/x", 0755), ENOENT);
	missing("nodir");
}
END_TEST

START_TEST(test_creating_a_file_with_a_trailing_slash_is_eisdir)
{
	fails(fs->open("new/", O_WRONLY | O_CREAT, 0644), EISDIR);
	missing("new");
}
END_TEST

START_TEST(test_the_empty_path_is_enoent)
{
	struct mvfs_stat st;

	make("a", "A");
	fails(fs->open("", O_RDONLY, 0), ENOENT);
	fails(fs->open("", O_WRONLY | O_CREAT, 0644), ENOENT);
	fails(fs->stat("", &st), ENOENT);
	fails(fs->unlink(""), ENOENT);
	fails(fs->mkdir("", 0755), ENOENT);
	fails(fs->rename("a", "", 0), ENOENT);
	fails(fs->rename("", "a", 0), ENOENT);
}
END_TEST

START_TEST(test_a_trailing_slash_asks_for_a_directory)
{
	make("a", "A");
	fails(fs->unlink("a/"), ENOTDIR);
	fails(fs->rename("a", "m/", 0), ENOTDIR);
	fails(fs->rename("a/", "m", 0), ENOTDIR);
	holds("a", "A");
	missing("m");
}
END_TEST

START_TEST(test_a_trailing_slash_is_fine_for_directories)
{
	ok(fs->mkdir("m/", 0755));
	ck_assert(S_ISDIR(look("m").mode));
	ok(fs->rename("m", "n/", 0));
	ck_assert(S_ISDIR(look("n").mode));
	missing("m");
	ok(fs->rename("n/", "o", 0));
	ok(fs->rmdir("o/"));
	missing("o");
}
END_TEST

START_TEST(test_slashes_and_single_dots_count_once)
{
	ok(fs->mkdir("d", 0755));
	make(".//d///.//./f", "F");
	holds("d/f", "F");
	holds("d//../d/./f", "F");
}
END_TEST

START_TEST(test_a_path_that_begins_with_a_slash_starts_at_the_root)
{
	if (!fs->rooted)
		return;
	ok(fs->mkdir("d", 0755));
	make("f", "top");
	holds("/f", "top");
	holds("/../..//f", "top");
	ck_assert_uint_eq(look("/").ino, look(".").ino);
	ck_assert_uint_eq(look("/..").ino, look(".").ino);
	ok(fs->symlink("/f", "d/l"));
	holds("d/l", "top");
	ok(fs->rename("/f", "/d/f", 0));
	holds("d/f", "top");
	ok(fs->symlink("/", "s"));
	holds("s/d/f", "top");
}
END_TEST

/* (13) */
START_TEST(test_dotdot_after_a_symlink_is_walked_not_cut)
{
	ok(fs->mkdir("d", 0755));
	ok(fs->mkdir("d/i", 0755));
	ok(fs->symlink("d/i", "l"));
	make("up", "top");
	make("d/up", "below d");
	holds("l/../up", "below d");
	holds("l/../../up", "top");
	make("l/../new", "made");
	holds("d/new", "made");
	missing("new");
}
END_TEST

/* (14) */
START_TEST(test_a_dangling_symlink_opens_as_enoent_but_is_there)
{
	struct mvfs_stat st;

	ok(fs->symlink("nowhere", "l"));
	fails(fs->open("l", O_RDONLY, 0), ENOENT);
	fails(fs->stat("l", &st), ENOENT);
	ck_assert(S_ISLNK(look("l").mode));
	ck_assert_uint_eq(look("l").size, 7);
}
END_TEST

START_TEST(test_creating_through_a_dangling_symlink_makes_its_target)
{
	ok(fs->mkdir("d", 0755));
	ok(fs->symlink("nowhere", "l"));
	ok(fs->symlink("../d/deep", "d/l"));
	make("l", "made");
	holds("nowhere", "made");
	ck_assert(S_ISLNK(look("l").mode));
	make("d/l", "deeper");
	holds("d/deep", "deeper");
}
END_TEST

START_TEST(test_a_symlink_of_that_name_is_eexist_for_those_who_make)
{
	ok(fs->symlink("nowhere", "l"));
	fails(fs->open("l", O_WRONLY | O_CREAT | O_EXCL, 0644), EEXIST);
	fails(fs->mkdir("l", 0755), EEXIST);
	fails(fs->mkfifo("l", 0644), EEXIST);
	fails(fs->symlink("x", "l"), EEXIST);
	missing("nowhere");
}
END_TEST

START_TEST(test_nofollow_of_a_symlink_is_eloop)
{
	make("a", "A");
	ok(fs->symlink("nowhere", "l"));
	ok(fs->symlink("a", "m"));
	fails(fs->open("l", O_RDONLY | O_NOFOLLOW, 0), ELOOP);
	fails(fs->open("m", O_RDONLY | O_NOFOLLOW, 0), ELOOP);
	fails(fs->open("l", O_WRONLY | O_CREAT | O_NOFOLLOW, 0644), ELOOP);
	ok(fs->close((int)ok(fs->open("a", O_RDONLY | O_NOFOLLOW, 0))));
	missing("nowhere");
}
END_TEST

START_TEST(test_a_symlink_to_nothing_at_all_cannot_be_made)
{
	fails(fs->symlink("", "z"), ENOENT);
	missing("z");
}
END_TEST

START_TEST(test_readlink_of_what_is_no_symlink_is_einval)
{
	char to[16];

	make("f", "F");
	ok(fs->mkdir("d", 0755));
	fails(fs->readlink("f", to, sizeof(to)), EINVAL);
	fails(fs->readlink("d", to, sizeof(to)), EINVAL);
}
END_TEST

START_TEST(test_readlink_cuts_to_the_buffer_without_a_terminator)
{
	char to[16] = "################";

	ok(fs->symlink("nowhere", "l"));
	ck_assert_int_eq(ok(fs->readlink("l", to, 3)), 3);
	ck_assert_mem_eq(to, "now#", 4);
	ck_assert_int_eq(ok(fs->readlink("l", to, sizeof(to))), 7);
	ck_assert_mem_eq(to, "nowhere#", 8);
	fails(fs->readlink("l", to, 0), EINVAL);
}
END_TEST

/* (15) */
START_TEST(test_symlinks_in_a_circle_are_eloop)
{
	struct mvfs_stat st;

	ok(fs->symlink("b", "a"));
	ok(fs->symlink("a", "b"));
	fails(fs->open("a", O_RDONLY, 0), ELOOP);
	fails(fs->stat("b/x", &st), ELOOP);
	fails(fs->open("a", O_WRONLY | O_CREAT, 0644), ELOOP);
	ck_assert(S_ISLNK(look("a").mode));
}
END_TEST

START_TEST(test_forty_symlinks_are_followed_and_no_more)
{
	char name[16], target[16];
	int i;

	make("link0", "end");
	for (i = 1; i <= 41; i++) {
		snprintf(name, sizeof(name), "link%d", i);
		snprintf(target, sizeof(target), "link%d", i - 1);
		ok(fs->symlink(target, name));
	}
	holds("link40", "end");
	fails(fs->open("link41", O_RDONLY, 0), ELOOP);
}
END_TEST

/* (16) */
START_TEST(test_a_name_has_at_most_255_bytes)
{
	char name[257];

	memset(name, 'n', 256);
	name[256] = 0;
	fails(fs->open(name, O_WRONLY | O_CREAT, 0644), ENAMETOOLONG);
	fails(fs->mkdir(name, 0755), ENAMETOOLONG);
	fails(fs->open(name, O_RDONLY, 0), ENAMETOOLONG);
	fails(fs->symlink("x", name), ENAMETOOLONG);
	name[255] = 0;
	make(name, "long");
	holds(name, "long");
	make("f", "F");
	name[255] = 'n';
	fails(fs->rename("f", name, 0), ENAMETOOLONG);
	fails(fs->link("f", name, false), ENAMETOOLONG);
	holds("f", "F");
}
END_TEST

START_TEST(test_a_path_has_at_most_4095_bytes)
{
	struct mvfs_stat st;
	char path[5002];
	size_t i;

	for (i = 0; i < sizeof(path); i += 2)
		memcpy(path + i, "./", 2);
	make("a", "A");
	path[4094] = 'a';
	path[4095] = 0;
	ok(fs->stat(path, &st));
	ck_assert(S_ISREG(st.mode));
	path[4095] = '/';
	path[4094] = '.';
	path[4096] = 0;
	fails(fs->stat(path, &st), ENAMETOOLONG);
	path[4096] = '.';
	path[5000] = 'a';
	path[5001] = 0;
	fails(fs->open(path, O_RDONLY, 0), ENAMETOOLONG);
	fails(fs->open(path, O_WRONLY | O_CREAT, 0644), ENAMETOOLONG);
	fails(fs->rename("a", path, 0), ENAMETOOLONG);
	fails(fs->symlink(path, "l"), ENAMETOOLONG);
}
END_TEST

START_TEST(test_dot_and_the_root_cannot_be_removed)
{
	ok(fs->mkdir("d", 0755));
	fails(fs->rmdir("."), EINVAL);
	fails(fs->rmdir("d/."), EINVAL);
	fails(fs->rmdir("d/.."), ENOTEMPTY);
	fails(fs->rmdir("/"), EBUSY);
	fails(fs->unlink("d"), EISDIR);
	ck_assert(S_ISDIR(look("d").mode));
}
END_TEST

START_TEST(test_dot_and_the_root_cannot_be_moved)
{
	ok(fs->mkdir("d", 0755));
	fails(fs->rename("d/.", "e", 0), EBUSY);
	fails(fs->rename("d/..", "e", 0), EBUSY);
	fails(fs->rename("d", ".", 0), EBUSY);
	if (fs->rooted) {
		fails(fs->rename("/", "e", 0), EBUSY);
		fails(fs->rename("d", "/", 0), EBUSY);
	}
	missing("e");
}
END_TEST

START_TEST(test_the_root_exists_for_those_who_make)
{
	ok(fs->mkdir("d", 0755));
	fails(fs->mkdir("/", 0755), EEXIST);
	fails(fs->mkdir(".", 0755), EEXIST);
	fails(fs->mkdir("d/..", 0755), EEXIST);
}
END_TEST

static void add_symlink_cases(Suite *suite)
{
	TCase *t = posix_tcase(suite, "symlinks");

	tcase_add_test(t, test_dotdot_after_a_symlink_is_walked_not_cut);
	tcase_add_test(t,
	    test_a_dangling_symlink_opens_as_enoent_but_is_there);
	tcase_add_test(t,
	    test_creating_through_a_dangling_symlink_makes_its_target);
	tcase_add_test(t,
	    test_a_symlink_of_that_name_is_eexist_for_those_who_make);
	tcase_add_test(t, test_nofollow_of_a_symlink_is_eloop);
	tcase_add_test(t, test_a_symlink_to_nothing_at_all_cannot_be_made);
	tcase_add_test(t, test_readlink_of_what_is_no_symlink_is_einval);
	tcase_add_test(t,
	    test_readlink_cuts_to_the_buffer_without_a_terminator);
	tcase_add_test(t, test_symlinks_in_a_circle_are_eloop);
	tcase_add_test(t, test_forty_symlinks_are_followed_and_no_more);
}

void add_path_cases(Suite *suite)
{
	TCase *t = posix_tcase(suite, "paths");

	tcase_add_test(t, test_a_path_through_a_file_is_enotdir);
	tcase_add_test(t, test_dots_do_not_make_a_file_a_directory);
	tcase_add_test(t, test_dotdot_does_not_cancel_what_is_missing);
	tcase_add_test(t, test_creating_in_a_missing_directory_is_enoent);
	tcase_add_test(t,
	    test_creating_a_file_with_a_trailing_slash_is_eisdir);
	tcase_add_test(t, test_the_empty_path_is_enoent);
	tcase_add_test(t, test_a_trailing_slash_asks_for_a_directory);
	tcase_add_test(t, test_a_trailing_slash_is_fine_for_directories);
	tcase_add_test(t, test_slashes_and_single_dots_count_once);
	tcase_add_test(t, test_a_name_has_at_most_255_bytes);
	tcase_add_test(t, test_a_path_has_at_most_4095_bytes);
	tcase_add_test(t, test_dot_and_the_root_cannot_be_removed);
	tcase_add_test(t, test_dot_and_the_root_cannot_be_moved);
	tcase_add_test(t, test_the_root_exists_for_those_who_make);
	tcase_add_test(t,
	    test_a_path_that_begins_with_a_slash_starts_at_the_root);
	add_symlink_cases(suite);
}
