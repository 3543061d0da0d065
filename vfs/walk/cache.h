/* SPDX-License-Identifier: MIT */
/*
 * What a thread looked up last: (directory, hash of a name) -> entry and
 * node, valid for one generation of a table. Generations are unique in the
 * process and compared, under the lock, before a cached pointer is followed,
 * so a slot of a tree that changed or ended can never be believed.
 */
#ifndef MVFS__CACHE_H
#define MVFS__CACHE_H

#include "vfs/node/table.h"

/* Entry and node of the name in the directory; false: there is none. */
bool mvfs__cache_lookup(const struct mvfs__table *table,
			const struct mvfs__node *dir,
			const struct mvfs__name *name,
			struct mvfs__entry **entry, struct mvfs__node **node);

#endif
