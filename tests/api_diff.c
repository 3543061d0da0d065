/* SPDX-License-Identifier: MIT */
/* memvfs/diff.h: what differs, between relatives and between strangers. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <check.h>

#include <memvfs/memvfs.h>

#include "tests/expect.h"
#include "tests/random.h"

static mvfs *a, *b;

static void put(mvfs *fs, const char *path, const char *text)
{
	ok(mvfs_write_file(fs, path, text, strlen(text)));
}

/* The difference is that, by that options; and none the other way round. */
static void differ_by(const struct mvfs_diff_options *options,
		      const char *expected)
{
	struct mvfs_string text;

	ok(mvfs_diff_text(a, b, options, &text));
	ck_assert_str_eq(mvfs_string_cstr(&text), expected);
	mvfs_string_release(&text);
	ok(mvfs_diff_text(a, a, options, &text));
	ck_assert_uint_eq(text.len, 0);
}

static void differ(const char *expected)
{
	differ_by(NULL, expected);
}

static void fill(mvfs *fs)
{
	ok(mvfs_mkdir(fs, "/d", 0755));
	ok(mvfs_mkdir(fs, "/d/sub", 0755));
	put(fs, "/d/file", "0123456789");
	put(fs, "/d/sub/deep", "deep");
	put(fs, "/one", "one");
	ok(mvfs_link(fs, "/one", "/d/two"));
	ok(mvfs_symlink(fs, "d/file", "/link"));
	ok(mvfs_mknod(fs, "/dev", S_IFCHR | 0600, 0x0501));
}

/* _i 0: a clone; 1: a tree that was made likewise, with nothing shared. */
static void begin(int stranger)
{
	ok(mvfs_create(NULL, &a));
	fill(a);
	if (!stranger) {
		ok(mvfs_clone(a, &b));
		return;
	}
	ok(mvfs_create(NULL, &b));
	fill(b);
}

static void end(void)
{
	ok(mvfs_destroy(a));
	ok(mvfs_destroy(b));
}

START_TEST(test_equal_trees_do_not_differ)
{
	begin(_i);
	differ("");
	put(b, "/d/file", "0123456789");
	ok(mvfs_chmod(b, "/d/file", 0600));
	ok(mvfs_chmod(b, "/d/file", 0644));
	differ("");
	end();
}
END_TEST

START_TEST(test_each_kind_of_difference_is_told)
{
	begin(_i);
	put(b, "/d/file", "01234x6789");
	put(b, "/d/sub/deep", "deeper");
	ok(mvfs_chmod(b, "/d/file", 0600));
	ok(mvfs_chown(b, "/d/sub", 5, 6));
	ok(mvfs_setxattr(b, "/d", "user.x", "a\n", 2, 0));
	ok(mvfs_unlink(b, "/link"));
	ok(mvfs_symlink(b, "a b", "/link"));
	ok(mvfs_unlink(b, "/dev"));
	ok(mvfs_mknod(b, "/dev", S_IFCHR | 0600, 0x0502));
	put(b, "/d/new", "");
	differ("/d xattr user.x none -> \"a\\n\"\n"
	       "/d/file content at 5: 0x35 -> 0x78\n"
	       "/d/file mode 0644 -> 0600\n"
	       "/d/new added file\n"
	       "/d/sub owner 0:0 -> 5:6\n"
	       "/d/sub/deep content at 4: end -> 0x65, size 4 -> 6\n"
	       "/dev device 5,1 -> 5,2\n"
	       "/link link d/file -> a\\040b\n");
	end();
}
END_TEST

START_TEST(test_what_is_of_another_type_has_no_more)
{
	begin(_i);
	ok(mvfs_unlink(b, "/d/file"));
	ok(mvfs_mkdir(b, "/d/file", 0700));
	put(b, "/d/file/in", "in");
	differ("/d/file type file -> dir\n"
	       "/d/file/in added file\n");
	end();
}
END_TEST

START_TEST(test_a_moved_directory_is_told_with_all_in_it)
{
	begin(_i);
	ok(mvfs_rename(b, "/d", "/e"));
	differ("/d removed dir\n"
	       "/d/file removed file\n"
	       "/d/sub removed dir\n"
	       "/d/sub/deep removed file\n"
	       "/d/two removed file\n"
	       "/e added dir\n"
	       "/e/file added file\n"
	       "/e/sub added dir\n"
	       "/e/sub/deep added file\n"
	       "/e/two added file\n"
	       "/one links /d/two /one -> /e/two /one\n");
	end();
}
END_TEST

START_TEST(test_a_file_of_several_names_is_told_once)
{
	begin(_i);
	put(b, "/one", "two");
	differ("/d/two content at 0: 0x6f -> 0x74\n");
	end();
}
END_TEST

START_TEST(test_link_groups_are_compared)
{
	begin(_i);
	ok(mvfs_unlink(b, "/one"));
	put(b, "/one", "one");
	differ("/d/two links /d/two /one -> /d/two\n"
	       "/one links /d/two /one -> /one\n");
	ok(mvfs_unlink(b, "/d/two"));
	ok(mvfs_link(b, "/d/file", "/d/two"));
	differ("/d/file links /d/file -> /d/file /d/two\n"
	       "/d/two content at 0: 0x6f -> 0x30, size 3 -> 10\n"
	       "/d/two links /d/two /one -> /d/file /d/two\n"
	       "/one links /d/two /one -> /one\n");
	end();
}
END_TEST

START_TEST(test_only_what_is_asked_for_is_compared)
{
	const struct mvfs_time times[2] = { { 1, 2, 0 }, { 3, 4, 0 } };
	struct mvfs_diff_options options = { .size = sizeof(options) };

	begin(_i);
	ok(mvfs_utimens(a, "/d/file", times));
	ok(mvfs_utimens(b, "/d/file", (struct mvfs_time[2]){ { 1, 2, 0 },
							     { 3, 5, 0 } }));
	ok(mvfs_chmod(b, "/d/file", 0600));
	put(b, "/new", "");
	options.what = MVFS_DIFF_MODE;
	differ_by(&options, "/d/file mode 0644 -> 0600\n");
	options.what = MVFS_DIFF_ADDED;
	differ_by(&options, "/new added file\n");
	options.what = MVFS_DIFF_REMOVED | MVFS_DIFF_CONTENT;
	differ_by(&options, "");
	ok(mvfs_utimens(b, "/", times));
	ok(mvfs_utimens(a, "/", times));
	if (!_i) { /* those that the same calls made at other times */
		options.what = MVFS_DIFF_MTIME | MVFS_DIFF_ATIME;
		differ_by(&options, "/d/file mtime 3.000000004 -> "
				    "3.000000005\n");
	}
	end();
}
END_TEST

START_TEST(test_holes_are_zeros)
{
	int fd;

	begin(_i);
	fd = (int)ok(mvfs_open(a, "/d/file", O_RDWR, 0));
	ok(mvfs_ftruncate(a, fd, 0));
	ok(mvfs_ftruncate(a, fd, (int64_t)1 << 40));
	fd = (int)ok(mvfs_open(b, "/d/file", O_RDWR, 0));
	ok(mvfs_ftruncate(b, fd, 0));
	ok(mvfs_pwrite(b, fd, "\0\0", 2, 5000));
	ok(mvfs_ftruncate(b, fd, (int64_t)1 << 40));
	differ("");
	ok(mvfs_pwrite(b, fd, "x", 1, (int64_t)1 << 39));
	differ("/d/file content at 549755813888: 0x00 -> 0x78\n");
	end();
}
END_TEST

/* Where a view begins is its root: nothing outside it is told. */
START_TEST(test_paths_are_seen_from_the_roots_of_the_views)
{
	struct mvfs_view_options options = { .size = sizeof(options) };
	mvfs *all[2];

	begin(_i);
	put(b, "/d/sub/deep", "other");
	put(b, "/outside", "x");
	options.root = "/d";
	all[0] = a;
	all[1] = b;
	ok(mvfs_view(all[0], &options, &a));
	ok(mvfs_view(all[1], &options, &b));
	differ("/sub/deep content at 0: 0x64 -> 0x6f, size 4 -> 5\n");
	ok(mvfs_destroy(all[0]));
	ok(mvfs_destroy(all[1]));
	end();
}
END_TEST

START_TEST(test_a_removed_root_is_an_empty_tree)
{
	struct mvfs_view_options options = { .size = sizeof(options) };
	mvfs *view;

	begin(_i);
	ok(mvfs_mkdir(a, "/gone", 0755));
	options.root = "/gone";
	ok(mvfs_view(a, &options, &view));
	ok(mvfs_rmdir(a, "/gone"));
	ok(mvfs_destroy(a));
	a = view;
	ok(mvfs_destroy(b));
	ok(mvfs_create(NULL, &b));
	differ("/ added dir\n");
	end();
}
END_TEST

START_TEST(test_a_snapshot_is_compared_by_a_clone_of_it)
{
	struct mvfs_snapshot *snapshot;

	begin(0);
	ok(mvfs_destroy(b));
	ok(mvfs_snapshot(a, &snapshot));
	put(a, "/d/new", "new");
	ok(mvfs_snapshot_clone(snapshot, &b));
	differ("/d/new removed file\n");
	ok(mvfs_restore(a, snapshot));
	differ("");
	mvfs_snapshot_release(snapshot);
	end();
}
END_TEST

/* The same number, given out after the two parted, is another file. */
START_TEST(test_equal_numbers_of_relatives_may_be_strangers)
{
	begin(0);
	put(a, "/x", "x");
	ok(mvfs_mkdir(b, "/y", 0755));
	ok(mvfs_mkdir(b, "/y/z", 0755));
	differ("/x removed file\n"
	       "/y added dir\n"
	       "/y/z added dir\n");
	end();
}
END_TEST

struct seen {
	unsigned count, until;
	char path[64];
};

static int note(void *ctx, const struct mvfs_difference *d)
{
	struct seen *seen = ctx;

	snprintf(seen->path, sizeof(seen->path), "%s", d->path);
	/* no lock is held */
	ok(mvfs_write_file(a, "/in-between", "x", 1));
	return ++seen->count == seen->until ? 7 : 0;
}

static int note_content(void *ctx, const struct mvfs_difference *d)
{
	struct mvfs_difference *to = ctx;

	ck_assert_uint_eq(d->before->size, 10);
	ck_assert_uint_eq(d->after->size, 3);
	ck_assert_str_eq(d->before_text, "0x32");
	ck_assert_str_eq(d->after_text, "0x78");
	*to = *d;
	return 0;
}

START_TEST(test_the_callback_may_call_and_may_end_it)
{
	struct seen seen = { .until = 2 };
	struct mvfs_difference d;

	begin(_i);
	put(b, "/d/file", "01x");
	ok(mvfs_diff(a, b, NULL, note_content, &d));
	ck_assert_uint_eq(d.what, MVFS_DIFF_CONTENT);
	ck_assert_uint_eq(d.offset, 2);
	put(b, "/x", "");
	put(b, "/y", "");
	ck_assert_int_eq(mvfs_diff(a, b, NULL, note, &seen), 7);
	ck_assert_uint_eq(seen.count, 2);
	ck_assert_str_eq(seen.path, "/x");
	end();
}
END_TEST

START_TEST(test_arguments_are_checked)
{
	struct mvfs_diff_options options = { .size = sizeof(options) };
	struct mvfs_string text;

	begin(0);
	fails(mvfs_diff(NULL, b, NULL, note, NULL), EINVAL);
	fails(mvfs_diff(a, NULL, NULL, note, NULL), EINVAL);
	fails(mvfs_diff(a, b, NULL, NULL, NULL), EFAULT);
	fails(mvfs_diff_text(a, b, NULL, NULL), EFAULT);
	options.what = 1u << 20;
	fails(mvfs_diff_text(a, b, &options, &text), EINVAL);
	options.what = 0;
	/* The struct may be an older, shorter one, but not too short. */
	options.size = offsetof(struct mvfs_diff_options, what) +
		       sizeof(options.what) - 1;
	fails(mvfs_diff_text(a, b, &options, &text), EINVAL);
	options.size++;
	ok(mvfs_diff_text(a, b, &options, &text));
	mvfs_string_release(&text);
	end();
}
END_TEST

/* Random changes of a clone; a stranger that is the same tree must give the
 * same answer: it is made by the same changes. */
enum { NAMES = 6 };

static void random_path(uint64_t *state, char *to)
{
	uint64_t depth = 1 + below(state, 3);

	for (*to = 0; depth; depth--)
		to += sprintf(to, "/%c", (char)('a' + below(state, NAMES)));
}

static void change(mvfs *fs, uint64_t *state)
{
	char x[16], y[16];
	uint64_t what = below(state, 8), length = below(state, 3);

	random_path(state, x);
	random_path(state, y);
	/* whether they succeed does not matter, but that both do the same */
	if (what < 2)
		(void)mvfs_mkdir(fs, x, 0755);
	else if (what == 2)
		(void)mvfs_write_file(fs, x, y, length);
	else if (what == 3)
		(void)mvfs_rename(fs, x, y);
	else if (what == 4)
		(void)mvfs_link(fs, x, y);
	else if (what == 5)
		(void)mvfs_unlink(fs, x);
	else if (what == 6)
		(void)mvfs_chmod(fs, x, 0600 + (uint32_t)length);
	else
		(void)mvfs_rmdir(fs, x);
}

/* An empty tree whose root is not the first inode. */
static mvfs *make_below(void)
{
	struct mvfs_view_options options = { .size = sizeof(options) };
	mvfs *all, *below;

	ok(mvfs_create(NULL, &all));
	ok(mvfs_mkdir(all, "/below", 0755));
	options.root = "/below";
	ok(mvfs_view(all, &options, &below));
	ok(mvfs_destroy(all));
	return below;
}

START_TEST(test_relatives_and_strangers_give_the_same_answer)
{
	uint64_t seed = seed_of_run(), state, again, lower;
	unsigned long round, rounds = 150 * long_factor();
	struct mvfs_string one, two;
	mvfs *stranger, *below;
	int i;

	for (round = 0; round < rounds; round++) {
		state = again = lower = seed + round;
		ok(mvfs_create(NULL, &a));
		ok(mvfs_create(NULL, &stranger));
		below = make_below();
		for (i = 0; i < 60; i++) {
			change(a, &state);
			change(stranger, &again);
			change(below, &lower);
		}
		ok(mvfs_clone(a, &b));
		for (i = 0; i < 8; i++) {
			change(b, &state);
			change(stranger, &again);
			change(below, &lower);
		}
		ok(mvfs_diff_text(a, b, NULL, &one));
		ok(mvfs_diff_text(a, stranger, NULL, &two));
		ck_assert_str_eq(mvfs_string_cstr(&one),
				 mvfs_string_cstr(&two));
		mvfs_string_release(&two);
		ok(mvfs_diff_text(a, below, NULL, &two));
		ck_assert_str_eq(mvfs_string_cstr(&one),
				 mvfs_string_cstr(&two));
		mvfs_string_release(&one);
		mvfs_string_release(&two);
		ok(mvfs_diff_text(b, stranger, NULL, &two));
		ck_assert_uint_eq(two.len, 0);
		ok(mvfs_destroy(stranger));
		ok(mvfs_destroy(below));
		end();
	}
}
END_TEST

/* Allocations tell what was looked at: each path is one place more. */
START_TEST(test_the_cost_is_that_of_what_differs)
{
	struct mvfs_stats before = { .size = sizeof(before) }, after = before;
	uint64_t cost[2];
	char path[32];
	int i, j, round;

	begin(0);
	for (round = 0; round < 2; round++) {
		for (j = 0; round && j < 50; j++) {
			snprintf(path, sizeof(path), "/%d", j);
			ok(mvfs_mkdir(a, path, 0755));
			for (i = 0; i < 100; i++) {
				snprintf(path, sizeof(path), "/%d/%d", j, i);
				put(a, path, "x");
			}
		}
		ok(mvfs_destroy(b));
		ok(mvfs_clone(a, &b));
		put(b, "/d/file", "other");
		ok(mvfs_stats(MVFS_STATS_THREAD, &before));
		differ("/d/file content at 0: 0x30 -> 0x6f, size 10 -> 5\n");
		ok(mvfs_stats(MVFS_STATS_THREAD, &after));
		cost[round] = after.allocations - before.allocations;
	}
	ck_assert_uint_eq(cost[0], cost[1]);
	end();
}
END_TEST

static void *write_on(void *arg)
{
	int i, fd = mvfs_open(a, "/d/file", O_WRONLY, 0);
	int64_t rc = fd;

	(void)arg;
	for (i = 0; i < 400 && rc >= 0; i++) {
		rc = mvfs_pwrite(a, fd, i % 2 ? "xx" : "yy", 2, i * 8);
		if (rc >= 0)
			rc = mvfs_write_file(a, "/d/new", "n", 1);
		if (rc >= 0)
			rc = mvfs_unlink(a, "/d/new");
	}
	return rc < 0 ? &a : NULL;
}

START_TEST(test_others_write_while_trees_are_looked_at)
{
	struct mvfs_string text;
	pthread_t thread;
	void *said;
	int i;

	begin(_i);
	ck_assert_int_eq(pthread_create(&thread, NULL, write_on, NULL), 0);
	for (i = 0; i < 100; i++) {
		ok(mvfs_diff_text(b, a, NULL, &text));
		mvfs_string_release(&text);
		ok(mvfs_dump(a, MVFS_DUMP_DATA, &text));
		mvfs_string_release(&text);
		ok(mvfs_expect(a, "./d/sub type=dir\n./d/sub/deep size=4",
			       NULL));
	}
	pthread_join(thread, &said);
	ck_assert_ptr_null(said);
	end();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("diff");
	TCase *tests = tcase_create("diff");

#define BOTH(test) tcase_add_loop_test(tests, test, 0, 2)
	BOTH(test_equal_trees_do_not_differ);
	BOTH(test_each_kind_of_difference_is_told);
	BOTH(test_what_is_of_another_type_has_no_more);
	BOTH(test_a_moved_directory_is_told_with_all_in_it);
	BOTH(test_a_file_of_several_names_is_told_once);
	BOTH(test_link_groups_are_compared);
	BOTH(test_only_what_is_asked_for_is_compared);
	BOTH(test_holes_are_zeros);
	BOTH(test_paths_are_seen_from_the_roots_of_the_views);
	BOTH(test_a_removed_root_is_an_empty_tree);
	BOTH(test_others_write_while_trees_are_looked_at);
	BOTH(test_the_callback_may_call_and_may_end_it);
	tcase_add_test(tests, test_a_snapshot_is_compared_by_a_clone_of_it);
	tcase_add_test(tests,
		       test_equal_numbers_of_relatives_may_be_strangers);
	tcase_add_test(tests, test_arguments_are_checked);
	tcase_add_test(tests,
		       test_relatives_and_strangers_give_the_same_answer);
	tcase_add_test(tests, test_the_cost_is_that_of_what_differs);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
