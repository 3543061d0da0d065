// SPDX-License-Identifier: MIT
#include <config.h>

#include "bench/head.h"
#include "bench/readstring_work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const bench_readstring_columns[] = {"where", "length", "text",
						"cache", NULL};

struct bench_files *bench_work_files(const struct bench_work *work,
				     size_t place, size_t length, int kind)
{
	return &work->files[(place * work->length_count + length) *
				    BENCH_TEXTS +
			    (size_t)kind];
}

static int wants_kind(const struct bench_work *work, int kind)
{
	for (int r = 0; r < BENCH_READ_COUNT; r++)
		if (work->options->charsets[r] &&
		    (int)bench_reads[r].kind == kind &&
		    work->prose->text[kind].len > 0)
			return 1;
	return 0;
}

/* Bytes that the files of one length occupy in one place. */
static uint64_t size_of(const struct bench_work *work, uint64_t length)
{
	uint64_t blocks = (length + 4095) / 4096 * 4096, kinds = 0;

	for (int kind = 0; kind < BENCH_TEXTS; kind++)
		kinds += (uint64_t)wants_kind(work, kind);
	return kinds * blocks * bench_files_count(length);
}

/* Lengths for which this machine has memory; the others are left out. */
static void choose_lengths(struct bench_work *work)
{
	const struct bench_readstring *options = work->options;
	uint64_t room = bench_meminfo("MemAvailable") / 10 * 8, used = 0;

	for (size_t l = 0; l < options->length_count; l++) {
		uint64_t length = options->lengths[l];
		/* A mount has its instance and the kernel's pages. */
		uint64_t more =
			size_of(work, length) * (options->where_count + 1) +
			4 * length;

		if (room == 0 || used + more <= room) {
			work->lengths[work->length_count++] = length;
			used += more;
		} else {
			char what[64];

			snprintf(what, sizeof(what), "readString.* %llu",
				 (unsigned long long)length);
			bench_report_leave_out(work->report, what,
					       "needs %.0f MB of memory, of "
					       "which %.0f MB are free",
					       (double)(used + more) / 1e6,
					       (double)room / 1e6);
		}
	}
}

static void open_places(struct bench_work *work)
{
	struct bench_needs needs = {0, 0, work->options->seed};
	char what[96], reason[256];

	for (size_t l = 0; l < work->length_count; l++)
		needs.bytes += size_of(work, work->lengths[l]);
	needs.bytes += 1 << 20;
	needs.files = BENCH_FILES_MAX * BENCH_TEXTS * work->length_count;
	for (size_t w = 0; w < work->options->where_count; w++) {
		struct bench_place *place = &work->places[work->place_count];
		const char *where = work->options->where[w];

		snprintf(what, sizeof(what), "readString.* %.64s", where);
		if (bench_place_open(where, &needs, place, reason) < 0) {
			bench_report_leave_out(work->report, what, "%s",
					       reason);
			continue;
		}
		work->place_count++;
		if (place->kind != BENCH_MEMORY)
			bench_report_head(work->report, place->where, "%s",
					  place->about);
		snprintf(what, sizeof(what), "readString.* %.64s %s", where,
			 place->no_warm[0] ? "warm" : "cold");
		if (place->no_warm[0] != '\0' || place->no_cold[0] != '\0')
			bench_report_leave_out(work->report, what, "%s",
					       place->no_warm[0]
						       ? place->no_warm
						       : place->no_cold);
	}
}

static int create_files(struct bench_work *work)
{
	const struct mvfs_charset *charsets[BENCH_TEXTS][2] = {
		{NULL, NULL},
		{mvfs_charset("UTF-8"), NULL},
		{mvfs_charset("GBK"), NULL}};

	charsets[BENCH_ASCII][0] = mvfs_charset("UTF-8");
	charsets[BENCH_ASCII][1] =
		work->options->charsets[BENCH_READ_ASCII_AS_GBK]
			? mvfs_charset("GBK")
			: NULL;
	for (size_t p = 0; p < work->place_count; p++)
		for (size_t l = 0; l < work->length_count; l++)
			for (int kind = 0; kind < BENCH_TEXTS; kind++) {
				struct bench_files *files =
					bench_work_files(work, p, l, kind);
				int result;

				if (!wants_kind(work, kind))
					continue;
				if (work->plan->stop != NULL &&
				    *work->plan->stop)
					return -EINTR;
				bench_progress_text("writing files");
				result = bench_files_create(
					files, &work->places[p],
					&work->prose->text[kind], kind,
					work->lengths[l], work->options->seed,
					charsets[kind]);
				if (result < 0) {
					bench_report_leave_out(
						work->report,
						work->places[p].where,
						"%s of %llu bytes: %s",
						bench_reads[kind].row,
						(unsigned long long)
							work->lengths[l],
						result == -EILSEQ
							? "not what the file "
							  "holds"
							: strerror(-result));
					return result;
				}
			}
	return 0;
}

static void say_repeats(struct bench_work *work)
{
	static const char *const keys[] = {"repeats ascii", "repeats utf8",
					   "repeats gbk"};

	for (int kind = 0; kind < BENCH_TEXTS; kind++) {
		size_t have = work->prose->text[kind].len, at = 0;
		char line[256] = "";

		if (have == 0)
			continue;
		for (size_t l = 0; l < work->length_count; l++)
			if (at < sizeof(line))
				at += (size_t)snprintf(
					line + at, sizeof(line) - at,
					"%s%llu: x%.2f", l ? ", " : "",
					(unsigned long long)work->lengths[l],
					work->lengths[l] > have
						? (double)work->lengths[l] /
							  (double)have
						: 1.0);
		bench_report_head(work->report, keys[kind], "%s", line);
	}
}

static int measure(struct bench_work *work)
{
	struct bench_row **rows = calloc(work->cell_count + 1, sizeof(*rows));
	int result;

	if (rows == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < work->cell_count; i++)
		rows[i] = work->cells[i].row;
	result = bench_measure(work->plan, rows, work->cell_count);
	free(rows);
	return result;
}

static void clean_up(struct bench_work *work)
{
	for (size_t i = 0; i < work->cell_count; i++)
		free(work->cells[i].source);
	for (size_t i = 0;
	     work->files != NULL &&
	     i < work->place_count * work->length_count * BENCH_TEXTS;
	     i++)
		bench_files_free(&work->files[i]);
	for (size_t p = 0; p < work->place_count; p++)
		bench_place_close(&work->places[p]);
	free(work->cells);
	free(work->files);
	free(work->lengths);
	free(work->places);
}

int bench_readstring(const struct bench_readstring *options,
		     const struct bench_prose *prose,
		     const struct bench_plan *plan, struct bench_report *report)
{
	struct bench_work work = {options, prose, plan, report, NULL, 0,
				  NULL,	   0,	  NULL, NULL,	0};
	size_t sets;
	int result = -ENOMEM;

	for (int r = 0; r < BENCH_READ_COUNT; r++)
		if (options->charsets[r] &&
		    prose->text[bench_reads[r].kind].why[0] != '\0')
			bench_report_leave_out(
				report, bench_reads[r].row, "%s",
				prose->text[bench_reads[r].kind].why);
	work.places = calloc(options->where_count, sizeof(*work.places));
	work.lengths = calloc(options->length_count, sizeof(*work.lengths));
	if (work.places == NULL || work.lengths == NULL)
		goto out;
	bench_report_head(report, "cpu caches",
			  "the same for all rows: short files are taken in "
			  "turns from %u KiB, which stay warm",
			  BENCH_FILES_BYTES / 1024);
	choose_lengths(&work);
	open_places(&work);
	say_repeats(&work);
	sets = work.place_count * work.length_count;
	work.files = calloc(sets * BENCH_TEXTS + 1, sizeof(*work.files));
	work.cells =
		calloc(sets * BENCH_READ_COUNT * 3 + 1, sizeof(*work.cells));
	if (work.files == NULL || work.cells == NULL)
		goto out;
	result = create_files(&work);
	if (result == 0)
		result = bench_work_add_rows(&work);
	if (result == 0)
		result = measure(&work);
	if (result == 0)
		bench_work_add_claims(&work);
out:
	clean_up(&work);
	return result;
}
