/* SPDX-License-Identifier: MIT */
/*
 * Choosing the kernels.
 *
 * The choice is a per-process constant that is found at the first use: a
 * constructor would run in programs that never read a text, and ifuncs run
 * before the sanitizers and before the environment is there.
 */
#include "config.h"

#include "vfs/text/kernels.h"

#include <stdlib.h>
#include <string.h>

const struct mvfs__kernels *_Atomic mvfs__kernels_chosen;

const char *const mvfs__kernels_names[] = {
	"avx512", "avx2", "sse", "neon", "portable", NULL
};

const struct mvfs__kernels *mvfs__kernels_named(const char *name)
{
	size_t i;

	for (i = 0; mvfs__kernels_vector[i]; i++)
		if (strcmp(name, mvfs__kernels_vector[i]->name) == 0 &&
		    mvfs__kernels_usable(mvfs__kernels_vector[i]))
			return mvfs__kernels_vector[i];
	if (strcmp(name, mvfs__kernels_portable.name) == 0)
		return &mvfs__kernels_portable;
	return NULL;
}

static const struct mvfs__kernels *best(void)
{
	size_t i;

	for (i = 0; mvfs__kernels_vector[i]; i++)
		if (mvfs__kernels_usable(mvfs__kernels_vector[i]))
			return mvfs__kernels_vector[i];
	return &mvfs__kernels_portable;
}

const struct mvfs__kernels *mvfs__kernels_choose(void)
{
	const char *name = secure_getenv("MVFS_CPU");
	const struct mvfs__kernels *k = NULL;

	if (name)
		k = mvfs__kernels_named(name);
	if (!k)
		k = best();
	/* several threads may come here, and find the same */
	atomic_store_explicit(&mvfs__kernels_chosen, k, memory_order_release);
	return k;
}
