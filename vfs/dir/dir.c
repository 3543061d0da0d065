/* SPDX-License-Identifier: MIT */
/*
 * Directories: see dir.h. A name is looked up by its hash alone; the name is
 * compared once, with the entry found. Names of equal hash, if ever there
 * are any, are neighbours in the trie.
 */
#include "config.h"

#include "vfs/dir/dir.h"

#include <errno.h>
#include <string.h>

#include "vfs/mem/slab.h"

static struct mvfs__entry *entry_of(struct mvfs__obj *obj)
{
	assert(!obj || obj->kind == MVFS__ENTRY);
	return (struct mvfs__entry *)obj;
}

/* memcmp would be a third of a lookup; the loads overlap at the end. */
static inline bool is_same(const char *a, const char *b, size_t len)
{
	if (mvfs__likely(len >= 8)) {
		size_t i = 0;

		for (; i + 8 < len; i += 8)
			if (mvfs__load64(a + i) != mvfs__load64(b + i))
				return false;
		return mvfs__load64(a + len - 8) == mvfs__load64(b + len - 8);
	}
	if (len >= 4)
		return mvfs__load32(a) == mvfs__load32(b) &&
		       mvfs__load32(a + len - 4) == mvfs__load32(b + len - 4);
	return a[0] == b[0] && a[len / 2] == b[len / 2] &&
	       a[len - 1] == b[len - 1];
}

static inline bool is_named(const struct mvfs__entry *entry,
			    const struct mvfs__name *name)
{
	return entry->len == name->len &&
	       is_same(entry->name, name->bytes, name->len);
}

/*
 * Finds the name, or the key that it would get: the smallest free one of
 * its hash. -ENOSPC if there is neither.
 */
static int find_place(const struct mvfs__trie *dir,
		      const struct mvfs__name *name, uint64_t *key)
{
	uint64_t first = name->hash * MVFS__SAME_HASH;
	uint64_t free_key = 0;
	struct mvfs__obj *found = mvfs__trie_get4(dir, first);

	if (!found) {
		*key = first;
		return 0;
	}
	for (uint64_t k = first; k < first + MVFS__SAME_HASH; k++) {
		found = mvfs__trie_get(dir, k);
		if (!found && !free_key)
			free_key = k;
		if (found && is_named(entry_of(found), name)) {
			*key = k;
			return 0;
		}
	}
	*key = free_key;
	return free_key ? 0 : -ENOSPC;
}

struct mvfs__name mvfs__name_make(const struct mvfs__seed *seed,
				  const char *bytes, size_t len)
{
	uint64_t hash = mvfs__siphash13(seed, bytes, len) >> 3;

	assert(len > 0 && len <= MVFS__NAME_MAX);
	return (struct mvfs__name){ bytes, len, hash ? hash : 1 };
}

struct mvfs__entry *mvfs__dir_find(const struct mvfs__trie *dir,
				   const struct mvfs__name *name)
{
	uint64_t first = name->hash * MVFS__SAME_HASH;
	struct mvfs__entry *entry = entry_of(mvfs__trie_get4(dir, first));

	assert(first >= MVFS__KEY_FIRST);
	while (mvfs__unlikely(entry && !is_named(entry, name))) {
		entry = entry_of(mvfs__trie_next(dir, entry->obj.key + 1));
		if (entry && entry->obj.key >= first + MVFS__SAME_HASH)
			return NULL;
	}
	return entry;
}

static size_t entry_size(size_t len)
{
	size_t size = offsetof(struct mvfs__entry, name) + len;

	return size < sizeof(struct mvfs__entry) ?
	       sizeof(struct mvfs__entry) : size;
}

static void entry_end(struct mvfs__entry *entry)
{
	mvfs__slab_free(entry, entry_size(entry->len));
}

struct mvfs__entry *mvfs__entry_new(const struct mvfs__name *name,
				    uint64_t ino, unsigned type)
{
	size_t size = entry_size(name->len);
	struct mvfs__entry *entry;

	assert(name->len > 0 && name->len <= MVFS__NAME_MAX);
	assert(type <= UINT8_MAX);
	entry = mvfs__slab_alloc(size);
	if (!entry)
		return NULL;
	mvfs__obj_init(&entry->obj, MVFS__ENTRY);
	entry->ino = ino;
	entry->type = (uint8_t)type;
	entry->len = (uint8_t)name->len;
	memcpy(entry->name, name->bytes, name->len);
	return entry;
}

int mvfs__dir_put(struct mvfs__trie *dir, const struct mvfs__name *name,
		  struct mvfs__entry *entry, struct mvfs__bin *bin)
{
	uint64_t key;
	int r = find_place(dir, name, &key);

	assert(is_named(entry, name));
	if (r)
		return r;
	entry->obj.key = key;
	return mvfs__trie_put(dir, &entry->obj, bin);
}

int mvfs__dir_set(struct mvfs__trie *dir, const struct mvfs__name *name,
		  uint64_t ino, unsigned type, uint64_t *key,
		  struct mvfs__bin *bin)
{
	struct mvfs__entry *entry = mvfs__entry_new(name, ino, type);
	int r;

	if (!entry)
		return -ENOMEM;
	r = mvfs__dir_put(dir, name, entry, bin);
	if (r)
		entry_end(entry);
	else
		*key = entry->obj.key;
	return r;
}

int mvfs__dir_own(struct mvfs__trie *dir, const struct mvfs__name *name,
		  struct mvfs__bin *bin)
{
	struct mvfs__entry *entry = mvfs__dir_find(dir, name);
	struct mvfs__obj *value;

	if (!entry)
		return -ENOENT;
	return mvfs__trie_own(dir, entry->obj.key, &value, bin);
}

int mvfs__dir_remove(struct mvfs__trie *dir, const struct mvfs__name *name,
		     struct mvfs__bin *bin)
{
	struct mvfs__entry *entry = mvfs__dir_find(dir, name);

	if (!entry)
		return -ENOENT;
	return mvfs__trie_remove(dir, entry->obj.key, bin);
}

struct mvfs__entry *mvfs__dir_after(const struct mvfs__trie *dir,
				    uint64_t cookie)
{
	if (cookie == UINT64_MAX)
		return NULL;
	return entry_of(mvfs__trie_next(dir, cookie + 1));
}

void mvfs__entry_free(struct mvfs__obj *obj, struct mvfs__bin *bin)
{
	(void)bin;
	entry_end(entry_of(obj));
}
