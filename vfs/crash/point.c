/* SPDX-License-Identifier: MIT */
/* Points: see crash.h. */
#include "config.h"

#include "vfs/crash/crash.h"
#include "vfs/mem/mem.h"

struct mvfs__point *mvfs__point_new(void)
{
	struct mvfs__point *point = mvfs__calloc(1, sizeof(*point));

	if (point)
		mvfs__obj_init(&point->obj, MVFS__POINT);
	return point;
}

void mvfs__point_free(struct mvfs__obj *obj, struct mvfs__bin *bin)
{
	struct mvfs__point *point = (struct mvfs__point *)obj;

	assert(obj->kind == MVFS__POINT);
	mvfs__trie_clear(&point->nodes, bin);
	mvfs__trie_clear(&point->orphans, bin);
	if (point->synced)
		mvfs__obj_drop(&point->synced->obj, bin);
	if (point->before)
		mvfs__obj_drop(&point->before->obj, bin);
	mvfs__free(point);
}

void mvfs__point_add(struct mvfs__point **head, struct mvfs__point *point,
		     struct mvfs__table *table, struct mvfs__node *synced)
{
	if (synced)
		mvfs__obj_retain(&synced->obj);
	point->synced = synced;
	point->before = *head;
	point->next_ino = table->next_ino;
	if (*head) {
		point->obj.key = (*head)->obj.key + 1;
		point->session = (*head)->session;
	}
	mvfs__table_share_nodes(table, &point->nodes);
	*head = point;
}

int mvfs__point_orphans(struct mvfs__point *point,
			const struct mvfs__table *table,
			struct mvfs__bin *bin)
{
	const struct mvfs__hold *hold = table->orphans ? table->holds : NULL;
	int rc = 0;

	for (; hold && !rc; hold = hold->hh.next) {
		if (!hold->orphan || !hold->orphan->linkable)
			continue;
		mvfs__obj_retain(&hold->orphan->obj);
		rc = mvfs__trie_put(&point->orphans, &hold->orphan->obj, bin);
		if (rc)
			mvfs__obj_drop(&hold->orphan->obj, bin);
	}
	if (rc)
		mvfs__trie_clear(&point->orphans, bin);
	return rc;
}

/* The node of a point at which all is durable, or NULL. */
static const struct mvfs__node *durable_at(const struct mvfs__point *point,
					   uint64_t ino)
{
	const struct mvfs__obj *obj = mvfs__trie_get(&point->nodes, ino);

	if (!obj)
		obj = mvfs__trie_get(&point->orphans, ino);
	return (const struct mvfs__node *)obj;
}

void mvfs__point_durable(const struct mvfs__point *point, uint64_t ino,
			 struct mvfs__content *content)
{
	const struct mvfs__node *node = NULL;

	mvfs__content_init(content);
	for (; point; point = point->before) {
		if (point->durable == MVFS__DURABLE_ALL || !point->before)
			node = durable_at(point, ino);
		else if (point->synced &&
			 point->durable != MVFS__DURABLE_FORGOTTEN &&
			 mvfs__node_ino(point->synced) == ino)
			node = point->synced;
		if (node)
			break;
	}
	if (node && mvfs__node_is_reg(node))
		mvfs__content_share(&node->u.content, content);
}
