/* SPDX-License-Identifier: MIT */
/*
 * Strings in several threads: all may look at one buffer at once, and what
 * they find out about it they may write at once. For ThreadSanitizer.
 */
#include "config.h"

#include "vfs/content/string.h"

#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "vfs/text/charset.h"

#define THREADS 4
#define ROUNDS 50
#define PREFIX 3000 /* of ASCII */
#define LENGTH 6000

static uint8_t text[LENGTH];

static struct mvfs__buffer *file(void)
{
	struct mvfs__buffer *b = mvfs__buffer_new(LENGTH);

	ck_assert_ptr_nonnull(b);
	memcpy(mvfs__buffer_bytes(b), text, LENGTH);
	mvfs__buffer_set_used(b, LENGTH);
	return b;
}

/* One reader of a buffer: its reference, its charset, its part. */
struct reader {
	struct mvfs__buffer *buffer;
	const struct mvfs_charset *charset;
	uint64_t length;
	int ret;
	bool same;
};

static void *read_it(void *arg)
{
	struct reader *r = arg;
	struct mvfs_string string, slice;

	r->ret = mvfs__string_from_buffer(r->buffer, 0, r->length, r->charset,
					  0, &string, NULL);
	if (r->ret)
		return NULL;
	slice = mvfs__string_slice(&string, 1, PREFIX - 1);
	mvfs__string_release(&string);
	r->same = slice.len == PREFIX - 1 &&
		  memcmp(slice.data, text + 1, PREFIX - 1) == 0;
	mvfs__string_release(&slice);
	return NULL;
}

START_TEST(test_threads_that_classify_one_buffer_agree)
{
	const struct mvfs_charset *const cs[] = {
		&mvfs__charset_utf8, &mvfs__charset_latin1,
		&mvfs__charset_utf8, &mvfs__charset_gbk
	};
	pthread_t threads[THREADS];
	struct reader readers[THREADS];
	struct mvfs__text_state state;
	struct mvfs__buffer *b;
	int round, i;

	memset(text, 'a', PREFIX);
	for (i = PREFIX; i < LENGTH; i += 3)
		memcpy(text + i, "\xe4\xbd\xa0", 3);
	for (round = 0; round < ROUNDS; round++) {
		b = file();
		for (i = 0; i < THREADS; i++) {
			mvfs__obj_retain(&b->obj);
			readers[i] = (struct reader){
				.buffer = b, .charset = cs[i],
				.length = i == 2 ? PREFIX : LENGTH,
			};
			ck_assert_int_eq(pthread_create(&threads[i], NULL,
							read_it, &readers[i]),
					 0);
		}
		for (i = 0; i < THREADS; i++) {
			ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
			ck_assert_int_eq(readers[i].ret, 0);
			ck_assert(readers[i].same);
		}
		/* one of the answers, each of which is true */
		state = mvfs__buffer_text(b);
		if (state.length == LENGTH)
			ck_assert_int_eq(state.known, MVFS__KNOWN_UTF8);
		else
			ck_assert(state.length == PREFIX &&
				  state.known == MVFS__KNOWN_ASCII);
		mvfs__string_drop(b);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("content: strings in threads");
	TCase *tests = tcase_create("threads");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, test_threads_that_classify_one_buffer_agree);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
