/* SPDX-License-Identifier: MIT */
/* Between the files of bench readstring: its places, files and rows. */
#ifndef BENCH_READSTRING_WORK_H
#define BENCH_READSTRING_WORK_H

#include "bench/files.h"
#include "bench/readstring.h"

/* What is read, by enum bench_charset. */
struct bench_read {
	const char *row;
	enum bench_text_kind kind;
	const char *charset;
};
extern const struct bench_read bench_reads[BENCH_READ_COUNT];

/* What a row works on. */
struct bench_cell {
	struct bench_files *files;
	const struct mvfs_charset *charset;
	size_t next;
	char *source; /* mallocMemcpy: the bytes to copy */
	struct bench_row *row;
};

struct bench_work {
	const struct bench_readstring *options;
	const struct bench_prose *prose;
	const struct bench_plan *plan;
	struct bench_report *report;
	struct bench_place *places;
	size_t place_count;
	uint64_t *lengths; /* those for which there is memory */
	size_t length_count;
	struct bench_files *files; /* [place][length][kind] */
	struct bench_cell *cells;
	size_t cell_count;
};

struct bench_files *bench_work_files(const struct bench_work *work,
				     size_t place, size_t length, int kind);

/* readstring_rows.c: a row for each thing to be measured. 0 or -errno. */
int bench_work_add_rows(struct bench_work *work);
/* readstring_claims.c: what follows from the rows. */
void bench_work_add_claims(struct bench_work *work);

#endif
