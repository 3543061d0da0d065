/* SPDX-License-Identifier: MIT */
/*
 * What the files of vector kernels share: their tables, and the functions
 * that stand in files of their own. The files of an instruction set are
 * compiled for it and run only where kernels_x86.c or kernels_arm.c found it,
 * so nothing else may be in them: what the linker merges with other files'
 * code (an inline function that is not static) would run anywhere.
 */
#ifndef MVFS__VECTOR_H
#define MVFS__VECTOR_H

#include "vfs/text/kernels.h"

extern const struct mvfs__kernels mvfs__kernels_sse, mvfs__kernels_avx2;
extern const struct mvfs__kernels mvfs__kernels_avx512, mvfs__kernels_neon;

/* avx2_latin1.c, avx512_latin1.c */
mvfs__stretch_fn mvfs__avx2_latin1_decode, mvfs__avx2_latin1_encode;
mvfs__stretch_fn mvfs__avx512_latin1_decode, mvfs__avx512_latin1_encode;

/* sse_gbk.c, avx2_gbk.c, avx512_gbk.c */
mvfs__stretch_fn mvfs__sse_gbk_decode, mvfs__avx2_gbk_decode;
mvfs__stretch_fn mvfs__avx512_gbk_decode;

/*
 * A shuffle that brings four slots of four bytes together, of which the first
 * ones are used: by how many, less 1, in two bits for each; slot_orders.c.
 */
extern const uint8_t mvfs__slot_orders[256][16];

/* avx2_utf16.c, avx512_utf16.c */
mvfs__stretch_fn mvfs__avx2_utf16le_decode, mvfs__avx2_utf16be_decode;
mvfs__stretch_fn mvfs__avx2_utf16le_encode, mvfs__avx2_utf16be_encode;
size_t mvfs__avx2_utf16le_length(const uint8_t *bytes, size_t length);
size_t mvfs__avx2_utf16be_length(const uint8_t *bytes, size_t length);
mvfs__stretch_fn mvfs__avx512_utf16le_decode, mvfs__avx512_utf16be_decode;
mvfs__stretch_fn mvfs__avx512_utf16le_encode, mvfs__avx512_utf16be_encode;
size_t mvfs__avx512_utf16le_length(const uint8_t *bytes, size_t length);
size_t mvfs__avx512_utf16be_length(const uint8_t *bytes, size_t length);

#endif
