/* SPDX-License-Identifier: MIT */
/*
 * Statistics of a row's samples: robust ones, for the noise of a shared
 * machine is one-sided and has no variance worth the name. So: the median;
 * the best; and as error the farther end of the 95 % confidence interval of
 * the median, which needs no assumption about the distribution (order
 * statistics). JMH's error is over forks and iterations, of the mean.
 */
#ifndef BENCH_STATS_H
#define BENCH_STATS_H

#include <stddef.h>

struct bench_stats {
	size_t count;
	double best; /* the smallest */
	double median;
	double low; /* ends of the interval of the median */
	double high;
	double error; /* the farther of both ends from the median */
};

/* The words that say what `error` is. */
extern const char bench_stats_error_is[];

/*
 * 0-based index k into `count` sorted values: [k] to [count - 1 - k] covers
 * the median with 95 % confidence or more. With fewer than 6 values no such
 * interval exists and k is 0: all that was seen.
 */
size_t bench_stats_rank(size_t count);

/* Of `count` > 0 values, in any order; NaN for none. They stay as they are.
 * Without memory for a sorted copy: NaN. */
struct bench_stats bench_stats(const double *values, size_t count);

/* Of the ratios above[i] / below[i]: rounds are compared with themselves, so
 * that a busy moment weighs on both sides. */
struct bench_stats bench_stats_ratio(const double *above, const double *below,
				     size_t count);

#endif
