/* SPDX-License-Identifier: MIT */
/* What the tables of kernels have, for the tests that go through all of it. */
#ifndef TESTS_KERNEL_ENTRIES_H
#define TESTS_KERNEL_ENTRIES_H

#include <stddef.h>

#include "vfs/text/kernels.h"

/* No conversion makes more of a byte. */
#define GROWTH 3

/* Of struct mvfs__kernels, by the place in it. */
struct kernel_entry {
	const char *name;
	size_t entry;
};

static const struct kernel_entry conversions[] = {
	{ "latin1_decode", offsetof(struct mvfs__kernels, latin1_decode) },
	{ "latin1_encode", offsetof(struct mvfs__kernels, latin1_encode) },
	{ "gbk_decode", offsetof(struct mvfs__kernels, gbk_decode) },
	{ "utf16le_decode", offsetof(struct mvfs__kernels, utf16le_decode) },
	{ "utf16be_decode", offsetof(struct mvfs__kernels, utf16be_decode) },
	{ "utf16le_encode", offsetof(struct mvfs__kernels, utf16le_encode) },
	{ "utf16be_encode", offsetof(struct mvfs__kernels, utf16be_encode) },
};

#define CONVERSIONS (sizeof(conversions) / sizeof(*conversions))

#endif
