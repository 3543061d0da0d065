// SPDX-License-Identifier: MIT
/*
 * Text for where there is none: words at random, the same for a seed. It has
 * the letters and line lengths of prose and none of its repetition, so it is
 * harder on branch predictors than real text, and labelled as no real text.
 */
#include <config.h>

#include "bench/prose.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LINE_LENGTH 72

static const char *const words[] = {
	"the",	 "of",	    "and",	 "a",	       "to",	  "in",
	"is",	 "that",    "it",	 "for",	       "on",	  "with",
	"as",	 "be",	    "file",	 "by",	       "this",	  "are",
	"or",	 "from",    "which",	 "not",	       "system",  "name",
	"call",	 "when",    "directory", "process",    "if",	  "can",
	"been",	 "written", "memory",	 "buffer",     "between", "returns",
	"error", "value",   "may",	 "descriptor", "has",	  "kernel",
	"set",	 "user",    "opened",	 "one",	       "other",	  "such",
	"whole", "more",    "time",	 "only"};

/* Everyday characters, all of them in GBK's oldest part. */
static const char characters[] =
	"的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能"
	"而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现"
	"当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无"
	"力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重"
	"文件系统内存目录字符读写数据";
static const char full_stop[] = "。", comma[] = "，";

static void put(struct bench_text *text, const char *bytes, size_t len)
{
	memcpy(text->utf8 + text->utf8_len, bytes, len);
	text->utf8_len += len;
}

static int begin(struct bench_text *text, size_t bytes)
{
	text->utf8 = malloc(bytes + 64);
	text->utf8_len = 0;
	return text->utf8 != NULL ? 0 : -ENOMEM;
}

int bench_generate_ascii(uint64_t seed, size_t bytes, struct bench_text *text)
{
	size_t line = 0;

	if (begin(text, bytes) < 0)
		return -ENOMEM;
	while (text->utf8_len < bytes) {
		uint64_t random = bench_random(&seed);
		/* Early words are the frequent ones. */
		size_t count = sizeof(words) / sizeof(words[0]);
		size_t below = random % count + 1;
		const char *word = words[(random >> 32) % below];

		put(text, word, strlen(word));
		line += strlen(word) + 1;
		if (random >> 28 & 7)
			put(text, line > LINE_LENGTH ? "\n" : " ", 1);
		else
			put(text, line > LINE_LENGTH ? ".\n" : ", ", 2);
		if (line > LINE_LENGTH)
			line = 0;
	}
	put(text, "\n", 1);
	text->utf8[text->utf8_len] = '\0';
	return 0;
}

int bench_generate_chinese(uint64_t seed, size_t bytes, struct bench_text *text)
{
	size_t count = (sizeof(characters) - 1) / 3, line = 0;

	if (begin(text, bytes) < 0)
		return -ENOMEM;
	while (text->utf8_len < bytes) {
		uint64_t random = bench_random(&seed);
		size_t below = random % count + 1;

		put(text, characters + 3 * ((random >> 32) % below), 3);
		line += 2;
		if ((random >> 24 & 15) == 0)
			put(text, comma, 3);
		if ((random >> 20 & 15) == 0)
			put(text, "mvfs ", 5);
		if (line > LINE_LENGTH) {
			put(text, full_stop, 3);
			put(text, "\n", 1);
			line = 0;
		}
	}
	put(text, "\n", 1);
	text->utf8[text->utf8_len] = '\0';
	return 0;
}
