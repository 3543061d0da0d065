/* SPDX-License-Identifier: MIT */
/* The kernels with AVX-512 (with VBMI and VBMI2), 64 bytes at a time. */
#include "config.h"

#include "vfs/text/vector_avx512.h"

#include "vfs/text/vector_swap.h"
#include "vfs/text/vector_utf8.h"

static inline vec load_part(const uint8_t *p, size_t n)
{
	return load_bits(p, first_bits(n));
}

static inline size_t short_ascii(const uint8_t *bytes, size_t length)
{
	uint64_t found = high_bits(load_part(bytes, length));

	return _tzcnt_u64(found | ~first_bits(length));
}

static inline size_t short_copy_ascii(uint8_t *to, const uint8_t *from,
				      size_t length)
{
	vec v = load_part(from, length);

	store(to, v);
	return _tzcnt_u64(high_bits(v) | ~first_bits(length));
}

static inline size_t short_count_high(const uint8_t *bytes, size_t length)
{
	return number_high(load_part(bytes, length));
}

/* Nothing before p is read either. */
static inline vec first_flaws(const uint8_t *p, uint64_t bits)
{
	return flaws(load_bits(p, bits), load_bits(p - 1, bits << 1),
		     load_bits(p - 2, bits << 2), load_bits(p - 3, bits << 3));
}

static inline vec short_flaws(const uint8_t *bytes, size_t length)
{
	const uint8_t *p = bytes + WIDTH;
	size_t n = length - WIDTH;

	if (length < WIDTH)
		return first_flaws(bytes, first_bits(length));
	return first_flaws(bytes, ~UINT64_C(0)) |
	       flaws(load_part(p, n), load_part(p - 1, n + 1),
		     load_part(p - 2, n + 2), load_part(p - 3, n + 3));
}

const struct mvfs__kernels mvfs__kernels_avx512 = {
	.name = "avx512",
	.ascii = vector_ascii,
	.utf8 = vector_utf8,
	.copy_ascii = vector_copy_ascii,
	.count_high = vector_count_high,
	.swap = vector_swap,
	.line_bits = vector_line_bits,
	.latin1_decode = mvfs__avx512_latin1_decode,
	.latin1_encode = mvfs__avx512_latin1_encode,
	.gbk_decode = mvfs__avx512_gbk_decode,
	.utf16le_decode = mvfs__avx512_utf16le_decode,
	.utf16be_decode = mvfs__avx512_utf16be_decode,
	.utf16le_length = mvfs__avx512_utf16le_length,
	.utf16be_length = mvfs__avx512_utf16be_length,
	.utf16le_encode = mvfs__avx512_utf16le_encode,
	.utf16be_encode = mvfs__avx512_utf16be_encode,
};
