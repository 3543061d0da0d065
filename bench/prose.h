/* SPDX-License-Identifier: MIT */
/*
 * The texts that are read back: real ones from a directory, or generated
 * ones that are labelled as such.
 *
 * Every regular file of the directory is taken, in the order of names: what
 * is ASCII goes into one text, what else is well-formed UTF-8 into the other,
 * the rest is left out. The GBK text is the second one, line by line, encoded
 * by the C library's iconv so that our decoder is measured, and checked,
 * against somebody else's encoder; lines that GBK cannot say are left out.
 * The files measured are cut from these texts, beginning at a random line,
 * going round at the end.
 */
#ifndef BENCH_PROSE_H
#define BENCH_PROSE_H

#include <stddef.h>
#include <stdint.h>

#include "bench/report.h"

enum bench_text_kind { BENCH_ASCII, BENCH_UTF8, BENCH_GBK, BENCH_TEXTS };

struct bench_text {
	char *bytes; /* in the charset; terminated */
	size_t len;
	char *utf8; /* the same as UTF-8; `bytes` itself if that is UTF-8 */
	size_t utf8_len;
	/* Where lines begin in both; the end is one more. */
	struct bench_line {
		size_t bytes, utf8;
	} * lines;
	size_t line_count;
	size_t dropped; /* lines that the charset cannot say */
	char why[200];	/* there is no such text because; or "" */
};

struct bench_prose {
	struct bench_text text[BENCH_TEXTS];
	char source[200];
	size_t files, refused; /* taken; neither ASCII nor UTF-8 */
	const char *gbk_by;
};

/* source NULL: generated from the seed. -ENOENT, -ENOTDIR, -ENOMEM, or what
 * reading gave. A text that cannot be had is no error: see `why`. */
int bench_prose_load(const char *source, uint64_t seed,
		     struct bench_prose *prose);
void bench_prose_free(struct bench_prose *prose);

/* What was found, into the head of an output. */
void bench_prose_head(const struct bench_prose *prose,
		      struct bench_report *report);

/*
 * Cuts a file of exactly `length` bytes: whole characters from a random line
 * on, filled up with line feeds where no character fits. `bytes` has room
 * for it, `utf8` for 2 * length + 1. Returns the length of `utf8`.
 */
size_t bench_text_cut(const struct bench_text *text, uint64_t random,
		      size_t length, char *bytes, char *utf8);

#define BENCH_GENERATED ((size_t)1 << 20)

/* Text that is nobody's, of so many bytes or a few more. -ENOMEM or 0. */
int bench_generate_ascii(uint64_t seed, size_t bytes, struct bench_text *text);
int bench_generate_chinese(uint64_t seed, size_t bytes,
			   struct bench_text *text);

#endif
