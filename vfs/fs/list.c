/* SPDX-License-Identifier: MIT */
/*
 * Listings: a library's holds the directory as it was, which is one more
 * reference to the root of a trie; an adapter's looks at the live one, key
 * by key.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "vfs/fs/listing.h"
#include "vfs/mem/mem.h"
#include "vfs/mem/scratch.h"

enum { COOKIE_DOT = 1, COOKIE_DOTDOT = 2 };

static bool is_after(const struct mvfs__entry *x, const struct mvfs__entry *y)
{
	int order = memcmp(x->name, y->name, x->len < y->len ? x->len : y->len);

	return order ? order > 0 : x->len > y->len;
}

/* Two sorted parts, of `from[0]` to `from[len - 1]`, become one. */
static void merge(struct mvfs__entry **to, struct mvfs__entry **from,
		  size_t half, size_t len)
{
	size_t a = 0, b = half, i;

	for (i = 0; i < len; i++)
		if (b == len || (a < half && !is_after(from[a], from[b])))
			to[i] = from[a++];
		else
			to[i] = from[b++];
}

/* By merging parts of double length in turn, there and back; qsort(3) would
 * take memory that nobody counts. Returns which has the result. */
static struct mvfs__entry **merge_sort(struct mvfs__entry **from,
				       struct mvfs__entry **to, size_t count)
{
	struct mvfs__entry **swap;
	size_t part, i, len;

	for (part = 1; part < count; part *= 2) {
		for (i = 0; i < count; i += len) {
			len = count - i < 2 * part ? count - i : 2 * part;
			merge(to + i, from + i, part < len ? part : len, len);
		}
		swap = from;
		from = to;
		to = swap;
	}
	return from;
}

int mvfs__listing_sort(struct mvfs__listing *l, struct mvfs__entry **sorted)
{
	struct mvfs__entry *entry, **other, **result;
	struct mvfs_scratch scratch;
	uint64_t key = 0;
	size_t i = 0;

	if (!l->trie.count)
		return 0;
	mvfs__scratch_open(&scratch);
	other = sorted ? mvfs_scratch_array(&scratch, l->trie.count,
					    sizeof(*sorted)) : NULL;
	if (other) {
		while ((entry = mvfs__dir_after(&l->trie, key))) {
			sorted[i++] = entry;
			key = entry->obj.key;
		}
		assert(i == l->trie.count);
		result = merge_sort(sorted, other, i);
		if (result != sorted)
			memcpy(sorted, result, i * sizeof(*sorted));
		l->sorted = sorted;
	}
	mvfs_scratch_close(&scratch);
	return other ? 0 : -ENOMEM;
}

void mvfs__listing_clear(struct mvfs__listing *l, struct mvfs__bin *bin)
{
	l->sorted = NULL;
	mvfs__trie_clear(&l->trie, bin);
}

/* What a library's listing holds: the order is in memory of its own. */
static void clear(struct mvfs__listing *l, struct mvfs__bin *bin)
{
	mvfs__free(l->sorted);
	mvfs__listing_clear(l, bin);
}

void mvfs__listing_take(struct mvfs__op *op, const struct mvfs__node *node,
			struct mvfs__listing *l)
{
	l->ino = mvfs__node_ino(node);
	l->parent = l->ino == op->view->root ? l->ino :
					       mvfs__node_parent(node);
	l->sorted = NULL;
	mvfs__trie_share(&node->u.dir, &l->trie);
}

static void fill(struct mvfs_dirent *to, const struct mvfs__entry *entry)
{
	to->ino = entry->ino;
	to->cookie = entry->obj.key;
	to->type = entry->type;
	to->reserved = 0;
	to->len = entry->len;
	memcpy(to->name, entry->name, entry->len);
	to->name[entry->len] = 0;
}

static void fill_dots(struct mvfs_dirent *to, const struct mvfs__listing *l,
		      uint64_t cookie)
{
	to->ino = cookie == COOKIE_DOT ? l->ino : l->parent;
	to->cookie = cookie;
	to->type = DT_DIR;
	to->reserved = 0;
	to->len = (uint16_t)cookie;
	memcpy(to->name, "..", cookie);
	to->name[cookie] = 0;
}

/* Takes the directory as it is now; the one taken before goes. */
static void take(struct mvfs__op *op, struct mvfs_dir *dir,
		 const struct mvfs__node *node)
{
	struct mvfs__listing old = dir->listing;

	mvfs__listing_take(op, node, &dir->listing);
	clear(&old, &op->bin);
	dir->cookie = 0;
	dir->next = 0;
}

/* Fisher and Yates, by a hash of the seed. */
static void shuffle(const struct mvfs_dir *dir)
{
	struct mvfs__entry **names = dir->listing.sorted, *swap;
	uint64_t of[2] = { dir->ino, 0 };
	uint64_t i, other;

	for (i = dir->listing.trie.count; i > 1; i--) {
		of[1] = i;
		other = mvfs__siphash13(&dir->view->fs->seed, of,
					sizeof(of)) % i;
		swap = names[i - 1];
		names[i - 1] = names[other];
		names[other] = swap;
	}
}

static int sort_if_wanted(struct mvfs_dir *dir)
{
	struct mvfs__entry **sorted = NULL;
	size_t bytes;
	int rc;

	if (dir->flags & MVFS_LIST_UNSORTED || !dir->listing.trie.count)
		return 0;
	if (!mvfs__mul_overflow(dir->listing.trie.count, sizeof(*sorted),
				&bytes))
		sorted = mvfs__malloc(bytes);
	rc = mvfs__listing_sort(&dir->listing, sorted);
	if (rc)
		mvfs__free(sorted);
	else if (dir->flags & MVFS_LIST_SHUFFLED)
		shuffle(dir);
	return rc;
}

static void enlist(struct mvfs__op *op, struct mvfs_dir *dir)
{
	dir->place = op->self->here;
	dir->after = op->fs->dirs;
	dir->back = &op->fs->dirs;
	if (dir->after)
		dir->after->back = &dir->after;
	op->fs->dirs = dir;
}

static void delist(struct mvfs_dir *dir)
{
	*dir->back = dir->after;
	if (dir->after)
		dir->after->back = dir->back;
}

static int opendir_locked(struct mvfs__op *op, const struct mvfs__at *at,
			  struct mvfs_dir *dir)
{
	struct mvfs__node *node;
	unsigned flags = MVFS__FOLLOW;
	int rc;

	if (at->dirfd != MVFS_AT_FDCWD || at->ino)
		flags |= MVFS__EMPTY_OK;
	rc = mvfs__op_node(op, at, flags, &node);
	if (rc)
		return rc;
	if (!mvfs__node_is_dir(node))
		return -ENOTDIR;
	rc = mvfs__may(&op->who, node, MVFS__MAY_READ);
	if (rc)
		return rc;
	if (!mvfs__table_hold(&op->fs->table, mvfs__node_ino(node)))
		return -ENOMEM;
	dir->ino = mvfs__node_ino(node);
	take(op, dir, node);
	enlist(op, dir);
	return 0;
}

int mvfs__fs_opendir(const struct mvfs__from *from, const struct mvfs__at *at,
		     unsigned flags, struct mvfs_dir **out)
{
	struct mvfs_dir *dir;
	struct mvfs__op op;
	int rc = mvfs__op_begin_at(&op, from, MVFS__OP_LIST, at,
				   MVFS__FOLLOW);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	dir = mvfs__calloc(1, sizeof(*dir));
	if (!dir)
		return (int)mvfs__op_end(&op, -ENOMEM);
	dir->view = from->view;
	dir->flags = flags;
	mvfs__op_exclusive(&op);
	rc = opendir_locked(&op, at, dir);
	mvfs__op_unlock(&op);
	if (rc)
		mvfs__free(dir);
	mvfs__op_end(&op, rc);
	if (rc)
		return rc;
	rc = sort_if_wanted(dir);
	if (rc)
		mvfs__fs_closedir(dir);
	else
		*out = dir;
	return rc;
}

static bool read_dots(struct mvfs_dir *dir, struct mvfs_dirent *entry)
{
	if (dir->cookie >= COOKIE_DOTDOT || !(dir->flags & MVFS_LIST_DOTS))
		return false;
	fill_dots(entry, &dir->listing, ++dir->cookie);
	return true;
}

int mvfs__fs_readdir(struct mvfs_dir *dir, struct mvfs_dirent *entry)
{
	const struct mvfs__trie *trie = &dir->listing.trie;
	struct mvfs__entry *found;

	if (read_dots(dir, entry))
		return 1;
	if (dir->flags & MVFS_LIST_UNSORTED)
		found = mvfs__dir_after(trie, dir->cookie);
	else
		found = dir->next < trie->count ?
			dir->listing.sorted[dir->next++] : NULL;
	if (!found)
		return 0;
	fill(entry, found);
	dir->cookie = entry->cookie;
	return 1;
}

int mvfs__fs_seekdir(struct mvfs_dir *dir, uint64_t cookie)
{
	const struct mvfs__trie *trie = &dir->listing.trie;
	size_t i = 0;

	if (cookie > COOKIE_DOTDOT && !mvfs__trie_get(trie, cookie))
		return -EINVAL;
	if (cookie > COOKIE_DOTDOT && !(dir->flags & MVFS_LIST_UNSORTED))
		while (dir->listing.sorted[i++]->obj.key != cookie)
			continue;
	dir->cookie = cookie;
	dir->next = i;
	return 0;
}

int mvfs__fs_rewinddir(struct mvfs_dir *dir)
{
	const struct mvfs__from from = { dir->view, NULL };
	const struct mvfs__at at = { dir->ino, MVFS_AT_FDCWD, "" };
	struct mvfs__node *node;
	struct mvfs__op op;
	int rc = mvfs__op_begin_at(&op, &from, MVFS__OP_LIST, &at, 0);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_shared(&op);
	node = mvfs__table_get(&op.fs->table, dir->ino);
	assert(node);
	take(&op, dir, node);
	mvfs__op_unlock(&op);
	rc = sort_if_wanted(dir);
	if (rc) { /* ends, rather than lies */
		clear(&dir->listing, &op.bin);
		dir->cookie = COOKIE_DOTDOT;
	}
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_closedir(struct mvfs_dir *dir)
{
	const struct mvfs__from from = { dir->view, NULL };
	struct mvfs__op op;

	(void)mvfs__op_begin_aside(&op, &from, MVFS__OP_CLOSE);
	mvfs__op_exclusive(&op);
	delist(dir);
	mvfs__fs_unhold(op.fs, dir->ino, 1, &op.bin);
	mvfs__op_unlock(&op);
	clear(&dir->listing, &op.bin);
	mvfs__free(dir);
	return (int)mvfs__op_end(&op, 0);
}

static int list_locked(struct mvfs__op *op, const struct mvfs__on *on,
		       struct mvfs__listing *listing)
{
	struct mvfs_file *file;
	struct mvfs__node *node;
	int rc = mvfs__op_file(op, on, &file, &node);

	if (rc)
		return rc;
	if (!mvfs__node_is_dir(node))
		return -ENOTDIR;
	mvfs__listing_take(op, node, listing);
	return 0;
}

int64_t mvfs__fs_list(const struct mvfs__from *from, const struct mvfs__on *on,
		      uint64_t cookie, struct mvfs_dirent *entries,
		      size_t capacity)
{
	struct mvfs__listing listing;
	struct mvfs__entry *entry;
	struct mvfs__op op;
	size_t count = 0;
	int rc = mvfs__op_begin_on(&op, from, MVFS__OP_LIST, on);

	if (rc)
		return mvfs__op_end(&op, rc);
	mvfs__op_shared(&op);
	rc = list_locked(&op, on, &listing);
	mvfs__op_unlock(&op);
	if (rc)
		return mvfs__op_end(&op, rc);
	while (count < capacity && cookie < COOKIE_DOTDOT)
		fill_dots(&entries[count++], &listing, ++cookie);
	while (count < capacity &&
	       (entry = mvfs__dir_after(&listing.trie, cookie))) {
		fill(&entries[count++], entry);
		cookie = entry->obj.key;
	}
	mvfs__listing_clear(&listing, &op.bin);
	return mvfs__op_end(&op, (int64_t)count);
}
