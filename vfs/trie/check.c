/* SPDX-License-Identifier: MIT */
/* The invariants of node.h, asserted, in all builds: it is for tests. */
#include "config.h"

#undef NDEBUG
#include "vfs/trie/trie.h"

#include "vfs/trie/node.h"

static uint64_t check_value(const struct mvfs__obj *value, uint64_t prefix,
			    unsigned level)
{
	assert(atomic_load(&((struct mvfs__obj *)(uintptr_t)value)->refs) > 0);
	assert(value->kind < MVFS__KINDS && value->kind != MVFS__TRIE);
	assert(level == LEVELS || value->key >> (level * DIGIT_BITS) == prefix);
	return 1;
}

/*
 * The number of keys below a slot whose keys all have `prefix` as what is
 * above the lowest `height` digits. Recursion ends by the number of levels.
 */
static uint64_t check_slot(uintptr_t slot, uint64_t prefix, unsigned height)
{
	struct node *node;
	uint64_t map, keys = 0;
	unsigned n = 0;

	if (is_value(slot))
		return check_value(value_of(slot), prefix, height);
	node = node_of(slot);
	map = node->obj.key;
	assert(height > 0);
	assert(node->obj.kind == MVFS__TRIE);
	assert(atomic_load(&node->obj.refs) > 0);
	assert(node->obj.small <= DIGITS);
	for (; map; map &= map - 1, n++) {
		unsigned digit = (unsigned)__builtin_ctzll(map);

		assert(n < node->obj.flags);
		assert(index_of(node->obj.key, digit) == n);
		keys += check_slot(node->kids[n], prefix << DIGIT_BITS | digit,
				   height - 1);
	}
	assert(n == node->obj.flags && n <= node->obj.small);
	assert(keys >= 2);
	return keys;
}

void mvfs__trie_check(const struct mvfs__trie *trie)
{
	uint64_t keys = 0;

	assert(trie->height <= LEVELS);
	assert((trie->height > 0) == (trie->root && !is_value(trie->root)));
	assert(!trie->height || node_of(trie->root)->obj.key != 1);
	if (trie->root)
		keys = check_slot(trie->root, 0,
				  trie->height ? trie->height : LEVELS);
	assert(keys == trie->count);
}
