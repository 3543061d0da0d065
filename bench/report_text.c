// SPDX-License-Identifier: MIT
/*
 * A report as text: lines with '#' before and after a table whose first
 * columns are JMH's, so that both can be laid side by side.
 */
#include <config.h>

#include "bench/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS (BENCH_PARAMS + 11)

struct line {
	char cell[COLUMNS][72];
};

struct table {
	struct line *lines;
	size_t count;
	size_t columns;
	int width[COLUMNS];
};

/* Columns on a terminal: characters, of which continuation bytes are none. */
static int width_of(const char *text)
{
	int width = 0;

	for (; *text != '\0'; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

BENCH_PRINTF(4, 5)
static void put(struct line *line, size_t *column, const char *before,
		const char *format, ...)
{
	va_list arguments;
	char *cell = line->cell[*column];
	size_t at = (size_t)snprintf(cell, sizeof(line->cell[0]), "%s", before);

	va_start(arguments, format);
	vsnprintf(cell + at, sizeof(line->cell[0]) - at, format, arguments);
	va_end(arguments);
	++*column;
}

/* As many decimals as mean something beside the error of such a value. */
static int decimals(double value)
{
	return value < 100 ? 3 : value < 10000 ? 1 : 0;
}

static void put_time(struct line *line, size_t *column, const char *before,
		     double value)
{
	put(line, column, before, "%.*f", decimals(value), value);
}

static void put_bytes(struct line *line, size_t *column, double value)
{
	if (isnan(value))
		put(line, column, "-", "%s", "");
	else
		put(line, column, "", "%.0f", value);
}

static void fill_header(const struct bench_report *report, struct line *line,
			size_t *columns)
{
	static const char *const fixed[] = {"Mode",  "Cnt",  "Score", "Error",
					    "Units", "Best", "CPU",   "Copied",
					    "Kept",  "Note"};
	size_t column = 0;

	put(line, &column, "Benchmark", "%s", "");
	for (size_t i = 0; report->columns[i] != NULL; i++)
		put(line, &column, "(", "%s)", report->columns[i]);
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		put(line, &column, fixed[i], "%s", "");
	*columns = column;
}

static void fill_line(const struct bench_report *report,
		      const struct bench_row *row, struct line *line)
{
	struct bench_stats s = bench_stats(row->wall, row->count);
	double score = s.median, error = s.error, best = s.best;
	size_t column = 0;

	if (report->throughput) {
		score = 1e9 / s.median;
		error = fmax(1e9 / s.low - score, score - 1e9 / s.high);
		best = 1e9 / s.best;
	}
	put(line, &column, "", "%s", row->name);
	for (size_t i = 0; report->columns[i] != NULL; i++)
		put(line, &column, "", "%s", row->params[i]);
	put(line, &column, report->throughput ? "thrpt" : "avgt", "%s", "");
	put(line, &column, "", "%zu", row->count);
	put_time(line, &column, "", score);
	put(line, &column, "± ", "%.*f", decimals(score), error);
	put(line, &column, report->throughput ? "ops/s" : "ns/op", "%s", "");
	put_time(line, &column, "", best);
	put_time(line, &column, "", bench_stats(row->cpu, row->count).median);
	put_bytes(line, &column, row->copied);
	put_bytes(line, &column, row->kept);
	put(line, &column, row->copied == 0 ? "moved no bytes" : "", "%s%s",
	    row->copied == 0 && row->note[0] != '\0' ? ", " : "", row->note);
}

/* The first and the last column are words and stand to the left. */
static void print_table(const struct table *table, FILE *to)
{
	for (size_t l = 0; l < table->count; l++) {
		const struct line *line = &table->lines[l];
		size_t last = table->columns - 1;

		for (size_t c = 0; c < last; c++) {
			int pad = table->width[c] - width_of(line->cell[c]);

			if (c == 0)
				fprintf(to, "%s%*s", line->cell[c], pad, "");
			else
				fprintf(to, "  %*s%s", pad, "", line->cell[c]);
		}
		if (line->cell[last][0] != '\0')
			fprintf(to, "  %s", line->cell[last]);
		fputc('\n', to);
	}
}

static void print_rows(const struct bench_report *report, FILE *to)
{
	struct table table = {NULL, report->row_count + 1, 0, {0}};

	table.lines = calloc(table.count, sizeof(*table.lines));
	if (table.lines == NULL)
		return;
	fill_header(report, &table.lines[0], &table.columns);
	for (size_t i = 0; i < report->row_count; i++)
		fill_line(report, report->rows[i], &table.lines[i + 1]);
	for (size_t l = 0; l < table.count; l++)
		for (size_t c = 0; c < table.columns; c++) {
			int width = width_of(table.lines[l].cell[c]);

			if (width > table.width[c])
				table.width[c] = width;
		}
	print_table(&table, to);
	free(table.lines);
}

static void print_claims(const struct bench_report *report, FILE *to)
{
	for (size_t i = 0; i < report->claim_count; i++) {
		const struct bench_claim *c = &report->claims[i];
		int digits = decimals(c->value);

		fprintf(to, "%-64s %12.*f", c->what, digits, c->value);
		if (!isnan(c->error))
			fprintf(to, " ± %.*f", digits, c->error);
		if (c->unit[0] != '\0')
			fprintf(to, " %s", c->unit);
		if (c->bound != BENCH_NO_BOUND)
			fprintf(to, "  (%s %g: %s)",
				c->bound == BENCH_AT_MOST ? "at most"
							  : "at least",
				c->target, bench_claim_verdict(c));
		if (c->note[0] != '\0')
			fprintf(to, "  %s", c->note);
		fputc('\n', to);
	}
}

static void print_compared(const struct bench_report *report, FILE *to)
{
	fprintf(to, "\n# compared with %s\n", report->compared_with);
	for (size_t i = 0; i < report->compared_count; i++) {
		const struct bench_compared *c = &report->compared[i];
		struct bench_stats s = bench_stats(c->row->wall, c->row->count);
		double ratio = s.median / c->old_median;
		char label[160];

		bench_row_label(report, c->row, label, sizeof(label));
		fprintf(to, "%-64s %12.*f -> %.*f ns/op, ratio %.3f%s\n", label,
			decimals(c->old_median), c->old_median,
			decimals(s.median), s.median, ratio,
			fabs(s.median - c->old_median) <= s.error + c->old_error
				? " (within the errors)"
				: "");
	}
}

void bench_report_text(const struct bench_report *report, FILE *to)
{
	fprintf(to, "# memvfs bench %s\n", report->benchmark);
	for (size_t i = 0; i < report->head_count; i++)
		fprintf(to, "# %s: %s\n", report->head[i].key,
			report->head[i].value);
	fprintf(to, "# score: median; error: %s\n", bench_stats_error_is);
	fprintf(to, "# cpu: ns/op of all threads of the process, a mount's "
		    "server included\n"
		    "# copied, kept: bytes per operation that were moved, and "
		    "that the result keeps alive\n\n");
	print_rows(report, to);
	if (report->claim_count > 0) {
		fputc('\n', to);
		print_claims(report, to);
	}
	if (report->left_out_count > 0)
		fputs("\n# left out:\n", to);
	for (size_t i = 0; i < report->left_out_count; i++)
		fprintf(to, "# %s: %s\n", report->left_out[i].what,
			report->left_out[i].reason);
	if (report->compared_with[0] != '\0')
		print_compared(report, to);
}
