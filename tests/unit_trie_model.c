/* SPDX-License-Identifier: MIT */
/*
 * The trie against a sorted array: random changes to several tries that are
 * clones of each other, with memory that runs out now and then; after each
 * change every trie must hold exactly what its array does.
 */
#include "config.h"

#include "vfs/trie/trie.h"

#include <errno.h>

#include "tests/trie_model.h"

#define TRIES 6
#define STEPS 5000

struct world {
	uint64_t rng;
	enum key_sort sort;
	struct values values;
	struct mvfs__trie tries[TRIES];
	struct model models[TRIES];
	struct mvfs__bin bin;
};

static void step_put(struct world *w, unsigned i)
{
	uint64_t key = random_key(&w->rng, w->sort);
	struct mvfs__obj *value = value_new(&w->values, key);
	int r = mvfs__trie_put(&w->tries[i], value, &w->bin);

	if (r == 0) {
		model_put(&w->models[i], value);
	} else {
		ck_assert_int_eq(r, -ENOMEM);
		value_undo(&w->values);
	}
}

static void step_remove(struct world *w, unsigned i)
{
	uint64_t key = random_key(&w->rng, w->sort);
	int r = mvfs__trie_remove(&w->tries[i], key, &w->bin);

	if (r == -ENOENT)
		ck_assert_ptr_null(model_get(&w->models[i], key));
	else if (r == 0)
		ck_assert(model_remove(&w->models[i], key));
	else
		ck_assert_int_eq(r, -ENOMEM);
}

/* What own promises: the next put or remove of that key does not fail. */
static void step_own(struct world *w, unsigned i)
{
	uint64_t key = random_key(&w->rng, w->sort);
	struct mvfs__obj *value = NULL;
	uint64_t before;
	int r = mvfs__trie_own(&w->tries[i], key, &value, &w->bin);

	if (r) {
		ck_assert_int_eq(r, -ENOMEM);
		return;
	}
	ck_assert_ptr_eq(value, model_get(&w->models[i], key));
	if (!value)
		return;
	before = mvfs__mem_thread.allocations;
	if (below(&w->rng, 2)) {
		value = put_new(&w->tries[i], key, &w->values);
		model_put(&w->models[i], value);
	} else {
		ck_assert_int_eq(remove_key(&w->tries[i], key), 0);
		ck_assert(model_remove(&w->models[i], key));
	}
	ck_assert_uint_eq(mvfs__mem_thread.allocations, before);
}

static void step_share(struct world *w, unsigned i)
{
	unsigned to = (unsigned)below(&w->rng, TRIES);

	if (to == i)
		return;
	mvfs__trie_clear(&w->tries[to], &w->bin);
	mvfs__trie_share(&w->tries[i], &w->tries[to]);
	model_copy(&w->models[i], &w->models[to]);
}

static void step_look(struct world *w, unsigned i)
{
	const struct mvfs__trie *trie = &w->tries[i];
	const struct model *m = &w->models[i];
	uint64_t key = random_key(&w->rng, w->sort) + below(&w->rng, 3) - 1;
	size_t at = model_place(m, key);
	bool here = model_get(m, key) != NULL;

	ck_assert_ptr_eq(mvfs__trie_get(trie, key), model_get(m, key));
	ck_assert_ptr_eq(mvfs__trie_next(trie, key),
			 at < m->count ? m->list[at] : NULL);
	ck_assert_ptr_eq(mvfs__trie_prev(trie, key),
			 here ? m->list[at] : at ? m->list[at - 1] : NULL);
	key &= ~UINT64_C(3);
	at = model_place(m, key);
	here = at < m->count && m->list[at]->key >> 2 == key >> 2;
	ck_assert_ptr_eq(mvfs__trie_get4(trie, key), here ? m->list[at] : NULL);
}

/* The rest of both arrays, of which a diff must tell the first difference. */
struct rest {
	const struct model *a, *b;
	size_t at_a, at_b;
};

static void skip_equal(struct rest *rest)
{
	while (rest->at_a < rest->a->count && rest->at_b < rest->b->count &&
	       rest->a->list[rest->at_a] == rest->b->list[rest->at_b]) {
		rest->at_a++;
		rest->at_b++;
	}
}

static int expect(void *arg, struct mvfs__obj *a, struct mvfs__obj *b)
{
	struct rest *rest = arg;
	struct mvfs__obj *next_a, *next_b;

	skip_equal(rest);
	next_a = rest->at_a < rest->a->count ? rest->a->list[rest->at_a] : NULL;
	next_b = rest->at_b < rest->b->count ? rest->b->list[rest->at_b] : NULL;
	ck_assert(next_a || next_b);
	if (next_a && next_b && next_a->key < next_b->key)
		next_b = NULL;
	else if (next_a && next_b && next_a->key > next_b->key)
		next_a = NULL;
	ck_assert_ptr_eq(a, next_a);
	ck_assert_ptr_eq(b, next_b);
	rest->at_a += a != NULL;
	rest->at_b += b != NULL;
	return 0;
}

static void step_diff(struct world *w, unsigned i)
{
	unsigned j = (unsigned)below(&w->rng, TRIES);
	struct rest rest = { &w->models[i], &w->models[j], 0, 0 };

	ck_assert_int_eq(mvfs__trie_diff(&w->tries[i], &w->tries[j], expect,
					 &rest), 0);
	skip_equal(&rest);
	ck_assert_uint_eq(rest.at_a, rest.a->count);
	ck_assert_uint_eq(rest.at_b, rest.b->count);
}

static void step(struct world *w, bool growing)
{
	unsigned i = (unsigned)below(&w->rng, TRIES);
	unsigned what = (unsigned)below(&w->rng, 100);

	if (below(&w->rng, 4) == 0)
		mvfs__mem_fail_at(1 + below(&w->rng, 4));
	if (what < (growing ? 50 : 20))
		step_put(w, i);
	else if (what < 70)
		step_remove(w, i);
	mvfs__mem_fail_at(0);
	if (what >= 70 && what < 80)
		step_own(w, i);
	else if (what >= 80 && what < 88)
		step_share(w, i);
	else if (what >= 88 && what < 92)
		step_diff(w, i);
	else if (what >= 92)
		step_look(w, i);
	mvfs__bin_empty(&w->bin);
}

START_TEST(test_tries_and_their_clones_hold_what_was_put)
{
	struct world w = { .sort = (enum key_sort)_i };
	unsigned steps = STEPS * long_factor();

	w.rng = seed_of_run() + (uint64_t)_i;
	for (unsigned n = 0; n < steps; n++) {
		step(&w, n / 500 % 2 == 0);
		for (unsigned i = 0; i < TRIES; i++)
			model_matches(&w.models[i], &w.tries[i]);
	}
	for (unsigned i = 0; i < TRIES; i++) {
		clear_trie(&w.tries[i]);
		free(w.models[i].list);
	}
	values_end(&w.values);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trie_model");
	TCase *model = tcase_create("model");
	SRunner *runner;
	int failed;

	tcase_set_timeout(model, 600);
	tcase_add_loop_test(model,
			    test_tries_and_their_clones_hold_what_was_put, 0,
			    KEY_SORTS);
	suite_add_tcase(suite, model);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
