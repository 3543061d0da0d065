/* SPDX-License-Identifier: MIT */
/* What a target of a grammar has for grammar.c. */
#ifndef FUZZ_GRAMMAR_H
#define FUZZ_GRAMMAR_H

#include "fuzz/fuzz.h"

/* The name of its corpus in fuzz/corpus. */
extern const char fuzz_corpus[];

/* The input as a string, which the caller frees: up to its first 0. */
static inline char *fuzz_string(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	hold(text != NULL, "%zu bytes", size);
	memcpy(text, data, size);
	text[size] = 0;
	return text;
}

#endif
