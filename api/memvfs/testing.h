/* SPDX-License-Identifier: MIT */
/*
 * What tests in any framework share: a file system for each test that is
 * looked at when the test ends, and comparisons that give the text of a
 * failure, or NULL where there is none. memvfs/check.h and memvfs/cmocka.h
 * fail a test of Check or cmocka with it; any other framework does it in a
 * line, as here GoogleTest:
 *
 *	#define EXPECT_FINE(text) \
 *		do { \
 *			const char *wrong = (text); \
 *			EXPECT_EQ(wrong, nullptr) << wrong; \
 *		} while (0)
 *
 * A failure names the path, what was expected and what was found, the first
 * byte that differs, the faults that fired, and where in the program what is
 * open was opened, as memvfs/report.h knows it. Comparing makes no calls that
 * faults or the log would hear of, and looks as uid 0.
 *
 * All of it is inline and needs no memory but that of the struct, which the
 * test owns. Not part of memvfs.h.
 */
#ifndef MEMVFS_TESTING_H
#define MEMVFS_TESTING_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <memvfs/memvfs.h>

#define MVFS_TESTING_ROUTES 8

#if defined __GNUC__
#define MVFS__TESTING static inline __attribute__((__unused__))
#else
#define MVFS__TESTING static inline
#endif

/* A text that is cut where it does not fit: Check takes less than 4096. */
struct mvfs__testing_text {
	char bytes[3800];
	size_t len;
};

/*
 * A test's file system. {0} before mvfs_testing_begin(). `fs` is for the test
 * to use; the rest is not.
 *
 * @since 0.1.0
 */
struct mvfs_testing {
	mvfs *fs;
	struct mvfs__testing_text failure;
	struct mvfs__testing_text reports;
	const char *routes[MVFS_TESTING_ROUTES];
	int route_count;
};

MVFS__TESTING MVFS_PRINTF(2, 3)
void mvfs__testing_add(struct mvfs__testing_text *text, const char *format,
		       ...)
{
	const size_t room = sizeof(text->bytes) - text->len;
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text->bytes + text->len, room, format, args);
	va_end(args);
	if (len > 0 && (size_t)len < room)
		text->len += (size_t)len;
	else if (len > 0 && room > 1) {
		text->len = sizeof(text->bytes) - 1;
		memcpy(text->bytes + text->len - 4, "...\n", 4);
	}
}

MVFS__TESTING const char *mvfs__testing_name(int64_t error)
{
	const char *name = error < 0 && error > -4096 ?
			   mvfs_errno_name((int)error) : NULL;

	return name ? name : error < 0 ? "no errno" : "success";
}

MVFS__TESTING void mvfs__testing_note(void *ctx,
				      const struct mvfs_report *report)
{
	struct mvfs__testing_text *text = (struct mvfs__testing_text *)ctx;

	mvfs__testing_add(text, "  %s\n", report->line);
}

MVFS__TESTING int mvfs__testing_note_fault(void *ctx,
					   const struct mvfs_fault *fault)
{
	struct mvfs__testing_text *text = (struct mvfs__testing_text *)ctx;

	if (fault->fired)
		mvfs__testing_add(text, "  %s (fired at %llu of %llu)\n",
				  fault->text,
				  (unsigned long long)fault->fired,
				  (unsigned long long)fault->matched);
	return 0;
}

/* Adds a heading and what is below it, if there is anything. */
MVFS__TESTING void
mvfs__testing_section(struct mvfs__testing_text *text, const char *heading,
		      size_t before)
{
	struct mvfs__testing_text below;

	if (text->len == before)
		return;
	below = *text;
	text->len = before;
	mvfs__testing_add(text, "%s:\n%.*s", heading,
			  (int)(below.len - before), below.bytes + before);
}

/* What is known besides: faults, and what is open. The text is complete. */
MVFS__TESTING const char *mvfs__testing_done(struct mvfs_testing *t)
{
	struct mvfs__testing_text *text = &t->failure;
	size_t before = text->len;

	(void)mvfs_fault_list(t->fs, mvfs__testing_note_fault, text);
	mvfs__testing_section(text, "faults that fired", before);
	before = text->len;
	(void)mvfs_each_open(t->fs, mvfs__testing_note, text);
	mvfs__testing_section(text, "open", before);
	if (t->reports.len)
		mvfs__testing_add(text, "before:\n%s", t->reports.bytes);
	return text->bytes;
}

MVFS__TESTING struct mvfs__testing_text *
mvfs__testing_failure(struct mvfs_testing *t)
{
	t->failure.len = 0;
	t->failure.bytes[0] = 0;
	return &t->failure;
}

/* A message, and the line of the text that it is about. */
MVFS__TESTING const char *
mvfs__testing_refused(struct mvfs_testing *t, const char *what,
		      const char *given, const struct mvfs_error *error)
{
	struct mvfs__testing_text *text = mvfs__testing_failure(t);
	size_t len = strlen(given), at, from, to;

	mvfs__testing_add(text, "%s: %s\n", what, error->message);
	at = error->offset < len ? (size_t)error->offset : len;
	if (at && at == len && given[at - 1] == '\n')
		at--;
	for (from = at; from && given[from - 1] != '\n'; from--)
		;
	to = at + strcspn(given + at, "\n");
	if (to > from && to - from < 200)
		mvfs__testing_add(text, "  %.*s\n  %*s^\n", (int)(to - from),
				  given + from, (int)(at - from), "");
	return mvfs__testing_done(t);
}

/*
 * Begins a test: with `fs`, such as a clone of what many tests begin with,
 * which is the fixture's from then on; or NULL: with a new, empty file system.
 * What is closed twice from then on is told at the end.
 *
 * @since 0.1.0
 */
MVFS__TESTING const char *mvfs_testing_begin(struct mvfs_testing *t, mvfs *fs)
{
	int rc;

	memset(t, 0, sizeof(*t));
	t->fs = fs;
	rc = fs ? 0 : mvfs_create(NULL, &t->fs);
	if (!rc)
		rc = mvfs_set_report(t->fs, 0, mvfs__testing_note, &t->reports);
	if (!rc)
		return NULL;
	mvfs__testing_add(&t->failure, "no file system: %s\n",
			  mvfs__testing_name(rc));
	return t->failure.bytes;
}

/*
 * Ends a test: its routes, and its file system. It is a failure if something
 * is still open, another view is there, or something was closed twice.
 * Ending what never began is fine.
 *
 * @since 0.1.0
 */
MVFS__TESTING const char *mvfs_testing_end(struct mvfs_testing *t)
{
	struct mvfs__testing_text *text = mvfs__testing_failure(t);
	int rc;

	if (!t->fs)
		return NULL;
	while (t->route_count)
		(void)mvfs_unroute(t->routes[--t->route_count], 0);
	rc = mvfs_each_open(t->fs, mvfs__testing_note, &t->reports);
	if (rc < 0)
		mvfs__testing_add(&t->reports, "  what is open is not known: "
				  "%s\n", mvfs__testing_name(rc));
	(void)mvfs_set_report(t->fs, 0, NULL, NULL);
	rc = mvfs_destroy(t->fs);
	if (rc < 0)
		mvfs__testing_add(&t->reports, "  it cannot end: %s\n",
				  mvfs__testing_name(rc));
	t->fs = NULL;
	if (!t->reports.len)
		return NULL;
	mvfs__testing_add(text, "left behind by the test:\n%s",
			  t->reports.bytes);
	return text->bytes;
}

/*
 * Leads paths below the prefix to the test's file system, until it ends: for
 * code that is compiled with memvfs/redirect.h. The prefix must stay until
 * then; at most MVFS_TESTING_ROUTES.
 *
 * @since 0.1.0
 */
MVFS__TESTING const char *mvfs_testing_route(struct mvfs_testing *t,
					     const char *prefix)
{
	int rc = t->route_count == MVFS_TESTING_ROUTES ? -1 :
		 mvfs_route(t->fs, prefix, 0);

	if (!rc) {
		t->routes[t->route_count++] = prefix;
		return NULL;
	}
	mvfs__testing_add(mvfs__testing_failure(t), "no route for %s: %s\n",
			  prefix, rc == -1 ? "too many" :
					     mvfs__testing_name(rc));
	return mvfs__testing_done(t);
}

/*
 * Adds a fault (memvfs/fault.h); a failure shows the column of the mistake.
 *
 * @since 0.1.0
 */
MVFS__TESTING const char *mvfs_testing_fault(struct mvfs_testing *t,
					     const char *rule)
{
	struct mvfs_error error;

	return mvfs_fault_add(t->fs, rule, NULL, &error) ?
	       mvfs__testing_refused(t, "fault", rule, &error) : NULL;
}

/*
 * Makes a tree, or compares with one (memvfs/mtree.h).
 *
 * @since 0.1.0
 */
MVFS__TESTING const char *mvfs_testing_build(struct mvfs_testing *t,
					     const char *tree)
{
	struct mvfs_error error;

	return mvfs_build(t->fs, tree, &error) ?
	       mvfs__testing_refused(t, "build", tree, &error) : NULL;
}
MVFS__TESTING const char *mvfs_testing_tree(struct mvfs_testing *t,
					    const char *tree)
{
	struct mvfs_error error;

	return mvfs_expect(t->fs, tree, &error) ?
	       mvfs__testing_refused(t, "tree", tree, &error) : NULL;
}

/*
 * Compares the log (memvfs/log.h), which mvfs_log_start() has begun; a failure
 * shows all of it, too.
 *
 * @since 0.1.0
 */
MVFS__TESTING const char *mvfs_testing_log(struct mvfs_testing *t,
					   const char *expected)
{
	struct mvfs_string log;
	struct mvfs_error error;

	if (!mvfs_expect_log(t->fs, expected, &error))
		return NULL;
	(void)mvfs__testing_refused(t, "log", expected, &error);
	if (!mvfs_log_text(t->fs, &log)) {
		mvfs__testing_add(&t->failure, "the log:\n%.*s", (int)log.len,
				  log.data);
		mvfs_string_release(&log);
	}
	return t->failure.bytes;
}

/* The bytes around a place, as numbers and as characters. */
MVFS__TESTING void mvfs__testing_bytes(struct mvfs__testing_text *text,
				       const char *name, const char *bytes,
				       size_t len, size_t at)
{
	const size_t from = at / 16 * 16;
	const size_t to = len < from + 16 ? len : from + 16;
	size_t i;

	mvfs__testing_add(text, "  %s %lu bytes, from %lu on:", name,
			  (unsigned long)len, (unsigned long)from);
	for (i = from; i < from + 16; i++)
		if (i < to)
			mvfs__testing_add(text, "%c%02x", i == at ? '>' : ' ',
					  (unsigned)(unsigned char)bytes[i]);
		else
			mvfs__testing_add(text, "%s", i == at ? "> ." : "   ");
	mvfs__testing_add(text, "  |");
	for (i = from; i < to; i++)
		mvfs__testing_add(text, "%c", bytes[i] >= ' ' &&
				  bytes[i] <= '~' ? bytes[i] : '.');
	mvfs__testing_add(text, "|\n");
}

MVFS__TESTING const char *
mvfs__testing_differ(struct mvfs_testing *t, const char *path,
		     const char *expected, size_t len,
		     const struct mvfs_string *found)
{
	struct mvfs__testing_text *text;
	size_t at, line = 1;

	for (at = 0; at < len && at < found->len; at++) {
		if (expected[at] != found->data[at])
			break;
		line += expected[at] == '\n';
	}
	if (at == len && at == found->len)
		return NULL;
	text = mvfs__testing_failure(t);
	mvfs__testing_add(text, "%s: not what is expected from byte %lu on "
			  "(line %lu)\n", path, (unsigned long)at,
			  (unsigned long)line);
	mvfs__testing_bytes(text, "expected", expected, len, at);
	mvfs__testing_bytes(text, "found   ", found->data, found->len, at);
	return mvfs__testing_done(t);
}

/* The file's bytes, as they are; of a copy of the tree, as uid 0. */
MVFS__TESTING int mvfs__testing_read(mvfs *fs, const char *path,
				     struct mvfs_string *found)
{
	struct mvfs_view_options root;
	mvfs *clone, *view;
	int rc = mvfs_clone(fs, &clone);

	if (rc)
		return rc;
	memset(&root, 0, sizeof(root));
	root.size = sizeof(root);
	root.set = MVFS_VIEW_CRED;
	rc = mvfs_view(clone, &root, &view);
	if (!rc) {
		rc = mvfs_read_file(view, path, found);
		(void)mvfs_destroy(view);
	}
	(void)mvfs_destroy(clone);
	return rc;
}

/*
 * Compares the content of a file with `len` bytes.
 *
 * @since 0.1.0
 */
MVFS__TESTING const char *mvfs_testing_file(struct mvfs_testing *t,
					    const char *path,
					    const void *expected, size_t len)
{
	struct mvfs_string found;
	const char *wrong;
	int rc = mvfs__testing_read(t->fs, path, &found);

	if (rc) {
		mvfs__testing_add(mvfs__testing_failure(t),
				  "%s: expected a file of %lu bytes, "
				  "found %s\n", path, (unsigned long)len,
				  mvfs__testing_name(rc));
		return mvfs__testing_done(t);
	}
	wrong = mvfs__testing_differ(t, path, (const char *)expected, len,
				     &found);
	mvfs_string_release(&found);
	return wrong;
}
MVFS__TESTING const char *mvfs_testing_text(struct mvfs_testing *t,
					    const char *path,
					    const char *expected)
{
	return mvfs_testing_file(t, path, expected, strlen(expected));
}

/*
 * Compares what a call gave with what it was to give: a negative errno, or 0,
 * which stands for any result that is no error. `call` is how the failure
 * names it.
 *
 * @since 0.1.0
 */
MVFS__TESTING const char *mvfs_testing_result(struct mvfs_testing *t,
					      const char *call, int64_t result,
					      int expected)
{
	if (expected ? result == expected : result >= 0)
		return NULL;
	mvfs__testing_add(mvfs__testing_failure(t),
			  "%s: expected %s, found %s (%lld)\n", call,
			  mvfs__testing_name(expected),
			  mvfs__testing_name(result), (long long)result);
	return mvfs__testing_done(t);
}

#endif
