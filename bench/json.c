// SPDX-License-Identifier: MIT
#include <config.h>

#include "bench/json.h"

#include <math.h>

/* Bytes of the well-formed UTF-8 sequence there; 0 if it is malformed. */
static int sequence(const unsigned char *at)
{
	unsigned code = at[0] < 0xe0   ? at[0] & 0x1fu
			: at[0] < 0xf0 ? at[0] & 0x0fu
				       : at[0] & 0x07u;
	int length = at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;

	if (at[0] < 0xc2 || at[0] > 0xf4)
		return at[0] < 0x80;
	for (int i = 1; i < length; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (at[i] & 0x3fu);
	}
	if (code >= 0xd800 && code < 0xe000)
		return 0;
	if (code < (length == 4 ? 0x10000u : length == 3 ? 0x800u : 0x80u))
		return 0;
	return code > 0x10ffff ? 0 : length;
}

/* Names of files are bytes; what is no UTF-8 in them becomes U+FFFD. */
static void put_string(FILE *to, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	int length;

	fputc('"', to);
	for (; *at != '\0'; at += length ? length : 1) {
		length = sequence(at);
		if (*at == '"' || *at == '\\')
			fprintf(to, "\\%c", *at);
		else if (*at < 0x20)
			fprintf(to, "\\u%04x", *at);
		else if (length == 0)
			fputs("\\ufffd", to);
		else
			fwrite(at, 1, (size_t)length, to);
	}
	fputc('"', to);
}

/* The comma, the line break and the key before a value. */
static void begin_value(struct bench_json *json, const char *key)
{
	if (json->depth > 0) {
		fputs(json->first ? "\n" : ",\n", json->to);
		fprintf(json->to, "%*s", 2 * json->depth, "");
	}
	json->first = 0;
	if (key != NULL) {
		put_string(json->to, key);
		fputs(": ", json->to);
	}
}

void bench_json_begin(struct bench_json *json, FILE *to)
{
	json->to = to;
	json->depth = 0;
	bench_json_open(json, NULL, '{');
}

void bench_json_end(struct bench_json *json)
{
	bench_json_close(json, '}');
	fputc('\n', json->to);
}

void bench_json_open(struct bench_json *json, const char *key, char open)
{
	begin_value(json, key);
	fputc(open, json->to);
	json->depth++;
	json->first = 1;
}

void bench_json_close(struct bench_json *json, char close)
{
	json->depth--;
	if (!json->first)
		fprintf(json->to, "\n%*s", 2 * json->depth, "");
	fputc(close, json->to);
	json->first = 0;
}

void bench_json_string(struct bench_json *json, const char *key,
		       const char *value)
{
	begin_value(json, key);
	put_string(json->to, value);
}

void bench_json_number(struct bench_json *json, const char *key, double value)
{
	begin_value(json, key);
	if (isfinite(value))
		fprintf(json->to, "%.9g", value);
	else
		fputs("null", json->to);
}
