/* SPDX-License-Identifier: MIT */
/*
 * Clones in several threads. What they share has no lock: only counts, that
 * say who may change a node and who is the last to let go of it.
 */
#include "config.h"

#include "vfs/trie/trie.h"

#include <errno.h>
#include <pthread.h>

#include "tests/trie_model.h"

#define THREADS 4
#define KEYS 3000
#define ROUNDS 300

struct job {
	struct mvfs__trie trie; /* the thread's own from its start */
	uint64_t rng;
	unsigned wrong;
};

static struct mvfs__obj *value_alone(uint64_t key)
{
	struct mvfs__obj *obj = malloc(sizeof(*obj));

	if (!obj)
		abort();
	mvfs__obj_init(obj, MVFS__PLAIN);
	obj->key = key;
	return obj;
}

/* Keys up to KEYS that are odd stay; what else there is comes and goes. */
static void *change(void *arg)
{
	struct job *job = arg;
	struct mvfs__bin bin = MVFS__BIN_INIT;
	struct mvfs__trie trie;

	for (unsigned round = 0; round < ROUNDS; round++) {
		mvfs__trie_share(&job->trie, &trie);
		for (unsigned n = 0; n < 100; n++) {
			uint64_t key = below(&job->rng, 2 * KEYS);

			if (key % 2 == 0)
				(void)mvfs__trie_remove(&trie, key, &bin);
			else
				job->wrong += 0 != mvfs__trie_put(
					&trie, value_alone(key), &bin);
		}
		for (uint64_t key = 1; key < KEYS; key += 2)
			job->wrong += !mvfs__trie_get(&trie, key);
		mvfs__trie_check(&trie);
		mvfs__trie_clear(&trie, &bin);
		mvfs__bin_empty(&bin);
	}
	mvfs__trie_clear(&job->trie, &bin);
	mvfs__bin_empty(&bin);
	return NULL;
}

START_TEST(test_clones_change_and_end_in_threads_of_their_own)
{
	struct values values = { 0 };
	struct mvfs__trie trie = { 0 };
	struct job jobs[THREADS];
	pthread_t threads[THREADS];
	uint64_t seed = seed_of_run();

	for (uint64_t key = 0; key < KEYS; key++)
		put_new(&trie, key, &values);
	for (unsigned i = 0; i < THREADS; i++) {
		jobs[i] = (struct job){ .rng = seed + i };
		mvfs__trie_share(&trie, &jobs[i].trie);
	}
	clear_trie(&trie);
	for (unsigned i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, change,
						&jobs[i]), 0);
	for (unsigned i = 0; i < THREADS; i++) {
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
		ck_assert_uint_eq(jobs[i].wrong, 0);
	}
	values_end(&values);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trie_threads");
	TCase *tests = tcase_create("threads");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tests, 120);
	tcase_add_test(tests,
		       test_clones_change_and_end_in_threads_of_their_own);
	suite_add_tcase(suite, tests);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
