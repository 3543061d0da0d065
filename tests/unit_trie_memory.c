/* SPDX-License-Identifier: MIT */
/*
 * What the trie does when memory runs out, and what it costs: copies after a
 * clone, and differences found without walking what is shared.
 */
#include "config.h"

#include "vfs/trie/trie.h"

#include <errno.h>
#include <time.h>

#include "tests/trie_model.h"

#define MILLION 1000000u

/* One way to change the trie that a case has built; 0 or -ENOMEM. */
typedef int change_fn(struct mvfs__trie *trie, struct values *values,
		      struct mvfs__bin *bin);

static int put_key(struct mvfs__trie *trie, uint64_t key,
		   struct values *values, struct mvfs__bin *bin)
{
	int r = mvfs__trie_put(trie, value_new(values, key), bin);

	if (r)
		value_undo(values);
	return r;
}

static int put_between(struct mvfs__trie *trie, struct values *values,
		       struct mvfs__bin *bin)
{
	return put_key(trie, 700, values, bin);
}

static int put_existing(struct mvfs__trie *trie, struct values *values,
			struct mvfs__bin *bin)
{
	return put_key(trie, 699, values, bin);
}

static int put_much_higher(struct mvfs__trie *trie, struct values *values,
			   struct mvfs__bin *bin)
{
	return put_key(trie, UINT64_MAX, values, bin);
}

static int put_beside_a_deep_value(struct mvfs__trie *trie,
				   struct values *values,
				   struct mvfs__bin *bin)
{
	return put_key(trie, (UINT64_C(1) << 40) + 1, values, bin);
}

static int remove_one(struct mvfs__trie *trie, struct values *values,
		      struct mvfs__bin *bin)
{
	(void)values;
	return mvfs__trie_remove(trie, 699, bin);
}

static int own_one(struct mvfs__trie *trie, struct values *values,
		   struct mvfs__bin *bin)
{
	struct mvfs__obj *value;

	(void)values;
	return mvfs__trie_own(trie, 699, &value, bin);
}

static const struct change {
	change_fn *fn;
	unsigned keys;  /* every third number up to here is there ... */
	uint64_t extra; /* ... and this one */
	unsigned least; /* allocations that it must have tried */
} changes[] = {
	{ put_between, 3000, 0, 2 },
	{ put_existing, 3000, 0, 2 },
	{ put_much_higher, 3000, 0, 9 },
	{ put_much_higher, 1, 1, 10 },
	{ put_beside_a_deep_value, 3000, UINT64_C(1) << 40, 7 },
	{ put_beside_a_deep_value, 0, UINT64_C(1) << 40, 7 },
	{ remove_one, 3000, 0, 2 },
	{ own_one, 3000, 0, 2 },
};

/* `n`: which allocation fails. True once there were fewer. */
static bool change_fails_at(const struct change *change, unsigned n,
			    bool shared)
{
	struct values values = { 0 };
	struct model model = { 0 };
	struct mvfs__trie trie = { 0 }, other = { 0 };
	struct mvfs__bin bin = MVFS__BIN_INIT;
	bool failed;
	int r;

	for (uint64_t key = 0; key < change->keys; key += 3)
		model_put(&model, put_new(&trie, key, &values));
	model_put(&model, put_new(&trie, change->extra, &values));
	if (shared)
		mvfs__trie_share(&trie, &other);
	mvfs__mem_thread.fail_failed = 0;
	mvfs__mem_fail_at(n);
	r = change->fn(&trie, &values, &bin);
	mvfs__mem_fail_at(0);
	failed = mvfs__mem_thread.fail_failed > 0;
	ck_assert_int_eq(r, failed ? -ENOMEM : 0);
	mvfs__bin_empty(&bin);
	if (failed)
		model_matches(&model, &trie);
	if (shared)
		model_matches(&model, &other);
	mvfs__trie_check(&trie);
	clear_trie(&trie);
	clear_trie(&other);
	values_end(&values);
	free(model.list);
	return !failed;
}

START_TEST(test_change_without_memory_leaves_the_map_as_it_was)
{
	const struct change *change = &changes[_i];
	unsigned n = 1;

	while (!change_fails_at(change, n, false))
		n++;
	n = 1;
	while (!change_fails_at(change, n, true))
		n++;
	ck_assert_uint_ge(n - 1, change->least);
}
END_TEST

START_TEST(test_owned_key_is_put_and_removed_without_memory)
{
	struct values values = { 0 };
	struct mvfs__trie trie = { 0 }, other = { 0 };
	struct mvfs__bin bin = MVFS__BIN_INIT;
	struct mvfs__obj *value;

	for (uint64_t key = 0; key < 3000; key++)
		put_new(&trie, key * key * key, &values);
	for (uint64_t key = 0; key < 3000; key++) {
		uint64_t cube = key * key * key;

		if (key % 10 == 0) {
			mvfs__trie_clear(&other, &bin);
			mvfs__trie_share(&trie, &other);
		}
		ck_assert_int_eq(mvfs__trie_own(&trie, cube, &value, &bin), 0);
		ck_assert_uint_eq(value->key, cube);
		mvfs__mem_thread.fail_failed = 0;
		mvfs__mem_fail_at(1);
		put_new(&trie, cube, &values);
		ck_assert_int_eq(remove_key(&trie, cube), 0);
		ck_assert_uint_eq(mvfs__mem_thread.fail_failed, 0);
		mvfs__mem_fail_at(0);
	}
	ck_assert_uint_eq(trie.count, 0);
	ck_assert_uint_eq(other.count, 10);
	mvfs__bin_empty(&bin);
	clear_trie(&other);
	values_end(&values);
}
END_TEST

/* Two tries of a million keys, as inode numbers and as names have them. */
static void fill(struct mvfs__trie *dense, struct mvfs__trie *hashed,
		 struct values *values)
{
	for (uint64_t n = 1; n <= MILLION; n++) {
		uint64_t state = n;

		put_new(dense, n, values);
		put_new(hashed, rng(&state) >> 1, values);
	}
}

static uint64_t copies_of_put(struct mvfs__trie *trie, uint64_t key,
			      struct values *values)
{
	uint64_t before = mvfs__mem_thread.trie_copies;

	put_new(trie, key, values);
	return mvfs__mem_thread.trie_copies - before;
}

START_TEST(test_first_change_after_a_clone_copies_at_most_16_nodes)
{
	struct values values = { 0 };
	struct mvfs__trie dense = { 0 }, hashed = { 0 };
	struct mvfs__trie a = { 0 }, b = { 0 };
	uint64_t state = seed_of_run();
	uint64_t most = 0;

	fill(&dense, &hashed, &values);
	for (unsigned n = 0; n < 1000; n++) {
		uint64_t name = rng(&state) >> 1;
		uint64_t copies;

		mvfs__trie_share(&dense, &a);
		mvfs__trie_share(&hashed, &b);
		copies = copies_of_put(&a, below(&state, 2 * MILLION), &values);
		copies += copies_of_put(&b, name, &values);
		/* the two roots at least; all of it is seen by the second */
		ck_assert_uint_ge(copies, 2);
		ck_assert_uint_eq(copies_of_put(&b, name, &values), 0);
		most = copies > most ? copies : most;
		clear_trie(&a);
		clear_trie(&b);
	}
	ck_assert_uint_le(most, 16);
	clear_trie(&dense);
	clear_trie(&hashed);
	values_end(&values);
}
END_TEST

static int count_calls(void *arg, struct mvfs__obj *a, struct mvfs__obj *b)
{
	(void)a;
	(void)b;
	++*(unsigned *)arg;
	return 0;
}

static double cpu_seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

START_TEST(test_diff_does_not_walk_what_is_shared)
{
	struct values values = { 0 };
	struct mvfs__trie dense = { 0 }, hashed = { 0 }, a = { 0 };
	unsigned calls = 0;
	double start, walk, diff;

	fill(&dense, &hashed, &values);
	mvfs__trie_share(&hashed, &a);
	for (uint64_t n = 1; n <= 10; n++) {
		uint64_t state = n;

		put_new(&a, rng(&state) >> 1, &values);
		put_new(&a, n, &values);
	}
	start = cpu_seconds();
	for (struct mvfs__obj *v = mvfs__trie_next(&hashed, 0); v;
	     v = mvfs__trie_next(&hashed, v->key + 1))
		calls++;
	walk = cpu_seconds() - start;
	ck_assert_uint_eq(calls, MILLION);
	calls = 0;
	start = cpu_seconds();
	ck_assert_int_eq(mvfs__trie_diff(&hashed, &a, count_calls, &calls), 0);
	diff = cpu_seconds() - start;
	ck_assert_uint_eq(calls, 20);
	/* some hundred nodes against some hundred thousand */
	ck_assert_double_lt(diff, walk / 10);
	clear_trie(&dense);
	clear_trie(&hashed);
	clear_trie(&a);
	values_end(&values);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trie_memory");
	TCase *tests = tcase_create("memory");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tests, 300);
	tcase_add_loop_test(
		tests, test_change_without_memory_leaves_the_map_as_it_was, 0,
		sizeof(changes) / sizeof(*changes));
	tcase_add_test(tests,
		       test_owned_key_is_put_and_removed_without_memory);
	tcase_add_test(tests,
		       test_first_change_after_a_clone_copies_at_most_16_nodes);
	tcase_add_test(tests, test_diff_does_not_walk_what_is_shared);
	suite_add_tcase(suite, tests);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
