/* SPDX-License-Identifier: MIT */
/*
 * memvfs/crash.h: the table by call through the library; states, their ids,
 * failed fsyncs, restores, and what tracking leaves alone.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "tests/crash_table.h"
#include "tests/expect.h"

enum { TEXT = CRASH_TEXT };
#define OLD CRASH_OLD
#define NEW CRASH_NEW

static mvfs *fs;

static int exchange(void *ctx, const char *a, const char *b)
{
	return mvfs_renameat(ctx, MVFS_AT_FDCWD, a, MVFS_AT_FDCWD, b,
			     MVFS_RENAME_EXCHANGE);
}

static int sync_all(void *ctx)
{
	return mvfs_sync(ctx);
}

static int tmpfile_in(void *ctx, const char *path, const char *name)
{
	int fd = (int)ok(mvfs_open(ctx, path, O_TMPFILE | O_WRONLY, 0644));

	ok(mvfs_write(ctx, fd, "tmp", 3));
	ok(mvfs_fsync(ctx, fd));
	ok(mvfs_linkat(ctx, fd, "", MVFS_AT_FDCWD, name, AT_EMPTY_PATH));
	return mvfs_close(ctx, fd);
}

static struct crash_by by_library(void)
{
	return (struct crash_by){ mvfs_io(fs), "/", exchange, sync_all,
				  tmpfile_in };
}

static void run(const char *calls)
{
	const struct crash_by by = by_library();

	crash_run(&by, calls);
}

static const char *found(const struct mvfs_crash_options *options, bool modes)
{
	return crash_found(fs, options, modes);
}

static int open_for(const char *path, int flags)
{
	return (int)ok(mvfs_open(fs, path, flags, 0644));
}

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
	const struct crash_by by = by_library();

	crash_check_row(fs, &by, _i / 2, _i % 2 ? MVFS_CRASH_POSIX :
						  MVFS_CRASH_ORDERED);
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
		crash_states.count = 0;
	}
	r->here++;
	r->last = state->point;
	r->count++;
	r->sampled += state->sampled;
	crash_tell(after, true, text);
	ok(mvfs_crash(fs, r->options, state, &same));
	crash_tell(same, true, again);
	ck_assert_str_eq(text, again);
	ok(mvfs_destroy(same));
	crash_add(text);
	ck_assert_uint_eq(crash_states.count, r->here); /* none twice */
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

	crash_tell(after, false, text);
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

/* ... the same names, but made anew. */
START_TEST(test_equal_states_of_a_point_come_once)
{
	const struct mvfs_crash_options options = {
		.size = sizeof(options), .policy = _i,
	};
	struct replay r = { .options = &options };

	run("create f");
	ok(mvfs_crash_start(fs, NULL));
	run("rename f g; rename g f");
	ok(mvfs_crash_each(fs, &options, replay, &r));
	ck_assert_uint_eq(r.count, 1 + 2 + 2);
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
	crash_states.count = 0;
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
	crash_tell(fs, false, text);
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

/* Bytes that a file has after the last point, all in doubt lost. */
static void finds(const char *path, const char *text)
{
	struct mvfs_string bytes;
	mvfs *after;

	ok(mvfs_crash(fs, NULL, NULL, &after));
	ok(mvfs_read_file(after, path, &bytes));
	ck_assert_uint_eq(bytes.len, strlen(text));
	ck_assert_mem_eq(bytes.data, text, bytes.len);
	mvfs_string_release(&bytes);
	ok(mvfs_destroy(after));
}

/* 0: by fsync; 1: by O_SYNC; 2: by sync; 3: before the start; 4: by fsync, and
 * a sync later on that has nothing to do. */
START_TEST(test_what_was_synced_before_it_had_a_name_is_durable)
{
	const int sync = _i == 1 ? O_SYNC : 0;
	int fd;

	if (_i != 3)
		ok(mvfs_crash_start(fs, NULL));
	fd = open_for("/", O_TMPFILE | O_WRONLY | sync);
	ok(mvfs_write(fs, fd, "tmp", 3));
	if (_i == 0 || _i == 4)
		ok(mvfs_fsync(fs, fd));
	if (_i == 2 || _i == 4)
		ok(mvfs_sync(fs));
	if (_i == 3)
		ok(mvfs_crash_start(fs, NULL));
	ok(mvfs_linkat(fs, fd, "", MVFS_AT_FDCWD, "/t", AT_EMPTY_PATH));
	ok(mvfs_close(fs, fd));
	run("fsync .");
	finds("/t", "tmp");
}
END_TEST

static int fail_fsync(void)
{
	struct mvfs_crash_options options = {
		.size = sizeof(options), .failed_fsync = MVFS_CRASH_FORGOTTEN,
	};
	int fd;

	run("create f; write f " OLD);
	ok(mvfs_crash_start(fs, &options));
	ok(mvfs_fault_add(fs, "fsync path=/f nth=1 errno=EIO", NULL, NULL));
	fd = open_for("/f", O_RDWR);
	return fd;
}

START_TEST(test_what_is_written_again_is_not_forgotten)
{
	int fd = fail_fsync();

	run("write f " NEW);
	fails(mvfs_fsync(fs, fd), EIO);
	if (_i == 0)
		run("write f " NEW);
	else if (_i == 1)
		run("o_trunc f; write f " NEW);
	else if (_i == 2)
		ok(mvfs_write_file(fs, "/f", NEW, strlen(NEW)));
	ok(mvfs_fsync(fs, fd));
	finds("/f", _i == 3 ? OLD : NEW); /* 3: it is not */
	ok(mvfs_sync(fs));
	run("write f " OLD "; fsync f");
	finds("/f", OLD);
	ok(mvfs_close(fs, fd));
}
END_TEST

/* 0: by a copy, of the very bytes; 1: a hole elsewhere writes nothing. */
START_TEST(test_only_the_range_that_is_written_again_is_not_forgotten)
{
	char bytes[8192], found_bytes[8192];
	struct mvfs_crash_options options = {
		.size = sizeof(options), .failed_fsync = MVFS_CRASH_FORGOTTEN,
	};
	int64_t in = 0, out = 0;
	mvfs *after;
	int fd, from;

	memset(bytes, 'a', sizeof(bytes));
	ok(mvfs_write_file(fs, "/f", bytes, sizeof(bytes)));
	memset(bytes, 'b', sizeof(bytes));
	ok(mvfs_write_file(fs, "/from", bytes, sizeof(bytes)));
	ok(mvfs_crash_start(fs, &options));
	ok(mvfs_fault_add(fs, "fsync path=/f nth=1 errno=EIO", NULL, NULL));
	fd = open_for("/f", O_RDWR);
	from = open_for("/from", O_RDONLY);
	ok(mvfs_pwrite(fs, fd, bytes, sizeof(bytes), 0));
	fails(mvfs_fsync(fs, fd), EIO);
	if (_i == 0)
		ok(mvfs_copy_file_range(fs, from, &in, fd, &out, 4096, 0));
	else
		ok(mvfs_fallocate(fs, fd, MVFS_PUNCH_HOLE | MVFS_KEEP_SIZE,
				  4096, 4096));
	ok(mvfs_fsync(fs, fd));
	ok(mvfs_crash(fs, NULL, NULL, &after));
	ok(mvfs_pread(after, (int)ok(mvfs_open(after, "/f", O_RDONLY, 0)),
		      found_bytes, sizeof(found_bytes), 0));
	ck_assert_int_eq(found_bytes[0], _i == 0 ? 'b' : 'a');
	ck_assert_int_eq(found_bytes[4096], _i == 0 ? 'a' : 0);
	ok(mvfs_destroy(after));
}
END_TEST

START_TEST(test_what_was_cut_off_does_not_come_back)
{
	int fd = fail_fsync();
	char zeros[sizeof(OLD)] = { 0 };
	struct mvfs_string bytes;
	mvfs *after;

	run("truncate f 0");
	fails(mvfs_fsync(fs, fd), EIO);
	ok(mvfs_ftruncate(fs, fd, (int64_t)strlen(OLD)));
	ok(mvfs_fsync(fs, fd));
	ok(mvfs_crash(fs, NULL, NULL, &after));
	ok(mvfs_read_file(after, "/f", &bytes));
	ck_assert_uint_eq(bytes.len, strlen(OLD));
	ck_assert_mem_eq(bytes.data, zeros, bytes.len);
	mvfs_string_release(&bytes);
	ok(mvfs_destroy(after));
	ok(mvfs_close(fs, fd));
}
END_TEST

START_TEST(test_data_are_reverted_whatever_the_limits)
{
	struct mvfs_crash_options options = {
		.size = sizeof(options), .failed_fsync = MVFS_CRASH_REVERTED,
	};
	char text[TEXT];
	int fd;

	run("create a; write a " OLD "; create b");
	ok(mvfs_set_limits(fs, 4096, 0));
	ok(mvfs_crash_start(fs, &options));
	run("truncate a 0; write b new");
	ok(mvfs_fault_add(fs, "fsync path=/a errno=EIO", NULL, NULL));
	fd = open_for("/a", O_RDONLY);
	fails(mvfs_fsync(fs, fd), EIO);
	ok(mvfs_close(fs, fd));
	crash_tell(fs, false, text);
	ck_assert_str_eq(text, "a=" OLD " b=new");
}
END_TEST

/* 0: kept alone; 1: garbage alone; 2: torn alone, of one sector. */
START_TEST(test_one_kind_of_data_alone_is_found)
{
	static const unsigned kinds[] = {
		MVFS_CRASH_KEPT, MVFS_CRASH_GARBAGE, MVFS_CRASH_TORN
	};
	const struct mvfs_crash_options options = {
		.size = sizeof(options), .data = kinds[_i], .sector = 16,
	};
	const char *is;

	run("create f; write f 0123456789");
	ok(mvfs_crash_start(fs, NULL));
	run("write f abcdefghij");
	is = found(&options, false);
	if (_i == 0)
		ck_assert_str_eq(is, "f=abcdefghij");
	else if (_i == 1)
		ck_assert(!strstr(is, "0123456789") && !strchr(is, '|'));
	else
		ck_assert_str_eq(is, "f=0123456789"); /* as it cannot be */
}
END_TEST

START_TEST(test_zeros_that_were_appended_are_sectors)
{
	const struct mvfs_crash_options options = {
		.size = sizeof(options), .sector = 16,
	};
	static const char zeros[32];
	int fd;

	run("create f; write f 0123456789abcdef");
	ok(mvfs_crash_start(fs, NULL));
	fd = open_for("/f", O_WRONLY | O_APPEND);
	ok(mvfs_write(fs, fd, zeros, sizeof(zeros)));
	ok(mvfs_close(fs, fd));
	ck_assert_str_eq(found(&options, false),
			 "f=0123456789abcdef | "
			 "f=0123456789abcdef________________ | "
			 "f=0123456789abcdef________________________________");
}
END_TEST

START_TEST(test_ids_of_no_state_are_refused)
{
	struct mvfs_crash_state state = {
		.point = 1, .choice = UINT64_C(1) << 63 | 1,
	};
	struct mvfs_crash_options options = {
		.size = sizeof(options), .max_states = 1,
	};
	mvfs *after;

	ok(mvfs_crash_start(fs, NULL));
	run("create f");
	fails(mvfs_crash(fs, NULL, &state, &after), ERANGE);
	fails(mvfs_crash(fs, &options, NULL, &after), EINVAL);
	options.max_states = 0;
	options.sector = 1 << 17;
	fails(mvfs_crash(fs, &options, NULL, &after), EINVAL);
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
	crash_tell(fs, false, text);
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
	crash_tell(after, false, text);
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

enum { WRITERS = 3, CALLS = 100 };

static void *change_much(void *arg)
{
	const char *name = arg;
	char other[8];
	int i, fd;

	snprintf(other, sizeof(other), "%s2", name);
	for (i = 0; i < CALLS; i++) {
		fd = (int)ok(mvfs_open(fs, name, O_CREAT | O_WRONLY, 0600));
		ok(mvfs_write(fs, fd, name, 2));
		if (i % 3 == 0)
			ok(mvfs_fsync(fs, fd));
		ok(mvfs_close(fs, fd));
		ok(mvfs_rename(fs, name, other));
	}
	return NULL;
}

static int look(void *ctx, mvfs *after, const struct mvfs_crash_state *state)
{
	struct mvfs_stat st;

	(void)state;
	ok(mvfs_stat(after, "/", &st));
	return ++*(unsigned *)ctx % 400 == 0;
}

START_TEST(test_crashes_are_looked_at_while_others_go_on)
{
	static char name[WRITERS][4] = { "/a", "/b", "/c" };
	const struct mvfs_crash_options options = {
		.size = sizeof(options), .max_states = 5,
	};
	pthread_t thread[WRITERS];
	unsigned count = 0;
	int i;

	ok(mvfs_crash_start(fs, NULL));
	for (i = 0; i < WRITERS; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, change_much,
						name[i]), 0);
	for (i = 0; i < 10; i++)
		ck_assert_int_ge(mvfs_crash_each(fs, &options, look, &count),
				 0);
	for (i = 0; i < WRITERS; i++)
		pthread_join(thread[i], NULL);
	/* a call, a point: an open, a write, a third of an fsync, a rename */
	ck_assert_int_ge(mvfs_crash_point(fs), WRITERS * CALLS * 3);
	ck_assert_uint_gt(count, 0);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("crash");
	Suite *suite = suite_create("api: crash");

	tcase_add_checked_fixture(tests, begin, end);
	tcase_add_loop_test(tests,
			    test_what_may_be_found_is_what_the_table_says, 0,
			    2 * crash_row_count);
	tcase_add_loop_test(
		tests, test_each_state_comes_once_and_is_replayed_by_its_id,
		0, 2);
	tcase_add_loop_test(tests, test_equal_states_of_a_point_come_once, 0,
			    2);
	tcase_add_loop_test(
		tests, test_of_too_many_states_some_are_chosen_and_it_is_said,
		0, 2);
	tcase_add_test(tests, test_what_the_callback_returns_ends_it);
	tcase_add_test(tests,
		       test_an_equal_state_of_a_later_point_is_tried_again);
	tcase_add_loop_test(tests, test_a_failed_fsync_makes_nothing_durable,
			    0, 3);
	tcase_add_loop_test(
		tests, test_what_was_synced_before_it_had_a_name_is_durable,
		0, 5);
	tcase_add_loop_test(tests, test_what_is_written_again_is_not_forgotten,
			    0, 4);
	tcase_add_loop_test(
		tests,
		test_only_the_range_that_is_written_again_is_not_forgotten, 0,
		2);
	tcase_add_test(tests, test_what_was_cut_off_does_not_come_back);
	tcase_add_test(tests, test_data_are_reverted_whatever_the_limits);
	tcase_add_loop_test(tests, test_one_kind_of_data_alone_is_found, 0, 3);
	tcase_add_test(tests, test_zeros_that_were_appended_are_sectors);
	tcase_add_test(tests, test_ids_of_no_state_are_refused);
	tcase_add_test(tests, test_a_restore_brings_back_what_was_in_doubt);
	tcase_add_test(tests, test_what_has_no_name_or_is_open_is_not_found);
	tcase_add_test(tests, test_limits_count_what_was_found);
	tcase_add_test(
		tests,
		test_a_clone_is_not_tracked_and_calls_that_fail_make_no_point);
	tcase_add_test(tests, test_crashes_are_looked_at_while_others_go_on);
	tcase_add_test(tests, test_wrong_arguments_are_refused);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
