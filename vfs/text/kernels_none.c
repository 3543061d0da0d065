/* SPDX-License-Identifier: MIT */
/* A processor for which there are no vector kernels. */
#include "config.h"

#include "vfs/text/kernels.h"

const struct mvfs__kernels *const mvfs__kernels_vector[] = { NULL };

bool mvfs__kernels_usable(const struct mvfs__kernels *k)
{
	(void)k;
	return false;
}
