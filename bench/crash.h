/* SPDX-License-Identifier: MIT */
/*
 * What it costs to try every power cut: a store that keeps its transactions
 * by a journal is run while its crashes are tracked, and each state that may
 * be found after one is built, opened, recovered and checked.
 */
#ifndef BENCH_CRASH_H
#define BENCH_CRASH_H

#include <memvfs/memvfs.h>

#include "bench/report.h"

#define BENCH_CRASH_MAX 10000

struct bench_crash {
	uint64_t transactions; /* up to BENCH_CRASH_MAX */
	uint64_t seed;
};

extern const char *const bench_crash_columns[];

int bench_crash(const struct bench_crash *options,
		const struct bench_plan *plan, struct bench_report *report);

/*
 * crash_store.c: the store is a file of slots. A transaction writes the new
 * content of some to a journal, syncs it and its name, changes the slots,
 * syncs them, and removes the journal. Each returns 0 or a negative errno.
 */
int bench_store_make(mvfs *fs);
/* The transactions are numbered from 1. */
int bench_store_run(mvfs *fs, uint64_t transaction);
/* What a program does that finds it: finishes what a whole journal says. */
int bench_store_recover(mvfs *fs);
/* Whether it is as after this many transactions: 1, or 0. */
int bench_store_is(mvfs *fs, uint64_t transactions);

#endif
