/* SPDX-License-Identifier: MIT */
/* The one place that lists how a value of each kind ends. */
#include "config.h"

#include "vfs/content/content.h"
#include "vfs/crash/crash.h"
#include "vfs/dir/dir.h"
#include "vfs/fault/fault.h"
#include "vfs/mem/mem.h"
#include "vfs/node/node.h"

static void free_plain(struct mvfs__obj *obj, struct mvfs__bin *bin)
{
	(void)bin;
	mvfs__free(obj);
}

mvfs__obj_free_fn *const mvfs__obj_free[MVFS__KINDS] = {
	[MVFS__PLAIN] = free_plain,
	[MVFS__TRIE] = mvfs__trie_node_free,
	[MVFS__ENTRY] = mvfs__entry_free,
	[MVFS__NODE] = mvfs__node_free,
	[MVFS__RUNS] = mvfs__runs_free,
	[MVFS__BUFFER] = mvfs__buffer_free,
	[MVFS__XATTRS] = free_plain,
	[MVFS__LINKS] = mvfs__links_free,
	[MVFS__RULES] = mvfs__rules_free,
	[MVFS__POINT] = mvfs__point_free,
};
