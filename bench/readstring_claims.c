// SPDX-License-Identifier: MIT
/* What bench readstring's rows say, held against the bounds that were set. */
#include <config.h>

#include "bench/readstring_work.h"

#include <string.h>

static const struct bench_row *find(const struct bench_work *work,
				    const char *name,
				    const struct bench_files *files,
				    const char *text)
{
	for (size_t i = 0; i < work->cell_count; i++) {
		const struct bench_cell *cell = &work->cells[i];

		if (cell->files == files &&
		    strcmp(cell->row->name, name) == 0 &&
		    strcmp(cell->row->params[2], text) == 0)
			return cell->row;
	}
	return NULL;
}

static void add_bounds(struct bench_work *work)
{
	struct bench_report *report = work->report;

	for (size_t p = 0; p < work->place_count; p++) {
		for (size_t l = 0; l < work->length_count; l++) {
			struct bench_files *files =
				bench_work_files(work, p, l, BENCH_ASCII);

			if (work->places[p].kind != BENCH_MEMORY)
				continue;
			bench_report_ratio(
				report,
				find(work, "mallocMemcpy.ascii", files, "-"),
				find(work, bench_reads[0].row, files, "first"),
				work->lengths[l] >= 1 << 20 ? BENCH_AT_LEAST
							    : BENCH_NO_BOUND,
				1,
				"mallocMemcpy / readString.ascii first, %llu",
				(unsigned long long)work->lengths[l]);
			if (l > 0)
				bench_report_ratio(
					report,
					find(work, bench_reads[0].row, files,
					     "again"),
					find(work, bench_reads[0].row,
					     bench_work_files(work, p, 0,
							      BENCH_ASCII),
					     "again"),
					BENCH_AT_MOST, 2,
					"readString.ascii again, %llu / %llu",
					(unsigned long long)work->lengths[l],
					(unsigned long long)work->lengths[0]);
		}
	}
}

static void add_place_ratios(struct bench_work *work)
{
	size_t memory = 0;

	while (memory < work->place_count &&
	       work->places[memory].kind != BENCH_MEMORY)
		memory++;
	if (memory == work->place_count)
		return;
	for (int r = 0; r < BENCH_READ_COUNT; r++)
		for (size_t l = 0; l < work->length_count; l++)
			for (size_t p = 0; p < work->place_count; p++)
				if (p != memory)
					bench_report_ratio(
						work->report,
						find(work, bench_reads[r].row,
						     bench_work_files(
							     work, p, l,
							     bench_reads[r]
								     .kind),
						     "first"),
						find(work, bench_reads[r].row,
						     bench_work_files(
							     work, memory, l,
							     bench_reads[r]
								     .kind),
						     "first"),
						BENCH_NO_BOUND, 0,
						"%.40s / memory, %s first, "
						"%llu",
						work->places[p].where,
						bench_reads[r].row,
						(unsigned long long)
							work->lengths[l]);
}

void bench_work_add_claims(struct bench_work *work)
{
	add_bounds(work);
	add_place_ratios(work);
}
