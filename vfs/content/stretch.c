/* SPDX-License-Identifier: MIT */
/*
 * What text a stretch of a buffer is: see stretch.h.
 *
 * The buffer's word counts from the buffer's beginning, so a stretch adds to
 * it only where it begins within what is known, at a character. And it may
 * end before the buffer does: what only its end cuts off is not recorded as
 * malformed, for whoever reads further sees it whole.
 */
#include "config.h"

#include "vfs/content/stretch.h"

#include "vfs/mem/mem.h"
#include "vfs/text/kernels.h"

/* How much of the range is known, and whether as ASCII. */
static size_t known_of(const struct mvfs__stretch *r,
		       struct mvfs__text_state state, bool *ascii)
{
	const uint8_t *bytes = mvfs__stretch_bytes(r);
	size_t known;

	*ascii = state.known == MVFS__KNOWN_ASCII;
	if (state.length <= r->start)
		return 0;
	known = (size_t)mvfs__min64(state.length - r->start, r->length);
	if (*ascii)
		return known;
	/* both ends may be within a character that is whole in the buffer */
	if (mvfs__utf8_is_trail(bytes[0]))
		return 0;
	if (r->start + known < state.length)
		while (known > 0 && mvfs__utf8_is_trail(bytes[known]))
			known--;
	return known;
}

/* Whether what is found out about the range continues what is known. */
static bool continues(const struct mvfs__stretch *r,
		      struct mvfs__text_state state)
{
	if (r->start > state.length)
		return false;
	return r->start == 0 || r->start == state.length ||
	       state.known == MVFS__KNOWN_ASCII ||
	       !mvfs__utf8_is_trail(mvfs__stretch_bytes(r)[0]);
}

/* Writes down what was found behind what was known. */
static void learn(const struct mvfs__stretch *r, struct mvfs__text_state old,
		  const struct mvfs__verdict *v)
{
	struct mvfs__text_state state = { .length = r->start + v->valid };

	if (!continues(r, old))
		return;
	if (v->flaw.kind == MVFS__MALFORMED ||
	    (v->flaw.kind == MVFS__CUT_OFF &&
	     r->start + r->length == r->buffer->used))
		state.known = MVFS__KNOWN_MALFORMED;
	else if (v->ascii && old.known == MVFS__KNOWN_ASCII)
		state.known = MVFS__KNOWN_ASCII;
	else
		state.known = MVFS__KNOWN_UTF8;
	/* what is known is never malformed, only cut off by the stretch */
	assert(state.known != MVFS__KNOWN_MALFORMED ||
	       state.length >= old.length);
	if (state.length > old.length || state.known == MVFS__KNOWN_MALFORMED)
		mvfs__buffer_set_text(r->buffer, state);
}

/* What the range is as UTF-8. */
struct mvfs__verdict mvfs__stretch_utf8(const struct mvfs__stretch *r)
{
	struct mvfs__text_state state = mvfs__buffer_text(r->buffer);
	struct mvfs__verdict v;
	size_t known;
	bool ascii;

	assert(r->length > 0 && r->start + r->length <= r->buffer->used);
	known = known_of(r, state, &ascii);
	if (known == r->length)
		return (struct mvfs__verdict){ .valid = known, .ascii = ascii };
	/* nothing known is nothing that is not ASCII */
	v = mvfs__utf8_classify(mvfs__stretch_bytes(r), r->length, known,
				ascii || known == 0);
	mvfs__mem_count(classified_bytes, v.valid - known + v.flaw.length);
	learn(r, state, &v);
	return v;
}

/* Whether the range is ASCII: all that other charsets can share. */
bool mvfs__stretch_ascii(const struct mvfs__stretch *r)
{
	struct mvfs__text_state state = mvfs__buffer_text(r->buffer);
	struct mvfs__verdict v = { .ascii = true };
	size_t known;
	bool ascii;

	known = known_of(r, state, &ascii);
	if (!ascii)
		known = 0;
	if (known == r->length)
		return true;
	v.valid = known + mvfs__kernels()->ascii(mvfs__stretch_bytes(r) + known,
						 r->length - known);
	mvfs__mem_count(classified_bytes, v.valid - known);
	if (ascii)
		learn(r, state, &v);
	return v.valid == r->length;
}

struct mvfs__verdict mvfs__stretch_known(const struct mvfs__stretch *r)
{
	struct mvfs__verdict v = { 0 };

	v.valid = known_of(r, mvfs__buffer_text(r->buffer), &v.ascii);
	return v;
}

struct mvfs__text_state mvfs__stretch_more_ascii(struct mvfs__buffer *b,
						 struct mvfs__text_state text)
{
	size_t n = mvfs__kernels()->ascii(mvfs__buffer_bytes(b) + text.length,
					  (size_t)(b->used - text.length));

	assert(text.known == MVFS__KNOWN_ASCII && text.length < b->used);
	mvfs__mem_count(classified_bytes, n);
	text.length += n;
	if (n)
		mvfs__buffer_set_text(b, text);
	return text;
}
