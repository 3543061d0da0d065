/* SPDX-License-Identifier: MIT */
/*
 * UTF-16 against its definition (Unicode, D91), unit by unit; every kernel
 * that this machine has is held to the same, with nothing around the text.
 */
#include "config.h"

#include "vfs/text/charset.h"

#include "tests/text_model.h"
#include "vfs/text/kernels.h"

#define UNITS_MAX 400

static struct fence source, target;
static const struct mvfs__kernels *k;

static void start(void)
{
	source = fence_new(4096);
	target = fence_new(8192);
}

static void end(void)
{
	fence_end(&source);
	fence_end(&target);
}

/* The table of that number, or none; `big` is the order. */
static bool choose(int i)
{
	k = mvfs__kernels_named(mvfs__kernels_names[i]);
	if (k)
		atomic_store(&mvfs__kernels_chosen, k);
	return k != NULL;
}

static size_t put(uint8_t *to, uint32_t unit, bool big)
{
	to[0] = (uint8_t)(big ? unit >> 8 : unit);
	to[1] = (uint8_t)(big ? unit : unit >> 8);
	return 2;
}

static size_t put_character(uint8_t *to, uint32_t c, bool big)
{
	if (c < 0x10000)
		return put(to, c, big);
	put(to, 0xd7c0 + c / 1024, big);
	put(to + 2, 0xdc00 + c % 1024, big);
	return 4;
}

static uint32_t unit_at(const uint8_t *p, bool big)
{
	return big ? p[0] * 256u + p[1] : p[1] * 256u + p[0];
}

/* What is at the start: a character of `length` bytes, or a flaw. */
static struct mvfs__flaw model_at(const uint8_t *p, size_t left, bool big,
				  uint32_t *character)
{
	uint32_t unit, low;

	if (left < 2)
		return (struct mvfs__flaw){ MVFS__CUT_OFF, 1 };
	unit = *character = unit_at(p, big);
	if (unit < 0xd800 || unit > 0xdfff)
		return (struct mvfs__flaw){ MVFS__NO_FLAW, 2 };
	if (unit > 0xdbff)
		return (struct mvfs__flaw){ MVFS__MALFORMED, 2 };
	if (left < 4) {
		if (left == 3 && big && (p[2] < 0xdc || p[2] > 0xdf))
			return (struct mvfs__flaw){ MVFS__MALFORMED, 2 };
		return (struct mvfs__flaw){ MVFS__CUT_OFF, (unsigned)left };
	}
	low = unit_at(p + 2, big);
	if (low < 0xdc00 || low > 0xdfff)
		return (struct mvfs__flaw){ MVFS__MALFORMED, 2 };
	*character = (unit - 0xd7c0) * 1024 + low - 0xdc00;
	return (struct mvfs__flaw){ MVFS__NO_FLAW, 4 };
}

/* Decodes, to the first flaw; compares all that there is. */
static void compare_decode(const uint8_t *text, size_t length, bool big)
{
	const struct mvfs_charset *cs = big ? &mvfs__charset_utf16be :
					      &mvfs__charset_utf16le;
	const uint8_t *p = fence_put(&source, text, length);
	uint8_t model[3 * UNITS_MAX + 8];
	struct mvfs__flaw want = { MVFS__NO_FLAW, 0 }, flaw;
	struct mvfs__convert c = { .from = p, .end = p + length };
	size_t at = 0, made = 0, room = cs->room_decode(p, length);
	uint32_t character;

	while (at < length) {
		want = model_at(text + at, length - at, big, &character);
		if (want.kind != MVFS__NO_FLAW)
			break;
		at += want.length;
		made += model_encode(character, model + made);
	}
	must(room >= made);
	must(room == made || at < length);
	c.to = target.bytes + target.size - room - MVFS__TEXT_SLACK;
	flaw = cs->decode(&c);
	if (flaw.kind != want.kind || c.from != p + at ||
	    (want.kind != MVFS__NO_FLAW && flaw.length != want.length))
		ck_abort_msg("%s: stopped at %zu of %zu, not %zu", k->name,
			     (size_t)(c.from - p), length, at);
	p = target.bytes + target.size - room - MVFS__TEXT_SLACK;
	if (c.to != p + made || memcmp(p, model, made) != 0)
		ck_abort_msg("%s: wrong UTF-8 of %zu bytes", k->name, length);
}

/* The same to UTF-16. */
static void compare_encode(const uint8_t *utf8, size_t length, bool big)
{
	const struct mvfs_charset *cs = big ? &mvfs__charset_utf16be :
					      &mvfs__charset_utf16le;
	const uint8_t *p = fence_put(&source, utf8, length);
	uint8_t model[8 * UNITS_MAX];
	struct mvfs__flaw want = { MVFS__NO_FLAW, 0 }, flaw;
	struct mvfs__convert c = { .from = p, .end = p + length };
	size_t at = 0, made = 0, room = cs->room_encode(p, length);

	while (at < length) {
		want = model_look(utf8 + at, length - at);
		if (want.kind != MVFS__NO_FLAW)
			break;
		made += put_character(model + made, mvfs__utf8_decode(
					utf8 + at, want.length), big);
		at += want.length;
	}
	must(room >= made);
	c.to = target.bytes + target.size - room - MVFS__TEXT_SLACK;
	flaw = cs->encode(&c);
	if (flaw.kind != want.kind || c.from != p + at ||
	    (want.kind != MVFS__NO_FLAW && flaw.length != want.length))
		ck_abort_msg("%s: stopped at %zu of %zu, not %zu", k->name,
			     (size_t)(c.from - p), length, at);
	p = target.bytes + target.size - room - MVFS__TEXT_SLACK;
	if (c.to != p + made || memcmp(p, model, made) != 0)
		ck_abort_msg("%s: wrong UTF-16 of %zu bytes", k->name, length);
}

/* In texts of neighbours: so each is at each place of a word or vector. */
START_TEST(test_every_code_point_is_the_same_both_ways)
{
	uint8_t utf8[4 * 128], utf16[4 * 128];
	uint32_t c, first, step = long_factor() > 1 ? 120 : 1201;
	size_t n, m;
	int big;

	if (!choose(_i))
		return;
	start();
	for (first = 0; first <= 0x10ffff; first += step)
		for (big = 0; big < 2; big++) {
			n = m = 0;
			for (c = first; c < first + 121 && c <= 0x10ffff; c++) {
				if (!model_is_character(c))
					continue;
				n += model_encode(c, utf8 + n);
				m += put_character(utf16 + m, c, big);
			}
			compare_decode(utf16, m, big);
			compare_encode(utf8, n, big);
		}
	end();
}
END_TEST

/* Units of each kind, and where two of them meet. */
static const uint16_t kinds[] = {
	0x0000, 0x0041, 0x007f, 0x0080, 0x07ff, 0x0800, 0x4f60, 0xd7ff,
	0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xfeff, 0xfffe, 0xffff,
};

#define KINDS (sizeof(kinds) / sizeof(*kinds))

START_TEST(test_every_two_units_at_every_place)
{
	static const uint16_t fillers[] = { 'x', 0xe9, 0x4f60 };
	uint8_t text[2 * 80 + 1];
	size_t a, b, at, f, i;
	int big;

	if (!choose(_i))
		return;
	start();
	for (f = 0; f < 3 * KINDS * KINDS * 2; f++) {
		a = f / 6 % KINDS;
		b = f / 6 / KINDS;
		big = f % 2;
		for (at = 0; at < 70; at++) {
			for (i = 0; i < 80; i++)
				put(text + 2 * i, fillers[f / 2 % 3], big);
			put(text + 2 * at, kinds[a], big);
			put(text + 2 * at + 2, kinds[b], big);
			text[160] = (uint8_t)(at & 1 ? 0xdc : 0);
			compare_decode(text, 160, big);
			/* the text ends behind them, or within */
			for (i = 0; i < 5; i++)
				compare_decode(text, 2 * at + i, big);
			compare_decode(text, 161, big);
		}
	}
	end();
}
END_TEST

START_TEST(test_each_flaw_of_utf8_stops_encoding_at_each_place)
{
	static const char *const fillers[] = {
		"x", "\xc3\xa9", "\xe4\xbd\xa0", "\xf0\x9f\x98\x80",
	};
	uint8_t text[400];
	size_t form, f, at, n;
	int big;

	if (!choose(_i))
		return;
	start();
	for (form = 0; form < 4 * BAD_FORMS; form++)
		for (at = 0; at < 70; at++) {
			const char *filler = fillers[form % 4];

			for (f = n = 0; f < at; f++) {
				memcpy(text + n, filler, strlen(filler));
				n += strlen(filler);
			}
			memcpy(text + n, bad_forms[form / 4].bytes,
			       strlen(bad_forms[form / 4].bytes));
			n += strlen(bad_forms[form / 4].bytes);
			big = at % 2;
			compare_encode(text, n, big);
			memset(text + n, 'z', 40);
			compare_encode(text, n + 40, !big);
		}
	end();
}
END_TEST

/* Runs of kinds, so that one stops and the next begins anywhere. */
START_TEST(test_random_texts)
{
	uint64_t state = seed_of_run(), round, rounds = 4000 * long_factor();
	uint8_t utf16[2 * UNITS_MAX], utf8[4 * UNITS_MAX];
	size_t n, m, run, length;
	uint32_t c = 0;
	int big;

	if (!choose(_i))
		return;
	start();
	for (round = 0; round < rounds; round++) {
		static const uint32_t ends[] = {
			0x80, 0x800, 0x10000, 0x110000
		};
		uint32_t below_this = 0x80;

		big = round % 2;
		length = below(&state, UNITS_MAX / 2);
		for (n = m = 0, run = 0; n < 2 * length; ) {
			if (!run--) {
				run = below(&state, 40);
				below_this = ends[below(&state, 4)];
			}
			c = (uint32_t)below(&state, below_this);
			if (!model_is_character(c)) {
				if (below(&state, 100) == 0)
					n += put(utf16 + n, c, big);
				continue;
			}
			n += put_character(utf16 + n, c, big);
			m += model_encode(c, utf8 + m);
		}
		compare_decode(utf16, n, big);
		compare_encode(utf8, m, big);
		if (m && n)
			utf8[below(&state, m)] = (uint8_t)rng(&state);
		compare_encode(utf8, m, big);
	}
	end();
}
END_TEST

/* What counts more than a word of counters can hold at once. */
START_TEST(test_the_length_of_long_texts)
{
	static const uint16_t units[] = { 'a', 0xe9, 0x4f60, 0xd83d, 0xffff };
	static const size_t each[] = { 1, 2, 3, 2, 3 };
	const size_t count = 200001;
	uint8_t *text = malloc(2 * count + 1);
	size_t u, i;

	if (!choose(_i)) {
		free(text);
		return;
	}
	for (u = 0; u < 5; u++) {
		for (i = 0; i < count; i++)
			put(text + 2 * i, units[u], true);
		text[2 * count] = 'x';
		ck_assert_uint_eq(k->utf16be_length(text, 2 * count + 1),
				  count * each[u]);
		for (i = 0; i < count; i++)
			put(text + 2 * i, units[u], false);
		ck_assert_uint_eq(k->utf16le_length(text, 2 * count + 1),
				  count * each[u]);
	}
	free(text);
}
END_TEST

START_TEST(test_a_bom_tells_the_order_and_without_one_it_is_big_endian)
{
	static const struct {
		const char *bytes;
		size_t length;
		const struct mvfs_charset *is;
		size_t bom;
	} texts[] = {
		{ "\xfe\xff\0a", 4, &mvfs__charset_utf16be, 2 },
		{ "\xff\xfe" "a", 4, &mvfs__charset_utf16le, 2 },
		{ "\xff\xfe\xfe\xff", 4, &mvfs__charset_utf16le, 2 },
		{ "\0a", 2, &mvfs__charset_utf16be, 0 },
		{ "a\0", 2, &mvfs__charset_utf16be, 0 },
		{ "\xff", 1, &mvfs__charset_utf16be, 0 },
		{ "", 0, &mvfs__charset_utf16be, 0 },
	};
	size_t i, bom;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		const uint8_t *bytes = (const uint8_t *)texts[i].bytes;

		ck_assert_ptr_eq(mvfs__charset_begin(&mvfs__charset_utf16,
						     bytes, texts[i].length,
						     false, &bom),
				 texts[i].is);
		ck_assert_uint_eq(bom, texts[i].bom);
		/* where the name says the order, it is text unless skipped */
		ck_assert_ptr_eq(mvfs__charset_begin(texts[i].is, bytes,
						     texts[i].length, false,
						     &bom), texts[i].is);
		ck_assert_uint_eq(bom, 0);
		(void)mvfs__charset_begin(texts[i].is, bytes, texts[i].length,
					  true, &bom);
		ck_assert_uint_eq(bom, texts[i].bom);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("text: UTF-16");
	TCase *tests = tcase_create("utf16");
	SRunner *runner = srunner_create(suite);
	int failed, kernels = 0;

	while (mvfs__kernels_names[kernels])
		kernels++;
	tcase_set_timeout(tests, 300);
	tcase_add_loop_test(tests, test_every_code_point_is_the_same_both_ways,
			    0, kernels);
	tcase_add_loop_test(tests, test_every_two_units_at_every_place, 0,
			    kernels);
	tcase_add_loop_test(tests,
		test_each_flaw_of_utf8_stops_encoding_at_each_place, 0,
		kernels);
	tcase_add_loop_test(tests, test_random_texts, 0, kernels);
	tcase_add_loop_test(tests, test_the_length_of_long_texts, 0, kernels);
	tcase_add_test(tests,
		test_a_bom_tells_the_order_and_without_one_it_is_big_endian);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
