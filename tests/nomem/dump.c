/* SPDX-License-Identifier: MIT */
/*
 * A world as text, without a number that only this process has. Names and
 * attributes are asked for as a program would, so that what is cached is
 * believed or not as there; the rest is read from the inside, for a dump that
 * opened files would change what it looks at.
 */
#include "config.h"

#include "tests/nomem/nomem.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vfs/fs/instance.h"
#include "vfs/node/xattr.h"

struct dumper {
	struct text *text;
	struct world *w;
	mvfs *view;
};

/* Eight bytes at a time: files are large, and nobody attacks. */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len)
{
	const char *at = bytes;
	uint64_t word;
	size_t part;

	for (; len; at += part, len -= part) {
		part = len < sizeof(word) ? len : sizeof(word);
		word = len;
		memcpy(&word, at, part);
		hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 29;
	}
	return hash;
}

void dump_bytes(struct text *text, const char *what, const void *bytes,
		size_t len)
{
	text_add(text, " %s %zu:%llx", what, len,
		 (unsigned long long)hash_bytes(len, bytes, len));
}

static void add_time(struct text *text, const struct mvfs_time *time)
{
	text_add(text, " %lld.%d", (long long)time->sec, (int)time->nsec);
}

void dump_stat(struct text *text, const struct mvfs_stat *st)
{
	text_add(text, " ino %llu mode %o nlink %u uid %u gid %u rdev %llx"
		 " size %llu blocks %llu of %u times",
		 (unsigned long long)st->ino, st->mode, st->nlink, st->uid,
		 st->gid, (unsigned long long)st->rdev,
		 (unsigned long long)st->size, (unsigned long long)st->blocks,
		 st->blksize);
	add_time(text, &st->atime);
	add_time(text, &st->mtime);
	add_time(text, &st->ctime);
	add_time(text, &st->btime);
}

/* Where the data are, and what. */
static void add_content(struct text *text, const struct mvfs__content *c)
{
	static char bytes[65536];
	int64_t at, end = 0;
	uint64_t hash, got;

	mvfs__content_check(c);
	while ((at = mvfs__content_seek_data(c, (uint64_t)end)) >= 0) {
		end = mvfs__content_seek_hole(c, (uint64_t)at);
		text_add(text, " data %lld-%lld", (long long)at,
			 (long long)end);
		for (hash = 0; at < end; at += (int64_t)got) {
			got = mvfs__min64(sizeof(bytes),
					  (uint64_t)(end - at));
			mvfs__content_copy_out(c, (uint64_t)at, bytes, got);
			hash = hash_bytes(hash, bytes, (size_t)got);
		}
		text_add(text, ":%llx", (unsigned long long)hash);
	}
}

struct xattrs {
	struct text *text;
	const struct mvfs__obj *list;
};

static void add_xattr(void *arg, const char *name, size_t len)
{
	struct xattrs *x = arg;
	const void *value;
	int64_t size = mvfs__xattr_get(x->list, name, &value);

	(void)len;
	if (size < 0)
		text_add(x->text, " %s lost", name);
	else
		dump_bytes(x->text, name, value, (size_t)size);
}

static void add_node(struct text *text, const struct mvfs__node *node)
{
	struct xattrs xattrs = { text, node->xattrs };
	struct mvfs__link link;
	size_t i;

	for (i = 0; i < mvfs__links_count(node); i++) {
		link = mvfs__links_get(node, i);
		text_add(text, " in %llu as %llx",
			 (unsigned long long)link.parent,
			 (unsigned long long)link.key);
	}
	mvfs__xattr_each(node->xattrs, add_xattr, &xattrs);
	if (mvfs__node_is_reg(node))
		add_content(text, &node->u.content);
	if (mvfs__node_is_lnk(node))
		dump_bytes(text, "target", node->u.target->bytes,
			   (size_t)node->u.target->len);
	text_add(text, " linkable %u\n", node->linkable);
}

static int add_entry(void *ctx, const struct mvfs_walk_entry *entry)
{
	struct dumper *d = ctx;
	struct mvfs_stat st;
	int rc = mvfs_lstat(d->view, entry->path, &st);

	text_add(d->text, "%s", entry->path);
	if (rc) {
		text_add(d->text, " stat %d\n", rc);
		return 0;
	}
	dump_stat(d->text, &st);
	add_node(d->text, mvfs__table_get(&d->view->fs->table, st.ino));
	return 0;
}

static int by_ino(const void *a, const void *b)
{
	const struct mvfs__hold *x = *(struct mvfs__hold *const *)a;
	const struct mvfs__hold *y = *(struct mvfs__hold *const *)b;

	return x->ino < y->ino ? -1 : x->ino > y->ino;
}

/* A serial of this process as what it belongs to. */
static void add_owner(struct dumper *d, const char *what, uint64_t serial)
{
	const struct mvfs__fds *fds = &d->view->fs->fds;
	size_t i;

	for (i = 0; i < fds->capacity; i++)
		if (fds->file[i] && fds->file[i]->serial == serial) {
			text_add(d->text, " %s fd %zu", what, i);
			return;
		}
	for (i = 0; i < FILES; i++)
		if (d->w->file[i] && d->w->file[i]->serial == serial) {
			text_add(d->text, " %s file %zu", what, i);
			return;
		}
	text_add(d->text, " %s view %s", what,
		 serial == d->w->fs->serial ? "fs" :
		 d->w->user && serial == d->w->user->serial ? "user" :
		 "unknown");
}

static void add_locks(struct dumper *d, const struct mvfs__range_lock *lock)
{
	for (; lock; lock = lock->next) {
		text_add(d->text, "\tlock %d %d %llx-%llx", lock->space,
			 lock->type, (unsigned long long)lock->start,
			 (unsigned long long)lock->end);
		if (lock->kind == MVFS__OF_ADAPTER)
			text_add(d->text, " of %llu",
				 (unsigned long long)lock->owner);
		else
			add_owner(d, "of", lock->owner);
		add_owner(d, "by", lock->via);
		text_add(d->text, "\n");
	}
}

/* What is held, and what has no name any more. */
static void add_holds(struct dumper *d)
{
	struct mvfs__table *table = &d->view->fs->table;
	unsigned i, count = HASH_COUNT(table->holds);
	struct mvfs__hold *hold, **sorted = calloc(count + 1, sizeof(*sorted));
	struct mvfs_stat st;

	if (!sorted)
		abort();
	for (i = 0, hold = table->holds; hold; hold = hold->hh.next)
		sorted[i++] = hold;
	qsort(sorted, count, sizeof(*sorted), by_ino);
	for (i = 0; i < count; i++) {
		hold = sorted[i];
		text_add(d->text, "held %llu %llu times",
			 (unsigned long long)hold->ino,
			 (unsigned long long)hold->count);
		if (hold->orphan) {
			mvfs__node_check(hold->orphan);
			mvfs__node_stat(hold->orphan, &st);
			dump_stat(d->text, &st);
			add_node(d->text, hold->orphan);
		} else {
			text_add(d->text, "\n");
		}
		add_locks(d, hold->locks);
	}
	free(sorted);
}

static void add_file(struct text *text, const struct mvfs_file *file)
{
	text_add(text, " ino %llu offset %llu flags %o refs %u\n",
		 (unsigned long long)file->ino,
		 (unsigned long long)file->offset, (unsigned)file->flags,
		 file->refs);
}

static void add_fds(struct dumper *d)
{
	const struct mvfs__fds *fds = &d->view->fs->fds;
	size_t i;

	for (i = 0; i < fds->capacity; i++) {
		if (!fds->file[i])
			continue;
		text_add(d->text, "fd %zu", i);
		add_owner(d, "as", fds->file[i]->serial);
		add_file(d->text, fds->file[i]);
	}
}

static void add_limits(struct dumper *d)
{
	struct mvfs__fs *fs = d->view->fs;
	struct mvfs__clock *clock = atomic_load(&fs->clock);
	struct mvfs_statfs st;
	struct mvfs_time now = { 0, 0, 0 };

	(void)mvfs_statfs(d->view, &st);
	if (clock && clock->fn)
		now = clock->fn(clock->ctx);
	text_add(d->text, "blocks %llu of %llu inodes %llu of %llu views %u"
		 " attached %u confined %d now",
		 (unsigned long long)st.blocks_used,
		 (unsigned long long)st.blocks,
		 (unsigned long long)st.inodes_used,
		 (unsigned long long)st.inodes, fs->views, fs->attached,
		 fs->confined);
	add_time(d->text, &now);
	text_add(d->text, "\n");
}

void dump_instance(struct text *text, struct world *w, mvfs *view)
{
	struct dumper d = { text, w, view };

	add_limits(&d);
	text_add(text, "walk %d\n", mvfs_walk(view, "/", 0, add_entry, &d));
	add_holds(&d);
	add_fds(&d);
}

void dump_view(struct text *text, const char *name, mvfs *view)
{
	struct mvfs_file *file;
	struct mvfs__pin *pin;
	size_t i;

	text_add(text, "view %s", name);
	if (!view) {
		text_add(text, " gone\n");
		return;
	}
	text_add(text, " uid %u gid %u umask %o root %llu cwd %llu groups",
		 view->uid, view->gid, atomic_load(&view->umask),
		 (unsigned long long)view->root, (unsigned long long)view->cwd);
	for (i = 0; i < view->group_count; i++)
		text_add(text, " %u", view->groups[i]);
	text_add(text, "\n");
	for (pin = view->pins; pin; pin = pin->hh.next)
		text_add(text, "\tpinned %llu %llu times\n",
			 (unsigned long long)pin->ino,
			 (unsigned long long)pin->count);
	for (file = view->files; file; file = file->next) {
		text_add(text, "\tfile");
		add_file(text, file);
	}
}

/* All names, then back to where it was. */
static void add_listing(struct text *text, const struct world *w)
{
	struct mvfs_dirent entry;
	uint64_t cookie = w->cookie;

	while (mvfs_readdir(w->dir, &entry) == 1)
		text_add(text, "rest %s\n", entry.name);
	text_add(text, "listing %d\n", mvfs_seekdir(w->dir, 0));
	while (mvfs_readdir(w->dir, &entry) == 1)
		text_add(text, "listed %s %llu %llx\n", entry.name,
			 (unsigned long long)entry.ino,
			 (unsigned long long)entry.cookie);
	(void)mvfs_seekdir(w->dir, cookie);
}

void dump_lines(struct text *text, const struct mvfs_lines *lines)
{
	size_t i;

	for (i = 0; i < lines->count; i++) {
		dump_bytes(text, "line", lines->line[i].data,
			   lines->line[i].len);
		text_add(text, "\n");
	}
}

static void add_string(struct text *text, const struct mvfs_string *s)
{
	text_add(text, "string");
	dump_bytes(text, "of", s->data, s->len);
	text_add(text, " flags %u\n", s->flags);
}

static void add_shared(struct text *text, const struct world *w)
{
	size_t i;

	add_string(text, &w->string);
	add_string(text, &w->slice);
	add_string(text, &w->part);
	add_string(text, &w->lines.text);
	dump_lines(text, &w->lines);
	text_add(text, "freed %u\n", w->freed);
	for (i = 0; i < sizeof(w->strings) / sizeof(w->strings[0]); i++)
		add_string(text, &w->strings[i]);
	for (i = 0; i < w->extent_count; i++) {
		text_add(text, "extent %zu", w->extents[i].len);
		if (w->extents[i].base)
			dump_bytes(text, "of", w->extents[i].base,
				   w->extents[i].len);
		text_add(text, "\n");
	}
}

/* The lowest free descriptor of the host: none may be left open. */
static int lowest_free(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	close(fd);
	return fd;
}

void dump_world(struct text *text, struct world *w)
{
	text->len = 0;
	dump_instance(text, w, w->observer);
	dump_view(text, "fs", w->fs);
	dump_view(text, "user", w->user);
	dump_view(text, "stray", w->stray);
	dump_view(text, "adapter", w->adapter);
	if (w->dir)
		add_listing(text, w);
	add_shared(text, w);
	text_add(text, "host %d\n", lowest_free());
	if (w->clone) {
		text_add(text, "CLONE\n");
		dump_instance(text, w, w->clone);
	}
}
