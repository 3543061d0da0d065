/* SPDX-License-Identifier: MIT */
/*
 * Random tests: numbers that a seed decides, a seed that is printed and can
 * be given, and how much a test is to do at the level it runs at.
 */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ck_assert for what is asked a million times: Check notes each of its own. */
#define must(condition)                               \
	do {                                          \
		if (!(condition))                     \
			ck_abort_msg("%s", #condition); \
	} while (0)

/* splitmix64 (Steele, Lea and Flood, 2014) */
static inline uint64_t rng(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static inline uint64_t below(uint64_t *state, uint64_t end)
{
	return rng(state) % end;
}

/* MVFS_SEED, or one that differs from run to run; printed either way. */
static inline uint64_t seed_of_run(void)
{
	const char *text = getenv("MVFS_SEED");
	struct timespec now;
	uint64_t seed;

	timespec_get(&now, TIME_UTC);
	seed = (uint64_t)now.tv_sec * 1000000007u + (uint64_t)now.tv_nsec;
	if (text)
		seed = strtoull(text, NULL, 0);
	printf("MVFS_SEED=%llu\n", (unsigned long long)seed);
	fflush(stdout);
	return seed;
}

/* How much more than at `make check` a random test is to do. */
static inline unsigned long_factor(void)
{
	const char *level = getenv("MVFS_CHECK_LEVEL");

	if (!level || !strcmp(level, "check"))
		return 1;
	return !strcmp(level, "ci") ? 4 : 40;
}

#endif
