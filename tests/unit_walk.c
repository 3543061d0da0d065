/* SPDX-License-Identifier: MIT */
/* Resolving paths: what a walk yields besides success. */
#include "config.h"

#include "vfs/walk/walk.h"

#include "tests/core.h"

static void start(void)
{
	core_start();
	ok(mvfs_mkdir(fs, "/d", 0755));
	ok(mvfs_mkdir(fs, "/d/e", 0755));
	ok(mvfs_write_file(fs, "/d/f", "x", 1));
	ok(mvfs_symlink(fs, "d/e", "/l"));
	ok(mvfs_symlink(fs, "/new/", "/slash"));
}

static struct mvfs__found walk(const char *path, unsigned flags)
{
	struct mvfs__found found;

	ok(core_walk(NULL, path, flags, &found));
	return found;
}

START_TEST(test_a_missing_last_name_yields_its_directory)
{
	struct mvfs__found found = walk("/d//e/../nothing", 0);

	ck_assert_int_eq(found.last, MVFS__LAST_NAME);
	ck_assert_ptr_null(found.node);
	ck_assert_ptr_eq(found.parent, core_node("/d"));
	ck_assert_uint_eq(found.name.len, strlen("nothing"));
	ck_assert(!found.slash);
}
END_TEST

START_TEST(test_what_the_path_ends_with_is_told)
{
	ck_assert_int_eq(walk("/", 0).last, MVFS__LAST_ROOT);
	ck_assert_int_eq(walk("//", 0).last, MVFS__LAST_ROOT);
	ck_assert_int_eq(walk("/d/.", 0).last, MVFS__LAST_DOT);
	ck_assert_int_eq(walk("/d/./", 0).last, MVFS__LAST_DOT);
	ck_assert_int_eq(walk("/d/e/..", 0).last, MVFS__LAST_DOTDOT);
	ck_assert(walk("/d/e/", 0).slash);
	ck_assert(!walk("/d/e", 0).slash);
}
END_TEST

START_TEST(test_a_slash_in_the_target_of_a_link_counts)
{
	struct mvfs__found found = walk("/slash", MVFS__FOLLOW);

	ck_assert_ptr_null(found.node);
	ck_assert(found.slash);
	ck_assert_ptr_eq(found.parent, core_node("/"));
}
END_TEST

START_TEST(test_dotdot_after_a_link_is_the_targets_parent)
{
	ck_assert_ptr_eq(walk("/l/..", 0).node, core_node("/d"));
	ck_assert_ptr_eq(walk("/l/../f", 0).node, core_node("/d/f"));
}
END_TEST

START_TEST(test_the_last_link_is_followed_only_when_asked)
{
	ck_assert(mvfs__node_is_lnk(walk("/l", 0).node));
	ck_assert(mvfs__node_is_dir(walk("/l", MVFS__FOLLOW).node));
	ck_assert(mvfs__node_is_dir(walk("/l/", 0).node));
	ck_assert(mvfs__node_is_lnk(walk("/l/", MVFS__NAME_ITSELF).node));
}
END_TEST

START_TEST(test_nothing_is_above_the_root)
{
	ck_assert_ptr_eq(walk("/../../d", 0).node, core_node("/d"));
}
END_TEST

START_TEST(test_each_directory_must_be_searchable)
{
	const struct mvfs__who user = { .uid = 1000, .gid = 1000 };
	struct mvfs__found found;

	ok(mvfs_chmod(fs, "/d", 0600));
	ck_assert_int_eq(core_walk(&user, "/d/f", 0, &found), -EACCES);
	ck_assert_int_eq(core_walk(&user, "/d/..", 0, &found), -EACCES);
	ok(core_walk(&user, "/d", 0, &found));
	ok(core_walk(&user, "/d/", 0, &found));
}
END_TEST

START_TEST(test_a_cached_name_is_not_believed_after_a_change)
{
	struct mvfs__node *before = walk("/d/f", 0).node;

	ck_assert_ptr_eq(walk("/d/f", 0).node, before);
	ok(mvfs_write_file(fs, "/g", "y", 1));
	ok(mvfs_rename(fs, "/g", "/d/f"));
	ck_assert_ptr_ne(walk("/d/f", 0).node, before);
	ok(mvfs_unlink(fs, "/d/f"));
	ck_assert_ptr_null(walk("/d/f", 0).node);
}
END_TEST

START_TEST(test_names_of_every_length_are_told_apart_when_cached)
{
	char path[300] = "/", other[300];
	size_t len, i;

	for (len = 1; len <= 24; len++) {
		memset(path + 1, 'a', len);
		path[1 + len] = 0;
		ok(mvfs_mkdir(fs, path, 0755));
		core_node(path);
		core_node(path);
		for (i = 1; i <= len; i++) {
			strcpy(other, path);
			other[i] = 'b';
			ck_assert_ptr_null(walk(other, 0).node);
		}
	}
}
END_TEST

START_TEST(test_the_path_back_is_the_way_it_was_found)
{
	char buffer[100];

	ck_assert_int_eq(mvfs_realpath(fs, "/l/../e/.", buffer,
				       sizeof(buffer)), 4);
	ck_assert_str_eq(buffer, "/d/e");
	ck_assert_int_eq(mvfs_realpath(fs, "/..", buffer, 2), 1);
	ck_assert_str_eq(buffer, "/");
	fails(mvfs_realpath(fs, "/d/e", buffer, 4), ERANGE);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("walk");

	tcase_add_checked_fixture(tests, start, core_end);
	tcase_add_test(tests, test_a_missing_last_name_yields_its_directory);
	tcase_add_test(tests, test_what_the_path_ends_with_is_told);
	tcase_add_test(tests, test_a_slash_in_the_target_of_a_link_counts);
	tcase_add_test(tests, test_dotdot_after_a_link_is_the_targets_parent);
	tcase_add_test(tests, test_the_last_link_is_followed_only_when_asked);
	tcase_add_test(tests, test_nothing_is_above_the_root);
	tcase_add_test(tests, test_each_directory_must_be_searchable);
	tcase_add_test(tests,
		       test_a_cached_name_is_not_believed_after_a_change);
	tcase_add_test(tests,
		test_names_of_every_length_are_told_apart_when_cached);
	tcase_add_test(tests, test_the_path_back_is_the_way_it_was_found);
	return core_run("walk", tests);
}
