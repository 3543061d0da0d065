/* SPDX-License-Identifier: MIT */
/* ISO-8859-1 with AVX2: 16 bytes at a time, by the shorter instructions. */
#include "config.h"

#include "vfs/text/vector_sse.h"

#include "vfs/text/vector_latin1.h"

void mvfs__avx2_latin1_decode(struct mvfs__convert *c)
{
	vector_latin1_decode(c);
}

void mvfs__avx2_latin1_encode(struct mvfs__convert *c)
{
	vector_latin1_encode(c);
}
