/* SPDX-License-Identifier: MIT */
/* A file system that is full (28). */
#include "config.h"

#include "tests/posix/cases.h"

#include <memvfs/file.h>

static void begin_with(uint64_t bytes, uint64_t inodes)
{
	const struct posix_limits limits = { bytes, inodes };

	fs->begin(&limits);
	fs->umask(022);
}

static void end(void)
{
	fs->end();
}

static char block[80000];

/* 64 KiB, all of it in the file "f". */
static int fill(void)
{
	int fd;

	begin_with(65536, 0);
	memset(block, 'x', sizeof(block));
	fd = (int)ok(fs->open("f", O_RDWR | O_CREAT, 0644));
	ck_assert_int_eq(ok(fs->write(fd, block, sizeof(block))), 65536);
	return fd;
}

/* Room comes back at once, or through a mount a little later. */
static void can_write(const char *path)
{
	int fd = (int)ok(fs->open(path, O_WRONLY | O_CREAT, 0644));
	int i;

	for (i = 0; fs->frees_later && i < 500; i++) {
		if (fs->pwrite(fd, block, 4096, 0) == 4096)
			break;
		usleep(10000);
	}
	ck_assert_int_eq(ok(fs->pwrite(fd, block, 4096, 0)), 4096);
	ok(fs->close(fd));
}

START_TEST(test_a_write_past_the_limit_is_short_and_the_next_is_enospc)
{
	int fd = fill();

	ck_assert_uint_eq(look_at(fd).size, 65536);
	fails(fs->write(fd, "y", 1), ENOSPC);
	ck_assert_uint_eq(look_at(fd).size, 65536);
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_overwriting_in_place_works_when_full)
{
	char got[4] = "";
	int fd = fill();

	ck_assert_int_eq(ok(fs->pwrite(fd, "abc", 3, 4095)), 3);
	ok(fs->pread(fd, got, 3, 4095));
	ck_assert_str_eq(got, "abc");
	ck_assert_int_eq(ok(fs->pwrite(fd, block, 65536, 0)), 65536);
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_a_file_may_be_longer_than_the_limit_if_it_is_a_hole)
{
	int fd = fill();

	ok(fs->ftruncate(fd, 10 << 20));
	fails(fs->pwrite(fd, "y", 1, 5 << 20), ENOSPC);
	ok(fs->ftruncate(fd, 0));
	ck_assert_int_eq(ok(fs->pwrite(fd, "y", 1, 5 << 20)), 1);
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_unlinking_an_open_file_frees_nothing_until_it_closes)
{
	int other, fd = fill();

	ok(fs->unlink("f"));
	other = (int)ok(fs->open("g", O_WRONLY | O_CREAT, 0644));
	fails(fs->write(other, "y", 1), ENOSPC);
	ok(fs->close(other));
	ck_assert_uint_eq(look_at(fd).size, 65536);
	ok(fs->close(fd));
	can_write("g");
}
END_TEST

START_TEST(test_truncation_and_punching_give_room)
{
	int fd = fill();

	ok(fs->ftruncate(fd, 61440));
	ck_assert_int_eq(ok(fs->pwrite(fd, block, 8192, 61440)), 4096);
	ok(fs->fallocate(fd, MVFS_PUNCH_HOLE | MVFS_KEEP_SIZE, 0, 4096));
	can_write("g");
	ok(fs->close(fd));
}
END_TEST

START_TEST(test_reserving_more_than_there_is_is_enospc_and_reserves_nothing)
{
	int fd;

	begin_with(65536, 0);
	fd = (int)ok(fs->open("f", O_RDWR | O_CREAT, 0644));
	fails(fs->fallocate(fd, 0, 0, 80000), ENOSPC);
	ck_assert_uint_eq(look_at(fd).size, 0);
	ck_assert_uint_eq(look_at(fd).blocks, 0);
	ok(fs->close(fd));
}
END_TEST

static void make_five(void)
{
	begin_with(0, 6);
	make("a", "");
	make("b", "");
	ok(fs->mkdir("c", 0755));
	ok(fs->symlink("x", "d"));
	ok(fs->mkfifo("e", 0644));
}

START_TEST(test_six_inodes_are_the_root_and_five_more)
{
	make_five();
	fails(fs->open("f", O_WRONLY | O_CREAT, 0644), ENOSPC);
	fails(fs->mkdir("f", 0755), ENOSPC);
	fails(fs->symlink("x", "f"), ENOSPC);
	fails(fs->mkfifo("f", 0644), ENOSPC);
	missing("f");
	ok(fs->close((int)ok(fs->open("a", O_WRONLY | O_CREAT, 0644))));
}
END_TEST

START_TEST(test_rename_and_unlink_work_without_free_inodes)
{
	int i, fd = -ENOSPC;

	make_five();
	ok(fs->rename("a", "c/a", 0));
	ok(fs->rename("b", "c/a", 0));
	ok(fs->unlink("c/a"));
	ok(fs->unlink("d"));
	for (i = 0; fd == -ENOSPC && i < (fs->frees_later ? 500 : 1); i++) {
		if (i)
			usleep(10000);
		fd = fs->open("new", O_WRONLY | O_CREAT, 0644);
	}
	ok(fs->close((int)ok(fd)));
}
END_TEST

void add_limit_cases(Suite *suite)
{
	TCase *t;

	if (!posix_can("limits", fs->no_limits))
		return;
	t = tcase_create("limits");
	tcase_add_checked_fixture(t, NULL, end);
	tcase_set_timeout(t, 60);
	suite_add_tcase(suite, t);
	tcase_add_test(t,
	    test_a_write_past_the_limit_is_short_and_the_next_is_enospc);
	tcase_add_test(t, test_overwriting_in_place_works_when_full);
	tcase_add_test(t,
	    test_a_file_may_be_longer_than_the_limit_if_it_is_a_hole);
	tcase_add_test(t,
	    test_unlinking_an_open_file_frees_nothing_until_it_closes);
	tcase_add_test(t, test_truncation_and_punching_give_room);
	tcase_add_test(t,
	    test_reserving_more_than_there_is_is_enospc_and_reserves_nothing);
	tcase_add_test(t, test_six_inodes_are_the_root_and_five_more);
	tcase_add_test(t, test_rename_and_unlink_work_without_free_inodes);
}
