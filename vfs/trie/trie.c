/* SPDX-License-Identifier: MIT */
/* The trie as a whole, and reading it. Nothing here allocates. */
#include "config.h"

#include "vfs/trie/trie.h"

#include "vfs/mem/mem.h"
#include "vfs/trie/node.h"

#define AHEAD 5 /* values that are on their way when the first is wanted */

/* The value of the smallest key in a subtree. */
static struct mvfs__obj *leftmost(uintptr_t slot)
{
	while (!is_value(slot))
		slot = node_of(slot)->kids[0];
	return value_of(slot);
}

static struct mvfs__obj *rightmost(uintptr_t slot)
{
	while (!is_value(slot)) {
		const struct node *node = node_of(slot);

		slot = node->kids[node->obj.flags - 1];
	}
	return value_of(slot);
}

/*
 * Whoever asks for the next value will ask for those after it: they lie
 * apart, and waiting for each is what a listing of a large directory takes.
 */
static void prefetch_after(const struct node *node, unsigned index)
{
	unsigned end = index + 1 + AHEAD;

	if (end > node->obj.flags)
		end = node->obj.flags;
	while (++index < end)
		__builtin_prefetch(obj_of(node->kids[index]));
}

/* True if the key has digits above the root, so is larger than all. */
static bool is_beyond(const struct mvfs__trie *trie, uint64_t key)
{
	return trie->height && top_level(key) >= trie->height;
}

void mvfs__trie_share(const struct mvfs__trie *from, struct mvfs__trie *to)
{
	*to = *from;
	if (to->root)
		mvfs__obj_retain(obj_of(to->root));
}

void mvfs__trie_clear(struct mvfs__trie *trie, struct mvfs__bin *bin)
{
	if (trie->root)
		mvfs__obj_drop(obj_of(trie->root), bin);
	trie->root = 0;
	trie->height = 0;
	trie->count = 0;
}

/*
 * A node's slot is on another line of the cache than its map, and which one
 * the map decides: to wait for the one and then for the other is most of a
 * look-up among a million names. Of dense keys the slot is where it would be
 * without gaps; of hashed keys a node has some 30, and all its lines are
 * asked for at once.
 */
static void prefetch_dense(const struct node *node, uint64_t key,
			   unsigned shift)
{
	__builtin_prefetch(&node->kids[(key >> shift) & (DIGITS - 1)]);
}

static void prefetch_hashed(const struct node *node)
{
	const char *line = (const char *)node;

	__builtin_prefetch(line + 64);
	__builtin_prefetch(line + 128);
	__builtin_prefetch(line + 192);
}

/*
 * A key with digits above the root is not looked for higher: it ends at the
 * value of another key, or nowhere.
 */
struct mvfs__obj *mvfs__trie_get(const struct mvfs__trie *trie, uint64_t key)
{
	uintptr_t slot = trie->root;
	unsigned shift = trie->height * DIGIT_BITS;
	struct mvfs__obj *value;

	while (slot && !is_value(slot)) {
		shift -= DIGIT_BITS;
		prefetch_dense(node_of(slot), key, shift);
		slot = kid_of(node_of(slot), key, shift);
	}
	if (!slot)
		return NULL;
	value = value_of(slot);
	return value->key == key ? value : NULL;
}

/*
 * Only a node of the last level tells such keys apart, and hardly ever is
 * there one: a value higher up is alone with its digits.
 */
struct mvfs__obj *mvfs__trie_get4(const struct mvfs__trie *trie, uint64_t key)
{
	uintptr_t slot = trie->root;
	unsigned shift = trie->height * DIGIT_BITS;
	const struct node *node = NULL;
	struct mvfs__obj *value;

	assert(!(key & 3));
	while (slot && !is_value(slot)) {
		shift -= DIGIT_BITS;
		node = node_of(slot);
		prefetch_hashed(node);
		slot = kid_of(node, key, shift);
	}
	if (!slot) {
		unsigned digit = key & (DIGITS - 1);

		if (!node || shift || !(node->obj.key >> digit))
			return NULL;
		/* the digit is not there: that of the next one is its place */
		slot = node->kids[index_of(node->obj.key, digit)];
	}
	value = value_of(slot);
	return value->key >> 2 == key >> 2 ? value : NULL;
}

/*
 * On the way down, `after` is the subtree of the nearest larger keys: one of
 * them is the answer if the way ends without one.
 */
struct mvfs__obj *mvfs__trie_next(const struct mvfs__trie *trie, uint64_t key)
{
	uintptr_t slot = trie->root;
	uintptr_t after = 0;
	unsigned level = trie->height;

	if (!slot || is_beyond(trie, key))
		return NULL;
	while (!is_value(slot)) {
		const struct node *node = node_of(slot);
		uint64_t map = node->obj.key;
		unsigned digit = digit_of(key, --level);
		unsigned index = index_of(map, digit);
		bool here = has_digit(map, digit);

		if (index + here < node->obj.flags)
			after = node->kids[index + here];
		if (!here)
			return after ? leftmost(after) : NULL;
		slot = node->kids[index];
		if (is_value(slot))
			prefetch_after(node, index);
	}
	if (value_of(slot)->key >= key)
		return value_of(slot);
	return after ? leftmost(after) : NULL;
}

struct mvfs__obj *mvfs__trie_prev(const struct mvfs__trie *trie, uint64_t key)
{
	uintptr_t slot = trie->root;
	uintptr_t before = 0;
	unsigned level = trie->height;

	if (!slot)
		return NULL;
	if (is_beyond(trie, key))
		return rightmost(slot);
	while (!is_value(slot)) {
		const struct node *node = node_of(slot);
		unsigned digit = digit_of(key, --level);
		unsigned index = index_of(node->obj.key, digit);

		if (index > 0)
			before = node->kids[index - 1];
		if (!has_digit(node->obj.key, digit))
			return before ? rightmost(before) : NULL;
		slot = node->kids[index];
	}
	if (value_of(slot)->key <= key)
		return value_of(slot);
	return before ? rightmost(before) : NULL;
}

void mvfs__trie_node_free(struct mvfs__obj *obj, struct mvfs__bin *bin)
{
	struct node *node = mvfs__container_of(obj, struct node, obj);

	assert(obj->kind == MVFS__TRIE);
	for (unsigned i = 0; i < obj->flags; i++)
		__builtin_prefetch(obj_of(node->kids[i]), 1);
	for (unsigned i = obj->flags; i-- > 0;)
		mvfs__obj_drop(obj_of(node->kids[i]), bin);
	mvfs__trie_node_end(node);
}
