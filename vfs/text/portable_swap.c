/* SPDX-License-Identifier: MIT */
/* Numbers in the other order of bytes, in portable C. */
#include "config.h"

#include "vfs/text/kernels.h"

static void swap_16(uint8_t *to, const uint8_t *from, size_t length)
{
	uint16_t n;
	size_t i;

	for (i = 0; i < length; i += sizeof(n)) {
		memcpy(&n, from + i, sizeof(n));
		n = __builtin_bswap16(n);
		memcpy(to + i, &n, sizeof(n));
	}
}

static void swap_32(uint8_t *to, const uint8_t *from, size_t length)
{
	uint32_t n;
	size_t i;

	for (i = 0; i < length; i += sizeof(n)) {
		n = __builtin_bswap32(mvfs__load32(from + i));
		memcpy(to + i, &n, sizeof(n));
	}
}

static void swap_64(uint8_t *to, const uint8_t *from, size_t length)
{
	uint64_t n;
	size_t i;

	for (i = 0; i < length; i += sizeof(n)) {
		n = __builtin_bswap64(mvfs__load64(from + i));
		memcpy(to + i, &n, sizeof(n));
	}
}

void mvfs__portable_swap(uint8_t *to, const uint8_t *from, size_t length,
			 unsigned width)
{
	assert(width == 2 || width == 4 || width == 8);
	assert(length % width == 0);
	if (width == 2)
		swap_16(to, from, length);
	else if (width == 4)
		swap_32(to, from, length);
	else
		swap_64(to, from, length);
}
