/* SPDX-License-Identifier: MIT */
/* See crash_table.h. */
#include "config.h"

#include "tests/crash_table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <check.h>

#include "tests/expect.h"

struct crash_states crash_states;

/* The call of POSIX succeeds. */
static int64_t done(int64_t result, const char *verb, const char *path)
{
	if (result < 0)
		ck_abort_msg("%s %s: %s", verb, path, strerror(errno));
	return result;
}

#define CALL(by, verb, ...) \
	done((by)->io.call->verb((by)->io.ctx, __VA_ARGS__), #verb, a)

static void open_and(const struct crash_by *by, const char *a, int flags,
		     const char *text,
		     int (*call)(void *ctx, int fd))
{
	int fd = (int)CALL(by, open, a, flags, 0644);

	if (text)
		ck_assert_int_eq(CALL(by, write, fd, text, strlen(text)),
				 (int64_t)strlen(text));
	if (call)
		done(call(by->io.ctx, fd), "sync", a);
	CALL(by, close, fd);
}

/* What opens a file: true if it was that. */
static bool perform_open(const struct crash_by *by, const char *verb,
			 const char *a, const char *text)
{
	const struct {
		const char *verb;
		int flags;
		bool writes;
		int (*call)(void *ctx, int fd);
	} verbs[] = {
		{ "create", O_CREAT | O_EXCL | O_WRONLY, false, NULL },
		{ "write", O_WRONLY, true, NULL },
		{ "append", O_WRONLY | O_APPEND, true, NULL },
		{ "o_sync", O_WRONLY | O_SYNC, true, NULL },
		{ "o_dsync", O_WRONLY | O_DSYNC, true, NULL },
		{ "o_trunc", O_WRONLY | O_TRUNC, false, NULL },
		{ "fsync", O_RDONLY, false, by->io.call->fsync },
		{ "fdatasync", O_RDONLY, false, by->io.call->fdatasync },
	};
	size_t i;

	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(verb, verbs[i].verb)) {
			open_and(by, a, verbs[i].flags,
				 verbs[i].writes ? text : NULL, verbs[i].call);
			return true;
		}
	return false;
}

static void perform(const struct crash_by *by, const char *verb, const char *a,
		    const char *b, const char *word)
{
	void *ctx = by->io.ctx;

	if (perform_open(by, verb, a, word))
		return;
	if (!strcmp(verb, "truncate"))
		CALL(by, truncate, a, strtoll(word, NULL, 10));
	else if (!strcmp(verb, "sync"))
		done(by->sync(ctx), verb, "");
	else if (!strcmp(verb, "rename"))
		CALL(by, rename, a, b);
	else if (!strcmp(verb, "exchange"))
		done(by->exchange(ctx, a, b), verb, a);
	else if (!strcmp(verb, "link"))
		CALL(by, link, a, b);
	else if (!strcmp(verb, "unlink"))
		CALL(by, unlink, a);
	else if (!strcmp(verb, "mkdir"))
		CALL(by, mkdir, a, 0755);
	else if (!strcmp(verb, "rmdir"))
		CALL(by, rmdir, a);
	else if (!strcmp(verb, "symlink"))
		CALL(by, symlink, word, a);
	else if (!strcmp(verb, "chmod"))
		CALL(by, chmod, a, (uint32_t)strtoul(word, NULL, 8));
	else if (!strcmp(verb, "tmpfile"))
		done(by->tmpfile(ctx, a, b), verb, a);
	else
		ck_abort_msg("no such call: %s", verb);
}

void crash_run(const struct crash_by *by, const char *calls)
{
	char text[CRASH_TEXT], path[2][CRASH_TEXT], *word[3];
	char *call, *rest = text;
	int i;

	ck_assert_uint_lt(strlen(calls), sizeof(text));
	strcpy(text, calls);
	while ((call = strsep(&rest, ";"))) {
		for (i = 0; i < 3; i++) {
			while (call && *call == ' ')
				call++;
			word[i] = call ? strsep(&call, " ") : NULL;
			if (i)
				snprintf(path[i - 1], sizeof(path[0]), "%s%s",
					 by->root, word[i] ? word[i] : "");
		}
		if (word[0] && *word[0])
			perform(by, word[0], path[0], path[1], word[2]);
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

void crash_tell(mvfs *tree, bool modes, char *to)
{
	struct telling t = { tree, to, modes };

	*to = 0;
	ok(mvfs_walk(tree, "/", 0, tell_entry, &t));
	if (!*to)
		strcpy(to, "-");
}

void crash_add(const char *text)
{
	size_t at = 0;

	while (at < crash_states.count &&
	       strcmp(crash_states.text[at], text) < 0)
		at++;
	if (at < crash_states.count && !strcmp(crash_states.text[at], text))
		return;
	ck_assert_uint_lt(crash_states.count, CRASH_STATES);
	memmove(crash_states.text[at + 1], crash_states.text[at],
		(crash_states.count - at) * sizeof(crash_states.text[0]));
	crash_states.count++;
	strcpy(crash_states.text[at], text);
}

const char *crash_found(mvfs *fs, const struct mvfs_crash_options *options,
			bool modes)
{
	static char all[CRASH_STATES * CRASH_TEXT];
	struct mvfs_crash_state state = { .choice = 0 };
	char *end = all, text[CRASH_TEXT];
	mvfs *after;
	size_t i;
	int rc;

	crash_states.count = 0;
	state.point = (uint64_t)ok(mvfs_crash_point(fs));
	while (!(rc = mvfs_crash(fs, options, &state, &after))) {
		crash_tell(after, modes, text);
		crash_add(text);
		ok(mvfs_destroy(after));
		state.choice++;
	}
	ck_assert_int_eq(rc, -ERANGE);
	for (i = 0; i < crash_states.count; i++)
		end += sprintf(end, "%s%s", i ? " | " : "",
			       crash_states.text[i]);
	return all;
}

void crash_check_row(mvfs *fs, const struct crash_by *by, int i,
		     unsigned policy)
{
	const struct crash_row *row = &crash_rows[i];
	const struct mvfs_crash_options options = {
		.size = sizeof(options),
		.policy = policy,
		.sector = CRASH_SECTOR,
	};

	crash_run(by, row->before);
	ok(mvfs_crash_start(fs, NULL));
	crash_run(by, row->calls);
	ck_assert_str_eq(crash_found(fs, &options, row->modes),
			 policy == MVFS_CRASH_POSIX ? row->posix :
						      row->ordered);
	ok(mvfs_crash_stop(fs));
}

const struct crash_row crash_rows[] = {
	{ "", "create f",
	  "- | f=",
	  "- | f=" },
	{ "", "create f; fsync f",
	  "f=",
	  "- | f=" },
	{ "", "create f; fsync .",
	  "f=",
	  "f=" },
	{ "", "create f; write f new",
	  "- | f= | f=new",
	  "- | f= | f=___ | f=new" },
	{ "", "create f; write f new; fsync f",
	  "f=new",
	  "- | f=new" },
	{ "", "create f; write f new; fsync f; fsync .",
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
	{ "create f; write f " CRASH_OLD, "write f " CRASH_NEW,
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
	  "f=old | f=old___ | f=oldnew" },
	{ "create f; write f " CRASH_OLD, "append f " CRASH_NEW,
	  "f=0123456789abcdef0123456789abcdef | "
	  "f=0123456789abcdef0123456789abcdefABCDEFGHIJKLMNOP | "
	  "f=" CRASH_OLD CRASH_NEW,
	  "f=0123456789abcdef0123456789abcdef | "
	  "f=" CRASH_OLD CRASH_NEW " | "
	  "f=" CRASH_OLD "ABCDEFGHIJKLMNOP________________ | "
	  "f=" CRASH_OLD "________________ABCDEFGHIJKLMNOP | "
	  "f=" CRASH_OLD "________________________________" },
	{ "create f; write f old", "truncate f 1",
	  "f=o | f=old",
	  "f=o | f=old" },
	{ "create f; write f old", "truncate f 5",
	  "f=old | f=old__",
	  "f=old | f=old__" },
	{ "create f; write f old", "o_trunc f; write f n",
	  "f=n | f=old",
	  "f=n | f=o | f=old" },
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
	  "f= | f=___ | f=new | f=old | f=old t= | f=old t=___ | f=old t=new" },
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
	{ "create f; create g", "unlink f; unlink g; fsync .",
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
	{ "", "symlink l a",
	  "- | l->a",
	  "- | l->a" },
	{ "", "symlink l a; fsync .",
	  "l->a",
	  "l->a" },
	{ "mkdir a; mkdir b", "rename a b/a; rename b/a a; rename b a/b",
	  "a/ a/b/ | a/ b/ | b/ b/a/",
	  "a/ a/b/ | a/ b/ | b/ b/a/" },
	{ "", "tmpfile . f",
	  "- | f=tmp",
	  "- | f=tmp", .library = true },
	{ "", "create f; write f new; sync",
	  "f=new",
	  "f=new", .library = true },
	{ "create f", "unlink f; create f; write f new",
	  "- | f= | f=new",
	  "- | f= | f=___ | f=new" },
	{ "create f", "chmod f 600",
	  "f:600= | f:644=",
	  "f:600= | f:644=", true },
	{ "create f", "chmod f 600; fdatasync f",
	  "f:600= | f:644=",
	  "f:600= | f:644=", true },
	{ "create f", "chmod f 600; fsync f",
	  "f:600=",
	  "f:600=", true },
	{ "", "create f; chmod f 600; fdatasync f",
	  "f:600= | f:644=",
	  "- | f:600= | f:644=", true },
	{ "create f", "rename f g; rename g f",
	  "f= | g=",
	  "f= | g=" },
	{ "mkdir d", "chmod d 700",
	  "d:700/ | d:755/",
	  "d:700/ | d:755/", true },
	{ "mkdir d", "chmod d 700; fsync d",
	  "d:700/",
	  "d:700/", true },
};

const int crash_row_count = sizeof(crash_rows) / sizeof(crash_rows[0]);
