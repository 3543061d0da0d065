/* SPDX-License-Identifier: MIT */
/* The hooks at the beginning and the end of every call. */
#include "config.h"

#include "vfs/event/event.h"

#include <pthread.h>

#include "tests/core.h"

/* What the hooks of a test saw, and what begin is to answer. */
static struct seen {
	unsigned begun, ended;
	int answer;
	struct mvfs__call last;
	char path[64], path2[64];
	bool locked; /* whether the instance was, meanwhile */
} seen;

static void note(const struct mvfs__call *call)
{
	seen.last = *call;
	snprintf(seen.path, sizeof(seen.path), "%s",
		 call->path ? call->path : "(none)");
	snprintf(seen.path2, sizeof(seen.path2), "%s",
		 call->path2 ? call->path2 : "(none)");
	if (pthread_mutex_trylock(&fs->fs->latch.writer))
		seen.locked = true;
	else
		pthread_mutex_unlock(&fs->fs->latch.writer);
}

static int begin(void *ctx, struct mvfs__call *call)
{
	ck_assert_ptr_eq(ctx, &seen);
	seen.begun++;
	note(call);
	return seen.answer;
}

static void end(void *ctx, const struct mvfs__call *call)
{
	ck_assert_ptr_eq(ctx, &seen);
	seen.ended++;
	note(call);
}

static const struct mvfs__hooks hooks = { begin, end, &seen };

static void start(void)
{
	core_start();
	seen = (struct seen){ 0 };
	mvfs__fs_set_hooks(fs, &hooks);
}

static void stop(void)
{
	mvfs__fs_set_hooks(fs, NULL);
	core_end();
}

START_TEST(test_each_call_begins_and_ends_once_with_nothing_locked)
{
	ok(mvfs_mkdir(fs, "/d", 0755));
	ck_assert_uint_eq(seen.begun, 1);
	ck_assert_uint_eq(seen.ended, 1);
	ck_assert_int_eq(seen.last.op, MVFS__OP_MKDIR);
	ck_assert_str_eq(seen.path, "/d");
	ck_assert_int_eq(seen.last.result, 0);
	ck_assert(!seen.locked);
}
END_TEST

START_TEST(test_a_call_that_begin_refuses_is_not_tried)
{
	struct mvfs_stat st;

	seen.answer = -EIO;
	fails(mvfs_mkdir(fs, "/d", 0755), EIO);
	ck_assert_int_eq(seen.last.result, -EIO);
	seen.answer = 0;
	fails(mvfs_stat(fs, "/d", &st), ENOENT);
	ck_assert_int_eq(seen.last.result, -ENOENT);
	ck_assert_uint_eq(seen.begun, seen.ended);
}
END_TEST

START_TEST(test_what_begin_refuses_may_be_any_call_that_can_fail)
{
	const struct mvfs_iovec nothing = { NULL, 0 };
	mvfs *other = NULL;
	int fd = (int)ok(mvfs_open(fs, "/f", O_CREAT | O_RDWR, 0644));

	seen.answer = -ESTALE;
	fails(mvfs_clone(fs, &other), ESTALE);
	fails(mvfs_view(fs, NULL, &other), ESTALE);
	ck_assert_ptr_null(other);
	fails(mvfs_set_limits(fs, 1, 1), ESTALE);
	fails(mvfs_set_clock(fs, NULL, NULL), ESTALE);
	fails(mvfs_readv(fs, fd, &nothing, 1), ESTALE);
	fails(mvfs_fallocate(fs, fd, 1 << 30, 0, 1), ESTALE);
	seen.answer = 0;
	ck_assert_uint_eq(seen.begun, seen.ended);
	ok(mvfs_write(fs, fd, "x", 1));
}
END_TEST

START_TEST(test_hooks_see_both_paths_of_a_rename)
{
	ok(mvfs_write_file(fs, "/a", "x", 1));
	ok(mvfs_rename(fs, "/a", "/b"));
	ck_assert_int_eq(seen.last.op, MVFS__OP_RENAME);
	ck_assert_str_eq(seen.path, "/a");
	ck_assert_str_eq(seen.path2, "/b");
}
END_TEST

START_TEST(test_hooks_see_range_and_result_of_data)
{
	int fd = (int)ok(mvfs_open(fs, "/a", O_CREAT | O_RDWR, 0600));

	ok(mvfs_pwrite(fs, fd, "abc", 3, 7));
	ck_assert_int_eq(seen.last.op, MVFS__OP_WRITE);
	ck_assert_int_eq(seen.last.dirfd, fd);
	ck_assert_uint_eq(seen.last.offset, 7);
	ck_assert_uint_eq(seen.last.length, 3);
	ck_assert_int_eq(seen.last.result, 3);
}
END_TEST

START_TEST(test_hooks_see_who_acts)
{
	const struct mvfs_view_options options = {
		.size = sizeof(options), .set = MVFS_VIEW_CRED, .uid = 1000
	};
	mvfs *view;

	ok(mvfs_view(fs, &options, &view));
	fails(mvfs_mkdir(view, "/d", 0755), EACCES);
	ck_assert_uint_eq(seen.last.uid, 1000);
	ok(mvfs_destroy(view));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("event");

	tcase_add_checked_fixture(tests, start, stop);
	tcase_add_test(tests,
		test_each_call_begins_and_ends_once_with_nothing_locked);
	tcase_add_test(tests, test_a_call_that_begin_refuses_is_not_tried);
	tcase_add_test(tests,
		test_what_begin_refuses_may_be_any_call_that_can_fail);
	tcase_add_test(tests, test_hooks_see_both_paths_of_a_rename);
	tcase_add_test(tests, test_hooks_see_range_and_result_of_data);
	tcase_add_test(tests, test_hooks_see_who_acts);
	return core_run("event", tests);
}
