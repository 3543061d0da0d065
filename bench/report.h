/* SPDX-License-Identifier: MIT */
/*
 * What a benchmark reports: a head that says under which circumstances, a
 * table of rows, what was left out and why, and claims: figures with the
 * bound that they are held against. Printed as text or as JSON (the same
 * facts; JSON has every sample as well).
 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdio.h>

#include "bench/harness.h"

#if defined __GNUC__
#define BENCH_PRINTF(format, first) \
	__attribute__((__format__(__printf__, format, first)))
#else
#define BENCH_PRINTF(format, first)
#endif

struct bench_pair {
	char key[24];
	char value[256];
};

/* A row, or several of a kind, that cannot be had. */
struct bench_left_out {
	char what[160];
	char reason[256];
};

enum bench_bound { BENCH_NO_BOUND, BENCH_AT_MOST, BENCH_AT_LEAST };

struct bench_claim {
	char what[160];
	double value, error; /* error NaN: a single figure */
	char unit[16];	     /* "" for a ratio */
	enum bench_bound bound;
	double target;
	char note[160];
};

/* A row beside the same row of an earlier output. */
struct bench_compared {
	const struct bench_row *row;
	double old_median, old_error; /* ns per operation */
};

struct bench_report {
	const char *benchmark;
	const char *columns[BENCH_PARAMS + 1]; /* of the rows; NULL ends */
	int throughput; /* scores in operations per second */

	struct bench_pair *head;
	size_t head_count;
	struct bench_row **rows;
	size_t row_count;
	struct bench_left_out *left_out;
	size_t left_out_count;
	struct bench_claim *claims;
	size_t claim_count;
	struct bench_compared *compared;
	size_t compared_count;
	char compared_with[320]; /* the earlier output, or why not; or "" */
	int failed;		 /* memory ran out while it was filled */
};

void bench_report_free(struct bench_report *report);

BENCH_PRINTF(3, 4)
void bench_report_head(struct bench_report *report, const char *key,
		       const char *format, ...);
/* The value of a key of the head, or "". */
const char *bench_report_key(const struct bench_report *report,
			     const char *key);

/* A new row, owned by the report; NULL without memory. Its parameters are
 * those of the report's columns, in order; missing ones are "-". */
struct bench_row *bench_report_row(struct bench_report *report,
				   const char *name, const char *const params[],
				   size_t count);

BENCH_PRINTF(3, 4)
void bench_report_leave_out(struct bench_report *report, const char *what,
			    const char *reason, ...);
/* Takes the rows that failed out of the table, into what was left out. */
void bench_report_drop_failed(struct bench_report *report);

struct bench_claim *bench_report_claim(struct bench_report *report,
				       double value, double error,
				       const char *unit, enum bench_bound bound,
				       double target);
/* above / below, round by round; nothing if a row is NULL or has failed. */
BENCH_PRINTF(6, 7)
void bench_report_ratio(struct bench_report *report,
			const struct bench_row *above,
			const struct bench_row *below, enum bench_bound bound,
			double target, const char *what, ...);
/* The median of a row as a figure held against a bound. */
BENCH_PRINTF(5, 6)
void bench_report_figure(struct bench_report *report,
			 const struct bench_row *row, enum bench_bound bound,
			 double target, const char *what, ...);

/* "met", "NOT met", or "" without a bound. */
const char *bench_claim_verdict(const struct bench_claim *claim);

/* "name param param" as one string. */
void bench_row_label(const struct bench_report *report,
		     const struct bench_row *row, char *to, size_t size);

void bench_report_text(const struct bench_report *report, FILE *to);
void bench_report_json(const struct bench_report *report, FILE *to);

/*
 * --compare: an earlier output, read before anything is measured so that a
 * wrong name costs no time. 0, or a negative errno and a message of up to
 * 256 bytes: -ENOENT and the like, -EINVAL for what is no output of ours,
 * -ENOTSUP if this was built without jansson.
 */
struct bench_old;
int bench_old_load(const char *path, struct bench_old **old, char *message);
void bench_old_free(struct bench_old *old);
/* Fills report->compared. Rows of another machine are not compared, and
 * compared_with says so. */
void bench_old_compare(const struct bench_old *old,
		       struct bench_report *report);

#endif
