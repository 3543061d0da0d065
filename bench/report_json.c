// SPDX-License-Identifier: MIT
/*
 * A report as JSON: {"memvfs_bench": 1, "benchmark", "head": {}, "rows": [],
 * "left_out": [], "claims": [], "compared": []}. Times in "*_ns" are per
 * operation whatever the mode; `--compare` reads these.
 */
#include <config.h>

#include "bench/json.h"
#include "bench/report.h"

#include <math.h>

static void put_row(struct bench_json *json, const struct bench_report *report,
		    const struct bench_row *row)
{
	struct bench_stats wall = bench_stats(row->wall, row->count);
	struct bench_stats cpu = bench_stats(row->cpu, row->count);
	double score = wall.median, error = wall.error;

	if (report->throughput) {
		score = 1e9 / wall.median;
		error = fmax(1e9 / wall.low - score, score - 1e9 / wall.high);
	}
	bench_json_open(json, NULL, '{');
	bench_json_string(json, "name", row->name);
	bench_json_open(json, "params", '{');
	for (size_t i = 0; report->columns[i] != NULL; i++)
		bench_json_string(json, report->columns[i], row->params[i]);
	bench_json_close(json, '}');
	bench_json_string(json, "mode", report->throughput ? "thrpt" : "avgt");
	bench_json_number(json, "cnt", (double)row->count);
	bench_json_number(json, "score", score);
	bench_json_number(json, "error", error);
	bench_json_string(json, "units",
			  report->throughput ? "ops/s" : "ns/op");
	bench_json_number(json, "median_ns", wall.median);
	bench_json_number(json, "error_ns", wall.error);
	bench_json_number(json, "best_ns", wall.best);
	bench_json_number(json, "cpu_ns", cpu.median);
	bench_json_number(json, "copied_bytes", row->copied);
	bench_json_number(json, "kept_bytes", row->kept);
	bench_json_string(json, "note", row->note);
	bench_json_number(json, "batch", (double)row->batch);
	bench_json_number(json, "segments", (double)row->segments);
	bench_json_open(json, "samples_ns", '[');
	for (size_t i = 0; i < row->count; i++)
		bench_json_number(json, NULL, row->wall[i]);
	bench_json_close(json, ']');
	bench_json_close(json, '}');
}

static void put_claim(struct bench_json *json, const struct bench_claim *claim)
{
	bench_json_open(json, NULL, '{');
	bench_json_string(json, "what", claim->what);
	bench_json_number(json, "value", claim->value);
	bench_json_number(json, "error", claim->error);
	bench_json_string(json, "unit", claim->unit);
	if (claim->bound != BENCH_NO_BOUND) {
		bench_json_string(json, "bound",
				  claim->bound == BENCH_AT_MOST ? "at most"
								: "at least");
		bench_json_number(json, "target", claim->target);
		bench_json_string(json, "verdict", bench_claim_verdict(claim));
	}
	bench_json_string(json, "note", claim->note);
	bench_json_close(json, '}');
}

static void put_compared(struct bench_json *json,
			 const struct bench_report *report)
{
	bench_json_string(json, "compared_with", report->compared_with);
	bench_json_open(json, "compared", '[');
	for (size_t i = 0; i < report->compared_count; i++) {
		const struct bench_compared *c = &report->compared[i];
		double now = bench_stats(c->row->wall, c->row->count).median;
		char label[160];

		bench_row_label(report, c->row, label, sizeof(label));
		bench_json_open(json, NULL, '{');
		bench_json_string(json, "row", label);
		bench_json_number(json, "old_ns", c->old_median);
		bench_json_number(json, "new_ns", now);
		bench_json_number(json, "ratio", now / c->old_median);
		bench_json_close(json, '}');
	}
	bench_json_close(json, ']');
}

void bench_report_json(const struct bench_report *report, FILE *to)
{
	struct bench_json json;

	bench_json_begin(&json, to);
	bench_json_number(&json, "memvfs_bench", 1);
	bench_json_string(&json, "benchmark", report->benchmark);
	bench_json_open(&json, "head", '{');
	for (size_t i = 0; i < report->head_count; i++)
		bench_json_string(&json, report->head[i].key,
				  report->head[i].value);
	bench_json_string(&json, "error is", bench_stats_error_is);
	bench_json_close(&json, '}');
	bench_json_open(&json, "rows", '[');
	for (size_t i = 0; i < report->row_count; i++)
		put_row(&json, report, report->rows[i]);
	bench_json_close(&json, ']');
	bench_json_open(&json, "left_out", '[');
	for (size_t i = 0; i < report->left_out_count; i++) {
		bench_json_open(&json, NULL, '{');
		bench_json_string(&json, "what", report->left_out[i].what);
		bench_json_string(&json, "reason", report->left_out[i].reason);
		bench_json_close(&json, '}');
	}
	bench_json_close(&json, ']');
	bench_json_open(&json, "claims", '[');
	for (size_t i = 0; i < report->claim_count; i++)
		put_claim(&json, &report->claims[i]);
	bench_json_close(&json, ']');
	if (report->compared_with[0] != '\0')
		put_compared(&json, report);
	bench_json_end(&json);
}
