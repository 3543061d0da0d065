/* SPDX-License-Identifier: MIT */
/* What a mode allows, what a handle allows, what the umask takes away. */
#include "config.h"

#include "tests/posix/cases.h"

/* (23) */
static void write_only_handle_of_0444(const char *path)
{
	char byte;
	int fd = (int)ok(fs->open(path, O_CREAT | O_EXCL | O_WRONLY, 0444));

	ck_assert_int_eq(ok(fs->write(fd, "abc", 3)), 3);
	ok(fs->ftruncate(fd, 2));
	fails(fs->read(fd, &byte, 1), EBADF);
	fails(fs->pread(fd, &byte, 1, 0), EBADF);
	ok(fs->close(fd));
	holds(path, "ab");
	ck_assert_uint_eq(mode_of(path), 0444);
}

START_TEST(test_the_handle_that_created_a_read_only_file_writes_it)
{
	write_only_handle_of_0444("f");
}
END_TEST

START_TEST(test_a_handle_for_reading_does_not_write)
{
	int fd;

	make("f", "abc");
	fd = (int)ok(fs->open("f", O_RDONLY, 0));
	fails(fs->write(fd, "x", 1), EBADF);
	fails(fs->pwrite(fd, "x", 1, 0), EBADF);
	fails(fs->ftruncate(fd, 0), EINVAL);
	ok(fs->close(fd));
	holds("f", "abc");
}
END_TEST

static void handle_after_chmod_0(const char *path)
{
	int fd = (int)ok(fs->open(path, O_CREAT | O_RDWR, 0644));

	ok(fs->write(fd, "abc", 3));
	ok(fs->chmod(path, 0));
	ck_assert_int_eq(ok(fs->write(fd, "d", 1)), 1);
	handle_holds(fd, "abcd");
	ok(fs->ftruncate(fd, 1));
	handle_holds(fd, "a");
	ok(fs->close(fd));
}

START_TEST(test_a_handle_keeps_working_after_chmod_0)
{
	handle_after_chmod_0("f");
}
END_TEST

START_TEST(test_a_directory_is_never_opened_for_writing)
{
	ok(fs->mkdir("d", 0755));
	fails(fs->open("d", O_WRONLY, 0), EISDIR);
	fails(fs->open("d", O_RDWR, 0), EISDIR);
	fails(fs->open("d", O_RDONLY | O_CREAT, 0644), EISDIR);
	fails(fs->open("d", O_RDONLY | O_TRUNC, 0), EISDIR);
}
END_TEST

START_TEST(test_reading_a_directory_handle_is_eisdir)
{
	char byte;
	int fd;

	ok(fs->mkdir("d", 0755));
	fd = (int)ok(fs->open("d", O_RDONLY, 0));
	fails(fs->read(fd, &byte, 1), EISDIR);
	fails(fs->pread(fd, &byte, 1, 0), EISDIR);
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_o_directory_on_a_file_is_enotdir)
{
	make("f", "F");
	ok(fs->mkdir("d", 0755));
	ok(fs->symlink("f", "l"));
	fails(fs->open("f", O_RDONLY | O_DIRECTORY, 0), ENOTDIR);
	fails(fs->open("l", O_RDONLY | O_DIRECTORY, 0), ENOTDIR);
	ok(fs->close((int)ok(fs->open("d", O_RDONLY | O_DIRECTORY, 0))));
}
END_TEST

START_TEST(test_a_closed_handle_is_ebadf)
{
	char byte;
	int fd;

	make("f", "F");
	fd = (int)ok(fs->open("f", O_RDWR, 0));
	ok(fs->close(fd));
	fails(fs->read(fd, &byte, 1), EBADF);
	fails(fs->write(fd, "x", 1), EBADF);
	fails(fs->lseek(fd, 0, SEEK_SET), EBADF);
	fails(fs->close(fd), EBADF);
	fails(fs->dup(fd), EBADF);
	fails(fs->read(-1, &byte, 1), EBADF);
}
END_TEST

START_TEST(test_the_lowest_free_descriptor_is_given_out)
{
	int one, two;

	make("f", "F");
	one = (int)ok(fs->open("f", O_RDONLY, 0));
	two = (int)ok(fs->open("f", O_RDONLY, 0));
	ck_assert_int_gt(two, one);
	ok(fs->close(one));
	ck_assert_int_eq(ok(fs->dup(two)), one);
	ok(fs->close(one));
	ok(fs->close(two));
}
END_TEST

/* (24) */
START_TEST(test_the_umask_is_taken_from_what_is_created)
{
	fs->umask(027);
	ok(fs->close((int)ok(fs->open("f", O_CREAT | O_WRONLY, 0666))));
	ok(fs->mkdir("d", 0777));
	ok(fs->mkfifo("p", 0666));
	ck_assert_uint_eq(mode_of("f"), 0640);
	ck_assert_uint_eq(mode_of("d"), 0750);
	ck_assert_uint_eq(mode_of("p"), 0640);
	ck_assert(S_ISFIFO(look("p").mode));
}
END_TEST

START_TEST(test_chmod_ignores_the_umask)
{
	make("f", "F");
	fs->umask(077);
	ok(fs->chmod("f", 0666));
	ck_assert_uint_eq(mode_of("f"), 0666);
}
END_TEST

START_TEST(test_a_symlink_has_mode_0777)
{
	fs->umask(077);
	ok(fs->symlink("x", "l"));
	ck_assert_uint_eq(mode_of("l"), 0777);
}
END_TEST

START_TEST(test_umask_returns_the_one_before)
{
	fs->umask(027);
	ck_assert_uint_eq(fs->umask(022), 027);
	ck_assert_uint_eq(fs->umask(022), 022);
}
END_TEST

/* Root passes every check of a mode, so these are for one who does not. */
static void become_user(void)
{
	ok(fs->mkdir("home", 0755));
	ok(fs->chown("home", 1000, 1000));
	fs->act_as(1000, 1000);
}

START_TEST(test_a_user_writes_by_the_handle_that_created_a_read_only_file)
{
	become_user();
	write_only_handle_of_0444("home/f");
	fails(fs->open("home/f", O_WRONLY, 0), EACCES);
}
END_TEST

START_TEST(test_the_handle_of_a_user_keeps_working_after_chmod_0)
{
	become_user();
	handle_after_chmod_0("home/f");
	fails(fs->open("home/f", O_RDONLY, 0), EACCES);
}
END_TEST

void add_mode_cases(Suite *suite)
{
	TCase *t = posix_tcase(suite, "modes");

	tcase_add_test(t,
	    test_the_handle_that_created_a_read_only_file_writes_it);
	tcase_add_test(t, test_a_handle_for_reading_does_not_write);
	tcase_add_test(t, test_a_handle_keeps_working_after_chmod_0);
	tcase_add_test(t, test_a_directory_is_never_opened_for_writing);
	tcase_add_test(t, test_reading_a_directory_handle_is_eisdir);
	tcase_add_test(t, test_o_directory_on_a_file_is_enotdir);
	tcase_add_test(t, test_a_closed_handle_is_ebadf);
	tcase_add_test(t, test_the_lowest_free_descriptor_is_given_out);
	tcase_add_test(t, test_the_umask_is_taken_from_what_is_created);
	tcase_add_test(t, test_chmod_ignores_the_umask);
	tcase_add_test(t, test_a_symlink_has_mode_0777);
	tcase_add_test(t, test_umask_returns_the_one_before);
	if (!posix_can("modes as a user", fs->no_users))
		return;
	tcase_add_test(t,
	    test_a_user_writes_by_the_handle_that_created_a_read_only_file);
	tcase_add_test(t,
	    test_the_handle_of_a_user_keeps_working_after_chmod_0);
}
