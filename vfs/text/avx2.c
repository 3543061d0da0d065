/* SPDX-License-Identifier: MIT */
/* The kernels with AVX2, 32 bytes at a time. */
#include "config.h"

#include "vfs/text/vector_avx2.h"

#include "vfs/text/vector_short.h"
#include "vfs/text/vector_swap.h"

const struct mvfs__kernels mvfs__kernels_avx2 = {
	.name = "avx2",
	.ascii = vector_ascii,
	.utf8 = vector_utf8,
	.copy_ascii = vector_copy_ascii,
	.count_high = vector_count_high,
	.swap = vector_swap,
	.line_bits = vector_line_bits,
	.latin1_decode = mvfs__avx2_latin1_decode,
	.latin1_encode = mvfs__avx2_latin1_encode,
	.gbk_decode = mvfs__avx2_gbk_decode,
	.utf16le_decode = mvfs__avx2_utf16le_decode,
	.utf16be_decode = mvfs__avx2_utf16be_decode,
	.utf16le_length = mvfs__avx2_utf16le_length,
	.utf16be_length = mvfs__avx2_utf16be_length,
	.utf16le_encode = mvfs__avx2_utf16le_encode,
	.utf16be_encode = mvfs__avx2_utf16be_encode,
};
