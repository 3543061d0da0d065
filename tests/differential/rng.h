/* SPDX-License-Identifier: MIT */
/* A seeded generator (splitmix64): the same numbers on every machine. */
#ifndef ORACLE_RNG_H
#define ORACLE_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
	uint64_t state;
};

static inline uint64_t rng_next(struct rng *rng)
{
	uint64_t z = rng->state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* 0 to n - 1; the small bias of the remainder does not matter here. */
static inline uint64_t rng_below(struct rng *rng, uint64_t n)
{
	return rng_next(rng) % n;
}

/* True once in n times. */
static inline bool rng_one_in(struct rng *rng, uint64_t n)
{
	return rng_below(rng, n) == 0;
}

#endif
