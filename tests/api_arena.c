/* SPDX-License-Identifier: MIT */
/* memvfs/arena.h and scratch.h as a user of the shared library sees them. */
#include "config.h"

#include <memvfs/arena.h>
#include <memvfs/scratch.h>

#include <check.h>
#include <pthread.h>
#include <stdlib.h>

struct list {
	struct list *next;
	int number;
};

static struct list *push(struct mvfs_arena *arena, struct list *next, int n)
{
	struct list *first = mvfs_arena_alloc(arena, sizeof(*first));

	if (!first)
		return NULL;
	first->next = next;
	first->number = n;
	return first;
}

START_TEST(test_a_list_lives_as_long_as_its_arena)
{
	struct mvfs_arena arena = MVFS_ARENA_INIT;
	struct list *list = NULL;
	int i, round;

	for (round = 0; round < 3; round++) {
		for (i = 0; i < 10000; i++)
			list = push(&arena, i ? list : NULL, i);
		for (i = 9999; list; list = list->next, i--)
			if (list->number != i)
				ck_abort_msg("%d is %d", i, list->number);
		ck_assert_int_eq(i, -1);
		mvfs_arena_close(&arena);
	}
}
END_TEST

static void *build(void *arg)
{
	struct mvfs_arena *arena = arg;

	mvfs_arena_open(arena);
	return push(arena, push(arena, NULL, 1), 2);
}

START_TEST(test_an_arena_outlives_the_thread_that_filled_it)
{
	struct mvfs_arena arena, moved;
	pthread_t thread;
	void *result;
	struct list *list;

	ck_assert_int_eq(pthread_create(&thread, NULL, build, &arena), 0);
	ck_assert_int_eq(pthread_join(thread, &result), 0);
	moved = arena;
	list = push(&moved, result, 3);
	ck_assert_int_eq(list->number, 3);
	ck_assert_int_eq(list->next->number, 2);
	ck_assert_int_eq(list->next->next->number, 1);
	mvfs_arena_close(&moved);
}
END_TEST

START_TEST(test_closing_twice_is_harmless)
{
	struct mvfs_arena arena = MVFS_ARENA_INIT;

	mvfs_arena_close(&arena);
	ck_assert_ptr_nonnull(mvfs_arena_aligned(&arena, 10, 4096));
	mvfs_arena_close(&arena);
	mvfs_arena_close(&arena);
}
END_TEST

static int by_callback(const void *a, const void *b)
{
	struct mvfs_scratch frame;
	int *copy, order;

	mvfs_scratch_open(&frame);
	copy = mvfs_scratch_array(&frame, 2, sizeof(*copy));
	if (!copy)
		abort();
	copy[0] = *(const int *)a;
	copy[1] = *(const int *)b;
	order = (copy[0] > copy[1]) - (copy[0] < copy[1]);
	mvfs_scratch_close(&frame);
	return order;
}

START_TEST(test_a_callback_has_a_frame_of_its_own)
{
	struct mvfs_scratch frame;
	int *numbers, i;

	mvfs_scratch_open(&frame);
	numbers = mvfs_scratch_array(&frame, 1000, sizeof(*numbers));
	ck_assert_ptr_nonnull(numbers);
	for (i = 0; i < 1000; i++)
		numbers[i] = i * 7 % 1000;
	qsort(numbers, 1000, sizeof(*numbers), by_callback);
	for (i = 0; i < 1000; i++)
		ck_assert_int_eq(numbers[i], i);
	mvfs_scratch_close(&frame);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("arena");
	TCase *tests = tcase_create("arena");
	SRunner *runner;
	int failed;

	tcase_add_test(tests, test_a_list_lives_as_long_as_its_arena);
	tcase_add_test(tests, test_an_arena_outlives_the_thread_that_filled_it);
	tcase_add_test(tests, test_closing_twice_is_harmless);
	tcase_add_test(tests, test_a_callback_has_a_frame_of_its_own);
	suite_add_tcase(suite, tests);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
