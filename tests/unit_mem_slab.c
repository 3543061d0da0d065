/* SPDX-License-Identifier: MIT */
/*
 * The slab allocator itself, whichever the library was built with: sizes,
 * who frees for whom, what is given back, and a random run in four threads.
 */
#include "config.h"

#include "vfs/mem/slab.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tests/child.h"
#include "tests/core.h"
#include "tests/random.h"
#include "vfs/mem/slab_pool.h"

#define MANY 200000u
#define NODE 136u /* the size of most */
#define THREADS 4
#define HELD 400u
#define STEPS 60000u

struct block {
	void *ptr;
	size_t size;
	unsigned char pattern;
};

static void *run(void *fn(void *), void *arg)
{
	pthread_t thread;
	void *result;

	ck_assert_int_eq(pthread_create(&thread, NULL, fn, arg), 0);
	ck_assert_int_eq(pthread_join(thread, &result), 0);
	return result;
}

/* MANY blocks of NODE bytes in a list of pointers. */
static void *fill(void *arg)
{
	void **list = arg;

	for (unsigned n = 0; n < MANY; n++) {
		list[n] = mvfs__slab_alloc(NODE);
		if (!list[n])
			abort();
		memset(list[n], (int)(n % 251), NODE);
	}
	return NULL;
}

/* From both ends, so that it is not the order in which they were made. */
static void *empty(void *arg)
{
	void **list = arg;

	for (unsigned n = 0; n < MANY / 2; n++) {
		mvfs__slab_free(list[n], NODE);
		mvfs__slab_free(list[MANY - 1 - n], NODE);
	}
	return NULL;
}

static void **new_list(void)
{
	void **list = calloc(MANY, sizeof(*list));

	ck_assert_ptr_nonnull(list);
	return list;
}

static void ck_filled(void **list)
{
	for (unsigned n = 0; n < MANY; n++) {
		const unsigned char *bytes = list[n];

		must(bytes[0] == n % 251);
		must(bytes[NODE - 1] == n % 251);
	}
}

START_TEST(test_every_size_is_aligned_and_apart_from_the_others)
{
	unsigned char *blocks[MVFS__SLAB_MAX + 20];
	size_t most = MVFS__SLAB_MAX + 20;

	for (size_t size = 1; size < most; size++) {
		uintptr_t align = size % 16 ? 8 : 16;

		blocks[size] = mvfs__slab_alloc(size);
		ck_assert_ptr_nonnull(blocks[size]);
		ck_assert_uint_eq((uintptr_t)blocks[size] % align, 0);
		memset(blocks[size], (int)(size % 251), size);
	}
	for (size_t size = 1; size < most; size++) {
		for (size_t n = 0; n < size; n++)
			must(blocks[size][n] == size % 251);
		mvfs__slab_free(blocks[size], size);
	}
}
END_TEST

START_TEST(test_fill_is_what_fits_into_the_same_block)
{
	for (size_t size = 1; size <= MVFS__SLAB_MAX; size++) {
		size_t fill_size = mvfs__slab_fill(size);

		ck_assert_uint_ge(fill_size, size);
		ck_assert_uint_lt(fill_size, size + 16);
		ck_assert_uint_eq(mvfs__slab_fill(fill_size), fill_size);
	}
}
END_TEST

START_TEST(test_freed_memory_is_used_again)
{
	void *first = mvfs__slab_alloc(NODE);

	mvfs__slab_free(first, NODE);
	ck_assert_ptr_eq(mvfs__slab_alloc(NODE), first);
	mvfs__slab_free(first, NODE);
}
END_TEST

START_TEST(test_the_nth_allocation_fails_and_no_other)
{
	void *a, *b;

	mvfs__mem_fail_at(2);
	a = mvfs__slab_alloc(NODE);
	ck_assert_ptr_null(mvfs__slab_alloc(NODE));
	b = mvfs__slab_alloc(MVFS__SLAB_MAX + 1);
	mvfs__slab_free(a, NODE);
	mvfs__slab_free(b, MVFS__SLAB_MAX + 1);
	mvfs__mem_fail_at(1);
	ck_assert_ptr_null(mvfs__slab_alloc(MVFS__SLAB_MAX + 1));
}
END_TEST

START_TEST(test_regions_are_given_back)
{
	unsigned before = mvfs__pool_regions();
	void **list = new_list();

	fill(list);
	ck_assert_uint_ge(mvfs__pool_regions(), before + 12);
	ck_filled(list);
	empty(list);
	ck_assert_uint_le(mvfs__pool_regions(), before + 2);
	free(list);
}
END_TEST

/* Many sizes, each of which allocates in a span of its own. */
START_TEST(test_no_size_keeps_a_region_for_itself)
{
	unsigned before = mvfs__pool_regions();
	void **list = new_list();
	unsigned n = 0;

	for (size_t size = 8; size <= MVFS__SLAB_MAX; size += 8)
		for (unsigned i = 0; i < MANY / 100; i++)
			list[n++] = mvfs__slab_alloc(size);
	ck_assert_uint_ge(mvfs__pool_regions(), before + 12);
	n = 0;
	for (size_t size = 8; size <= MVFS__SLAB_MAX; size += 8)
		for (unsigned i = 0; i < MANY / 100; i++)
			mvfs__slab_free(list[n++], size);
	ck_assert_uint_le(mvfs__pool_regions(), before + 2);
	free(list);
}
END_TEST

START_TEST(test_what_an_ended_thread_left_is_given_back)
{
	unsigned before = mvfs__pool_regions();
	void **list = new_list();

	run(fill, list);
	ck_filled(list);
	empty(list);
	ck_assert_uint_le(mvfs__pool_regions(), before + 2);
	free(list);
}
END_TEST

START_TEST(test_what_others_free_is_used_again)
{
	void **list = new_list();
	unsigned regions;

	fill(list);
	regions = mvfs__pool_regions();
	for (unsigned round = 0; round < 4; round++) {
		run(empty, list);
		fill(list);
		ck_filled(list);
		ck_assert_uint_le(mvfs__pool_regions(), regions + 2);
	}
	empty(list);
	free(list);
}
END_TEST

START_TEST(test_threads_that_follow_each_other_use_the_same_memory)
{
	void **list = new_list();
	unsigned regions;

	run(fill, list);
	regions = mvfs__pool_regions();
	for (unsigned round = 0; round < 4; round++) {
		run(empty, list);
		run(fill, list);
		ck_filled(list);
		ck_assert_uint_le(mvfs__pool_regions(), regions + 2);
	}
	run(empty, list);
	free(list);
}
END_TEST

/* What the random threads give each other to free. */
static struct {
	pthread_mutex_t mutex;
	struct block blocks[HELD];
	unsigned count;
} shelf = { .mutex = PTHREAD_MUTEX_INITIALIZER };

static unsigned end_block(struct block *block)
{
	const unsigned char *bytes = block->ptr;
	unsigned wrong = 0;

	for (size_t n = 0; n < block->size; n++)
		wrong += bytes[n] != block->pattern;
	mvfs__slab_free(block->ptr, block->size);
	block->ptr = NULL;
	return wrong;
}

static void new_block(struct block *block, uint64_t *rng)
{
	block->size = 1 + below(rng, MVFS__SLAB_MAX + 8);
	if (below(rng, 2))
		block->size = NODE;
	block->pattern = (unsigned char)below(rng, 256);
	block->ptr = mvfs__slab_alloc(block->size);
	if (!block->ptr)
		abort();
	memset(block->ptr, block->pattern, block->size);
}

/* Swaps the block with one that, mostly, another thread made. */
static void exchange(struct block *block, uint64_t *rng)
{
	struct block *other, mine = *block;

	pthread_mutex_lock(&shelf.mutex);
	if (shelf.count < HELD)
		other = &shelf.blocks[shelf.count++];
	else
		other = &shelf.blocks[below(rng, HELD)];
	*block = *other;
	*other = mine;
	pthread_mutex_unlock(&shelf.mutex);
}

static void *random_steps(void *arg)
{
	struct block held[HELD] = { 0 };
	uint64_t rng = *(uint64_t *)arg;
	uintptr_t wrong = 0;

	for (unsigned n = 0; n < STEPS; n++) {
		struct block *block = &held[below(&rng, HELD)];

		if (!block->ptr)
			new_block(block, &rng);
		else if (below(&rng, 2))
			exchange(block, &rng);
		else
			wrong += end_block(block);
	}
	for (unsigned n = 0; n < HELD; n++)
		if (held[n].ptr && n % 2)
			exchange(&held[n], &rng);
	for (unsigned n = 0; n < HELD; n++)
		if (held[n].ptr)
			wrong += end_block(&held[n]);
	return (void *)wrong;
}

START_TEST(test_random_threads_never_see_each_other_s_bytes)
{
	uint64_t seed = seed_of_run(), seeds[THREADS];
	pthread_t threads[THREADS];
	void *wrong;

	for (unsigned round = 0; round < 3; round++) {
		for (unsigned n = 0; n < THREADS; n++) {
			seeds[n] = seed + round * THREADS + n;
			ck_assert_int_eq(pthread_create(&threads[n], NULL,
							random_steps,
							&seeds[n]), 0);
		}
		for (unsigned n = 0; n < THREADS; n++) {
			ck_assert_int_eq(pthread_join(threads[n], &wrong), 0);
			ck_assert_ptr_null(wrong);
		}
	}
	while (shelf.count) {
		struct block *block = &shelf.blocks[--shelf.count];

		if (block->ptr)
			ck_assert_uint_eq(end_block(block), 0);
	}
	ck_assert_uint_le(mvfs__pool_regions(), 6);
}
END_TEST

static atomic_bool stop;

static void *alloc_and_free(void *arg)
{
	while (!atomic_load(&stop)) {
		void *blocks[1000];

		for (unsigned n = 0; n < 1000; n++)
			blocks[n] = mvfs__slab_alloc(MVFS__SLAB_MAX);
		for (unsigned n = 0; n < 1000; n++)
			mvfs__slab_free(blocks[n], MVFS__SLAB_MAX);
	}
	return arg;
}

/*
 * Another thread is in the pool most of the time. The child ends by a signal:
 * leak checkers would complain of the thread that it does not have.
 */
START_TEST(test_child_of_a_fork_allocates_and_frees)
{
	void **list = new_list();
	pthread_t thread;
	int status;

	fill(list);
	ck_assert_int_eq(pthread_create(&thread, NULL, alloc_and_free, NULL),
			 0);
	for (unsigned n = 0; n < 10; n++) {
		pid_t child = fork();

		if (!child) {
			child_begin();
			empty(list);
			fill(list);
			empty(list);
			raise(SIGKILL);
		}
		ck_assert_int_eq(waitpid(child, &status, 0), child);
		ck_assert(WIFSIGNALED(status));
		ck_assert(WTERMSIG(status) == SIGKILL || child_hung(status));
	}
	atomic_store(&stop, true);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_filled(list);
	empty(list);
	free(list);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("slab");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests,
		       test_every_size_is_aligned_and_apart_from_the_others);
	tcase_add_test(tests, test_fill_is_what_fits_into_the_same_block);
	tcase_add_test(tests, test_freed_memory_is_used_again);
	tcase_add_test(tests, test_the_nth_allocation_fails_and_no_other);
	tcase_add_test(tests, test_regions_are_given_back);
	tcase_add_test(tests, test_no_size_keeps_a_region_for_itself);
	tcase_add_test(tests, test_what_an_ended_thread_left_is_given_back);
	tcase_add_test(tests, test_what_others_free_is_used_again);
	tcase_add_test(tests,
		       test_threads_that_follow_each_other_use_the_same_memory);
	tcase_add_test(tests,
		       test_random_threads_never_see_each_other_s_bytes);
	tcase_add_test(tests, test_child_of_a_fork_allocates_and_frees);
	return core_run("slab", tests);
}
