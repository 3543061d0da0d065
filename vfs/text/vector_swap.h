/* SPDX-License-Identifier: MIT */
/*
 * Numbers in the other order of bytes, a vector at a time; for the files of
 * instruction sets, which have vec, WIDTH, load, store, repeat and look_up.
 */
#ifndef MVFS__VECTOR_SWAP_H
#define MVFS__VECTOR_SWAP_H

#include "vfs/text/vector.h"

/* What four vectors after another are. */
static inline void swap_four(uint8_t *to, const uint8_t *from, vec order)
{
	vec a = load(from), b = load(from + WIDTH);
	vec c = load(from + 2 * WIDTH), d = load(from + 3 * WIDTH);

	store(to, look_up(a, order));
	store(to + WIDTH, look_up(b, order));
	store(to + 2 * WIDTH, look_up(c, order));
	store(to + 3 * WIDTH, look_up(d, order));
}

static inline void swap_forward(uint8_t *to, const uint8_t *from,
				size_t length, unsigned width, vec order)
{
	size_t i = -(uintptr_t)to % WIDTH;

	/* to where stores are aligned, if numbers are */
	if (i % width)
		i = 0;
	if (i)
		store(to, look_up(load(from), order));
	for (; length - i >= 4 * WIDTH; i += 4 * WIDTH)
		swap_four(to + i, from + i, order);
	for (; length - i >= WIDTH; i += WIDTH)
		store(to + i, look_up(load(from + i), order));
	/* the last ones once more, with some that are done */
	if (i < length)
		store(to + length - WIDTH,
		      look_up(load(from + length - WIDTH), order));
}

static inline void swap_backward(uint8_t *to, const uint8_t *from,
				 size_t length, unsigned width, vec order)
{
	size_t i = length, over = ((uintptr_t)to + length) % WIDTH;

	if (over && over % width == 0) {
		i -= WIDTH;
		store(to + i, look_up(load(from + i), order));
		i += WIDTH - over;
	}
	for (; i >= 4 * WIDTH; i -= 4 * WIDTH)
		swap_four(to + i - 4 * WIDTH, from + i - 4 * WIDTH, order);
	for (; i >= WIDTH; i -= WIDTH)
		store(to + i - WIDTH, look_up(load(from + i - WIDTH), order));
	if (i)
		store(to, look_up(load(from), order));
}

/*
 * Backward where `to` is a little behind `from` within a page: a load waits
 * for a store before it that has the same place in another page, which takes
 * four times as long.
 */
static void vector_swap(uint8_t *to, const uint8_t *from, size_t length,
			unsigned width)
{
	static const uint8_t orders[3][16] = {
		{ 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14 },
		{ 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12 },
		{ 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8 },
	};
	const vec order = repeat(orders[width / 4]);

	if (length < WIDTH)
		mvfs__portable_swap(to, from, length, width);
	else if (((uintptr_t)to - (uintptr_t)from) % 4096 - 1 < 1024)
		swap_backward(to, from, length, width, order);
	else
		swap_forward(to, from, length, width, order);
}

#endif
