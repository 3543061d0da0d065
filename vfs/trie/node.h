/* SPDX-License-Identifier: MIT */
/*
 * What a node of the trie is; private to vfs/trie.
 *
 *      refs   kind  flags  small     key   kids
 *     +------+-----+------+---------+-----+------+------+--
 *     |      |     | count| capacity| map | slot | slot | ...
 *     +------+-----+------+---------+-----+------+------+--
 *
 * A node at level n tells keys apart by digit n, of 6 bits; level 0 is the
 * lowest. Digit d is there if bit d of the map is set, and its slot is the
 * one behind those of the smaller digits. A slot is the address of a node of
 * the level below, or that of a value plus 1; never 0, but for a root.
 *
 * Invariants (mvfs__trie_check asserts them): the count is the number of
 * bits of the map, at least 1, at most the capacity; below every node are
 * two values or more, so a node of one slot has a node in it; the root's map
 * is not 1, for then the child could be the root; all keys below a slot
 * agree in all digits above. So the keys alone decide the shape, and two
 * tries of equal keys differ in pointers only.
 *
 * The count stands beside the map because a dead node has none: the link of
 * the bin is where it was.
 */
#ifndef MVFS__TRIE_NODE_H
#define MVFS__TRIE_NODE_H

#include "vfs/trie/trie.h"

#define DIGIT_BITS 6u
#define DIGITS 64u /* of one level */
#define LEVELS 11u /* that a 64-bit key can need */

struct node {
	struct mvfs__obj obj;
	uintptr_t kids[];
};

static inline bool is_value(uintptr_t slot)
{
	return slot & 1;
}

static inline struct mvfs__obj *value_of(uintptr_t slot)
{
	assert(is_value(slot));
	return (struct mvfs__obj *)(slot - 1);
}

static inline uintptr_t slot_of_value(struct mvfs__obj *value)
{
	assert(!is_value((uintptr_t)value));
	return (uintptr_t)value + 1;
}

static inline struct node *node_of(uintptr_t slot)
{
	assert(slot && !is_value(slot));
	return (struct node *)slot;
}

/* What a slot refers to, of whatever kind. */
static inline struct mvfs__obj *obj_of(uintptr_t slot)
{
	return (struct mvfs__obj *)(slot & ~(uintptr_t)1);
}

static inline unsigned digit_of(uint64_t key, unsigned level)
{
	assert(level < LEVELS);
	return (key >> (level * DIGIT_BITS)) & (DIGITS - 1);
}

/* The level of the highest digit that is not 0. */
static inline unsigned top_level(uint64_t key)
{
	return (63u - (unsigned)__builtin_clzll(key | 1)) / DIGIT_BITS;
}

static inline bool has_digit(uint64_t map, unsigned digit)
{
	return map >> digit & 1;
}

/*
 * Without an instruction for it, which the oldest of a CPU family lack, the
 * library's bit count is a call and a table; compilers know this form.
 */
static inline unsigned count_bits(uint64_t map)
{
	map -= map >> 1 & UINT64_C(0x5555555555555555);
	map = (map & UINT64_C(0x3333333333333333)) +
	      (map >> 2 & UINT64_C(0x3333333333333333));
	map = (map + (map >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (unsigned)(map * UINT64_C(0x0101010101010101) >> 56);
}

/* Where the slot of a digit is, or would be. */
static inline unsigned index_of(uint64_t map, unsigned digit)
{
	return count_bits(map & ((UINT64_C(1) << digit) - 1));
}

/*
 * The slot of the digit of a key that is `shift` bits up, or 0: for the way
 * down, where nothing else takes time. The slots of a node whose digits have
 * no gap are in their places counted from the first, and such are all nodes
 * of a map of dense keys, and the upper ones of hashed keys.
 */
static inline uintptr_t kid_of(const struct node *node, uint64_t key,
			       unsigned shift)
{
	uint64_t map = node->obj.key;
	unsigned digit = (key >> shift) & (DIGITS - 1);

	if (!has_digit(map, digit))
		return 0;
	if (!(map & (map + (map & -map))))
		return node->kids[digit - (unsigned)__builtin_ctzll(map)];
	return node->kids[index_of(map, digit)];
}

/*
 * A node with no slots yet and capacity for `count`, of which the caller
 * sets map, count and slots; NULL without memory.
 */
struct node *mvfs__trie_node_new(unsigned count);

/* Frees the node's own memory, and nothing that its slots hold. */
void mvfs__trie_node_end(struct node *node);

/*
 * A copy with `room` slots to spare, that holds a reference to each child;
 * the original keeps its own. NULL without memory.
 */
struct node *mvfs__trie_node_copy(const struct node *from, unsigned room);

/*
 * Puts `kid` into the owned node in `*slot`, which has none of that digit
 * and may have to move. 0, or -ENOMEM: nothing has changed.
 */
int mvfs__trie_node_insert(uintptr_t *slot, unsigned digit, uintptr_t kid);

#endif
