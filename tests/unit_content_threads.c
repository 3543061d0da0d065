/* SPDX-License-Identifier: MIT */
/*
 * A content that one thread changes while others read what they took
 * references to, without the lock: for ThreadSanitizer, and for the bytes,
 * which stay what they were. Every block of the file is of one byte.
 */
#include "config.h"

#include <pthread.h>

#include "content_model.h"

#define READERS 3
#define BLOCKS 64u

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct mvfs__content file;
static _Atomic bool ended;
static _Atomic unsigned torn; /* blocks; Check's asserts are for one thread */

static void check_uniform(const uint8_t *bytes, uint64_t length)
{
	for (uint64_t at = 0; at < length; at += MVFS__BLOCK)
		if (memcmp(bytes + at, bytes + at + 1, MVFS__BLOCK - 1))
			torn++;
}

/* As a read(2) is made: references under the lock, bytes outside. */
static void read_extents(struct mvfs__bin *bin)
{
	struct mvfs__extent extents[BLOCKS];
	uint64_t covered;
	size_t count;

	pthread_rwlock_rdlock(&lock);
	count = mvfs__content_extents(&file, 0, BLOCKS * MVFS__BLOCK, extents,
				      BLOCKS, &covered);
	pthread_rwlock_unlock(&lock);
	for (size_t i = 0; i < count; i++) {
		if (!extents[i].buffer)
			continue;
		if (extents[i].length % MVFS__BLOCK == 0)
			check_uniform(extents[i].bytes, extents[i].length);
		mvfs__obj_drop(&extents[i].buffer->obj, bin);
	}
	mvfs__bin_empty(bin);
}

/* As a string is: a share, gathered outside, put in the file's place. */
static void read_string(struct mvfs__bin *bin)
{
	struct mvfs__text_state text = { 0, MVFS__KNOWN_ASCII };
	struct mvfs__content share;
	struct mvfs__buffer *gathered;

	pthread_rwlock_rdlock(&lock);
	mvfs__content_share(&file, &share);
	pthread_rwlock_unlock(&lock);
	gathered = mvfs__content_gather(&share);
	check_uniform(mvfs__buffer_bytes(gathered), share.size);
	text.length = share.size;
	mvfs__buffer_set_text(gathered, text);
	pthread_rwlock_wrlock(&lock);
	mvfs__content_install(&file, &share, gathered, bin);
	pthread_rwlock_unlock(&lock);
	check_uniform(mvfs__buffer_bytes(gathered), share.size);
	mvfs__content_clear(&share, bin);
	mvfs__obj_drop(&gathered->obj, bin);
	mvfs__bin_empty(bin);
}

static void *reader(void *unused)
{
	struct mvfs__bin bin = MVFS__BIN_INIT;

	(void)unused;
	while (!ended) {
		read_extents(&bin);
		read_string(&bin);
	}
	return NULL;
}

static void change(uint64_t *seed, struct mvfs__bin *bin)
{
	static uint8_t bytes[BLOCKS * MVFS__BLOCK];
	uint64_t first = below(seed, BLOCKS);
	uint64_t count = 1 + below(seed, BLOCKS - first);
	struct mvfs__piece piece = { bytes, (size_t)count * MVFS__BLOCK };
	uint64_t offset = first * MVFS__BLOCK;

	if (below(seed, 2))
		piece.length = MVFS__BLOCK;
	memset(bytes, (int)below(seed, 128), piece.length);
	pthread_rwlock_wrlock(&lock);
	switch (below(seed, 8)) {
	case 0:
		mvfs__content_truncate(&file, offset, bin);
		break;
	case 1:
		mvfs__content_punch(&file, offset, piece.length, bin);
		break;
	default:
		mvfs__content_write(&file, offset, &piece, 1, piece.length,
				    bin);
	}
	pthread_rwlock_unlock(&lock);
	mvfs__bin_empty(bin);
}

START_TEST(test_readers_outside_the_lock_see_bytes_that_do_not_change)
{
	struct mvfs__bin bin = MVFS__BIN_INIT;
	uint64_t seed = seed_of_run();
	pthread_t threads[READERS];

	mvfs__content_init(&file);
	for (unsigned i = 0; i < READERS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, reader,
						NULL), 0);
	for (unsigned i = 0; i < 2000 * long_factor(); i++)
		change(&seed, &bin);
	ended = true;
	for (unsigned i = 0; i < READERS; i++)
		pthread_join(threads[i], NULL);
	ck_assert_uint_eq(torn, 0);
	mvfs__content_check(&file);
	mvfs__content_clear(&file, &bin);
	mvfs__bin_empty(&bin);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("content_threads");
	TCase *tc = tcase_create("readers");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tc, 300);
	tcase_add_test(tc,
		test_readers_outside_the_lock_see_bytes_that_do_not_change);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
