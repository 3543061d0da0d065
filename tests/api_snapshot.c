/* SPDX-License-Identifier: MIT */
/* memvfs/snapshot.h: what a tree was, had again. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <check.h>

#include <memvfs/memvfs.h>
#include <memvfs/sys.h>

#include "tests/expect.h"

static mvfs *fs;
static struct mvfs_snapshot *slate;

static void put(const char *path, const char *text)
{
	ok(mvfs_write_file(fs, path, text, strlen(text)));
}

static void holds(mvfs *view, const char *path, const char *text)
{
	struct mvfs_string bytes;

	ok(mvfs_read_file(view, path, &bytes));
	ck_assert_uint_eq(bytes.len, strlen(text));
	ck_assert_mem_eq(bytes.data, text, bytes.len);
	mvfs_string_release(&bytes);
}

static void reads(int fd, int64_t offset, const char *text)
{
	char bytes[64];

	ck_assert_int_eq(ok(mvfs_pread(fs, fd, bytes, sizeof(bytes), offset)),
			 (int64_t)strlen(text));
	ck_assert_mem_eq(bytes, text, strlen(text));
}

static struct mvfs_stat look(mvfs *view, const char *path)
{
	struct mvfs_stat st;

	ok(mvfs_lstat(view, path, &st));
	return st;
}

static int gone(mvfs *view, const char *path)
{
	struct mvfs_stat st;

	return mvfs_lstat(view, path, &st) == -ENOENT;
}

static uint64_t blocks_used(mvfs *view)
{
	struct mvfs_statfs st;

	ok(mvfs_statfs(view, &st));
	return st.blocks_used;
}

static uint64_t inodes_used(mvfs *view)
{
	struct mvfs_statfs st;

	ok(mvfs_statfs(view, &st));
	return st.inodes_used;
}

/* /d/old "old", /d/pair = /pair "two", /link; then the snapshot. */
static void begin(void)
{
	ok(mvfs_create(NULL, &fs));
	ok(mvfs_mkdir(fs, "/d", 0755));
	put("/d/old", "old");
	put("/d/pair", "two");
	ok(mvfs_link(fs, "/d/pair", "/pair"));
	ok(mvfs_symlink(fs, "d/old", "/link"));
	ok(mvfs_snapshot(fs, &slate));
}

static void end(void)
{
	mvfs_snapshot_release(slate);
	ok(mvfs_destroy(fs));
}

START_TEST(test_all_is_again_what_it_was)
{
	struct mvfs_stat old = look(fs, "/d/old"), dir = look(fs, "/d"), st;
	uint64_t blocks = blocks_used(fs), inodes = inodes_used(fs);
	char target[8];

	put("/d/old", "changed, and longer");
	put("/d/new", "new");
	ok(mvfs_chmod(fs, "/d", 0700));
	ok(mvfs_setxattr(fs, "/d/old", "user.x", "x", 1, 0));
	ok(mvfs_unlink(fs, "/pair"));
	ok(mvfs_unlink(fs, "/link"));
	ok(mvfs_rename(fs, "/d", "/e"));
	ok(mvfs_restore(fs, slate));
	st = look(fs, "/d/old");
	ck_assert_mem_eq(&st, &old, sizeof(st));
	st = look(fs, "/d");
	ck_assert_mem_eq(&st, &dir, sizeof(st));
	holds(fs, "/d/old", "old");
	holds(fs, "/pair", "two");
	ck_assert_uint_eq(look(fs, "/pair").ino, look(fs, "/d/pair").ino);
	ck_assert_uint_eq(look(fs, "/pair").nlink, 2);
	ck_assert_int_eq(ok(mvfs_readlink(fs, "/link", target, 8)), 5);
	fails(mvfs_getxattr(fs, "/d/old", "user.x", target, 8), ENODATA);
	ck_assert(gone(fs, "/e") && gone(fs, "/d/new"));
	ck_assert_uint_eq(blocks_used(fs), blocks);
	ck_assert_uint_eq(inodes_used(fs), inodes);
}
END_TEST

START_TEST(test_a_snapshot_can_be_restored_again_and_again)
{
	int i;

	for (i = 0; i < 5; i++) {
		put("/d/old", "spoilt");
		put("/new", "new");
		ok(mvfs_restore(fs, slate));
		holds(fs, "/d/old", "old");
		ck_assert(gone(fs, "/new"));
	}
}
END_TEST

START_TEST(test_a_later_snapshot_can_be_restored_after_an_earlier)
{
	struct mvfs_snapshot *later;

	put("/d/later", "later");
	ok(mvfs_snapshot(fs, &later));
	ok(mvfs_restore(fs, slate));
	ck_assert(gone(fs, "/d/later"));
	put("/d/between", "between");
	ok(mvfs_restore(fs, later));
	holds(fs, "/d/later", "later");
	ck_assert(gone(fs, "/d/between"));
	mvfs_snapshot_release(later);
}
END_TEST

/* Else the number of what is open would mean another file. */
START_TEST(test_a_number_that_a_snapshot_knows_is_never_given_again)
{
	struct mvfs_snapshot *later;
	uint64_t number;
	int fd;

	put("/d/later", "later");
	number = look(fs, "/d/later").ino;
	ok(mvfs_snapshot(fs, &later));
	ok(mvfs_restore(fs, slate));
	ok(mvfs_mkdir(fs, "/other", 0755));
	ck_assert_uint_gt(look(fs, "/other").ino, number);
	fd = (int)ok(mvfs_open(fs, "/other", O_RDONLY, 0));
	ok(mvfs_restore(fs, later));
	put("/d/another", "x");
	ck_assert_uint_gt(look(fs, "/d/another").ino, number + 1);
	ok(mvfs_close(fs, fd));
	mvfs_snapshot_release(later);
}
END_TEST

START_TEST(test_an_open_file_is_as_it_was_and_keeps_offset_and_flags)
{
	int fd = (int)ok(mvfs_open(fs, "/d/old", O_RDWR | O_APPEND, 0));
	uint64_t ino = look(fs, "/d/old").ino;
	struct mvfs_stat st;

	ok(mvfs_write(fs, fd, " and more", 9));
	ok(mvfs_lseek(fs, fd, 2, SEEK_SET));
	ok(mvfs_restore(fs, slate));
	ck_assert_int_eq(ok(mvfs_lseek(fs, fd, 0, SEEK_CUR)), 2);
	ck_assert_int_eq(ok(mvfs_getfl(fs, fd)) & O_APPEND, O_APPEND);
	reads(fd, 0, "old");
	ok(mvfs_fstat(fs, fd, &st));
	ck_assert_uint_eq(st.ino, ino);
	ck_assert_uint_eq(st.nlink, 1);
	ok(mvfs_write(fs, fd, "er", 2));
	holds(fs, "/d/old", "older");
	ok(mvfs_restore(fs, slate));
	holds(fs, "/d/old", "old");
	ok(mvfs_close(fs, fd));
}
END_TEST

START_TEST(test_an_open_file_that_was_not_there_is_as_if_unlinked)
{
	uint64_t blocks = blocks_used(fs), inodes = inodes_used(fs);
	struct mvfs_stat st;
	int fd;

	put("/d/new", "new");
	fd = (int)ok(mvfs_open(fs, "/d/new", O_RDWR, 0));
	ok(mvfs_link(fs, "/d/new", "/new2"));
	ok(mvfs_restore(fs, slate));
	ck_assert(gone(fs, "/d/new") && gone(fs, "/new2"));
	reads(fd, 0, "new");
	ok(mvfs_fstat(fs, fd, &st));
	ck_assert_uint_eq(st.nlink, 0);
	ck_assert_uint_eq(blocks_used(fs), blocks + 1);
	ck_assert_uint_eq(inodes_used(fs), inodes + 1);
	ok(mvfs_pwrite(fs, fd, "still", 5, 0));
	reads(fd, 0, "still");
	ok(mvfs_close(fs, fd));
	ck_assert_uint_eq(blocks_used(fs), blocks);
	ck_assert_uint_eq(inodes_used(fs), inodes);
}
END_TEST

START_TEST(test_an_unlinked_open_file_has_its_name_again)
{
	uint64_t blocks = blocks_used(fs);
	struct mvfs_stat st;
	int fd = (int)ok(mvfs_open(fs, "/d/old", O_RDWR, 0));

	ok(mvfs_unlink(fs, "/d/old"));
	ok(mvfs_pwrite(fs, fd, "gone", 4, 8192));
	ok(mvfs_restore(fs, slate));
	ok(mvfs_fstat(fs, fd, &st));
	ck_assert_uint_eq(st.nlink, 1);
	ck_assert_uint_eq(st.ino, look(fs, "/d/old").ino);
	reads(fd, 0, "old");
	ck_assert_uint_eq(blocks_used(fs), blocks);
	ok(mvfs_close(fs, fd));
	holds(fs, "/d/old", "old");
}
END_TEST

START_TEST(test_what_has_no_name_is_in_no_snapshot)
{
	uint64_t blocks = blocks_used(fs);
	struct mvfs_snapshot *without;
	mvfs *clone;
	int fd;

	fd = (int)ok(mvfs_open(fs, "/d", O_TMPFILE | O_RDWR, 0600));
	ok(mvfs_pwrite(fs, fd, "x", 1, 0));
	ok(mvfs_snapshot(fs, &without));
	ok(mvfs_snapshot_clone(without, &clone));
	ck_assert_uint_eq(blocks_used(clone), blocks);
	ok(mvfs_restore(fs, without));
	ck_assert_uint_eq(blocks_used(fs), blocks + 1);
	reads(fd, 0, "x");
	ok(mvfs_close(fs, fd));
	ck_assert_uint_eq(blocks_used(fs), blocks);
	ok(mvfs_destroy(clone));
	mvfs_snapshot_release(without);
}
END_TEST

START_TEST(test_a_current_directory_that_was_not_there_is_as_if_removed)
{
	mvfs *view;
	char path[16];

	ok(mvfs_mkdir(fs, "/d/sub", 0755));
	ok(mvfs_mkdir(fs, "/d/sub/deep", 0755));
	ok(mvfs_mkdir(fs, "/d/side", 0755));
	ok(mvfs_chdir(fs, "/d/sub/deep"));
	ok(mvfs_view(fs, &(struct mvfs_view_options){
		.size = sizeof(struct mvfs_view_options),
		.root = "/d/side" }, &view));
	ok(mvfs_restore(fs, slate));
	ck_assert(gone(fs, "x") && gone(view, "/deep"));
	fails(mvfs_mkdir(fs, "x", 0755), ENOENT);
	fails(mvfs_mkdir(view, "/x", 0755), ENOENT);
	fails(mvfs_realpath(fs, ".", path, sizeof(path)), ENOENT);
	/* nothing is left of what was above it */
	fails(mvfs_chdir(fs, "../.."), ENOENT);
	ck_assert_uint_eq(look(fs, ".").nlink, 0);
	ok(mvfs_chdir(fs, "/d"));
	holds(fs, "old", "old");
	ok(mvfs_destroy(view));
	ok(mvfs_chdir(fs, "/"));
}
END_TEST

START_TEST(test_a_removed_current_directory_is_there_again)
{
	char path[16];

	ok(mvfs_mkdir(fs, "/e", 0755));
	mvfs_snapshot_release(slate);
	ok(mvfs_snapshot(fs, &slate));
	ok(mvfs_chdir(fs, "/e"));
	ok(mvfs_rmdir(fs, "/e"));
	fails(mvfs_mkdir(fs, "x", 0755), ENOENT);
	ok(mvfs_restore(fs, slate));
	ok(mvfs_mkdir(fs, "x", 0755));
	ck_assert_int_eq(ok(mvfs_realpath(fs, "x", path, sizeof(path))), 4);
	ck_assert_str_eq(path, "/e/x");
}
END_TEST

START_TEST(test_what_is_pinned_is_found_by_its_number)
{
	struct mvfs_stat old, new, st;

	ok(mvfs_sys_lookup(fs, NULL, look(fs, "/d").ino, "old", 1, &old));
	put("/d/new", "new");
	ok(mvfs_sys_lookup(fs, NULL, look(fs, "/d").ino, "new", 1, &new));
	put("/d/old", "longer");
	ok(mvfs_restore(fs, slate));
	ok(mvfs_sys_stat(fs, old.ino, &st));
	ck_assert_uint_eq(st.size, 3);
	ok(mvfs_sys_stat(fs, new.ino, &st));
	ck_assert_uint_eq(st.nlink, 0);
	mvfs_sys_unpin(fs, new.ino, 1);
	fails(mvfs_sys_stat(fs, new.ino, &st), ENOENT);
	mvfs_sys_unpin(fs, old.ino, 1);
	ok(mvfs_sys_stat(fs, old.ino, &st));
}
END_TEST

START_TEST(test_locks_and_limits_stay)
{
	int one = (int)ok(mvfs_open(fs, "/d/old", O_RDWR, 0));
	int two = (int)ok(mvfs_open(fs, "/d/old", O_RDWR, 0));
	struct mvfs_statfs st;

	ok(mvfs_flock(fs, one, LOCK_EX));
	ok(mvfs_set_limits(fs, 1 << 20, 6));
	ok(mvfs_restore(fs, slate));
	fails(mvfs_flock(fs, two, LOCK_EX | LOCK_NB), EWOULDBLOCK);
	ok(mvfs_flock(fs, one, LOCK_UN));
	ok(mvfs_flock(fs, two, LOCK_EX | LOCK_NB));
	ok(mvfs_statfs(fs, &st));
	ck_assert_uint_eq(st.inodes, 6);
	ck_assert_uint_eq(st.blocks, 256);
}
END_TEST

START_TEST(test_beyond_a_limit_nothing_is_added_until_there_is_room)
{
	ok(mvfs_unlink(fs, "/d/old"));
	ok(mvfs_set_limits(fs, 4096, 4));
	ok(mvfs_restore(fs, slate));
	holds(fs, "/d/old", "old");
	fails(mvfs_mkdir(fs, "/x", 0755), ENOSPC);
	ok(mvfs_unlink(fs, "/d/old"));
	ok(mvfs_unlink(fs, "/link"));
	ok(mvfs_mkdir(fs, "/x", 0755));
}
END_TEST

START_TEST(test_numbers_begin_again_only_where_nothing_is_open)
{
	uint64_t first;
	int fd;

	put("/x", "x");
	first = look(fs, "/x").ino;
	ok(mvfs_restore(fs, slate));
	put("/y", "y");
	ck_assert_uint_eq(look(fs, "/y").ino, first);
	fd = (int)ok(mvfs_open(fs, "/d/old", O_RDONLY, 0));
	ok(mvfs_restore(fs, slate));
	put("/z", "z");
	ck_assert_uint_eq(look(fs, "/z").ino, first + 1);
	ok(mvfs_close(fs, fd));
	ok(mvfs_restore(fs, slate));
	put("/z", "z");
	ck_assert_uint_eq(look(fs, "/z").ino, first);
}
END_TEST

START_TEST(test_strings_and_listings_stay_as_they_are)
{
	struct mvfs_dirent entry;
	struct mvfs_string text;
	struct mvfs_dir *dir;

	put("/d/new", "newer");
	ok(mvfs_read_file(fs, "/d/new", &text));
	ok(mvfs_opendir(fs, "/d", 0, &dir));
	ok(mvfs_restore(fs, slate));
	put("/d/new", "other");
	ck_assert_mem_eq(text.data, "newer", 5);
	ck_assert_int_eq(mvfs_readdir(dir, &entry), 1);
	ck_assert_str_eq(entry.name, "new");
	ok(mvfs_rewinddir(dir));
	ck_assert_int_eq(mvfs_readdir(dir, &entry), 1);
	ck_assert_str_eq(entry.name, "new");
	ok(mvfs_closedir(dir));
	mvfs_string_release(&text);
}
END_TEST

START_TEST(test_a_snapshot_of_another_instance_is_exdev)
{
	mvfs *clone;

	ok(mvfs_clone(fs, &clone));
	put("/d/old", "changed");
	fails(mvfs_restore(clone, slate), EXDEV);
	holds(fs, "/d/old", "changed");
	holds(clone, "/d/old", "old");
	ok(mvfs_destroy(clone));
	fails(mvfs_restore(NULL, slate), EINVAL);
	fails(mvfs_restore(fs, NULL), EFAULT);
	fails(mvfs_snapshot(NULL, &slate), EINVAL);
	fails(mvfs_snapshot(fs, NULL), EFAULT);
	fails(mvfs_snapshot_clone(NULL, &clone), EINVAL);
	fails(mvfs_snapshot_clone(slate, NULL), EFAULT);
	mvfs_snapshot_release(NULL);
}
END_TEST

START_TEST(test_a_snapshot_outlives_its_instance)
{
	struct mvfs_string text;
	mvfs *again;

	ok(mvfs_read_file(fs, "/d/old", &text));
	put("/d/old", "spoilt");
	ok(mvfs_destroy(fs));
	ok(mvfs_snapshot_clone(slate, &again));
	holds(again, "/d/old", "old");
	ck_assert_uint_eq(look(again, "/d/pair").nlink, 2);
	ok(mvfs_write_file(again, "/d/more", "more", 4));
	ok(mvfs_rename(again, "/d/old", "/d/renamed"));
	fails(mvfs_restore(again, slate), EXDEV);
	ok(mvfs_destroy(again));
	ok(mvfs_snapshot_clone(slate, &fs));
	holds(fs, "/d/old", "old");
	mvfs_string_release(&text);
}
END_TEST

START_TEST(test_a_confined_instance_is_restored_too)
{
	struct mvfs_options options = { .size = sizeof(options) };
	struct mvfs_snapshot *snapshot;
	mvfs *alone;

	options.flags = MVFS_CONFINED;
	ok(mvfs_create(&options, &alone));
	ok(mvfs_snapshot(alone, &snapshot));
	ok(mvfs_write_file(alone, "/x", "x", 1));
	ok(mvfs_restore(alone, snapshot));
	ck_assert(gone(alone, "/x"));
	mvfs_snapshot_release(snapshot);
	ok(mvfs_destroy(alone));
}
END_TEST

/* Threads have no asserts of Check's; they tell. */
static void *flaw(const char *what)
{
	return (void *)(uintptr_t)what;
}

static void *see_old(void *arg)
{
	pthread_barrier_t *barrier = arg;
	struct mvfs_stat st;
	int i;

	for (i = 0; i < 3; i++) {
		/* what is cached here is from before the restore */
		pthread_barrier_wait(barrier);
		if (mvfs_stat(fs, "/d/old", &st) || st.size != 7 ||
		    gone(fs, "/d/new"))
			return flaw("changed: not seen");
		pthread_barrier_wait(barrier);
		pthread_barrier_wait(barrier);
		if (mvfs_stat(fs, "/d/old", &st) || st.size != 3 ||
		    !gone(fs, "/d/new"))
			return flaw("restored: not seen");
		pthread_barrier_wait(barrier);
	}
	return NULL;
}

START_TEST(test_no_thread_believes_what_it_looked_up_before)
{
	pthread_barrier_t barrier;
	pthread_t thread;
	void *said;
	int i;

	pthread_barrier_init(&barrier, NULL, 2);
	ck_assert_int_eq(pthread_create(&thread, NULL, see_old, &barrier), 0);
	for (i = 0; i < 3; i++) {
		put("/d/old", "changed");
		put("/d/new", "new");
		pthread_barrier_wait(&barrier);
		pthread_barrier_wait(&barrier);
		ck_assert(!gone(fs, "/d/new"));
		ok(mvfs_restore(fs, slate));
		ck_assert(gone(fs, "/d/new"));
		holds(fs, "/d/old", "old");
		pthread_barrier_wait(&barrier);
		pthread_barrier_wait(&barrier);
	}
	pthread_join(thread, &said);
	ck_assert_msg(!said, "%s", (char *)said);
	pthread_barrier_destroy(&barrier);
}
END_TEST

enum { ROUNDS = 300 };

/* Sees all of one state or all of the other, never some of both. */
static void *read_on(void *arg)
{
	struct mvfs_string text;
	struct mvfs_dir *dir;
	struct mvfs_dirent entry;
	int i, fd, names;
	char byte;

	(void)arg;
	for (i = 0; i < ROUNDS; i++) {
		if (mvfs_read_file(fs, "/d/old", &text))
			return flaw("not there");
		if (text.len != 3 && text.len != 7)
			return flaw("neither of both");
		mvfs_string_release(&text);
		fd = mvfs_open(fs, "/d/old", O_RDWR, 0);
		if (fd < 0 || mvfs_pread(fs, fd, &byte, 1, 0) != 1 ||
		    mvfs_pwrite(fs, fd, &byte, 1, 0) != 1)
			return flaw("cannot be used");
		mvfs_close(fs, fd);
		if (mvfs_opendir(fs, "/d", 0, &dir))
			return flaw("cannot be listed");
		for (names = 0; mvfs_readdir(dir, &entry) == 1; names++)
			continue;
		mvfs_closedir(dir);
		if (names != 2 && names != 4)
			return flaw("listed by half");
	}
	return NULL;
}

START_TEST(test_others_read_while_a_tree_is_restored)
{
	struct mvfs_snapshot *other;
	pthread_t thread[2];
	void *said[2];
	int i;

	put("/d/old", "changed");
	put("/d/x", "x");
	put("/d/y", "y");
	ok(mvfs_snapshot(fs, &other));
	for (i = 0; i < 2; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, read_on,
						NULL), 0);
	for (i = 0; i < ROUNDS; i++)
		ok(mvfs_restore(fs, i % 2 ? slate : other));
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], &said[i]);
	for (i = 0; i < 2; i++)
		ck_assert_msg(!said[i], "%s", (char *)said[i]);
	ok(mvfs_restore(fs, slate));
	holds(fs, "/d/old", "old");
	mvfs_snapshot_release(other);
}
END_TEST

/* What snapshot, ten changes in one directory and restore cost, by count. */
static struct mvfs_stats cost_of_a_slate(void)
{
	struct mvfs_stats before = { .size = sizeof(before) }, after = before;
	struct mvfs_snapshot *snapshot;
	char path[16];
	int i;

	ok(mvfs_stats(MVFS_STATS_THREAD, &before));
	ok(mvfs_snapshot(fs, &snapshot));
	for (i = 0; i < 10; i++) {
		snprintf(path, sizeof(path), "/d/%d", i);
		ok(mvfs_write_file(fs, path, "x", 1));
	}
	ok(mvfs_restore(fs, snapshot));
	mvfs_snapshot_release(snapshot);
	ok(mvfs_stats(MVFS_STATS_THREAD, &after));
	after.allocations -= before.allocations;
	after.tree_copies -= before.tree_copies;
	after.copied_bytes -= before.copied_bytes;
	return after;
}

/* But for the height of the trie, one node for 64 times as many. */
START_TEST(test_the_cost_does_not_depend_on_the_size_of_the_tree)
{
	struct mvfs_stats small, large;
	char path[32];
	int i, j;

	for (j = 0; j < 80; j++) {
		snprintf(path, sizeof(path), "/%d", j);
		ok(mvfs_mkdir(fs, path, 0755));
	}
	small = cost_of_a_slate();
	for (j = 0; j < 80; j++)
		for (i = 0; i < 100; i++) {
			snprintf(path, sizeof(path), "/%d/%d", j, i);
			ok(mvfs_mknod(fs, path, S_IFREG | 0644, 0));
		}
	large = cost_of_a_slate();
	ck_assert_uint_le(large.allocations, small.allocations + 3);
	ck_assert_uint_le(large.tree_copies, small.tree_copies + 3);
	ck_assert_uint_eq(large.copied_bytes, small.copied_bytes);
	ck_assert_uint_lt(large.tree_copies, 20);
}
END_TEST

/* What a listener is told, in order: 0 is `before`. */
static struct told {
	uint64_t what[16];
	struct mvfs_sys_change change[16];
	size_t count;
	int result;
} told;

static int told_before(void *ctx)
{
	struct told *t = ctx;

	t->what[t->count++] = 0;
	return t->result;
}

static void told_after(void *ctx, const struct mvfs_sys_change *change)
{
	struct told *t = ctx;

	t->change[t->count] = *change;
	t->what[t->count++] = change->ino;
}

static uint64_t ino_of(const char *path)
{
	struct mvfs_stat st;

	ok(mvfs_lstat(fs, path, &st));
	return st.ino;
}

START_TEST(test_an_adapter_is_told_which_inodes_differ)
{
	const struct mvfs_sys_listener listener = {
		.before = told_before, .after = told_after, .ctx = &told,
	};
	uint64_t same, changed, removed, added;
	mvfs *view;

	put("/same", "1");
	put("/changed", "1");
	put("/removed", "1");
	same = ino_of("/same");
	changed = ino_of("/changed");
	removed = ino_of("/removed");
	mvfs_snapshot_release(slate);
	ok(mvfs_snapshot(fs, &slate));
	ok(mvfs_sys_attach(fs, 0, &view));
	ok(mvfs_sys_listen(view, &listener));
	put("/changed", "2");
	ok(mvfs_unlink(fs, "/removed"));
	put("/added", "1");
	added = ino_of("/added");
	ok(mvfs_restore(fs, slate));
	ck_assert_uint_eq(told.count, 5);
	ck_assert_uint_eq(told.what[0], 0);
	ck_assert_uint_eq(told.what[1], 1);
	ck_assert_uint_eq(told.what[2], changed);
	ck_assert_uint_eq(told.what[3], removed);
	ck_assert_uint_eq(told.what[4], added);
	ck_assert_uint_eq(told.change[2].what, MVFS_SYS_CHANGED);
	ck_assert_uint_eq(told.change[3].what, MVFS_SYS_BACK);
	ck_assert_uint_eq(told.change[4].what, MVFS_SYS_GONE);
	ck_assert_uint_eq(told.change[3].mode, S_IFREG | 0644);
	ck_assert_uint_ne(same, changed);

	put("/changed", "3");
	told = (struct told){ .result = -EIO };
	fails(mvfs_restore(fs, slate), EIO);
	ck_assert_uint_eq(told.count, 1);
	holds(fs, "/changed", "3");
	ok(mvfs_sys_listen(view, NULL));
	ok(mvfs_restore(fs, slate));
	ck_assert_uint_eq(told.count, 1);
	ok(mvfs_sys_listen(view, &listener));
	ok(mvfs_destroy(view));
	ok(mvfs_restore(fs, slate));
	ck_assert_uint_eq(told.count, 1);
	fails(mvfs_sys_listen(NULL, NULL), EINVAL);
	fails(mvfs_sys_listen(fs, &(struct mvfs_sys_listener){ 0 }), EFAULT);
}
END_TEST

static void add_tests(TCase *tests)
{
	tcase_add_test(tests, test_all_is_again_what_it_was);
	tcase_add_test(tests, test_a_snapshot_can_be_restored_again_and_again);
	tcase_add_test(tests,
		       test_a_later_snapshot_can_be_restored_after_an_earlier);
	tcase_add_test(tests,
		test_a_number_that_a_snapshot_knows_is_never_given_again);
	tcase_add_test(tests,
		test_an_open_file_is_as_it_was_and_keeps_offset_and_flags);
	tcase_add_test(tests,
		       test_an_open_file_that_was_not_there_is_as_if_unlinked);
	tcase_add_test(tests, test_an_unlinked_open_file_has_its_name_again);
	tcase_add_test(tests, test_what_has_no_name_is_in_no_snapshot);
	tcase_add_test(tests,
		test_a_current_directory_that_was_not_there_is_as_if_removed);
	tcase_add_test(tests, test_a_removed_current_directory_is_there_again);
	tcase_add_test(tests, test_what_is_pinned_is_found_by_its_number);
	tcase_add_test(tests, test_locks_and_limits_stay);
	tcase_add_test(tests, test_an_adapter_is_told_which_inodes_differ);
	tcase_add_test(tests,
		test_beyond_a_limit_nothing_is_added_until_there_is_room);
	tcase_add_test(tests,
		       test_numbers_begin_again_only_where_nothing_is_open);
	tcase_add_test(tests, test_strings_and_listings_stay_as_they_are);
	tcase_add_test(tests, test_a_snapshot_of_another_instance_is_exdev);
	tcase_add_test(tests, test_a_snapshot_outlives_its_instance);
	tcase_add_test(tests, test_a_confined_instance_is_restored_too);
	tcase_add_test(tests, test_no_thread_believes_what_it_looked_up_before);
	tcase_add_test(tests, test_others_read_while_a_tree_is_restored);
	tcase_add_test(tests,
		test_the_cost_does_not_depend_on_the_size_of_the_tree);
}

int main(void)
{
	Suite *suite = suite_create("snapshot");
	TCase *tests = tcase_create("snapshot");

	tcase_add_checked_fixture(tests, begin, end);
	add_tests(tests);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
