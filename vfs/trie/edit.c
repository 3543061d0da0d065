/* SPDX-License-Identifier: MIT */
/*
 * Changing the trie: put, own, remove.
 *
 * Each goes down from the root and makes every node on its way the trie's
 * own, so that what it then changes nobody else can see. Whatever can fail
 * comes before that change; a path that was owned in vain maps what it did.
 */
#include "config.h"

#include "vfs/trie/trie.h"

#include <errno.h>
#include <string.h>

#include "vfs/mem/mem.h"
#include "vfs/trie/node.h"

/*
 * Makes the node in a slot the trie's own, given that all above it are; a
 * copy gets `room` slots to spare. NULL without memory.
 */
static struct node *own_node(uintptr_t *slot, unsigned room,
			     struct mvfs__bin *bin)
{
	struct node *node = node_of(*slot);
	struct node *copy;

	if (mvfs__likely(mvfs__obj_is_mine(&node->obj)))
		return node;
	copy = mvfs__trie_node_copy(node, room);
	if (!copy)
		return NULL;
	*slot = (uintptr_t)copy;
	mvfs__obj_drop(&node->obj, bin);
	return copy;
}

static void node_delete(struct node *node, unsigned digit)
{
	unsigned index = index_of(node->obj.key, digit);
	unsigned count = node->obj.flags;

	assert(mvfs__obj_is_mine(&node->obj));
	assert(has_digit(node->obj.key, digit));
	memmove(node->kids + index, node->kids + index + 1,
		(count - index - 1) * sizeof(uintptr_t));
	node->obj.key &= ~(UINT64_C(1) << digit);
	node->obj.flags = (uint8_t)(count - 1);
}

/* Ends an owned node whose slots have gone elsewhere. */
static void node_discard(struct node *node, struct mvfs__bin *bin)
{
	assert(mvfs__obj_is_mine(&node->obj));
	node->obj.flags = 0;
	mvfs__obj_drop(&node->obj, bin);
}

/* A node of two slots, or 0 without memory. */
static uintptr_t pair(uintptr_t low, unsigned low_digit, uintptr_t high,
		      unsigned high_digit)
{
	struct node *node = mvfs__trie_node_new(2);

	assert(low_digit < high_digit);
	if (!node)
		return 0;
	node->obj.key = UINT64_C(1) << low_digit | UINT64_C(1) << high_digit;
	node->obj.flags = 2;
	node->kids[0] = low;
	node->kids[1] = high;
	return (uintptr_t)node;
}

/* Frees the nodes of a chain again, down to what it led to. */
static void chain_free(uintptr_t top, uintptr_t slot)
{
	while (top != slot) {
		struct node *node = node_of(top);

		top = node->kids[0];
		mvfs__trie_node_end(node);
	}
}

/*
 * Nodes of one slot over `slot`, at the levels from `level` up to below
 * `end`, on the way to the key. 0 without memory.
 */
static uintptr_t chain(uintptr_t slot, uint64_t key, unsigned level,
		       unsigned end)
{
	uintptr_t top = slot;

	for (; level < end; level++) {
		struct node *node = mvfs__trie_node_new(1);

		if (!node) {
			chain_free(top, slot);
			return 0;
		}
		node->obj.key = UINT64_C(1) << digit_of(key, level);
		node->obj.flags = 1;
		node->kids[0] = top;
		top = (uintptr_t)node;
	}
	return top;
}

/* A subtree below `end` of two values with different keys. */
static uintptr_t fork_of(struct mvfs__obj *a, struct mvfs__obj *b,
			 unsigned end)
{
	struct mvfs__obj *low = a->key < b->key ? a : b;
	struct mvfs__obj *high = a->key < b->key ? b : a;
	unsigned level = top_level(a->key ^ b->key);
	uintptr_t bottom, top;

	assert(level < end);
	bottom = pair(slot_of_value(low), digit_of(low->key, level),
		      slot_of_value(high), digit_of(high->key, level));
	if (!bottom)
		return 0;
	top = chain(bottom, low->key, level + 1, end);
	if (!top)
		mvfs__trie_node_end(node_of(bottom));
	return top;
}

/* Puts a value whose key has more digits than any other. */
static int put_above(struct mvfs__trie *trie, struct mvfs__obj *value)
{
	unsigned level = top_level(value->key);
	uintptr_t low = chain(trie->root, 0, trie->height, level);
	uintptr_t top;

	assert(level >= trie->height);
	if (!low)
		return -ENOMEM;
	top = pair(low, 0, slot_of_value(value), digit_of(value->key, level));
	if (!top) {
		chain_free(low, trie->root);
		return -ENOMEM;
	}
	trie->root = top;
	trie->height = level + 1;
	trie->count++;
	return 0;
}

/* Puts a value where a value is, at the end of an owned path. */
static int put_at_value(struct mvfs__trie *trie, uintptr_t *slot,
			unsigned level, struct mvfs__obj *value,
			struct mvfs__bin *bin)
{
	struct mvfs__obj *old = value_of(*slot);
	uintptr_t both;

	if (old->key == value->key) {
		*slot = slot_of_value(value);
		mvfs__obj_drop(old, bin);
		return 0;
	}
	if (slot == &trie->root)
		level = top_level(old->key | value->key) + 1;
	both = fork_of(old, value, level);
	if (!both)
		return -ENOMEM;
	if (slot == &trie->root)
		trie->height = level;
	*slot = both;
	trie->count++;
	return 0;
}

int mvfs__trie_put(struct mvfs__trie *trie, struct mvfs__obj *value,
		   struct mvfs__bin *bin)
{
	uintptr_t *slot = &trie->root;
	unsigned level = trie->height;
	uint64_t key = value->key;

	if (!*slot) {
		*slot = slot_of_value(value);
		trie->count = 1;
		return 0;
	}
	if (level && top_level(key) >= level)
		return put_above(trie, value);
	while (!is_value(*slot)) {
		unsigned digit = digit_of(key, --level);
		bool here = has_digit(node_of(*slot)->obj.key, digit);
		struct node *node = own_node(slot, !here, bin);

		if (!node)
			return -ENOMEM;
		if (!here) {
			int r = mvfs__trie_node_insert(slot, digit,
						       slot_of_value(value));

			trie->count += !r;
			return r;
		}
		slot = &node->kids[index_of(node->obj.key, digit)];
	}
	return put_at_value(trie, slot, level, value, bin);
}

/*
 * Owns the path to a key as far as it exists. path[0] to path[*depth] are
 * the slots on it; the last holds a value, or a node without that digit.
 */
static int own_path(struct mvfs__trie *trie, uint64_t key,
		    uintptr_t *path[LEVELS + 1], unsigned *depth,
		    struct mvfs__bin *bin)
{
	unsigned level = trie->height;
	unsigned n = 0;

	assert(trie->root);
	path[0] = &trie->root;
	while (!is_value(*path[n])) {
		struct node *node = own_node(path[n], 0, bin);
		unsigned digit = digit_of(key, --level);

		if (!node)
			return -ENOMEM;
		if (!has_digit(node->obj.key, digit))
			break;
		path[++n] = &node->kids[index_of(node->obj.key, digit)];
	}
	*depth = n;
	return 0;
}

int mvfs__trie_own(struct mvfs__trie *trie, uint64_t key,
		   struct mvfs__obj **value, struct mvfs__bin *bin)
{
	uintptr_t *path[LEVELS + 1];
	struct mvfs__obj *found = NULL;
	unsigned depth;
	int r;

	if (trie->root) {
		r = own_path(trie, key, path, &depth, bin);
		if (r)
			return r;
		if (is_value(*path[depth]))
			found = value_of(*path[depth]);
		if (found && found->key != key)
			found = NULL;
	}
	*value = found;
	return 0;
}

/*
 * After a removal: a root that has all keys below its first digit goes. What
 * then becomes the root was not on the path, so it may be shared.
 */
static void lower(struct mvfs__trie *trie, struct mvfs__bin *bin)
{
	while (!is_value(trie->root)) {
		struct node *root = node_of(trie->root);

		if (root->obj.key != 1)
			return;
		trie->root = root->kids[0];
		trie->height--;
		if (mvfs__obj_is_mine(&root->obj)) {
			node_discard(root, bin);
		} else {
			mvfs__obj_retain(obj_of(trie->root));
			mvfs__obj_drop(&root->obj, bin);
		}
	}
	trie->height = 0;
}

int mvfs__trie_remove(struct mvfs__trie *trie, uint64_t key,
		      struct mvfs__bin *bin)
{
	uintptr_t *path[LEVELS + 1];
	unsigned depth;
	int r;

	if (!mvfs__trie_get(trie, key))
		return -ENOENT;
	r = own_path(trie, key, path, &depth, bin);
	if (r)
		return r;
	mvfs__obj_drop(value_of(*path[depth]), bin);
	trie->count--;
	if (depth == 0) {
		trie->root = 0;
		return 0;
	}
	node_delete(node_of(*path[depth - 1]),
		    digit_of(key, trie->height - depth));
	while (depth-- > 0) {
		struct node *node = node_of(*path[depth]);

		if (node->obj.flags > 1 || !is_value(node->kids[0]))
			break;
		*path[depth] = node->kids[0];
		node_discard(node, bin);
	}
	lower(trie, bin);
	return 0;
}
