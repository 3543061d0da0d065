/* SPDX-License-Identifier: MIT */
/* The instance lock and its stripes, with and without the bias. */
#include "config.h"

#include "vfs/fs/latch.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/core.h"
#include "vfs/fs/barrier.h"

enum { THREADS = 4, ROUNDS = 40000, MANY = 2 * MVFS__SEATS,
       BREAKS = 50000 };

static struct mvfs__latch latch;
static struct mvfs__stripe stripe;
static uint64_t guarded[2];
static unsigned every;           /* how many readings to a change */
static atomic_uint biased_count; /* readings by the bias */

/* Long enough for another thread to come in between, if it is let. */
static void dwell(void)
{
	unsigned i;

	for (i = 0; i < 100; i++)
		atomic_signal_fence(memory_order_seq_cst);
}

static void look(void)
{
	uint64_t before = guarded[0];

	dwell();
	if (guarded[1] != before || guarded[0] != before)
		abort();
}

static void change(void)
{
	guarded[0]++;
	dwell();
	guarded[1]++;
}

static void read_latch(void)
{
	bool biased = mvfs__latch_shared(&latch, mvfs__thread());

	look();
	mvfs__latch_shared_end(&latch, mvfs__thread(), biased);
	if (biased)
		atomic_fetch_add(&biased_count, 1);
}

static void *use_latch(void *arg)
{
	uintptr_t number = (uintptr_t)arg, i;

	for (i = 0; i < ROUNDS; i++) {
		if (i % every == number % every) {
			mvfs__latch_exclusive(&latch);
			change();
			mvfs__latch_exclusive_end(&latch);
		} else {
			read_latch();
		}
	}
	return NULL;
}

/* The latch is held shared, as it is around every stripe. */
static void *use_stripe(void *arg)
{
	uintptr_t number = (uintptr_t)arg, i;
	/* a copy: gcc 12's UBSan takes the address of the thread's for NULL */
	const struct mvfs__thread copy = *mvfs__thread(), *self = &copy;
	bool biased, by_bias;

	for (i = 0; i < ROUNDS; i++) {
		biased = mvfs__latch_shared(&latch, self);
		if (i % every == number % every) {
			mvfs__stripe_exclusive(&stripe, &latch, 3);
			change();
			by_bias = false;
		} else {
			by_bias = mvfs__stripe_shared(&stripe, &latch, self, 3);
			look();
		}
		mvfs__stripe_end(&stripe, &latch, self, by_bias);
		mvfs__latch_shared_end(&latch, self, biased);
		if (by_bias)
			atomic_fetch_add(&biased_count, 1);
	}
	return NULL;
}

static void run(void *(*use)(void *), unsigned threads, unsigned readings)
{
	pthread_t thread[MANY];
	uintptr_t i;

	every = readings;
	biased_count = 0;
	guarded[0] = guarded[1] = 0;
	mvfs__latch_init(&latch);
	mvfs__stripe_init(&stripe);
	for (i = 0; i < threads; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, use,
						(void *)i), 0);
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	ck_assert_uint_eq(guarded[0], (uint64_t)threads * (ROUNDS / readings));
	mvfs__stripe_destroy(&stripe);
	mvfs__latch_destroy(&latch);
}

START_TEST(test_the_latch_keeps_readers_from_half_a_change)
{
	run(use_latch, THREADS, 8);
}
END_TEST

START_TEST(test_a_calm_latch_is_biased_and_a_change_ends_that)
{
	run(use_latch, THREADS, 4000);
	if (mvfs__barrier_ready())
		ck_assert_uint_gt(biased_count, ROUNDS / 4);
	else
		ck_assert_uint_eq(biased_count, 0);
}
END_TEST

START_TEST(test_a_latch_that_is_changed_often_is_never_biased)
{
	run(use_latch, 1, 100);
	ck_assert_uint_eq(biased_count, 0);
}
END_TEST

START_TEST(test_threads_without_a_seat_are_kept_out_as_well)
{
	run(use_latch, MANY, 2000);
	run(use_stripe, MANY, 2000);
}
END_TEST

START_TEST(test_a_stripe_keeps_readers_from_half_a_change)
{
	run(use_stripe, THREADS, 8);
	run(use_stripe, THREADS, 4000);
	if (mvfs__barrier_ready())
		ck_assert_uint_gt(biased_count, ROUNDS / 4);
}
END_TEST

static atomic_bool ended;
static volatile char far_off[1 << 24];

/* Is inside for a moment, all the time; its stores wait behind others that
 * no cache has the lines of. */
static void *look_on(void *arg)
{
	uint64_t state = 1;
	bool biased;
	int i;

	(void)arg;
	while (!atomic_load_explicit(&ended, memory_order_relaxed)) {
		for (i = 0; i < 8; i++) {
			state = state * 6364136223846793005u + 1;
			far_off[state >> 40] = 1;
		}
		biased = mvfs__latch_shared(&latch, mvfs__thread());
		look();
		mvfs__latch_shared_end(&latch, mvfs__thread(), biased);
	}
	return NULL;
}

/*
 * Each change finds the bias on, and a reader that may have looked at it
 * already and whose store is still on its way: what the barrier is for.
 */
START_TEST(test_no_reader_that_is_on_its_way_in_is_missed)
{
	pthread_t thread;
	unsigned i, j;

	if (!mvfs__barrier_ready())
		return;
	atomic_store(&ended, false);
	mvfs__latch_init(&latch);
	ck_assert_int_eq(pthread_create(&thread, NULL, look_on, NULL), 0);
	for (i = 0; i < BREAKS; i++) {
		atomic_store(&latch.biased, 1);
		for (j = i % 16; j > 0; j--)
			dwell();
		mvfs__latch_exclusive(&latch);
		change();
		mvfs__latch_exclusive_end(&latch);
	}
	atomic_store(&ended, true);
	pthread_join(thread, NULL);
	mvfs__latch_destroy(&latch);
}
END_TEST

static void *take_a_seat(void *arg)
{
	*(struct mvfs__thread *)arg = *mvfs__thread();
	return NULL;
}

START_TEST(test_seats_are_given_back_and_numbers_are_not)
{
	struct mvfs__thread self = *mvfs__thread(), first, other;
	pthread_t thread;
	unsigned i;

	ck_assert_uint_lt(self.seat, MVFS__SEATS);
	pthread_create(&thread, NULL, take_a_seat, &first);
	pthread_join(thread, NULL);
	ck_assert_uint_ne(first.seat, self.seat);
	for (i = 0; i < MANY; i++) {
		pthread_create(&thread, NULL, take_a_seat, &other);
		pthread_join(thread, NULL);
		ck_assert_uint_eq(other.seat, first.seat);
		ck_assert_uint_gt(other.number, first.number + i);
	}
}
END_TEST

/* A reader with the bias on in the parent, a writer in the child. */
START_TEST(test_a_child_can_end_the_bias_of_its_parent)
{
	unsigned i;
	int status;
	pid_t child;

	mvfs__latch_init(&latch);
	for (i = 0; i < 2 * MVFS__LATCH_CALM; i++)
		read_latch();
	child = fork();
	if (child == 0) {
		mvfs__latch_exclusive(&latch);
		change();
		mvfs__latch_exclusive_end(&latch);
		for (i = 0; i < 2 * MVFS__LATCH_CALM; i++)
			read_latch();
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	mvfs__latch_destroy(&latch);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("latch");

	tcase_add_test(tests, test_the_latch_keeps_readers_from_half_a_change);
	tcase_add_test(tests,
		       test_a_calm_latch_is_biased_and_a_change_ends_that);
	tcase_add_test(tests,
		       test_a_latch_that_is_changed_often_is_never_biased);
	tcase_add_test(tests, test_threads_without_a_seat_are_kept_out_as_well);
	tcase_add_test(tests, test_a_stripe_keeps_readers_from_half_a_change);
	tcase_add_test(tests, test_no_reader_that_is_on_its_way_in_is_missed);
	tcase_add_test(tests, test_seats_are_given_back_and_numbers_are_not);
	tcase_add_test(tests, test_a_child_can_end_the_bias_of_its_parent);
	tcase_set_timeout(tests, 120);
	return core_run("fs_latch", tests);
}
