/* SPDX-License-Identifier: MIT */
/* Locks: whose they are, and when they end. */
#include "config.h"

#include "tests/posix/cases.h"

#include <sys/file.h>

static int open_f(void)
{
	return (int)ok(fs->open("f", O_RDWR | O_CREAT, 0644));
}

/* Frees by the last close may come a little later through a mount. */
static void flock_is_free(int fd)
{
	int i;

	for (i = 0; fs->frees_later && i < 500; i++) {
		if (fs->flock(fd, LOCK_EX | LOCK_NB) == 0)
			return;
		usleep(10000);
	}
	ok(fs->flock(fd, LOCK_EX | LOCK_NB));
}

static int lock_met(int unwanted)
{
	int i, type = fs->lock_met_by_another_process("f");

	for (i = 0; fs->frees_later && type == unwanted && i < 500; i++) {
		usleep(10000);
		type = fs->lock_met_by_another_process("f");
	}
	return (int)ok(type);
}

/* (27) */
START_TEST(test_a_second_open_does_not_get_the_flock)
{
	int one = open_f(), two = open_f();

	ok(fs->flock(one, LOCK_EX));
	fails(fs->flock(two, LOCK_EX | LOCK_NB), EAGAIN);
	fails(fs->flock(two, LOCK_SH | LOCK_NB), EAGAIN);
	ok(fs->flock(one, LOCK_UN));
	ok(fs->flock(two, LOCK_EX | LOCK_NB));
	ok(fs->close(one));
	ok(fs->close(two));
}
END_TEST

START_TEST(test_shared_flocks_keep_out_an_exclusive_one)
{
	int one = open_f(), two = open_f();

	ok(fs->flock(one, LOCK_SH));
	ok(fs->flock(two, LOCK_SH | LOCK_NB));
	fails(fs->flock(two, LOCK_EX | LOCK_NB), EAGAIN);
	ok(fs->flock(one, LOCK_UN));
	ok(fs->flock(two, LOCK_EX | LOCK_NB));
	ok(fs->close(one));
	ok(fs->close(two));
}
END_TEST

START_TEST(test_a_dup_shares_the_flock)
{
	int one = open_f(), two = open_f();
	int dup = (int)ok(fs->dup(one));

	ok(fs->flock(one, LOCK_EX));
	ok(fs->flock(dup, LOCK_EX | LOCK_NB));
	fails(fs->flock(two, LOCK_EX | LOCK_NB), EAGAIN);
	ok(fs->flock(dup, LOCK_UN));
	ok(fs->flock(two, LOCK_EX | LOCK_NB));
	ok(fs->close(one));
	ok(fs->close(two));
	ok(fs->close(dup));
}
END_TEST

START_TEST(test_a_flock_is_held_until_the_last_dup_closes)
{
	int one = open_f(), two = open_f();
	int dup = (int)ok(fs->dup(one));

	ok(fs->flock(one, LOCK_EX));
	ok(fs->close(one));
	fails(fs->flock(two, LOCK_EX | LOCK_NB), EAGAIN);
	ok(fs->close(dup));
	flock_is_free(two);
	ok(fs->close(two));
}
END_TEST

/* (27a) */
START_TEST(test_a_posix_lock_is_lost_by_closing_any_descriptor_of_the_file)
{
	int one = open_f(), two = open_f();

	ok(fs->setlk(one, F_WRLCK, 0, 0, false));
	ck_assert_int_eq(lock_met(-1), F_WRLCK);
	ok(fs->close(two));
	ck_assert_int_eq(lock_met(F_WRLCK), F_UNLCK);
	ok(fs->close(one));
}
END_TEST

START_TEST(test_a_posix_lock_is_lost_by_closing_a_link_of_the_file)
{
	int one = open_f(), two;

	ok(fs->link("f", "g", false));
	ok(fs->setlk(one, F_WRLCK, 0, 0, false));
	two = (int)ok(fs->open("g", O_RDONLY, 0));
	ok(fs->close(two));
	ck_assert_int_eq(lock_met(F_WRLCK), F_UNLCK);
	ok(fs->close(one));
}
END_TEST

START_TEST(test_an_ofd_lock_stays_when_another_descriptor_closes)
{
	int one = open_f(), two = open_f();
	int dup = (int)ok(fs->dup(one));

	ok(fs->setlk(one, F_WRLCK, 0, 0, true));
	ok(fs->close(two));
	ck_assert_int_eq(lock_met(-1), F_WRLCK);
	ok(fs->close(dup));
	ck_assert_int_eq(lock_met(-1), F_WRLCK);
	ok(fs->close(one));
	ck_assert_int_eq(lock_met(F_WRLCK), F_UNLCK);
}
END_TEST

START_TEST(test_a_process_does_not_stand_in_its_own_way)
{
	int one = open_f(), two = open_f();

	ok(fs->setlk(one, F_WRLCK, 0, 10, false));
	ok(fs->setlk(two, F_WRLCK, 5, 10, false));
	ok(fs->setlk(two, F_UNLCK, 0, 0, false));
	ck_assert_int_eq(lock_met(-1), F_UNLCK);
	ok(fs->close(one));
	ok(fs->close(two));
}
END_TEST

START_TEST(test_ofd_locks_of_two_opens_stand_in_each_others_way)
{
	int one = open_f(), two = open_f();

	ok(fs->setlk(one, F_WRLCK, 0, 10, true));
	fails(fs->setlk(two, F_WRLCK, 5, 10, true), EAGAIN);
	fails(fs->setlk(two, F_WRLCK, 5, 10, false), EAGAIN);
	ok(fs->setlk(two, F_WRLCK, 10, 10, true));
	ok(fs->close(one));
	ok(fs->close(two));
}
END_TEST

START_TEST(test_a_lock_needs_a_handle_for_its_direction)
{
	int fd;

	make("f", "F");
	fd = (int)ok(fs->open("f", O_RDONLY, 0));
	fails(fs->setlk(fd, F_WRLCK, 0, 0, false), EBADF);
	ok(fs->setlk(fd, F_RDLCK, 0, 0, false));
	ck_assert_int_eq(lock_met(-1), F_RDLCK);
	ok(fs->close(fd));
}
END_TEST

void add_lock_cases(Suite *suite)
{
	TCase *t = posix_tcase(suite, "locks");

	tcase_add_test(t, test_a_second_open_does_not_get_the_flock);
	tcase_add_test(t, test_shared_flocks_keep_out_an_exclusive_one);
	tcase_add_test(t, test_a_dup_shares_the_flock);
	tcase_add_test(t, test_a_flock_is_held_until_the_last_dup_closes);
	tcase_add_test(t,
	    test_a_posix_lock_is_lost_by_closing_any_descriptor_of_the_file);
	tcase_add_test(t,
	    test_a_posix_lock_is_lost_by_closing_a_link_of_the_file);
	tcase_add_test(t,
	    test_an_ofd_lock_stays_when_another_descriptor_closes);
	tcase_add_test(t, test_a_process_does_not_stand_in_its_own_way);
	tcase_add_test(t,
	    test_ofd_locks_of_two_opens_stand_in_each_others_way);
	tcase_add_test(t, test_a_lock_needs_a_handle_for_its_direction);
}
