/* SPDX-License-Identifier: MIT */
/*
 * What a tree that a crash left is known by: a sum over what is not as it was
 * at the start, in any order, so that it costs what differs. Of a file it is
 * a sum over its words that are not zero, each with its place, so that it
 * makes no difference how the bytes are kept, or whether zeros are. It is no
 * match for people; but here nobody chooses the data but the tests.
 */
#include "config.h"

#include <string.h>

#include "vfs/crash/crash.h"
#include "vfs/node/xattr.h"

struct hashing {
	uint64_t sum;
	uint64_t dir; /* whose entries are summed up */
};

static uint64_t stir(uint64_t h, uint64_t word)
{
	return mvfs__crash_random(h, word, 1);
}

static uint64_t hash_word(uint64_t at, uint64_t word)
{
	uint64_t z = (word ^ at * UINT64_C(0x9e3779b97f4a7c15)) *
		     UINT64_C(0xbf58476d1ce4e5b9);

	z ^= z >> 32;
	return z * UINT64_C(0x94d049bb133111eb);
}

static uint64_t hash_bytes(uint64_t at, const uint8_t *bytes, uint64_t len)
{
	uint64_t sum = 0, word;

	for (; len >= 8; bytes += 8, at += 8, len -= 8) {
		word = mvfs__load64(bytes);
		if (word)
			sum += hash_word(at, word);
	}
	word = 0;
	memcpy(&word, bytes, (size_t)len);
	return word ? sum + hash_word(at, word) : sum;
}

/* Runs begin at blocks, so words are the same however a file is cut up. */
static uint64_t hash_content(const struct mvfs__content *content)
{
	struct mvfs__bin bin = MVFS__BIN_INIT;
	struct mvfs__extent extent;
	uint64_t at, len, sum = 0;

	for (at = 0; at < content->size; at += len) {
		(void)mvfs__content_extents(content, at, content->size - at,
					    &extent, 1, &len);
		if (extent.bytes)
			sum += hash_bytes(at, extent.bytes, len);
		if (extent.buffer)
			mvfs__obj_drop(&extent.buffer->obj, &bin);
	}
	mvfs__bin_empty(&bin);
	return stir(content->size, sum);
}

static uint64_t hash_text(const char *text, size_t len)
{
	uint64_t h = len;

	while (len > 0)
		h = stir(h, (unsigned char)text[--len]);
	return h;
}

struct attribute {
	const struct mvfs__obj *list;
	uint64_t sum;
};

static void on_attribute(void *arg, const char *name, size_t len)
{
	struct attribute *a = arg;
	const void *value = "";
	int64_t size = mvfs__xattr_get(a->list, name, &value);

	a->sum += stir(hash_text(name, len),
		       hash_text(value, size > 0 ? (size_t)size : 0));
}

static uint64_t hash_node(const struct mvfs__node *node)
{
	struct attribute a = { node->xattrs, 0 };
	uint64_t h = stir(mvfs__node_ino(node), mvfs__node_mode(node));

	h = stir(stir(h, node->uid), node->gid);
	if (node->xattrs)
		mvfs__xattr_each(node->xattrs, on_attribute, &a);
	h = stir(h, a.sum);
	if (mvfs__node_is_reg(node))
		return stir(h, hash_content(&node->u.content));
	if (mvfs__node_is_lnk(node))
		return stir(h, hash_text(node->u.target->bytes,
					 node->u.target->len));
	return mvfs__node_is_dir(node) ? h : stir(h, node->u.rdev);
}

static int on_entry(void *arg, struct mvfs__obj *a, struct mvfs__obj *b)
{
	const struct mvfs__entry *entry = (const struct mvfs__entry *)(b ? b :
									   a);
	const struct mvfs__entry *before = (const struct mvfs__entry *)a;
	struct hashing *hashing = arg;
	uint64_t h = stir(hashing->dir, b ? entry->ino : 0);

	/* the same, made anew */
	if (b && before && before->ino == entry->ino)
		return 0;
	hashing->sum += stir(h, hash_text(entry->name, entry->len));
	return 0;
}

/* What is as it was but is another value counts as if it were not there. */
static int on_node(void *arg, struct mvfs__obj *a, struct mvfs__obj *b)
{
	const struct mvfs__node *before = (const struct mvfs__node *)a;
	const struct mvfs__node *after = (const struct mvfs__node *)b;
	static const struct mvfs__trie empty;
	struct hashing *hashing = arg;
	uint64_t h = after ? hash_node(after) : stir(a->key, 0);

	if (!before || !after || hash_node(before) != h)
		hashing->sum += h;
	if (!mvfs__node_is_dir(before ? before : after))
		return 0;
	hashing->dir = (a ? a : b)->key;
	return mvfs__trie_diff(before ? &before->u.dir : &empty,
			       after ? &after->u.dir : &empty, on_entry,
			       hashing);
}

uint64_t mvfs__found_hash(const struct mvfs__found_tree *tree,
			  const struct mvfs__point *first)
{
	struct hashing hashing = { 0, 0 };

	(void)mvfs__trie_diff(&first->nodes, &tree->table.nodes, on_node,
			      &hashing);
	return hashing.sum;
}
