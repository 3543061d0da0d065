/* SPDX-License-Identifier: MIT */
/* The instance: its lock, what a clone costs, fork(2), what is not copied. */
#include "config.h"

#include "vfs/fs/instance.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/child.h"
#include "tests/core.h"

enum { THREADS = 4 };

static int shared_fd;

/* Reads and writes one byte after the other at the offset that all share. */
static void *move_on(void *arg)
{
	char byte;
	int i;

	(void)arg;
	for (i = 0; i < 500; i++)
		if (mvfs_write(fs, shared_fd, "x", 1) != 1 ||
		    mvfs_read(fs, shared_fd, &byte, 1) < 0)
			abort();
	return NULL;
}

START_TEST(test_threads_that_share_an_offset_never_use_it_twice)
{
	pthread_t thread[THREADS];
	struct mvfs_stat st;
	int i;

	shared_fd = (int)ok(mvfs_open(fs, "/f", O_CREAT | O_RDWR, 0644));
	for (i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, move_on,
						NULL), 0);
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	ok(mvfs_fstat(fs, shared_fd, &st));
	ck_assert_uint_eq(st.size, THREADS * 500);
}
END_TEST

static uint64_t files_of_level(void)
{
	const char *level = getenv("MVFS_CHECK_LEVEL");

	return level && strcmp(level, "check") ? 1000000 : 100000;
}

START_TEST(test_the_first_change_after_a_clone_copies_few_trie_nodes)
{
	uint64_t i, files = files_of_level(), before;
	char path[32];
	mvfs *clone;

	for (i = 0; i < files; i++) {
		snprintf(path, sizeof(path), "/f%07u", (unsigned)i);
		ok(mvfs_mknod(fs, path, S_IFREG | 0644, 0));
	}
	for (i = 0; i < 100; i++) {
		ok(mvfs_clone(fs, &clone));
		snprintf(path, sizeof(path), "/f%07u",
			 (unsigned)(i * 7919 % files));
		before = mvfs__mem_thread.trie_copies;
		ok(mvfs_write_file(clone, path, "x", 1));
		ck_assert_uint_le(mvfs__mem_thread.trie_copies - before, 16);
		before = mvfs__mem_thread.trie_copies;
		ok(mvfs_rename(clone, path, "/renamed"));
		ck_assert_uint_le(mvfs__mem_thread.trie_copies - before, 16);
		ok(mvfs_destroy(clone));
	}
}
END_TEST

START_TEST(test_a_clone_allocates_the_same_whatever_the_tree)
{
	uint64_t before = mvfs__mem_thread.allocations, small;
	char path[32];
	unsigned i;
	mvfs *clone;

	ok(mvfs_clone(fs, &clone));
	small = mvfs__mem_thread.allocations - before;
	ok(mvfs_destroy(clone));
	for (i = 0; i < 5000; i++) {
		snprintf(path, sizeof(path), "/f%u", i);
		ok(mvfs_mkdir(fs, path, 0755));
	}
	before = mvfs__mem_thread.allocations;
	ok(mvfs_clone(fs, &clone));
	ck_assert_uint_eq(mvfs__mem_thread.allocations - before, small);
	ok(mvfs_destroy(clone));
}
END_TEST

START_TEST(test_reading_a_string_again_allocates_and_copies_nothing)
{
	struct mvfs__mem_thread before;
	struct mvfs_string string;
	char text[5000];

	memset(text, 'x', sizeof(text));
	ok(mvfs_mkdir(fs, "/d", 0755));
	ok(mvfs_write_file(fs, "/d/f", text, sizeof(text)));
	ok(mvfs_read_string(fs, "/d/f", NULL, 0, &string, NULL));
	mvfs_string_release(&string);
	before = mvfs__mem_thread;
	ok(mvfs_read_string(fs, "/d/f", NULL, 0, &string, NULL));
	mvfs_string_release(&string);
	ck_assert_uint_eq(mvfs__mem_thread.allocations, before.allocations);
	ck_assert_uint_eq(mvfs__mem_thread.copies, before.copies);
	ck_assert_uint_eq(mvfs__mem_thread.classified_bytes,
			  before.classified_bytes);
	ck_assert_uint_eq(mvfs__mem_thread.shares - before.shares, 1);
}
END_TEST

START_TEST(test_several_runs_are_gathered_once)
{
	struct mvfs__mem_thread before;
	struct mvfs_string string;
	char block[4096];
	int fd = (int)ok(mvfs_open(fs, "/f", O_CREAT | O_RDWR, 0644)), i;
	int in = (int)ok(mvfs_open(fs, "/in", O_CREAT | O_RDWR, 0644));
	int64_t from, to;

	memset(block, 'x', sizeof(block));
	ok(mvfs_write(fs, in, block, sizeof(block)));
	for (i = 0; i < 3; i++) {
		from = 0;
		to = i * 4096;
		ok(mvfs_copy_file_range(fs, in, &from, fd, &to, 4096, 0));
	}
	ok(mvfs_read_string(fs, "/f", NULL, 0, &string, NULL));
	ck_assert_uint_eq(string.len, sizeof(block) * 3);
	mvfs_string_release(&string);
	before = mvfs__mem_thread;
	ok(mvfs_read_string(fs, "/f", NULL, 0, &string, NULL));
	mvfs_string_release(&string);
	ck_assert_uint_eq(mvfs__mem_thread.copies, before.copies);
	ck_assert_uint_eq(mvfs__mem_thread.allocations, before.allocations);
}
END_TEST

START_TEST(test_a_listing_that_could_not_start_over_is_at_its_end)
{
	struct mvfs_dirent entry;
	struct mvfs_dir *dir;
	uint64_t cookie;

	ok(mvfs_mkdir(fs, "/a", 0755));
	ok(mvfs_mkdir(fs, "/b", 0755));
	ok(mvfs_opendir(fs, "/", MVFS_LIST_DOTS, &dir));
	while (mvfs_readdir(dir, &entry) == 1 && entry.name[0] == '.')
		continue;
	cookie = entry.cookie;
	mvfs__mem_fail_at(1);
	fails(mvfs_rewinddir(dir), ENOMEM);
	mvfs__mem_fail_at(0);
	ck_assert_int_eq(mvfs_readdir(dir, &entry), 0);
	fails(mvfs_seekdir(dir, cookie), EINVAL);
	ok(mvfs_rewinddir(dir));
	ok(mvfs_seekdir(dir, cookie));
	ok(mvfs_closedir(dir));
}
END_TEST

enum { ROOM = 8 };

/* Asks for more than there is, again and again. */
static void *ask_in_vain(void *arg)
{
	struct mvfs__op op = { .fs = fs->fs };
	atomic_bool *stop = arg;

	while (!atomic_load(stop))
		if (!mvfs__op_charge(&op, ROOM + 1))
			abort();
	return NULL;
}

START_TEST(test_who_asks_for_too_much_takes_no_room_from_others)
{
	struct mvfs__op op = { .fs = fs->fs };
	atomic_bool stop = false;
	pthread_t thread;
	int i;

	ok(mvfs_set_limits(fs, ROOM * 4096, 0));
	pthread_create(&thread, NULL, ask_in_vain, &stop);
	for (i = 0; i < 200000; i++) {
		ok(mvfs__op_charge(&op, ROOM));
		mvfs__fs_free_blocks(fs->fs, ROOM);
	}
	atomic_store(&stop, true);
	pthread_join(thread, NULL);
	ok(mvfs_set_limits(fs, 4096, 0));
	fails(mvfs__op_charge(&op, UINT64_MAX), ENOSPC);
}
END_TEST

/*
 * What fn gives in a child, which ends by a signal: leak checkers would
 * complain of the threads that it does not have. -1: it died before, -2: in
 * a sanitizer.
 */
static int in_child(int (*fn)(void))
{
	int result = -1, ends[2], status;
	pid_t pid;

	ck_assert_int_eq(pipe(ends), 0);
	pid = fork();
	if (!pid) {
		child_begin();
		result = fn();
		if (write(ends[1], &result, sizeof(result)) > 0)
			raise(SIGKILL);
		_exit(1);
	}
	close(ends[1]);
	if (read(ends[0], &result, sizeof(result)) != sizeof(result))
		result = -1;
	close(ends[0]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return child_hung(status) ? -2 : result;
}

static int change_and_destroy(void)
{
	struct mvfs_string string;

	if (mvfs_write_file(fs, "/f", "child", 5) ||
	    mvfs_read_string(fs, "/f", NULL, 0, &string, NULL) ||
	    string.len != 5)
		return 1;
	mvfs_string_release(&string);
	return mvfs_destroy(fs) ? 2 : 0;
}

START_TEST(test_a_child_has_its_own_copy_of_an_instance)
{
	struct mvfs_string string;

	ok(mvfs_write_file(fs, "/f", "parent", 6));
	ck_assert_int_eq(in_child(change_and_destroy), 0);
	ok(mvfs_read_string(fs, "/f", NULL, 0, &string, NULL));
	ck_assert_uint_eq(string.len, 6);
	mvfs_string_release(&string);
}
END_TEST

static int stat_result(void)
{
	struct mvfs_stat st;

	return -mvfs_stat(fs, "/", &st);
}

START_TEST(test_a_mounted_instance_is_stale_in_a_child)
{
	mvfs *mount;

	ok(mvfs_sys_attach(fs, 0, &mount));
	ck_assert_int_eq(in_child(stat_result), ESTALE);
	ck_assert_int_eq(stat_result(), 0);
	ok(mvfs_destroy(mount));
}
END_TEST

static void *write_for_ever(void *arg)
{
	atomic_bool *stop = arg;

	while (!atomic_load(stop))
		if (mvfs_write_file(fs, "/busy", "x", 1))
			abort();
	return NULL;
}

START_TEST(test_forking_while_others_write_leaves_a_whole_copy)
{
	atomic_bool stop = false;
	pthread_t thread;
	int i, result;

	pthread_create(&thread, NULL, write_for_ever, &stop);
	for (i = 0; i < 50; i++) {
		result = in_child(change_and_destroy);
		ck_assert(!result || result == -2);
	}
	atomic_store(&stop, true);
	pthread_join(thread, NULL);
}
END_TEST

/*
 * Readers come while the latch is held for a fork: each has just stored that
 * it is there, and would take it back. These handlers were registered before
 * those of the library, so they run inside them.
 */
static bool readers_come;

static void let_readers_come(void)
{
	struct mvfs__latch_slot *slot;

	if (!readers_come)
		return;
	slot = &fs->fs->latch.slot[MVFS__SEATS - 1];
	atomic_fetch_add(&slot->readers, 1);
	atomic_store(&slot->inside, 1);
}

static void let_readers_go(void)
{
	struct mvfs__latch_slot *slot;

	if (!readers_come)
		return;
	slot = &fs->fs->latch.slot[MVFS__SEATS - 1];
	atomic_fetch_sub(&slot->readers, 1);
	atomic_store(&slot->inside, 0);
}

static int read_often_then_write(void)
{
	struct mvfs_stat st;
	unsigned i;

	alarm(20);
	for (i = 0; i < 2 * MVFS__LATCH_CALM; i++)
		if (mvfs_stat(fs, "/", &st))
			return 1;
	return change_and_destroy();
}

START_TEST(test_a_child_waits_for_no_reader_of_its_parent)
{
	readers_come = true;
	ck_assert_int_eq(in_child(read_often_then_write), 0);
	ok(mvfs_write_file(fs, "/f", "parent", 6));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("fs");

	if (pthread_atfork(let_readers_come, let_readers_go, NULL))
		return 1;

	tcase_add_checked_fixture(tests, core_start, core_end);
	tcase_set_timeout(tests, 120);
	tcase_add_test(tests,
		test_threads_that_share_an_offset_never_use_it_twice);
	tcase_add_test(tests,
		test_the_first_change_after_a_clone_copies_few_trie_nodes);
	tcase_add_test(tests,
		test_a_clone_allocates_the_same_whatever_the_tree);
	tcase_add_test(tests,
		test_reading_a_string_again_allocates_and_copies_nothing);
	tcase_add_test(tests, test_several_runs_are_gathered_once);
	tcase_add_test(tests,
		test_a_listing_that_could_not_start_over_is_at_its_end);
	tcase_add_test(tests,
		test_who_asks_for_too_much_takes_no_room_from_others);
	tcase_add_test(tests, test_a_child_has_its_own_copy_of_an_instance);
	tcase_add_test(tests, test_a_mounted_instance_is_stale_in_a_child);
	tcase_add_test(tests,
		test_forking_while_others_write_leaves_a_whole_copy);
	tcase_add_test(tests, test_a_child_waits_for_no_reader_of_its_parent);
	return core_run("fs", tests);
}
