/* SPDX-License-Identifier: MIT */
/* Scratch frames: nesting, running out of room, and interruptions. */
#include "config.h"

#include "vfs/mem/scratch.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

#include "tests/core.h"
#include "tests/heap.h"
#include "tests/random.h"

enum { MODES = 2 };

/* Mode 0: a stack; mode 1: as under a sanitizer. */
static void begin(int mode)
{
	mvfs__kept_drop();
	mvfs__kept.keeping = MVFS__KEEPS_UNASKED;
	if (mode)
		mvfs__kept.keeping = MVFS__KEEPS_WATCHED;
	else if (!mvfs__keeps())
		mvfs__kept.keeping = MVFS__KEEPS;
}

static void end(void)
{
	ck_assert_uint_eq(mvfs__kept.scratch.used, 0);
	mvfs__kept_drop();
	mvfs__kept.keeping = MVFS__KEEPS_UNASKED;
	mvfs__kept.room = 0;
}

static bool is_full(const unsigned char *bytes, size_t size, unsigned of)
{
	size_t i;

	for (i = 0; i < size; i++)
		if (bytes[i] != (unsigned char)of)
			return false;
	return true;
}

/* Frames within frames, each with pieces that must stay what they are. */
static void nest(uint64_t *state, unsigned depth)
{
	struct mvfs_scratch frame;
	unsigned char *piece[4];
	size_t size[4];
	unsigned i;

	mvfs_scratch_open(&frame);
	for (i = 0; i < 4; i++) {
		size[i] = below(state, 8) ? below(state, 500) :
					   below(state, 100000);
		piece[i] = mvfs_scratch_alloc(&frame, size[i]);
		must(piece[i] && !((uintptr_t)piece[i] % 16));
		memset(piece[i], (int)(depth * 4 + i), size[i]);
		if (depth && below(state, 2))
			nest(state, depth - 1);
	}
	for (i = 0; i < 4; i++)
		must(is_full(piece[i], size[i], depth * 4 + i));
	mvfs_scratch_close(&frame);
}

START_TEST(test_frames_nest_and_leave_each_other_alone)
{
	uint64_t state = seed_of_run();
	unsigned i;

	begin(_i);
	for (i = 0; i < 100 * long_factor(); i++)
		nest(&state, 5);
	end();
}
END_TEST

static volatile size_t most = SIZE_MAX;

START_TEST(test_zero_bytes_and_too_many)
{
	struct mvfs_scratch frame;
	char *a, *b;

	begin(_i);
	mvfs_scratch_open(&frame);
	a = mvfs_scratch_alloc(&frame, 0);
	b = mvfs_scratch_alloc(&frame, 0);
	ck_assert(a && b && a != b);
	ck_assert_ptr_null(mvfs_scratch_alloc(&frame, most));
	ck_assert_ptr_null(mvfs_scratch_alloc(&frame, most - 15));
	ck_assert_ptr_null(mvfs_scratch_array(&frame, most / 4, 5));
	a = mvfs_scratch_array(&frame, 1000, 8);
	ck_assert_ptr_nonnull(a);
	mvfs_scratch_close(&frame);
	end();
}
END_TEST

START_TEST(test_what_fits_asks_for_no_memory)
{
	struct mvfs_scratch frame;
	uint64_t before = 0, calls = 0;
	int i;

	begin(0);
	for (i = 0; i < 100; i++) {
		mvfs_scratch_open(&frame);
		/* Check's own assertions ask for memory */
		must(mvfs_scratch_alloc(&frame, 64));
		must(mvfs_scratch_alloc(&frame, 60000));
		mvfs_scratch_close(&frame);
		if (!i) {
			before = mvfs__mem_thread.allocations;
			calls = heap_calls();
		}
	}
	calls = heap_calls() - calls;
	ck_assert_uint_eq(mvfs__mem_thread.allocations, before);
	ck_assert_uint_eq(calls, 0);
	end();
}
END_TEST

START_TEST(test_what_does_not_fit_is_freed_with_the_frame)
{
	struct mvfs_scratch frame;
	int64_t live, more, left;
	int i;

	begin(0);
	mvfs_scratch_open(&frame);
	must(mvfs_scratch_alloc(&frame, 1));
	live = heap_live();
	for (i = 0; i < 10; i++)
		must(mvfs_scratch_alloc(&frame, 60000));
	more = heap_live() - live;
	mvfs_scratch_close(&frame);
	left = heap_live() - live;
	if (heap_is_counted())
		ck_assert_int_eq(more, 9);
	ck_assert_int_eq(left, 0);
	end();
}
END_TEST

START_TEST(test_without_memory_for_a_stack_the_heap_serves)
{
	struct mvfs_scratch frame;
	char *a;

	begin(0);
	mvfs_scratch_open(&frame);
	mvfs__mem_fail_at(1);
	a = mvfs_scratch_alloc(&frame, 64);
	ck_assert_ptr_nonnull(a);
	ck_assert_uint_eq(mvfs__kept.scratch.size, 0);
	/* the next one finds a stack */
	ck_assert_ptr_nonnull(mvfs_scratch_alloc(&frame, 64));
	ck_assert_uint_gt(mvfs__kept.scratch.size, 0);
	mvfs__mem_fail_at(1);
	ck_assert_ptr_null(mvfs_scratch_alloc(&frame, 1 << 20));
	memset(a, 1, 64);
	mvfs_scratch_close(&frame);
	end();
}
END_TEST

static volatile sig_atomic_t handled;

static void handle(int number)
{
	struct mvfs_scratch frame;
	void *piece;

	(void)number;
	mvfs_scratch_open(&frame);
	piece = mvfs_scratch_alloc(&frame, 200);
	if (piece)
		memset(piece, 0xff, 200);
	mvfs_scratch_close(&frame);
	handled++;
}

START_TEST(test_a_signal_finds_a_place_behind_what_is_taken)
{
	struct sigaction action = { .sa_handler = handle };
	struct mvfs_scratch frame;
	unsigned char *a, *b;

	begin(0);
	ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
	mvfs_scratch_open(&frame);
	a = mvfs_scratch_alloc(&frame, 100);
	memset(a, 1, 100);
	raise(SIGUSR1);
	b = mvfs_scratch_alloc(&frame, 100);
	memset(b, 2, 100);
	raise(SIGUSR1);
	ck_assert(is_full(a, 100, 1) && is_full(b, 100, 2));
	ck_assert_int_eq(handled, 2);
	mvfs_scratch_close(&frame);
	end();
}
END_TEST

static jmp_buf out;

static void jump_out(void)
{
	struct mvfs_scratch frame;

	mvfs_scratch_open(&frame);
	must(mvfs_scratch_alloc(&frame, 1000));
	longjmp(out, 1);
}

START_TEST(test_a_frame_jumped_over_ends_with_the_outer_one)
{
	struct mvfs_scratch frame;

	begin(0);
	mvfs_scratch_open(&frame);
	ck_assert_ptr_nonnull(mvfs_scratch_alloc(&frame, 10));
	if (!setjmp(out))
		jump_out();
	ck_assert_uint_ge(mvfs__kept.scratch.used, 1000);
	mvfs_scratch_close(&frame);
	end();
}
END_TEST

static void *use_scratch(void *arg)
{
	uint64_t state = *(uint64_t *)arg;

	nest(&state, 3);
	return NULL;
}

START_TEST(test_the_end_of_a_thread_frees_its_stack)
{
	uint64_t state = 5;
	pthread_t thread;
	int64_t live = 0;
	int i;

	begin(0);
	for (i = 0; i < 20; i++) {
		must(!pthread_create(&thread, NULL, use_scratch, &state));
		must(!pthread_join(thread, NULL));
		if (i == 2)
			live = heap_live();
	}
	live = heap_live() - live;
	ck_assert_int_le(live, 2);
	end();
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("scratch");

	tcase_add_loop_test(tests, test_frames_nest_and_leave_each_other_alone,
			    0, MODES);
	tcase_add_loop_test(tests, test_zero_bytes_and_too_many, 0, MODES);
	tcase_add_test(tests, test_what_fits_asks_for_no_memory);
	tcase_add_test(tests, test_what_does_not_fit_is_freed_with_the_frame);
	tcase_add_test(tests, test_without_memory_for_a_stack_the_heap_serves);
	tcase_add_test(tests, test_a_signal_finds_a_place_behind_what_is_taken);
	tcase_add_test(tests,
		       test_a_frame_jumped_over_ends_with_the_outer_one);
	tcase_add_test(tests, test_the_end_of_a_thread_frees_its_stack);
	return core_run("mem scratch", tests);
}
