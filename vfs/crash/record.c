/* SPDX-License-Identifier: MIT */
/* What one call changed of names, out of two neighbouring points. */
#include "config.h"

#include <errno.h>

#include "vfs/crash/crash.h"
#include "vfs/mem/mem.h"

struct making {
	struct mvfs__record *record;
	uint64_t dir; /* whose entries are compared */
	size_t slot_capacity, born_capacity;
};

/* Room for one more in an array of `size`; NULL without memory. */
static void *grow(void *array, size_t count, size_t *capacity, size_t size)
{
	size_t more = *capacity ? *capacity * 2 : 4;
	void *grown;

	if (count < *capacity)
		return array;
	grown = mvfs__realloc(array, more * size);
	if (grown)
		*capacity = more;
	return grown;
}

static int on_entry(void *arg, struct mvfs__obj *a, struct mvfs__obj *b)
{
	struct making *m = arg;
	struct mvfs__record *r = m->record;
	struct mvfs__slot *slot;

	slot = grow(r->slot, r->slots, &m->slot_capacity, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	r->slot = slot;
	slot += r->slots++;
	slot->dir = m->dir;
	slot->hash = (a ? a : b)->key / MVFS__SAME_HASH;
	slot->before = (const struct mvfs__entry *)a;
	slot->after = (const struct mvfs__entry *)b;
	return 0;
}

static int add_birth(struct making *m, const struct mvfs__node *node)
{
	struct mvfs__record *r = m->record;
	const struct mvfs__node **born;

	born = grow(r->born, r->births, &m->born_capacity, sizeof(*born));
	if (!born)
		return -ENOMEM;
	r->born = born;
	born[r->births++] = node;
	return 0;
}

/* A directory that is in another one now. */
static bool has_moved(const struct mvfs__node *a, const struct mvfs__node *b)
{
	return mvfs__links_count(a) && mvfs__links_count(b) &&
	       mvfs__node_parent(a) != mvfs__node_parent(b);
}

static int on_node(void *arg, struct mvfs__obj *a, struct mvfs__obj *b)
{
	const struct mvfs__node *before = (const struct mvfs__node *)a;
	const struct mvfs__node *after = (const struct mvfs__node *)b;
	static const struct mvfs__trie empty;
	struct making *m = arg;
	int rc = before ? 0 : add_birth(m, after);

	if (rc || !mvfs__node_is_dir(before ? before : after))
		return rc;
	if (before && after && has_moved(before, after))
		m->record->moves_dir = true;
	m->dir = mvfs__node_ino(before ? before : after);
	return mvfs__trie_diff(before ? &before->u.dir : &empty,
			       after ? &after->u.dir : &empty, on_entry, m);
}

int mvfs__record_make(const struct mvfs__point *before,
		      const struct mvfs__point *point,
		      struct mvfs__record **out)
{
	struct making m = { .dir = 0 };
	int rc;

	*out = NULL;
	m.record = mvfs__calloc(1, sizeof(*m.record));
	if (!m.record)
		return -ENOMEM;
	m.record->point = point;
	rc = mvfs__trie_diff(&before->nodes, &point->nodes, on_node, &m);
	if (rc || !m.record->slots)
		mvfs__record_free(m.record);
	else
		*out = m.record;
	return rc;
}

void mvfs__record_free(struct mvfs__record *record)
{
	mvfs__free(record->slot);
	mvfs__free(record->born);
	mvfs__free(record);
}

static bool gave_birth_to(const struct mvfs__record *r, uint64_t ino)
{
	size_t i;

	for (i = 0; i < r->births; i++)
		if (mvfs__node_ino(r->born[i]) == ino)
			return true;
	return false;
}

static bool touches(const struct mvfs__record *r, uint64_t dir)
{
	size_t i;

	for (i = 0; i < r->slots; i++)
		if (r->slot[i].dir == dir)
			return true;
	return false;
}

/* A directory that the record takes away. */
static bool ends(const struct mvfs__record *r, const struct mvfs__entry *entry)
{
	size_t i;

	if (!entry || entry->type != mvfs__mode_type(S_IFDIR))
		return false;
	for (i = 0; i < r->slots; i++)
		if (r->slot[i].after && r->slot[i].after->ino == entry->ino)
			return false;
	return true;
}

bool mvfs__record_depends(const struct mvfs__record *later,
			  const struct mvfs__record *earlier)
{
	const struct mvfs__slot *slot;
	size_t i, j;

	if (later->moves_dir && earlier->moves_dir)
		return true;
	for (i = 0; i < later->slots; i++) {
		slot = &later->slot[i];
		if (gave_birth_to(earlier, slot->dir) ||
		    (slot->after && gave_birth_to(earlier, slot->after->ino)))
			return true;
		if (ends(later, slot->before) &&
		    touches(earlier, slot->before->ino))
			return true;
		for (j = 0; j < earlier->slots; j++)
			if (slot->dir == earlier->slot[j].dir &&
			    slot->hash == earlier->slot[j].hash)
				return true;
	}
	return false;
}
