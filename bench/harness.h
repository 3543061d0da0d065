/* SPDX-License-Identifier: MIT */
/*
 * The measuring harness: rows that are compared are measured in one process,
 * in turns, so that whatever else the machine does falls on all of them.
 *
 *     round 0:  row A   row B   row C     a sample each
 *     round 1:  row A   row B   row C     bench_stats_ratio() compares A and
 *     ...                                 B round by round
 *
 * A sample is one or more *segments*, together at least 3 ms of timed work:
 *
 *     prepare(n) | run(n) | finish(n)     prepare(n) | run(n) | finish(n)
 *                 '------'                            '------'
 *                   timed                               timed
 *
 * How many operations a segment has, and a sample segments, is found before
 * the first round (calibration, which is the warm-up too). What reading the
 * clocks costs is measured and subtracted. Wall time is of this thread; CPU
 * time is of all threads of the process, so of a mount's server in it too.
 */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/stats.h"

#define BENCH_PARAMS	  4
#define BENCH_SAMPLES_MIN 11
#define BENCH_SAMPLES_MAX 201
#define BENCH_SAMPLE_NS	  3000000.0

/* Each returns 0 or a negative errno, which ends the row with a reason. */
struct bench_ops {
	int (*prepare)(void *ctx, uint64_t count); /* may be NULL */
	int (*run)(void *ctx, uint64_t count);
	int (*finish)(void *ctx, uint64_t count); /* may be NULL */
};

/*
 * The score of a sample is the median over its segments instead of their
 * mean: for operations that must be timed one by one (max_batch 1), where a
 * mean would be that of the interrupts.
 */
#define BENCH_MEDIAN_SEGMENT 1u

/* A row of the table: what is measured, and after it what was found. */
struct bench_row {
	char name[48];
	char params[BENCH_PARAMS][64]; /* of the report's columns */
	const struct bench_ops *ops;
	void *ctx;
	uint64_t max_batch; /* operations in a segment at most; 0: any */
	unsigned flags;
	double copied, kept; /* bytes per operation; NaN: not applicable */
	char note[64];

	uint64_t batch, segments;	/* found by calibration */
	size_t count;			/* samples taken */
	double wall[BENCH_SAMPLES_MAX]; /* ns per operation */
	double cpu[BENCH_SAMPLES_MAX];
	int error; /* what ended it, or 0 */
};

/* Where time comes from: tests bring their own. In ns. */
struct bench_clock {
	uint64_t (*wall)(void);
	uint64_t (*cpu)(void);
	double wall_cost, cpu_cost; /* of reading each around nothing */
};

/* The system's clocks, with their costs measured. */
struct bench_clock bench_clock(void);

struct bench_plan {
	struct bench_clock clock;
	double seconds;	  /* go on with more rounds until then */
	size_t samples;	  /* rounds at least; 0: BENCH_SAMPLES_MIN */
	double sample_ns; /* 0: BENCH_SAMPLE_NS */
	const volatile sig_atomic_t *stop; /* not 0: come back; may be NULL */
	/* Told before each sample; may be NULL. */
	void (*progress)(const struct bench_row *row, size_t round);
};

/*
 * Finds batch and segments of a row. One segment of one operation first; the
 * batch grows until a segment lasts a whole sample or is max_batch, then
 * segments fill the sample. 0, or a negative errno from the row.
 */
int bench_calibrate(const struct bench_plan *plan, struct bench_row *row);

/* Calibrates the rows, then takes their samples in turns. A row that fails
 * has `error` set, and its samples do not count. 0, or -EINTR. */
int bench_measure(const struct bench_plan *plan, struct bench_row **rows,
		  size_t count);

/* Keeps a result alive: the compiler cannot see what becomes of it. */
void bench_sink(const void *result);

/* ns of an empty system call (getppid), best of several. */
double bench_syscall_cost(const struct bench_clock *clock);

/* A seeded generator (SplitMix64): the next number of a sequence. */
uint64_t bench_random(uint64_t *state);

#endif
