/* SPDX-License-Identifier: MIT */
/* What holds of every directory, asserted, in all builds: it is for tests. */
#include "config.h"

#undef NDEBUG
#include "vfs/dir/dir.h"

#include <string.h>

static void check_entry(const struct mvfs__entry *entry,
			const struct mvfs__seed *seed)
{
	struct mvfs__name name;

	assert(entry->obj.key >= MVFS__KEY_FIRST);
	assert(entry->obj.key <= (uint64_t)INT64_MAX);
	assert(entry->len > 0);
	assert(!memchr(entry->name, '/', entry->len));
	assert(!memchr(entry->name, '\0', entry->len));
	if (!seed)
		return;
	name = mvfs__name_make(seed, entry->name, entry->len);
	assert(entry->obj.key / MVFS__SAME_HASH == name.hash);
}

void mvfs__dir_check(const struct mvfs__trie *dir,
		     const struct mvfs__seed *seed)
{
	struct mvfs__entry *entry = mvfs__dir_after(dir, 2);
	uint64_t names = 0;

	mvfs__trie_check(dir);
	for (; entry; entry = mvfs__dir_after(dir, entry->obj.key), names++) {
		uint64_t hash = entry->obj.key / MVFS__SAME_HASH;
		struct mvfs__name name = { entry->name, entry->len, hash };

		check_entry(entry, seed);
		assert(mvfs__dir_find(dir, &name) == entry);
	}
	assert(names == dir->count);
}
