/* SPDX-License-Identifier: MIT */
/* The circumstances of a measurement: what stands at the head of an output. */
#ifndef BENCH_HEAD_H
#define BENCH_HEAD_H

#include "bench/report.h"

/* Version, build, machine, load, clocks, seed; the price of a system call. */
void bench_head(struct bench_report *report, const struct bench_clock *clock,
		uint64_t seed);

/* MVFS_SEED of the environment, or 1: the same texts and places each time. */
uint64_t bench_seed(void);

/* A figure of /proc/meminfo, in bytes; 0 if it is not there. */
uint64_t bench_meminfo(const char *key);

/* Draws the progress line, if standard error is a terminal. */
void bench_progress_begin(const char *benchmark);
void bench_progress(const struct bench_row *row, size_t round);
void bench_progress_text(const char *text);
void bench_progress_end(void);

#endif
