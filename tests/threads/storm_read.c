/* SPDX-License-Identifier: MIT */
/* Readers: what they see is of one moment each, and stays what it was. */
#include "config.h"

#include "tests/threads/storm.h"

static _Thread_local char buffer[LOG_MAX + 8 * RECORD_MAX];

static void check_content(const char *where, enum kind kind,
			  const char *bytes, size_t length)
{
	int count = records_in(where, bytes, length);

	if (kind == WHOLE || kind == FIXED_SIZE)
		that(count == 1);
	if (kind == FIXED_SIZE)
		that(length == FIXED);
	if (kind == SLOTTED)
		that(count == SLOTS && length == SLOTS * SLOT);
}

static uint64_t hash_string(const struct mvfs_string *string)
{
	return hash_bytes(0, string->data, string->len);
}

/* The string takes the place of one that was kept, and is now looked at. */
static void keep(struct worker *w, struct mvfs_string *string)
{
	struct storm *storm = w->ctx;
	uint64_t hash = hash_string(string), old_hash = 0;
	struct mvfs_string old = { 0 };
	unsigned i;

	pthread_mutex_lock(&storm->mutex);
	if (storm->kept_count < KEPT * w->count) {
		i = storm->kept_count++;
	} else {
		i = (unsigned)below(&w->rng, storm->kept_count);
		old = storm->kept[i];
		old_hash = storm->kept_hash[i];
	}
	storm->kept[i] = *string;
	storm->kept_hash[i] = hash;
	pthread_mutex_unlock(&storm->mutex);
	if (old.owner)
		that(hash_string(&old) == old_hash);
	mvfs_string_release(&old);
}

static void read_string(struct worker *w, mvfs *fs)
{
	struct storm *storm = w->ctx;
	enum kind kind = storm_any_kind(w);
	struct mvfs_string string;
	char path[PATH];
	bool stays = below(&w->rng, 4);
	int rc;

	storm_path(w, kind, stays, path);
	if (below(&w->rng, 4))
		rc = mvfs_read_string(fs, path, NULL, 0, &string, NULL);
	else
		rc = mvfs_read_file(fs, path, &string);
	if (done_or(rc, stays ? 0 : ENOENT) < 0)
		return;
	check_content(path, kind, string.data, string.len);
	if (string.flags & MVFS_STRING_TERMINATED)
		that(!string.data[string.len]);
	atomic_fetch_add(&storm->reads, 1);
	if (below(&w->rng, 4))
		mvfs_string_release(&string);
	else
		keep(w, &string);
}

/* The same through a descriptor: as a string, and by read(2). */
static void read_open(struct worker *w)
{
	enum kind kind = storm_any_kind(w);
	struct mvfs_string string;
	char path[PATH];
	int64_t n;
	int fd;

	storm_path(w, kind, true, path);
	fd = (int)done(mvfs_open(w->fs, path, O_RDONLY, 0));
	if (!done(mvfs_fread_string(w->fs, fd, NULL, 0, &string, NULL))) {
		check_content(path, kind, string.data, string.len);
		mvfs_string_release(&string);
	}
	n = done(mvfs_pread(w->fs, fd, buffer, sizeof(buffer), 0));
	check_content(path, kind, buffer, (size_t)n);
	n = done(mvfs_read(w->fs, fd, buffer, sizeof(buffer)));
	check_content(path, kind, buffer, (size_t)n);
	done(mvfs_close(w->fs, fd));
}

static void read_link(struct worker *w)
{
	struct mvfs_string string;
	char path[PATH];
	int64_t n = done(mvfs_readlink(w->fs, "/link", path, PATH - 1));

	path[n < 0 ? 0 : n] = 0;
	that(strstr(path, "/stay"));
	if (!done(mvfs_read_string(w->fs, "/link", NULL, 0, &string, NULL))) {
		records_in("/link", string.data, string.len);
		mvfs_string_release(&string);
	}
	n = done(mvfs_realpath(w->fs, "/link", buffer, sizeof(buffer)));
	that(n > 0 && strstr(buffer, "/stay"));
}

/* Names as they are listed: in order, none twice, none left out. */
struct listed {
	unsigned stay;
	unsigned names;
	bool sorted;
	struct mvfs_dirent last;
};

static void add_listed(struct listed *l, const struct mvfs_dirent *entry)
{
	if (l->names && l->sorted)
		that(strcmp(l->last.name, entry->name) < 0);
	else if (l->names)
		that(l->last.cookie < entry->cookie);
	if (!strncmp(entry->name, "stay", 4))
		that(entry->type == S_IFREG >> 12 && ++l->stay <= STAY);
	l->last = *entry;
	l->names++;
}

static void list(struct worker *w, mvfs *fs)
{
	struct storm *storm = w->ctx;
	struct listed listed = { .sorted = below(&w->rng, 2) };
	struct mvfs_dirent entry;
	struct mvfs_dir *dir;
	char path[PATH];

	snprintf(path, PATH, "/%s", kind_dir[storm_any_kind(w)]);
	if (done(mvfs_opendir(fs, path,
			      listed.sorted ? 0 : MVFS_LIST_UNSORTED, &dir)))
		return;
	if (below(&w->rng, 2)) {
		done(mvfs_readdir(dir, &entry));
		done(mvfs_rewinddir(dir));
	}
	while (done(mvfs_readdir(dir, &entry)) == 1)
		add_listed(&listed, &entry);
	that(listed.stay == STAY);
	done(mvfs_closedir(dir));
	atomic_fetch_add(&storm->lists, 1);
}

/* As a mount lists: a few at a time, of the directory as it is each time. */
static void list_live(struct worker *w)
{
	const struct mvfs_actor actor = { .uid = 0 };
	struct listed listed = { 0 };
	struct mvfs_dirent entries[3];
	struct mvfs_file *dir = NULL;
	struct mvfs_stat st;
	uint64_t cookie = 2;
	mvfs *view = NULL;
	char path[PATH];
	int64_t n = 0, i;

	snprintf(path, PATH, "/%s", kind_dir[storm_any_kind(w)]);
	done(mvfs_stat(w->fs, path, &st));
	if (done(mvfs_sys_attach(w->fs, 0, &view)))
		return;
	if (!done(mvfs_sys_open(view, &actor, st.ino, O_RDONLY, &dir)))
		do {
			n = done(mvfs_sys_list(view, dir, cookie, entries, 3));
			for (i = 0; i < n; i++)
				add_listed(&listed, &entries[i]);
			if (n > 0)
				cookie = entries[n - 1].cookie;
		} while (n > 0);
	that(listed.stay == STAY);
	done(mvfs_destroy(view));
}

/* A directory that only its names are changed in comes once. */
static int count_dir(void *ctx, const struct mvfs_walk_entry *entry)
{
	unsigned *count = ctx;
	unsigned kind;

	for (kind = 0; kind < KINDS; kind++)
		*count += entry->depth == 1 &&
			  !strcmp(entry->name, kind_dir[kind]);
	return going() ? 0 : -EINTR;
}

static void walk(struct worker *w)
{
	unsigned count = 0;

	if (!done_or(mvfs_walk(w->fs, "/", 0, count_dir, &count), EINTR))
		that(count == KINDS);
}

void storm_check_still(mvfs *fs)
{
	struct mvfs_string x, y;
	struct mvfs_stat st;
	unsigned token, place, found;
	char path[PATH];

	if (!done(mvfs_read_file(fs, "/pair/x", &x)) &&
	    !done(mvfs_read_file(fs, "/pair/y", &y))) {
		that(records_in("/pair/x", x.data, x.len) == 1);
		that(x.len == y.len && !memcmp(x.data, y.data, x.len));
		mvfs_string_release(&x);
		mvfs_string_release(&y);
	}
	for (token = 0; token < TOKENS; token++) {
		for (place = 0, found = 0; place < PLACES; place++) {
			snprintf(path, PATH, "/t%u/%u", place, token);
			found += !done_or(mvfs_stat(fs, path, &st), ENOENT);
		}
		that(found == 1);
	}
}

/* Hands the clone to whichever thread comes; false: nobody took enough. */
static bool pass(struct storm *storm, mvfs *view, const struct sum *sum)
{
	bool room;

	pthread_mutex_lock(&storm->mutex);
	room = storm->passed_count < PASSED;
	if (room)
		storm->passed[storm->passed_count++] =
			(struct passed){ view, *sum };
	pthread_mutex_unlock(&storm->mutex);
	return room;
}

void storm_receive(struct worker *w)
{
	struct storm *storm = w->ctx;
	struct passed passed = { 0 };
	struct sum sum;

	pthread_mutex_lock(&storm->mutex);
	if (storm->passed_count)
		passed = storm->passed[--storm->passed_count];
	pthread_mutex_unlock(&storm->mutex);
	if (!passed.view)
		return;
	sum = sum_tree(passed.view);
	that(sum.hash == passed.sum.hash);
	read_string(w, passed.view);
	done(mvfs_destroy(passed.view));
}

/*
 * A clone is of one moment, and what is written to the original, or to a
 * clone of the clone, is not seen in it. Two threads look at it and end it.
 */
static void take_clone(struct worker *w)
{
	struct storm *storm = w->ctx;
	struct worker other = *w;
	mvfs *clone, *view;
	struct sum before, after;
	unsigned i;

	if (done(mvfs_clone(w->fs, &clone)))
		return;
	storm_check_still(clone);
	before = settled_sum(EXPECT_WHERE(clone), clone);
	read_string(w, clone);
	list(w, clone);
	if (!done(mvfs_clone(clone, &other.fs))) {
		for (i = 0; i < 10; i++)
			storm_write(&other);
		storm_check_still(other.fs);
		settled_sum(EXPECT_WHERE(clone of clone), other.fs);
		done(mvfs_destroy(other.fs));
	}
	if (!done(mvfs_view(clone, NULL, &view)) &&
	    !pass(storm, view, &before))
		done(mvfs_destroy(view));
	after = sum_tree(clone);
	that(after.hash == before.hash);
	done(mvfs_destroy(clone));
	w->rng = other.rng;
	atomic_fetch_add(&storm->clones, 1);
}

void storm_read_once(struct worker *w)
{
	switch (below(&w->rng, 16)) {
	case 0:
		list_live(w);
		break;
	case 1:
		read_link(w);
		break;
	case 2:
		walk(w);
		break;
	case 3: case 4: case 5:
		read_open(w);
		break;
	case 6: case 7: case 8:
		list(w, w->fs);
		break;
	default:
		read_string(w, w->fs);
	}
}

void storm_read(struct worker *w)
{
	unsigned what = (unsigned)below(&w->rng, 64);

	if (!what)
		take_clone(w);
	else if (what < 3)
		storm_receive(w);
	else
		storm_read_once(w);
}
