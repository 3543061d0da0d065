/* SPDX-License-Identifier: MIT */
/*
 * Decoding by each charset, strictly and with replacement.
 *
 * Strictly, it says what iconv(3) says, and where the flaw is. Replacing, it
 * says what a strict decoder does that is started again behind each flaw, so
 * that nothing is lost between. All results are UTF-8, and what their flags
 * say of them is so.
 */
#include "config.h"

#include <memvfs/text.h>

#include "fuzz/reference.h"

#define FFFD "\xef\xbf\xbd"

static void check_string(const struct mvfs_string *s)
{
	struct mvfs_string again;
	size_t i;

	hold(s->data != NULL, "no data");
	hold(!(s->flags & MVFS_STRING_TERMINATED) || !s->data[s->len],
	     "not terminated at %zu", s->len);
	for (i = 0; s->flags & MVFS_STRING_ASCII && i < s->len; i++)
		hold((uint8_t)s->data[i] < 0x80, "byte %zu", i);
	hold(mvfs_decode(s->data, s->len, NULL, 0, &again, NULL) == 0,
	     "the result is not UTF-8");
	hold(mvfs_string_equal(s, &again), "UTF-8 is not itself");
	mvfs_string_release(&again);
}

static void compare_with_iconv(const struct reference *r, int result,
			       const struct mvfs_string *s,
			       const struct mvfs_error *e,
			       const uint8_t *text, size_t length)
{
	struct outcome o;

	if (!reference_run(r, false, text, length, &o))
		return;
	hold((result == 0) == o.well, "%s: %d, %s; iconv stops at %zu",
	     r->name, result, result ? e->message : "", o.offset);
	if (result == 0) {
		hold(s->len == o.made && !memcmp(s->data, o.bytes, o.made),
		     "%s: another text", r->name);
		return;
	}
	hold(e->offset == o.offset, "%s: at %ju, iconv at %zu", r->name,
	     (uintmax_t)e->offset, o.offset);
	hold(e->reason != MVFS_REASON_TRUNCATED || o.truncated, "%s: %s",
	     r->name, e->message);
}

/* How the text goes on behind a flaw: a BOM is at the start only. */
static const struct mvfs_charset *go_on(const struct mvfs_charset *cs,
					const uint8_t *text, size_t length)
{
	if (strcmp(mvfs_charset_name(cs), "UTF-16") != 0)
		return cs;
	if (length >= 2 && text[0] == 0xff && text[1] == 0xfe)
		return mvfs_charset("UTF-16LE");
	return mvfs_charset("UTF-16BE");
}

/* The text with U+FFFD for each flaw, by strict decoding only. */
static size_t replace(const struct mvfs_charset *cs, const uint8_t *text,
		      size_t length, uint8_t *to)
{
	const struct mvfs_charset *rest = go_on(cs, text, length);
	struct mvfs_string part;
	struct mvfs_error e;
	size_t at = 0, made = 0, n;

	while (mvfs_decode(text + at, length - at, cs, 0, &part, &e) != 0) {
		reference_check_error(&e, length - at);
		n = (size_t)e.offset;
		/* what is before a flaw has none */
		hold(mvfs_decode(text + at, n, cs, 0, &part, NULL) == 0,
		     "%s: flaws in %zu bytes at %zu", mvfs_charset_name(cs),
		     n, at);
		memcpy(to + made, part.data, part.len);
		made += part.len;
		mvfs_string_release(&part);
		memcpy(to + made, FFFD, 3);
		made += 3;
		at += n + (size_t)e.length;
		cs = rest;
	}
	memcpy(to + made, part.data, part.len);
	made += part.len;
	mvfs_string_release(&part);
	return made;
}

static void check_replace(const struct mvfs_charset *cs, const uint8_t *text,
			  size_t length)
{
	static uint8_t model[4 * FUZZ_MAX + 8];
	size_t made = replace(cs, text, length, model);
	struct mvfs_string s;

	hold(mvfs_decode(text, length, cs, MVFS_REPLACE, &s, NULL) == 0,
	     "%s", mvfs_charset_name(cs));
	hold(s.len == made && !memcmp(s.data, model, made),
	     "%s: another text, %zu bytes for %zu", mvfs_charset_name(cs),
	     s.len, made);
	check_string(&s);
	mvfs_string_release(&s);
}

/* A BOM that is skipped, and one that is kept. */
static void check_bom(const struct mvfs_charset *cs, const uint8_t *text,
		      size_t length, const struct mvfs_string *kept,
		      int result, const struct mvfs_error *kept_error)
{
	struct mvfs_string s;
	struct mvfs_error e;
	size_t bom;

	hold(mvfs_decode(text, length, cs, MVFS_SKIP_BOM, &s, &e) == result,
	     "%s", mvfs_charset_name(cs));
	if (result != 0) {
		hold(e.offset == kept_error->offset &&
		     e.length == kept_error->length, "another place");
		return;
	}
	bom = strcmp(mvfs_charset_name(cs), "UTF-16") != 0 &&
	      kept->len >= 3 && !memcmp(kept->data, "\xef\xbb\xbf", 3) ? 3 : 0;
	hold(s.len == kept->len - bom &&
	     !memcmp(s.data, kept->data + bom, s.len), "another text");
	check_string(&s);
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
	result = mvfs_decode(in.text, in.length, in.cs, 0, &s, &e);
	compare_with_iconv(in.r, result, &s, &e, in.text, in.length);
	if (result == 0)
		check_string(&s);
	else
		reference_check_error(&e, in.length);
	check_bom(in.cs, in.text, in.length, &s, result, &e);
	if (!in.r->stateful)
		check_replace(in.cs, in.text, in.length);
	if (result == 0)
		mvfs_string_release(&s);
	free(in.text);
	return 0;
}
