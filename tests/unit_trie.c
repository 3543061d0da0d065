/* SPDX-License-Identifier: MIT */
/* The trie: each rule of trie.h by an example. */
#include "config.h"

#include "vfs/trie/trie.h"

#include <errno.h>

#include "tests/trie_model.h"

static struct values values;
static struct mvfs__trie trie, other;

static void start(void)
{
	values = (struct values){ 0 };
	trie = other = (struct mvfs__trie){ 0 };
}

/* Whatever a test did, no value has a reference too many or too few. */
static void end(void)
{
	mvfs__trie_check(&trie);
	mvfs__trie_check(&other);
	clear_trie(&trie);
	clear_trie(&other);
	values_end(&values);
}

static void put_keys(struct mvfs__trie *to, const uint64_t *keys, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		put_new(to, keys[i], &values);
		mvfs__trie_check(to);
	}
}

/* What a diff told, as text: "-1" only in a, "+1" only in b, "*1" both. */
struct told {
	char text[200];
	size_t len, stop_after, calls;
};

static int tell(void *arg, struct mvfs__obj *a, struct mvfs__obj *b)
{
	struct told *told = arg;
	char sign = a && b ? '*' : a ? '-' : '+';

	ck_assert(a || b);
	ck_assert_ptr_ne(a, b);
	told->len += (size_t)snprintf(
		told->text + told->len, sizeof(told->text) - told->len,
		"%c%llu ", sign, (unsigned long long)(a ? a : b)->key);
	ck_assert_uint_lt(told->len, sizeof(told->text));
	return ++told->calls == told->stop_after ? 42 : 0;
}

static void diff_tells(const char *text)
{
	struct told told = { .stop_after = 0 };

	ck_assert_int_eq(mvfs__trie_diff(&trie, &other, tell, &told), 0);
	ck_assert_str_eq(told.text, text);
}

START_TEST(test_empty_trie_has_nothing)
{
	ck_assert_ptr_null(mvfs__trie_get(&trie, 0));
	ck_assert_ptr_null(mvfs__trie_get4(&trie, 0));
	ck_assert_ptr_null(mvfs__trie_next(&trie, 0));
	ck_assert_ptr_null(mvfs__trie_prev(&trie, UINT64_MAX));
	ck_assert_int_eq(remove_key(&trie, 0), -ENOENT);
	mvfs__trie_share(&trie, &other);
	ck_assert(other.root == 0 && other.count == 0);
}
END_TEST

START_TEST(test_one_value_needs_no_node)
{
	struct mvfs__obj *value = value_new(&values, UINT64_MAX);
	struct mvfs__bin bin = MVFS__BIN_INIT;

	mvfs__mem_fail_at(1);
	ck_assert_int_eq(mvfs__trie_put(&trie, value, &bin), 0);
	ck_assert_uint_eq(mvfs__mem_thread.fail_failed, 0);
	mvfs__mem_fail_at(0);
	ck_assert_uint_eq(trie.height, 0);
	ck_assert_ptr_eq(mvfs__trie_get(&trie, UINT64_MAX), value);
	ck_assert_ptr_null(mvfs__trie_get(&trie, 0));
	ck_assert_ptr_eq(mvfs__trie_next(&trie, 0), value);
	ck_assert_ptr_null(mvfs__trie_prev(&trie, UINT64_MAX - 1));
}
END_TEST

START_TEST(test_smallest_and_largest_key_are_keys)
{
	struct mvfs__obj *low = put_new(&trie, 0, &values);
	struct mvfs__obj *high = put_new(&trie, UINT64_MAX, &values);

	ck_assert_ptr_eq(mvfs__trie_get(&trie, 0), low);
	ck_assert_ptr_eq(mvfs__trie_get(&trie, UINT64_MAX), high);
	ck_assert_ptr_eq(mvfs__trie_next(&trie, 1), high);
	ck_assert_ptr_eq(mvfs__trie_prev(&trie, UINT64_MAX - 1), low);
	ck_assert_int_eq(remove_key(&trie, UINT64_MAX), 0);
	ck_assert_int_eq(remove_key(&trie, 0), 0);
	ck_assert_uint_eq(trie.count, 0);
}
END_TEST

START_TEST(test_put_drops_the_value_that_had_the_key)
{
	struct mvfs__obj *old, *new;

	put_new(&trie, 6, &values);
	old = put_new(&trie, 7, &values);
	ck_assert_uint_eq(atomic_load(&old->refs), 2);
	new = put_new(&trie, 7, &values);
	ck_assert_uint_eq(atomic_load(&old->refs), 1);
	ck_assert_uint_eq(atomic_load(&new->refs), 2);
	ck_assert_ptr_eq(mvfs__trie_get(&trie, 7), new);
	ck_assert_uint_eq(trie.count, 2);
}
END_TEST

START_TEST(test_height_follows_the_largest_key)
{
	static const struct {
		uint64_t key;
		unsigned height;
	} steps[] = {
		{ 1, 0 }, { 63, 1 }, { 64, 2 }, { 4095, 2 }, { 4096, 3 },
		{ UINT64_C(1) << 59, 10 }, { UINT64_C(1) << 60, 11 },
		{ UINT64_MAX, 11 },
	};
	size_t n = sizeof(steps) / sizeof(*steps);

	for (size_t i = 0; i < n; i++) {
		put_new(&trie, steps[i].key, &values);
		mvfs__trie_check(&trie);
		ck_assert_uint_eq(trie.height, steps[i].height);
	}
	while (n-- > 1) {
		ck_assert_uint_eq(trie.height, steps[n].height);
		ck_assert_int_eq(remove_key(&trie, steps[n].key), 0);
		mvfs__trie_check(&trie);
	}
	ck_assert_uint_eq(trie.height, 0);
}
END_TEST

START_TEST(test_value_left_alone_takes_the_place_of_its_nodes)
{
	const uint64_t deep = UINT64_C(0x123456789abcdef0);
	const uint64_t keys[] = { deep, deep + 1, 5 };
	uint64_t before;

	put_keys(&trie, keys, 3);
	ck_assert_int_eq(remove_key(&trie, deep), 0);
	mvfs__trie_check(&trie);
	/* were there nodes on the way to deep + 1, this had to copy them */
	mvfs__trie_share(&trie, &other);
	before = mvfs__mem_thread.trie_copies;
	ck_assert_int_eq(remove_key(&trie, deep + 1), 0);
	ck_assert_uint_eq(mvfs__mem_thread.trie_copies - before, 1);
	ck_assert_uint_eq(trie.height, 0);
}
END_TEST

START_TEST(test_root_that_goes_may_leave_a_shared_one)
{
	const uint64_t keys[] = { 1, 2, UINT64_C(1) << 40 };

	put_keys(&trie, keys, 2);
	put_new(&trie, keys[2], &values);
	mvfs__trie_share(&trie, &other);
	ck_assert_int_eq(remove_key(&trie, keys[2]), 0);
	mvfs__trie_check(&trie);
	ck_assert_uint_eq(trie.height, 1);
	ck_assert_uint_eq(other.height, 7);
	diff_tells("+1099511627776 ");
}
END_TEST

START_TEST(test_key_with_more_digits_than_the_root_is_not_found)
{
	const uint64_t keys[] = { 1, 2, 3, 64 };

	put_keys(&trie, keys, 4);
	ck_assert_ptr_null(mvfs__trie_get(&trie, 4096 + 1));
	ck_assert_ptr_null(mvfs__trie_next(&trie, 4096 + 1));
	ck_assert_uint_eq(mvfs__trie_prev(&trie, 4096 + 1)->key, 64);
	ck_assert_int_eq(remove_key(&trie, 4096 + 1), -ENOENT);
	ck_assert_ptr_null(mvfs__trie_get(&trie, UINT64_MAX));
	ck_assert_uint_eq(mvfs__trie_prev(&trie, UINT64_MAX)->key, 64);
}
END_TEST

START_TEST(test_next_and_prev_cross_from_subtree_to_subtree)
{
	const uint64_t keys[] = { 5, 64 + 63, 128, 4096 * 3 + 7, 4096 * 3 + 8 };

	put_keys(&trie, keys, 5);
	for (size_t i = 0; i < 5; i++) {
		uint64_t key = keys[i];
		struct mvfs__obj *after = mvfs__trie_next(&trie, key + 1);
		struct mvfs__obj *before = mvfs__trie_prev(&trie, key - 1);

		ck_assert_uint_eq(mvfs__trie_next(&trie, key)->key, key);
		ck_assert_uint_eq(mvfs__trie_prev(&trie, key)->key, key);
		if (i < 4)
			ck_assert_uint_eq(after->key, keys[i + 1]);
		else
			ck_assert_ptr_null(after);
		if (i > 0)
			ck_assert_uint_eq(before->key, keys[i - 1]);
		else
			ck_assert_ptr_null(before);
	}
}
END_TEST

START_TEST(test_get4_finds_the_first_of_four)
{
	const uint64_t far = UINT64_C(1) << 40;
	const uint64_t keys[] = { 61, 63, 66, far + 6, far + 9, far + 11 };

	put_keys(&trie, keys, 6);
	ck_assert_uint_eq(mvfs__trie_get4(&trie, 60)->key, 61);
	ck_assert_uint_eq(mvfs__trie_get4(&trie, 64)->key, 66);
	ck_assert_uint_eq(mvfs__trie_get4(&trie, far + 4)->key, far + 6);
	ck_assert_uint_eq(mvfs__trie_get4(&trie, far + 8)->key, far + 9);
	ck_assert_ptr_null(mvfs__trie_get4(&trie, 56));
	ck_assert_ptr_null(mvfs__trie_get4(&trie, far));
	ck_assert_ptr_null(mvfs__trie_get4(&trie, far + 12));
	ck_assert_ptr_null(mvfs__trie_get4(&trie, 68));
}
END_TEST

START_TEST(test_change_of_one_is_not_seen_by_the_other)
{
	struct mvfs__obj *old;

	for (uint64_t key = 0; key < 500; key++)
		put_new(&trie, key, &values);
	old = mvfs__trie_get(&trie, 77);
	mvfs__trie_share(&trie, &other);
	ck_assert_int_eq(remove_key(&trie, 3), 0);
	put_new(&trie, 77, &values);
	put_new(&trie, 1000000, &values);
	put_new(&other, 2000000, &values);

	mvfs__trie_check(&trie);
	mvfs__trie_check(&other);
	ck_assert_ptr_null(mvfs__trie_get(&trie, 3));
	ck_assert_ptr_nonnull(mvfs__trie_get(&other, 3));
	ck_assert_ptr_ne(mvfs__trie_get(&trie, 77), old);
	ck_assert_ptr_eq(mvfs__trie_get(&other, 77), old);
	ck_assert_ptr_null(mvfs__trie_get(&other, 1000000));
	ck_assert_ptr_null(mvfs__trie_get(&trie, 2000000));
}
END_TEST

START_TEST(test_node_that_is_copied_for_a_value_has_room_for_it)
{
	uint64_t before;

	for (uint64_t key = 1; key <= 3; key++)
		put_new(&trie, key, &values);
	mvfs__trie_share(&trie, &other);
	before = mvfs__mem_thread.allocations;
	put_new(&trie, 4, &values);
	ck_assert_uint_eq(mvfs__mem_thread.allocations - before, 1);
}
END_TEST

START_TEST(test_own_of_an_absent_key_says_so_and_changes_nothing)
{
	const uint64_t keys[] = { 1, 70, 4096 * 5, 4096 * 5 + 1 };
	struct mvfs__bin bin = MVFS__BIN_INIT;
	struct mvfs__obj *value;

	ck_assert_int_eq(mvfs__trie_own(&trie, 1, &value, &bin), 0);
	ck_assert_ptr_null(value);
	put_keys(&trie, keys, 4);
	mvfs__trie_share(&trie, &other);
	ck_assert_int_eq(mvfs__trie_own(&trie, 71, &value, &bin), 0);
	ck_assert_ptr_null(value);
	ck_assert_int_eq(mvfs__trie_own(&trie, 4096 * 5 + 2, &value, &bin), 0);
	ck_assert_ptr_null(value);
	ck_assert_int_eq(mvfs__trie_own(&trie, UINT64_MAX, &value, &bin), 0);
	ck_assert_ptr_null(value);
	mvfs__bin_empty(&bin);
	for (size_t i = 0; i < 4; i++)
		ck_assert_ptr_eq(mvfs__trie_get(&trie, keys[i]),
				 mvfs__trie_get(&other, keys[i]));
}
END_TEST

START_TEST(test_diff_of_a_trie_and_its_clone_is_nothing)
{
	const uint64_t keys[] = { 1, 64, UINT64_MAX };

	diff_tells("");
	put_keys(&trie, keys, 3);
	mvfs__trie_share(&trie, &other);
	diff_tells("");
}
END_TEST

START_TEST(test_diff_goes_in_order_of_the_keys)
{
	const uint64_t keys[] = { 1, 2, 64, 65, 4096, 5000 };
	const uint64_t more[] = { 0, 63, 64, 66, 4095, 5000 };

	put_keys(&trie, keys, 6);
	mvfs__trie_share(&trie, &other);
	put_keys(&other, more, 6);
	ck_assert_int_eq(remove_key(&other, 2), 0);
	ck_assert_int_eq(remove_key(&other, 4096), 0);
	diff_tells("+0 -2 +63 *64 +66 +4095 -4096 *5000 ");
}
END_TEST

START_TEST(test_diff_of_tries_of_unequal_height_is_in_order)
{
	const uint64_t keys[] = { 1, 2, 3, 70 };

	put_keys(&trie, keys, 4);
	mvfs__trie_share(&trie, &other);
	put_new(&other, 1000000, &values);
	diff_tells("+1000000 ");
	ck_assert_int_eq(remove_key(&trie, 70), 0);
	diff_tells("+70 +1000000 ");
	ck_assert_int_eq(remove_key(&trie, 1), 0);
	ck_assert_int_eq(remove_key(&trie, 2), 0);
	diff_tells("+1 +2 +70 +1000000 ");
	ck_assert_int_eq(remove_key(&trie, 3), 0);
	put_new(&trie, 5000000, &values);
	diff_tells("+1 +2 +3 +70 +1000000 -5000000 ");
	clear_trie(&trie);
	diff_tells("+1 +2 +3 +70 +1000000 ");
}
END_TEST

START_TEST(test_diff_stops_where_it_is_told_to)
{
	const uint64_t keys[] = { 1, 2, 64, 65 };
	struct told told = { .stop_after = 3 };

	put_keys(&trie, keys, 4);
	ck_assert_int_eq(mvfs__trie_diff(&trie, &other, tell, &told), 42);
	ck_assert_str_eq(told.text, "-1 -2 -64 ");
	told = (struct told){ .stop_after = 1 };
	ck_assert_int_eq(mvfs__trie_diff(&other, &trie, tell, &told), 42);
	ck_assert_str_eq(told.text, "+1 ");
	clear_trie(&other);
	put_new(&other, 0, &values);
	told = (struct told){ .stop_after = 1 };
	ck_assert_int_eq(mvfs__trie_diff(&trie, &other, tell, &told), 42);
	ck_assert_str_eq(told.text, "+0 ");
	clear_trie(&trie);
	put_new(&trie, 5, &values);
	told = (struct told){ .stop_after = 1 };
	ck_assert_int_eq(mvfs__trie_diff(&trie, &other, tell, &told), 42);
	ck_assert_str_eq(told.text, "+0 ");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trie");
	TCase *rules = tcase_create("rules");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(rules, start, end);
	tcase_add_test(rules, test_empty_trie_has_nothing);
	tcase_add_test(rules, test_one_value_needs_no_node);
	tcase_add_test(rules, test_smallest_and_largest_key_are_keys);
	tcase_add_test(rules, test_put_drops_the_value_that_had_the_key);
	tcase_add_test(rules, test_height_follows_the_largest_key);
	tcase_add_test(rules,
		       test_value_left_alone_takes_the_place_of_its_nodes);
	tcase_add_test(rules, test_root_that_goes_may_leave_a_shared_one);
	tcase_add_test(rules,
		       test_key_with_more_digits_than_the_root_is_not_found);
	tcase_add_test(rules, test_next_and_prev_cross_from_subtree_to_subtree);
	tcase_add_test(rules, test_get4_finds_the_first_of_four);
	tcase_add_test(rules, test_change_of_one_is_not_seen_by_the_other);
	tcase_add_test(rules,
		       test_node_that_is_copied_for_a_value_has_room_for_it);
	tcase_add_test(rules,
		       test_own_of_an_absent_key_says_so_and_changes_nothing);
	tcase_add_test(rules, test_diff_of_a_trie_and_its_clone_is_nothing);
	tcase_add_test(rules, test_diff_goes_in_order_of_the_keys);
	tcase_add_test(rules, test_diff_of_tries_of_unequal_height_is_in_order);
	tcase_add_test(rules, test_diff_stops_where_it_is_told_to);
	suite_add_tcase(suite, rules);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
