/* SPDX-License-Identifier: MIT */
/*
 * The C library's iconv(3) as the reference for charsets, and the one place
 * where agreed differences are named.
 */
#ifndef FUZZ_REFERENCE_H
#define FUZZ_REFERENCE_H

#include <memvfs/types.h>

#include <stdbool.h>

#include "fuzz/fuzz.h"

/* A charset by both names; `iconv` NULL: it has none that is the same. */
struct reference {
	const char *name, *iconv;
	bool is_utf;   /* it has U+FFFD */
	bool foreign;  /* it is converted by iconv, one way and the other */
	bool stateful; /* what bytes mean depends on those before */
};

#define REFERENCES 17
extern const struct reference references[REFERENCES];

/* What an input says: the charset, which this machine has, and a text. */
struct reference_input {
	const struct reference *r;
	const struct mvfs_charset *cs;
	uint8_t *text; /* the caller frees it */
	size_t length;
};

/* False: the charset is one that this machine does not have. */
bool reference_input(const uint8_t *data, size_t size,
		     struct reference_input *in);

/* What became of a text. */
struct outcome {
	bool well;       /* all of it was converted */
	bool truncated;  /* else: it ends within what may be a character */
	size_t offset;   /* where the flaw begins */
	size_t made;     /* how many bytes came out, up to the flaw */
	uint8_t *bytes;  /* valid until the next call */
};

/*
 * Converts from the charset to UTF-8, or (encode) from UTF-8. False if iconv
 * does not know the charset, or has another opinion that is agreed upon.
 */
bool reference_run(const struct reference *r, bool encode,
		   const uint8_t *text, size_t length, struct outcome *o);

/* What must be so for the error that a text of that length has. */
void reference_check_error(const struct mvfs_error *e, size_t length);

#endif
