/* SPDX-License-Identifier: MIT */
/* The vector kernels of 64-bit ARM, which always has NEON. */
#include "config.h"

#include "vfs/text/vector.h"

const struct mvfs__kernels *const mvfs__kernels_vector[] = {
	&mvfs__kernels_neon,
	NULL
};

bool mvfs__kernels_usable(const struct mvfs__kernels *k)
{
	assert(k == &mvfs__kernels_neon);
	(void)k;
	return true;
}
