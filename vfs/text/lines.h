/* SPDX-License-Identifier: MIT */
/*
 * Where lines end: at LF, CR LF, or a CR alone.
 *
 * A kernel tells the ends of a stretch of text as bits, and these are taken
 * one by one: that costs less than a search for each line, which is mostly
 * the start of a search.
 */
#ifndef MVFS__TEXT_LINES_H
#define MVFS__TEXT_LINES_H

#include "vfs/base/base.h"

/* The most that is looked at ahead, in words of 64 bytes. */
#define MVFS__LINE_WORDS 16

/* A text whose lines are asked for in turn. */
struct mvfs__line_scan {
	const uint8_t *bytes;
	size_t length;
	size_t at;       /* where the next line begins */
	size_t looked;   /* the end of what is in `bits` */
	size_t ahead;    /* how many bytes to look at next; doubles */
	size_t base;     /* of `word`, in the text */
	uint64_t word;   /* ends that were not taken yet */
	unsigned next, count; /* words of `bits` */
	uint64_t bits[MVFS__LINE_WORDS];
};

void mvfs__line_scan_init(struct mvfs__line_scan *s, const char *bytes,
			  size_t length);

/* The next line, without its end; false: there is none. */
bool mvfs__line_scan_next(struct mvfs__line_scan *s, size_t *start,
			  size_t *length);

#endif
