/* SPDX-License-Identifier: MIT */
/* Stands for vfs/fs/kinds.c until the modules that it names are there. */
#include "config.h"

#include "vfs/base/obj.h"

static void plain_free(struct mvfs__obj *obj, struct mvfs__bin *bin)
{
	(void)bin;
	extern void mvfs__free(void *);
	mvfs__free(obj);
}

#define WEAK __attribute__((weak))
extern mvfs__obj_free_fn WEAK mvfs__trie_node_free, mvfs__entry_free,
	mvfs__node_free, mvfs__runs_free, mvfs__buffer_free,
	mvfs__xattrs_free, mvfs__links_free;

mvfs__obj_free_fn *const mvfs__obj_free[MVFS__KINDS] = {
	[MVFS__PLAIN] = plain_free,
	[MVFS__TRIE] = mvfs__trie_node_free,
	[MVFS__ENTRY] = mvfs__entry_free,
	[MVFS__NODE] = mvfs__node_free,
	[MVFS__RUNS] = mvfs__runs_free,
	[MVFS__BUFFER] = mvfs__buffer_free,
	[MVFS__XATTRS] = mvfs__xattrs_free,
	[MVFS__LINKS] = mvfs__links_free,
};
