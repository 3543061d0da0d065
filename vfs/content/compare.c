/* SPDX-License-Identifier: MIT */
/*
 * Comparing contents that cannot change: stretch by stretch, each as long as
 * one run or hole of both lasts. Bytes of one buffer are not looked at, nor
 * are holes, so what two files share costs nothing.
 */
#include "config.h"

#include <string.h>

#include "vfs/content/runs.h"

/* From an offset on: the same bytes in a row, or zeros. */
struct stretch {
	const uint8_t *bytes; /* NULL: zeros */
	uint64_t length;
};

static struct stretch stretch_at(const struct mvfs__view *v, uint64_t offset)
{
	uint32_t k = mvfs__view_find(v, offset);
	struct stretch s = { NULL, MVFS__SIZE_MAX - offset };

	while (k < v->count && (!v->run[k].buffer ||
				mvfs__run_end(&v->run[k]) <= offset))
		k++;
	if (k == v->count)
		return s;
	if (v->run[k].offset > offset) {
		s.length = v->run[k].offset - offset;
		return s;
	}
	s.bytes = mvfs__buffer_bytes(v->run[k].buffer) + v->run[k].start +
		  (offset - v->run[k].offset);
	s.length = mvfs__run_end(&v->run[k]) - offset;
	return s;
}

/* How many bytes are equal, at most `length`. */
static uint64_t equal_bytes(const uint8_t *a, const uint8_t *b,
			    uint64_t length)
{
	const uint64_t step = 4096;
	uint64_t at = 0;

	while (length - at >= step && !memcmp(a + at, b + at, step))
		at += step;
	while (at < length && a[at] == b[at])
		at++;
	return at;
}

static uint64_t zero_bytes(const uint8_t *bytes, uint64_t length)
{
	uint64_t at = 0;

	while (length - at >= 8 && !mvfs__load64(bytes + at))
		at += 8;
	while (at < length && !bytes[at])
		at++;
	return at;
}

static uint64_t equal_stretch(const struct stretch *a, const struct stretch *b,
			      uint64_t length)
{
	if (a->bytes == b->bytes)
		return length;
	if (a->bytes && b->bytes)
		return equal_bytes(a->bytes, b->bytes, length);
	return zero_bytes(a->bytes ? a->bytes : b->bytes, length);
}

bool mvfs__content_differs(const struct mvfs__content *a,
			   const struct mvfs__content *b, uint64_t *offset)
{
	uint64_t end = mvfs__min64(a->size, b->size), at = 0, length, same;
	struct stretch sa, sb;
	struct mvfs__view va, vb;

	if (a->held == b->held && a->length == b->length)
		at = end;
	mvfs__view_init(&va, a);
	mvfs__view_init(&vb, b);
	while (at < end) {
		sa = stretch_at(&va, at);
		sb = stretch_at(&vb, at);
		length = mvfs__min64(mvfs__min64(sa.length, sb.length),
				     end - at);
		same = equal_stretch(&sa, &sb, length);
		at += same;
		if (same < length)
			break;
	}
	*offset = at;
	return at < end || a->size != b->size;
}

uint8_t mvfs__content_byte(const struct mvfs__content *c, uint64_t offset)
{
	struct mvfs__view v;
	struct stretch s;

	assert(offset < c->size);
	mvfs__view_init(&v, c);
	s = stretch_at(&v, offset);
	return s.bytes ? s.bytes[0] : 0;
}
