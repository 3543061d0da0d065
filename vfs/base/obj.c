/* SPDX-License-Identifier: MIT */
/* Ending values: see obj.h for why this is a loop. */
#include "config.h"

#include "vfs/base/obj.h"

void mvfs__bin_empty(struct mvfs__bin *bin)
{
	struct mvfs__obj *obj;

	while ((obj = bin->head)) {
		bin->head = obj->next;
		assert(obj->kind < MVFS__KINDS);
		mvfs__obj_free[obj->kind](obj, bin);
	}
}
