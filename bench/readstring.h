/* SPDX-License-Identifier: MIT */
/*
 * The main job: the whole of a file as one decoded string, from where the
 * file may be. One operation reads the string and releases it.
 */
#ifndef BENCH_READSTRING_H
#define BENCH_READSTRING_H

#include "bench/prose.h"
#include "bench/report.h"

/* What is asked of a text: JMH's names of them. */
enum bench_charset {
	BENCH_READ_ASCII,	 /* readString.ascii: ASCII read as UTF-8 */
	BENCH_READ_UTF8,	 /* readString.utf8 */
	BENCH_READ_GBK,		 /* readString.gbk */
	BENCH_READ_ASCII_AS_GBK, /* readString.asciiAsGbk */
	BENCH_READ_COUNT
};

struct bench_readstring {
	const char *const *where; /* memory, mount, tmpfs or a directory */
	size_t where_count;
	const uint64_t *lengths;
	size_t length_count;
	int charsets[BENCH_READ_COUNT]; /* in their order: wanted or not */
	uint64_t seed;
};

extern const char *const bench_readstring_columns[];

/* Fills the report. 0; -EINTR if stopped; -EILSEQ if a string was not what
 * its file holds (the last thing left out says which); -ENOMEM. */
int bench_readstring(const struct bench_readstring *options,
		     const struct bench_prose *prose,
		     const struct bench_plan *plan,
		     struct bench_report *report);

#endif
