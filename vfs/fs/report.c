/* SPDX-License-Identifier: MIT */
/*
 * What is still open, and what is closed twice, each with the place in the
 * program that opened it.
 *
 * A place is one pointer to a text of the caller's, such as "file.c:12": the
 * thread has the one that is in force, and what is opened keeps a copy of the
 * pointer. So a view, a listing and a lock have a word for it that is stored
 * in any case; descriptors have an array, made when the first place is told
 * or reports are asked for, for it has to outlive the open file: it is what
 * tells that a descriptor is closed twice. (Arguments of each opening call
 * were rejected: they would double the calls, and not reach what opens on
 * behalf of another, as a stream does.)
 *
 * All that is to be told is gathered under the lock, as texts of our own, and
 * told without it; at the end of an instance, when that is gone.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "vfs/fs/listing.h"
#include "vfs/fs/op.h"

/* One of the gathered; `path` and `line` are places in the texts. */
struct told {
	struct mvfs_report report;
	size_t path, line;
	bool gone; /* not to be told after all */
};

/* How a line says it. */
struct wording {
	const char *thing, *state, *opened;
};

static void add_place(struct mvfs__grow *texts, const char *verb,
		      const char *place)
{
	if (!place)
		return;
	mvfs__grow_text(texts, ", ");
	mvfs__grow_text(texts, verb);
	mvfs__grow_text(texts, " at ");
	mvfs__grow_text(texts, place);
}

/* Of an inode, or of nothing (0). */
static void add(struct mvfs__reports *r, const struct mvfs__fs *fs,
		const struct mvfs_report *report, uint64_t ino,
		const struct wording *say)
{
	const struct mvfs__origin all = mvfs__fs_whole_tree(fs);
	const struct mvfs__node *node = ino ? mvfs__table_get(&fs->table, ino) :
					      NULL;
	struct told told = { .report = *report, .path = r->texts.len };
	char buffer[MVFS__PATH_MAX], *path = buffer;

	if (!node || mvfs__path_link(&all, node, 0, buffer, sizeof(buffer),
				     &path))
		*(path = buffer) = 0;
	mvfs__grow_add(&r->texts, path, strlen(path) + 1);
	told.line = r->texts.len;
	mvfs__grow_text(&r->texts, say->thing);
	if (ino) {
		mvfs__grow_text(&r->texts, " of ");
		mvfs__grow_text(&r->texts, *path ? path :
						   "a file without a name");
	}
	mvfs__grow_text(&r->texts, say->state);
	add_place(&r->texts, say->opened, report->opened);
	add_place(&r->texts, "closed", report->closed);
	add_place(&r->texts, "closed again", report->again);
	mvfs__grow_add(&r->texts, "", 1);
	mvfs__grow_add(&r->told, &told, sizeof(told));
}

static void add_descriptors(struct mvfs__reports *r, const struct mvfs__fs *fs)
{
	const struct mvfs__fds *fds = &fs->fds;
	struct mvfs_report report = { .what = MVFS_REPORT_FILE };
	char thing[40];
	const struct wording say = { thing, " is still open", "opened" };
	size_t fd;

	for (fd = 0; fd < fds->capacity; fd++) {
		if (!fds->file[fd])
			continue;
		report.fd = (int)fd;
		report.opened = fds->places ? fds->places[fd].opened : NULL;
		snprintf(thing, sizeof(thing), "descriptor %zu", fd);
		add(r, fs, &report, fds->file[fd]->ino, &say);
	}
}

static void add_listings(struct mvfs__reports *r, const struct mvfs__fs *fs)
{
	struct mvfs_report report = { .what = MVFS_REPORT_LISTING, .fd = -1 };
	const struct wording say = {
		"a listing", " is still open", "opened"
	};
	const struct mvfs_dir *dir;

	for (dir = fs->dirs; dir; dir = dir->after) {
		report.opened = dir->place;
		add(r, fs, &report, dir->ino, &say);
	}
}

static void say_lock(char *to, size_t size,
		     const struct mvfs__range_lock *lock)
{
	const char *type = lock->type == MVFS__READ_LOCK ? "read" : "write";
	int len;

	if (lock->space == MVFS__FLOCK) {
		snprintf(to, size, "%s flock",
			 lock->type == MVFS__READ_LOCK ? "a shared" :
							 "an exclusive");
		return;
	}
	len = snprintf(to, size, "a %s lock from byte %" PRIu64, type,
		       lock->start);
	if (lock->end != UINT64_MAX)
		snprintf(to + len, size - (size_t)len, " to %" PRIu64,
			 lock->end);
}

static void add_locks(struct mvfs__reports *r, const struct mvfs__fs *fs)
{
	struct mvfs_report report = { .what = MVFS_REPORT_LOCK, .fd = -1 };
	char thing[100];
	const struct wording say = { thing, " is still held", "set" };
	const struct mvfs__range_lock *lock;
	const struct mvfs__hold *hold;

	for (hold = fs->table.holds; hold; hold = hold->hh.next)
		for (lock = hold->locks; lock; lock = lock->next) {
			report.opened = lock->place;
			say_lock(thing, sizeof(thing), lock);
			add(r, fs, &report, hold->ino, &say);
		}
}

/* Other views, and what adapters have open. */
static void add_views(struct mvfs__reports *r, const struct mvfs__fs *fs,
		      const struct mvfs *self)
{
	static const struct wording say_view = {
		"a view", " is still there", "made"
	}, say_mount = {
		"a mount", " is still there", "made"
	}, say_file = {
		"a mount's file", " is still open", "opened"
	};
	struct mvfs_report report = { .fd = -1 };
	const struct mvfs_file *file;
	const struct mvfs *view;

	for (view = fs->all_views; view; view = view->next) {
		if (view == self)
			continue;
		report.opened = view->place;
		report.what = view->attached ? MVFS_REPORT_MOUNT :
					       MVFS_REPORT_VIEW;
		add(r, fs, &report, 0, view->attached ? &say_mount : &say_view);
		report.opened = NULL;
		report.what = MVFS_REPORT_FILE;
		for (file = view->files; file; file = file->next)
			add(r, fs, &report, file->ino, &say_file);
	}
}

/* The instance that strings are gathered of. */
struct gathering {
	struct mvfs__reports *reports;
	const struct mvfs__fs *fs;
};

static void add_string(void *ctx, uint64_t ino, const char *place,
		       size_t *number)
{
	static const struct wording say = {
		"a string", " is still held", "read"
	};
	const struct gathering *g = ctx;
	const struct mvfs_report report = {
		.what = MVFS_REPORT_STRING, .fd = -1, .opened = place,
	};

	add(g->reports, g->fs, &report, ino, &say);
	*number = g->reports->told.len / sizeof(struct told);
}

static struct told *told_at(const struct mvfs__reports *r, size_t i)
{
	return (struct told *)(void *)r->told.bytes + i;
}

static void still_held(void *ctx, uint64_t ino, const char *place,
		       size_t *number)
{
	(void)ino;
	(void)place;
	if (*number)
		told_at(ctx, *number - 1)->gone = false;
}

/* The files of the tree itself may have held them. */
void mvfs__reports_recheck(struct mvfs__reports *r, struct mvfs__held *held)
{
	size_t i;

	if (!r->fn || r->told.failed || r->texts.failed)
		return;
	for (i = 0; i < r->told.len / sizeof(struct told); i++)
		told_at(r, i)->gone =
			told_at(r, i)->report.what == MVFS_REPORT_STRING;
	mvfs__held_each(held, still_held, r);
}

void mvfs__reports_gather(struct mvfs__reports *r, const struct mvfs *view)
{
	const struct mvfs__fs *fs = view->fs;
	struct gathering g = { r, fs };

	r->fn = fs->report;
	r->ctx = fs->report_ctx;
	add_descriptors(r, fs);
	add_listings(r, fs);
	add_locks(r, fs);
	add_views(r, fs, view);
	if (fs->held)
		mvfs__held_each(fs->held, add_string, &g);
}

int mvfs__reports_tell(struct mvfs__reports *r)
{
	size_t i, count = r->told.len / sizeof(struct told);
	int rc = r->told.failed || r->texts.failed ? -ENOMEM : (int)count;
	struct told *told;

	for (i = 0; rc > 0 && r->fn && i < count; i++) {
		told = told_at(r, i);
		told->report.path = r->texts.bytes + told->path;
		told->report.line = r->texts.bytes + told->line;
		if (!told->gone)
			r->fn(r->ctx, &told->report);
	}
	mvfs__grow_free(&r->told);
	mvfs__grow_free(&r->texts);
	return rc;
}

void mvfs__reports_tell_or_say(struct mvfs__reports *r)
{
	static const struct mvfs_report lost = {
		.what = MVFS_REPORT_LOST, .fd = -1, .path = "",
		.line = "out of memory: what is still open cannot be told",
	};

	if (mvfs__reports_tell(r) < 0 && r->fn)
		r->fn(r->ctx, &lost);
}

int mvfs__fs_each_open(mvfs *view, mvfs_report_fn *fn, void *ctx)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__reports r = { .fn = NULL };
	struct mvfs__op op;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_STAT);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_shared(&op);
	mvfs__reports_gather(&r, view);
	mvfs__op_unlock(&op);
	mvfs__op_end(&op, 0);
	r.fn = fn;
	r.ctx = ctx;
	return mvfs__reports_tell(&r);
}

/* Strings of calls that begin from now on are told of, or not. 0, -ENOMEM. */
static int hold_strings(struct mvfs__fs *fs, bool wanted)
{
	if (wanted && !fs->held)
		fs->held = mvfs__held_new();
	if (wanted && !fs->held)
		return -ENOMEM;
	if (wanted)
		atomic_fetch_or(&fs->listening, MVFS__EAR_STRINGS);
	else
		atomic_fetch_and(&fs->listening,
				 ~(unsigned)MVFS__EAR_STRINGS);
	return 0;
}

int mvfs__fs_set_report(mvfs *view, unsigned flags, mvfs_report_fn *fn,
			void *ctx)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__op op;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_STAT);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_exclusive(&op);
	if (fn)
		rc = mvfs__fds_keep_places(&op.fs->fds);
	if (!rc)
		rc = hold_strings(op.fs, fn && (flags & MVFS_REPORT_STRINGS));
	if (!rc) {
		op.fs->report = fn;
		op.fs->report_ctx = ctx;
	}
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

/* The place of a descriptor that is free and once was not; or NULL. */
static const struct mvfs__fd_place *place_of_closed(const struct mvfs__fds *fds,
						    int fd)
{
	if (!fds->places || fd < 0 || (size_t)fd >= fds->capacity ||
	    fds->file[fd] || !fds->places[fd].ino)
		return NULL;
	return &fds->places[fd];
}

void mvfs__fs_report_again(const struct mvfs__from *from, int fd)
{
	struct mvfs_report report = { .what = MVFS_REPORT_CLOSED, .fd = fd };
	char thing[40];
	const struct wording say = { thing, " is not open", "opened" };
	const struct mvfs__fd_place *place;
	struct mvfs__reports r = { .fn = NULL };
	struct mvfs__op op;

	(void)mvfs__op_begin_aside(&op, from, MVFS__OP_STAT);
	mvfs__op_shared(&op);
	place = op.fs->report ? place_of_closed(&op.fs->fds, fd) : NULL;
	if (place) {
		r.fn = op.fs->report;
		r.ctx = op.fs->report_ctx;
		report.opened = place->opened;
		report.closed = place->closed;
		report.again = op.self->here;
		snprintf(thing, sizeof(thing), "descriptor %d", fd);
		add(&r, op.fs, &report, place->ino, &say);
	}
	mvfs__op_unlock(&op);
	mvfs__op_end(&op, 0);
	mvfs__reports_tell_or_say(&r);
}
