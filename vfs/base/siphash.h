/* SPDX-License-Identifier: MIT */
/* The one hash of bytes that others may choose. */
#ifndef MVFS__SIPHASH_H
#define MVFS__SIPHASH_H

#include "vfs/base/base.h"

/* The 128-bit key of the hash. */
struct mvfs__seed {
	uint64_t k0, k1;
};

/* SipHash-1-3 (Aumasson and Bernstein, 2012) of `len` bytes. */
uint64_t mvfs__siphash13(const struct mvfs__seed *seed, const void *bytes,
			 size_t len);

#endif
