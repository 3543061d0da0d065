/* SPDX-License-Identifier: MIT */
/* What a line of mtree(5) says of a node, for building and for comparing. */
#ifndef MVFS__SPEC_H
#define MVFS__SPEC_H

#include "vfs/fs/still.h"
#include "vfs/mtree/mtree.h"

static inline bool mvfs__spec_has(const struct mvfs__spec *spec, unsigned keys)
{
	return spec->has & keys;
}

/* Whether it says what is in a file; with a size alone that is zeros. */
static inline bool mvfs__spec_has_bytes(const struct mvfs__spec *spec)
{
	return mvfs__spec_has(spec, MVFS__KEY_DATA | MVFS__KEY_FILL);
}

/* The size of the file; 0 where nothing is said. */
static inline uint64_t mvfs__spec_size(const struct mvfs__spec *spec)
{
	return mvfs__spec_has(spec, MVFS__KEY_SIZE) ? spec->size :
						      spec->data_len;
}

/*
 * What is in the file: the data or the fill, and zeros, as a hole, up to the
 * size. `content` is initialised. 0 or -ENOMEM.
 */
int mvfs__spec_content(const struct mvfs__mtree *tree,
		       const struct mvfs__spec *spec,
		       struct mvfs__content *content, struct mvfs__bin *bin);

#endif
