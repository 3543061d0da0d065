/* SPDX-License-Identifier: MIT */
/*
 * The memory of a trie's nodes.
 *
 * The capacity of a node is whatever fills the block that it is given, an
 * even number of slots with 64 bits, and grows by an eighth: a node
 * of hashed keys has two slots to spare at most, mostly none. (Doubling
 * dense nodes instead saved 5 of 25 ns a key: not worth it.) Nodes that lose
 * slots keep their capacity, for shrinking must not allocate; copies are
 * tight again.
 */
#include "config.h"

#include "vfs/trie/node.h"

#include <errno.h>
#include <string.h>

#include "vfs/mem/slab.h"

static size_t node_size(unsigned capacity)
{
	return sizeof(struct node) + capacity * sizeof(uintptr_t);
}

/* The number of slots that a node of at least `count` gets. */
static unsigned capacity_for(unsigned count)
{
	size_t size = mvfs__slab_fill(node_size(count));
	unsigned fits;

	fits = (unsigned)((size - sizeof(struct node)) / sizeof(uintptr_t));
	assert(fits >= count);
	return fits < DIGITS ? fits : DIGITS;
}

struct node *mvfs__trie_node_new(unsigned count)
{
	unsigned capacity = capacity_for(count);
	struct node *node = mvfs__slab_alloc(node_size(capacity));

	if (!node)
		return NULL;
	mvfs__obj_init(&node->obj, MVFS__TRIE);
	node->obj.small = (uint16_t)capacity;
	return node;
}

/* What a copy costs is the caches' misses: let them happen all at once. */
struct node *mvfs__trie_node_copy(const struct node *from, unsigned room)
{
	unsigned count = from->obj.flags;
	struct node *node;

	for (unsigned i = 0; i < count; i++)
		__builtin_prefetch(obj_of(from->kids[i]), 1);
	node = mvfs__trie_node_new(count + room);
	if (!node)
		return NULL;
	node->obj.key = from->obj.key;
	node->obj.flags = (uint8_t)count;
	for (unsigned i = 0; i < count; i++) {
		node->kids[i] = from->kids[i];
		mvfs__obj_retain(obj_of(from->kids[i]));
	}
	mvfs__mem_count(trie_copies, 1);
	return node;
}

void mvfs__trie_node_end(struct node *node)
{
	mvfs__slab_free(node, node_size(node->obj.small));
}

/* An owned node, elsewhere and with more room; NULL: nothing has changed. */
static struct node *moved(struct node *from, unsigned count)
{
	struct node *node = mvfs__trie_node_new(count);

	if (!node)
		return NULL;
	node->obj.key = from->obj.key;
	node->obj.flags = from->obj.flags;
	memcpy(node->kids, from->kids, from->obj.flags * sizeof(uintptr_t));
	mvfs__trie_node_end(from);
	return node;
}

int mvfs__trie_node_insert(uintptr_t *slot, unsigned digit, uintptr_t kid)
{
	struct node *node = node_of(*slot);
	unsigned count = node->obj.flags;
	unsigned index = index_of(node->obj.key, digit);

	assert(mvfs__obj_is_mine(&node->obj));
	assert(!has_digit(node->obj.key, digit));
	if (count == node->obj.small) {
		unsigned want = count + 1 + count / 8;

		node = moved(node, want < DIGITS ? want : DIGITS);
		if (!node)
			return -ENOMEM;
		*slot = (uintptr_t)node;
	}
	memmove(node->kids + index + 1, node->kids + index,
		(count - index) * sizeof(uintptr_t));
	node->kids[index] = kid;
	node->obj.key |= UINT64_C(1) << digit;
	node->obj.flags = (uint8_t)(count + 1);
	return 0;
}
