// SPDX-License-Identifier: MIT
#include <config.h>

#include "bench/peers/peers.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

const char *const bench_peers_columns[] = {"by", "length", "text", NULL};

struct bench_row *peers_row(struct peers *p, const char *name, const char *by,
			    size_t length, const char *text,
			    const struct bench_ops *ops, void *ctx)
{
	static struct bench_row nowhere;
	char digits[24] = "-";
	const char *params[] = {by, digits, text};
	struct bench_row *row;

	if (length != SIZE_MAX)
		snprintf(digits, sizeof(digits), "%zu", length);
	row = p->count < PEERS_ROWS_MAX
		      ? bench_report_row(p->report, name, params, 3)
		      : NULL;
	if (row == NULL) {
		p->failed = 1;
		return &nowhere;
	}
	row->ops = ops;
	row->ctx = ctx;
	row->copied = NAN;
	row->kept = NAN;
	p->rows[p->count++] = row;
	return row;
}

void peers_bytes(struct bench_row *row, double copied, double kept)
{
	row->copied = copied;
	row->kept = kept;
}

int peers_measure(struct peers *p)
{
	int result = p->failed ? -ENOMEM
			       : bench_measure(p->plan, p->rows, p->count);

	p->count = 0;
	return result;
}

double peers_best(const struct bench_row *row)
{
	if (row == NULL || row->error != 0 || row->count == 0)
		return NAN;
	return bench_stats(row->wall, row->count).best;
}

BENCH_PRINTF(6, 0)
static void claim(struct peers *p, double value, const char *unit,
		  enum bench_bound bound, double target, const char *what,
		  va_list arguments)
{
	struct bench_claim *made;

	if (isnan(value))
		return;
	made = bench_report_claim(p->report, value, NAN, unit, bound, target);
	if (made != NULL)
		vsnprintf(made->what, sizeof(made->what), what, arguments);
}

void peers_ratio(struct peers *p, const struct bench_row *above,
		 const struct bench_row *below, enum bench_bound bound,
		 double target, const char *what, ...)
{
	va_list arguments;

	va_start(arguments, what);
	claim(p, peers_best(above) / peers_best(below), "", bound, target,
	      what, arguments);
	va_end(arguments);
}

void peers_speed(struct peers *p, const struct bench_row *row, size_t length,
		 enum bench_bound bound, double target, const char *what, ...)
{
	va_list arguments;

	va_start(arguments, what);
	claim(p, (double)length / peers_best(row), "GB/s", bound, target, what,
	      arguments);
	va_end(arguments);
}

void peers_time(struct peers *p, const struct bench_row *row,
		enum bench_bound bound, double target, const char *what, ...)
{
	va_list arguments;

	va_start(arguments, what);
	claim(p, peers_best(row), "ns", bound, target, what, arguments);
	va_end(arguments);
}

const char *const bench_peers_groups[] = {
	"strings", "texts", "files", "threads", "memory", "streams", NULL};

int bench_peers(const int wanted[PEERS_GROUPS], uint64_t seed,
		const struct bench_plan *plan, struct bench_report *report)
{
	static int (*const groups[PEERS_GROUPS])(struct peers *) = {
		peers_strings, peers_texts,  peers_files,
		peers_threads, peers_memory, peers_streams};
	struct peers p;
	int result = 0;

	memset(&p, 0, sizeof(p));
	p.plan = plan;
	p.report = report;
	p.seed = seed;
	bench_report_head(report, "claims",
			  "by the best sample of this run; a claim's both "
			  "sides were measured in turns");
	for (size_t i = 0; i < PEERS_GROUPS && result == 0; i++)
		if (wanted[i])
			result = groups[i](&p);
	return result;
}
