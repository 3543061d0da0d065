/* SPDX-License-Identifier: MIT */
/* The kernels with AVX-512 (F, BW, DQ, VL, VBMI, VBMI2), 64 bytes a time. */
#include "config.h"

#include "vfs/text/vector.h"

const struct mvfs__kernels mvfs__kernels_avx512 = {
	.name = "avx512",
	.ascii = mvfs__portable_ascii,
	.utf8 = mvfs__portable_utf8,
	.copy_ascii = mvfs__portable_copy_ascii,
	.count_high = mvfs__portable_count_high,
	.latin1_decode = mvfs__portable_latin1_decode,
	.latin1_encode = mvfs__portable_latin1_encode,
	.gbk_decode = mvfs__portable_gbk_decode,
	.utf16le_decode = mvfs__portable_utf16le_decode,
	.utf16be_decode = mvfs__portable_utf16be_decode,
	.utf16le_length = mvfs__portable_utf16le_length,
	.utf16be_length = mvfs__portable_utf16be_length,
	.utf16le_encode = mvfs__portable_utf16le_encode,
	.utf16be_encode = mvfs__portable_utf16be_encode,
};
