/* SPDX-License-Identifier: MIT */
/*
 * A set of files of one length and text in one place, which the operations
 * of a row take in turns: several short ones with different texts, so that no
 * branch predictor learns one by heart, and together small enough for the
 * second-level cache.
 */
#ifndef BENCH_FILES_H
#define BENCH_FILES_H

#include "bench/place.h"
#include "bench/prose.h"

#define BENCH_FILES_MAX	  256
#define BENCH_FILES_BYTES (256u * 1024)

struct bench_files {
	struct bench_place *place;
	enum bench_text_kind kind;
	size_t length;
	size_t count;
	char (*names)[24];
	int *fds;    /* memory: open for writing, to make texts unknown again */
	char *first; /* memory: the first byte of each */
};

/* How many files a set of that length has. */
size_t bench_files_count(size_t length);

/*
 * Creates the files, cut from the text at places that depend on the seed
 * only, and reads each back as `charset`s (up to two, NULL ends): -EILSEQ if a
 * string is not the text that the file was cut from.
 */
int bench_files_create(struct bench_files *files, struct bench_place *place,
		       const struct bench_text *text, enum bench_text_kind kind,
		       size_t length, uint64_t seed,
		       const struct mvfs_charset *const charsets[2]);
void bench_files_free(struct bench_files *files);

/* Memory: what `count` files from `from` on hold is text never looked at. */
int bench_files_unknow(struct bench_files *files, size_t from, size_t count);

#endif
