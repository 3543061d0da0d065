/* SPDX-License-Identifier: MIT */
/* Counts of threads, of those that have ended, and of a forked process. */
#include "config.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/core.h"

enum { THREADS = 20, COPY = 7 };

/* ThreadSanitizer allows none in the child of a process that has several. */
#ifdef __SANITIZE_THREAD__
enum { CHILD_THREADS = 0 };
#else
enum { CHILD_THREADS = 2 };
#endif

static struct mvfs_stats counts(int scope)
{
	struct mvfs_stats stats = { .size = sizeof(stats) };

	ok(mvfs_stats(scope, &stats));
	return stats;
}

static uint64_t copied(int scope)
{
	return counts(scope).copied_bytes;
}

static void *copy_something(void *arg)
{
	(void)arg;
	mvfs__mem_count_copy(COPY);
	return NULL;
}

static void in_threads(unsigned count, void *(*run)(void *))
{
	pthread_t thread[THREADS];
	unsigned i;

	for (i = 0; i < count; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, run, NULL),
				 0);
	for (i = 0; i < count; i++)
		pthread_join(thread[i], NULL);
}

START_TEST(test_a_thread_sees_its_own_counts)
{
	struct mvfs_stats before = counts(MVFS_STATS_THREAD), after;

	in_threads(3, copy_something);
	mvfs__mem_count_copy(5);
	mvfs__mem_count(shares, 2);
	mvfs__mem_count(classified_bytes, 30);
	mvfs__mem_count(trie_copies, 4);
	mvfs__free(mvfs__malloc(1));
	after = counts(MVFS_STATS_THREAD);
	ck_assert_uint_eq(after.copies - before.copies, 1);
	ck_assert_uint_eq(after.copied_bytes - before.copied_bytes, 5);
	ck_assert_uint_eq(after.shares - before.shares, 2);
	ck_assert_uint_eq(after.classified_bytes - before.classified_bytes,
			  30);
	ck_assert_uint_eq(after.tree_copies - before.tree_copies, 4);
	ck_assert_uint_eq(after.allocations - before.allocations, 1);
}
END_TEST

START_TEST(test_threads_that_have_ended_are_counted)
{
	uint64_t before = copied(MVFS_STATS_PROCESS);

	in_threads(THREADS, copy_something);
	ck_assert_uint_eq(copied(MVFS_STATS_PROCESS) - before, THREADS * COPY);
	in_threads(THREADS, copy_something);
	ck_assert_uint_eq(copied(MVFS_STATS_PROCESS) - before,
			  2 * THREADS * COPY);
}
END_TEST

static pthread_barrier_t counted, seen;

static void *copy_and_stay(void *arg)
{
	copy_something(arg);
	pthread_barrier_wait(&counted);
	pthread_barrier_wait(&seen);
	return NULL;
}

static pthread_t start_one(void)
{
	pthread_t thread;

	pthread_barrier_init(&counted, NULL, 2);
	pthread_barrier_init(&seen, NULL, 2);
	ck_assert_int_eq(pthread_create(&thread, NULL, copy_and_stay, NULL),
			 0);
	pthread_barrier_wait(&counted);
	return thread;
}

static void end_one(pthread_t thread)
{
	pthread_barrier_wait(&seen);
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&counted);
	pthread_barrier_destroy(&seen);
}

START_TEST(test_threads_that_live_are_counted)
{
	uint64_t before = copied(MVFS_STATS_PROCESS);
	pthread_t thread = start_one();

	ck_assert_uint_eq(copied(MVFS_STATS_PROCESS) - before, COPY);
	end_one(thread);
	ck_assert_uint_eq(copied(MVFS_STATS_PROCESS) - before, COPY);
}
END_TEST

static pthread_key_t late;

static void copy_late(void *arg)
{
	copy_something(arg);
}

static void *copy_now_and_late(void *arg)
{
	copy_something(arg);
	pthread_setspecific(late, &late);
	return NULL;
}

START_TEST(test_what_a_thread_does_while_it_ends_is_counted)
{
	uint64_t before;

	/* a later key: its destructor comes after that of the counts */
	copy_something(NULL);
	before = copied(MVFS_STATS_PROCESS);
	ck_assert_int_eq(pthread_key_create(&late, copy_late), 0);
	in_threads(1, copy_now_and_late);
	ck_assert_uint_eq(copied(MVFS_STATS_PROCESS) - before, 2 * COPY);
	/* nobody is left in the list who is not there */
	in_threads(THREADS, copy_something);
	ck_assert_uint_eq(copied(MVFS_STATS_PROCESS) - before,
			  (2 + THREADS) * COPY);
	pthread_key_delete(late);
}
END_TEST

/* In the child of a fork while another thread has counts. */
static int check_child(uint64_t at_fork)
{
	uint64_t mine = copied(MVFS_STATS_THREAD);

	if (copied(MVFS_STATS_PROCESS) != at_fork)
		return 1;
	copy_something(NULL);
	in_threads(CHILD_THREADS, copy_something);
	if (copied(MVFS_STATS_PROCESS) !=
	    at_fork + (1 + CHILD_THREADS) * COPY)
		return 2;
	return copied(MVFS_STATS_THREAD) == mine + COPY ? 0 : 3;
}

START_TEST(test_a_child_begins_with_what_was_counted)
{
	pthread_t thread;
	uint64_t at_fork;
	int status, twice;
	pid_t child;

	copy_something(NULL);
	thread = start_one();
	for (twice = 0; twice < 2; twice++) {
		at_fork = copied(MVFS_STATS_PROCESS);
		child = fork();
		if (!child)
			_exit(check_child(at_fork));
		ck_assert_int_gt(child, 0);
		ck_assert_int_eq(waitpid(child, &status, 0), child);
		ck_assert_int_eq(status, 0);
	}
	ck_assert_uint_eq(copied(MVFS_STATS_PROCESS), at_fork);
	end_one(thread);
	ck_assert_uint_eq(copied(MVFS_STATS_PROCESS), at_fork);
}
END_TEST

START_TEST(test_wrong_questions_are_refused)
{
	struct mvfs_stats stats = { .size = sizeof(stats) - 1, .copies = 77 };

	ck_assert_int_eq(mvfs_stats(MVFS_STATS_THREAD, NULL), -EFAULT);
	ck_assert_int_eq(mvfs_stats(MVFS_STATS_THREAD, &stats), -EINVAL);
	stats.size = sizeof(stats) + 100;
	ck_assert_int_eq(mvfs_stats(2, &stats), -EINVAL);
	ck_assert_uint_eq(stats.copies, 77);
	ck_assert_int_eq(mvfs_stats(MVFS_STATS_PROCESS, &stats), 0);
	ck_assert_uint_eq(stats.size, sizeof(stats) + 100);
}
END_TEST

/* What version 0.1.0 had, and memory of the program's behind it. */
struct first_stats {
	size_t size;
	uint64_t counts[6];
	unsigned char behind[64];
};

START_TEST(test_the_first_struct_is_accepted_for_ever)
{
	struct first_stats first = {
		.size = offsetof(struct first_stats, behind),
	};
	size_t i;

	memset(first.behind, 0x5a, sizeof(first.behind));
	mvfs__mem_count_copy(1);
	for (i = MVFS_STATS_THREAD; i <= MVFS_STATS_PROCESS; i++) {
		memset(first.counts, 0, sizeof(first.counts));
		ok(mvfs_stats((int)i, (void *)&first));
		ck_assert_uint_gt(first.counts[1], 0);
	}
	for (i = 0; i < sizeof(first.behind); i++)
		ck_assert_uint_eq(first.behind[i], 0x5a);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("count");

	tcase_add_test(tests, test_a_thread_sees_its_own_counts);
	tcase_add_test(tests, test_threads_that_have_ended_are_counted);
	tcase_add_test(tests, test_threads_that_live_are_counted);
	tcase_add_test(tests,
		       test_what_a_thread_does_while_it_ends_is_counted);
	tcase_add_test(tests, test_a_child_begins_with_what_was_counted);
	tcase_add_test(tests, test_wrong_questions_are_refused);
	tcase_add_test(tests, test_the_first_struct_is_accepted_for_ever);
	return core_run("mem: counts", tests);
}
