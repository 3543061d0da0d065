/* SPDX-License-Identifier: MIT */
/*
 * memvfs/crash.h: the table by call of memvfs-crash(7), a row each; ids; and
 * what tracking leaves alone.
 *
 * A row is a few calls in a line of their own, and the trees that may be found
 * after a power cut at any moment of them, by either policy.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <check.h>

#include <memvfs/memvfs.h>

#include "tests/expect.h"

#define OLD "0123456789abcdef0123456789abcdef"
#define NEW "ABCDEFGHIJKLMNOPABCDEFGHIJKLMNOP"

enum { STATES = 400, TEXT = 400 };

static mvfs *fs;

/* Texts of states, each once, in order. */
struct states {
	char text[STATES][TEXT];
	size_t count;
};

static struct states states;

static int open_for(const char *path, int flags)
{
	return (int)ok(mvfs_open(fs, path, flags, 0644));
}

static void write_with(const char *path, int flags, const char *text)
{
	int fd = open_for(path, flags | O_WRONLY);

	ck_assert_int_eq(ok(mvfs_write(fs, fd, text, strlen(text))),
			 (int64_t)strlen(text));
	ok(mvfs_close(fs, fd));
}

static void sync_with(const char *path, int (*call)(mvfs *, int))
{
	int fd = open_for(path, O_RDONLY);

	ok(call(fs, fd));
	ok(mvfs_close(fs, fd));
}

/* One call, or two: see the rows. */
static void perform(const char *verb, const char *a, const char *b)
{
	int fd;

	if (!strcmp(verb, "create")) {
		ok(mvfs_close(fs, open_for(a, O_CREAT | O_EXCL | O_WRONLY)));
	} else if (!strcmp(verb, "write")) {
		write_with(a, 0, b);
	} else if (!strcmp(verb, "append")) {
		write_with(a, O_APPEND, b);
	} else if (!strcmp(verb, "o_sync")) {
		write_with(a, O_SYNC, b);
	} else if (!strcmp(verb, "o_dsync")) {
		write_with(a, O_DSYNC, b);
	} else if (!strcmp(verb, "o_trunc")) {
		ok(mvfs_close(fs, open_for(a, O_TRUNC | O_WRONLY)));
	} else if (!strcmp(verb, "truncate")) {
		ok(mvfs_truncate(fs, a, strtoull(b, NULL, 10)));
	} else if (!strcmp(verb, "fsync")) {
		sync_with(a, mvfs_fsync);
	} else if (!strcmp(verb, "fdatasync")) {
		sync_with(a, mvfs_fdatasync);
	} else if (!strcmp(verb, "sync")) {
		ok(mvfs_sync(fs));
	} else if (!strcmp(verb, "rename")) {
		ok(mvfs_rename(fs, a, b));
	} else if (!strcmp(verb, "exchange")) {
		ok(mvfs_renameat(fs, MVFS_AT_FDCWD, a, MVFS_AT_FDCWD, b,
				 MVFS_RENAME_EXCHANGE));
	} else if (!strcmp(verb, "link")) {
		ok(mvfs_link(fs, a, b));
	} else if (!strcmp(verb, "unlink")) {
		ok(mvfs_unlink(fs, a));
	} else if (!strcmp(verb, "mkdir")) {
		ok(mvfs_mkdir(fs, a, 0755));
	} else if (!strcmp(verb, "rmdir")) {
		ok(mvfs_rmdir(fs, a));
	} else if (!strcmp(verb, "symlink")) {
		ok(mvfs_symlink(fs, a, b));
	} else if (!strcmp(verb, "chmod")) {
		ok(mvfs_chmod(fs, a, (uint32_t)strtoul(b, NULL, 8)));
	} else if (!strcmp(verb, "tmpfile")) {
		fd = open_for(a, O_TMPFILE | O_WRONLY);
		ok(mvfs_write(fs, fd, "tmp", 3));
		ok(mvfs_fsync(fs, fd));
		ok(mvfs_linkat(fs, fd, "", MVFS_AT_FDCWD, b,
			       AT_EMPTY_PATH));
		ok(mvfs_close(fs, fd));
	} else {
		ck_abort_msg("no such call: %s", verb);
	}
}

/* Calls, with ';' between. */
static void run(const char *calls)
{
	char text[TEXT], *call, *rest = text, *word[3];
	int i;

	ck_assert_uint_lt(strlen(calls), sizeof(text));
	strcpy(text, calls);
	while ((call = strsep(&rest, ";"))) {
		for (i = 0; i < 3; i++) {
			while (call && *call == ' ')
				call++;
			word[i] = call ? strsep(&call, " ") : NULL;
		}
		if (word[0] && *word[0])
			perform(word[0], word[1], word[2]);
	}
}

struct telling {
	mvfs *tree;
	char *to;
	bool modes; /* too */
};

/* "d/ f=text l->target", sorted. */
static int tell_entry(void *ctx, const struct mvfs_walk_entry *entry)
{
	struct telling *t = ctx;
	struct mvfs_string bytes;
	char *end = t->to + strlen(t->to);
	char target[100];
	int64_t n;
	size_t i;

	if (!entry->depth)
		return 0;
	end += sprintf(end, "%s%s", *t->to ? " " : "", entry->path + 1);
	if (t->modes)
		end += sprintf(end, ":%o", entry->st.mode & 07777);
	if (S_ISDIR(entry->st.mode)) {
		strcpy(end, "/");
	} else if (S_ISLNK(entry->st.mode)) {
		n = ok(mvfs_readlink(t->tree, entry->path, target,
				     sizeof(target)));
		sprintf(end, "->%.*s", (int)n, target);
	} else {
		ok(mvfs_read_file(t->tree, entry->path, &bytes));
		*end++ = '=';
		for (i = 0; i < bytes.len; i++) /* '_': what reads as zero */
			*end++ = bytes.data[i] ? bytes.data[i] : '_';
		*end = 0;
		mvfs_string_release(&bytes);
	}
	return 0;
}

static void tell(mvfs *tree, bool modes, char *to)
{
	struct telling t = { tree, to, modes };

	*to = 0;
	ok(mvfs_walk(tree, "/", 0, tell_entry, &t));
	if (!*to)
		strcpy(to, "-");
}

static void add(const char *text)
{
	size_t at = 0;

	while (at < states.count && strcmp(states.text[at], text) < 0)
		at++;
	if (at < states.count && !strcmp(states.text[at], text))
		return;
	ck_assert_uint_lt(states.count, STATES);
	memmove(states.text[at + 1], states.text[at],
		(states.count - at) * sizeof(states.text[0]));
	states.count++;
	strcpy(states.text[at], text);
}

/* All states of the last point, " | " between. */
static const char *found(const struct mvfs_crash_options *options, bool modes)
{
	static char all[STATES * TEXT];
	struct mvfs_crash_state state = { .choice = 0 };
	char *end = all, text[TEXT];
	mvfs *after;
	size_t i;
	int rc;

	states.count = 0;
	state.point = (uint64_t)ok(mvfs_crash_point(fs));
	while (!(rc = mvfs_crash(fs, options, &state, &after))) {
		tell(after, modes, text);
		add(text);
		ok(mvfs_destroy(after));
		state.choice++;
	}
	ck_assert_int_eq(rc, -ERANGE);
	for (i = 0; i < states.count; i++)
		end += sprintf(end, "%s%s", i ? " | " : "", states.text[i]);
	return all;
}

struct row {
	const char *before, *calls, *ordered, *posix;
	bool modes; /* are told, too */
};

static const struct row rows[] = {
	{ "", "create f",
	  "- | f=",
	  "- | f=" },
	{ "", "create f; fsync f",
	  "f=",
	  "- | f=" },
	{ "", "create f; fsync /",
	  "f=",
	  "f=" },
	{ "", "create f; write f new",
	  "- | f= | f=new",
	  "- | f= | f=new" },
	{ "", "create f; write f new; fsync f",
	  "f=new",
	  "- | f=new" },
	{ "", "create f; write f new; fsync f; fsync /",
	  "f=new",
	  "f=new" },
	{ "create f; write f old", "write f new",
	  "f=new | f=old",
	  "f=new | f=old" },
	{ "create f; write f old", "write f new; fsync f",
	  "f=new",
	  "f=new" },
	{ "create f; write f old", "write f new; fdatasync f",
	  "f=new",
	  "f=new" },
	{ "create f; write f old", "o_sync f new",
	  "f=new",
	  "f=new" },
	{ "create f; write f old", "o_dsync f new",
	  "f=new",
	  "f=new" },
	{ "create f; write f " OLD, "write f " NEW,
	  "f=0123456789abcdef0123456789abcdef | "
	  "f=0123456789abcdefABCDEFGHIJKLMNOP | "
	  "f=ABCDEFGHIJKLMNOP0123456789abcdef | "
	  "f=ABCDEFGHIJKLMNOPABCDEFGHIJKLMNOP",
	  "f=0123456789abcdef0123456789abcdef | "
	  "f=0123456789abcdefABCDEFGHIJKLMNOP | "
	  "f=ABCDEFGHIJKLMNOP0123456789abcdef | "
	  "f=ABCDEFGHIJKLMNOPABCDEFGHIJKLMNOP" },
	{ "create f; write f old", "append f new",
	  "f=old | f=oldnew",
	  "f=old | f=oldnew" },
	{ "create f; write f " OLD, "append f " NEW,
	  "f=0123456789abcdef0123456789abcdef | "
	  "f=0123456789abcdef0123456789abcdefABCDEFGHIJKLMNOP | "
	  "f=0123456789abcdef0123456789abcdefABCDEFGHIJKLMNOPABCDEFGHIJKLMNOP",
	  "f=0123456789abcdef0123456789abcdef | "
	  "f=0123456789abcdef0123456789abcdefABCDEFGHIJKLMNOPABCDEFGHIJKLMNOP | "
	  "f=0123456789abcdef0123456789abcdefABCDEFGHIJKLMNOP________________ | "
	  "f=0123456789abcdef0123456789abcdef________________ABCDEFGHIJKLMNOP" },
	{ "create f; write f old", "truncate f 1",
	  "f=o | f=old",
	  "f=o | f=old" },
	{ "create f; write f old", "truncate f 5",
	  "f=old | f=old__",
	  "f=old | f=old__" },
	{ "create f; write f old", "o_trunc f; write f n",
	  "f=n | f=old",
	  "f=n | f=old" },
	{ "create f", "rename f g",
	  "f= | g=",
	  "f= | g=" },
	{ "create f", "rename f g; fsync g",
	  "g=",
	  "f= | g=" },
	{ "create f; mkdir d", "rename f d/f; fsync d",
	  "d/ d/f=",
	  "d/ d/f=" },
	{ "create f; write f old", "create t; write t new; rename t f",
	  "f= | f=new | f=old | f=old t= | f=old t=new",
	  "f= | f=new | f=old | f=old t= | f=old t=new" },
	{ "create f; write f old", "create t; write t new; fsync t; rename t f",
	  "f=new | f=old t=new",
	  "f=new | f=old | f=old t=new" },
	{ "create f; write f old; create g", "exchange f g",
	  "f= g=old | f=old g=",
	  "f= g=old | f=old g=" },
	{ "create f", "link f g",
	  "f= | f= g=",
	  "f= | f= g=" },
	{ "create f", "link f g; unlink f",
	  "f= | f= g= | g=",
	  "- | f= | f= g= | g=" },
	{ "create f", "unlink f",
	  "- | f=",
	  "- | f=" },
	{ "create f; create g", "unlink f; unlink g",
	  "- | f= g= | g=",
	  "- | f= | f= g= | g=" },
	{ "create f; create g", "unlink f; unlink g; fsync /",
	  "-",
	  "-" },
	{ "", "mkdir d; create d/f",
	  "- | d/ | d/ d/f=",
	  "- | d/ | d/ d/f=" },
	{ "", "mkdir d; create d/f; fsync d/f",
	  "d/ d/f=",
	  "- | d/ | d/ d/f=" },
	{ "", "mkdir d; create d/f; fsync d",
	  "d/ d/f=",
	  "d/ d/f=" },
	{ "mkdir d; create d/f", "unlink d/f; rmdir d",
	  "- | d/ | d/ d/f=",
	  "- | d/ | d/ d/f=" },
	{ "", "symlink a l",
	  "- | l->a",
	  "- | l->a" },
	{ "", "symlink a l; fsync /",
	  "l->a",
	  "l->a" },
	{ "mkdir a; mkdir b", "rename a b/a; rename b/a a; rename b a/b",
	  "a/ a/b/ | a/ b/ | b/ b/a/",
	  "a/ a/b/ | a/ b/ | b/ b/a/" },
	{ "", "tmpfile / f",
	  "- | f=tmp",
	  "- | f=tmp" },
	{ "", "create f; write f new; sync",
	  "f=new",
	  "f=new" },
	{ "create f", "unlink f; create f; write f new",
	  "- | f= | f=new",
	  "- | f= | f=new" },
	{ "create f", "chmod f 600",
	  "f:600= | f:644=",
	  "f:600= | f:644=", true },
	{ "create f", "chmod f 600; fdatasync f",
	  "f:600= | f:644=",
	  "f:600= | f:644=", true },
	{ "create f", "chmod f 600; fsync f",
	  "f:600=",
	  "f:600=", true },
	{ "mkdir d", "chmod d 700",
	  "d:700/ | d:755/",
	  "d:700/ | d:755/", true },
	{ "mkdir d", "chmod d 700; fsync d",
	  "d:700/",
	  "d:700/", true },
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static void begin(void)
{
	ok(mvfs_create(NULL, &fs));
}

static void end(void)
{
	ok(mvfs_destroy(fs));
}

START_TEST(test_what_may_be_found_is_what_the_table_says)
{
	const struct row *row = &rows[_i / 2];
	const struct mvfs_crash_options options = {
		.size = sizeof(options),
		.policy = _i % 2 ? MVFS_CRASH_POSIX : MVFS_CRASH_ORDERED,
		.sector = 16,
	};

	run(row->before);
	ok(mvfs_crash_start(fs, NULL));
	run(row->calls);
	ck_assert_str_eq(found(&options, row->modes),
			 _i % 2 ? row->posix : row->ordered);
}
END_TEST

/* How many states, and the same again by their ids. */
struct replay {
	const struct mvfs_crash_options *options;
	unsigned count, here, points, sampled;
	uint64_t last;
};

static int replay(void *ctx, mvfs *after, const struct mvfs_crash_state *state)
{
	struct replay *r = ctx;
	char text[TEXT], again[TEXT];
	struct mvfs_string said;
	mvfs *same;

	ck_assert(!r->count || state->point >= r->last);
	if (!r->count || state->point != r->last) {
		r->points++;
		r->here = 0;
		states.count = 0;
	}
	r->here++;
	r->last = state->point;
	r->count++;
	r->sampled += state->sampled;
	tell(after, true, text);
	ok(mvfs_crash(fs, r->options, state, &same));
	tell(same, true, again);
	ck_assert_str_eq(text, again);
	ok(mvfs_destroy(same));
	add(text);
	ck_assert_uint_eq(states.count, r->here); /* none twice */
	ok(mvfs_crash_explain(fs, r->options, state, &said));
	ck_assert(strstr(said.data, "power cut after point"));
	mvfs_string_release(&said);
	return r->count == 1000 ? 7 : 0;
}

START_TEST(test_each_state_comes_once_and_is_replayed_by_its_id)
{
	const struct mvfs_crash_options options = {
		.size = sizeof(options), .policy = _i, .sector = 16,
		.data = MVFS_CRASH_LOST | MVFS_CRASH_KEPT | MVFS_CRASH_TORN |
			MVFS_CRASH_GARBAGE,
	};
	struct replay r = { .options = &options };

	run("create f; write f " OLD);
	ok(mvfs_crash_start(fs, NULL));
	run("create t; write t " NEW "; rename t f; mkdir d; create d/g");
	ok(mvfs_crash_each(fs, &options, replay, &r));
	ck_assert_uint_gt(r.count, 15);
	ck_assert_uint_eq(r.sampled, 0);
	ck_assert_uint_eq(r.last, ok(mvfs_crash_point(fs)));
}
END_TEST

static int count_old(void *ctx, mvfs *after,
		     const struct mvfs_crash_state *state)
{
	char text[TEXT];

	tell(after, false, text);
	if (!strcmp(text, "f=old"))
		*(unsigned *)ctx |= 1u << state->point;
	return 0;
}

/* What was fine before a call returned is not when it has. */
START_TEST(test_an_equal_state_of_a_later_point_is_tried_again)
{
	unsigned points = 0;

	run("create f; write f old");
	ok(mvfs_crash_start(fs, NULL));
	run("write f new; create g; fsync f; create h");
	ok(mvfs_crash_each(fs, NULL, count_old, &points));
	ck_assert_uint_eq(points, 7);
}
END_TEST

START_TEST(test_of_too_many_states_some_are_chosen_and_it_is_said)
{
	const struct mvfs_crash_options options = {
		.size = sizeof(options), .policy = _i, .sector = 16,
		.max_states = 20, .seed = 5,
	};
	struct replay r = { .options = &options }, again = r;

	ok(mvfs_crash_start(fs, NULL));
	run("mkdir a; mkdir b; mkdir c; mkdir d; create a/f; create b/f");
	run("create c/f; create d/f; write a/f " OLD "; write b/f " NEW);
	run("create a/g; create b/g; create c/g; create d/g; mkdir e");
	ok(mvfs_crash_each(fs, &options, replay, &r));
	ck_assert_uint_gt(r.sampled, 0);
	states.count = 0;
	ok(mvfs_crash_each(fs, &options, replay, &again));
	ck_assert_uint_eq(again.count, r.count);
}
END_TEST

static int stop_at(void *ctx, mvfs *after, const struct mvfs_crash_state *state)
{
	(void)after;
	(void)state;
	return --*(int *)ctx ? 0 : 42;
}

START_TEST(test_what_the_callback_returns_ends_it)
{
	int count = 2;

	ok(mvfs_crash_start(fs, NULL));
	run("create f; create g");
	ck_assert_int_eq(mvfs_crash_each(fs, NULL, stop_at, &count), 42);
	ck_assert_int_eq(count, 0);
}
END_TEST

/* ... and what a later fsync makes of it. */
START_TEST(test_a_failed_fsync_makes_nothing_durable)
{
	static const char *const first[] = {
		"f=new | f=old", "f=old", "f=old"
	}, *const then[] = { "f=new", "f=old", "f=old" };
	static const char *const seen[] = { "f=new", "f=new", "f=old" };
	struct mvfs_crash_options options = {
		.size = sizeof(options), .failed_fsync = (unsigned)_i,
	};
	char text[TEXT];
	int fd;

	run("create f; write f old");
	ok(mvfs_crash_start(fs, &options));
	ok(mvfs_fault_add(fs, "fsync path=/f nth=1 errno=EIO", NULL, NULL));
	run("write f new");
	fd = open_for("f", O_RDONLY);
	fails(mvfs_fsync(fs, fd), EIO);
	ck_assert_str_eq(found(NULL, false), first[_i]);
	tell(fs, false, text);
	ck_assert_str_eq(text, seen[_i]);
	ok(mvfs_fsync(fs, fd));
	ck_assert_str_eq(found(NULL, false), then[_i]);
	ok(mvfs_close(fs, fd));
	run("write f newer; fsync f");
	ck_assert_str_eq(found(NULL, false), "f=newer");
	/* the very bytes that were taken for durable, written again */
	run("write f newXX; fsync f; write f newer; fsync f");
	ck_assert_str_eq(found(NULL, false), "f=newer");
	run("write f other; sync");
	ck_assert_str_eq(found(NULL, false), "f=other");
}
END_TEST

START_TEST(test_a_restore_brings_back_what_was_in_doubt)
{
	struct mvfs_snapshot *slate, *before, *crashed;
	char text[TEXT];

	ok(mvfs_snapshot(fs, &before));
	ok(mvfs_crash_start(fs, NULL));
	run("create f");
	ok(mvfs_snapshot(fs, &slate));
	run("fsync f; create g");
	ck_assert_str_eq(found(NULL, false), "f= | f= g=");
	ok(mvfs_restore(fs, slate));
	ck_assert_str_eq(found(NULL, false), "- | f=");
	run("create h");
	ck_assert_str_eq(found(NULL, false), "- | f= | f= h=");
	/* older than the start: all of it is durable */
	ok(mvfs_restore(fs, before));
	ck_assert_int_eq(mvfs_crash_point(fs), 0);
	ck_assert_str_eq(found(NULL, false), "-");
	run("create i; fsync i; create j");
	ok(mvfs_crash_snapshot(fs, NULL, NULL, &crashed));
	ok(mvfs_restore(fs, crashed));
	tell(fs, false, text);
	ck_assert_str_eq(text, "i=");
	ck_assert_str_eq(found(NULL, false), "i=");
	run("create k");
	mvfs_snapshot_release(before);
	mvfs_snapshot_release(slate);
	mvfs_snapshot_release(crashed);
}
END_TEST

START_TEST(test_what_has_no_name_or_is_open_is_not_found)
{
	mvfs *after;
	char text[TEXT];
	int fd;

	ok(mvfs_crash_start(fs, NULL));
	fd = open_for("f", O_CREAT | O_RDWR);
	ok(mvfs_write(fs, fd, "x", 1));
	ok(mvfs_unlink(fs, "f"));
	ok(mvfs_fsync(fs, fd));
	ok(mvfs_sync(fs));
	ok(mvfs_crash(fs, NULL, NULL, &after));
	tell(after, false, text);
	ck_assert_str_eq(text, "-");
	fails(mvfs_close(after, fd), EBADF);
	ok(mvfs_destroy(after));
}
END_TEST

START_TEST(test_limits_count_what_was_found)
{
	struct mvfs_statfs st;
	mvfs *after;

	run("create f; write f old");
	ok(mvfs_set_limits(fs, 16384, 5));
	ok(mvfs_crash_start(fs, NULL));
	run("create g; write g new; fsync g; create h; write h new");
	ok(mvfs_crash(fs, NULL, NULL, &after));
	ok(mvfs_statfs(after, &st));
	ck_assert_uint_eq(st.blocks_used, 2);
	ck_assert_uint_eq(st.inodes_used, 3);
	ck_assert_uint_eq(st.blocks, 4);
	ok(mvfs_destroy(after));
}
END_TEST

START_TEST(test_a_clone_is_not_tracked_and_calls_that_fail_make_no_point)
{
	mvfs *clone;

	fails(mvfs_crash_point(fs), ENODATA);
	ok(mvfs_crash_start(fs, NULL));
	ck_assert_int_eq(mvfs_crash_point(fs), 0);
	fails(mvfs_unlink(fs, "/none"), ENOENT);
	fails(mvfs_mkdir(fs, "/", 0755), EEXIST);
	ck_assert_int_eq(mvfs_crash_point(fs), 0);
	run("create f");
	ck_assert_int_eq(mvfs_crash_point(fs), 1);
	ok(mvfs_clone(fs, &clone));
	fails(mvfs_crash_point(clone), ENODATA);
	ok(mvfs_destroy(clone));
	ok(mvfs_crash_stop(fs));
	ok(mvfs_crash_stop(fs));
	fails(mvfs_crash_point(fs), ENODATA);
	run("create g");
	fails(mvfs_crash(fs, NULL, NULL, &clone), ENODATA);
}
END_TEST

START_TEST(test_wrong_arguments_are_refused)
{
	struct mvfs_crash_options options = { .size = sizeof(options) - 1 };
	struct mvfs_crash_state state = { .point = 1 };
	struct mvfs_snapshot *snapshot;
	struct mvfs_string text;
	mvfs *after;
	int count = 1;

	ok(mvfs_crash_start(fs, NULL));
	fails(mvfs_crash_start(NULL, NULL), EINVAL);
	fails(mvfs_crash_stop(NULL), EINVAL);
	fails(mvfs_crash_point(NULL), EINVAL);
	fails(mvfs_crash(fs, NULL, NULL, NULL), EFAULT);
	fails(mvfs_crash_snapshot(fs, NULL, NULL, NULL), EFAULT);
	fails(mvfs_crash_explain(fs, NULL, NULL, NULL), EFAULT);
	fails(mvfs_crash_each(fs, NULL, NULL, NULL), EFAULT);
	fails(mvfs_crash_each(fs, &options, stop_at, &count), EINVAL);
	options = (struct mvfs_crash_options){ .size = sizeof(options) };
	options.policy = 2;
	fails(mvfs_crash_start(fs, &options), EINVAL);
	options.policy = 0;
	options.data = 16;
	fails(mvfs_crash(fs, &options, NULL, &after), EINVAL);
	options.data = 0;
	options.failed_fsync = 3;
	fails(mvfs_crash_start(fs, &options), EINVAL);
	options.failed_fsync = 0;
	options.sector = 100;
	fails(mvfs_crash_snapshot(fs, &options, NULL, &snapshot), EINVAL);
	options.sector = 8;
	fails(mvfs_crash_explain(fs, &options, NULL, &text), EINVAL);
	fails(mvfs_crash(fs, NULL, &state, &after), ERANGE);
	state = (struct mvfs_crash_state){ .choice = 1 };
	fails(mvfs_crash(fs, NULL, &state, &after), ERANGE);
	fails(mvfs_crash_explain(fs, NULL, &state, &text), ERANGE);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("crash");
	Suite *suite = suite_create("api: crash");

	tcase_add_checked_fixture(tests, begin, end);
	tcase_add_loop_test(tests,
			    test_what_may_be_found_is_what_the_table_says, 0,
			    2 * ROWS);
	tcase_add_loop_test(
		tests, test_each_state_comes_once_and_is_replayed_by_its_id,
		0, 2);
	tcase_add_loop_test(
		tests, test_of_too_many_states_some_are_chosen_and_it_is_said,
		0, 2);
	tcase_add_test(tests, test_what_the_callback_returns_ends_it);
	tcase_add_test(tests,
		       test_an_equal_state_of_a_later_point_is_tried_again);
	tcase_add_loop_test(tests, test_a_failed_fsync_makes_nothing_durable,
			    0, 3);
	tcase_add_test(tests, test_a_restore_brings_back_what_was_in_doubt);
	tcase_add_test(tests, test_what_has_no_name_or_is_open_is_not_found);
	tcase_add_test(tests, test_limits_count_what_was_found);
	tcase_add_test(
		tests,
		test_a_clone_is_not_tracked_and_calls_that_fail_make_no_point);
	tcase_add_test(tests, test_wrong_arguments_are_refused);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
