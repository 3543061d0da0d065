/* SPDX-License-Identifier: MIT */
/*
 * The charsets of iconv(3): what they are found to be, and conversions against
 * a plain iconv() of the same text. Charsets that this machine's C library
 * does not have are left out.
 */
#include "config.h"

#include "vfs/text/iconv.h"

#include <errno.h>
#include <memvfs/text.h>
#include <pthread.h>

#include "tests/child.h"
#include "tests/text_model.h"
#include "vfs/mem/mem.h"

#define FFFD "\xef\xbf\xbd"
#define B(text) text, sizeof(text) - 1

static struct mvfs_string string;
static struct mvfs_error error;

/* The charset; NULL, said, where the C library has none. */
static const struct mvfs_charset *get(const char *name)
{
	const struct mvfs_charset *cs = mvfs__charset_find(name);

	if (!cs)
		printf("skipped: iconv has no %s\n", name);
	return cs;
}

static const char *spelling_of(const struct mvfs_charset *cs)
{
	return cs->begin ? mvfs__iconv_of(cs)->spelling : cs->name;
}

/* All by one plain iconv(), or -1. */
static ssize_t plain(const char *to, const char *from, const void *bytes,
		     size_t length, char *out, size_t room)
{
	iconv_t cd = iconv_open(to, from);
	char *in = (char *)(uintptr_t)bytes, *start = out;
	ssize_t made = -1;

	must(cd != (iconv_t)-1);
	if (iconv(cd, &in, &length, &out, &room) != (size_t)-1 &&
	    iconv(cd, NULL, NULL, &out, &room) != (size_t)-1)
		made = out - start;
	iconv_close(cd);
	return made;
}

START_TEST(test_names_and_aliases_are_one_object)
{
	static const struct {
		const char *alias, *name;
	} known[] = {
		{ "shiftjis", "Shift_JIS" }, { "SJIS", "Shift_JIS" },
		{ "csShiftJIS", "Shift_JIS" }, { "shift jis", "Shift_JIS" },
		{ "euckr", "EUC-KR" }, { "CP1252", "windows-1252" },
		{ "Windows 1252", "windows-1252" }, { "koi8r", "KOI8-R" },
		{ "latin2", "ISO-8859-2" }, { "iso88592", "ISO-8859-2" },
		{ "csISOLatin2", "ISO-8859-2" }, { "utf32le", "UTF-32LE" },
		{ "iso2022jp", "ISO-2022-JP" }, { "gb-18030", "GB18030" },
		{ "cp437", "IBM437" }, { "437", "IBM437" },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
		const struct mvfs_charset *cs = get(known[i].alias);

		if (!cs)
			continue;
		ck_assert_str_eq(mvfs_charset_name(cs), known[i].name);
		ck_assert_ptr_eq(get(known[i].name), cs);
		ck_assert_ptr_eq(get(known[i].alias), cs);
	}
}
END_TEST

START_TEST(test_names_that_nobody_lists_are_known_as_iconv_spells_them)
{
	const struct mvfs_charset *cs = get("mac-cyrillic");

	if (!cs)
		return;
	ck_assert_str_eq(mvfs_charset_name(cs), "MAC-CYRILLIC");
	/* with other punctuation, too */
	ck_assert_ptr_eq(get("Mac_Cyrillic"), cs);
	ck_assert_ptr_eq(get("MacCyrillic"), cs);
	ck_assert_ptr_nonnull(get("mac ukrainian"));
}
END_TEST

START_TEST(test_what_is_no_name_is_unknown)
{
	static const char *const names[] = {
		"KOI8-R//TRANSLIT", "KOI8-R//", "KOI8-R/", "UTF-8//IGNORE",
		"UTF-8/", "KOI8-R,IGNORE", "KOI8-R,", "", "/", "//", " ",
		"KOI8-R\xff", "nonsense", "no such charset",
		("a-name-that-is-longer-than-any-name-of-a-charset-has-ever-"
		 "been-or-will-ever-be"),
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		ck_assert_msg(!mvfs__charset_find(names[i]), "%s", names[i]);
}
END_TEST

START_TEST(test_what_the_library_has_itself_is_not_asked_of_iconv)
{
	static const char *const names[] = {
		"UTF-8", "ASCII", "latin1", "GBK", "CP936", "UTF-16",
		"UTF-16LE", "UTF-16BE",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		ck_assert_msg(!mvfs__charset_find(names[i])->begin, "%s",
			      names[i]);
}
END_TEST

/* Every name that the C library takes of one charset means the same to it. */
START_TEST(test_listed_names_are_one_charset_to_iconv)
{
	static const char *const firsts[] = {
		"iso88592", "iso88593", "iso88594", "iso88595", "iso88596",
		"iso88597", "iso88598", "iso88599", "iso885910", "iso885914",
		"iso885915", "iso885916", "windows1250", "windows1251",
		"windows1252", "windows1253", "windows1254", "windows1255",
		"windows1256", "windows1257", "windows1258", "windows874",
		"koi8r", "koi8u", "tis620", "viscii", "ptcp154", "kz1048",
		"macintosh", "hproman8", "shiftjis", "windows31j", "eucjp",
		"euckr", "gb2312", "big5", "ibm037", "ibm277", "ibm437",
		"ibm00858", "ibm868", "ibm880", "ibm1047",
	};
	char list[512], a[64], b[64], *name, *rest;
	const struct mvfs_charset *cs;
	unsigned i, pair;
	ssize_t n, m;

	for (i = 0; i < sizeof(firsts) / sizeof(*firsts); i++) {
		strcpy(list, mvfs__iana_names(firsts[i]));
		cs = get(firsts[i]);
		for (name = strtok_r(list, " ", &rest); cs && name;
		     name = strtok_r(NULL, " ", &rest)) {
			iconv_t cd = iconv_open("UTF-8", name);

			ck_assert_ptr_eq(mvfs__charset_find(name), cs);
			if (cd == (iconv_t)-1)
				continue;
			iconv_close(cd);
			for (pair = 0; pair < 0x10000; pair += 0x101 * 3) {
				uint8_t bytes[2] = { pair >> 8, pair & 0xff };

				n = plain("UTF-8", name, bytes, 2, a, 64);
				m = plain("UTF-8", spelling_of(cs), bytes, 2,
					  b, 64);
				ck_assert_msg(n == m && (n < 0 || !memcmp(
					      a, b, (size_t)n)), "%s", name);
			}
		}
	}
}
END_TEST

START_TEST(test_charsets_are_found_to_be_what_they_are)
{
	static const struct {
		const char *name;
		bool compatible, moves, single, wide, stateful;
		const char *bom;
		size_t bom_length;
	} known[] = {
		{ "KOI8-R", true, true, true, false, false, B("") },
		{ "windows-1252", true, true, true, false, false, B("") },
		{ "EUC-KR", true, true, false, false, false, B("") },
		{ "EUC-JP", true, true, false, false, false, B("") },
		{ "Windows-31J", true, true, false, false, false, B("") },
		{ "Big5", true, true, false, false, false, B("") },
		{ "GB18030", true, true, false, false, false,
		  B("\x84\x31\x95\x33") },
		/* ASCII letters wait for an accent that may follow */
		{ "windows-1258", true, false, true, false, false, B("") },
		{ "ISO-2022-JP", false, false, false, false, true, B("") },
		{ "ISO-2022-KR", false, false, false, false, true, B("") },
		{ "UTF-7", false, false, false, false, true, B("") },
		{ "UTF-32LE", false, false, false, true, false,
		  B("\xff\xfe\0\0") },
		{ "UTF-32BE", false, false, false, true, false,
		  B("\0\0\xfe\xff") },
		/* the BOM that encoding begins with is no character */
		{ "UTF-32", false, false, false, true, false, B("") },
		{ "IBM037", false, false, true, false, false, B("") },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
		const struct mvfs_charset *cs = get(known[i].name);
		const struct mvfs__iconv *is;

		if (!cs)
			continue;
		is = mvfs__iconv_of(cs);
		ck_assert_msg(cs->ascii_compatible == known[i].compatible &&
			      is->moves_ascii == known[i].moves &&
			      is->wide == known[i].wide &&
			      is->stateful == known[i].stateful &&
			      cs->bom.length == known[i].bom_length &&
			      !memcmp(cs->bom.bytes, known[i].bom,
				      known[i].bom_length), "%s: %d %d %d %d",
			      known[i].name, cs->ascii_compatible,
			      is->moves_ascii, is->wide, is->stateful);
		ck_assert_msg(cs->marked == (!strcmp(cs->name, "UTF-32") ||
					     !strcmp(cs->name, "ISO-2022-KR")),
			      "%s", cs->name);
		if (!is->stateful)
			ck_assert_msg(is->single == known[i].single, "%s",
				      known[i].name);
	}
}
END_TEST

/* The first flaw, and what comes of all with replacements. */
static const struct {
	const char *charset;
	const char *bytes;
	size_t length;
	int reason;
	size_t offset, count;
	const char *text;
	size_t text_length;
} flaws[] = {
#define MALFORMED MVFS_REASON_MALFORMED
#define UNMAPPABLE MVFS_REASON_UNMAPPABLE
#define TRUNCATED MVFS_REASON_TRUNCATED
	{ "windows-1252", B("a\x81\0"), UNMAPPABLE, 1, 1, B("a" FFFD "\0") },
	{ "ISO-8859-7", B("\xae"), UNMAPPABLE, 0, 1, B(FFFD) },
	{ "KOI8-R", B("\xc1\0\xc2"), 0, 0, 0, B("\xd0\xb0\0\xd0\xb1") },
	{ "EUC-KR", B("ab\xb0"), TRUNCATED, 2, 1, B("ab" FFFD) },
	{ "EUC-KR", B("\xb0\xa1\xb0\n"), MALFORMED, 2, 1,
	  B("\xea\xb0\x80" FFFD "\n") },
	{ "EUC-KR", B("\xb0\x85!"), MALFORMED, 0, 1, B(FFFD "\xc2\x85!") },
	{ "EUC-KR", B("x\xad\xa1y"), UNMAPPABLE, 1, 2, B("x" FFFD "y") },
	{ "EUC-KR", B("\xff"), MALFORMED, 0, 1, B(FFFD) },
	{ "Shift_JIS", B("\x88\x9f\x88\n"), MALFORMED, 2, 1,
	  B("\xe4\xba\x9c" FFFD "\n") },
	{ "Shift_JIS", B("\x88\x9e" "a"), UNMAPPABLE, 0, 2, B(FFFD "a") },
	{ "Shift_JIS", B("a\x88"), TRUNCATED, 1, 1, B("a" FFFD) },
	{ "Shift_JIS", B("a\xa0" "b"), MALFORMED, 1, 1, B("a" FFFD "b") },
	/* trail bytes that look like ASCII */
	{ "Shift_JIS", B("\x83\x41\x83\x5b"), 0, 0, 0,
	  B("\xe3\x82\xa2\xe3\x82\xbc") },
	{ "EUC-JP", B("\x8f\xb0\xa1\x8f\xb0\n"), MALFORMED, 3, 2,
	  B("\xe4\xb8\x82" FFFD "\n") },
	{ "EUC-JP", B("\x8f\xb0"), TRUNCATED, 0, 2, B(FFFD) },
	{ "GB18030", B("\x81\x30\x81\x30\x81\x30\x81"), TRUNCATED, 4, 3,
	  B("\xc2\x80" FFFD) },
	/* not cut off: that byte is wrong already */
	{ "GB18030", B("a\x84\x31\n"), MALFORMED, 1, 2, B("a" FFFD "\n") },
	{ "GB18030", B("\x84\x31\x95\n"), MALFORMED, 0, 3, B(FFFD "\n") },
	{ "UTF-32LE", B("a\0\0\0\0\xd8\0\0b\0\0\0"), MALFORMED, 4, 4,
	  B("a" FFFD "b") },
	{ "UTF-32LE", B("\0\0\x11\0"), MALFORMED, 0, 4, B(FFFD) },
	{ "UTF-32BE", B("\0\0\0a\0\0\0"), TRUNCATED, 4, 3, B("a" FFFD) },
	{ "UTF-32BE", B("\0\0\xfe\xff\0\0\0a"), 0, 0, 0,
	  B("\xef\xbb\xbf" "a") },
	/* of which glibc makes ill-formed UTF-8 */
	{ "UCS-4BE", B("\0\0\0a\0\x11\0\0\0\0\0b"), MALFORMED, 4, 4,
	  B("a" FFFD "b") },
	{ "UCS-4BE", B("\0\x11\0\0"), MALFORMED, 0, 4, B(FFFD) },
	{ "UCS-2BE", B("\0a\xd8\0\0b"), MALFORMED, 2, 2, B("a" FFFD "b") },
	{ "ISO-2022-JP", B("\x1b$B\x30\x21\x22\x2f\x30\x21"), UNMAPPABLE, 5, 2,
	  B("\xe4\xba\x9c" FFFD "\xe4\xba\x9c") },
	{ "ISO-2022-JP", B("\x1b$B\x30\n"), MALFORMED, 3, 1, B(FFFD "\n") },
	{ "ISO-2022-JP", B("a\xff\xfe"), MALFORMED, 1, 1, B("a" FFFD FFFD) },
	{ "ISO-2022-JP", B("a\x1b$"), TRUNCATED, 1, 2, B("a" FFFD) },
	{ "ISO-2022-JP", B("\x1b$B\x30"), TRUNCATED, 3, 1, B(FFFD) },
	/* what was held back comes before the flaw, and at the end */
	{ "windows-1258", B("a\xcc" "a\x8a"), UNMAPPABLE, 3, 1,
	  B("\xc3\xa0" "a" FFFD) },
	{ "windows-1258", B("ab"), 0, 0, 0, B("ab") },
	{ "EUC-JISX0213", B("\xa4\xab\xff\xa4\xab\xa4\xf7"), MALFORMED, 2, 1,
	  B("\xe3\x81\x8b" FFFD "\xe3\x81\x8b\xe3\x81\x8b\xe3\x82\x9a") },
	{ "TSCII", B("a\x87" "b"), 0, 0, 0,
	  B("a\xe0\xae\x95\xe0\xaf\x8d\xe0\xae\xb7" "b") },
	{ "Big5-HKSCS", B("\x88\x62" "A"), 0, 0, 0, B("\xc3\x8a\xcc\x84" "A") },
};

#define FLAWS (int)(sizeof(flaws) / sizeof(*flaws))

static void ck_text(const void *text, size_t length)
{
	ck_assert_uint_eq(string.len, length);
	ck_assert_mem_eq(string.data, text, length);
	mvfs_string_release(&string);
}

START_TEST(test_flaws_have_place_length_and_reason)
{
	const struct mvfs_charset *cs = get(flaws[_i].charset);
	/* alone, and behind and before ASCII that is moved past iconv */
	enum { AROUND = 200 };
	char bytes[2 * AROUND + 64], text[2 * AROUND + 64];
	size_t around, n, m;
	int ret;

	if (!cs)
		return;
	for (around = 0; around <= AROUND; around += AROUND / 4) {
		if (around && !cs->ascii_compatible)
			break;
		memset(bytes, 'x', sizeof(bytes));
		memset(text, 'x', sizeof(text));
		memcpy(bytes + around, flaws[_i].bytes, flaws[_i].length);
		memcpy(text + around, flaws[_i].text, flaws[_i].text_length);
		n = around + flaws[_i].length;
		m = around + flaws[_i].text_length;
		if (flaws[_i].reason != TRUNCATED) {
			n += around;
			m += around;
		}
		ret = mvfs_decode(bytes, n, cs, 0, &string, &error);
		ck_assert_int_eq(ret, flaws[_i].reason ? -EILSEQ : 0);
		if (ret) {
			ck_assert_int_eq(error.reason, flaws[_i].reason);
			ck_assert_uint_eq(error.offset,
					  around + flaws[_i].offset);
			ck_assert_uint_eq(error.length, flaws[_i].count);
		} else {
			ck_text(text, m);
		}
		ck_assert_int_eq(mvfs_decode(bytes, n, cs, MVFS_REPLACE,
					     &string, &error), 0);
		ck_text(text, m);
	}
}
END_TEST

static const char *const tried[] = {
	"Shift_JIS", "Windows-31J", "EUC-JP", "EUC-KR", "Big5", "Big5-HKSCS",
	"GB18030", "GB2312", "EUC-TW", "EUC-JISX0213", "windows-1252",
	"windows-1258", "KOI8-R", "ISO-8859-7", "TSCII", "IBM037", "IBM930",
	"ISO-2022-JP", "ISO-2022-KR", "UTF-7", "UTF-32LE", "UTF-32", "UCS-2BE",
};

#define TRIED (int)(sizeof(tried) / sizeof(*tried))

/* What iconv takes is the same; what it refuses is refused there. */
static void compare_decode(const struct mvfs_charset *cs, const uint8_t *bytes,
			   size_t length)
{
	char model[8192];
	ssize_t made = plain("UTF-8", spelling_of(cs), bytes, length, model,
			     sizeof(model));
	int ret = mvfs_decode(bytes, length, cs, 0, &string, &error);

	if (ret ? made >= 0 : made < 0)
		ck_abort_msg("%s: %s: %02X %02X of %zu", cs->name,
			     ret ? error.message : "taken", bytes[0],
			     length > 1 ? bytes[1] : 0, length);
	if (ret) {
		must(ret == -EILSEQ && error.reason != MVFS_REASON_NONE);
		must(error.length >= 1 &&
		     error.offset + error.length <= length);
		return;
	}
	if (string.len != (size_t)made ||
	    memcmp(string.data, model, string.len) != 0)
		ck_abort_msg("%s: other text of %02X %02X of %zu", cs->name,
			     bytes[0], length > 1 ? bytes[1] : 0, length);
	mvfs_string_release(&string);
}

START_TEST(test_bytes_and_pairs_decode_as_iconv_says)
{
	const struct mvfs_charset *cs = get(tried[_i]);
	unsigned pair, step = long_factor() > 1 ? 1 : 61;
	uint8_t bytes[2];

	if (!cs)
		return;
	for (pair = 0; pair < 256; pair++) {
		bytes[0] = (uint8_t)pair;
		compare_decode(cs, bytes, 1);
	}
	for (pair = 0; pair < 0x10000; pair += step) {
		bytes[0] = (uint8_t)(pair >> 8);
		bytes[1] = (uint8_t)pair;
		compare_decode(cs, bytes, 2);
	}
}
END_TEST

/* Tag characters are those that glibc leaves out where it has them not. */
static bool is_tag(uint32_t c)
{
	return c >= 0xe0000 && c < 0xe0080;
}

START_TEST(test_code_points_encode_as_iconv_says)
{
	const struct mvfs_charset *cs = get(tried[_i]);
	uint32_t c, step = long_factor() > 1 ? 1 : 97;
	char model[64];
	uint8_t utf8[4];
	unsigned length;
	ssize_t made;
	int ret;

	if (!cs)
		return;
	for (c = 0; c <= 0x10ffff; c += c < 0x200 || is_tag(c) ? 1 : step) {
		length = model_encode(c, utf8);
		if (!length)
			continue;
		made = plain(spelling_of(cs), "UTF-8", utf8, length, model,
			     sizeof(model));
		ret = mvfs_encode(utf8, length, cs, 0, &string, &error);
		if (is_tag(c) && ret) {
			must(error.reason == MVFS_REASON_UNMAPPABLE);
			continue;
		}
		if (ret ? made >= 0 : made < 0)
			ck_abort_msg("%s: U+%04X %s", cs->name, (unsigned)c,
				     ret ? "refused" : "taken");
		if (ret) {
			must(error.reason == MVFS_REASON_UNMAPPABLE);
			must(error.offset == 0 && error.length == length);
			continue;
		}
		if (string.len != (size_t)made ||
		    memcmp(string.data, model, string.len) != 0)
			ck_abort_msg("%s: U+%04X encoded otherwise", cs->name,
				     (unsigned)c);
		mvfs_string_release(&string);
	}
}
END_TEST

/* Decodes what is in `string` again. */
static void ck_back(const struct mvfs_charset *cs, const char *text,
		    size_t length)
{
	struct mvfs_string bytes = string;

	ck_assert_int_eq(mvfs_decode(bytes.data, bytes.len, cs, 0, &string,
				     &error), 0);
	mvfs_string_release(&bytes);
	ck_text(text, length);
}

START_TEST(test_tag_characters_are_not_lost)
{
	static const char text[] = "a\xf3\xa0\x81\x81" "b\xf3\xa0\x80\x81";
	const size_t length = sizeof(text) - 1;
	int i, found = 0;

	for (i = 0; i < TRIED; i++) {
		const struct mvfs_charset *cs = get(tried[i]);

		if (!cs)
			continue;
		if (!mvfs_encode(text, length, cs, 0, &string, &error)) {
			ck_back(cs, text, length);
			continue;
		}
		found++;
		ck_assert_int_eq(error.reason, MVFS_REASON_UNMAPPABLE);
		ck_assert_uint_eq(error.offset, 1);
		ck_assert_uint_eq(error.length, 4);
		ck_assert_int_eq(mvfs_encode(text, length, cs, MVFS_REPLACE,
					     &string, &error), 0);
		if (cs->replacement[0] == '?')
			ck_back(cs, B("a?b?"));
		else
			ck_back(cs, B("a" FFFD "b" FFFD));
	}
	ck_assert_int_gt(found, 5);
}
END_TEST

/* Characters that the charset has, in runs with ASCII runs between. */
static size_t make_text(const struct mvfs_charset *cs, uint64_t *state,
			char *text, size_t room)
{
	static uint8_t characters[4096][4];
	static const struct mvfs_charset *of;
	static size_t count;
	size_t n = 0, run;

	while (of != cs || !count) {
		uint32_t c;

		of = cs;
		for (c = 0xa1, count = 0; c < 0x10ffff && count < 4096;
		     c += c < 0x500 ? 1 : 13) {
			uint8_t *to = characters[count];
			unsigned length = model_encode(c, to);

			if (!length || is_tag(c) || mvfs_encode(
				    to, length, cs, 0, &string, NULL))
				continue;
			mvfs_string_release(&string);
			if (length < 4)
				to[length] = 0;
			count++;
		}
	}
	while (n + 600 < room) {
		for (run = below(state, 4) ? below(state, 4) :
		     below(state, 100); run > 0; run--) {
			const uint8_t *p = characters[below(state, count)];
			size_t length = p[3] ? 4 : strlen((const char *)p);

			memcpy(text + n, p, length);
			n += length;
		}
		for (run = below(state, 3) ? below(state, 8) :
		     below(state, 200); run > 0; run--)
			text[n++] = (char)('a' + below(state, 26));
	}
	return n;
}

START_TEST(test_texts_are_what_one_iconv_makes_of_them)
{
	const struct mvfs_charset *cs = get(tried[_i]);
	uint64_t state = seed_of_run(), round, rounds = 20 * long_factor();
	char text[4000], bytes[20000], back[20000];
	ssize_t made, again;
	size_t n, i;

	if (!cs)
		return;
	for (round = 0; round < rounds; round++) {
		n = make_text(cs, &state, text, 1000 + below(&state, 3000));
		ck_assert_int_eq(mvfs_encode(text, n, cs, 0, &string, &error),
				 0);
		made = plain(spelling_of(cs), "UTF-8", text, n, bytes,
			     sizeof(bytes));
		ck_assert_int_ge(made, 0);
		ck_text(bytes, (size_t)made);
		again = plain("UTF-8", spelling_of(cs), bytes, (size_t)made,
			      back, sizeof(back));
		ck_assert_int_ge(again, 0);
		ck_assert_int_eq(mvfs_decode(bytes, (size_t)made, cs, 0,
					     &string, &error), 0);
		ck_text(back, (size_t)again);
		/* and with something wrong: a result, and nothing lost */
		for (i = 0; i < 5 && made; i++)
			bytes[below(&state, (uint64_t)made)] =
				(char)rng(&state);
		ck_assert_int_eq(mvfs_decode(bytes, (size_t)made, cs,
					     MVFS_REPLACE, &string, &error),
				 0);
		must(model_valid((const uint8_t *)string.data, string.len) ==
		     string.len);
		mvfs_string_release(&string);
	}
}
END_TEST

/* Far more than anybody would make room for at first. */
START_TEST(test_room_grows_where_the_charset_needs_it)
{
	const struct mvfs_charset *cs = get("TSCII");
	enum { MANY = 100000 };
	char *bytes = malloc(MANY), *model = malloc(9 * MANY);
	ssize_t made;
	size_t i;

	ck_assert_ptr_nonnull(bytes);
	memset(bytes, 0x87, MANY);
	if (cs) {
		ck_assert_int_eq(mvfs_decode(bytes, MANY, cs, 0, &string,
					     &error), 0);
		ck_assert_uint_eq(string.len, 9 * MANY);
		made = plain("UTF-8", "TSCII", bytes, MANY, model, 9 * MANY);
		ck_assert_int_eq(made, 9 * MANY);
		ck_text(model, 9 * MANY);
	}
	/* two shifts for each character */
	for (i = 0; i + 4 <= MANY; i += 4)
		memcpy(bytes + i, "\xe4\xba\x9c.", 4);
	cs = get("ISO-2022-JP");
	if (cs) {
		ck_assert_int_eq(mvfs_encode(bytes, MANY, cs, 0, &string,
					     &error), 0);
		ck_assert_uint_eq(string.len, 9 * MANY / 4);
		mvfs_string_release(&string);
	}
	free(bytes);
	free(model);
}
END_TEST

START_TEST(test_replacing_keeps_the_state)
{
	const struct mvfs_charset *cs = get("ISO-2022-JP");

	if (!cs)
		return;
	/* a Hangul between two Kanji: the '?' is ASCII, between shifts */
	ck_assert_int_eq(mvfs_encode(B("\xe4\xba\x9c\xea\xb0\x80\xe4\xba\x9c"),
				     cs, MVFS_REPLACE, &string, &error), 0);
	ck_text(B("\x1b$B\x30\x21\x1b(B?\x1b$B\x30\x21\x1b(B"));
	ck_assert_int_eq(mvfs_encode(B("\xe4\xba\x9c\xff" "a"), cs, 0, &string,
				     &error), -EILSEQ);
	ck_assert_int_eq(error.reason, MALFORMED);
	ck_assert_uint_eq(error.offset, 3);
}
END_TEST

START_TEST(test_a_charset_without_memory_is_unknown_and_comes_again)
{
	static const char *const names[] = {
		"windows-1256", "CP1256", "MAC-UK"
	};
	size_t i;

	for (i = 0; i < 3; i++) {
		unsigned n = 0;
		const struct mvfs_charset *cs;

		do {
			mvfs__mem_fail_at(++n);
			cs = mvfs__charset_find(names[i]);
			mvfs__mem_fail_at(0);
		} while (!cs && n < 4);
		if (!mvfs__charset_find(names[i]))
			continue;
		ck_assert_ptr_eq(cs, mvfs__charset_find(names[i]));
		/* the name, and the charset; an alias is a name */
		ck_assert_uint_eq(n, i == 1 ? 2 : 3);
	}
}
END_TEST

static void *convert_much(void *arg)
{
	static const char *const names[] = {
		"windows-1253", "EUC-KR", "greek", "Shift_JIS", "csEUCKR",
		"windows-1254", "IBM850",
	};
	struct mvfs_string mine, other;
	unsigned i;

	for (i = 0; i < 700; i++) {
		const struct mvfs_charset *cs =
			mvfs__charset_find(names[i % 7]);

		if (!cs)
			continue;
		if (mvfs_encode(B("some text"), cs, 0, &mine, NULL) ||
		    mvfs_decode(mine.data, mine.len, cs, 0, &other, NULL) ||
		    other.len != 9)
			return NULL;
		mvfs_string_release(&mine);
		mvfs_string_release(&other);
		/* what is malformed is found out about by several at once */
		if (!mvfs_decode("\xb0", 1, cs, MVFS_REPLACE, &mine, NULL))
			mvfs_string_release(&mine);
		if (!mvfs_decode("\x88\n\xb0\x85", 4, cs, MVFS_REPLACE, &mine,
				 NULL))
			mvfs_string_release(&mine);
	}
	return arg;
}

START_TEST(test_threads_find_and_use_the_same_charsets)
{
	pthread_t threads[4];
	void *result;
	int i;

	for (i = 0; i < 4; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL,
						convert_much, &error), 0);
	for (i = 0; i < 4; i++) {
		ck_assert_int_eq(pthread_join(threads[i], &result), 0);
		ck_assert_ptr_eq(result, &error);
	}
}
END_TEST

static _Atomic bool stop;

static void *open_on_and_on(void *arg)
{
	struct mvfs_string mine;

	while (!atomic_load(&stop))
		if (!mvfs_decode("\xb0\xa1", 2, arg, 0, &mine, NULL))
			mvfs_string_release(&mine);
	return NULL;
}

/* A fork at any moment: the child finds no lock taken for ever. */
START_TEST(test_a_child_uses_charsets_and_finds_new_ones)
{
	const struct mvfs_charset *cs = get("EUC-KR");
	pthread_t thread;
	int i, status;

	if (!cs)
		return;
	ck_assert_int_eq(pthread_create(&thread, NULL, open_on_and_on,
					(void *)(uintptr_t)cs), 0);
	for (i = 0; i < 100; i++) {
		pid_t child = fork();

		ck_assert_int_ge(child, 0);
		if (child == 0) {
			child_begin();
			bool good = mvfs__charset_find("ISO-8859-13") &&
				!mvfs_decode("\xb0\xa1", 2, cs, 0, &string,
					     NULL) && string.len == 3;

			_exit(good ? 0 : 1);
		}
		ck_assert_int_eq(waitpid(child, &status, 0), child);
		ck_assert(!status || child_hung(status));
	}
	atomic_store(&stop, true);
	pthread_join(thread, NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("text: iconv");
	TCase *tests = tcase_create("iconv");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(tests, 600);
	tcase_add_test(tests, test_names_and_aliases_are_one_object);
	tcase_add_test(tests,
		test_names_that_nobody_lists_are_known_as_iconv_spells_them);
	tcase_add_test(tests, test_what_is_no_name_is_unknown);
	tcase_add_test(tests,
		test_what_the_library_has_itself_is_not_asked_of_iconv);
	tcase_add_test(tests, test_listed_names_are_one_charset_to_iconv);
	tcase_add_test(tests, test_charsets_are_found_to_be_what_they_are);
	tcase_add_loop_test(tests, test_flaws_have_place_length_and_reason, 0,
			    FLAWS);
	tcase_add_loop_test(tests, test_bytes_and_pairs_decode_as_iconv_says,
			    0, TRIED);
	tcase_add_loop_test(tests, test_code_points_encode_as_iconv_says, 0,
			    TRIED);
	tcase_add_test(tests, test_tag_characters_are_not_lost);
	tcase_add_loop_test(tests, test_texts_are_what_one_iconv_makes_of_them,
			    0, TRIED);
	tcase_add_test(tests, test_room_grows_where_the_charset_needs_it);
	tcase_add_test(tests, test_replacing_keeps_the_state);
	tcase_add_test(tests,
		test_a_charset_without_memory_is_unknown_and_comes_again);
	tcase_add_test(tests, test_threads_find_and_use_the_same_charsets);
	tcase_add_test(tests, test_a_child_uses_charsets_and_finds_new_ones);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
