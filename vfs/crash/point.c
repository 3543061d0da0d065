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

void mvfs__point_durable(const struct mvfs__point *point, uint64_t ino,
			 struct mvfs__content *content)
{
	const struct mvfs__node *node = NULL;

	mvfs__content_init(content);
	for (; point; point = point->before) {
		if (point->durable == MVFS__DURABLE_ALL || !point->before)
			node = (const struct mvfs__node *)mvfs__trie_get(
				&point->nodes, ino);
		else if (point->synced &&
			 point->durable != MVFS__DURABLE_FORGOTTEN &&
			 mvfs__node_ino(point->synced) == ino)
			node = point->synced;
		if (node || point->durable == MVFS__DURABLE_ALL)
			break;
	}
	if (node && mvfs__node_is_reg(node))
		mvfs__content_share(&node->u.content, content);
}
