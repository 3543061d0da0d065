/* SPDX-License-Identifier: MIT */
/*
 * Advisory locks: what they guard here is plain memory, so that a sanitizer
 * sees, too, when two are inside.
 */
#include "config.h"

#include <sched.h>

#include "tests/threads/threads.h"

enum { BYTES = 12, EPISODE = 3 };
enum how { FLOCK, POSIX, OFD, KINDS };

static mvfs *fs;
static uint64_t guarded;         /* by a lock of the whole file */
static atomic_uint changes;      /* of it */
static unsigned holder[BYTES];   /* by a lock of that byte */
static struct rounds rounds;

static int lock_range(struct worker *w, int fd, enum how how, int type,
		      int64_t start, int64_t len, bool wait)
{
	struct mvfs_lock lock = { .type = type, .start = start, .len = len };

	return mvfs_setlk(w->fs, fd, &lock, (wait ? MVFS_LOCK_WAIT : 0) |
			  (how == OFD ? MVFS_LOCK_OFD : 0));
}

static int lock_whole(struct worker *w, int fd, enum how how, bool shared,
		      bool wait)
{
	if (how == FLOCK)
		return mvfs_flock(w->fs, fd, (shared ? LOCK_SH : LOCK_EX) |
				  (wait ? 0 : LOCK_NB));
	return lock_range(w, fd, how, shared ? F_RDLCK : F_WRLCK, 0, 0, wait);
}

static int open_locked(struct worker *w)
{
	return (int)done(mvfs_open(w->fs, "/lock", O_RDWR, 0));
}

/* By unlocking, or by closing what the lock goes with; gives a descriptor. */
static int unlock_whole(struct worker *w, int fd, enum how how)
{
	int other;

	if (below(&w->rng, 4)) {
		if (how == FLOCK)
			done(mvfs_flock(w->fs, fd, LOCK_UN));
		else
			done(lock_range(w, fd, how, F_UNLCK, 0, 0, false));
		return fd;
	}
	if (how == POSIX) {
		other = open_locked(w);
		done(mvfs_close(w->fs, other));
		return fd;
	}
	done(mvfs_close(w->fs, fd));
	return open_locked(w);
}

static void exclude(struct worker *w)
{
	enum how how = *(enum how *)w->ctx;
	int fd = open_locked(w);
	uint64_t before;
	bool shared;

	do {
		shared = below(&w->rng, 2);
		if (done_or(lock_whole(w, fd, how, shared,
				       below(&w->rng, 4)), EAGAIN))
			continue;
		before = guarded;
		if (below(&w->rng, 2))
			sched_yield();
		if (!shared) {
			guarded = before + 1;
			atomic_fetch_add(&changes, 1);
		}
		that(guarded == before + !shared);
		fd = unlock_whole(w, fd, how);
	} while (going());
	done(mvfs_close(w->fs, fd));
}

static void run_locks(unsigned count, unsigned percent,
		      worker_fn *body, enum how how)
{
	ok(mvfs_create(NULL, &fs));
	ok(mvfs_mknod(fs, "/lock", 0644, 0));
	begin_run(percent);
	run_workers(count, body, fs, &how);
	settled_sum(EXPECT_WHERE(end), fs);
	end_run();
	ok(mvfs_destroy(fs));
}

START_TEST(test_a_lock_excludes_and_wakes_who_waits)
{
	run_locks(_i / KINDS ? 4 : 2, 1, exclude, _i % KINDS);
	ck_assert_uint_eq(guarded, changes);
}
END_TEST

static void mark(struct worker *w, int64_t byte, bool held)
{
	that(holder[byte] == (held ? 0 : w->number + 1));
	holder[byte] = held ? w->number + 1 : 0;
}

static int64_t above(struct worker *w, int64_t byte)
{
	return byte + 1 + (int64_t)below(&w->rng,
					 (uint64_t)(BYTES - 1 - byte));
}

/* Bytes upwards only: so nobody can wait for himself, whoever is slow. */
static void lock_upwards(struct worker *w)
{
	enum how how = *(enum how *)w->ctx;
	int fd = open_locked(w);
	int64_t held[EPISODE], byte;
	unsigned i, count;

	do {
		byte = -1;
		for (count = 0; count < EPISODE && byte < BYTES - 1; count++) {
			byte = above(w, byte);
			if (done(lock_range(w, fd, how, F_WRLCK, byte, 1,
					    true)))
				break;
			mark(w, byte, true);
			held[count] = byte;
		}
		for (i = count; i-- > 0;) {
			mark(w, held[i], false);
			done(lock_range(w, fd, how, F_UNLCK, held[i], 1,
					false));
		}
	} while (going());
	done(mvfs_close(w->fs, fd));
}

START_TEST(test_who_locks_in_order_is_never_refused)
{
	run_locks(_i / 2 ? 4 : 2, 1, lock_upwards, _i % 2 ? POSIX : OFD);
}
END_TEST

/* Two bytes in any order: one of those that wait for each other is told. */
static void lock_any(struct worker *w)
{
	int fd = open_locked(w), rc;
	int64_t a, b;

	do {
		a = (int64_t)below(&w->rng, BYTES / 4);
		b = (int64_t)below(&w->rng, BYTES / 4);
		if (done(lock_range(w, fd, POSIX, F_WRLCK, a, 1, true)))
			break;
		mark(w, a, true);
		rc = (int)done_or(lock_range(w, fd, POSIX, F_WRLCK, b, 1,
					     true), EDEADLK);
		if (!rc && a != b) {
			mark(w, b, true);
			mark(w, b, false);
		}
		mark(w, a, false);
		done(lock_range(w, fd, POSIX, F_UNLCK, 0, 0, false));
	} while (going());
	done(mvfs_close(w->fs, fd));
}

START_TEST(test_views_that_wait_for_each_other_are_told)
{
	run_locks(_i ? 4 : 2, 1, lock_any, POSIX);
}
END_TEST

static int ring_fd[3];

static void begin_ring(struct worker *w)
{
	unsigned i;

	for (i = 0; i < 3; i++)
		ring_fd[i] = open_locked(w);
	done(lock_range(w, ring_fd[0], OFD, F_WRLCK, 0, 1, false));
	done(lock_range(w, ring_fd[1], OFD, F_WRLCK, 1, 1, false));
}

static void finish_ring(struct worker *w)
{
	done(mvfs_close(w->fs, ring_fd[1]));
	done(mvfs_close(w->fs, ring_fd[2]));
}

/*
 * Two open files wait for each other, which is allowed; a view that waits for
 * one of them does just that. Closing a descriptor ends all of it.
 */
static void wait_at_a_ring(struct worker *w)
{
	while (next_round(w, &rounds, begin_ring, finish_ring))
		switch (w->number) {
		case 0:
			for (unsigned i = 0; i < 100; i++)
				sched_yield();
			done(mvfs_close(w->fs, ring_fd[0]));
			break;
		case 1:
			done_or(lock_range(w, ring_fd[0], OFD, F_WRLCK, 1, 1,
					   true), EBADF);
			break;
		case 2:
			done(lock_range(w, ring_fd[1], OFD, F_WRLCK, 0, 1,
					true));
			done(lock_range(w, ring_fd[1], OFD, F_UNLCK, 0, 1,
					false));
			break;
		default:
			done(lock_range(w, ring_fd[2], POSIX, F_WRLCK, 0, 1,
					true));
			done(lock_range(w, ring_fd[2], POSIX, F_UNLCK, 0, 1,
					false));
		}
}

START_TEST(test_a_view_waits_for_files_that_wait_for_each_other)
{
	rounds_init(&rounds, 4);
	run_locks(4, 1, wait_at_a_ring, OFD);
}
END_TEST

void add_lock_tests(Suite *suite)
{
	TCase *tests = threads_tcase(suite, "locks");

	tcase_add_loop_test(tests, test_a_lock_excludes_and_wakes_who_waits,
			    0, 2 * KINDS);
	tcase_add_loop_test(tests, test_who_locks_in_order_is_never_refused,
			    0, 4);
	tcase_add_loop_test(tests, test_views_that_wait_for_each_other_are_told,
			    0, 2);
	tcase_add_test(tests,
		       test_a_view_waits_for_files_that_wait_for_each_other);
}
