// SPDX-License-Identifier: MIT
#include <config.h>

#include "bench/harness.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Segments of which single times are kept for their median. */
#define TIMED_MAX    4096
#define SEGMENTS_MAX 100000

struct segment {
	double wall, cpu; /* ns, all of its operations */
};

static double time_of(const struct bench_plan *plan)
{
	return plan->sample_ns > 0 ? plan->sample_ns : BENCH_SAMPLE_NS;
}

static bool stopped(const struct bench_plan *plan)
{
	return plan->stop != NULL && *plan->stop != 0;
}

static int take_segment(const struct bench_clock *clock,
			const struct bench_row *row, uint64_t count,
			struct segment *s)
{
	const struct bench_ops *ops = row->ops;
	uint64_t cpu, wall, wall_end;
	int result;

	if (ops->prepare != NULL) {
		result = ops->prepare(row->ctx, count);
		if (result < 0)
			return result;
	}
	cpu = clock->cpu();
	wall = clock->wall();
	result = ops->run(row->ctx, count);
	wall_end = clock->wall();
	s->cpu = (double)(clock->cpu() - cpu) - clock->cpu_cost;
	s->wall = (double)(wall_end - wall) - clock->wall_cost;
	s->cpu = fmax(s->cpu, 0);
	s->wall = fmax(s->wall, 0);
	if (ops->finish != NULL) {
		int finished = ops->finish(row->ctx, count);

		if (result == 0)
			result = finished;
	}
	return result;
}

/*
 * One segment; if it seems to be a sample already, the fastest of three: a
 * batch that is small because the processor was away once would measure the
 * clocks ever after.
 */
static int try_segment(const struct bench_plan *plan,
		       const struct bench_row *row, struct segment *best)
{
	int result = take_segment(&plan->clock, row, row->batch, best);

	for (int i = 0; i < 2 && result == 0 && best->wall >= time_of(plan) &&
			!stopped(plan);
	     i++) {
		struct segment s;

		result = take_segment(&plan->clock, row, row->batch, &s);
		if (result == 0 && s.wall < best->wall)
			*best = s;
	}
	return result;
}

int bench_calibrate(const struct bench_plan *plan, struct bench_row *row)
{
	double target = time_of(plan), enough;
	struct segment s;

	row->batch = 1;
	row->segments = 1;
	for (;;) {
		int result = try_segment(plan, row, &s);

		if (result < 0)
			return result;
		if (stopped(plan))
			return -EINTR;
		if (s.wall >= target)
			return 0;
		if (row->batch == row->max_batch)
			break;
		/* Aim a little beyond, and no more than tenfold at once:
		 * the first operations are not like the later ones. */
		enough = (double)row->batch * 1.2 * target / fmax(s.wall, 1);
		enough = fmin(enough, 10.0 * (double)row->batch);
		row->batch = (uint64_t)fmax(enough, (double)row->batch + 1);
		if (row->max_batch != 0 && row->batch > row->max_batch)
			row->batch = row->max_batch;
	}
	enough = ceil(1.1 * target / fmax(s.wall, 1));
	row->segments = (uint64_t)fmin(fmax(enough, 1), SEGMENTS_MAX);
	return 0;
}

/* One sample: ns per operation into the row. */
static int take_sample(const struct bench_plan *plan, struct bench_row *row)
{
	double target = time_of(plan), wall = 0, cpu = 0;
	double *timed = NULL;
	struct segment s;
	uint64_t i;
	int result = 0;

	/* Not timed: brings back what the rows before pushed out of the
	 * processor's caches. In one long segment that is nothing. */
	if (row->segments > 1)
		result = take_segment(&plan->clock, row, row->batch, &s);
	if (row->flags & BENCH_MEDIAN_SEGMENT) {
		timed = malloc(TIMED_MAX * sizeof(*timed));
		if (timed == NULL)
			result = -ENOMEM;
	}
	/* Calibration may have met a slow moment: the time decides. */
	for (i = 0; result == 0 && i < SEGMENTS_MAX &&
		    (i < row->segments || wall < target);
	     i++) {
		result = take_segment(&plan->clock, row, row->batch, &s);
		wall += s.wall;
		cpu += s.cpu;
		if (timed != NULL && i < TIMED_MAX)
			timed[i] = s.wall;
	}
	if (result == 0) {
		double ops = (double)row->batch;

		wall /= (double)i;
		if (timed != NULL)
			wall = bench_stats(timed, i < TIMED_MAX ? i : TIMED_MAX)
				       .median;
		row->wall[row->count] = wall / ops;
		row->cpu[row->count] = cpu / (double)i / ops;
		row->count++;
	}
	free(timed);
	return result;
}

int bench_measure(const struct bench_plan *plan, struct bench_row **rows,
		  size_t count)
{
	size_t samples = plan->samples ? plan->samples : BENCH_SAMPLES_MIN;
	uint64_t begin;

	for (size_t i = 0; i < count; i++) {
		if (plan->progress != NULL)
			plan->progress(rows[i], 0);
		rows[i]->count = 0;
		rows[i]->error = bench_calibrate(plan, rows[i]);
		if (stopped(plan))
			return -EINTR;
	}
	begin = plan->clock.wall();
	for (size_t round = 0; round < BENCH_SAMPLES_MAX; round++) {
		double passed = (double)(plan->clock.wall() - begin) / 1e9;

		if (round >= samples && passed >= plan->seconds)
			break;
		for (size_t i = 0; i < count; i++) {
			if (rows[i]->error != 0)
				continue;
			if (plan->progress != NULL)
				plan->progress(rows[i], round + 1);
			rows[i]->error = take_sample(plan, rows[i]);
			if (stopped(plan))
				return -EINTR;
		}
	}
	return 0;
}
