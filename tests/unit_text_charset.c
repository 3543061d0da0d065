/* SPDX-License-Identifier: MIT */
/* The charsets by name, the ones of single bytes, and what errors say. */
#include "config.h"

#include "vfs/text/charset.h"

#include <errno.h>

#include "tests/text_model.h"
#include "vfs/text/kernels.h"

static const struct mvfs_charset *const all[] = {
	&mvfs__charset_utf8, &mvfs__charset_ascii, &mvfs__charset_latin1,
	&mvfs__charset_gbk, &mvfs__charset_utf16le, &mvfs__charset_utf16be,
	&mvfs__charset_utf16,
};

#define ALL (int)(sizeof(all) / sizeof(*all))

START_TEST(test_names_and_aliases_are_folded)
{
	static const struct {
		const char *name;
		const struct mvfs_charset *charset;
	} known[] = {
		{ "UTF-8", &mvfs__charset_utf8 },
		{ "utf8", &mvfs__charset_utf8 },
		{ "Utf_8", &mvfs__charset_utf8 },
		{ " utf 8 ", &mvfs__charset_utf8 },
		{ "csUTF8", &mvfs__charset_utf8 },
		{ "ASCII", &mvfs__charset_ascii },
		{ "us-ascii", &mvfs__charset_ascii },
		{ "ANSI_X3.4-1968", &mvfs__charset_ascii },
		{ "latin1", &mvfs__charset_latin1 },
		{ "Latin-1", &mvfs__charset_latin1 },
		{ "ISO_8859-1", &mvfs__charset_latin1 },
		{ "iso8859-1", &mvfs__charset_latin1 },
		{ "ISO_8859-1:1987", &mvfs__charset_latin1 },
		{ "l1", &mvfs__charset_latin1 },
		{ "gbk", &mvfs__charset_gbk },
		{ "CP936", &mvfs__charset_gbk },
		{ "ms936", &mvfs__charset_gbk },
		{ "Windows-936", &mvfs__charset_gbk },
		{ "UTF-16", &mvfs__charset_utf16 },
		{ "utf16be", &mvfs__charset_utf16be },
		{ "csUTF16LE", &mvfs__charset_utf16le },
		{ "UTF-16-LE", &mvfs__charset_utf16le },
		{ "UTF-80", NULL },
		{ "UTF", NULL },
		{ "UTF-8/", NULL },
		{ "UTF-8,", NULL },
		{ "UT\xc3\x84-8", NULL },
		{ "utf-8\xff", NULL },
		{ "", NULL },
		{ "-", NULL },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		ck_assert_msg(mvfs__charset_find(known[i].name) ==
			      known[i].charset, "%s", known[i].name);
}
END_TEST

START_TEST(test_every_alias_finds_its_own_charset)
{
	const struct mvfs_charset *cs = all[_i];
	const char *const *alias;

	ck_assert_ptr_eq(mvfs__charset_find(cs->name), cs);
	for (alias = cs->aliases; *alias; alias++)
		ck_assert_msg(mvfs__charset_find(*alias) == cs, "%s", *alias);
}
END_TEST

/* Runs a conversion with just the room that it asks for. */
static struct mvfs__flaw run(const struct mvfs_charset *cs, bool encode,
			     const void *bytes, size_t length,
			     uint8_t *to, size_t *made, size_t *read)
{
	mvfs__room_fn *room = encode ? cs->room_encode : cs->room_decode;
	struct fence from = fence_new(length + 1);
	uint8_t *p = fence_put(&from, bytes, length);
	size_t most = room(p, length);
	struct fence out = fence_new(most + MVFS__TEXT_SLACK);
	uint8_t *q = out.bytes + out.size - most - MVFS__TEXT_SLACK;
	struct mvfs__convert c = { p, p + length, q };
	struct mvfs__flaw flaw = encode ? cs->encode(&c) : cs->decode(&c);

	*made = (size_t)(c.to - q);
	*read = (size_t)(c.from - p);
	if (*made > most)
		ck_abort_msg("%s: %zu made of %zu", cs->name, *made, most);
	memcpy(to, q, *made);
	fence_end(&from);
	fence_end(&out);
	return flaw;
}

START_TEST(test_latin1_is_its_code_points_both_ways)
{
	uint8_t bytes[300], utf8[600], back[600], model[600];
	size_t shift, i, length, made, read;

	for (shift = 0; shift < 40; shift++) {
		for (i = 0, length = 0; i < sizeof(bytes); i++) {
			/* runs of ASCII of each length, then all bytes */
			bytes[i] = i < shift ? 'a' : (uint8_t)(i - shift);
			length += model_encode(bytes[i], model + length);
		}
		ck_assert_int_eq(run(&mvfs__charset_latin1, false, bytes,
				     sizeof(bytes), utf8, &made, &read).kind,
				 MVFS__NO_FLAW);
		ck_assert_uint_eq(made, length);
		ck_assert_mem_eq(utf8, model, length);
		ck_assert_int_eq(run(&mvfs__charset_latin1, true, utf8, length,
				     back, &made, &read).kind, MVFS__NO_FLAW);
		ck_assert_uint_eq(made, sizeof(bytes));
		ck_assert_mem_eq(back, bytes, sizeof(bytes));
	}
}
END_TEST

START_TEST(test_latin1_has_no_other_character)
{
	uint8_t utf8[4], to[8];
	size_t made, read;
	uint32_t c;

	for (c = 0x100; c <= 0x10ffff; c += c < 0x1000 ? 1 : 0x101) {
		unsigned length = model_encode(c, utf8);
		struct mvfs__flaw flaw;

		if (!length)
			continue;
		flaw = run(&mvfs__charset_latin1, true, utf8, length, to,
			   &made, &read);
		if (flaw.kind != MVFS__UNMAPPABLE || flaw.length != length ||
		    made || read)
			ck_abort_msg("U+%04X", (unsigned)c);
	}
}
END_TEST

START_TEST(test_ascii_has_no_high_byte)
{
	uint8_t text[100], to[100];
	struct mvfs__flaw flaw;
	size_t at, made, read;

	for (at = 0; at < sizeof(text); at++) {
		memset(text, 'q', sizeof(text));
		text[at] = (uint8_t)(0x80 + at);
		flaw = run(&mvfs__charset_ascii, false, text, sizeof(text), to,
			   &made, &read);
		ck_assert_int_eq(flaw.kind, MVFS__MALFORMED);
		ck_assert_uint_eq(flaw.length, 1);
		ck_assert(made == at && read == at);
		ck_assert_mem_eq(to, text, at);
	}
	flaw = run(&mvfs__charset_ascii, true, "ab\xc3\xa9", 4, to, &made,
		   &read);
	ck_assert_int_eq(flaw.kind, MVFS__UNMAPPABLE);
	ck_assert_uint_eq(flaw.length, 2);
}
END_TEST

/* Encoding meets the same flaws in the UTF-8, whatever the charset. */
START_TEST(test_malformed_input_stops_each_encoder_there)
{
	const struct mvfs_charset *cs = all[_i];
	size_t unit = cs->ascii_compatible ? 1 : 2;
	uint8_t text[80], to[160];
	size_t form, at, bad, made, read;

	for (form = 0; form < BAD_FORMS; form++)
		for (at = 0; at < 40; at++) {
			struct mvfs__flaw flaw, model;

			bad = strlen(bad_forms[form].bytes);
			memset(text, 'a', sizeof(text));
			memcpy(text + at, bad_forms[form].bytes, bad);
			flaw = run(cs, true, text, at + bad + at % 2, to,
				   &made, &read);
			model = model_look(text + at, bad + at % 2);
			if (flaw.kind != model.kind || read != at ||
			    flaw.length != model.length || made != at * unit)
				ck_abort_msg("%s: %s", cs->name,
					     bad_forms[form].what);
		}
}
END_TEST

START_TEST(test_errors_tell_place_and_kind)
{
	static const uint8_t text[] = "ab\xe4\xbd\xff";
	struct mvfs_error error = { 0 };
	struct mvfs__flaw flaw = { MVFS__MALFORMED, 2 };

	ck_assert_int_eq(mvfs__flaw_fail(&error, &mvfs__charset_utf8, false,
					 text, 2, flaw), -EILSEQ);
	ck_assert_int_eq(error.code, -EILSEQ);
	ck_assert_uint_eq(error.offset, 2);
	ck_assert_uint_eq(error.length, 2);
	ck_assert_str_eq(error.message, "malformed UTF-8 at byte 2: E4 BD; "
			 "MVFS_REPLACE puts U+FFFD there");

	flaw.kind = MVFS__CUT_OFF;
	mvfs__flaw_fail(&error, &mvfs__charset_utf8, false, text, 2, flaw);
	ck_assert_str_eq(error.message, "malformed UTF-8 at byte 2: cut off "
			 "at the end, within a character: E4 BD; "
			 "MVFS_REPLACE puts U+FFFD there");

	flaw.kind = MVFS__UNMAPPABLE;
	mvfs__flaw_fail(&error, &mvfs__charset_gbk, false, text, 2, flaw);
	ck_assert_str_eq(error.message, "unmappable at byte 2: GBK gives no "
			 "character to E4 BD; MVFS_REPLACE puts U+FFFD there");

	flaw.length = 4;
	mvfs__flaw_fail(&error, &mvfs__charset_gbk, true,
			(const uint8_t *)"\xf0\x9f\x98\x80", 0, flaw);
	ck_assert_str_eq(error.message,
			 "unmappable at byte 0: GBK has no U+1F600");

	/* what is malformed while encoding is the UTF-8 */
	flaw = (struct mvfs__flaw){ MVFS__MALFORMED, 1 };
	mvfs__flaw_fail(&error, &mvfs__charset_gbk, true, text, 4, flaw);
	ck_assert_str_eq(error.message, "malformed UTF-8 at byte 4: FF");

	/* and nobody has to ask */
	ck_assert_int_eq(mvfs__flaw_fail(NULL, &mvfs__charset_gbk, true, text,
					 4, flaw), -EILSEQ);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("text: charsets");
	TCase *tests = tcase_create("charsets");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(tests, 120);
	tcase_add_test(tests, test_names_and_aliases_are_folded);
	tcase_add_loop_test(tests, test_every_alias_finds_its_own_charset, 0,
			    ALL);
	tcase_add_test(tests, test_latin1_is_its_code_points_both_ways);
	tcase_add_test(tests, test_latin1_has_no_other_character);
	tcase_add_test(tests, test_ascii_has_no_high_byte);
	tcase_add_loop_test(tests,
		test_malformed_input_stops_each_encoder_there, 0, ALL);
	tcase_add_test(tests, test_errors_tell_place_and_kind);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
