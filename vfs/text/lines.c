/* SPDX-License-Identifier: MIT */
/* Lines: see lines.h. */
#include "config.h"

#include "vfs/text/lines.h"

#include "vfs/text/kernels.h"

/* What is looked at first: who asks for one line needs no more. */
#define AHEAD_FIRST 64

void mvfs__line_scan_init(struct mvfs__line_scan *s, const char *bytes,
			  size_t length)
{
	s->bytes = (const uint8_t *)bytes;
	s->length = length;
	s->at = 0;
	s->looked = 0;
	s->ahead = AHEAD_FIRST;
	s->base = 0;
	s->word = 0;
	s->next = 0;
	s->count = 0;
}

/* The next word of ends; false where the text ends. */
static bool next_word(struct mvfs__line_scan *s)
{
	size_t length;

	if (s->next == s->count) {
		length = (size_t)mvfs__min64(s->ahead, s->length - s->looked);
		if (!length)
			return false;
		mvfs__kernels()->line_bits(s->bytes + s->looked, length,
					   s->bits);
		s->base = s->looked;
		s->looked += length;
		s->next = 0;
		s->count = (unsigned)((length + 63) / 64);
		s->ahead = (size_t)mvfs__min64(2 * s->ahead,
					       64 * MVFS__LINE_WORDS);
	} else {
		s->base += 64;
	}
	s->word = s->bits[s->next++];
	return true;
}

bool mvfs__line_scan_next(struct mvfs__line_scan *s, size_t *start,
			  size_t *length)
{
	size_t end;

	do {
		while (!s->word) {
			if (next_word(s))
				continue;
			*start = s->at;
			*length = s->length - s->at;
			s->at = s->length;
			return *length > 0;
		}
		end = s->base + (unsigned)__builtin_ctzll(s->word);
		s->word &= s->word - 1;
		/* the LF of a CR LF was passed with the CR */
	} while (end < s->at);
	*start = s->at;
	*length = end - s->at;
	s->at = end + 1;
	if (s->bytes[end] == '\r' && s->at < s->length &&
	    s->bytes[s->at] == '\n')
		s->at++;
	return true;
}
