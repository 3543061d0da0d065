/* SPDX-License-Identifier: MIT */
/*
 * Tests of many threads on one instance: how they run, and what they write.
 *
 * Each runs for a share of a time that depends on MVFS_CHECK_LEVEL, or until
 * the first flaw. That time ends a test; it never decides one.
 *
 * What is written to files is *records*: each tells who wrote it, as which,
 * and its length, and the rest follows from these, so that every byte that is
 * read can be proved to be of a record that somebody had begun to write.
 */
#ifndef TESTS_THREADS_THREADS_H
#define TESTS_THREADS_THREADS_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <memvfs/memvfs.h>
#include <memvfs/sys.h>

#include "tests/expect.h"
#include "tests/random.h"

enum { WORKERS_MAX = 8 };

struct worker {
	unsigned number; /* 0: the thread that the test began on */
	unsigned count;
	uint64_t rng;
	mvfs *fs;        /* a view of its own, if run_workers() was given one */
	void *ctx;
};

typedef void worker_fn(struct worker *w);

/* In threads, instead of Check's asserts, which are for one. */
#define that(condition) hold(EXPECT_WHERE(condition), (condition))
/* The call succeeds; gives its result. */
#define done(call) did(EXPECT_WHERE(call), (call), 0)
/* The call succeeds, or gives this errno. */
#define done_or(call, error) did(EXPECT_WHERE(call), (call), (error))

/* Tells it, and ends the run. */
void flaw(const char *where, int error);
bool hold(const char *where, bool condition);
int64_t did(const char *where, int64_t result, int error);

/* Begins a run of that share (in percent) of a test's full time. */
void begin_run(unsigned percent);
bool going(void);
/* Fails the test if there was a flaw. */
void end_run(void);
unsigned flaws_found(void);
/*
 * Runs `body` on `count` threads, the calling one among them, each with a
 * view on the instance of `fs` (NULL: with none), which is ended after it;
 * then the run.
 */
void run_workers(unsigned count, worker_fn *body, mvfs *fs, void *ctx);

/* Rounds in which all threads begin at once. */
struct rounds {
	pthread_barrier_t barrier;
	bool more;
	unsigned round;
};

void rounds_init(struct rounds *rounds, unsigned count);
/*
 * Waits until all have come; then worker 0, alone, calls `finish` if a round
 * was before, and `begin` if another follows, with w. False: none does.
 */
bool next_round(struct worker *w, struct rounds *rounds, worker_fn *begin,
		worker_fn *finish);

struct record {
	unsigned writer, seq;
	size_t length;
};

enum { RECORD_MIN = 48, RECORD_MAX = 192 * 1024 };

/* A length that a record may have: short, of some pages, rarely of many. */
size_t record_length(uint64_t *state);
/* The writer's next record, of a length that was given so or is a multiple
 * of 16, at least RECORD_MIN. */
struct record record_make(unsigned writer, size_t length, char *to);
/* The record that the bytes begin with; false: it is none. */
bool record_parse(const char *bytes, size_t left, struct record *record);
/* How many records the bytes are; a flaw if they are anything else. */
int records_in(const char *where, const char *bytes, size_t length);

/* All that can be seen of a tree that is at rest. */
struct sum {
	uint64_t hash;
	uint64_t blocks;
	uint64_t inodes;
};

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length);
struct sum sum_tree(mvfs *fs);
/* What statfs tells is what the tree holds; gives its sum. */
struct sum settled_sum(const char *where, mvfs *fs);

TCase *threads_tcase(Suite *suite, const char *name);

void add_storm_tests(Suite *suite);
void add_hot_tests(Suite *suite);
void add_descriptor_tests(Suite *suite);
void add_lock_tests(Suite *suite);
void add_life_tests(Suite *suite);

#endif
