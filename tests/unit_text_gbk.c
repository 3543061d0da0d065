/* SPDX-License-Identifier: MIT */
/*
 * GBK against the C library's iconv, pair by pair and code point by code
 * point, and what is special about it. Where this machine's iconv has no GBK
 * that comparison is left out; a glibc of another version may differ, and
 * what it says then is for us to decide (see gbk.c).
 */
#include "config.h"

#include "vfs/text/charset.h"

#include <errno.h>
#include <iconv.h>

#include "tests/text_model.h"
#include "vfs/text/gbk_tables.h"
#include "vfs/text/kernels.h"

/* Runs a conversion with just the room that it asks for. */
static struct mvfs__flaw run(bool encode, const void *bytes, size_t length,
			     uint8_t *to, size_t *made, size_t *read)
{
	const struct mvfs_charset *cs = &mvfs__charset_gbk;
	mvfs__room_fn *room = encode ? cs->room_encode : cs->room_decode;
	size_t most = room(bytes, length);
	uint8_t *out = malloc(most + MVFS__TEXT_SLACK);
	struct mvfs__convert c = {
		bytes, (const uint8_t *)bytes + length, out
	};
	struct mvfs__flaw flaw;

	if (!out)
		ck_abort();
	flaw = encode ? cs->encode(&c) : cs->decode(&c);
	*made = (size_t)(c.to - out);
	*read = (size_t)(c.from - (const uint8_t *)bytes);
	if (*made > most)
		ck_abort_msg("%zu made of %zu", *made, most);
	memcpy(to, out, *made);
	free(out);
	return flaw;
}

/* What iconv makes of it: the length, or 0 if it makes nothing of it. */
static size_t iconv_run(iconv_t cd, const uint8_t *bytes, size_t length,
			uint8_t *to, size_t room)
{
	char *in = (char *)(uintptr_t)bytes, *out = (char *)to;
	size_t left = room;

	iconv(cd, NULL, NULL, NULL, NULL);
	if (iconv(cd, &in, &length, &out, &left) != 0 || length)
		return 0;
	return room - left;
}

static iconv_t iconv_or_skip(const char *to, const char *from)
{
	iconv_t cd = iconv_open(to, from);

	if (cd == (iconv_t)-1)
		printf("skipped: iconv has no %s\n", from);
	return cd;
}

START_TEST(test_every_pair_decodes_as_iconv_says)
{
	iconv_t cd = iconv_or_skip("UTF-8", "GBK");
	size_t made, read, model, characters = 0;
	uint8_t b[2], to[32], want[32];
	unsigned pair;

	if (cd == (iconv_t)-1)
		return;
	for (pair = 0x8000; pair <= 0xffff; pair++) {
		b[0] = (uint8_t)(pair >> 8);
		b[1] = (uint8_t)pair;
		model = iconv_run(cd, b, 2, want, sizeof(want));
		if (run(false, b, 2, to, &made, &read).kind != MVFS__NO_FLAW)
			made = 0;
		if (made != model || memcmp(to, want, made) != 0)
			ck_abort_msg("%04X", pair);
		characters += made == 2 || made == 3;
	}
	/* or there would be nothing to compare with */
	ck_assert_uint_ge(characters, 21791);
	iconv_close(cd);
}
END_TEST

/* What a pair is in both tables, beside what iconv makes of it. */
static void check_tables(const uint8_t *pair, const uint8_t *want,
			 size_t length)
{
	uint32_t utf8 = mvfs__gbk_look_up(pair);
	unsigned point = 0, i;

	must(utf8 >> 24 == length);
	for (i = 0; i < 4; i++)
		must((uint8_t)(utf8 >> 8 * i) ==
		     (i < length ? want[i] : i == 3 ? length : 0));
	if (pair[1] >= 0x40)
		point = mvfs__gbk_points[192 * (pair[0] - 0x80u) +
					 pair[1] - 0x40u];
	must(point == (length ? mvfs__utf8_decode(want, (unsigned)length) :
		       0));
}

START_TEST(test_all_of_the_tables_is_as_iconv_says)
{
	iconv_t cd = iconv_or_skip("UTF-8", "GBK");
	uint8_t b[2], want[32];
	size_t length;
	unsigned pair;

	if (cd == (iconv_t)-1)
		return;
	for (pair = 0x8000; pair <= 0xffff; pair++) {
		b[0] = (uint8_t)(pair >> 8);
		b[1] = (uint8_t)pair;
		length = iconv_run(cd, b, 2, want, sizeof(want));
		/* the byte 80 is one by itself */
		check_tables(b, want, b[0] == 0x80 ? 0 : length);
	}
	must(mvfs__gbk_points[MVFS__GBK_POINTS - 1] == 0);
	iconv_close(cd);
}
END_TEST

START_TEST(test_every_single_byte_decodes_as_iconv_says)
{
	iconv_t cd = iconv_or_skip("UTF-8", "GBK");
	uint8_t b[1], to[32], want[32];
	size_t made, read, model;
	unsigned byte;

	if (cd == (iconv_t)-1)
		return;
	for (byte = 0; byte <= 0xff; byte++) {
		b[0] = (uint8_t)byte;
		model = iconv_run(cd, b, 1, want, sizeof(want));
		if (run(false, b, 1, to, &made, &read).kind != MVFS__NO_FLAW)
			made = 0;
		ck_assert_uint_eq(made, model);
		ck_assert_mem_eq(to, want, made);
	}
	iconv_close(cd);
}
END_TEST

START_TEST(test_every_code_point_encodes_as_iconv_says)
{
	iconv_t cd = iconv_or_skip("GBK", "UTF-8");
	uint8_t utf8[4], to[32], want[32];
	size_t made, read, model, length;
	uint32_t c;

	if (cd == (iconv_t)-1)
		return;
	for (c = 0; c <= 0x10ffff; c++) {
		struct mvfs__flaw flaw;

		length = model_encode(c, utf8);
		if (!length)
			continue;
		model = iconv_run(cd, utf8, length, want, sizeof(want));
		flaw = run(true, utf8, length, to, &made, &read);
		if (flaw.kind == MVFS__NO_FLAW ? made != model :
		    model || flaw.kind != MVFS__UNMAPPABLE ||
		    flaw.length != length || made || read)
			ck_abort_msg("U+%04X", (unsigned)c);
		if (memcmp(to, want, made) != 0)
			ck_abort_msg("U+%04X", (unsigned)c);
	}
	iconv_close(cd);
}
END_TEST

/* Neighbours are taken together where both are of three bytes. */
START_TEST(test_characters_side_by_side_encode_as_each_does)
{
	uint64_t state = seed_of_run();
	uint8_t utf8[16], to[16 + MVFS__TEXT_SLACK], want[16];
	size_t made, read, one, two, length;
	enum mvfs__flaw_kind kind;
	uint32_t c;

	for (c = 0x80; c <= 0xffff; c += 1 + (long_factor() == 1 && c % 3)) {
		memcpy(utf8, "........", 8);
		one = model_encode(c, utf8);
		if (!one)
			continue;
		/* one that GBK has: U+4E00 to U+9FA5 */
		two = model_encode(0x4e00 + (uint32_t)below(&state, 0x51a6),
				   utf8 + one);
		if (run(true, utf8, one, want, &made, &read).kind)
			made = 0;
		kind = run(true, utf8 + one, two, want + made, &length,
			   &read).kind;
		must(kind == MVFS__NO_FLAW && length == 2);
		length = made ? made + 2 : 0;
		kind = run(true, utf8, one + two + 2, to, &made, &read).kind;
		must((kind == MVFS__NO_FLAW) == (length != 0));
		must(!length || (made == length + 2 &&
				 !memcmp(to, want, length)));
		must(length || (!made && !read));
	}
}
END_TEST

START_TEST(test_what_decodes_encodes_back)
{
	uint8_t b[2], utf8[16], back[16];
	size_t made, read;
	unsigned pair, n = 0;

	for (pair = 0x8100; pair <= 0xfeff; pair++) {
		b[0] = (uint8_t)(pair >> 8);
		b[1] = (uint8_t)pair;
		if (run(false, b, 2, utf8, &made, &read).kind)
			continue;
		n++;
		if (run(true, utf8, made, back, &made, &read).kind ||
		    made != 2 || memcmp(back, b, 2) != 0)
			ck_abort_msg("%04X", pair);
	}
	ck_assert_uint_eq(n, 21791);
}
END_TEST

/* Decodes one flawed text and tells how. */
static struct mvfs__flaw flaw_of(const char *bytes, size_t length)
{
	uint8_t to[64];
	size_t made, read;
	struct mvfs__flaw flaw = run(false, bytes, length, to, &made, &read);

	ck_assert_uint_eq(read, 0);
	return flaw;
}

#define ck_assert_flaw(bytes, kind_, length_)                               \
	do {                                                                \
		struct mvfs__flaw f_ = flaw_of(bytes, sizeof(bytes) - 1);   \
		ck_assert_int_eq(f_.kind, kind_);                           \
		ck_assert_uint_eq(f_.length, length_);                      \
	} while (0)

START_TEST(test_a_lead_without_its_trail_leaves_what_follows)
{
	ck_assert_flaw("\x81\n", MVFS__MALFORMED, 1);
	ck_assert_flaw("\x81\"", MVFS__MALFORMED, 1);
	ck_assert_flaw("\xfe\x7f", MVFS__MALFORMED, 1);
	ck_assert_flaw("\x81\xff", MVFS__MALFORMED, 1);
	ck_assert_flaw("\x81\0", MVFS__MALFORMED, 1);
	ck_assert_flaw("\xff", MVFS__MALFORMED, 1);
	ck_assert_flaw("\xff\x40", MVFS__MALFORMED, 1);
	ck_assert_flaw("\x81", MVFS__CUT_OFF, 1);
	ck_assert_flaw("\xfe", MVFS__CUT_OFF, 1);
}
END_TEST

START_TEST(test_a_pair_without_a_character_is_unmappable_as_a_pair)
{
	ck_assert_flaw("\xaa\xa1", MVFS__UNMAPPABLE, 2); /* user-defined */
	ck_assert_flaw("\xa1\x40", MVFS__UNMAPPABLE, 2);
	ck_assert_flaw("\xa2\xe3", MVFS__UNMAPPABLE, 2); /* JDK: euro */
	ck_assert_flaw("\xfe\xfe", MVFS__UNMAPPABLE, 2);
	ck_assert_flaw("\xfe\x50 and more than a word", MVFS__UNMAPPABLE, 2);
}
END_TEST

START_TEST(test_trail_bytes_that_look_like_ascii_are_not)
{
	/* U+4E02, U+7B31 and U+8D0A: 8140, B97C and DA5C; the | and \ */
	static const char gbk[] = "\x81\x40\xb9\x7c\x5c\xda\x5c";
	uint8_t to[64];
	size_t made, read;

	ck_assert_int_eq(run(false, gbk, sizeof(gbk) - 1, to, &made,
			     &read).kind, MVFS__NO_FLAW);
	ck_assert_uint_eq(made, 10);
	ck_assert_uint_eq(to[6], '\\');
}
END_TEST

START_TEST(test_the_euro_sign_is_one_byte)
{
	char many[100];
	uint8_t to[sizeof(many) * 3], back[400];
	size_t made, read, length;

	memset(many, 0x80, sizeof(many));
	/* from few, for which room is counted, to many */
	for (length = 1; length <= sizeof(many); length++) {
		ck_assert_int_eq(run(false, many, length, to, &made,
				     &read).kind, MVFS__NO_FLAW);
		ck_assert_uint_eq(made, 3 * length);
		ck_assert_mem_eq(to + made - 3, "\xe2\x82\xac", 3);
		ck_assert_int_eq(run(true, to, made, back, &made, &read).kind,
				 MVFS__NO_FLAW);
		ck_assert_uint_eq(made, length);
		ck_assert_mem_eq(back, many, length);
	}
}
END_TEST

/* A pair for each residue, and stretches of ASCII between, of each length. */
START_TEST(test_mixed_text_goes_both_ways)
{
	uint64_t state = seed_of_run();
	static uint8_t gbk[2000], model[8000], utf8[8000], back[8000];
	size_t length, want, made, read, run_length;
	unsigned n;

	for (n = 0; n < 3000 * long_factor(); n++) {
		size_t room = below(&state, sizeof(gbk) - 70);

		for (length = want = 0; length < room;) {
			uint8_t b[2];

			run_length = below(&state, 2) ? below(&state, 30) : 0;
			while (run_length--)
				model[want++] = gbk[length++] =
					(uint8_t)below(&state, 128);
			b[0] = (uint8_t)(0xb0 + below(&state, 0x27));
			b[1] = (uint8_t)(0xa1 + below(&state, 94));
			memcpy(gbk + length, b, 2);
			/* one at a time is tested against iconv */
			if (run(false, b, 2, model + want, &made, &read).kind)
				ck_abort();
			want += made;
			length += 2;
		}
		if (run(false, gbk, length, utf8, &made, &read).kind ||
		    made != want || memcmp(utf8, model, want) != 0)
			ck_abort_msg("decoding %zu bytes", length);
		if (run(true, utf8, want, back, &made, &read).kind ||
		    made != length || memcmp(back, gbk, length) != 0)
			ck_abort_msg("encoding %zu bytes", length);
	}
}
END_TEST

/* Neither reads behind its end; each flaw is found where it is. */
START_TEST(test_flaws_are_found_at_each_place)
{
	static uint8_t gbk[80], to[400];
	struct fence fence = fence_new(4096);
	size_t at, ascii, made, read, rest;

	for (ascii = 0; ascii < 20; ascii++)
		for (at = ascii % 2; at < 40; at += 2)
			for (rest = 0; rest < 20; rest += 4) {
				struct mvfs__flaw flaw;

				memset(gbk, 0xb0, sizeof(gbk));
				memset(gbk, 'a', ascii < at ? ascii : at);
				gbk[at] = 0xff;
				flaw = run(false, fence_put(&fence, gbk,
							    at + 1 + rest),
					   at + 1 + rest, to, &made, &read);
				if ((at - (ascii < at ? ascii : at)) % 2)
					continue; /* within a pair: B0 FF */
				ck_assert_int_eq(flaw.kind, MVFS__MALFORMED);
				ck_assert_uint_eq(read, at);
			}
	fence_end(&fence);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("text: GBK");
	TCase *tests = tcase_create("GBK");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(tests, 300);
	tcase_add_test(tests, test_every_pair_decodes_as_iconv_says);
	tcase_add_test(tests, test_all_of_the_tables_is_as_iconv_says);
	tcase_add_test(tests, test_every_single_byte_decodes_as_iconv_says);
	tcase_add_test(tests, test_every_code_point_encodes_as_iconv_says);
	tcase_add_test(tests,
		test_characters_side_by_side_encode_as_each_does);
	tcase_add_test(tests, test_what_decodes_encodes_back);
	tcase_add_test(tests,
		test_a_lead_without_its_trail_leaves_what_follows);
	tcase_add_test(tests,
		test_a_pair_without_a_character_is_unmappable_as_a_pair);
	tcase_add_test(tests, test_trail_bytes_that_look_like_ascii_are_not);
	tcase_add_test(tests, test_the_euro_sign_is_one_byte);
	tcase_add_test(tests, test_mixed_text_goes_both_ways);
	tcase_add_test(tests, test_flaws_are_found_at_each_place);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
