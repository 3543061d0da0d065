/* SPDX-License-Identifier: MIT */
/* A cut goes from point to point: what is durable, pending, dirty there. */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "vfs/crash/crash.h"
#include "vfs/mem/hash.h"

enum {
	SECTOR = 512, SECTOR_MIN = 16, SECTOR_MAX = 65536, MAX_STATES = 256,
	SIZE_MIN = MVFS__UP_TO(struct mvfs_crash_options, seed)
};

int mvfs__crash_options(const struct mvfs_crash_options *given,
			struct mvfs_crash_options *options)
{
	const unsigned all = MVFS_CRASH_LOST | MVFS_CRASH_KEPT |
			     MVFS_CRASH_TORN | MVFS_CRASH_GARBAGE;
	struct mvfs_crash_options o = { .size = sizeof(o) };

	if (given && given->size < SIZE_MIN)
		return -EINVAL;
	if (given)
		memcpy(&o, given, mvfs__min64(given->size, sizeof(o)));
	if (!o.data)
		o.data = all & ~MVFS_CRASH_GARBAGE;
	if (!o.sector)
		o.sector = SECTOR;
	if (!o.max_states)
		o.max_states = MAX_STATES;
	if (o.policy > MVFS_CRASH_POSIX || (o.data & ~all) ||
	    o.failed_fsync > MVFS_CRASH_REVERTED || o.max_states < 2 ||
	    o.sector < SECTOR_MIN || o.sector > SECTOR_MAX ||
	    (o.sector & (o.sector - 1)))
		return -EINVAL;
	*options = o;
	return 0;
}

/* All that there is at the point is durable, what has no name yet as well. */
static int take_all(struct mvfs__cut *cut, const struct mvfs__point *point)
{
	const struct mvfs__obj *obj = mvfs__trie_next(&point->orphans, 0);
	const struct mvfs__node *node;
	int rc = 0;

	mvfs__table_init(&cut->durable.table);
	mvfs__trie_share(&point->nodes, &cut->durable.table.nodes);
	cut->durable.blocks = point->blocks;
	cut->durable.loose = NULL;
	cut->durable.loose_count = cut->durable.loose_capacity = 0;
	for (; obj && !rc; obj = mvfs__trie_next(&point->orphans,
						 obj->key + 1)) {
		node = (const struct mvfs__node *)obj;
		if (!mvfs__trie_get(&point->nodes, obj->key))
			rc = mvfs__found_set(&cut->durable, node,
					     &node->u.content, true,
					     &cut->bin);
	}
	return rc;
}

int mvfs__cut_begin(struct mvfs__cut *cut, const struct mvfs__point *first)
{
	cut->first = cut->point = first;
	return take_all(cut, first);
}

static void drop_dirty(struct mvfs__cut *cut, struct mvfs__dirty *dirty)
{
	HASH_DEL(cut->dirty, dirty);
	mvfs__content_clear(&dirty->forgotten, &cut->bin);
	mvfs__free(dirty->range);
	mvfs__free(dirty);
}

void mvfs__cut_end(struct mvfs__cut *cut)
{
	mvfs__cut_forget(cut);
	while (cut->pendings)
		mvfs__record_free(cut->pending[--cut->pendings]);
	while (cut->dirty)
		drop_dirty(cut, cut->dirty);
	mvfs__free(cut->pending);
	mvfs__found_clear(&cut->durable, &cut->bin);
	mvfs__bin_empty(&cut->bin);
}

static struct mvfs__dirty *find_dirty(const struct mvfs__cut *cut,
				      uint64_t ino)
{
	struct mvfs__dirty *dirty;

	HASH_FIND(hh, cut->dirty, &ino, sizeof(ino), dirty);
	return dirty;
}

static int make_dirty(struct mvfs__cut *cut, const struct mvfs__node *newest)
{
	struct mvfs__dirty *dirty = find_dirty(cut, mvfs__node_ino(newest));

	if (dirty) {
		dirty->newest = newest;
		return 0;
	}
	dirty = mvfs__calloc(1, sizeof(*dirty));
	if (!dirty)
		return -ENOMEM;
	dirty->ino = mvfs__node_ino(newest);
	dirty->count = 1;
	dirty->newest = newest;
	mvfs__content_init(&dirty->forgotten);
	HASH_ADD(hh, cut->dirty, ino, sizeof(dirty->ino), dirty);
	if (dirty->count)
		return 0;
	mvfs__free(dirty);
	return -ENOMEM;
}

static int on_node(void *arg, struct mvfs__obj *a, struct mvfs__obj *b)
{
	/* of one that ended, what it was last */
	return make_dirty(arg, (const struct mvfs__node *)(b ? b : a));
}

static int add_pending(struct mvfs__cut *cut, struct mvfs__record *record)
{
	size_t more = cut->pending_capacity ? cut->pending_capacity * 2 : 16;
	struct mvfs__record **grown;

	if (cut->pendings == cut->pending_capacity) {
		grown = mvfs__realloc(cut->pending, more * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		cut->pending = grown;
		cut->pending_capacity = more;
	}
	cut->pending[cut->pendings++] = record;
	return 0;
}

/* Whether a sync of the node makes the record durable by itself. */
static bool is_about(const struct mvfs__cut *cut,
		     const struct mvfs__record *record,
		     const struct mvfs__node *node)
{
	bool names = cut->options.policy == MVFS_CRASH_ORDERED;
	uint64_t ino = mvfs__node_ino(node);
	size_t i;

	for (i = 0; i < record->slots; i++) {
		if (record->slot[i].dir == ino)
			return true;
		if (names && record->slot[i].after &&
		    record->slot[i].after->ino == ino)
			return true;
	}
	return false;
}

/* Marks what the marked ones depend on. */
static void close_over(struct mvfs__cut *cut)
{
	size_t i, j;

	for (i = cut->pendings; i-- > 0;) {
		if (!cut->pending[i]->chosen)
			continue;
		for (j = 0; j < i; j++)
			if (!cut->pending[j]->chosen)
				cut->pending[j]->chosen =
					mvfs__record_depends(cut->pending[i],
							     cut->pending[j]);
	}
}

/* The marked ones are durable, and no longer pending. */
static int apply_chosen(struct mvfs__cut *cut)
{
	struct mvfs__record *record;
	size_t i, left = 0;
	int rc = 0;

	for (i = 0; i < cut->pendings; i++) {
		record = cut->pending[i];
		if (!record->chosen || rc) {
			cut->pending[left++] = record;
			continue;
		}
		rc = mvfs__found_apply(&cut->durable, record, &cut->bin);
		mvfs__record_free(record);
	}
	cut->pendings = left;
	return rc;
}

const struct mvfs__node *mvfs__cut_base(const struct mvfs__cut *cut,
					uint64_t ino)
{
	const struct mvfs__record *record;
	const struct mvfs__node *node;
	size_t i, j;

	node = mvfs__table_get(&cut->durable.table, ino);
	for (i = 0; i < cut->pendings && !node; i++) {
		record = cut->pending[i];
		for (j = 0; j < record->births && !node; j++)
			if (mvfs__node_ino(record->born[j]) == ino)
				node = record->born[j];
	}
	return node;
}

bool mvfs__cut_may_name(const struct mvfs__cut *cut, uint64_t ino)
{
	const struct mvfs__node *node;
	const struct mvfs__record *record;
	size_t i, j;

	node = mvfs__table_get(&cut->durable.table, ino);
	if (node && (mvfs__links_count(node) || ino == MVFS__ROOT_INO))
		return true;
	for (i = 0; i < cut->pendings; i++) {
		record = cut->pending[i];
		for (j = 0; j < record->slots; j++)
			if (record->slot[j].after &&
			    record->slot[j].after->ino == ino)
				return true;
	}
	return false;
}

/* Of what is loose, what can be found after a crash at no later point goes. */
static int prune(struct mvfs__cut *cut)
{
	struct mvfs__found_tree *tree = &cut->durable;
	size_t i, count = tree->loose_count, kept = 0;
	uint64_t *loose = tree->loose;
	struct mvfs__node *node;

	/* kept ones come to the front; the others are tidied away */
	for (i = 0; i < count; i++) {
		node = mvfs__table_get(&tree->table, loose[i]);
		if (!node || mvfs__links_count(node))
			continue;
		if (!mvfs__trie_get(&cut->point->nodes, loose[i]) &&
		    !node->linkable && !mvfs__cut_may_name(cut, loose[i])) {
			if (mvfs__found_remove(tree, loose[i], &cut->bin))
				return -ENOMEM;
			continue;
		}
		loose[kept++] = loose[i];
	}
	tree->loose_count = kept;
	return 0;
}

/* From now on these are taken for durable, until they are written again. */
static void forget_data(struct mvfs__cut *cut, struct mvfs__dirty *dirty,
			const struct mvfs__content *content)
{
	mvfs__content_clear(&dirty->forgotten, &cut->bin);
	mvfs__content_share(content, &dirty->forgotten);
	dirty->forgets = true;
	dirty->ranges = 0;
}

/* What the point wrote of a file is not forgotten any more. */
static int remember(struct mvfs__cut *cut, const struct mvfs__point *point)
{
	struct mvfs__dirty *dirty = find_dirty(cut, point->written);
	size_t more;
	void *grown;

	if (!point->written || !dirty || !dirty->forgets)
		return 0;
	if (dirty->ranges == dirty->range_capacity) {
		more = dirty->range_capacity ? dirty->range_capacity * 2 : 4;
		grown = mvfs__realloc(dirty->range,
				      more * sizeof(*dirty->range));
		if (!grown)
			return -ENOMEM;
		dirty->range = grown;
		dirty->range_capacity = more;
	}
	dirty->range[dirty->ranges++] = (struct mvfs__range){ point->from,
							      point->to };
	return 0;
}

/* The file, of which something is taken for durable, is synced as it is. */
static int sync_rest(struct mvfs__cut *cut, struct mvfs__dirty *dirty,
		     const struct mvfs__node *node, bool attributes)
{
	struct mvfs__content mixed;
	int rc;

	rc = mvfs__sectors_skip(mvfs__found_data(&cut->durable, dirty->ino),
				dirty, &node->u.content, &mixed, &cut->bin);
	if (rc)
		return rc;
	rc = mvfs__found_set(&cut->durable, node, &mixed, attributes,
			     &cut->bin);
	mvfs__content_clear(&mixed, &cut->bin);
	forget_data(cut, dirty, &node->u.content);
	return rc;
}

static int sync_data(struct mvfs__cut *cut, const struct mvfs__node *node,
		     bool attributes)
{
	struct mvfs__dirty *dirty = find_dirty(cut, mvfs__node_ino(node));
	int rc;

	if (dirty && dirty->forgets)
		return sync_rest(cut, dirty, node, attributes);
	rc = mvfs__found_set(&cut->durable, node, &node->u.content, attributes,
			     &cut->bin);
	if (!rc && dirty && attributes)
		drop_dirty(cut, dirty);
	return rc;
}

static int sync_node(struct mvfs__cut *cut, const struct mvfs__node *node,
		     enum mvfs__durable durable)
{
	bool attributes = durable == MVFS__DURABLE_FILE;
	const struct mvfs__node *base;
	size_t i;
	int rc = 0;

	for (i = 0; i < cut->pendings; i++)
		cut->pending[i]->chosen = is_about(cut, cut->pending[i], node);
	close_over(cut);
	/* one that no name is durable of has the attributes of its birth */
	base = mvfs__cut_base(cut, mvfs__node_ino(node));
	if (base && !mvfs__table_get(&cut->durable.table,
				     mvfs__node_ino(node)))
		rc = mvfs__found_born(&cut->durable, base, &cut->bin);
	if (!rc)
		rc = apply_chosen(cut);
	if (!rc)
		rc = sync_data(cut, node, attributes);
	return rc ? rc : prune(cut);
}

/* All names, and all files but what of them is taken for durable. */
static int sync_all(struct mvfs__cut *cut)
{
	struct mvfs__found_tree before = cut->durable;
	struct mvfs__dirty *dirty, *next;
	const struct mvfs__node *node;
	struct mvfs__content mixed;
	int rc;

	rc = take_all(cut, cut->point);
	while (cut->pendings)
		mvfs__record_free(cut->pending[--cut->pendings]);
	for (dirty = cut->dirty; dirty && !rc; dirty = next) {
		next = dirty->hh.next;
		node = mvfs__table_get(&cut->durable.table, dirty->ino);
		if (!dirty->forgets || !node) {
			drop_dirty(cut, dirty);
			continue;
		}
		rc = mvfs__sectors_skip(mvfs__found_data(&before, dirty->ino),
					dirty, &dirty->newest->u.content,
					&mixed, &cut->bin);
		if (rc)
			break;
		rc = mvfs__found_set(&cut->durable, dirty->newest, &mixed,
				     true, &cut->bin);
		mvfs__content_clear(&mixed, &cut->bin);
		forget_data(cut, dirty, &dirty->newest->u.content);
	}
	mvfs__found_clear(&before, &cut->bin);
	return rc;
}

/* The data in doubt are believed to be durable from now on. */
static void forget(struct mvfs__cut *cut, const struct mvfs__node *node)
{
	struct mvfs__dirty *dirty = find_dirty(cut, mvfs__node_ino(node));

	if (dirty && mvfs__node_is_reg(node))
		forget_data(cut, dirty, &node->u.content);
}

int mvfs__cut_step(struct mvfs__cut *cut, const struct mvfs__point *point)
{
	const struct mvfs__point *before = cut->point;
	struct mvfs__record *record;
	int rc;

	mvfs__cut_forget(cut);
	cut->point = point;
	rc = mvfs__record_make(before, point, &record);
	if (!rc && record) {
		rc = add_pending(cut, record);
		if (rc)
			mvfs__record_free(record);
	}
	if (!rc)
		rc = mvfs__trie_diff(&before->nodes, &point->nodes, on_node,
				     cut);
	if (!rc)
		rc = remember(cut, point);
	if (rc)
		return rc;
	switch (point->durable) {
	case MVFS__DURABLE_NOTHING:
		break;
	case MVFS__DURABLE_DATA:
	case MVFS__DURABLE_FILE:
		rc = sync_node(cut, point->synced, point->durable);
		break;
	case MVFS__DURABLE_ALL:
		rc = sync_all(cut);
		break;
	case MVFS__DURABLE_FORGOTTEN:
		forget(cut, point->synced);
		break;
	}
	return rc;
}
