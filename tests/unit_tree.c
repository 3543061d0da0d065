/* SPDX-License-Identifier: MIT */
/*
 * Changes of the tree: that each happens whole or not at all, and that what
 * nodes and directories say of each other stays true.
 */
#include "config.h"

#include "vfs/tree/tree.h"

#include <dirent.h>

#include "tests/core.h"

/* One of the changes that the tests below try. */
typedef int change_fn(void);

static int make_file(void)
{
	return mvfs_mknod(fs, "/d/new", S_IFREG | 0644, 0);
}

static int make_link_to_text(void)
{
	return mvfs_symlink(fs, "somewhere", "/d/new");
}

static int make_dir(void)
{
	return mvfs_mkdir(fs, "/d/new", 0755);
}

static int second_name(void)
{
	return mvfs_link(fs, "/d/a", "/e/new");
}

static int third_name(void)
{
	return mvfs_link(fs, "/e/two", "/d/new");
}

static int move_over(void)
{
	return mvfs_rename(fs, "/d/a", "/e/b");
}

static int move_dir(void)
{
	return mvfs_rename(fs, "/d/sub", "/e/sub");
}

static int move_dir_over(void)
{
	return mvfs_rename(fs, "/d/sub", "/e/empty");
}

static int swap(void)
{
	return mvfs_renameat(fs, MVFS_AT_FDCWD, "/d/sub", MVFS_AT_FDCWD,
			     "/e/b", MVFS_RENAME_EXCHANGE);
}

static int remove_file(void)
{
	return mvfs_unlink(fs, "/d/a");
}

static int remove_name(void)
{
	return mvfs_unlink(fs, "/e/two");
}

static int remove_dir(void)
{
	return mvfs_rmdir(fs, "/e/empty");
}

static change_fn *const changes[] = {
	make_file, make_link_to_text, make_dir, second_name, third_name,
	move_over, move_dir, move_dir_over, swap, remove_file, remove_name,
	remove_dir,
};

enum { CHANGES = sizeof(changes) / sizeof(changes[0]) };

static void start(void)
{
	core_start();
	ok(mvfs_mkdir(fs, "/d", 0755));
	ok(mvfs_mkdir(fs, "/e", 0755));
	ok(mvfs_mkdir(fs, "/d/sub", 0755));
	ok(mvfs_mkdir(fs, "/d/sub/deep", 0755));
	ok(mvfs_mkdir(fs, "/e/empty", 0755));
	ok(mvfs_write_file(fs, "/d/a", "aaa", 3));
	ok(mvfs_write_file(fs, "/e/b", "bbb", 3));
	ok(mvfs_write_file(fs, "/e/one", "ooo", 3));
	ok(mvfs_link(fs, "/e/one", "/e/two"));
}

START_TEST(test_each_change_keeps_names_and_nodes_true)
{
	ok(changes[_i]());
	core_check(fs);
}
END_TEST

/* Sharing first makes every change copy, so that all copies are tried. */
START_TEST(test_a_change_without_memory_leaves_all_as_it_was)
{
	uint64_t inodes = fs->fs->table.nodes.count;
	mvfs *before, *clone;
	unsigned n;
	int rc;

	ok(mvfs_clone(fs, &before));
	for (n = 1;; n++) {
		mvfs__mem_fail_at(n);
		rc = changes[_i]();
		mvfs__mem_fail_at(0);
		core_check(fs);
		if (!rc)
			break;
		ck_assert_int_eq(rc, -ENOMEM);
		ck_assert_uint_eq(fs->fs->table.nodes.count, inodes);
		ok(mvfs_clone(fs, &clone));
		ok(mvfs_destroy(clone));
	}
	ck_assert_uint_gt(n, 1);
	clone = fs;
	fs = before;
	core_check(fs);
	fs = clone;
	ok(mvfs_destroy(before));
}
END_TEST

START_TEST(test_a_clone_does_not_see_a_change)
{
	struct mvfs_stat st;
	mvfs *clone;

	ok(mvfs_clone(fs, &clone));
	ok(changes[_i]());
	ok(mvfs_stat(clone, "/d/a", &st));
	ck_assert_uint_eq(st.nlink, 1);
	ok(mvfs_stat(clone, "/e/two", &st));
	ck_assert_uint_eq(st.nlink, 2);
	ok(mvfs_stat(clone, "/d/sub", &st));
	ck_assert_uint_eq(st.nlink, 3);
	ok(mvfs_stat(clone, "/e/empty", &st));
	fails(mvfs_lstat(clone, "/d/new", &st), ENOENT);
	ok(mvfs_destroy(clone));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("tree");

	tcase_add_checked_fixture(tests, start, core_end);
	tcase_add_loop_test(tests, test_each_change_keeps_names_and_nodes_true,
			    0, CHANGES);
	tcase_add_loop_test(tests,
		test_a_change_without_memory_leaves_all_as_it_was, 0, CHANGES);
	tcase_add_loop_test(tests, test_a_clone_does_not_see_a_change, 0,
			    CHANGES);
	return core_run("tree", tests);
}
