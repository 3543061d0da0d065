/* SPDX-License-Identifier: MIT */
/*
 * What the fuzz targets share. Each target is one file with libFuzzer's entry
 * LLVMFuzzerTestOneInput(); who calls it is libFuzzer, or driver.c where the
 * compiler has none.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Inputs are cut to this many bytes. */
#define FUZZ_MAX 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must be so for every input; `...` is for printf and tells more. */
#define hold(condition, ...)                                                 \
	do {                                                                 \
		if (!(condition)) {                                          \
			fprintf(stderr, "%s:%d: not so: %s: ", __FILE__,     \
				__LINE__, #condition);                       \
			fprintf(stderr, __VA_ARGS__);                        \
			fputc('\n', stderr);                                 \
			abort();                                             \
		}                                                            \
	} while (0)

/* The input, of which the first bytes say what is to be done with the rest. */
struct fuzz_input {
	const uint8_t *at;
	size_t left;
};

static inline unsigned fuzz_byte(struct fuzz_input *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->at++;
}

static inline unsigned fuzz_word(struct fuzz_input *in)
{
	unsigned high = fuzz_byte(in);

	return high << 8 | fuzz_byte(in);
}

#endif
