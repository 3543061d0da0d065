/* SPDX-License-Identifier: MIT */
/*
 * Encoding in each charset, strictly and with replacement.
 *
 * Strictly, it makes what iconv(3) makes, stops where that stops, and decodes
 * to the same text again. Replacing, it makes what a strict encoder does that
 * is started again behind each flaw.
 */
#include "config.h"

#include <memvfs/text.h>

#include "fuzz/reference.h"

static void compare_with_iconv(const struct reference *r, int result,
			       const struct mvfs_string *s,
			       const struct mvfs_error *e,
			       const uint8_t *text, size_t length)
{
	struct outcome o;

	if (!reference_run(r, true, text, length, &o))
		return;
	hold((result == 0) == o.well, "%s: %d, %s; iconv stops at %zu",
	     r->name, result, result ? e->message : "", o.offset);
	if (result == 0)
		hold(s->len == o.made && !memcmp(s->data, o.bytes, o.made),
		     "%s: other bytes", r->name);
	else
		hold(e->offset == o.offset, "%s: at %ju, iconv at %zu",
		     r->name, (uintmax_t)e->offset, o.offset);
}

/* What was encoded is the text again, to the byte. */
static void check_back(const struct mvfs_charset *cs,
		       const struct mvfs_string *made, const uint8_t *text,
		       size_t length)
{
	struct mvfs_string back;

	hold(!(made->flags & MVFS_STRING_TERMINATED) ||
	     !made->data[made->len], "not terminated");
	hold(mvfs_decode(made->data, made->len, cs, 0, &back, NULL) == 0,
	     "%s", mvfs_charset_name(cs));
	hold(back.len == length && !memcmp(back.data, text, length),
	     "%s: another text", mvfs_charset_name(cs));
	mvfs_string_release(&back);
}

/* "UTF-16" begins with a BOM, once; the rest is UTF-16BE. */
static const struct mvfs_charset *parts_of(const struct mvfs_charset *cs)
{
	return strcmp(mvfs_charset_name(cs), "UTF-16") == 0 ?
	       mvfs_charset("UTF-16BE") : cs;
}

static size_t put_part(const struct mvfs_charset *cs, const void *text,
		       size_t length, uint8_t *to)
{
	struct mvfs_string part;
	size_t n;

	hold(mvfs_encode(text, length, cs, 0, &part, NULL) == 0, "%s: part",
	     mvfs_charset_name(cs));
	n = part.len;
	memcpy(to, part.data, n);
	mvfs_string_release(&part);
	return n;
}

/* The text with something for each flaw, by strict encoding only. */
static size_t replace(const struct reference *r, const uint8_t *text,
		      size_t length, uint8_t *to)
{
	const struct mvfs_charset *cs = parts_of(mvfs_charset(r->name));
	const char *instead = r->is_utf ? "\xef\xbf\xbd" : "?";
	struct mvfs_string part;
	struct mvfs_error e;
	size_t at = 0, made = 0;

	if (length && cs != mvfs_charset(r->name)) {
		memcpy(to, "\xfe\xff", 2);
		made = 2;
	}
	while (mvfs_encode(text + at, length - at, cs, 0, &part, &e) != 0) {
		reference_check_error(&e, length - at);
		made += put_part(cs, text + at, (size_t)e.offset, to + made);
		made += put_part(cs, instead, strlen(instead), to + made);
		at += (size_t)(e.offset + e.length);
	}
	memcpy(to + made, part.data, part.len);
	made += part.len;
	mvfs_string_release(&part);
	return made;
}

static void check_replace(const struct reference *r, const uint8_t *text,
			  size_t length)
{
	static uint8_t model[4 * FUZZ_MAX + 8];
	size_t made = replace(r, text, length, model);
	struct mvfs_string s;

	hold(mvfs_encode(text, length, mvfs_charset(r->name), MVFS_REPLACE,
			 &s, NULL) == 0, "%s", r->name);
	hold(s.len == made && !memcmp(s.data, model, made),
	     "%s: other bytes, %zu for %zu", r->name, s.len, made);
	mvfs_string_release(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct reference_input in;
	struct mvfs_error e = { 0 };
	struct mvfs_string s;
	int result;

	if (!reference_input(data, size, &in))
		return 0;
	result = mvfs_encode(in.text, in.length, in.cs, 0, &s, &e);
	compare_with_iconv(in.r, result, &s, &e, in.text, in.length);
	if (result == 0) {
		if (!in.r->foreign) /* in those, two may become one */
			check_back(in.cs, &s, in.text, in.length);
		mvfs_string_release(&s);
	} else {
		reference_check_error(&e, in.length);
	}
	if (!in.r->stateful)
		check_replace(in.r, in.text, in.length);
	free(in.text);
	return 0;
}
