/* SPDX-License-Identifier: MIT */
/*
 * UTF-8 and the kernels over it, against the definition in text_model.h.
 * Every kernel that this machine has is held to the same.
 */
#include "config.h"

#include "vfs/text/kernels.h"

#include "tests/text_model.h"

/* Longer than two blocks of any kernel, and no multiple of a vector. */
#define SPAN 700

static struct fence fence, target;

static void start(void)
{
	fence = fence_new(4096);
	target = fence_new(4096);
}

static void end(void)
{
	fence_end(&fence);
	fence_end(&target);
}

static const struct mvfs__kernels *kernels_of(int i)
{
	return mvfs__kernels_named(mvfs__kernels_names[i]);
}

START_TEST(test_every_code_point_is_what_its_encoding_says)
{
	uint8_t bytes[4];
	uint32_t c;

	for (c = 0; c <= 0x10ffff; c++) {
		unsigned length = model_encode(c, bytes);
		struct mvfs__flaw look;

		if (!length)
			continue;
		look = mvfs__utf8_look(bytes, length);
		/* Check writes a file at each assert: one per million */
		if (look.kind != MVFS__NO_FLAW || look.length != length ||
		    mvfs__utf8_decode(bytes, length) != c)
			ck_abort_msg("U+%04X", (unsigned)c);
	}
}
END_TEST

/* All sequences of three bytes and every fourth behind a lead of four. */
START_TEST(test_a_flaw_is_the_maximal_subpart)
{
	static const uint8_t edges[] = {
		0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0,
		0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff
	};
	const size_t n = sizeof(edges);
	uint8_t b[4];
	size_t i, length;

	for (i = 0; i < 256 * n * n * n; i++) {
		b[0] = (uint8_t)(i / (n * n * n));
		b[1] = edges[i / (n * n) % n];
		b[2] = edges[i / n % n];
		b[3] = edges[i % n];
		for (length = 1; length <= 4; length++) {
			struct mvfs__flaw look = mvfs__utf8_look(b, length);
			struct mvfs__flaw model = model_look(b, length);

			if (look.kind != model.kind ||
			    look.length != model.length)
				ck_abort_msg("%02X %02X %02X %02X of %zu",
					     b[0], b[1], b[2], b[3], length);
		}
	}
}
END_TEST

static void compare(const struct mvfs__kernels *k, const uint8_t *text,
		    size_t length, const char *what)
{
	const uint8_t *p = fence_put(&fence, text, length);

	if (k->ascii(p, length) != model_ascii(text, length))
		ck_abort_msg("%s: ascii of %zu bytes with %s", k->name,
			     length, what);
	if (k->utf8(p, length) != model_valid(text, length))
		ck_abort_msg("%s: utf8 of %zu bytes with %s", k->name, length,
			     what);
}

/* Characters of each length, to put something between. */
static const char *const fillers[] = {
	"x", "\xc3\xa9", "\xe4\xbd\xa0", "\xf0\x9f\x98\x80",
	"a\xc3\xa9\xe4\xbd\xa0\xf0\x9f\x98\x80",
};

#define FILLERS (sizeof(fillers) / sizeof(*fillers))

/* As many whole characters as fit, then ASCII. */
static void fill(uint8_t *to, size_t length, const char *filler)
{
	size_t unit = strlen(filler), i = 0;

	while (length - i >= unit) {
		memcpy(to + i, filler, unit);
		i += unit;
	}
	memset(to + i, 'y', length - i);
}

START_TEST(test_each_flaw_is_found_at_each_place)
{
	const struct mvfs__kernels *k = kernels_of(_i);
	uint8_t text[SPAN + 8];
	size_t form, filler, at, bad, rest;

	if (!k)
		return;
	for (form = 0; form < BAD_FORMS; form++)
		for (filler = 0; filler < FILLERS; filler++)
			for (at = 0; at < 300; at++) {
				/* the text ends with it, or goes on */
				rest = at % 3 == 0 ? 0 : SPAN - 300;
				bad = strlen(bad_forms[form].bytes);
				fill(text, at, fillers[filler]);
				memcpy(text + at, bad_forms[form].bytes, bad);
				fill(text + at + bad, rest, fillers[filler]);
				compare(k, text, at + bad + rest,
					bad_forms[form].what);
			}
}
END_TEST

START_TEST(test_well_formed_text_of_each_length_is_whole)
{
	const struct mvfs__kernels *k = kernels_of(_i);
	uint8_t text[SPAN];
	size_t filler, length, shift;

	if (!k)
		return;
	for (filler = 0; filler < FILLERS; filler++)
		for (length = 0; length < SPAN; length++) {
			shift = length % 7 < length ? length % 7 : 0;
			memset(text, 'z', shift);
			fill(text + shift, length - shift, fillers[filler]);
			compare(k, text, length, "no flaw");
			ck_assert_uint_eq(model_valid(text, length), length);
		}
}
END_TEST

START_TEST(test_one_high_byte_is_found_at_each_place)
{
	const struct mvfs__kernels *k = kernels_of(_i);
	uint8_t text[SPAN] = { 0 };
	size_t at;

	if (!k)
		return;
	/* NUL is ASCII */
	for (at = 0; at < SPAN; at++) {
		text[at] = at % 2 ? 0x80 : 0xff;
		compare(k, text, SPAN, "one high byte");
		ck_assert_uint_eq(k->ascii(fence_put(&fence, text, at), at),
				  at);
		text[at] = 0x7f;
	}
}
END_TEST

static size_t random_text(uint64_t *state, uint8_t *text, size_t room)
{
	unsigned flaws = (unsigned)below(state, 4);
	unsigned high = (unsigned)below(state, 5);
	size_t length = 0;

	while (length + 8 < room) {
		uint32_t c = (uint32_t)below(state, 128);

		if (flaws && below(state, 100 * flaws) == 0) {
			size_t i = below(state, BAD_FORMS);

			memcpy(text + length, bad_forms[i].bytes,
			       strlen(bad_forms[i].bytes));
			length += strlen(bad_forms[i].bytes);
			continue;
		}
		if (below(state, 5) < high)
			c = (uint32_t)below(state, 1u << (7 +
							  below(state, 15)));
		length += model_encode(c, text + length);
	}
	/* and cut anywhere */
	return length - below(state, 4);
}

START_TEST(test_random_text_is_judged_as_defined)
{
	const struct mvfs__kernels *k = kernels_of(_i);
	uint64_t state = seed_of_run();
	uint8_t text[3000];
	unsigned n;

	if (!k)
		return;
	for (n = 0; n < 2000 * long_factor(); n++) {
		size_t room = 16 + below(&state, sizeof(text) - 16);

		compare(k, text, random_text(&state, text, room), "whatever");
	}
}
END_TEST

START_TEST(test_moving_ascii_stops_at_the_first_high_byte)
{
	const struct mvfs__kernels *k = kernels_of(_i);
	uint8_t text[200], *to;
	size_t length, at, i;

	if (!k)
		return;
	for (length = 0; length < sizeof(text); length++)
		for (at = 0; at <= length; at++) {
			for (i = 0; i < length; i++)
				text[i] = (uint8_t)((i * 7 + at) % 128);
			if (at < length)
				text[at] = 0xc3;
			/* room for just as much as it may write */
			to = fence_put(&target, text, 0) - length -
			     MVFS__TEXT_SLACK;
			memset(to, 0xee, length + MVFS__TEXT_SLACK);
			if (k->copy_ascii(to, fence_put(&fence, text, length),
					  length) != at ||
			    memcmp(to, text, at) != 0)
				ck_abort_msg("%zu of %zu", at, length);
		}
}
END_TEST

START_TEST(test_high_bytes_are_counted)
{
	const struct mvfs__kernels *k = kernels_of(_i);
	uint64_t state = seed_of_run();
	uint8_t text[300];
	size_t length, i, count;

	if (!k)
		return;
	for (length = 0; length < sizeof(text); length++) {
		for (i = 0, count = 0; i < length; i++) {
			text[i] = (uint8_t)(length % 2 ? 0xff : rng(&state));
			count += text[i] >= 0x80;
		}
		ck_assert_uint_eq(k->count_high(fence_put(&fence, text,
							  length), length),
				  count);
	}
}
END_TEST

/* In lengths around all vectors, among what is nearly an end. */
START_TEST(test_line_bits_are_those_of_cr_and_lf)
{
	static const uint8_t near[] = {
		'\n' + 1, '\n' - 1, '\r' + 1, '\r' - 1, '\n' + 0x80,
		'\r' + 0x80, 0, 0xff, '\n', '\r',
	};
	const struct mvfs__kernels *k = kernels_of(_i);
	uint64_t state = seed_of_run();
	uint64_t bits[400 / 64 + 2];
	uint8_t text[400];
	size_t length, i, kinds;

	if (!k)
		return;
	for (length = 0; length < sizeof(text); length++) {
		kinds = length % 2 ? sizeof(near) : 9;
		for (i = 0; i < length; i++)
			text[i] = near[below(&state, kinds)];
		memset(bits, 0x5a, sizeof(bits));
		k->line_bits(fence_put(&fence, text, length), length, bits);
		for (i = 0; i < (length + 63) / 64 * 64; i++)
			must((bits[i / 64] >> i % 64 & 1) ==
			     (i < length && (text[i] == '\n' ||
					     text[i] == '\r')));
		must(bits[i / 64] == UINT64_C(0x5a5a5a5a5a5a5a5a));
	}
}
END_TEST

START_TEST(test_a_verdict_goes_on_where_it_is_told)
{
	static const char text[] = "plain \xe4\xbd\xa0 and \xff";
	const uint8_t *p = (const uint8_t *)text;
	size_t length = sizeof(text) - 1, from;
	struct mvfs__verdict v;

	for (from = 0; from <= 6; from++) {
		v = mvfs__utf8_classify(p, length, from, true);
		ck_assert_uint_eq(v.valid, length - 1);
		ck_assert(!v.ascii);
		ck_assert_int_eq(v.flaw.kind, MVFS__MALFORMED);
		v = mvfs__utf8_classify(p, 6, from, true);
		ck_assert(v.ascii && v.valid == 6);
		ck_assert_int_eq(v.flaw.kind, MVFS__NO_FLAW);
	}
	v = mvfs__utf8_classify(p, 8, 6, true);
	ck_assert_int_eq(v.flaw.kind, MVFS__CUT_OFF);
	ck_assert_uint_eq(v.flaw.length, 2);
	/* ASCII behind what is known as UTF-8 is not known as ASCII */
	v = mvfs__utf8_classify(p, 6, 3, false);
	ck_assert(!v.ascii && v.valid == 6);
}
END_TEST

START_TEST(test_kernels_have_names)
{
	int i;

	ck_assert_ptr_nonnull(mvfs__kernels());
	ck_assert_ptr_null(mvfs__kernels_named("no such"));
	ck_assert_ptr_eq(mvfs__kernels_named("portable"),
			 &mvfs__kernels_portable);
	for (i = 0; mvfs__kernels_names[i]; i++)
		if (kernels_of(i))
			ck_assert_str_eq(kernels_of(i)->name,
					 mvfs__kernels_names[i]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("text: UTF-8");
	TCase *one = tcase_create("by character");
	TCase *all = tcase_create("kernels");
	SRunner *runner = srunner_create(suite);
	int names = 0, failed;

	while (mvfs__kernels_names[names])
		names++;
	tcase_set_timeout(one, 120);
	tcase_add_test(one, test_every_code_point_is_what_its_encoding_says);
	tcase_add_test(one, test_a_flaw_is_the_maximal_subpart);
	tcase_add_test(one, test_a_verdict_goes_on_where_it_is_told);
	tcase_add_test(one, test_kernels_have_names);
	suite_add_tcase(suite, one);
	tcase_add_checked_fixture(all, start, end);
	tcase_set_timeout(all, 600);
	tcase_add_loop_test(all, test_each_flaw_is_found_at_each_place, 0,
			    names);
	tcase_add_loop_test(all, test_well_formed_text_of_each_length_is_whole,
			    0, names);
	tcase_add_loop_test(all, test_one_high_byte_is_found_at_each_place, 0,
			    names);
	tcase_add_loop_test(all, test_random_text_is_judged_as_defined, 0,
			    names);
	tcase_add_loop_test(all, test_moving_ascii_stops_at_the_first_high_byte,
			    0, names);
	tcase_add_loop_test(all, test_high_bytes_are_counted, 0, names);
	tcase_add_loop_test(all, test_line_bits_are_those_of_cr_and_lf, 0,
			    names);
	suite_add_tcase(suite, all);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
