// SPDX-License-Identifier: MIT
#include <config.h>

#include "bench/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* One more element at the end of an array, zeroed; NULL without memory. */
static void *grow(struct bench_report *report, void *array, size_t *count,
		  size_t size)
{
	void **held = array;
	char *bigger = realloc(*held, (*count + 1) * size);

	if (bigger == NULL) {
		report->failed = 1;
		return NULL;
	}
	*held = bigger;
	return memset(bigger + (*count)++ * size, 0, size);
}

void bench_report_free(struct bench_report *report)
{
	for (size_t i = 0; i < report->row_count; i++)
		free(report->rows[i]);
	free(report->rows);
	free(report->head);
	free(report->left_out);
	free(report->claims);
	free(report->compared);
}

void bench_report_head(struct bench_report *report, const char *key,
		       const char *format, ...)
{
	struct bench_pair *pair =
		grow(report, &report->head, &report->head_count, sizeof(*pair));
	va_list arguments;

	if (pair == NULL)
		return;
	snprintf(pair->key, sizeof(pair->key), "%s", key);
	va_start(arguments, format);
	vsnprintf(pair->value, sizeof(pair->value), format, arguments);
	va_end(arguments);
}

const char *bench_report_key(const struct bench_report *report, const char *key)
{
	for (size_t i = 0; i < report->head_count; i++)
		if (strcmp(report->head[i].key, key) == 0)
			return report->head[i].value;
	return "";
}

struct bench_row *bench_report_row(struct bench_report *report,
				   const char *name, const char *const params[],
				   size_t count)
{
	struct bench_row *row, **slot;

	slot = grow(report, &report->rows, &report->row_count, sizeof(*slot));
	if (slot == NULL)
		return NULL;
	row = *slot = calloc(1, sizeof(*row));
	if (row == NULL) {
		report->row_count--;
		report->failed = 1;
		return NULL;
	}
	snprintf(row->name, sizeof(row->name), "%s", name);
	for (size_t i = 0; i < BENCH_PARAMS; i++)
		snprintf(row->params[i], sizeof(row->params[i]), "%s",
			 i < count ? params[i] : "-");
	row->copied = NAN;
	row->kept = NAN;
	return row;
}

void bench_report_leave_out(struct bench_report *report, const char *what,
			    const char *reason, ...)
{
	struct bench_left_out *out =
		grow(report, &report->left_out, &report->left_out_count,
		     sizeof(*out));
	va_list arguments;

	if (out == NULL)
		return;
	snprintf(out->what, sizeof(out->what), "%s", what);
	va_start(arguments, reason);
	vsnprintf(out->reason, sizeof(out->reason), reason, arguments);
	va_end(arguments);
}

void bench_report_drop_failed(struct bench_report *report)
{
	size_t kept = 0;

	for (size_t i = 0; i < report->row_count; i++) {
		struct bench_row *row = report->rows[i];
		char label[160];

		if (row->error == 0 && row->count > 0) {
			report->rows[kept++] = row;
			continue;
		}
		bench_row_label(report, row, label, sizeof(label));
		bench_report_leave_out(report, label, "%s",
				       row->error ? strerror(-row->error)
						  : "not measured");
		free(row);
	}
	report->row_count = kept;
}

struct bench_claim *bench_report_claim(struct bench_report *report,
				       double value, double error,
				       const char *unit, enum bench_bound bound,
				       double target)
{
	struct bench_claim *claim = grow(report, &report->claims,
					 &report->claim_count, sizeof(*claim));

	if (claim == NULL)
		return NULL;
	claim->value = value;
	claim->error = error;
	snprintf(claim->unit, sizeof(claim->unit), "%s", unit);
	claim->bound = bound;
	claim->target = target;
	return claim;
}

static int has_samples(const struct bench_row *row)
{
	return row != NULL && row->error == 0 && row->count > 0;
}

void bench_report_ratio(struct bench_report *report,
			const struct bench_row *above,
			const struct bench_row *below, enum bench_bound bound,
			double target, const char *what, ...)
{
	struct bench_claim *claim;
	struct bench_stats s, cpu;
	size_t count;
	va_list arguments;

	if (!has_samples(above) || !has_samples(below))
		return;
	count = above->count < below->count ? above->count : below->count;
	s = bench_stats_ratio(above->wall, below->wall, count);
	cpu = bench_stats_ratio(above->cpu, below->cpu, count);
	claim = bench_report_claim(report, s.median, s.error, "", bound,
				   target);
	if (claim == NULL)
		return;
	/* On a machine that others use as well, the steadier one. */
	snprintf(claim->note, sizeof(claim->note), "CPU %.*f",
		 cpu.median < 100 ? 3 : 1, cpu.median);
	va_start(arguments, what);
	vsnprintf(claim->what, sizeof(claim->what), what, arguments);
	va_end(arguments);
}

void bench_report_figure(struct bench_report *report,
			 const struct bench_row *row, enum bench_bound bound,
			 double target, const char *what, ...)
{
	struct bench_claim *claim;
	struct bench_stats s;
	va_list arguments;

	if (!has_samples(row))
		return;
	s = bench_stats(row->wall, row->count);
	claim = bench_report_claim(report, s.median, s.error, "ns", bound,
				   target);
	if (claim == NULL)
		return;
	va_start(arguments, what);
	vsnprintf(claim->what, sizeof(claim->what), what, arguments);
	va_end(arguments);
}

const char *bench_claim_verdict(const struct bench_claim *claim)
{
	if (claim->bound == BENCH_AT_MOST)
		return claim->value <= claim->target ? "met" : "NOT met";
	if (claim->bound == BENCH_AT_LEAST)
		return claim->value >= claim->target ? "met" : "NOT met";
	return "";
}

void bench_row_label(const struct bench_report *report,
		     const struct bench_row *row, char *to, size_t size)
{
	size_t at = (size_t)snprintf(to, size, "%s", row->name);

	for (size_t i = 0; report->columns[i] != NULL && at < size; i++)
		if (strcmp(row->params[i], "-") != 0)
			at += (size_t)snprintf(to + at, size - at, " %s",
					       row->params[i]);
}
