/* SPDX-License-Identifier: MIT */
/* Writers: whatever changes the tree, and leaves its rules as they are. */
#include "config.h"

#include "tests/threads/storm.h"

static _Thread_local char buffer[RECORD_MAX];

void storm_path(struct worker *w, enum kind kind, bool stays,
		char path[PATH])
{
	snprintf(path, PATH, "/%s/%s%u", kind_dir[kind],
		 stays ? "stay" : "come",
		 (unsigned)below(&w->rng, stays ? STAY : COME));
}

enum kind storm_any_kind(struct worker *w)
{
	return (enum kind)below(&w->rng, KINDS);
}

/* The content of a new file of the kind, in `buffer`. */
static size_t make_content(struct worker *w, enum kind kind)
{
	size_t i;

	switch (kind) {
	case FIXED_SIZE:
		return record_make(w->number, FIXED, buffer).length;
	case SLOTTED:
		for (i = 0; i < SLOTS; i++)
			record_make(w->number, SLOT, buffer + i * SLOT);
		return SLOTS * SLOT;
	default:
		return record_make(w->number, record_length(&w->rng),
				   buffer).length;
	}
}

/* As bytes, or as a string whose memory the file takes a reference to. */
static void write_whole(struct worker *w, const char *path, size_t length)
{
	struct mvfs_string string;

	if (below(&w->rng, 2)) {
		done(mvfs_write_file(w->fs, path, buffer, length));
		return;
	}
	if (done(mvfs_string_copy(buffer, length, &string)))
		return;
	done(mvfs_write_string(w->fs, path, &string, NULL, NULL));
	mvfs_string_release(&string);
}

static void replace(struct worker *w)
{
	enum kind kind = storm_any_kind(w);
	char path[PATH];

	storm_path(w, kind, below(&w->rng, 2), path);
	write_whole(w, path, make_content(w, kind));
}

static void rename_over(struct worker *w)
{
	enum kind kind = storm_any_kind(w);
	char path[PATH], fresh[PATH];

	storm_path(w, kind, below(&w->rng, 4), path);
	snprintf(fresh, PATH, "/fresh%u", w->number);
	write_whole(w, fresh, make_content(w, kind));
	done(mvfs_rename(w->fs, fresh, path));
}

static void rename_any(struct worker *w)
{
	enum kind kind = storm_any_kind(w);
	bool stay = below(&w->rng, 2);
	char from[PATH], to[PATH];

	storm_path(w, kind, stay, from);
	storm_path(w, kind, stay || below(&w->rng, 2), to);
	if (stay)
		done(mvfs_renameat(w->fs, MVFS_AT_FDCWD, from, MVFS_AT_FDCWD,
				   to, MVFS_RENAME_EXCHANGE));
	else
		done_or(mvfs_rename(w->fs, from, to), ENOENT);
}

static void link_or_unlink(struct worker *w)
{
	enum kind kind = storm_any_kind(w);
	char from[PATH], to[PATH];

	storm_path(w, kind, true, from);
	storm_path(w, kind, false, to);
	if (below(&w->rng, 2))
		done_or(mvfs_unlink(w->fs, to), ENOENT);
	else
		done_or(mvfs_link(w->fs, from, to), EEXIST);
}

static void overwrite_in_place(struct worker *w)
{
	char path[PATH];
	unsigned i;
	int fd;

	storm_path(w, FIXED_SIZE, true, path);
	fd = (int)done(mvfs_open(w->fs, path, O_WRONLY, 0));
	for (i = 0; i < 4; i++) {
		record_make(w->number, FIXED, buffer);
		that(done(mvfs_pwrite(w->fs, fd, buffer, FIXED, 0)) == FIXED);
	}
	done(mvfs_close(w->fs, fd));
}

static void overwrite_slot(struct worker *w)
{
	char path[PATH];
	unsigned i, slot;
	int fd;

	storm_path(w, SLOTTED, true, path);
	fd = (int)done(mvfs_open(w->fs, path, O_RDWR, 0));
	for (i = 0; i < 4; i++) {
		slot = (unsigned)below(&w->rng, SLOTS);
		record_make(w->number, SLOT, buffer);
		that(done(mvfs_pwrite(w->fs, fd, buffer, SLOT,
				      (int64_t)slot * SLOT)) == SLOT);
	}
	done(mvfs_close(w->fs, fd));
}

static void append(struct worker *w)
{
	char path[PATH];
	struct mvfs_stat st;
	unsigned i;
	int64_t n;
	int fd;

	storm_path(w, LOG, below(&w->rng, 2), path);
	fd = (int)done(mvfs_open(w->fs, path, O_RDWR | O_APPEND | O_CREAT,
				 0644));
	for (i = 0; i < 4; i++) {
		n = (int64_t)make_content(w, LOG);
		that(done(mvfs_write(w->fs, fd, buffer, (size_t)n)) == n);
	}
	done(mvfs_fstat(w->fs, fd, &st));
	if (st.size > LOG_MAX)
		done(mvfs_ftruncate(w->fs, fd, 0));
	done(mvfs_close(w->fs, fd));
}

static void clone_file(struct worker *w)
{
	enum kind kind = storm_any_kind(w);
	char from[PATH], to[PATH];
	int in, out;

	storm_path(w, kind, true, from);
	storm_path(w, kind, true, to);
	in = (int)done(mvfs_open(w->fs, from, O_RDONLY, 0));
	out = (int)done(mvfs_open(w->fs, to, O_WRONLY, 0));
	done(mvfs_clone_file(w->fs, in, out));
	done(mvfs_close(w->fs, in));
	done(mvfs_close(w->fs, out));
}

static void move_token(struct worker *w)
{
	char from[PATH], to[PATH];
	unsigned token = (unsigned)below(&w->rng, TOKENS);

	snprintf(from, PATH, "/t%u/%u", (unsigned)below(&w->rng, PLACES),
		 token);
	snprintf(to, PATH, "/t%u/%u", (unsigned)below(&w->rng, PLACES),
		 token);
	done_or(mvfs_rename(w->fs, from, to), ENOENT);
}

/* Both files of the writer's own pair are of one record, then it is public. */
static void exchange_pair(struct worker *w)
{
	char dir[PATH], x[PATH], y[PATH];
	size_t length = make_content(w, WHOLE);

	snprintf(dir, PATH, "/own%u", w->number);
	snprintf(x, PATH, "/own%u/x", w->number);
	snprintf(y, PATH, "/own%u/y", w->number);
	done_or(mvfs_mkdir(w->fs, dir, 0755), EEXIST);
	write_whole(w, x, length);
	write_whole(w, y, length);
	done(mvfs_renameat(w->fs, MVFS_AT_FDCWD, dir, MVFS_AT_FDCWD, "/pair",
			   MVFS_RENAME_EXCHANGE));
}

static void replace_symlink(struct worker *w)
{
	char target[PATH], fresh[PATH];

	storm_path(w, storm_any_kind(w), true, target);
	snprintf(fresh, PATH, "/link%u", w->number);
	done(mvfs_symlink(w->fs, target, fresh));
	done(mvfs_rename(w->fs, fresh, "/link"));
}

static void change_attributes(struct worker *w)
{
	char path[PATH];

	storm_path(w, storm_any_kind(w), true, path);
	done(mvfs_chmod(w->fs, path, 0600 + (uint32_t)below(&w->rng, 0100)));
	done(mvfs_setxattr(w->fs, path, "user.a", path, strlen(path), 0));
	done(mvfs_utimens(w->fs, path, NULL));
}

/* A file that loses its name while it is open. */
static void write_nameless(struct worker *w)
{
	int fd = (int)done(mvfs_open(w->fs, "/", O_TMPFILE | O_RDWR, 0600));
	int64_t n = (int64_t)make_content(w, WHOLE);

	that(done(mvfs_write(w->fs, fd, buffer, (size_t)n)) == n);
	that(done(mvfs_pread(w->fs, fd, buffer, RECORD_MAX, 0)) == n);
	records_in(EXPECT_WHERE(nameless), buffer, (size_t)n);
	done(mvfs_close(w->fs, fd));
}

void storm_write(struct worker *w)
{
	static worker_fn *const changes[] = {
		replace, rename_over, rename_any, link_or_unlink,
		overwrite_in_place, overwrite_slot, append, clone_file,
		move_token, exchange_pair, replace_symlink,
		change_attributes, write_nameless,
	};
	size_t count = sizeof(changes) / sizeof(*changes);
	struct storm *storm = w->ctx;

	changes[below(&w->rng, count)](w);
	atomic_fetch_add(&storm->writes, 1);
}

void storm_fill(struct worker *w)
{
	char path[PATH];
	unsigned kind, i;
	size_t length;

	for (kind = 0; kind < KINDS; kind++) {
		snprintf(path, PATH, "/%s", kind_dir[kind]);
		done(mvfs_mkdir(w->fs, path, 0755));
		for (i = 0; i < STAY; i++) {
			snprintf(path, PATH, "/%s/stay%u", kind_dir[kind], i);
			write_whole(w, path, make_content(w, kind));
		}
	}
	for (i = 0; i < PLACES; i++) {
		snprintf(path, PATH, "/t%u", i);
		done(mvfs_mkdir(w->fs, path, 0755));
	}
	for (i = 0; i < TOKENS; i++) {
		snprintf(path, PATH, "/t%u/%u", i % PLACES, i);
		done(mvfs_mknod(w->fs, path, S_IFREG | 0644, 0));
	}
	done(mvfs_mkdir(w->fs, "/pair", 0755));
	length = make_content(w, WHOLE);
	write_whole(w, "/pair/x", length);
	write_whole(w, "/pair/y", length);
	done(mvfs_symlink(w->fs, "/whole/stay0", "/link"));
}
