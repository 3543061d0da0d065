/* SPDX-License-Identifier: MIT */
/*
 * A fuzz target: each kernel of each table that this machine has, against the
 * portable one. It is here and not in fuzz/, for it sees the inside: through
 * the public calls a kernel shows only with what is around it, only the one
 * table that a process has chosen, and not how far it reads and writes.
 *
 * The text ends, and the target ends with the slack, where memory does; the
 * first byte of the input may say that it ends before, anywhere in 64.
 */
#include "config.h"

#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "tests/kernel_entries.h"

static const struct kernel_entry counts[] = {
	{ "ascii", offsetof(struct mvfs__kernels, ascii) },
	{ "utf8", offsetof(struct mvfs__kernels, utf8) },
	{ "count_high", offsetof(struct mvfs__kernels, count_high) },
	{ "utf16le_length", offsetof(struct mvfs__kernels, utf16le_length) },
	{ "utf16be_length", offsetof(struct mvfs__kernels, utf16be_length) },
};

typedef size_t count_fn(const uint8_t *bytes, size_t length);

/* Where memory ends, with `size` bytes or more before that. */
static uint8_t *end_of_memory(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *p;

	size = (size + page - 1) / page * page;
	p = mmap(NULL, size + page, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	hold(p != MAP_FAILED, "mmap");
	hold(mprotect(p + size, page, PROT_NONE) == 0, "mprotect");
	return p + size;
}

static const void *entry_of(const struct mvfs__kernels *k, size_t entry)
{
	return (const char *)k + entry;
}

static void check_conversion(const struct mvfs__kernels *k, size_t i,
			     const uint8_t *text, size_t length,
			     uint8_t *target_end)
{
	static uint8_t expected[GROWTH * FUZZ_MAX + MVFS__TEXT_SLACK];
	struct mvfs__convert model = { text, text + length, expected }, c;
	mvfs__stretch_fn *portable, *fn;
	uint8_t *to;
	size_t made;

	memcpy(&portable, entry_of(&mvfs__kernels_portable,
				   conversions[i].entry), sizeof(portable));
	memcpy(&fn, entry_of(k, conversions[i].entry), sizeof(fn));
	if (fn == portable)
		return;
	portable(&model);
	made = (size_t)(model.to - expected);
	to = target_end - made - MVFS__TEXT_SLACK;
	to[-1] = 0xee;
	c = (struct mvfs__convert){ text, text + length, to };
	fn(&c);
	hold(c.from == model.from, "%s: %s stops at %td, not %td", k->name,
	     conversions[i].name, c.from - text, model.from - text);
	hold(c.to == to + made && !memcmp(to, expected, made),
	     "%s: %s makes something else", k->name, conversions[i].name);
	hold(to[-1] == 0xee, "%s: %s writes before the target", k->name,
	     conversions[i].name);
}

static void check_line_bits(const struct mvfs__kernels *k,
			    const uint8_t *text, size_t length)
{
	static uint64_t want[FUZZ_MAX / 64 + 2], got[FUZZ_MAX / 64 + 2];
	size_t words = (length + 63) / 64;

	mvfs__portable_line_bits(text, length, want);
	got[words] = 0xee;
	k->line_bits(text, length, got);
	hold(!memcmp(got, want, words * sizeof(*got)),
	     "%s: line_bits are others", k->name);
	hold(got[words] == 0xee, "%s: line_bits makes more", k->name);
}

static void check_counts(const struct mvfs__kernels *k, const uint8_t *text,
			 size_t length, uint8_t *target_end)
{
	uint8_t *to = target_end - length - MVFS__TEXT_SLACK;
	count_fn *portable, *fn;
	size_t i, want, got;

	for (i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		memcpy(&portable, entry_of(&mvfs__kernels_portable,
					   counts[i].entry),
		       sizeof(portable));
		memcpy(&fn, entry_of(k, counts[i].entry), sizeof(fn));
		want = portable(text, length);
		got = fn(text, length);
		hold(got == want, "%s: %s is %zu, not %zu", k->name,
		     counts[i].name, got, want);
	}
	want = mvfs__portable_ascii(text, length);
	got = k->copy_ascii(to, text, length);
	hold(got == want && !memcmp(to, text, want),
	     "%s: copy_ascii moves %zu, not %zu", k->name, got, want);
	check_line_bits(k, text, length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t *text_end, *target_end;
	struct fuzz_input in = { data, size < FUZZ_MAX ? size : FUZZ_MAX };
	const struct mvfs__kernels *k;
	uint8_t *text;
	size_t before = fuzz_byte(&in), i, j;

	if (!text_end) {
		text_end = end_of_memory(FUZZ_MAX + 64);
		target_end = end_of_memory(GROWTH * FUZZ_MAX +
					   MVFS__TEXT_SLACK + 1);
	}
	text = text_end - in.left - (before < 64 ? before : 0);
	if (in.left)
		memcpy(text, in.at, in.left);
	for (i = 0; mvfs__kernels_vector[i]; i++) {
		k = mvfs__kernels_vector[i];
		if (!mvfs__kernels_usable(k))
			continue;
		check_counts(k, text, in.left, target_end);
		for (j = 0; j < CONVERSIONS;
		     j++)
			check_conversion(k, j, text, in.left, target_end);
	}
	return 0;
}
