// SPDX-License-Identifier: MIT
#include <config.h>

#include "bench/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char bench_stats_error_is[] =
	"farther end of the 95 % confidence interval of the median over the "
	"samples of this run (order statistics)";

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

size_t bench_stats_rank(size_t count)
{
	/* P(X = k) of a binomial distribution with p = 1/2, summed up while
	 * both tails together stay within 5 %. */
	double term = pow(0.5, (double)count), tail = term;
	size_t k = 0;

	while (k + 1 < count - count / 2) {
		term *= (double)(count - k) / (double)(k + 1);
		if (2 * (tail + term) > 0.05)
			break;
		tail += term;
		k++;
	}
	return k;
}

struct bench_stats bench_stats(const double *values, size_t count)
{
	struct bench_stats s = {count, NAN, NAN, NAN, NAN, NAN};
	double *sorted;
	size_t k;

	if (count == 0)
		return s;
	sorted = malloc(count * sizeof(*sorted));
	if (sorted == NULL)
		return s;
	memcpy(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), compare_doubles);
	k = bench_stats_rank(count);
	s.best = sorted[0];
	s.median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
	s.low = sorted[k];
	s.high = sorted[count - 1 - k];
	s.error = fmax(s.median - s.low, s.high - s.median);
	free(sorted);
	return s;
}

struct bench_stats bench_stats_ratio(const double *above, const double *below,
				     size_t count)
{
	struct bench_stats s = {count, NAN, NAN, NAN, NAN, NAN};
	double *ratios = malloc(count * sizeof(*ratios));

	if (ratios == NULL)
		return s;
	for (size_t i = 0; i < count; i++)
		ratios[i] = above[i] / below[i];
	s = bench_stats(ratios, count);
	free(ratios);
	return s;
}
