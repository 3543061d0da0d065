/* SPDX-License-Identifier: MIT */
/*
 * Extended attributes of a node: an immutable packed list, made anew by each
 * change, so that nodes share it freely. Files have few and small ones; what
 * a change costs is their sum, at most what one attribute may hold times
 * their number.
 *
 *     [u32 value length][u8 name length][name][0][value] ...
 */
#ifndef MVFS__XATTR_H
#define MVFS__XATTR_H

#include "vfs/base/obj.h"

#define MVFS__XATTR_SIZE_MAX 65536u
#define MVFS__XATTR_LIST_MAX 65536u

/* The value's length, and where it is (borrowed); -ENODATA. */
int64_t mvfs__xattr_get(const struct mvfs__obj *list, const char *name,
			const void **value);

/*
 * A new list with the attribute set, or without it (value NULL and `remove`).
 * NULL in *out: the list is empty. -ENOMEM.
 */
int mvfs__xattr_set(const struct mvfs__obj *list, const char *name,
		    const void *value, size_t size, struct mvfs__obj **out);
int mvfs__xattr_remove(const struct mvfs__obj *list, const char *name,
		       struct mvfs__obj **out);

/* Calls fn for each name, terminated, in the order they were set. */
typedef void mvfs__xattr_fn(void *arg, const char *name, size_t len);
void mvfs__xattr_each(const struct mvfs__obj *list, mvfs__xattr_fn *fn,
		      void *arg);

#endif
