/* SPDX-License-Identifier: MIT */
/*
 * What the tests of the trie share: values that can be told apart, a map
 * that is a sorted array, so plainly right, and random keys of each sort.
 */
#ifndef TESTS_TRIE_MODEL_H
#define TESTS_TRIE_MODEL_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/random.h"
#include "vfs/mem/mem.h"
#include "vfs/trie/trie.h"

/*
 * All values that a test has made, with a reference to each: so none is
 * freed too early unnoticed, and at the end each must have just this one.
 */
struct values {
	struct mvfs__obj **list;
	size_t count, room;
};

static inline struct mvfs__obj *value_new(struct values *values, uint64_t key)
{
	struct mvfs__obj *obj = malloc(sizeof(*obj));

	must(obj);
	mvfs__obj_init(obj, MVFS__PLAIN);
	obj->key = key;
	mvfs__obj_retain(obj);
	if (values->count == values->room) {
		values->room = values->room ? 2 * values->room : 64;
		values->list = realloc(values->list, values->room *
						     sizeof(*values->list));
		must(values->list);
	}
	values->list[values->count++] = obj;
	return obj;
}

/* Takes back the last value, which nothing has taken over. */
static inline void value_undo(struct values *values)
{
	struct mvfs__obj *obj = values->list[--values->count];

	ck_assert_uint_eq(atomic_load(&obj->refs), 2);
	free(obj);
}

static inline void values_end(struct values *values)
{
	for (size_t i = 0; i < values->count; i++) {
		must(atomic_load(&values->list[i]->refs) == 1);
		free(values->list[i]);
	}
	free(values->list);
	*values = (struct values){ 0 };
}

/* Puts a new value that cannot fail. */
static inline struct mvfs__obj *put_new(struct mvfs__trie *trie, uint64_t key,
					struct values *values)
{
	struct mvfs__obj *value = value_new(values, key);
	struct mvfs__bin bin = MVFS__BIN_INIT;

	must(mvfs__trie_put(trie, value, &bin) == 0);
	mvfs__bin_empty(&bin);
	return value;
}

static inline int remove_key(struct mvfs__trie *trie, uint64_t key)
{
	struct mvfs__bin bin = MVFS__BIN_INIT;
	int r = mvfs__trie_remove(trie, key, &bin);

	mvfs__bin_empty(&bin);
	return r;
}

static inline void clear_trie(struct mvfs__trie *trie)
{
	struct mvfs__bin bin = MVFS__BIN_INIT;

	mvfs__trie_clear(trie, &bin);
	mvfs__bin_empty(&bin);
	ck_assert(trie->root == 0 && trie->count == 0 && trie->height == 0);
}

/* The model: values in the order of their keys. */
struct model {
	struct mvfs__obj **list;
	size_t count;
};

/* The index of the first key that is not smaller. */
static inline size_t model_place(const struct model *model, uint64_t key)
{
	size_t i = 0;

	while (i < model->count && model->list[i]->key < key)
		i++;
	return i;
}

static inline struct mvfs__obj *model_get(const struct model *model,
					  uint64_t key)
{
	size_t i = model_place(model, key);

	if (i == model->count || model->list[i]->key != key)
		return NULL;
	return model->list[i];
}

static inline void model_put(struct model *model, struct mvfs__obj *value)
{
	size_t i = model_place(model, value->key);

	if (i < model->count && model->list[i]->key == value->key) {
		model->list[i] = value;
		return;
	}
	model->list = realloc(model->list,
			      (model->count + 1) * sizeof(*model->list));
	must(model->list);
	memmove(model->list + i + 1, model->list + i,
		(model->count - i) * sizeof(*model->list));
	model->list[i] = value;
	model->count++;
}

static inline bool model_remove(struct model *model, uint64_t key)
{
	size_t i = model_place(model, key);

	if (!model_get(model, key))
		return false;
	model->count--;
	memmove(model->list + i, model->list + i + 1,
		(model->count - i) * sizeof(*model->list));
	return true;
}

static inline void model_copy(const struct model *from, struct model *to)
{
	free(to->list);
	to->list = malloc((from->count + 1) * sizeof(*to->list));
	must(to->list);
	if (from->count)
		memcpy(to->list, from->list,
		       from->count * sizeof(*to->list));
	to->count = from->count;
}

/* The trie holds what the model does, in that order, and is well-formed. */
static inline void model_matches(const struct model *model,
				 const struct mvfs__trie *trie)
{
	struct mvfs__obj *value = mvfs__trie_next(trie, 0);

	mvfs__trie_check(trie);
	must(trie->count == model->count);
	for (size_t i = 0; i < model->count; i++) {
		must(value == model->list[i]);
		if (value->key == UINT64_MAX)
			value = NULL;
		else
			value = mvfs__trie_next(trie, value->key + 1);
	}
	must(!value);
}

/* Each sort makes another shape of trie. */
enum key_sort {
	KEYS_DENSE,   /* as inode numbers are */
	KEYS_HASHED,  /* as those of names are */
	KEYS_PREFIX,  /* equal down to some level, then not */
	KEYS_EXTREME, /* about the powers of 64, 0 and the largest */
	KEYS_MIXED,
	KEY_SORTS
};

static inline uint64_t random_key(uint64_t *state, enum key_sort sort)
{
	uint64_t n = below(state, 150);

	switch (sort) {
	case KEYS_DENSE:
		return n;
	case KEYS_HASHED:
		return rng(&n);
	case KEYS_PREFIX:
		return UINT64_C(0x0123456789abcdef) ^
		       (n & 7) << (n / 8 % 11 * 6) >> (n & 1);
	case KEYS_EXTREME:
		if (n == 0)
			return UINT64_MAX;
		return (UINT64_C(1) << (n % 11 * 6)) + n / 11 % 4 - 2;
	default:
		return random_key(state, (enum key_sort)(n % KEYS_MIXED));
	}
}

#endif
