/* SPDX-License-Identifier: MIT */
/*
 * What differs between two tries, in order of the keys.
 *
 * Both are walked at once, level by level from the higher root, and what is
 * the same pointer is skipped, so the cost is that of the nodes that differ.
 * Where one side has no node at a level (a value stands there, or its root
 * is lower) it counts as a node of one slot that it is itself in.
 */
#include "config.h"

#include "vfs/trie/trie.h"

#include "vfs/trie/node.h"

struct diff {
	mvfs__trie_diff_fn *fn;
	void *arg;
};

/* A subtree, or none, and the level of its node if it is one. */
struct side {
	uintptr_t slot;
	unsigned level;
};

static struct side root_of(const struct mvfs__trie *trie)
{
	return (struct side){ trie->root, trie->height ? trie->height - 1 : 0 };
}

/* True if the side is a node of that level itself. */
static bool is_node(struct side side, unsigned level)
{
	return side.slot && !is_value(side.slot) && side.level == level;
}

/* The digits of that level that the side has. */
static uint64_t map_at(struct side side, unsigned level)
{
	if (!side.slot)
		return 0;
	if (is_node(side, level))
		return node_of(side.slot)->obj.key;
	if (is_value(side.slot))
		return UINT64_C(1)
		       << digit_of(value_of(side.slot)->key, level);
	return 1;
}

/* What the side has of one digit of that level. */
static struct side kid_at(struct side side, unsigned level, unsigned digit)
{
	uint64_t map = map_at(side, level);

	if (!has_digit(map, digit))
		return (struct side){ 0, 0 };
	if (!is_node(side, level))
		return side;
	return (struct side){
		node_of(side.slot)->kids[index_of(map, digit)], level - 1
	};
}

/* Two slots of which neither is a node. */
static int diff_values(const struct diff *diff, uintptr_t a, uintptr_t b)
{
	struct mvfs__obj *va = a ? value_of(a) : NULL;
	struct mvfs__obj *vb = b ? value_of(b) : NULL;
	int r;

	if (!va || !vb || va->key == vb->key)
		return diff->fn(diff->arg, va, vb);
	r = va->key < vb->key ? diff->fn(diff->arg, va, NULL)
			      : diff->fn(diff->arg, NULL, vb);
	if (r)
		return r;
	return va->key < vb->key ? diff->fn(diff->arg, NULL, vb)
				 : diff->fn(diff->arg, va, NULL);
}

/* Recursion ends by the number of levels. */
static int diff_sides(const struct diff *diff, struct side a, struct side b,
		      unsigned level)
{
	uint64_t digits;

	if (a.slot == b.slot)
		return 0;
	if ((!a.slot || is_value(a.slot)) && (!b.slot || is_value(b.slot)))
		return diff_values(diff, a.slot, b.slot);
	digits = map_at(a, level) | map_at(b, level);
	for (; digits; digits &= digits - 1) {
		unsigned digit = (unsigned)__builtin_ctzll(digits);
		int r = diff_sides(diff, kid_at(a, level, digit),
				   kid_at(b, level, digit), level - 1);

		if (r)
			return r;
	}
	return 0;
}

/* The level from which on the trie's keys have only zeros above. */
static unsigned level_of(const struct mvfs__trie *trie)
{
	if (trie->root && is_value(trie->root))
		return top_level(value_of(trie->root)->key);
	return root_of(trie).level;
}

int mvfs__trie_diff(const struct mvfs__trie *a, const struct mvfs__trie *b,
		    mvfs__trie_diff_fn *fn, void *arg)
{
	const struct diff diff = { fn, arg };
	unsigned level = level_of(a);

	assert(fn);
	if (level < level_of(b))
		level = level_of(b);
	return diff_sides(&diff, root_of(a), root_of(b), level);
}
