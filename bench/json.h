/* SPDX-License-Identifier: MIT */
/*
 * Writes JSON, indented, to a stream. No tree is built and nothing is
 * allocated: what is written is seen at once. Errors are the stream's
 * (ferror). jansson was not taken for this: output must work without it.
 */
#ifndef BENCH_JSON_H
#define BENCH_JSON_H

#include <stdio.h>

struct bench_json {
	FILE *to;
	int depth;
	int first; /* nothing in the innermost object or array yet */
};

void bench_json_begin(struct bench_json *json, FILE *to);
void bench_json_end(struct bench_json *json);

/* `key` is NULL inside an array. `open` is '{' or '['. */
void bench_json_open(struct bench_json *json, const char *key, char open);
void bench_json_close(struct bench_json *json, char close);
void bench_json_string(struct bench_json *json, const char *key,
		       const char *value);
/* NaN and infinities become null: JSON has no word for them. */
void bench_json_number(struct bench_json *json, const char *key, double value);

#endif
