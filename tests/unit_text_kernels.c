/* SPDX-License-Identifier: MIT */
/*
 * Every kernel that this machine has, against the portable one: the same
 * result, the same bytes, none read outside the text, and none written before
 * the target or further behind it than the slack. What the right result is,
 * the tests of the charsets say.
 */
#include "config.h"

#include "vfs/text/kernels.h"

#include "tests/kernel_entries.h"
#include "tests/text_model.h"

#define LONGEST 4096
static struct fence text_fence, target_fence;
static uint8_t expected[GROWTH * LONGEST + MVFS__TEXT_SLACK];

static void start(void)
{
	text_fence = fence_new(LONGEST);
	target_fence = fence_new(sizeof(expected));
}

static void end(void)
{
	fence_end(&text_fence);
	fence_end(&target_fence);
}

static const struct mvfs__kernels *kernels_of(int i)
{
	return mvfs__kernels_named(mvfs__kernels_names[i]);
}

static mvfs__stretch_fn *conversion_of(const struct mvfs__kernels *k, size_t i)
{
	mvfs__stretch_fn *fn;

	memcpy(&fn, (const char *)k + conversions[i].entry, sizeof(fn));
	return fn;
}

/* A place for `made` bytes and the slack, which nothing may pass. */
static uint8_t *target_of(size_t made)
{
	uint8_t *to = target_fence.bytes + target_fence.size - made -
		      MVFS__TEXT_SLACK;

	memset(to - MVFS__TEXT_SLACK, 0xee, MVFS__TEXT_SLACK);
	return to;
}

static bool target_begins_at(const uint8_t *to)
{
	unsigned i;

	for (i = 1; i <= MVFS__TEXT_SLACK; i++)
		if (to[-(int)i] != 0xee)
			return false;
	return true;
}

static void hold_copy(const struct mvfs__kernels *k, const uint8_t *p,
		      size_t length, const char *what)
{
	size_t n = mvfs__portable_ascii(p, length);
	uint8_t *to = target_of(length);

	if (k->copy_ascii(to, p, length) != n || memcmp(to, p, n) != 0 ||
	    !target_begins_at(to))
		ck_abort_msg("%s: copy_ascii of %zu bytes: %s", k->name,
			     length, what);
}

static void hold_conversion(const struct mvfs__kernels *k, size_t i,
			    const uint8_t *p, size_t length, const char *what)
{
	mvfs__stretch_fn *right = conversion_of(&mvfs__kernels_portable, i);
	mvfs__stretch_fn *fn = conversion_of(k, i);
	struct mvfs__convert model = { p, p + length, expected };
	struct mvfs__convert c = { p, p + length, NULL };
	uint8_t *to;
	size_t made;

	if (fn == right)
		return;
	right(&model);
	made = (size_t)(model.to - expected);
	to = target_of(made);
	c.to = to;
	fn(&c);
	if (c.from != model.from || c.to != to + made ||
	    memcmp(to, expected, made) != 0 || !target_begins_at(to))
		ck_abort_msg("%s: %s of %zu bytes: %s", k->name,
			     conversions[i].name, length, what);
}

static void hold_line_bits(const struct mvfs__kernels *k, const uint8_t *p,
			   size_t length, const char *what)
{
	static uint64_t model[LONGEST / 64 + 1], bits[LONGEST / 64 + 1];
	size_t size = (length + 63) / 64 * sizeof(*bits);

	mvfs__portable_line_bits(p, length, model);
	memset(bits, 0x5a, sizeof(bits));
	k->line_bits(p, length, bits);
	if (memcmp(bits, model, size) != 0)
		ck_abort_msg("%s: line_bits of %zu bytes: %s", k->name,
			     length, what);
	if (bits[size / sizeof(*bits)] != UINT64_C(0x5a5a5a5a5a5a5a5a))
		ck_abort_msg("%s: line_bits of %zu bytes made more", k->name,
			     length);
}

static void hold_at(const struct mvfs__kernels *k, const uint8_t *p,
		    size_t length, const char *what)
{
	size_t i;

	if (k->ascii(p, length) != mvfs__portable_ascii(p, length))
		ck_abort_msg("%s: ascii of %zu bytes: %s", k->name, length,
			     what);
	if (k->utf8(p, length) != mvfs__portable_utf8(p, length))
		ck_abort_msg("%s: utf8 of %zu bytes: %s", k->name, length,
			     what);
	if (k->count_high(p, length) != mvfs__portable_count_high(p, length))
		ck_abort_msg("%s: count_high of %zu bytes: %s", k->name,
			     length, what);
	hold_line_bits(k, p, length, what);
	if (k->utf16le_length(p, length) !=
		    mvfs__portable_utf16le_length(p, length) ||
	    k->utf16be_length(p, length) !=
		    mvfs__portable_utf16be_length(p, length))
		ck_abort_msg("%s: length of %zu bytes of UTF-16: %s", k->name,
			     length, what);
	hold_copy(k, p, length, what);
	for (i = 0; i < CONVERSIONS; i++)
		hold_conversion(k, i, p, length, what);
}

/* A text that ends at the end of what can be read, and begins there. */
static void hold(const struct mvfs__kernels *k, const uint8_t *text,
		 size_t length, const char *what)
{
	if (length > LONGEST)
		ck_abort();
	hold_at(k, fence_put(&text_fence, text, length), length, what);
	memcpy(text_fence.bytes, text, length);
	hold_at(k, text_fence.bytes, length, what);
}

/* What stands around: characters of one length, of all, of GBK, of UTF-16. */
static const char *const fillers[] = {
	"x", "\xc3\xa9", "\xe4\xbd\xa0",
	"a\xc3\xa9\xe4\xbd\xa0\xf0\x9f\x98\x80",
	"\xc4\xe3", "y\xc4\xe3\xba\xc3",
	"\x60\x4f", "\x3d\xd8\x41\xde", "\xd8\x3d\xde\x41",
};

#define FILLERS (sizeof(fillers) / sizeof(*fillers))

/* As many whole characters as fit, then ASCII. */
static void fill(uint8_t *to, size_t length, const char *filler)
{
	size_t unit = strlen(filler), i = 0;

	for (; length - i >= unit; i += unit)
		memcpy(to + i, filler, unit);
	memset(to + i, 'y', length - i);
}

/* Where the blocks of some kernel end. */
static const size_t edges[] = { 16, 32, 64, 128, 256, 320, 512 };

#define EDGES (sizeof(edges) / sizeof(*edges))

/* `bytes` at a place in a text that ends behind it, or around an edge. */
static void hold_within(const struct mvfs__kernels *k, const char *bytes,
			size_t at, const char *filler, const char *what)
{
	uint8_t text[LONGEST];
	size_t n = strlen(bytes), i, length;

	fill(text, at, filler);
	memcpy(text + at, bytes, n);
	fill(text + at + n, sizeof(text) - at - n, filler);
	hold(k, text, at + n, what);
	/* half of the edges, and one of the lengths around, each in its turn */
	for (i = at % 2; i < EDGES; i += 2) {
		length = edges[i] - 3 + (at / 2 + i) % 7;
		if (length > at + n)
			hold(k, text, length, what);
	}
}

static void hold_at_each_place(const struct mvfs__kernels *k,
			       const struct bad *form, const char *filler)
{
	size_t at, edge;

	for (at = 0; at < 64; at++)
		hold_within(k, form->bytes, at, filler, form->what);
	for (edge = 3; edge < EDGES; edge++)
		for (at = edges[edge] - 4; at <= edges[edge]; at++)
			hold_within(k, form->bytes, at, filler, form->what);
}

/* Those of UTF-16, in both orders; and in UTF-8 and GBK what they may be. */
static const struct bad bad_units[] = {
	{ "\x3d\xd8", "a high surrogate" },
	{ "\xd8\x3d", "a high surrogate" },
	{ "\x41\xde", "a low surrogate" },
	{ "\xde\x41", "a low surrogate" },
	{ "\x3d\xd8\x3d\xd8\x41\xde", "two high surrogates" },
	{ "\xd8\x3d\xd8\x3d\xde\x41", "two high surrogates" },
	{ "\x3d\xd8\x41\xde\x41\xde", "two low surrogates" },
	{ "\xd8\x3d\xde\x41\xde\x41", "two low surrogates" },
};

#define BAD_UNITS (sizeof(bad_units) / sizeof(*bad_units))

START_TEST(test_each_flaw_is_the_same_at_each_place)
{
	const struct mvfs__kernels *k = kernels_of(_i);
	size_t form, filler;

	if (!k)
		return;
	for (filler = 0; filler < FILLERS; filler++) {
		for (form = 0; form < BAD_FORMS; form++)
			hold_at_each_place(k, bad_forms + form,
					   fillers[filler]);
		for (form = 0; form < BAD_UNITS; form++)
			hold_at_each_place(k, bad_units + form,
					   fillers[filler]);
	}
}
END_TEST

START_TEST(test_text_of_each_length_is_the_same)
{
	const struct mvfs__kernels *k = kernels_of(_i);
	uint8_t text[700];
	size_t filler, length;

	if (!k)
		return;
	for (filler = 0; filler < FILLERS; filler++) {
		fill(text, sizeof(text), fillers[filler]);
		for (length = 0; length <= sizeof(text); length++)
			hold(k, text, length, "no flaw, or cut");
	}
}
END_TEST

/* In check one of 997; in long all, at fewer places. */
START_TEST(test_each_code_point_is_the_same)
{
	const struct mvfs__kernels *k = kernels_of(_i);
	bool all = long_factor() == 40;
	size_t step = all ? 19 : 7, at, n;
	uint8_t text[200];
	uint32_t c;

	if (!k)
		return;
	for (c = 0; c <= 0x10ffff; c += all || c < 0x300 ? 1 : 997) {
		for (at = c % step; at < 64; at += step) {
			fill(text, at, fillers[c % FILLERS]);
			n = model_encode(c, text + at);
			if (!n)
				break;
			fill(text + at + n, sizeof(text) - at - n,
			     fillers[c % FILLERS]);
			hold(k, text, at + n + (c + at) % 100, "a code point");
		}
	}
}
END_TEST

/* A character of UTF-16, in one unit or two. */
static size_t random_utf16(uint64_t *state, uint8_t *to, bool big)
{
	static const uint32_t ends[] = { 0x80, 0x800, 0x10000, 0x110000 };
	uint32_t c = (uint32_t)below(state, ends[below(state, 4)]);
	size_t n = 0;

	if (c >= 0x10000) {
		c -= 0x10000;
		to[big ? 0 : 1] = (uint8_t)(0xd8 | c >> 18);
		to[big ? 1 : 0] = (uint8_t)(c >> 10);
		n = 2;
		c = 0xdc00 | (c & 0x3ff);
	}
	to[n + (big ? 0 : 1)] = (uint8_t)(c >> 8);
	to[n + (big ? 1 : 0)] = (uint8_t)c;
	return n + 2;
}

/* A stretch of a kind that it keeps to for a while. */
static size_t random_stretch(uint64_t *state, uint8_t *to)
{
	static const uint32_t ends[] = {
		0x80, 0x100, 0x800, 0x10000, 0x110000
	};
	unsigned kind = (unsigned)below(state, 10);
	size_t n = 1 + below(state, 1u << below(state, 8)), i, made = 0;

	for (i = 0; i < n; i++) {
		if (kind < 5) {
			made += model_encode((uint32_t)below(state, ends[kind]),
					     to + made);
		} else if (kind == 5) {
			to[made++] = (uint8_t)rng(state);
		} else if (kind == 6) {
			/* pairs of GBK, nearly all of which are characters */
			to[made++] = (uint8_t)(0xb0 + below(state, 0x48));
			to[made++] = (uint8_t)(0xa1 + below(state, 0x5e));
		} else if (kind < 9) {
			made += random_utf16(state, to + made, kind == 7);
		} else if (n < 8) {
			i = below(state, BAD_FORMS);
			made += strlen(strcpy((char *)to + made,
					      bad_forms[i].bytes));
			break;
		}
	}
	return made;
}

START_TEST(test_random_text_is_the_same)
{
	const struct mvfs__kernels *k = kernels_of(_i);
	uint64_t state = seed_of_run();
	uint8_t text[LONGEST];
	char what[40];
	unsigned i;

	if (!k)
		return;
	for (i = 0; i < 20000 * long_factor(); i++) {
		size_t room = 1 + below(&state, 1u << (1 + below(&state, 11)));
		size_t length = 0;

		snprintf(what, sizeof(what), "random text %u", i);
		while (length < room)
			length += random_stretch(&state, text + length);
		hold(k, text, room, what);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("text: kernels");
	TCase *each = tcase_create("each");
	SRunner *runner = srunner_create(suite);
	int names = 0, failed;

	for (; strcmp(mvfs__kernels_names[names], "portable") != 0; names++)
		if (!kernels_of(names))
			printf("kernels %s: not run, no such processor\n",
			       mvfs__kernels_names[names]);
	tcase_add_checked_fixture(each, start, end);
	tcase_set_timeout(each, 3600);
	tcase_add_loop_test(each, test_each_flaw_is_the_same_at_each_place, 0,
			    names);
	tcase_add_loop_test(each, test_text_of_each_length_is_the_same, 0,
			    names);
	tcase_add_loop_test(each, test_each_code_point_is_the_same, 0, names);
	tcase_add_loop_test(each, test_random_text_is_the_same, 0, names);
	suite_add_tcase(suite, each);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
