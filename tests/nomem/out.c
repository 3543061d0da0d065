/* SPDX-License-Identifier: MIT */
/* What a call stored in a world's `out`: all that is not as it was. */
#include "config.h"

#include "tests/nomem/nomem.h"

#include <string.h>

#include "tests/expect.h"
#include "vfs/fs/instance.h"

#define STORED(w, member) \
	(memcmp(&(w)->out.member, &(w)->fresh.member, \
		sizeof((w)->out.member)) != 0)

static void add_view(struct text *text, struct world *w)
{
	dump_view(text, "made", w->out.view);
	if (w->out.view->fs != w->fs->fs)
		dump_instance(text, w, w->out.view);
}

/* What it is, a clone tells. */
static void add_snapshot(struct text *text, struct world *w)
{
	mvfs *clone;

	ok(mvfs_snapshot_clone(w->out.snapshot, &clone));
	dump_instance(text, w, clone);
	ok(mvfs_destroy(clone));
}

static void add_dir(struct text *text, struct mvfs_dir *dir)
{
	struct mvfs_dirent entry;

	while (mvfs_readdir(dir, &entry) == 1)
		text_add(text, "listed %s %llu\n", entry.name,
			 (unsigned long long)entry.ino);
}

static void add_extents(struct text *text, const struct world *w)
{
	const struct mvfs_extent *e;
	size_t i;

	for (i = 0; i < 8 && STORED(w, extents[i]); i++) {
		e = &w->out.extents[i];
		text_add(text, "extent %zu", e->len);
		if (e->base)
			dump_bytes(text, "of", e->base, e->len);
		text_add(text, "\n");
	}
}

static void add_small(struct text *text, const struct world *w)
{
	const struct out *out = &w->out;
	const struct mvfs_statfs *statfs = &out->statfs;
	size_t i;

	if (STORED(w, st)) {
		text_add(text, "stat");
		dump_stat(text, &out->st);
		text_add(text, "\n");
	}
	if (STORED(w, statfs))
		text_add(text, "statfs %llu %llu %llu %llu\n",
			 (unsigned long long)statfs->blocks,
			 (unsigned long long)statfs->blocks_used,
			 (unsigned long long)statfs->inodes,
			 (unsigned long long)statfs->inodes_used);
	if (STORED(w, lock))
		text_add(text, "lock %d %d %lld %lld\n", out->lock.type,
			 out->lock.whence, (long long)out->lock.start,
			 (long long)out->lock.len);
	for (i = 0; i < 8 && STORED(w, entries[i]); i++)
		text_add(text, "entry %s %llu %d\n", out->entries[i].name,
			 (unsigned long long)out->entries[i].ino,
			 out->entries[i].type);
	text_add(text, "offsets %lld %lld %lld %lld\n",
		 (long long)out->in_offset, (long long)out->out_offset,
		 (long long)out->in_block, (long long)out->out_block);
	if (STORED(w, created))
		text_add(text, "created %d\n", out->created);
}

void dump_out(struct text *text, struct world *w)
{
	const struct out *out = &w->out;

	text->len = 0;
	add_small(text, w);
	add_extents(text, w);
	dump_bytes(text, "bytes", out->bytes, sizeof(out->bytes));
	if (STORED(w, string)) {
		dump_bytes(text, "string", out->string.data, out->string.len);
		text_add(text, " flags %u", out->string.flags);
	}
	if (STORED(w, lines))
		dump_lines(text, &out->lines);
	if (STORED(w, memory))
		dump_bytes(text, "memory", out->memory, strlen(out->memory));
	if (STORED(w, error))
		text_add(text, " error %d %d %llu %llu %s", out->error.code,
			 out->error.reason,
			 (unsigned long long)out->error.offset,
			 (unsigned long long)out->error.length,
			 out->error.message);
	if (STORED(w, file))
		text_add(text, " file %llu %o",
			 (unsigned long long)out->file->ino,
			 (unsigned)out->file->flags);
	text_add(text, " walked %llx\n", (unsigned long long)w->walked);
	if (STORED(w, view))
		add_view(text, w);
	if (STORED(w, snapshot))
		add_snapshot(text, w);
	if (STORED(w, dir))
		add_dir(text, w->out.dir);
}
