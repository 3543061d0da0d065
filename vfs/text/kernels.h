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

#include "vfs/base/base.h"

/* How many bytes behind what it made a kernel may overwrite. */
#define MVFS__TEXT_SLACK 8

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
};

/* The best for this machine. */
const struct mvfs__kernels *mvfs__kernels(void);

/* By name; NULL if this machine or this build has none such. */
const struct mvfs__kernels *mvfs__kernels_named(const char *name);

/* The names, best first, ending with NULL; this machine may lack some. */
extern const char *const mvfs__kernels_names[];

extern const struct mvfs__kernels mvfs__kernels_portable;

#endif
