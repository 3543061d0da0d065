/* SPDX-License-Identifier: MIT */
/* The numbered point of failure, and the counters. */
#include "config.h"

#include "vfs/mem/mem.h"

#include "tests/core.h"

START_TEST(test_the_nth_allocation_fails_and_no_other)
{
	void *a, *b, *c;

	mvfs__mem_fail_at(2);
	a = mvfs__malloc(1);
	b = mvfs__calloc(1, 1);
	c = mvfs__realloc(NULL, 1);
	ck_assert_ptr_nonnull(a);
	ck_assert_ptr_null(b);
	ck_assert_ptr_nonnull(c);
	mvfs__free(a);
	mvfs__free(c);
}
END_TEST

START_TEST(test_a_failed_realloc_leaves_the_memory)
{
	char *a = mvfs__memdup("abc", 4);

	mvfs__mem_fail_at(1);
	ck_assert_ptr_null(mvfs__realloc(a, 100));
	ck_assert_str_eq(a, "abc");
	mvfs__free(a);
}
END_TEST

START_TEST(test_mappings_are_counted_with_the_rest)
{
	uint64_t before = mvfs__mem_thread.allocations;

	mvfs__mem_fail_at(1);
	ck_assert(mvfs__mem_fails());
	ck_assert(!mvfs__mem_fails());
	ck_assert_uint_eq(mvfs__mem_thread.allocations - before, 2);
}
END_TEST

START_TEST(test_disarmed_point_never_fails)
{
	mvfs__mem_fail_at(1);
	mvfs__mem_fail_at(0);
	ck_assert(!mvfs__mem_fails());
}
END_TEST

START_TEST(test_copies_are_counted_with_their_bytes)
{
	struct mvfs__mem_thread before = mvfs__mem_thread;

	mvfs__mem_count_copy(10);
	mvfs__mem_count_copy(5);
	ck_assert_uint_eq(mvfs__mem_thread.copies - before.copies, 2);
	ck_assert_uint_eq(mvfs__mem_thread.copied_bytes -
			  before.copied_bytes, 15);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("mem");

	tcase_add_test(tests, test_the_nth_allocation_fails_and_no_other);
	tcase_add_test(tests, test_a_failed_realloc_leaves_the_memory);
	tcase_add_test(tests, test_mappings_are_counted_with_the_rest);
	tcase_add_test(tests, test_disarmed_point_never_fails);
	tcase_add_test(tests, test_copies_are_counted_with_their_bytes);
	return core_run("mem", tests);
}
