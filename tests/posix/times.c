/* SPDX-License-Identifier: MIT */
/* Which of the times move (26). */
#include "config.h"

#include "tests/posix/cases.h"

#define MTIME 1u
#define CTIME 2u

static bool same(struct mvfs_time a, struct mvfs_time b)
{
	return a.sec == b.sec && a.nsec == b.nsec;
}

/* Which times of the file differ from those that it had. */
static unsigned moved(const char *path, const struct mvfs_stat *before)
{
	struct mvfs_stat now = look(path);

	return (same(now.mtime, before->mtime) ? 0 : MTIME) |
	       (same(now.ctime, before->ctime) ? 0 : CTIME);
}

/* Its attributes, and from now on another time. */
static struct mvfs_stat before(const char *path)
{
	struct mvfs_stat st = look(path);

	fs->tick();
	return st;
}

START_TEST(test_looking_moves_no_time)
{
	struct mvfs_stat st, was;

	make("f", "F");
	ok(fs->mkdir("d", 0755));
	was = before("f");
	ok(fs->stat("f", &st));
	ok(fs->lstat("f", &st));
	holds("f", "F");
	ck_assert_uint_eq(moved("f", &was), 0);
	was = before("d");
	count_names("d");
	ck_assert_uint_eq(moved("d", &was), 0);
}
END_TEST

START_TEST(test_a_new_child_moves_mtime_and_ctime_of_its_directory)
{
	struct mvfs_stat was;

	ok(fs->mkdir("d", 0755));
	was = before("d");
	make("d/f", "F");
	ck_assert_uint_eq(moved("d", &was), MTIME | CTIME);
	was = before("d");
	ok(fs->mkdir("d/s", 0755));
	ck_assert_uint_eq(moved("d", &was), MTIME | CTIME);
	was = before("d");
	ok(fs->symlink("x", "d/l"));
	ck_assert_uint_eq(moved("d", &was), MTIME | CTIME);
	was = before("d");
	ok(fs->link("d/f", "d/g", false));
	ck_assert_uint_eq(moved("d", &was), MTIME | CTIME);
}
END_TEST

START_TEST(test_removing_a_child_moves_mtime_and_ctime_of_its_directory)
{
	struct mvfs_stat was;

	ok(fs->mkdir("d", 0755));
	ok(fs->mkdir("d/s", 0755));
	make("d/f", "F");
	was = before("d");
	ok(fs->unlink("d/f"));
	ck_assert_uint_eq(moved("d", &was), MTIME | CTIME);
	was = before("d");
	ok(fs->rmdir("d/s"));
	ck_assert_uint_eq(moved("d", &was), MTIME | CTIME);
}
END_TEST

START_TEST(test_overwriting_a_child_does_not_move_times_of_its_directory)
{
	struct mvfs_stat was;

	ok(fs->mkdir("d", 0755));
	make("d/f", "F");
	was = before("d");
	make("d/f", "other");
	ck_assert_uint_eq(moved("d", &was), 0);
}
END_TEST

START_TEST(test_a_failing_call_moves_no_time)
{
	struct mvfs_stat was;

	ok(fs->mkdir("d", 0755));
	ok(fs->mkdir("d/s", 0755));
	make("d/f", "F");
	was = before("d");
	fails(fs->mkdir("d/s", 0755), EEXIST);
	fails(fs->unlink("d/x"), ENOENT);
	fails(fs->rename("d/f", "d/s", 0), EISDIR);
	ck_assert_uint_eq(moved("d", &was), 0);
}
END_TEST

START_TEST(test_rename_moves_the_times_of_both_directories)
{
	struct mvfs_stat from, to;

	ok(fs->mkdir("d", 0755));
	ok(fs->mkdir("e", 0755));
	make("d/f", "F");
	from = look("d");
	to = before("e");
	ok(fs->rename("d/f", "e/f", 0));
	ck_assert_uint_eq(moved("d", &from), MTIME | CTIME);
	ck_assert_uint_eq(moved("e", &to), MTIME | CTIME);
}
END_TEST

START_TEST(test_chmod_moves_ctime_alone)
{
	struct mvfs_stat was;

	make("f", "F");
	was = before("f");
	ok(fs->chmod("f", 0600));
	ck_assert_uint_eq(moved("f", &was), CTIME);
}
END_TEST

START_TEST(test_a_new_or_lost_name_moves_ctime_of_the_file_alone)
{
	struct mvfs_stat was;

	make("f", "F");
	was = before("f");
	ok(fs->link("f", "g", false));
	ck_assert_uint_eq(moved("f", &was), CTIME);
	was = before("f");
	ok(fs->unlink("g"));
	ck_assert_uint_eq(moved("f", &was), CTIME);
}
END_TEST

START_TEST(test_a_write_moves_mtime_and_ctime)
{
	struct mvfs_stat was;
	int fd;

	make("f", "F");
	fd = (int)ok(fs->open("f", O_WRONLY, 0));
	was = before("f");
	ok(fs->write(fd, "x", 1));
	ck_assert_uint_eq(moved("f", &was), MTIME | CTIME);
	was = before("f");
	ok(fs->ftruncate(fd, 5));
	ck_assert_uint_eq(moved("f", &was), MTIME | CTIME);
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_truncation_to_the_same_size_moves_mtime_and_ctime)
{
	struct mvfs_stat was;
	int fd;

	make("f", "F");
	fd = (int)ok(fs->open("f", O_WRONLY, 0));
	was = before("f");
	ok(fs->ftruncate(fd, 1));
	ck_assert_uint_eq(moved("f", &was), MTIME | CTIME);
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_a_write_of_no_bytes_moves_nothing)
{
	struct mvfs_stat was;
	int fd;

	make("f", "F");
	fd = (int)ok(fs->open("f", O_WRONLY, 0));
	was = before("f");
	ck_assert_int_eq(ok(fs->write(fd, "", 0)), 0);
	ck_assert_int_eq(ok(fs->pwrite(fd, "", 0, 100)), 0);
	ck_assert_uint_eq(moved("f", &was), 0);
	ck_assert_uint_eq(look("f").size, 1);
	ok(fs->close(fd));
}
END_TEST

void add_time_cases(Suite *suite)
{
	TCase *t = posix_tcase(suite, "times");

	tcase_add_test(t, test_looking_moves_no_time);
	tcase_add_test(t,
	    test_a_new_child_moves_mtime_and_ctime_of_its_directory);
	tcase_add_test(t,
	    test_removing_a_child_moves_mtime_and_ctime_of_its_directory);
	tcase_add_test(t,
	    test_overwriting_a_child_does_not_move_times_of_its_directory);
	tcase_add_test(t, test_a_failing_call_moves_no_time);
	tcase_add_test(t, test_rename_moves_the_times_of_both_directories);
	tcase_add_test(t, test_chmod_moves_ctime_alone);
	tcase_add_test(t,
	    test_a_new_or_lost_name_moves_ctime_of_the_file_alone);
	tcase_add_test(t, test_a_write_moves_mtime_and_ctime);
	tcase_add_test(t,
	    test_truncation_to_the_same_size_moves_mtime_and_ctime);
	tcase_add_test(t, test_a_write_of_no_bytes_moves_nothing);
}
