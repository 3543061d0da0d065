/* SPDX-License-Identifier: MIT */
/*
 * The inner loops over text, as tables of functions: one table for each kind
 * of processor, all with the same results to the byte. The best that this
 * machine has is chosen at run time; tests ask for each by its name.
 *
 * Kernels never read outside [bytes, bytes + length): the text may be the
 * caller's own memory, ending at the end of a page.
 */
#ifndef MVFS__KERNELS_H
#define MVFS__KERNELS_H

#include <stdatomic.h>

#include "vfs/base/base.h"

/* How many bytes behind what it made a kernel may overwrite. */
#define MVFS__TEXT_SLACK 64

/* A conversion under way: `from` and `to` move on. */
struct mvfs__session;
struct mvfs__convert {
	const uint8_t *from, *end;
	uint8_t *to;
	/* of charsets with a session (see charset.h), not for kernels */
	const uint8_t *to_end;
	struct mvfs__session *session;
};

/*
 * Converts, from the start of a character on, up to the end or up to the
 * first character that the table has no answer for, which the charset looks
 * at by itself: a flaw, or a rare one that the entry names. `to` has room for
 * what the charset's room_*() told and for MVFS__TEXT_SLACK more; no overlap.
 */
typedef void mvfs__stretch_fn(struct mvfs__convert *c);

struct mvfs__kernels {
	const char *name;

	/* How many leading bytes are below 0x80. */
	size_t (*ascii)(const uint8_t *bytes, size_t length);

	/*
	 * How many leading bytes are well-formed UTF-8, which ends at the end
	 * of a character. The text begins at the start of one.
	 */
	size_t (*utf8)(const uint8_t *bytes, size_t length);

	/*
	 * Moves the leading bytes below 0x80, and tells how many. `to` has
	 * room for `length` and MVFS__TEXT_SLACK more; no overlap.
	 */
	size_t (*copy_ascii)(uint8_t *to, const uint8_t *from, size_t length);

	/* How many bytes are 0x80 or above. */
	size_t (*count_high)(const uint8_t *bytes, size_t length);

	/*
	 * Turns numbers of `width` bytes (2, 4 or 8) round, all `length` bytes
	 * of them. No overlap; what `to` has behind them stays.
	 */
	void (*swap)(uint8_t *to, const uint8_t *from, size_t length,
		     unsigned width);

	/*
	 * Which bytes are CR or LF, as a bit each: that of the byte i is
	 * bits[i / 64] >> i % 64. What is left of the last word is 0.
	 */
	void (*line_bits)(const uint8_t *bytes, size_t length, uint64_t *bits);

	/* ISO-8859-1 to UTF-8: all of it. */
	mvfs__stretch_fn *latin1_decode;

	/* UTF-8 to ISO-8859-1, up to the first above U+00FF or a flaw. */
	mvfs__stretch_fn *latin1_encode;

	/* GBK to UTF-8, up to the first that is neither ASCII nor a pair of
	 * bytes with a character: so also up to the single byte 80. */
	mvfs__stretch_fn *gbk_decode;

	/*
	 * UTF-16 to UTF-8, up to a surrogate that is not one of a pair (also:
	 * a high one at the end), or a single byte at the end.
	 */
	mvfs__stretch_fn *utf16le_decode, *utf16be_decode;

	/*
	 * The length of UTF-16 in UTF-8. A surrogate counts 2, paired or not,
	 * so that no unit depends on another; a single byte at the end 0.
	 */
	size_t (*utf16le_length)(const uint8_t *bytes, size_t length);
	size_t (*utf16be_length)(const uint8_t *bytes, size_t length);

	/* UTF-8 to UTF-16, up to a flaw. */
	mvfs__stretch_fn *utf16le_encode, *utf16be_encode;
};

/*
 * The best for this machine, or the one that the environment's MVFS_CPU names
 * (where this machine has it); chosen at the first call, for good.
 */
extern const struct mvfs__kernels *_Atomic mvfs__kernels_chosen;
const struct mvfs__kernels *mvfs__kernels_choose(void);

static inline const struct mvfs__kernels *mvfs__kernels(void)
{
	const struct mvfs__kernels *k = atomic_load_explicit(
		&mvfs__kernels_chosen, memory_order_acquire);

	return mvfs__likely(k != NULL) ? k : mvfs__kernels_choose();
}

/* By name; NULL if this machine or this build has none such. */
const struct mvfs__kernels *mvfs__kernels_named(const char *name);

/* The names, best first, ending with NULL; this machine may lack some. */
extern const char *const mvfs__kernels_names[];

/* The reference for all others. */
extern const struct mvfs__kernels mvfs__kernels_portable;

/*
 * What this kind of processor can have, best first, ending with NULL, and
 * whether this one has it: kernels_x86.c, kernels_arm.c or kernels_none.c.
 */
extern const struct mvfs__kernels *const mvfs__kernels_vector[];
bool mvfs__kernels_usable(const struct mvfs__kernels *k);

/* In portable C: for tables that have nothing better, and for the ends. */
size_t mvfs__portable_ascii(const uint8_t *bytes, size_t length);
size_t mvfs__portable_utf8(const uint8_t *bytes, size_t length);
size_t mvfs__portable_copy_ascii(uint8_t *to, const uint8_t *from,
				 size_t length);
size_t mvfs__portable_count_high(const uint8_t *bytes, size_t length);
void mvfs__portable_line_bits(const uint8_t *bytes, size_t length,
			      uint64_t *bits);

/*
 * The result of utf8() where all before `from` is known to be well-formed,
 * but for a character that may begin there and go on at `from`.
 */
size_t mvfs__portable_utf8_from(const uint8_t *bytes, size_t length,
				size_t from);

void mvfs__portable_swap(uint8_t *to, const uint8_t *from, size_t length,
			 unsigned width);
mvfs__stretch_fn mvfs__portable_latin1_decode, mvfs__portable_latin1_encode;
mvfs__stretch_fn mvfs__portable_gbk_decode;
mvfs__stretch_fn mvfs__portable_utf16le_decode, mvfs__portable_utf16be_decode;
mvfs__stretch_fn mvfs__portable_utf16le_encode, mvfs__portable_utf16be_encode;
size_t mvfs__portable_utf16le_length(const uint8_t *bytes, size_t length);
size_t mvfs__portable_utf16be_length(const uint8_t *bytes, size_t length);

#endif
