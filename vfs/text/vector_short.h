/* SPDX-License-Identifier: MIT */
/*
 * What is shorter than a vector, where no load can be told to leave out what
 * is behind the text: in portable C, or in a room of its own.
 */
#ifndef MVFS__VECTOR_SHORT_H
#define MVFS__VECTOR_SHORT_H

#include "vfs/text/vector_utf8.h"

static inline size_t short_ascii(const uint8_t *bytes, size_t length)
{
	return mvfs__portable_ascii(bytes, length);
}

static inline size_t short_copy_ascii(uint8_t *to, const uint8_t *from,
				      size_t length)
{
	return mvfs__portable_copy_ascii(to, from, length);
}

static inline size_t short_count_high(const uint8_t *bytes, size_t length)
{
	return mvfs__portable_count_high(bytes, length);
}

static inline vec short_flaws(const uint8_t *bytes, size_t length)
{
	uint8_t room[3 + 2 * WIDTH] = { 0 };
	vec found;

	memcpy(room + 3, bytes, length);
	found = flaws_at(room + 3);
	if (length >= WIDTH)
		found |= flaws_at(room + 3 + WIDTH);
	return found;
}

#endif
