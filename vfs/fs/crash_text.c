/* SPDX-License-Identifier: MIT */
/* What a state after a crash is made of, for people. */
#include "config.h"

#include <errno.h>

#include "vfs/content/string.h"
#include "vfs/event/words.h"
#include "vfs/fs/crash.h"
#include "vfs/fs/fs.h"
#include "vfs/mem/mem.h"

/* The path of a directory at that point; of what is gone, its number. */
static void add_dir(struct mvfs__crash *crash, const struct mvfs__point *point,
		    uint64_t ino, struct mvfs__grow *to)
{
	struct mvfs__still still = crash->still;
	const struct mvfs__node *node;

	still.nodes = point->nodes;
	node = mvfs__still_node(&still, ino);
	if (!node && point->before) {
		still.nodes = point->before->nodes;
		node = mvfs__still_node(&still, ino);
	}
	if (!node || (ino != MVFS__ROOT_INO && !mvfs__links_count(node)))
		mvfs__grow_format(to, "#%llu", (unsigned long long)ino);
	else if (ino != MVFS__ROOT_INO)
		(void)mvfs__still_path(&still, node, 0, to);
}

static void add_slot(struct mvfs__crash *crash,
		     const struct mvfs__point *point,
		     const struct mvfs__slot *slot, struct mvfs__grow *to)
{
	const struct mvfs__entry *entry = slot->after ? slot->after :
							slot->before;

	add_dir(crash, point, slot->dir, to);
	mvfs__grow_text(to, "/");
	mvfs__grow_add(to, entry->name, entry->len);
	if (!slot->after)
		mvfs__grow_text(to, " goes");
	else
		mvfs__grow_format(to, " is #%llu",
				  (unsigned long long)slot->after->ino);
}

static void add_record(struct mvfs__crash *crash,
		       const struct mvfs__record *record, struct mvfs__grow *to)
{
	size_t i;

	mvfs__grow_format(to, "%s of point %llu: %s: ",
			  mvfs__op_name(record->point->op),
			  (unsigned long long)record->point->obj.key,
			  record->chosen ? "kept" : "lost");
	for (i = 0; i < record->slots; i++) {
		mvfs__grow_text(to, i ? ", " : "");
		add_slot(crash, record->point, &record->slot[i], to);
	}
	mvfs__grow_text(to, "\n");
}

static const char *word_for(unsigned what)
{
	switch (what) {
	case MVFS_CRASH_LOST:
		return "lost";
	case MVFS_CRASH_KEPT:
		return "kept";
	case MVFS_CRASH_TORN:
		return "torn";
	default:
		return "garbage";
	}
}

static void add_doubt(struct mvfs__crash *crash,
		      const struct mvfs__doubt *doubt,
		      const struct mvfs__variant *variant,
		      struct mvfs__grow *to)
{
	const struct mvfs__node *node = doubt->dirty->newest;
	struct mvfs__still still = crash->still;

	mvfs__grow_format(to, "data of #%llu",
			  (unsigned long long)doubt->dirty->ino);
	still.nodes = crash->cut.point->nodes;
	node = mvfs__still_node(&still, mvfs__node_ino(node));
	if (node && mvfs__links_count(node)) {
		mvfs__grow_text(to, " (");
		(void)mvfs__still_path(&still, node, 0, to);
		mvfs__grow_text(to, ")");
	}
	mvfs__grow_format(to, ": %s", word_for(variant->what));
	if (variant->what == MVFS_CRASH_TORN)
		mvfs__grow_format(to, ", pattern %u", variant->which);
	mvfs__grow_format(to, ", of %zu sectors\n", doubt->sectors);
}

static int add_state(struct mvfs__crash *crash, uint64_t choice,
		     struct mvfs__grow *to)
{
	struct mvfs__cut *cut = &crash->cut;
	struct mvfs__variant *variant;
	size_t i;
	int rc = mvfs__cut_choose(cut, choice, &variant);

	if (rc)
		return rc;
	mvfs__grow_format(to, "power cut after point %llu (%s)\n",
			  (unsigned long long)cut->point->obj.key,
			  cut->point->before ?
			  mvfs__op_name(cut->point->op) : "start");
	for (i = 0; i < cut->pendings; i++)
		add_record(crash, cut->pending[i], to);
	for (i = 0; i < cut->doubts; i++)
		add_doubt(crash, &cut->doubt[i], &variant[i], to);
	mvfs__free(variant);
	return 0;
}

int mvfs__fs_crash_explain(mvfs *view,
			   const struct mvfs_crash_options *options,
			   const struct mvfs_crash_state *state,
			   struct mvfs_string *text)
{
	struct mvfs__grow to = { 0 };
	struct mvfs__crash crash;
	int rc = mvfs__crash_begin(view, options, &crash);

	if (rc)
		return rc;
	rc = mvfs__crash_go(&crash, state);
	if (!rc)
		rc = add_state(&crash, state ? state->choice : 0, &to);
	if (!rc)
		rc = to.failed ? -ENOMEM :
				 mvfs__string_copy(to.bytes, to.len, text);
	mvfs__grow_free(&to);
	mvfs__crash_end(&crash);
	return rc;
}
