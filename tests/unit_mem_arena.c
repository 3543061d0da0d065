/* SPDX-License-Identifier: MIT */
/*
 * Arenas from the inside: what they give, what a thread keeps, and what is
 * left when memory or the thread ends. Each rule is held where chunks are
 * kept and where every piece is malloc's, whichever the library would choose.
 */
#include "config.h"

#include "vfs/mem/arena.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/core.h"
#include "tests/heap.h"
#include "tests/random.h"
#include "vfs/mem/watched.h"

enum { MODES = 2 };

/* Mode 0: chunks; mode 1: as under a sanitizer. */
static void begin(int mode)
{
	mvfs__kept_drop();
	mvfs__kept.keeping = MVFS__KEEPS_UNASKED;
	if (mode) {
		mvfs__kept.keeping = MVFS__KEEPS_WATCHED;
		mvfs__kept.room = 0;
	} else if (!mvfs__keeps()) {
		mvfs__kept.keeping = MVFS__KEEPS;
		mvfs__kept.room = MVFS__ARENA_KEPT;
	}
}

static void end(void)
{
	mvfs__kept_drop();
	mvfs__kept.keeping = MVFS__KEEPS_UNASKED;
	mvfs__kept.room = 0;
}

static bool is_zero(const unsigned char *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

static const size_t sizes[] = {
	0, 1, 5, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 500,
	2000, 4079, 4080, 4081, 8000, MVFS__CHUNK_ROOM - 1, MVFS__CHUNK_ROOM,
	MVFS__CHUNK_ROOM + 1, 65536, 100000, 1 << 20
};
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };

START_TEST(test_pieces_are_zero_and_aligned_whatever_was_there)
{
	struct mvfs_arena arena = MVFS_ARENA_INIT;
	unsigned char *piece;
	int round, i;

	begin(_i);
	for (round = 0; round < 3; round++) {
		for (i = 0; i < SIZES; i++) {
			piece = mvfs_arena_alloc(&arena, sizes[i]);
			ck_assert_ptr_nonnull(piece);
			ck_assert_uint_eq((uintptr_t)piece % 16, 0);
			must(is_zero(piece, sizes[i]));
			memset(piece, 0xa5, sizes[i]);
			if (round == 1) /* each in an arena of its own */
				mvfs_arena_close(&arena);
		}
		mvfs_arena_close(&arena);
	}
	end();
}
END_TEST

START_TEST(test_zero_bytes_have_an_address_of_their_own)
{
	struct mvfs_arena arena;
	char *a, *b, *c;

	begin(_i);
	mvfs_arena_open(&arena);
	a = mvfs_arena_alloc(&arena, 0);
	b = mvfs_arena_alloc(&arena, 0);
	c = mvfs_arena_alloc(&arena, 1);
	ck_assert_ptr_nonnull(a);
	ck_assert_ptr_nonnull(b);
	ck_assert(a != b && b != c && a != c);
	ck_assert_ptr_nonnull(mvfs_arena_array(&arena, 0, 8));
	ck_assert_ptr_nonnull(mvfs_arena_array(&arena, 8, 0));
	ck_assert_ptr_nonnull(mvfs_arena_memdup(&arena, NULL, 0));
	ck_assert_str_eq(mvfs_arena_strndup(&arena, NULL, 0), "");
	mvfs_arena_close(&arena);
	end();
}
END_TEST

/* Not a constant, so that no compiler warns of it. */
static volatile size_t most = SIZE_MAX;

START_TEST(test_what_cannot_be_addressed_is_refused_and_harms_nothing)
{
	struct mvfs_arena arena = MVFS_ARENA_INIT;
	size_t less;
	char *a;

	begin(_i);
	a = mvfs_arena_strndup(&arena, "kept!", 4);
	for (less = 0; less < 200; less++) {
		ck_assert_ptr_null(mvfs_arena_alloc(&arena, most - less));
		ck_assert_ptr_null(mvfs_arena_aligned(&arena, most - less,
						      4096));
	}
	ck_assert_ptr_null(mvfs_arena_alloc(&arena, most / 2 + 1));
	ck_assert_ptr_null(mvfs_arena_array(&arena, most / 8, 9));
	ck_assert_ptr_null(mvfs_arena_array(&arena, 3, most / 2));
	ck_assert_ptr_null(mvfs_arena_aligned(&arena, 8, most / 2 + 1));
	ck_assert_ptr_null(mvfs_arena_strndup(&arena, "", most));
	ck_assert_ptr_null(mvfs_arena_aligned(&arena, 8, 0));
	ck_assert_ptr_null(mvfs_arena_aligned(&arena, 8, 24));
	ck_assert_str_eq(a, "kept");
	ck_assert_ptr_nonnull(mvfs_arena_alloc(&arena, 100));
	mvfs_arena_close(&arena);
	end();
}
END_TEST

START_TEST(test_any_alignment_is_given)
{
	struct mvfs_arena arena = MVFS_ARENA_INIT;
	unsigned char *piece;
	size_t align;
	int round, i;

	begin(_i);
	for (round = 0; round < 2; round++) {
		for (align = 1; align <= 2 << 20; align *= 2)
			for (i = 0; i < SIZES; i += 3) {
				piece = mvfs_arena_aligned(&arena, sizes[i],
							   align);
				ck_assert_ptr_nonnull(piece);
				must(!((uintptr_t)piece & (align - 1)));
				must(is_zero(piece, sizes[i]));
				memset(piece, 0x5a, sizes[i]);
				mvfs_arena_strndup(&arena, "abc", 3)[0] = 'x';
			}
		mvfs_arena_close(&arena);
	}
	end();
}
END_TEST

START_TEST(test_copies_are_copies)
{
	struct mvfs_arena arena = MVFS_ARENA_INIT;
	const char text[] = "one two";

	begin(_i);
	ck_assert_mem_eq(mvfs_arena_memdup(&arena, text, sizeof(text)), text,
			 sizeof(text));
	ck_assert_str_eq(mvfs_arena_strndup(&arena, text, 3), "one");
	mvfs_arena_close(&arena);
	end();
}
END_TEST

/* One piece of every kind, as far as memory allows. */
static unsigned try_all(struct mvfs_arena *arena)
{
	unsigned failed = 0;
	int i;

	for (i = 0; i < SIZES; i++)
		failed += !mvfs_arena_alloc(arena, sizes[i]);
	failed += !mvfs_arena_aligned(arena, 100, 64);
	failed += !mvfs_arena_aligned(arena, 5000, 4096);
	failed += !mvfs_arena_memdup(arena, "x", 1);
	failed += !mvfs_arena_strndup(arena, "x", 1);
	return failed;
}

START_TEST(test_without_memory_there_is_null_and_the_arena_goes_on)
{
	struct mvfs_arena arena = MVFS_ARENA_INIT;
	uint64_t n, before;
	char *kept;

	for (n = 1;; n++) {
		begin(_i);
		kept = mvfs_arena_strndup(&arena, "kept", 4);
		before = mvfs__mem_thread.fail_failed;
		mvfs__mem_fail_at(n);
		ck_assert_uint_eq(try_all(&arena),
				  mvfs__mem_thread.fail_failed - before);
		mvfs__mem_fail_at(0);
		ck_assert_str_eq(kept, "kept");
		ck_assert_uint_eq(try_all(&arena), 0);
		mvfs_arena_close(&arena);
		if (before == mvfs__mem_thread.fail_failed)
			break;
		end();
	}
	ck_assert_uint_gt(n, 5);
	end();
}
END_TEST

START_TEST(test_small_arenas_in_turn_ask_for_no_memory)
{
	struct mvfs_arena arena, inner;
	uint64_t asked = 0, before, calls = 0;
	int i;

	begin(0);
	for (i = 0; i < 100; i++) {
		before = mvfs__mem_thread.allocations;
		if (i == 1)
			calls = heap_calls();
		mvfs_arena_open(&arena);
		mvfs_arena_open(&inner);
		/* Check's own assertions ask for memory */
		must(mvfs_arena_alloc(&arena, 100) &&
		     mvfs_arena_alloc(&arena, 10000) &&
		     mvfs_arena_alloc(&inner, 8000) &&
		     mvfs_arena_alloc(&arena, 65536));
		mvfs_arena_close(&arena);
		mvfs_arena_close(&inner);
		if (i)
			asked += mvfs__mem_thread.allocations - before;
	}
	calls = heap_calls() - calls;
	ck_assert_uint_eq(asked, 0);
	ck_assert_uint_eq(calls, 0);
	end();
}
END_TEST

START_TEST(test_a_thread_keeps_a_few_chunks_and_no_more)
{
	struct mvfs_arena arena = MVFS_ARENA_INIT;
	int64_t live, kept, left;
	int i;

	begin(0);
	live = heap_live();
	for (i = 0; i < 1000; i++)
		must(mvfs_arena_alloc(&arena, 3000));
	mvfs_arena_close(&arena);
	kept = heap_live() - live;
	must(mvfs__kept.hot_free && !mvfs__kept.room);
	mvfs__kept_drop();
	left = heap_live() - live;
	if (heap_is_counted())
		ck_assert_int_eq(kept, MVFS__ARENA_KEPT + 1);
	ck_assert_int_eq(left, 0);
	end();
}
END_TEST

/* A chunk that was handed to another thread and freed there, and whose
 * address malloc has given to a smaller block. */
START_TEST(test_what_lies_where_a_chunk_was_is_no_chunk)
{
	struct mvfs_arena arena = MVFS_ARENA_INIT;

	begin(0);
	ck_assert_ptr_nonnull(mvfs_arena_alloc(&arena, MVFS__CHUNK));
	mvfs__kept.hot = arena.blocks;
	mvfs_arena_close(&arena);
	ck_assert(!mvfs__kept.hot_free);
	mvfs__kept.hot = NULL;
	ck_assert_ptr_nonnull(mvfs_arena_alloc(&arena, MVFS__CHUNK_ROOM));
	mvfs_arena_close(&arena);
	end();
}
END_TEST

enum { ARENAS = 4000 };

START_TEST(test_thousands_of_arenas_are_open_at_once)
{
	static struct mvfs_arena arena[ARENAS];
	static unsigned *piece[ARENAS];
	unsigned i, round;

	begin(_i);
	for (round = 0; round < 20; round++)
		for (i = 0; i < ARENAS; i++) {
			if (round)
				must(piece[i][99] == i);
			piece[i] = mvfs_arena_array(&arena[i], 100,
						    sizeof(unsigned));
			must(piece[i] && !piece[i][99]);
			piece[i][99] = i;
		}
	for (i = 0; i < ARENAS; i++)
		mvfs_arena_close(&arena[i * 7 % ARENAS]);
	end();
}
END_TEST

/* What a random arena holds: each piece full of its own byte. */
struct model {
	struct mvfs_arena arena;
	unsigned char *piece[40];
	size_t size[40];
	unsigned count;
};

static void check_model(const struct model *m)
{
	unsigned i;
	size_t at;

	for (i = 0; i < m->count; i++)
		for (at = 0; at < m->size[i]; at++)
			must(m->piece[i][at] == (unsigned char)(i + 1));
}

static void add_piece(struct model *m, uint64_t *state)
{
	size_t size = below(state, 4) ? below(state, 300) :
				       below(state, 20000);
	size_t align = (size_t)1 << below(state, 13);
	unsigned n = m->count++;

	m->size[n] = size;
	m->piece[n] = below(state, 3) ?
		mvfs_arena_alloc(&m->arena, size) :
		mvfs_arena_aligned(&m->arena, size, align);
	must(m->piece[n] && is_zero(m->piece[n], size));
	memset(m->piece[n], (int)(n + 1), size);
}

START_TEST(test_no_two_pieces_overlap)
{
	static struct model models[8];
	uint64_t state = seed_of_run();
	struct model *m;
	unsigned i, steps = 4000 * long_factor();

	begin(_i);
	for (i = 0; i < steps; i++) {
		m = &models[below(&state, 8)];
		if (m->count < 40 && below(&state, 20)) {
			add_piece(m, &state);
			continue;
		}
		check_model(m);
		mvfs_arena_close(&m->arena);
		m->count = 0;
	}
	for (i = 0; i < 8; i++) {
		check_model(&models[i]);
		mvfs_arena_close(&models[i].arena);
		models[i].count = 0;
	}
	end();
}
END_TEST

static void *use_many(void *arg)
{
	struct mvfs_arena *handed = arg, arena = MVFS_ARENA_INIT;
	int i;

	for (i = 0; i < 50; i++)
		must(mvfs_arena_alloc(&arena, 5000));
	mvfs_arena_close(&arena);
	/* came from another thread, and goes back with what this one adds */
	mvfs_arena_close(&handed[0]);
	must(mvfs_arena_alloc(&handed[1], 500));
	return NULL;
}

START_TEST(test_the_end_of_a_thread_frees_what_it_kept)
{
	struct mvfs_arena handed[2] = { MVFS_ARENA_INIT, MVFS_ARENA_INIT };
	pthread_t thread;
	int64_t live = 0;
	int i;

	begin(0);
	for (i = 0; i < 20; i++) {
		must(mvfs_arena_alloc(&handed[0], 100));
		must(!pthread_create(&thread, NULL, use_many, handed));
		must(!pthread_join(thread, NULL));
		mvfs_arena_close(&handed[1]);
		/* the C library keeps stacks, too, from the first on */
		if (i == 2)
			live = heap_live();
	}
	/* nothing but what came with the arenas that were handed over */
	live = heap_live() - live;
	ck_assert_int_le(live, MVFS__ARENA_KEPT);
	mvfs__kept_drop();
	end();
}
END_TEST

static pthread_key_t late;

/* Runs when the thread has already given back what it kept. */
static void use_late(void *arg)
{
	struct mvfs_arena arena = MVFS_ARENA_INIT;
	int i;

	for (i = 0; i < 40; i++)
		must(mvfs_arena_alloc(&arena, 5000));
	mvfs_arena_close(&arena);
	if (arg == &late)
		pthread_setspecific(late, &arena);
}

static void *end_late(void *arg)
{
	use_late(NULL);
	pthread_setspecific(late, arg);
	return NULL;
}

START_TEST(test_destructors_of_a_thread_may_use_arenas)
{
	pthread_t thread;
	int64_t live = 0;
	int i;

	begin(0);
	ck_assert_int_eq(pthread_key_create(&late, use_late), 0);
	for (i = 0; i < 20; i++) {
		must(!pthread_create(&thread, NULL, end_late, &late));
		must(!pthread_join(thread, NULL));
		if (i == 2)
			live = heap_live();
	}
	live = heap_live() - live;
	ck_assert_int_le(live, 2);
	pthread_key_delete(late);
	end();
}
END_TEST

START_TEST(test_a_forked_child_has_its_own_copy)
{
	struct mvfs_arena arena = MVFS_ARENA_INIT;
	char *text, *more;
	int status;
	pid_t pid;

	begin(_i);
	text = mvfs_arena_strndup(&arena, "before", 6);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		more = mvfs_arena_alloc(&arena, 10000);
		if (!more || strcmp(text, "before"))
			_exit(1);
		memcpy(text, "after!", 6);
		mvfs_arena_close(&arena);
		text = mvfs_arena_alloc(&arena, 6);
		if (!text || text[0])
			_exit(2);
		mvfs_arena_close(&arena);
		end();
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_str_eq(text, "before");
	mvfs_arena_close(&arena);
	end();
}
END_TEST

/* In the child: one byte too far, or too late. */
static void trespass(int how)
{
	struct mvfs_arena arena = MVFS_ARENA_INIT;
	volatile char *piece = mvfs_arena_alloc(&arena, 5);
	volatile char *other = mvfs_arena_alloc(&arena, 5);

	if (how == 1)
		piece[5] = 1;
	if (how == 2)
		other[-1] = 1;
	mvfs_arena_close(&arena);
	if (how == 3)
		piece[0] = 1;
	_exit(0);
}

START_TEST(test_a_sanitizer_sees_each_piece_by_itself)
{
	int how, status;
	pid_t pid;

	if (!mvfs__watched() || heap_is_counted())
		return; /* nobody is looking, or valgrind, that goes on */
	for (how = 0; how < 4; how++) {
		pid = fork();
		ck_assert_int_ge(pid, 0);
		if (!pid) {
			if (!freopen("/dev/null", "w", stderr))
				_exit(2);
			trespass(how);
		}
		ck_assert_int_eq(waitpid(pid, &status, 0), pid);
		ck_assert_int_eq(status != 0, how != 0);
	}
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("arena");

#define BOTH(test) tcase_add_loop_test(tests, test, 0, MODES)
	BOTH(test_pieces_are_zero_and_aligned_whatever_was_there);
	BOTH(test_zero_bytes_have_an_address_of_their_own);
	BOTH(test_what_cannot_be_addressed_is_refused_and_harms_nothing);
	BOTH(test_any_alignment_is_given);
	BOTH(test_copies_are_copies);
	BOTH(test_without_memory_there_is_null_and_the_arena_goes_on);
	BOTH(test_thousands_of_arenas_are_open_at_once);
	BOTH(test_no_two_pieces_overlap);
	BOTH(test_a_forked_child_has_its_own_copy);
	tcase_add_test(tests, test_small_arenas_in_turn_ask_for_no_memory);
	tcase_add_test(tests, test_what_lies_where_a_chunk_was_is_no_chunk);
	tcase_add_test(tests, test_a_thread_keeps_a_few_chunks_and_no_more);
	tcase_add_test(tests, test_the_end_of_a_thread_frees_what_it_kept);
	tcase_add_test(tests, test_destructors_of_a_thread_may_use_arenas);
	tcase_add_test(tests, test_a_sanitizer_sees_each_piece_by_itself);
	return core_run("mem arena", tests);
}
