/* SPDX-License-Identifier: MIT */
/* Choosing the kernels: so far there is only the portable table. */
#include "config.h"

#include "vfs/text/kernels.h"

#include <string.h>

const char *const mvfs__kernels_names[] = { "portable", NULL };

const struct mvfs__kernels *mvfs__kernels(void)
{
	return &mvfs__kernels_portable;
}

const struct mvfs__kernels *mvfs__kernels_named(const char *name)
{
	if (strcmp(name, mvfs__kernels_portable.name) == 0)
		return &mvfs__kernels_portable;
	return NULL;
}
