/* SPDX-License-Identifier: MIT */
/* Texts made of the lines of a file in fuzz/corpus/, as an input says. */
#ifndef FUZZ_CORPUS_H
#define FUZZ_CORPUS_H

#include "fuzz/fuzz.h"

/* Fills `text`, terminated; with `many`, of several lines. The file is looked
 * for in MVFS_SRCDIR and read once. */
void corpus_text(const char *file, struct fuzz_input *in, int many,
		 char text[FUZZ_MAX]);

#endif
