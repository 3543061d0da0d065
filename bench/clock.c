// SPDX-License-Identifier: MIT
/* What the harness asks of the machine: clocks, their price, a sink. */
#include <config.h>

#include "bench/harness.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define TRIES 1001

static uint64_t read_clock(clockid_t id)
{
	struct timespec t = {0, 0};

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t wall_now(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

static uint64_t cpu_now(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

struct bench_clock bench_clock(void)
{
	struct bench_clock clock = {wall_now, cpu_now, 0, 0};
	double wall[TRIES], cpu[TRIES];

	/* Nested as around a segment: the CPU clock sees the wall clock. */
	for (int i = 0; i < TRIES; i++) {
		uint64_t c = cpu_now(), w = wall_now();

		wall[i] = (double)(wall_now() - w);
		cpu[i] = (double)(cpu_now() - c);
	}
	clock.wall_cost = bench_stats(wall, TRIES).median;
	clock.cpu_cost = bench_stats(cpu, TRIES).median;
	return clock;
}

void bench_sink(const void *result)
{
	__asm__ volatile("" : : "r"(result) : "memory");
}

double bench_syscall_cost(const struct bench_clock *clock)
{
	double times[BENCH_SAMPLES_MIN];

	for (int i = 0; i < BENCH_SAMPLES_MIN; i++) {
		uint64_t begin = clock->wall();

		for (int k = 0; k < 2000; k++)
			syscall(SYS_getppid);
		times[i] = (double)(clock->wall() - begin) / 2000;
	}
	return bench_stats(times, BENCH_SAMPLES_MIN).best;
}

uint64_t bench_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}
