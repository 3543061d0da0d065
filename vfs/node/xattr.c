/* SPDX-License-Identifier: MIT */
/* The packed list of extended attributes: see xattr.h. */
#include "config.h"

#include "vfs/node/xattr.h"

#include <errno.h>
#include <string.h>

#include "vfs/mem/mem.h"

#define HEAD 5u /* of a record: the two lengths */

struct xattrs {
	struct mvfs__obj obj; /* MVFS__XATTRS */
	size_t size;          /* of bytes */
	uint8_t bytes[];
};

/* One record of the list. */
struct record {
	const char *name;
	size_t name_len;
	const uint8_t *value;
	uint32_t size;
	size_t end; /* offset behind it */
};

static const struct xattrs *list_of(const struct mvfs__obj *list)
{
	assert(!list || list->kind == MVFS__XATTRS);
	return (const struct xattrs *)list;
}

static struct record record_at(const struct xattrs *x, size_t at)
{
	const uint8_t *p = x->bytes + at;
	struct record r;

	memcpy(&r.size, p, sizeof(r.size));
	r.name_len = p[4];
	r.name = (const char *)p + HEAD;
	r.value = p + HEAD + r.name_len + 1;
	r.end = at + HEAD + r.name_len + 1 + r.size;
	assert(r.end <= x->size);
	return r;
}

/* The record of that name and where it begins; false: none. */
static bool find(const struct xattrs *x, const char *name, struct record *r,
		 size_t *at)
{
	size_t i;

	for (i = 0; x && i < x->size; i = r->end) {
		*r = record_at(x, i);
		if (!strcmp(r->name, name)) {
			*at = i;
			return true;
		}
	}
	return false;
}

int64_t mvfs__xattr_get(const struct mvfs__obj *list, const char *name,
			const void **value)
{
	struct record r;
	size_t at;

	if (!find(list_of(list), name, &r, &at))
		return -ENODATA;
	*value = r.value;
	return r.size;
}

static uint8_t *put_record(uint8_t *p, const char *name, size_t name_len,
			   const void *value, uint32_t size)
{
	memcpy(p, &size, sizeof(size));
	p[4] = (uint8_t)name_len;
	memcpy(p + HEAD, name, name_len + 1);
	p += HEAD + name_len + 1;
	if (size)
		memcpy(p, value, size);
	return p + size;
}

static struct xattrs *new_list(size_t size)
{
	struct xattrs *x = mvfs__malloc(sizeof(*x) + size);

	if (x) {
		mvfs__obj_init(&x->obj, MVFS__XATTRS);
		x->size = size;
	}
	return x;
}

int mvfs__xattr_set(const struct mvfs__obj *list, const char *name,
		    const void *value, size_t size, struct mvfs__obj **out)
{
	const struct xattrs *old = list_of(list);
	size_t name_len = strlen(name);
	size_t old_size = old ? old->size : 0;
	size_t at = old_size, end = old_size;
	struct xattrs *x;
	struct record r;
	uint8_t *p;

	assert(name_len > 0 && name_len <= 255);
	assert(size <= MVFS__XATTR_SIZE_MAX);
	if (find(old, name, &r, &at))
		end = r.end;
	x = new_list(old_size - (end - at) + HEAD + name_len + 1 + size);
	if (!x)
		return -ENOMEM;
	if (at)
		memcpy(x->bytes, old->bytes, at);
	p = put_record(x->bytes + at, name, name_len, value, (uint32_t)size);
	if (end < old_size)
		memcpy(p, old->bytes + end, old_size - end);
	*out = &x->obj;
	return 0;
}

int mvfs__xattr_remove(const struct mvfs__obj *list, const char *name,
		       struct mvfs__obj **out)
{
	const struct xattrs *old = list_of(list);
	struct xattrs *x;
	struct record r;
	size_t at;

	if (!find(old, name, &r, &at))
		return -ENODATA;
	if (r.end - at == old->size) {
		*out = NULL;
		return 0;
	}
	x = new_list(old->size - (r.end - at));
	if (!x)
		return -ENOMEM;
	memcpy(x->bytes, old->bytes, at);
	memcpy(x->bytes + at, old->bytes + r.end, old->size - r.end);
	*out = &x->obj;
	return 0;
}

void mvfs__xattr_each(const struct mvfs__obj *list, mvfs__xattr_fn *fn,
		      void *arg)
{
	const struct xattrs *x = list_of(list);
	struct record r;
	size_t i;

	for (i = 0; x && i < x->size; i = r.end) {
		r = record_at(x, i);
		fn(arg, r.name, r.name_len);
	}
}
