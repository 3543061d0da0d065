/* SPDX-License-Identifier: MIT */
/*
 * One row in worlds of one kind. First undisturbed, which tells what the call
 * is to do; then with the n-th allocation failing, in a fresh world each
 * time, for every n until none is left to fail.
 *
 * What failed must have changed nothing, and the same call, tried again, must
 * do what it does undisturbed: that shows what a dump cannot see.
 */
#include "config.h"

#include "tests/nomem/nomem.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include <check.h>

#include "tests/core.h"

enum { ALLOCATIONS_MAX = 1000 };

/* What the call does undisturbed. */
struct reference {
	int64_t rc;
	struct text before, after, out;
};

struct trial {
	const struct row *row;
	enum kind kind;
	unsigned n; /* 0: none fails */
	struct reference ref;
	struct world w;
	/* of the last call */
	int64_t rc;
	uint64_t failed;
};

static const char *const kind_names[KINDS] = {
	"alone", "cloned", "read", "cloned and read", "second thread",
};

static void *call_here(void *arg)
{
	struct trial *t = arg;
	uint64_t before = mvfs__mem_thread.fail_failed;

	mvfs__mem_fail_at(t->n);
	t->rc = t->row->call(&t->w);
	mvfs__mem_fail_at(0);
	t->failed = mvfs__mem_thread.fail_failed - before;
	return NULL;
}

static void call(struct trial *t)
{
	pthread_t thread;

	if (t->kind != SECOND_THREAD) {
		call_here(t);
		return;
	}
	ck_assert_int_eq(pthread_create(&thread, NULL, call_here, t), 0);
	pthread_join(thread, NULL);
}

static size_t line_len(const char *line)
{
	return strcspn(line, "\n");
}

/* Fails with the first line that differs. */
static void same(const struct trial *t, const struct text *is,
		 const struct text *was, const char *what)
{
	size_t i, line = 0, len;

	if (is->len == was->len && !memcmp(is->bytes, was->bytes, is->len))
		return;
	len = is->len < was->len ? is->len : was->len;
	for (i = 0; i < len && is->bytes[i] == was->bytes[i]; i++)
		if (is->bytes[i] == '\n')
			line = i + 1;
	ck_abort_msg("%s (%s), %s, allocation %u: %s:\n  is  %.*s\n  was %.*s",
		     t->row->label, t->row->function, kind_names[t->kind],
		     t->n, what, (int)line_len(is->bytes + line),
		     is->bytes + line, (int)line_len(was->bytes + line),
		     was->bytes + line);
}

static void expect(const struct trial *t, bool holds, const char *what)
{
	if (!holds)
		ck_abort_msg("%s (%s), %s, allocation %u: %s, result %lld,"
			     " undisturbed %lld", t->row->label,
			     t->row->function, kind_names[t->kind], t->n,
			     what, (long long)t->rc, (long long)t->ref.rc);
}

static void start(struct trial *t, unsigned n)
{
	t->n = n;
	world_start(&t->w, t->kind, t->row->big);
	world_ready(&t->w);
}

static void check_all(struct trial *t)
{
	core_check(t->w.observer);
	if (t->w.clone)
		core_check(t->w.clone);
}

static void run_undisturbed(struct trial *t)
{
	start(t, 0);
	dump_world(&t->ref.before, &t->w);
	call(t);
	t->ref.rc = t->rc;
	dump_out(&t->ref.out, &t->w);
	dump_world(&t->ref.after, &t->w);
	check_all(t);
	if (t->rc < 0 || t->row->looks)
		same(t, &t->ref.after, &t->ref.before,
		     "changed by a call that only looks, or is refused");
	expect(t, t->rc != -ENOMEM, "out of memory undisturbed");
	world_end(&t->w);
}

/* An error is told where one is asked for, and nothing else is stored. */
static void check_nothing_stored(const struct trial *t)
{
	struct out out;

	memcpy(&out, &t->w.out, sizeof(out));
	if (memcmp(&out.error, &t->w.fresh.error, sizeof(out.error)))
		expect(t, out.error.code == t->rc && out.error.message[0],
		       "wrong error told");
	out.error = t->w.fresh.error;
	expect(t, !memcmp(&out, &t->w.fresh, sizeof(out)),
	       "something was stored by a call that failed");
}

static void check_unchanged(struct trial *t, struct text *dump)
{
	struct mvfs_dirent entry;
	struct mvfs_dir *dir = t->w.dir;

	if (t->row->ends_listing) {
		expect(t, mvfs_readdir(dir, &entry) == 0,
		       "the listing is not at its end");
		expect(t, mvfs_seekdir(dir, t->w.cookie) == -EINVAL,
		       "the listing has names");
		/* as it was before, but for the listing */
		ok(mvfs_rewinddir(dir));
		ok(mvfs_seekdir(dir, t->w.cookie));
	}
	dump_world(dump, &t->w);
	same(t, dump, &t->ref.before, "changed by a call that failed");
	check_nothing_stored(t);
}

/* It was short for want of memory: goes on where it stopped. */
static void resume(struct trial *t)
{
	int64_t done = t->rc;

	t->n = 0;
	while (t->row->resumes && done > 0 && done < t->ref.rc) {
		call(t);
		expect(t, t->rc > 0, "did not go on");
		done += t->rc;
	}
	t->rc = done;
}

static void check_as_undisturbed(struct trial *t, struct text *dump)
{
	expect(t, t->rc == t->ref.rc, "another result");
	dump_out(dump, &t->w);
	same(t, dump, &t->ref.out, "stored something else");
	dump_world(dump, &t->w);
	same(t, dump, &t->ref.after, "did something else");
	check_all(t);
}

/* True if an allocation was left to fail. */
static bool run_failing(struct trial *t, unsigned n, struct text *dump)
{
	bool failed;

	start(t, n);
	call(t);
	failed = t->failed > 0;
	check_all(t);
	if (failed && t->rc == -ENOMEM) {
		check_unchanged(t, dump);
		world_ready(&t->w);
		t->n = 0;
		call(t);
		t->n = n;
	} else if (failed) {
		resume(t);
		t->n = n;
	}
	check_as_undisturbed(t, dump);
	world_end(&t->w);
	return failed;
}

void trial(const struct row *row, enum kind kind)
{
	static struct trial t;
	struct text dump = { NULL, 0, 0 };
	unsigned n = 1;

	memset(&t, 0, sizeof(t));
	t.row = row;
	t.kind = kind;
	run_undisturbed(&t);
	while (run_failing(&t, n, &dump))
		expect(&t, ++n < ALLOCATIONS_MAX, "no end");
	text_free(&dump);
	text_free(&t.ref.before);
	text_free(&t.ref.after);
	text_free(&t.ref.out);
}
