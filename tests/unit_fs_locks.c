/* SPDX-License-Identifier: MIT */
/* Waiting for locks: who holds up whom, and what a failure leaves. */
#include "config.h"

#include <pthread.h>
#include <sched.h>
#include <sys/file.h>

#include "tests/core.h"

/* A lock that a thread waits for. */
struct want {
	mvfs *view;
	int fd;
	int64_t start;
	unsigned flags;
	int result;
	pthread_t thread;
};

/* Locks or unlocks a hundred bytes. */
static int set(mvfs *view, int fd, int type, int64_t start, unsigned flags)
{
	const struct mvfs_lock lock = {
		.type = type, .start = start, .len = 100,
	};

	return mvfs_setlk(view, fd, &lock, flags);
}

static unsigned waiting(void)
{
	const struct mvfs__waiter *waiter;
	unsigned count = 0;

	mvfs__latch_exclusive(&fs->fs->latch);
	for (waiter = fs->fs->waiters; waiter; waiter = waiter->next)
		count++;
	mvfs__latch_exclusive_end(&fs->fs->latch);
	return count;
}

static void *wait_for(void *arg)
{
	struct want *want = arg;

	want->result = set(want->view, want->fd, F_WRLCK, want->start,
			   want->flags | MVFS_LOCK_WAIT);
	return NULL;
}

/* Returns when it waits. */
static void begin_to_wait(struct want *want)
{
	unsigned before = waiting();

	ck_assert_int_eq(pthread_create(&want->thread, NULL, wait_for, want),
			 0);
	while (waiting() == before)
		sched_yield();
}

static int end_of(struct want *want)
{
	pthread_join(want->thread, NULL);
	return want->result;
}

static int open_file(const char *path)
{
	return (int)ok(mvfs_open(fs, path, O_CREAT | O_RDWR, 0644));
}

START_TEST(test_open_files_that_wait_for_each_other_hold_up_nobody_else)
{
	int a = open_file("/f"), b = open_file("/f");
	struct want first = {
		.view = fs, .fd = a, .start = 100, .flags = MVFS_LOCK_OFD,
	}, second = {
		.view = fs, .fd = b, .start = 0, .flags = MVFS_LOCK_OFD,
	}, third = { .view = fs, .fd = open_file("/f") };

	ok(set(fs, a, F_WRLCK, 0, MVFS_LOCK_OFD));
	ok(set(fs, b, F_WRLCK, 100, MVFS_LOCK_OFD));
	begin_to_wait(&first);
	begin_to_wait(&second);
	begin_to_wait(&third);
	ok(set(fs, a, F_UNLCK, 0, MVFS_LOCK_OFD));
	/* either the second or the third has it now, and passes it on */
	ok(mvfs_close(fs, a));
	ok(mvfs_close(fs, b));
	fails(end_of(&first), EBADF);
	(void)end_of(&second);
	ok(end_of(&third));
}
END_TEST

START_TEST(test_views_that_would_wait_for_each_other_are_told)
{
	struct want first = { .view = fs, .start = 100 };
	mvfs *other;
	int fd = open_file("/f");

	first.fd = fd;
	ok(mvfs_view(fs, NULL, &other));
	ok(set(fs, fd, F_WRLCK, 0, 0));
	ok(set(other, fd, F_WRLCK, 100, 0));
	begin_to_wait(&first);
	fails(set(other, fd, F_WRLCK, 0, MVFS_LOCK_WAIT), EDEADLK);
	ok(set(other, fd, F_UNLCK, 100, 0));
	ok(end_of(&first));
	ok(mvfs_destroy(other));
}
END_TEST

START_TEST(test_who_is_woken_waits_for_nobody)
{
	struct mvfs__waiter woken = { .owner = fs->serial };
	struct want want = { .start = 0 };
	int fd = open_file("/f");

	want.fd = fd;
	ok(mvfs_view(fs, NULL, &want.view));
	ok(set(fs, fd, F_WRLCK, 0, 0));
	ok(set(want.view, fd, F_WRLCK, 100, 0));
	/* a thread of `fs` that waits for that, and does not run yet when
	 * it could have it */
	woken.blocked_by = want.view->serial;
	fs->fs->waiters = &woken;
	ok(set(want.view, fd, F_UNLCK, 100, 0));
	begin_to_wait(&want);
	ok(set(fs, fd, F_UNLCK, 0, 0));
	ok(end_of(&want));
	ok(mvfs_destroy(want.view));
}
END_TEST

START_TEST(test_who_waits_does_not_lock_what_took_the_number_of_his_descriptor)
{
	struct want want = { .view = fs, .flags = MVFS_LOCK_OFD };
	int f = open_file("/f");

	want.fd = open_file("/f");
	ok(set(fs, f, F_WRLCK, 0, MVFS_LOCK_OFD));
	begin_to_wait(&want);
	ok(mvfs_close(fs, want.fd));
	ck_assert_int_eq(open_file("/g"), want.fd);
	ok(mvfs_close(fs, f));
	fails(end_of(&want), EBADF);
	ok(set(fs, open_file("/g"), F_WRLCK, 0, MVFS_LOCK_OFD));
}
END_TEST

START_TEST(test_a_flock_that_cannot_change_for_lack_of_memory_stays)
{
	int fd = open_file("/f"), other = open_file("/f");

	ok(mvfs_flock(fs, fd, LOCK_SH));
	mvfs__mem_fail_at(1);
	fails(mvfs_flock(fs, fd, LOCK_EX), ENOMEM);
	mvfs__mem_fail_at(0);
	fails(mvfs_flock(fs, other, LOCK_EX | LOCK_NB), EAGAIN);
	ok(mvfs_flock(fs, other, LOCK_SH));
	/* but where others are in the way it is lost, as flock(2) says */
	fails(mvfs_flock(fs, fd, LOCK_EX | LOCK_NB), EAGAIN);
	ok(mvfs_flock(fs, other, LOCK_EX | LOCK_NB));
}
END_TEST

START_TEST(test_the_owners_of_an_adapter_are_no_views)
{
	struct mvfs_lock lock = { .type = F_WRLCK };
	struct mvfs_file *file;
	struct mvfs_stat st;
	int fd = open_file("/f");

	ok(mvfs_fstat(fs, fd, &st));
	ok(mvfs_sys_open(fs, NULL, st.ino, O_RDWR, &file));
	ok(set(fs, fd, F_WRLCK, 0, 0));
	fails(mvfs_sys_setlk(fs, file, fs->serial, &lock), EAGAIN);
	ok(mvfs_sys_flush(fs, file, fs->serial));
	fails(mvfs_sys_setlk(fs, file, 1, &lock), EAGAIN);
	ok(mvfs_sys_close(fs, file));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("locks");

	tcase_add_checked_fixture(tests, core_start, core_end);
	tcase_set_timeout(tests, 20);
	tcase_add_test(tests,
	    test_open_files_that_wait_for_each_other_hold_up_nobody_else);
	tcase_add_test(tests,
		       test_views_that_would_wait_for_each_other_are_told);
	tcase_add_test(tests, test_who_is_woken_waits_for_nobody);
	tcase_add_test(tests,
test_who_waits_does_not_lock_what_took_the_number_of_his_descriptor);
	tcase_add_test(tests,
		test_a_flock_that_cannot_change_for_lack_of_memory_stays);
	tcase_add_test(tests, test_the_owners_of_an_adapter_are_no_views);
	return core_run("locks", tests);
}
