/* SPDX-License-Identifier: MIT */
/* Handles of directories that are moved and removed (25a). */
#include "config.h"

#include "tests/posix/cases.h"

static int open_dir(const char *path)
{
	return (int)ok(fs->open(path, O_RDONLY | O_DIRECTORY, 0));
}

static void create_at(int dirfd, const char *name)
{
	ok(fs->close((int)ok(fs->openat(dirfd, name, O_WRONLY | O_CREAT,
					0644))));
}

START_TEST(test_a_directory_handle_follows_its_directory)
{
	int dirfd;

	ok(fs->mkdir("d", 0755));
	dirfd = open_dir("d");
	ok(fs->rename("d", "e", 0));
	create_at(dirfd, "v");
	holds("e/v", "");
	missing("d");
	ok(fs->close(dirfd));
}
END_TEST

START_TEST(test_nothing_is_created_in_a_removed_directory)
{
	int dirfd;

	ok(fs->mkdir("e", 0755));
	dirfd = open_dir("e");
	create_at(dirfd, "v");
	ok(fs->unlink("e/v"));
	ok(fs->rmdir("e"));
	fails(fs->openat(dirfd, "w", O_WRONLY | O_CREAT, 0644), ENOENT);
	fails(fs->openat(dirfd, "v", O_RDONLY, 0), ENOENT);
	ok(fs->close(dirfd));
}
END_TEST

START_TEST(test_the_handle_of_a_removed_directory_has_nlink_0_and_syncs)
{
	int dirfd;

	ok(fs->mkdir("e", 0755));
	dirfd = open_dir("e");
	ok(fs->rmdir("e"));
	ck_assert_uint_eq(look_at(dirfd).nlink, 0);
	ck_assert(S_ISDIR(look_at(dirfd).mode));
	ck_assert_int_eq(ok(fs->fsync(dirfd)), 0);
	ok(fs->close(dirfd));
}
END_TEST

START_TEST(test_a_new_directory_of_that_name_is_another_one)
{
	int dirfd;

	ok(fs->mkdir("e", 0755));
	dirfd = open_dir("e");
	ok(fs->rmdir("e"));
	ok(fs->mkdir("e", 0755));
	fails(fs->openat(dirfd, "w", O_WRONLY | O_CREAT, 0644), ENOENT);
	ck_assert_int_eq(count_names("e"), 0);
	ok(fs->close(dirfd));
}
END_TEST

START_TEST(test_a_replaced_empty_directory_is_removed_for_its_handle)
{
	int dirfd;

	ok(fs->mkdir("d", 0755));
	ok(fs->mkdir("e", 0755));
	dirfd = open_dir("e");
	ok(fs->rename("d", "e", 0));
	ck_assert_uint_eq(look_at(dirfd).nlink, 0);
	fails(fs->openat(dirfd, "w", O_WRONLY | O_CREAT, 0644), ENOENT);
	ok(fs->close(dirfd));
}
END_TEST

START_TEST(test_openat_at_a_file_handle_is_enotdir)
{
	int fd;

	make("f", "F");
	fd = (int)ok(fs->open("f", O_RDONLY, 0));
	fails(fs->openat(fd, "x", O_WRONLY | O_CREAT, 0644), ENOTDIR);
	fails(fs->openat(-1, "x", O_RDONLY, 0), EBADF);
	ok(fs->close(fd));
}
END_TEST

void add_dirhandle_cases(Suite *suite)
{
	TCase *t = posix_tcase(suite, "directory handles");

	tcase_add_test(t, test_a_directory_handle_follows_its_directory);
	tcase_add_test(t, test_nothing_is_created_in_a_removed_directory);
	tcase_add_test(t,
	    test_the_handle_of_a_removed_directory_has_nlink_0_and_syncs);
	tcase_add_test(t, test_a_new_directory_of_that_name_is_another_one);
	tcase_add_test(t,
	    test_a_replaced_empty_directory_is_removed_for_its_handle);
	tcase_add_test(t, test_openat_at_a_file_handle_is_enotdir);
}
