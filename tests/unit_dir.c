/* SPDX-License-Identifier: MIT */
/*
 * Directories. A hash is a field of struct mvfs__name, so the tests make
 * names whose hashes are equal at will.
 */
#include "config.h"

#include "vfs/dir/dir.h"

#include <errno.h>

#include "tests/trie_model.h"

#define DT_REG 8
#define DT_DIR 4

static const struct mvfs__seed seed = { 0x0706050403020100u,
					0x0f0e0d0c0b0a0908u };
static struct mvfs__trie dir, clone;
static struct mvfs__bin bin;

static void start(void)
{
	dir = clone = (struct mvfs__trie){ 0 };
	bin = (struct mvfs__bin)MVFS__BIN_INIT;
}

static void end(void)
{
	mvfs__bin_empty(&bin);
	clear_trie(&dir);
	clear_trie(&clone);
}

static struct mvfs__name named(const char *text)
{
	return mvfs__name_make(&seed, text, strlen(text));
}

static struct mvfs__name forged(const char *text, uint64_t hash)
{
	return (struct mvfs__name){ text, strlen(text), hash };
}

static uint64_t set(const struct mvfs__name *name, uint64_t ino)
{
	uint64_t key = 0;

	ck_assert_int_eq(mvfs__dir_set(&dir, name, ino, DT_REG, &key, &bin),
			 0);
	ck_assert_uint_ge(key, MVFS__KEY_FIRST);
	return key;
}

static uint64_t ino_of(const struct mvfs__trie *of,
		       const struct mvfs__name *name)
{
	const struct mvfs__entry *entry = mvfs__dir_find(of, name);

	if (!entry)
		return 0;
	must(entry->len == name->len);
	must(!memcmp(entry->name, name->bytes, name->len));
	return entry->ino;
}

/* SipHash-c-d as the paper has it, byte by byte. */
static uint64_t turned(uint64_t word, unsigned bits)
{
	return word << bits | word >> (64 - bits);
}

static void slow_round(uint64_t v[4])
{
	v[0] += v[1];
	v[1] = turned(v[1], 13);
	v[1] ^= v[0];
	v[0] = turned(v[0], 32);
	v[2] += v[3];
	v[3] = turned(v[3], 16);
	v[3] ^= v[2];
	v[0] += v[3];
	v[3] = turned(v[3], 21);
	v[3] ^= v[0];
	v[2] += v[1];
	v[1] = turned(v[1], 17);
	v[1] ^= v[2];
	v[2] = turned(v[2], 32);
}

static uint64_t slow_siphash(unsigned c, unsigned d,
			     const struct mvfs__seed *key,
			     const unsigned char *bytes, size_t len)
{
	uint64_t v[4] = { key->k0 ^ 0x736f6d6570736575u,
			  key->k1 ^ 0x646f72616e646f6du,
			  key->k0 ^ 0x6c7967656e657261u,
			  key->k1 ^ 0x7465646279746573u };

	for (size_t at = 0; at <= len; at += 8) {
		uint64_t word = 0;

		for (size_t i = at; i < at + 8; i++) {
			uint64_t byte = i < len ? bytes[i] : 0;

			if (at + 8 > len && i == at + 7)
				byte = len & 255;
			word |= byte << (i - at) * 8;
		}
		v[3] ^= word;
		for (unsigned n = 0; n < c; n++)
			slow_round(v);
		v[0] ^= word;
	}
	v[2] ^= 0xff;
	for (unsigned n = 0; n < d; n++)
		slow_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

START_TEST(test_siphash_is_that_of_the_paper)
{
	unsigned char bytes[256];
	uint64_t state = seed_of_run();

	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)i;
	/* the paper's own example, appendix A, holds the slow one */
	ck_assert_uint_eq(slow_siphash(2, 4, &seed, bytes, 15),
			  UINT64_C(0xa129ca6149be45e5));
	for (size_t len = 0; len <= 255; len++)
		ck_assert_uint_eq(mvfs__siphash13(&seed, bytes, len),
				  slow_siphash(1, 3, &seed, bytes, len));
	for (unsigned n = 0; n < 2000; n++) {
		struct mvfs__seed key = { rng(&state), rng(&state) };
		size_t from = below(&state, 32), len = below(&state, 64);

		for (size_t i = 0; i < len; i++)
			bytes[from + i] = (unsigned char)rng(&state);
		ck_assert_uint_eq(
			mvfs__siphash13(&key, bytes + from, len),
			slow_siphash(1, 3, &key, bytes + from, len));
	}
}
END_TEST

START_TEST(test_hash_has_61_bits_and_follows_from_seed_and_name)
{
	const struct mvfs__seed other = { 1, 2 };
	struct mvfs__name a = mvfs__name_make(&seed, "name", 4);
	struct mvfs__name b = mvfs__name_make(&seed, "names", 4);
	struct mvfs__name c = mvfs__name_make(&other, "name", 4);

	ck_assert_uint_eq(a.hash, mvfs__siphash13(&seed, "name", 4) >> 3);
	ck_assert_uint_eq(a.hash, b.hash);
	ck_assert_uint_ne(a.hash, c.hash);
	ck_assert_uint_gt(a.hash, 0);
}
END_TEST

START_TEST(test_name_is_found_by_all_its_bytes)
{
	char longest[MVFS__NAME_MAX];
	struct mvfs__name names[] = { named("a"), named("b"), named("ab"),
				      named("\xff\n"), named("a.txt") };
	struct mvfs__name longer, absent = named("abc");
	struct mvfs__entry *entry;

	memset(longest, 'x', sizeof(longest));
	longer = mvfs__name_make(&seed, longest, sizeof(longest));
	for (uint64_t i = 0; i < 5; i++)
		set(&names[i], i + 1);
	set(&longer, 6);
	for (uint64_t i = 0; i < 5; i++)
		ck_assert_uint_eq(ino_of(&dir, &names[i]), i + 1);
	ck_assert_uint_eq(ino_of(&dir, &longer), 6);
	ck_assert_ptr_null(mvfs__dir_find(&dir, &absent));
	longer.len--;
	ck_assert_ptr_null(mvfs__dir_find(&dir, &longer));
	entry = mvfs__dir_find(&dir, &names[0]);
	ck_assert_uint_eq(entry->type, DT_REG);
	mvfs__dir_check(&dir, &seed);
}
END_TEST

START_TEST(test_equal_hash_alone_is_not_the_name)
{
	struct mvfs__name a = forged("abcdefgh", 77);
	struct mvfs__name same_length = forged("abcdefgx", 77);
	struct mvfs__name longer = forged("abcdefghi", 77);

	set(&a, 1);
	ck_assert_ptr_null(mvfs__dir_find(&dir, &same_length));
	ck_assert_ptr_null(mvfs__dir_find(&dir, &longer));
	ck_assert_int_eq(mvfs__dir_remove(&dir, &longer, &bin), -ENOENT);
	ck_assert_int_eq(mvfs__dir_own(&dir, &longer, &bin), -ENOENT);
}
END_TEST

START_TEST(test_names_of_one_hash_are_told_apart_by_any_byte)
{
	char there[41], other[41];

	memset(there, 'x', sizeof(there));
	for (size_t len = 1; len < sizeof(there); len++) {
		const struct mvfs__name name = { there, len, 1000 + len };

		set(&name, len);
		ck_assert_uint_eq(ino_of(&dir, &name), len);
		for (size_t at = 0; at < len; at++) {
			const struct mvfs__name not = { other, len,
							name.hash };

			memcpy(other, there, len);
			other[at] = 'y';
			ck_assert_ptr_null(mvfs__dir_find(&dir, &not));
		}
	}
}
END_TEST

START_TEST(test_name_is_not_looked_for_beyond_its_hash)
{
	struct mvfs__name a = forged("a", 77), b = forged("b", 78);
	struct mvfs__name b_at_77 = forged("b", 77);

	set(&a, 1);
	set(&b, 2);
	ck_assert_ptr_null(mvfs__dir_find(&dir, &b_at_77));
}
END_TEST

START_TEST(test_set_of_a_name_that_is_there_keeps_its_key)
{
	struct mvfs__name name = named("name");
	uint64_t first = set(&name, 10);
	uint64_t second = 0;

	mvfs__trie_share(&dir, &clone);
	ck_assert_int_eq(mvfs__dir_set(&dir, &name, 11, DT_DIR, &second, &bin),
			 0);
	ck_assert_uint_eq(first, second);
	ck_assert_uint_eq(dir.count, 1);
	ck_assert_uint_eq(ino_of(&dir, &name), 11);
	ck_assert_uint_eq(mvfs__dir_find(&dir, &name)->type, DT_DIR);
	ck_assert_uint_eq(ino_of(&clone, &name), 10);
}
END_TEST

START_TEST(test_four_names_of_equal_hash_fit_and_no_fifth)
{
	struct mvfs__name names[5] = { forged("a", 9), forged("b", 9),
				       forged("c", 9), forged("d", 9),
				       forged("e", 9) };
	struct mvfs__name before = forged("x", 8), after = forged("y", 10);
	uint64_t key = 12345;

	set(&before, 100);
	set(&after, 101);
	for (uint64_t i = 0; i < 4; i++)
		ck_assert_uint_eq(set(&names[i], i + 1), 9 * 4 + i);
	ck_assert_int_eq(
		mvfs__dir_set(&dir, &names[4], 5, DT_REG, &key, &bin), -ENOSPC);
	ck_assert_uint_eq(key, 12345);
	ck_assert_uint_eq(dir.count, 6);
	ck_assert_ptr_null(mvfs__dir_find(&dir, &names[4]));
	for (uint64_t i = 0; i < 4; i++)
		ck_assert_uint_eq(ino_of(&dir, &names[i]), i + 1);
	/* one of the four may still come to mean something else */
	ck_assert_uint_eq(set(&names[2], 33), 9 * 4 + 2);
	ck_assert_uint_eq(ino_of(&dir, &names[2]), 33);
	mvfs__dir_check(&dir, NULL);
}
END_TEST

START_TEST(test_name_of_equal_hash_takes_a_key_that_became_free)
{
	struct mvfs__name names[5] = { forged("a", 1), forged("b", 1),
				       forged("c", 1), forged("d", 1),
				       forged("e", 1) };

	for (uint64_t i = 0; i < 4; i++)
		ck_assert_uint_eq(set(&names[i], i + 1), 4 + i);
	ck_assert_int_eq(mvfs__dir_remove(&dir, &names[0], &bin), 0);
	ck_assert_int_eq(mvfs__dir_remove(&dir, &names[1], &bin), 0);
	/* a free key before it does not hide a name, nor give it a second */
	ck_assert_uint_eq(ino_of(&dir, &names[3]), 4);
	ck_assert_uint_eq(set(&names[3], 44), 7);
	ck_assert_uint_eq(dir.count, 2);
	ck_assert_uint_eq(set(&names[4], 5), 4);
	ck_assert_uint_eq(set(&names[0], 1), 5);
	ck_assert_uint_eq(dir.count, 4);
	mvfs__dir_check(&dir, NULL);
}
END_TEST

START_TEST(test_keys_are_cookies_after_those_of_dot_and_dot_dot)
{
	struct mvfs__name low = forged("low", 1);
	struct mvfs__name high = forged("high", (UINT64_C(1) << 61) - 1);

	ck_assert_ptr_null(mvfs__dir_after(&dir, 2));
	ck_assert_uint_eq(set(&low, 1), MVFS__KEY_FIRST);
	ck_assert_uint_le(set(&high, 2), (uint64_t)INT64_MAX);
	ck_assert_uint_eq(mvfs__dir_after(&dir, 2)->ino, 1);
	ck_assert_uint_eq(mvfs__dir_after(&dir, MVFS__KEY_FIRST)->ino, 2);
	ck_assert_ptr_null(mvfs__dir_after(&dir, (uint64_t)INT64_MAX));
	ck_assert_ptr_null(mvfs__dir_after(&dir, UINT64_MAX));
}
END_TEST

/* Names that stay are "s...", the others come and go. */
START_TEST(test_listing_has_each_name_that_stays_exactly_once)
{
	uint64_t state = seed_of_run();
	unsigned seen[300] = { 0 };
	uint64_t cookie = 2;
	char text[16];

	for (unsigned i = 0; i < 600; i++) {
		struct mvfs__name name;

		snprintf(text, sizeof(text), "%c%u", i % 2 ? 's' : 't', i / 2);
		name = named(text);
		set(&name, i / 2 + 1);
	}
	for (;;) {
		struct mvfs__entry *entry = mvfs__dir_after(&dir, cookie);
		struct mvfs__name name;

		if (!entry)
			break;
		ck_assert_uint_gt(entry->obj.key, cookie);
		cookie = entry->obj.key;
		if (entry->name[0] == 's')
			seen[entry->ino - 1]++;
		snprintf(text, sizeof(text), "t%u",
			 (unsigned)below(&state, 300));
		name = named(text);
		(void)mvfs__dir_remove(&dir, &name, &bin);
		snprintf(text, sizeof(text), "u%u",
			 (unsigned)below(&state, 300));
		name = named(text);
		set(&name, 1000);
		mvfs__bin_empty(&bin);
	}
	for (unsigned i = 0; i < 300; i++)
		ck_assert_uint_eq(seen[i], 1);
	mvfs__dir_check(&dir, &seed);
}
END_TEST

START_TEST(test_directory_can_be_emptied_while_it_is_listed)
{
	char text[16];
	uint64_t cookie = 2;
	unsigned removed = 0;
	struct mvfs__entry *entry;

	for (unsigned i = 0; i < 1000; i++) {
		struct mvfs__name name;

		snprintf(text, sizeof(text), "%u", i);
		name = named(text);
		set(&name, i + 1);
	}
	while ((entry = mvfs__dir_after(&dir, cookie))) {
		struct mvfs__name name;

		cookie = entry->obj.key;
		name = mvfs__name_make(&seed, entry->name, entry->len);
		ck_assert_int_eq(mvfs__dir_remove(&dir, &name, &bin), 0);
		mvfs__bin_empty(&bin);
		removed++;
	}
	ck_assert_uint_eq(removed, 1000);
	ck_assert_uint_eq(dir.count, 0);
}
END_TEST

/* An operation that replaces or removes a name late prepares all this. */
START_TEST(test_owned_name_is_put_and_removed_without_memory)
{
	char text[16];

	for (unsigned i = 0; i < 500; i++) {
		struct mvfs__name name;

		snprintf(text, sizeof(text), "%u", i);
		name = named(text);
		set(&name, i + 1);
	}
	mvfs__trie_share(&dir, &clone);
	for (unsigned i = 0; i < 500; i++) {
		struct mvfs__entry *entry;
		struct mvfs__name name;

		snprintf(text, sizeof(text), "%u", i);
		name = named(text);
		entry = mvfs__entry_new(&name, 7000 + i, DT_DIR);
		ck_assert_ptr_nonnull(entry);
		ck_assert_int_eq(mvfs__dir_own(&dir, &name, &bin), 0);
		mvfs__mem_thread.fail_failed = 0;
		mvfs__mem_fail_at(1);
		ck_assert_int_eq(mvfs__dir_put(&dir, &name, entry, &bin), 0);
		ck_assert_uint_eq(ino_of(&dir, &name), 7000 + i);
		ck_assert_int_eq(mvfs__dir_remove(&dir, &name, &bin), 0);
		ck_assert_uint_eq(mvfs__mem_thread.fail_failed, 0);
		mvfs__mem_fail_at(0);
		ck_assert_uint_eq(ino_of(&clone, &name), i + 1);
	}
	ck_assert_uint_eq(dir.count, 0);
	ck_assert_uint_eq(clone.count, 500);
}
END_TEST

START_TEST(test_set_without_memory_changes_nothing)
{
	struct mvfs__name there = named("there"), other = named("other");
	struct mvfs__name new = named("new");
	uint64_t key = 1;
	unsigned n = 0;
	int r;

	set(&there, 1);
	set(&other, 2);
	mvfs__trie_share(&dir, &clone);
	do {
		mvfs__mem_fail_at(++n);
		r = mvfs__dir_set(&dir, &new, 3, DT_REG, &key, &bin);
		mvfs__mem_fail_at(0);
		mvfs__bin_empty(&bin);
		mvfs__dir_check(&dir, &seed);
		ck_assert_uint_eq(ino_of(&dir, &there), 1);
		ck_assert_uint_eq(ino_of(&dir, &other), 2);
		ck_assert_uint_eq(ino_of(&dir, &new), r ? 0 : 3);
		ck_assert_uint_eq(dir.count, r ? 2 : 3);
		ck_assert_uint_eq(key == 1, r != 0);
	} while (r == -ENOMEM);
	ck_assert_int_eq(r, 0);
	ck_assert_uint_ge(n, 3); /* the entry and a node at least */
	mvfs__dir_check(&clone, &seed);
	ck_assert_uint_eq(clone.count, 2);
}
END_TEST

/* Few hashes and many names, so that names of one hash come and go. */
#define NAMES 60
#define HASHES 9

START_TEST(test_names_of_equal_hashes_against_a_table)
{
	uint64_t state = seed_of_run();
	uint64_t table[NAMES] = { 0 };
	uint64_t hashes[HASHES];
	unsigned used[HASHES] = { 0 }, full = 0;
	char texts[NAMES][8];
	unsigned steps = 5000 * long_factor();

	for (unsigned i = 0; i < HASHES; i++)
		hashes[i] = i < 5 ? 14 + i : rng(&state) >> 3;
	for (unsigned i = 0; i < NAMES; i++)
		snprintf(texts[i], sizeof(texts[i]), "n%u", i);
	for (unsigned n = 0; n < steps; n++) {
		unsigned i = (unsigned)below(&state, NAMES), h = i % HASHES;
		struct mvfs__name name = forged(texts[i], hashes[h]);
		uint64_t key;
		int r, want;

		if (below(&state, 2)) {
			want = !table[i] && used[h] == 4 ? -ENOSPC : 0;
			r = mvfs__dir_set(&dir, &name, n + 1, DT_REG, &key,
					  &bin);
			used[h] += !want && !table[i];
			full += want != 0;
			table[i] = want ? table[i] : n + 1;
		} else {
			want = table[i] ? 0 : -ENOENT;
			r = mvfs__dir_remove(&dir, &name, &bin);
			used[h] -= !want;
			table[i] = 0;
		}
		ck_assert_int_eq(r, want);
		mvfs__bin_empty(&bin);
		mvfs__dir_check(&dir, NULL);
		for (unsigned j = 0; j < NAMES; j++) {
			name = forged(texts[j], hashes[j % HASHES]);
			must(ino_of(&dir, &name) == table[j]);
		}
	}
	ck_assert_uint_gt(full, 10);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("dir");
	TCase *rules = tcase_create("rules");
	SRunner *runner;
	int failed;

	tcase_set_timeout(rules, 120);
	tcase_add_checked_fixture(rules, start, end);
	tcase_add_test(rules, test_siphash_is_that_of_the_paper);
	tcase_add_test(rules,
		       test_hash_has_61_bits_and_follows_from_seed_and_name);
	tcase_add_test(rules, test_name_is_found_by_all_its_bytes);
	tcase_add_test(rules, test_equal_hash_alone_is_not_the_name);
	tcase_add_test(rules,
		       test_names_of_one_hash_are_told_apart_by_any_byte);
	tcase_add_test(rules, test_name_is_not_looked_for_beyond_its_hash);
	tcase_add_test(rules, test_set_of_a_name_that_is_there_keeps_its_key);
	tcase_add_test(rules, test_four_names_of_equal_hash_fit_and_no_fifth);
	tcase_add_test(rules,
		       test_name_of_equal_hash_takes_a_key_that_became_free);
	tcase_add_test(rules,
		       test_keys_are_cookies_after_those_of_dot_and_dot_dot);
	tcase_add_test(rules,
		       test_listing_has_each_name_that_stays_exactly_once);
	tcase_add_test(rules,
		       test_directory_can_be_emptied_while_it_is_listed);
	tcase_add_test(rules,
		       test_owned_name_is_put_and_removed_without_memory);
	tcase_add_test(rules, test_set_without_memory_changes_nothing);
	tcase_add_test(rules, test_names_of_equal_hashes_against_a_table);
	suite_add_tcase(suite, rules);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
