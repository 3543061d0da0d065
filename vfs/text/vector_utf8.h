/* SPDX-License-Identifier: MIT */
/*
 * How much of a text is well-formed UTF-8, by vectors of any width: see
 * vector_flaws.h.
 *
 * The neighbours of a byte come from loads of the memory one, two and three
 * bytes before. So nothing is carried from vector to vector, and the text
 * goes on behind an ASCII stretch wherever that ends.
 *
 * Next to what vector_ascii.h and vector_flaws.h need, whoever includes this
 * has defined
 *
 *	any(v)			whether there is a bit
 */
#ifndef MVFS__VECTOR_UTF8_H
#define MVFS__VECTOR_UTF8_H

#include "vfs/text/utf8.h"
#include "vfs/text/vector_ascii.h"
#include "vfs/text/vector_flaws.h"

/*
 * flaws() of a text that is too short for flaws_at(): of less than WIDTH + 3
 * bytes. That it ends within a sequence is a flaw, too.
 */
static inline vec short_flaws(const uint8_t *bytes, size_t length);

/* Not 0 where 4 * WIDTH bytes are wrong that are not all ASCII. */
static inline vec flaws_of_four(const uint8_t *p)
{
	return (flaws_at(p) | flaws_at(p + WIDTH)) |
	       (flaws_at(p + 2 * WIDTH) | flaws_at(p + 3 * WIDTH));
}

static inline bool any_high_in_four(const uint8_t *p)
{
	return any_high((load(p) | load(p + WIDTH)) |
			(load(p + 2 * WIDTH) | load(p + 3 * WIDTH)));
}

/*
 * A place near the end, or near the first flaw: all before it is well-formed
 * but for a character that may begin there and go on.
 */
static inline size_t utf8_near(const uint8_t *bytes, size_t length, size_t i)
{
	while (length - i >= 4 * WIDTH) {
		if (any_high_in_four(bytes + i)) {
			if (any(flaws_of_four(bytes + i)))
				break;
			i += 4 * WIDTH;
		} else {
			if (is_within(bytes + i))
				break;
			i += 4 * WIDTH;
			i += vector_ascii(bytes + i, length - i);
		}
	}
	return i;
}

static size_t vector_utf8(const uint8_t *bytes, size_t length)
{
	struct mvfs__flaw look;
	size_t i = 0;

	if (length < WIDTH + 3)
		return any(short_flaws(bytes, length)) ?
			       mvfs__portable_utf8_from(bytes, length, 0) :
			       length;
	/* the other loads look back */
	while (i < 3) {
		look = mvfs__utf8_look(bytes + i, length - i);
		if (look.kind != MVFS__NO_FLAW)
			return i;
		i += look.length;
	}
	i = utf8_near(bytes, length, i);
	for (; length - i >= WIDTH; i += WIDTH)
		if (any(flaws_at(bytes + i)))
			return mvfs__portable_utf8_from(bytes, length, i);
	if (any(flaws_at(bytes + length - WIDTH)) || is_within(bytes + length))
		return mvfs__portable_utf8_from(bytes, length, i);
	return length;
}

#endif
