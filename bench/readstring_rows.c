// SPDX-License-Identifier: MIT
/* The rows of bench readstring, and the loops that are timed. */
#include <config.h>

#include "bench/readstring_work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct bench_read bench_reads[BENCH_READ_COUNT] = {
	{"readString.ascii", BENCH_ASCII, "UTF-8"},
	{"readString.utf8", BENCH_UTF8, "UTF-8"},
	{"readString.gbk", BENCH_GBK, "GBK"},
	{"readString.asciiAsGbk", BENCH_ASCII, "GBK"},
};

static size_t advance(struct bench_cell *cell)
{
	size_t now = cell->next;

	cell->next = now + 1 == cell->files->count ? 0 : now + 1;
	return now;
}

static int run_memory(void *ctx, uint64_t count)
{
	struct bench_cell *cell = ctx;
	mvfs *fs = cell->files->place->fs;
	struct mvfs_string s;

	for (; count > 0; count--) {
		const char *name = cell->files->names[advance(cell)];
		int result =
			mvfs_read_string(fs, name, cell->charset, 0, &s, NULL);

		if (result < 0)
			return result;
		bench_sink(s.data);
		mvfs_string_release(&s);
	}
	return 0;
}

static int run_host(void *ctx, uint64_t count)
{
	struct bench_cell *cell = ctx;
	int dirfd = cell->files->place->dirfd;
	struct mvfs_string s;

	for (; count > 0; count--) {
		const char *name = cell->files->names[advance(cell)];
		int result = mvfs_host_read_string(dirfd, name, cell->charset,
						   0, &s, NULL);

		if (result < 0)
			return result;
		bench_sink(s.data);
		mvfs_string_release(&s);
	}
	return 0;
}

static int run_copy(void *ctx, uint64_t count)
{
	struct bench_cell *cell = ctx;
	size_t length = cell->files->length;

	for (; count > 0; count--) {
		const char *from = cell->source + advance(cell) * length;
		char *to = malloc(length + 1);

		if (to == NULL)
			return -ENOMEM;
		memcpy(to, from, length);
		to[length] = '\0';
		bench_sink(to);
		free(to);
	}
	return 0;
}

static int prepare_unknown(void *ctx, uint64_t count)
{
	struct bench_cell *cell = ctx;

	return bench_files_unknow(cell->files, cell->next, count);
}

static int prepare_cold(void *ctx, uint64_t count)
{
	struct bench_cell *cell = ctx;
	struct bench_files *files = cell->files;
	int result = 0;

	for (size_t i = 0; i < count && result == 0; i++)
		result = bench_place_forget(
			files->place,
			files->names[(cell->next + i) % files->count]);
	return result;
}

static const struct bench_ops memory_first = {prepare_unknown, run_memory,
					      NULL};
static const struct bench_ops memory_again = {NULL, run_memory, NULL};
static const struct bench_ops host_warm = {NULL, run_host, NULL};
static const struct bench_ops host_cold = {prepare_cold, run_host, NULL};
static const struct bench_ops copy = {NULL, run_copy, NULL};

/* A new row and what it works on; NULL without memory. */
static struct bench_cell *add_cell(struct bench_work *work, const char *name,
				   struct bench_files *files, const char *text,
				   const char *cache,
				   const struct bench_ops *ops)
{
	struct bench_cell *cell = &work->cells[work->cell_count];
	char length[24];
	const char *params[] = {files->place->where, length, text, cache};

	snprintf(length, sizeof(length), "%zu", files->length);
	cell->row = bench_report_row(work->report, name, params, 4);
	if (cell->row == NULL)
		return NULL;
	work->cell_count++;
	cell->files = files;
	cell->row->ops = ops;
	cell->row->ctx = cell;
	if (ops->prepare != NULL)
		cell->row->max_batch = files->count;
	return cell;
}

/* Bytes moved and kept, as the string that such a call returned tells. */
static int account(struct bench_cell *cell)
{
	const struct bench_place *place = cell->files->place;
	const char *name = cell->files->names[0];
	struct mvfs_string s;
	int result, shared;

	if (place->kind == BENCH_MEMORY)
		result = mvfs_read_string(place->fs, name, cell->charset, 0, &s,
					  NULL);
	else
		result = mvfs_host_read_string(place->dirfd, name,
					       cell->charset, 0, &s, NULL);
	if (result < 0)
		return result;
	/* A host file's string is the buffer that was read into, or decoded
	 * from it; the flag tells only of files in memory. */
	shared = place->kind == BENCH_MEMORY
			 ? (s.flags & MVFS_STRING_SHARED) != 0
			 : cell->files->kind != BENCH_GBK;
	cell->row->kept = (double)s.len;
	cell->row->copied = shared ? 0 : (double)s.len;
	if (place->kind != BENCH_MEMORY)
		cell->row->copied +=
			(double)place->moves * (double)cell->files->length;
	if (shared && place->kind == BENCH_MEMORY && s.len > 0)
		snprintf(cell->row->note, sizeof(cell->row->note),
			 "shares the file's buffer");
	mvfs_string_release(&s);
	return 0;
}

static void leave_out_empty(struct bench_work *work, const char *name,
			    const struct bench_place *place)
{
	char what[160];

	snprintf(what, sizeof(what), "%s %s 0 cold", name, place->where);
	bench_report_leave_out(work->report, what,
			       "an empty file has no pages");
}

static int add_reads(struct bench_work *work, int which,
		     struct bench_files *files)
{
	struct bench_place *place = files->place;
	const char *name = bench_reads[which].row;
	struct {
		const char *text, *cache;
		const struct bench_ops *ops;
		int wanted;
	} kinds[] = {
		{"first", "-", &memory_first, place->kind == BENCH_MEMORY},
		{"again", "-", &memory_again, place->kind == BENCH_MEMORY},
		{"first", "warm", &host_warm,
		 place->kind != BENCH_MEMORY && place->no_warm[0] == '\0'},
		{"first", "cold",
		 place->no_warm[0] != '\0' ? &host_warm : &host_cold,
		 place->kind != BENCH_MEMORY && place->no_cold[0] == '\0'},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct bench_cell *cell;
		int result;

		if (!kinds[i].wanted)
			continue;
		if (kinds[i].ops == &host_cold && files->length == 0) {
			leave_out_empty(work, name, place);
			continue;
		}
		cell = add_cell(work, name, files, kinds[i].text,
				kinds[i].cache, kinds[i].ops);
		if (cell == NULL)
			return -ENOMEM;
		cell->charset = mvfs_charset(bench_reads[which].charset);
		result = account(cell);
		if (result < 0)
			return result;
	}
	return 0;
}

/* What a reader without memvfs would at least do with bytes in memory. */
static int add_copy(struct bench_work *work, struct bench_files *files)
{
	struct bench_cell *cell =
		add_cell(work, "mallocMemcpy.ascii", files, "-", "-", &copy);
	size_t length = files->length;

	if (cell == NULL)
		return -ENOMEM;
	cell->row->copied = (double)length;
	cell->row->kept = (double)length;
	cell->source = malloc(files->count * length + 1);
	if (cell->source == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < files->count; i++) {
		struct mvfs_string s;
		int result =
			mvfs_read_file(files->place->fs, files->names[i], &s);

		if (result < 0)
			return result;
		memcpy(cell->source + i * length, s.data, length);
		mvfs_string_release(&s);
	}
	return 0;
}

int bench_work_add_rows(struct bench_work *work)
{
	int result = 0;

	for (int r = 0; r < BENCH_READ_COUNT; r++)
		for (size_t l = 0; l < work->length_count; l++)
			for (size_t p = 0; p < work->place_count; p++) {
				struct bench_files *files = bench_work_files(
					work, p, l, bench_reads[r].kind);

				if (!work->options->charsets[r] ||
				    files->count == 0)
					continue;
				result = add_reads(work, r, files);
				if (result == 0 && r == BENCH_READ_ASCII &&
				    files->place->kind == BENCH_MEMORY)
					result = add_copy(work, files);
				if (result < 0)
					return result;
			}
	return result;
}
