/* SPDX-License-Identifier: MIT */
/*
 * GBK to UTF-8 in each of the kernels that this machine has: all against a
 * model that takes one character at a time, on texts that end where their
 * memory does, into memory that ends where a kernel may no longer write.
 *
 * The model looks into the table that unit_text_gbk.c holds against iconv.
 */
#include "config.h"

#include "vfs/text/gbk_tables.h"

#include "tests/text_model.h"
#include "vfs/text/kernels.h"

/* Longer than two steps of the widest kernel, whatever is before them. */
#define TEXT_MAX 1200

static struct fence in, out;
static const struct mvfs__kernels *usable[8];

static void setup(void)
{
	size_t i, n = 0;

	in = fence_new(TEXT_MAX);
	out = fence_new(3 * TEXT_MAX + MVFS__TEXT_SLACK);
	for (i = 0; mvfs__kernels_names[i]; i++) {
		usable[n] = mvfs__kernels_named(mvfs__kernels_names[i]);
		n += usable[n] != NULL;
	}
	ck_assert_uint_ge(n, 1);
}

static void teardown(void)
{
	fence_end(&in);
	fence_end(&out);
}

/* Tells how far it came, and what it made. */
static size_t model(const uint8_t *text, size_t length, uint8_t *to,
		    size_t *made)
{
	uint32_t utf8;
	size_t i = 0;
	unsigned n;

	*made = 0;
	while (i < length) {
		if (text[i] < 0x80) {
			to[(*made)++] = text[i++];
			continue;
		}
		utf8 = i + 1 < length ? mvfs__gbk_look_up(text + i) : 0;
		if (!utf8)
			break;
		for (n = 0; n < utf8 >> 24; n++)
			to[(*made)++] = (uint8_t)(utf8 >> 8 * n);
		i += 2;
	}
	return i;
}

static void show(const char *name, const uint8_t *text, size_t length)
{
	size_t i;

	printf("%s:", name);
	for (i = 0; i < length; i++)
		printf(" %02X", text[i]);
	printf("\n");
}

/* Every kernel comes as far as the model, with the same. */
static void compare(const uint8_t *text, size_t length)
{
	static uint8_t want[3 * TEXT_MAX];
	size_t made, read = model(text, length, want, &made), i;
	const uint8_t *from = fence_put(&in, text, length);
	uint8_t *to = out.bytes + out.size - made - MVFS__TEXT_SLACK;

	for (i = 0; usable[i]; i++) {
		struct mvfs__convert c = { from, from + length, to };

		memset(to, 0xaa, made);
		to[-1] = 0x55;
		usable[i]->gbk_decode(&c);
		if (c.from == from + read && c.to == to + made &&
		    c.end == from + length && to[-1] == 0x55 &&
		    memcmp(to, want, made) == 0)
			continue;
		show("text", text, length);
		show("expected", want, made);
		show("made", to, c.to >= to ? (size_t)(c.to - to) : 0);
		ck_abort_msg("%s: %td bytes of %zu read, expected %zu",
			     usable[i]->name, c.from - from, length, read);
	}
}

/* What may stand before and behind the place that a test looks at. */
enum filling { PAIRS, LOW_TRAILS, TWO_BYTES, LETTERS, BY_TURNS, FILLINGS };

/* Fills `length` bytes with whole characters. */
static void fill(uint8_t *to, size_t length, enum filling filling)
{
	static const char *const texts[FILLINGS] = {
		"\xb0\xa1", "\x81\x5c\x82\x7c", "\xa7\xd1\xa6\xc1", "a",
		"\xb0\xa1\x62\x81\x40\xa7\xd1\x63\x64",
	};
	size_t n = strlen(texts[filling]), i;

	for (i = 0; i + n <= length; i += n)
		memcpy(to + i, texts[filling], n);
	memset(to + i, '.', length - i);
}

/*
 * `length` bytes at `at` in a text whose first and last characters are of
 * that filling; `rest` bytes are behind them.
 */
static void compare_at(const char *bytes, size_t length, size_t at,
		       enum filling filling, size_t rest)
{
	uint8_t text[TEXT_MAX];

	must(at + length + rest <= sizeof(text));
	fill(text, at, filling);
	memcpy(text + at, bytes, length);
	fill(text + at + length, rest, filling);
	compare(text, at + length + rest);
}

/* At check one in 61 of all, beginning anywhere; at long all of them. */
static unsigned stride(void)
{
	unsigned factor = long_factor();

	return factor == 1 ? 61 : factor == 4 ? 17 : 1;
}

START_TEST(test_every_pair_is_the_same_at_every_place)
{
	uint64_t state = seed_of_run();
	size_t at, pair;
	unsigned filling;
	char b[2];

	for (filling = 0; filling < FILLINGS; filling++)
		for (at = 0; at < 130; at++)
			for (pair = 0x8000 + below(&state, stride());
			     pair <= 0xffff; pair += stride()) {
				b[0] = (char)(pair >> 8);
				b[1] = (char)pair;
				compare_at(b, 2, at, filling, 70);
			}
}
END_TEST

/* What the kernels leave to the charset. */
static const struct {
	const char *bytes;
	size_t length;
} stops[] = {
	{ "\x80", 1 }, { "\xff", 1 }, { "\x81", 1 }, { "\xfe", 1 },
	{ "\x81\n", 2 }, { "\x81\0", 2 }, { "\x81\x3f", 2 },
	{ "\x81\x7f", 2 }, { "\x81\xff", 2 }, { "\x80\x40", 2 },
	{ "\xff\x40", 2 }, { "\x80\x80", 2 }, { "\xff\xff", 2 },
	{ "\xaa\xa1", 2 }, { "\xa1\x40", 2 }, { "\xa2\xe3", 2 },
	{ "\xfe\xfe", 2 }, { "\xfe\x50", 2 }, { "\xb0\xa1\x80", 3 },
	{ "\xa7\xd1\xff", 3 }, { "a\x80z", 3 }, { "\x80\xb0\xa1", 3 },
};

START_TEST(test_every_kernel_stops_at_the_same_byte)
{
	size_t i, at, rest;
	unsigned filling;
	size_t step = stride() == 1 ? 1 : 23;

	for (i = 0; i < sizeof(stops) / sizeof(*stops); i++)
		for (filling = 0; filling < FILLINGS; filling++)
			for (at = 0; at < 200; at++)
				for (rest = at % step; rest < 140;
				     rest += step)
					compare_at(stops[i].bytes,
						   stops[i].length, at,
						   filling, rest);
}
END_TEST

START_TEST(test_a_text_may_end_at_every_place)
{
	unsigned filling;
	size_t length;

	for (filling = 0; filling < FILLINGS; filling++)
		for (length = 0; length <= 600; length++) {
			compare_at("", 0, length, filling, 0);
			/* each byte of a pair in front and behind */
			compare_at("\xb0\xa1", 2, 0, filling, length);
			compare_at("\xb0\xa1", 2, length, filling, 0);
			compare_at("\xb0", 1, length, filling, 0);
		}
}
END_TEST

/* A run of high bytes of every length, at every place, low trail or not. */
START_TEST(test_a_run_may_begin_and_end_at_every_place)
{
	uint8_t text[TEXT_MAX];
	size_t at, run, trail;

	for (at = 0; at < 66; at++)
		for (run = 1; run < 200; run += stride() == 1 ? 1 : 3)
			for (trail = 0; trail < 3; trail++) {
				memset(text, 'a', sizeof(text));
				memset(text + at, 0xb0, run);
				/* 'a' is a trail, too; these are others */
				if (trail)
					text[at + run] = "\\ "[trail - 1];
				compare(text, at + run + 70);
			}
}
END_TEST

/* One unit of a random text: well-formed but for one time in `flaws`. */
static size_t unit(uint64_t *state, uint8_t *to, unsigned flaws)
{
	size_t n = 1 + below(state, below(state, 8) ? 6 : 90), i;
	unsigned kind = (unsigned)below(state, 8);

	if (flaws && below(state, flaws) == 0) {
		i = below(state, sizeof(stops) / sizeof(*stops));
		memcpy(to, stops[i].bytes, stops[i].length);
		return stops[i].length;
	}
	if (kind < 3) {
		for (i = 0; i < n; i++)
			to[i] = (uint8_t)below(state, 128);
		return n;
	}
	for (i = 0; i < 2 * n; i += 2) {
		do {
			to[i] = (uint8_t)(0x81 + below(state, 126));
			to[i + 1] = (uint8_t)(0x40 + below(state, 191));
			if (kind == 3) /* Greek and Cyrillic */
				to[i] = 0xa6 + (uint8_t)below(state, 2);
		} while (!mvfs__gbk_look_up(to + i));
	}
	return 2 * n;
}

START_TEST(test_random_mixtures_are_the_same)
{
	static const unsigned flaws[] = { 0, 0, 10, 100 };
	uint64_t state = seed_of_run();
	uint8_t text[TEXT_MAX];
	size_t length, most;
	unsigned n;

	for (n = 0; n < 30000 * long_factor(); n++) {
		most = below(&state, sizeof(text) - 180);
		for (length = 0; length < most;)
			length += unit(&state, text + length, flaws[n % 4]);
		/* from anywhere on: also within a pair */
		most = below(&state, 70);
		most = most < length ? most : 0;
		compare(text + most, length - most);
	}
}
END_TEST

START_TEST(test_random_bytes_are_the_same)
{
	uint64_t state = seed_of_run();
	uint8_t text[TEXT_MAX];
	size_t length, i;
	unsigned n, bits;

	for (n = 0; n < 100000 * long_factor(); n++) {
		length = below(&state, 200);
		/* so that there are long runs of either kind, too */
		bits = (unsigned)below(&state, 4);
		for (i = 0; i < length; i++) {
			text[i] = (uint8_t)rng(&state);
			if (bits && below(&state, 10))
				text[i] |= bits == 1 ? 0x80 : 0x40;
			if (bits == 3)
				text[i] &= 0x7f;
		}
		compare(text, length);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("text: GBK by vectors");
	TCase *tests = tcase_create("GBK by vectors");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(tests, 600);
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_every_pair_is_the_same_at_every_place);
	tcase_add_test(tests, test_every_kernel_stops_at_the_same_byte);
	tcase_add_test(tests, test_a_text_may_end_at_every_place);
	tcase_add_test(tests, test_a_run_may_begin_and_end_at_every_place);
	tcase_add_test(tests, test_random_mixtures_are_the_same);
	tcase_add_test(tests, test_random_bytes_are_the_same);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
