// SPDX-License-Identifier: MIT
/*
 * The measuring harness, on a clock that this test sets: nothing here
 * depends on how fast the machine is.
 */
#include <config.h>

#include "bench/harness.h"

#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t now; /* ns, of both clocks */

/* A reading takes time as well: the clock has moved on when it returns. */
static uint64_t reading;

static uint64_t read_now(void)
{
	uint64_t at = now;

	now += reading;
	return at;
}

static volatile sig_atomic_t stop;

static struct bench_plan plan_of(double seconds)
{
	struct bench_plan plan;

	memset(&plan, 0, sizeof(plan));
	plan.clock.wall = read_now;
	plan.clock.cpu = read_now;
	plan.seconds = seconds;
	plan.stop = &stop;
	return plan;
}

/* An operation that takes `cost` ns, between preparations that take more. */
struct work {
	uint64_t cost, largest, runs, operations;
	uint64_t first_cost, first_runs; /* so many runs cost that instead */
	uint64_t slow_every; /* every so many runs one takes 1000 times more */
	int fail_at;	     /* the run that fails, counted from 1 */
	char name;
};

static char turns[4096];

static int run_work(void *ctx, uint64_t count)
{
	struct work *work = ctx;
	uint64_t cost = work->cost;

	work->runs++;
	work->operations += count;
	if (count > work->largest)
		work->largest = count;
	if (work->runs <= work->first_runs)
		cost = work->first_cost;
	if (work->slow_every && work->runs % work->slow_every == 0)
		cost *= 1000;
	now += count * cost;
	if (work->name != 0 && strlen(turns) + 1 < sizeof(turns))
		turns[strlen(turns)] = work->name;
	return work->fail_at && (int)work->runs >= work->fail_at ? -EIO : 0;
}

static int prepare_work(void *ctx, uint64_t count)
{
	(void)ctx;
	now += count * 7777;
	return 0;
}

static const struct bench_ops bare = {NULL, run_work, NULL};
static const struct bench_ops prepared = {prepare_work, run_work, prepare_work};

static struct bench_row *row_of(struct work *work, const struct bench_ops *ops)
{
	struct bench_row *row = calloc(1, sizeof(*row));

	ck_assert_ptr_nonnull(row);
	row->ops = ops;
	row->ctx = work;
	return row;
}

static void set_up(void)
{
	now = 1000000;
	reading = 0;
	stop = 0;
	memset(turns, 0, sizeof(turns));
}

START_TEST(test_calibration_fills_a_sample)
{
	static const uint64_t costs[] = {1,	  17,	   4000,
					 2999999, 3000000, 50000000};
	struct bench_plan plan = plan_of(0);

	for (size_t i = 0; i < sizeof(costs) / sizeof(costs[0]); i++) {
		struct work work = {.cost = costs[i]};
		struct bench_row *row = row_of(&work, &bare);

		ck_assert_int_eq(bench_calibrate(&plan, row), 0);
		ck_assert_uint_ge(row->batch * row->segments * costs[i],
				  3000000);
		/* ... and not many times over. */
		ck_assert_uint_le(row->batch * row->segments * costs[i],
				  4 * (3000000 + costs[i]));
		free(row);
	}
}
END_TEST

START_TEST(test_batch_never_exceeds_its_limit)
{
	struct bench_plan plan = plan_of(0);
	struct work work = {.cost = 20};
	struct bench_row *row = row_of(&work, &prepared);

	row->max_batch = 7;
	ck_assert_int_eq(bench_measure(&plan, &row, 1), 0);
	ck_assert_uint_eq(work.largest, 7);
	ck_assert_uint_ge(row->segments * 7 * 20, 3000000);
	free(row);
}
END_TEST

START_TEST(test_preparations_are_not_timed)
{
	struct bench_plan plan = plan_of(0);
	struct work work = {.cost = 20};
	struct bench_row *row = row_of(&work, &prepared);

	row->max_batch = 7;
	ck_assert_int_eq(bench_measure(&plan, &row, 1), 0);
	for (size_t i = 0; i < row->count; i++) {
		ck_assert_double_eq_tol(row->wall[i], 20, 1e-9);
		ck_assert_double_eq_tol(row->cpu[i], 20, 1e-9);
	}
	free(row);
}
END_TEST

START_TEST(test_price_of_the_clocks_is_subtracted)
{
	struct bench_plan plan = plan_of(0);
	struct work work = {.cost = 20};
	struct bench_row *row = row_of(&work, &bare);

	row->max_batch = 3;
	reading = 50;
	/* Between two readings of the wall clock lies one of its own; between
	 * two of the CPU clock, two of the wall clock more. */
	plan.clock.wall_cost = 50;
	plan.clock.cpu_cost = 150;
	ck_assert_int_eq(bench_measure(&plan, &row, 1), 0);
	for (size_t i = 0; i < row->count; i++) {
		ck_assert_double_eq_tol(row->wall[i], 20, 1e-9);
		ck_assert_double_eq_tol(row->cpu[i], 20, 1e-9);
	}
	free(row);
}
END_TEST

START_TEST(test_rows_take_turns)
{
	struct bench_plan plan = plan_of(0);
	struct work a = {.cost = 3000000}, b = a, c = a;
	struct bench_row *rows[3];

	a.name = 'a';
	b.name = 'b';
	c.name = 'c';
	rows[0] = row_of(&a, &bare);
	rows[1] = row_of(&b, &bare);
	rows[2] = row_of(&c, &bare);
	plan.samples = 4;
	ck_assert_int_eq(bench_measure(&plan, rows, 3), 0);
	/* Three times for calibration, then four rounds. */
	ck_assert_str_eq(turns, "aaabbbcccabcabcabcabc");
	for (int i = 0; i < 3; i++)
		free(rows[i]);
}
END_TEST

START_TEST(test_a_row_has_eleven_samples_and_more_while_there_is_time)
{
	struct bench_plan plan = plan_of(0);
	struct work work = {.cost = 4000000};
	struct bench_row *row = row_of(&work, &bare);

	ck_assert_int_eq(bench_measure(&plan, &row, 1), 0);
	ck_assert_uint_eq(row->count, 11);
	plan.seconds = 0.1;
	ck_assert_int_eq(bench_measure(&plan, &row, 1), 0);
	ck_assert_uint_eq(row->count, 25);
	plan.seconds = 1e9;
	ck_assert_int_eq(bench_measure(&plan, &row, 1), 0);
	ck_assert_uint_eq(row->count, BENCH_SAMPLES_MAX);
	free(row);
}
END_TEST

START_TEST(test_a_sample_is_long_enough_even_if_calibration_was_slow)
{
	struct bench_plan plan = plan_of(0);
	struct work work = {
		.cost = 100, .first_cost = 5000000, .first_runs = 3};
	struct bench_row *row = row_of(&work, &bare);
	uint64_t before;

	ck_assert_int_eq(bench_calibrate(&plan, row), 0);
	ck_assert_uint_eq(row->batch * row->segments, 1);
	plan.samples = 1;
	before = work.operations;
	work.runs = 0;
	ck_assert_int_eq(bench_measure(&plan, &row, 1), 0);
	ck_assert_uint_ge((work.operations - before) * 100, 3000000);
	ck_assert_double_eq_tol(row->wall[0], 100, 1e-9);
	free(row);
}
END_TEST

START_TEST(test_a_slow_moment_does_not_end_calibration)
{
	struct bench_plan plan = plan_of(0);
	struct work work = {
		.cost = 100, .first_cost = 5000000, .first_runs = 2};
	struct bench_row *row = row_of(&work, &bare);

	ck_assert_int_eq(bench_calibrate(&plan, row), 0);
	ck_assert_uint_ge(row->batch, 30000);
	free(row);
}
END_TEST

START_TEST(test_a_failing_row_ends_and_the_others_go_on)
{
	struct bench_plan plan = plan_of(0);
	struct work bad = {.cost = 3000000, .fail_at = 6};
	struct work worse = {.cost = 3000000, .fail_at = 1};
	struct work good = {.cost = 3000000};
	struct bench_row *rows[] = {row_of(&bad, &bare), row_of(&worse, &bare),
				    row_of(&good, &bare)};

	ck_assert_int_eq(bench_measure(&plan, rows, 3), 0);
	ck_assert_int_eq(rows[0]->error, -EIO);
	ck_assert_int_eq(rows[1]->error, -EIO);
	ck_assert_uint_eq(rows[1]->count, 0);
	ck_assert_uint_eq(worse.runs, 1);
	ck_assert_int_eq(rows[2]->error, 0);
	ck_assert_uint_eq(rows[2]->count, 11);
	for (int i = 0; i < 3; i++)
		free(rows[i]);
}
END_TEST

static void stop_now(const struct bench_row *row, size_t round)
{
	(void)row;
	if (round == 3)
		stop = 1;
}

START_TEST(test_a_signal_ends_the_measuring)
{
	struct bench_plan plan = plan_of(1e9);
	struct work work = {.cost = 3000000};
	struct bench_row *row = row_of(&work, &bare);

	plan.progress = stop_now;
	ck_assert_int_eq(bench_measure(&plan, &row, 1), -EINTR);
	ck_assert_uint_le(row->count, 3);
	free(row);
}
END_TEST

START_TEST(test_median_of_segments_is_blind_to_interrupted_ones)
{
	struct bench_plan plan = plan_of(0);
	struct work work = {.cost = 5000, .slow_every = 10};
	struct bench_row *row = row_of(&work, &bare);

	row->max_batch = 1;
	row->flags = BENCH_MEDIAN_SEGMENT;
	ck_assert_int_eq(bench_measure(&plan, &row, 1), 0);
	ck_assert_uint_gt(row->segments, 1);
	ck_assert_double_eq_tol(bench_stats(row->wall, row->count).median, 5000,
				1e-9);
	row->flags = 0;
	ck_assert_int_eq(bench_measure(&plan, &row, 1), 0);
	ck_assert_double_gt(bench_stats(row->wall, row->count).median, 6000);
	free(row);
}
END_TEST

START_TEST(test_statistics_are_median_best_and_interval)
{
	const double odd[] = {9, 1, 5, 3, 7, 2, 8, 4, 6, 11, 10};
	const double even[] = {4, 1, 3, 2};
	struct bench_stats s = bench_stats(odd, 11);

	ck_assert_double_eq(s.median, 6);
	ck_assert_double_eq(s.best, 1);
	ck_assert_double_eq(s.low, 2);
	ck_assert_double_eq(s.high, 10);
	ck_assert_double_eq(s.error, 4);
	ck_assert_double_eq(odd[0], 9);
	s = bench_stats(even, 4);
	ck_assert_double_eq(s.median, 2.5);
	ck_assert_double_eq(s.low, 1);
	ck_assert_double_eq(s.high, 4);
	ck_assert(isnan(bench_stats(even, 0).median));
}
END_TEST

/* P(at most k of n coins are heads), by Pascal's triangle. */
static double at_most(size_t n, size_t k)
{
	static double row[BENCH_SAMPLES_MAX + 1];
	double sum = 0;

	memset(row, 0, sizeof(row));
	row[0] = 1;
	for (size_t i = 1; i <= n; i++)
		for (size_t j = i + 1; j-- > 0;)
			row[j] = (row[j] + (j > 0 ? row[j - 1] : 0)) / 2;
	for (size_t i = 0; i <= k; i++)
		sum += row[i];
	return sum;
}

START_TEST(test_interval_covers_the_median_and_no_smaller_one_does)
{
	ck_assert_uint_eq(bench_stats_rank(1), 0);
	ck_assert_uint_eq(bench_stats_rank(5), 0);
	for (size_t n = 6; n <= BENCH_SAMPLES_MAX; n++) {
		size_t k = bench_stats_rank(n);

		ck_assert_double_ge(1 - 2 * at_most(n, k), 0.95);
		ck_assert_double_lt(1 - 2 * at_most(n, k + 1), 0.95);
	}
}
END_TEST

START_TEST(test_ratios_are_of_the_same_round)
{
	/* A machine that becomes ten times slower: each round has the ratio
	 * 3, the medians of the sides would not show it. */
	const double above[] = {3, 3, 30, 300, 300};
	const double below[] = {1, 1, 10, 100, 100};
	struct bench_stats s = bench_stats_ratio(above, below, 5);

	ck_assert_double_eq(s.median, 3);
	ck_assert_double_eq(s.error, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("harness");
	TCase *tcase = tcase_create("harness");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_add_test(tcase, test_calibration_fills_a_sample);
	tcase_add_test(tcase, test_batch_never_exceeds_its_limit);
	tcase_add_test(tcase, test_preparations_are_not_timed);
	tcase_add_test(tcase, test_price_of_the_clocks_is_subtracted);
	tcase_add_test(tcase, test_rows_take_turns);
	tcase_add_test(
		tcase,
		test_a_row_has_eleven_samples_and_more_while_there_is_time);
	tcase_add_test(
		tcase,
		test_a_sample_is_long_enough_even_if_calibration_was_slow);
	tcase_add_test(tcase, test_a_slow_moment_does_not_end_calibration);
	tcase_add_test(tcase, test_a_failing_row_ends_and_the_others_go_on);
	tcase_add_test(tcase, test_a_signal_ends_the_measuring);
	tcase_add_test(tcase,
		       test_median_of_segments_is_blind_to_interrupted_ones);
	tcase_add_test(tcase, test_statistics_are_median_best_and_interval);
	tcase_add_test(tcase,
		       test_interval_covers_the_median_and_no_smaller_one_does);
	tcase_add_test(tcase, test_ratios_are_of_the_same_round);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
