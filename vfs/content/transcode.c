/* SPDX-License-Identifier: MIT */
/*
 * From a file's bytes to a string and back: see string.h.
 *
 * One rule for both ways: where the bytes of the file and those of the string
 * are the same, there is one buffer; else there is a new one. A text is the
 * same in two charsets if both are UTF-8 and it is well-formed, or if both
 * are ASCII-compatible and it is ASCII.
 */
#include "config.h"

#include "vfs/content/string.h"

#include <errno.h>
#include <string.h>

#include "vfs/content/convert.h"
#include "vfs/mem/mem.h"
#include "vfs/text/kernels.h"

static const struct mvfs_charset *or_utf8(const struct mvfs_charset *cs)
{
	return cs ? cs : &mvfs__charset_utf8;
}

/* What a text is that is read in `cs`, and whether it can be shared. */
static bool shareable(const struct mvfs_charset *cs,
		      const struct mvfs__verdict *v, size_t length)
{
	if (v->valid < length)
		return false;
	return cs == &mvfs__charset_utf8 || (v->ascii && cs->ascii_compatible);
}

static struct mvfs__verdict look(const struct mvfs__stretch *r,
				 const struct mvfs_charset *cs)
{
	struct mvfs__verdict v = { 0 };

	if (cs == &mvfs__charset_utf8)
		return mvfs__stretch_utf8(r);
	if (cs->ascii_compatible && mvfs__stretch_ascii(r)) {
		v.valid = r->length;
		v.ascii = true;
	}
	return v;
}

/* A text that is shared, less a BOM that the caller does not want. */
static struct mvfs_string share(struct mvfs__stretch r, bool ascii,
				const struct mvfs_charset *cs, unsigned flags)
{
	size_t bom;

	(void)mvfs__charset_begin(cs, mvfs__stretch_bytes(&r), r.length,
				  flags & MVFS_SKIP_BOM, &bom);
	if (bom == r.length) {
		mvfs__string_drop(r.buffer);
		return mvfs__string_empty;
	}
	r.start += bom;
	r.length -= bom;
	mvfs__mem_count(shares, 1);
	return mvfs__string_on(&r, MVFS_STRING_SHARED |
			       (ascii ? MVFS_STRING_ASCII : 0));
}

int mvfs__string_from_buffer(struct mvfs__buffer *b, uint64_t start,
			     uint64_t length, const struct mvfs_charset *cs,
			     unsigned flags, struct mvfs_string *out,
			     struct mvfs_error *error)
{
	struct mvfs__stretch r = { b, start, (size_t)length };
	struct mvfs__buffer *decoded;
	struct mvfs__verdict v;
	int ret;

	if (!length) {
		mvfs__string_drop(b);
		*out = mvfs__string_empty;
		return 0;
	}
	assert(start + length <= b->used);
	cs = or_utf8(cs);
	v = look(&r, cs);
	if (shareable(cs, &v, r.length)) {
		*out = share(r, v.ascii, cs, flags);
		return 0;
	}
	if (cs == &mvfs__charset_utf8 && !(flags & MVFS_REPLACE))
		ret = mvfs__flaw_fail(error, cs, false, mvfs__stretch_bytes(&r),
				      v.valid, v.flaw);
	else
		ret = mvfs__convert(mvfs__stretch_bytes(&r), r.length, cs,
				    MVFS__DECODE, flags, &decoded, error);
	mvfs__string_drop(b);
	if (!ret)
		*out = mvfs__string_on_all(decoded, 0);
	return ret;
}

int mvfs__string_bytes(struct mvfs__buffer *b, uint64_t start, uint64_t length,
		       struct mvfs_string *out)
{
	struct mvfs__stretch r = { b, start, (size_t)length };
	unsigned flags = MVFS_STRING_SHARED;
	struct mvfs__verdict known;

	if (!length) {
		mvfs__string_drop(b);
		*out = mvfs__string_empty;
		return 0;
	}
	assert(start + length <= b->used);
	known = mvfs__stretch_known(&r);
	if (known.ascii && known.valid == r.length)
		flags |= MVFS_STRING_ASCII;
	*out = mvfs__string_on(&r, flags);
	mvfs__mem_count(shares, 1);
	return 0;
}

/* Memory that is not a buffer's, so nothing is known of it. */
static struct mvfs__verdict classify(const uint8_t *bytes, size_t length)
{
	struct mvfs__verdict v = mvfs__utf8_classify(bytes, length, 0, true);

	mvfs__mem_count(classified_bytes, v.valid + v.flaw.length);
	return v;
}

/* look() at such memory. */
static struct mvfs__verdict look_at_bytes(const uint8_t *bytes, size_t length,
					  const struct mvfs_charset *cs)
{
	struct mvfs__verdict v = { 0 };

	if (cs == &mvfs__charset_utf8)
		return classify(bytes, length);
	if (cs->ascii_compatible)
		v.valid = mvfs__kernels()->ascii(bytes, length);
	mvfs__mem_count(classified_bytes, v.valid);
	v.ascii = v.valid == length;
	return v;
}

/* What a string is, by its buffer's word where it has one. */
static struct mvfs__verdict look_at_string(const struct mvfs_string *s)
{
	struct mvfs__stretch r;

	if (!s->owner)
		return classify((const uint8_t *)s->data, s->len);
	r = mvfs__string_stretch(s);
	return mvfs__stretch_utf8(&r);
}

int mvfs__string_same(const struct mvfs_string *s,
		      const struct mvfs_charset *cs, struct mvfs__verdict *v,
		      struct mvfs_error *error)
{
	cs = or_utf8(cs);
	*v = look_at_string(s);
	if (v->valid < s->len)
		return mvfs__flaw_fail(error, cs, true,
				       (const uint8_t *)s->data, v->valid,
				       v->flaw);
	return shareable(cs, v, s->len);
}

int mvfs__string_encode(const struct mvfs_string *s,
			const struct mvfs_charset *cs,
			struct mvfs__buffer **out, uint64_t *start,
			uint64_t *length, struct mvfs_error *error)
{
	const uint8_t *bytes = (const uint8_t *)s->data;
	struct mvfs__buffer *b = NULL;
	struct mvfs__verdict v;
	int ret = 0, same;

	*start = 0;
	if (!s->len)
		goto out;
	same = mvfs__string_same(s, cs, &v, error);
	if (same < 0)
		return same;
	if (!same) {
		ret = mvfs__convert(bytes, s->len, cs, MVFS__ENCODE, 0, &b,
				    error);
	} else if (s->owner) {
		b = s->owner;
		*start = mvfs__string_stretch(s).start;
		mvfs__obj_retain(&b->obj);
		mvfs__mem_count(shares, 1);
	} else {
		b = mvfs__convert_copy(bytes, s->len, &v);
		if (!b)
			ret = mvfs__convert_no_memory(error, s->len);
	}
	if (ret)
		return ret;
out:
	*out = b;
	*length = b ? (b == s->owner ? s->len : b->used) : 0;
	return 0;
}

int mvfs__string_decode(const void *bytes, size_t length,
			const struct mvfs_charset *cs, unsigned flags,
			struct mvfs_string *out, struct mvfs_error *error)
{
	struct mvfs__buffer *b = NULL;
	struct mvfs__verdict v;
	unsigned ascii = 0;
	size_t bom;
	int ret = 0;

	if (!length) {
		*out = mvfs__string_empty;
		return 0;
	}
	cs = or_utf8(cs);
	v = look_at_bytes(bytes, length, cs);
	if (shareable(cs, &v, length)) {
		ascii = v.ascii ? MVFS_STRING_ASCII : 0;
		(void)mvfs__charset_begin(cs, bytes, length,
					  flags & MVFS_SKIP_BOM, &bom);
		v.valid -= bom;
		b = mvfs__convert_copy((const uint8_t *)bytes + bom,
				       length - bom, &v);
		if (!b)
			ret = mvfs__convert_no_memory(error, length);
	} else {
		ret = mvfs__convert(bytes, length, cs, MVFS__DECODE, flags, &b,
				    error);
	}
	if (!ret)
		*out = mvfs__string_on_all(b, ascii);
	return ret;
}

int mvfs__string_encode_bytes(const void *utf8, size_t length,
			      const struct mvfs_charset *cs, unsigned flags,
			      struct mvfs_string *out,
			      struct mvfs_error *error)
{
	struct mvfs__buffer *b;
	int ret;

	if (!length) {
		*out = mvfs__string_empty;
		return 0;
	}
	ret = mvfs__convert(utf8, length, or_utf8(cs), MVFS__ENCODE, flags, &b,
			    error);
	if (!ret)
		*out = mvfs__string_on_all(b, 0);
	return ret;
}
