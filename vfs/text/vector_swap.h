/* SPDX-License-Identifier: MIT */
/*
 * Numbers in the other order of bytes, a vector at a time; for the files of
 * instruction sets, which have vec, WIDTH, load, store, repeat and look_up.
 */
#ifndef MVFS__VECTOR_SWAP_H
#define MVFS__VECTOR_SWAP_H

#include "vfs/text/vector.h"

static void vector_swap(uint8_t *to, const uint8_t *from, size_t length,
			unsigned width)
{
	static const uint8_t orders[3][16] = {
		{ 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14 },
		{ 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12 },
		{ 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8 },
	};
	const vec order = repeat(orders[width / 4]);
	size_t i;

	if (length < WIDTH) {
		mvfs__portable_swap(to, from, length, width);
		return;
	}
	/* to where stores are aligned, if numbers are */
	i = -(uintptr_t)to % WIDTH;
	if (i % width)
		i = 0;
	if (i)
		store(to, look_up(load(from), order));
	for (; length - i >= 4 * WIDTH; i += 4 * WIDTH) {
		vec a = load(from + i), b = load(from + i + WIDTH);
		vec c = load(from + i + 2 * WIDTH);
		vec d = load(from + i + 3 * WIDTH);

		store(to + i, look_up(a, order));
		store(to + i + WIDTH, look_up(b, order));
		store(to + i + 2 * WIDTH, look_up(c, order));
		store(to + i + 3 * WIDTH, look_up(d, order));
	}
	for (; length - i >= WIDTH; i += WIDTH)
		store(to + i, look_up(load(from + i), order));
	/* the last ones once more, with some that are done */
	if (i < length)
		store(to + length - WIDTH,
		      look_up(load(from + length - WIDTH), order));
}

#endif
