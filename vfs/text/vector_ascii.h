/* SPDX-License-Identifier: MIT */
/*
 * The kernels over bytes, for vectors of any width. Whoever includes this has
 * defined the vector and what it does:
 *
 *	WIDTH, vec		a vector of so many uint8_t, of GCC's kind
 *	load(p), store(p, v)	at any address
 *	high_bits(v)		the high bit of each byte, as one bit
 *	any_high(v)		whether a byte is 0x80 or above
 *	first_high(v)		the place of the first that is (one is)
 *	number_high(v)		how many there are
 *
 * A text of at least one vector ends with a vector that overlaps the one
 * before; what is shorter than a vector is left to short_*(): see
 * vector_short.h.
 *
 * Long texts are read in aligned vectors: one that lies across two lines of
 * the cache costs twice.
 */
#ifndef MVFS__VECTOR_ASCII_H
#define MVFS__VECTOR_ASCII_H

#include "vfs/text/vector.h"

/* From so many bytes on alignment pays. */
#define LONG_TEXT 1024

/* The same of less than WIDTH bytes. */
static inline size_t short_ascii(const uint8_t *bytes, size_t length);
static inline size_t short_copy_ascii(uint8_t *to, const uint8_t *from,
				      size_t length);
static inline size_t short_count_high(const uint8_t *bytes, size_t length);

/* How far the next aligned vector is, which is not this one. */
static inline size_t to_aligned(const uint8_t *p)
{
	return WIDTH - (uintptr_t)p % WIDTH;
}

static size_t vector_ascii(const uint8_t *bytes, size_t length)
{
	size_t i = 0;
	vec v;

	if (length < WIDTH)
		return short_ascii(bytes, length);
	if (length >= LONG_TEXT && !any_high(load(bytes)))
		i = to_aligned(bytes);
	for (; length - i >= 4 * WIDTH; i += 4 * WIDTH)
		if (any_high((load(bytes + i) | load(bytes + i + WIDTH)) |
			     (load(bytes + i + 2 * WIDTH) |
			      load(bytes + i + 3 * WIDTH))))
			break;
	for (; length - i >= WIDTH; i += WIDTH) {
		v = load(bytes + i);
		if (any_high(v))
			return i + first_high(v);
	}
	if (i == length)
		return length;
	i = length - WIDTH;
	v = load(bytes + i);
	return any_high(v) ? i + first_high(v) : length;
}

static size_t vector_copy_ascii(uint8_t *to, const uint8_t *from,
				size_t length)
{
	size_t i;
	vec v;

	for (i = 0; length - i >= WIDTH; i += WIDTH) {
		v = load(from + i);
		store(to + i, v);
		if (any_high(v))
			return i + first_high(v);
	}
	return i + short_copy_ascii(to + i, from + i, length - i);
}

static size_t vector_count_high(const uint8_t *bytes, size_t length)
{
	size_t count = 0, i;

	for (i = 0; length - i >= 4 * WIDTH; i += 4 * WIDTH)
		count += (number_high(load(bytes + i)) +
			  number_high(load(bytes + i + WIDTH))) +
			 (number_high(load(bytes + i + 2 * WIDTH)) +
			  number_high(load(bytes + i + 3 * WIDTH)));
	for (; length - i >= WIDTH; i += WIDTH)
		count += number_high(load(bytes + i));
	return count + short_count_high(bytes + i, length - i);
}

static inline uint64_t line_bits_64(const uint8_t *p)
{
	uint64_t bits = 0;
	unsigned i;
	vec v;

	for (i = 0; i < 64; i += WIDTH) {
		v = load(p + i);
		bits |= (uint64_t)high_bits((vec)((v == '\n') | (v == '\r')))
			<< i;
	}
	return bits;
}

static void vector_line_bits(const uint8_t *bytes, size_t length,
			     uint64_t *bits)
{
	uint8_t room[64] = { 0 };

	for (; length >= 64; length -= 64, bytes += 64)
		*bits++ = line_bits_64(bytes);
	if (!length)
		return;
	memcpy(room, bytes, length);
	*bits = line_bits_64(room);
}

#endif
