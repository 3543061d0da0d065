/* SPDX-License-Identifier: MIT */
/* Names by their directory's inode: making, moving, removing them. */
#include "config.h"

#include "tests/sys/sys.h"

#include <memvfs/path.h>

static int move(uint64_t from, const char *old, uint64_t to, const char *new,
		unsigned flags)
{
	return mvfs_sys_rename(fs, &root, from, old, to, new, flags);
}

static uint64_t make_symlink(const char *target, const char *name)
{
	struct mvfs_stat st;

	ok(mvfs_sys_symlink(fs, &root, target, top, name, 0, &st));
	return st.ino;
}

static int link_to(uint64_t ino, uint64_t parent, const char *name)
{
	struct mvfs_stat st;

	return mvfs_sys_link(fs, &root, ino, parent, name, 0, &st);
}

static int make_dir_at(uint64_t parent, const char *name)
{
	struct mvfs_stat st;

	return mvfs_sys_mkdir(fs, &root, parent, name, 0755, 0, &st);
}

/* (1) (2) */
START_TEST(test_rename_over_an_open_file_keeps_it_for_its_handle)
{
	uint64_t a = make(top, "a", "AAA"), b = make(top, "b", "BBB");
	struct mvfs_file *old = open_ino(b, O_RDONLY);
	struct mvfs_file *new = open_ino(a, O_RDWR);

	ok(move(top, "a", top, "b", 0));
	file_holds(old, "BBB");
	ck_assert_uint_eq(look(b).nlink, 0);
	ck_assert_uint_eq(find(top, "b"), a);
	missing(top, "a");
	ok(mvfs_sys_write(fs, &root, new, "D", 1, 3, 0));
	holds(a, "AAAD");
	ok(mvfs_sys_close(fs, old));
	ok(mvfs_sys_close(fs, new));
}
END_TEST

/* (3) */
START_TEST(test_rename_between_links_of_one_inode_keeps_both)
{
	uint64_t a = make(top, "a", "one");

	ok(link_to(a, top, "b"));
	ok(move(top, "a", top, "b", 0));
	ck_assert_uint_eq(find(top, "a"), a);
	ck_assert_uint_eq(find(top, "b"), a);
	ck_assert_uint_eq(look(a).nlink, 2);
}
END_TEST

/* (4) */
START_TEST(test_rename_refuses_what_does_not_fit_and_changes_nothing)
{
	uint64_t d = make_dir(top, "d"), e = make_dir(top, "e");
	uint64_t f = make(top, "f", "F"), in = make(e, "in", "in e");

	fails(move(top, "d", top, "e", 0), ENOTEMPTY);
	fails(move(top, "d", top, "f", 0), ENOTDIR);
	fails(move(top, "f", top, "d", 0), EISDIR);
	fails(move(top, "d", d, "n", 0), EINVAL);
	fails(move(top, "x", top, "f", 0), ENOENT);
	fails(move(top, "f", f, "n", 0), ENOTDIR);
	ck_assert_uint_eq(find(top, "d"), d);
	ck_assert_uint_eq(find(top, "f"), f);
	ck_assert_uint_eq(find(e, "in"), in);
	ck_assert_uint_eq(look(top).nlink, 4);
}
END_TEST

START_TEST(test_rename_into_a_grandchild_is_einval)
{
	uint64_t d = make_dir(top, "d"), e = make_dir(d, "e");

	fails(move(top, "d", e, "n", 0), EINVAL);
	ck_assert_uint_eq(find(d, ".."), top);
}
END_TEST

START_TEST(test_rename_to_itself_and_over_an_empty_directory_is_fine)
{
	uint64_t d = make_dir(top, "d"), e = make_dir(top, "e");

	make(top, "f", "F");
	ok(move(top, "f", top, "f", 0));
	ok(move(top, "d", top, "e", 0));
	ck_assert_uint_eq(find(top, "e"), d);
	ck_assert_uint_ne(d, e);
	missing(top, "d");
	ck_assert_uint_eq(look(top).nlink, 3);
}
END_TEST

/* (5) (6) */
START_TEST(test_moving_a_directory_fixes_nlink_and_dotdot)
{
	uint64_t p = make_dir(top, "p"), q = make_dir(top, "q");
	uint64_t d = make_dir(p, "d"), f = make(d, "f", "deep");

	ok(move(p, "d", q, "d", 0));
	ck_assert_uint_eq(look(p).nlink, 2);
	ck_assert_uint_eq(look(q).nlink, 3);
	ck_assert_uint_eq(find(d, ".."), q);
	ck_assert_uint_eq(find(d, "f"), f);
	missing(p, "d");
}
END_TEST

START_TEST(test_dotdot_of_the_root_is_the_root)
{
	ck_assert_uint_eq(find(top, ".."), top);
}
END_TEST

/* (7) */
START_TEST(test_noreplace_and_exchange)
{
	uint64_t d = make_dir(top, "d"), e = make_dir(d, "e");
	uint64_t f = make(top, "f", "F");

	make(e, "in", "in e");
	fails(move(top, "f", d, "e", MVFS_RENAME_NOREPLACE), EEXIST);
	ok(move(top, "f", d, "e", MVFS_RENAME_EXCHANGE));
	ck_assert_uint_eq(find(top, "f"), e);
	ck_assert_uint_eq(find(d, "e"), f);
	ck_assert_uint_eq(find(e, ".."), top);
	ck_assert_uint_eq(look(d).nlink, 2);
	ck_assert_uint_eq(look(top).nlink, 4);
	fails(move(top, "f", d, "e", MVFS_RENAME_EXCHANGE |
		   MVFS_RENAME_NOREPLACE), EINVAL);
	fails(move(top, "f", d, "x", MVFS_RENAME_EXCHANGE), ENOENT);
	fails(move(top, "f", d, "e", 0x80), EINVAL);
}
END_TEST

START_TEST(test_exchange_of_a_directory_with_what_it_contains_is_einval)
{
	uint64_t d = make_dir(top, "d");

	make(d, "f", "F");
	fails(move(top, "d", d, "f", MVFS_RENAME_EXCHANGE), EINVAL);
	fails(move(d, "f", top, "d", MVFS_RENAME_EXCHANGE), EINVAL);
}
END_TEST

/* (8) */
START_TEST(test_rename_moves_and_replaces_symlinks_not_targets)
{
	uint64_t t = make(top, "target", "T"), f = make(top, "f", "F");
	uint64_t l = make_symlink("target", "l");

	ok(move(top, "l", top, "m", 0));
	ck_assert_uint_eq(find(top, "m"), l);
	ok(move(top, "f", top, "m", 0));
	ck_assert_uint_eq(find(top, "m"), f);
	holds(t, "T");
}
END_TEST

/* (12) (16) */
START_TEST(test_an_inode_0_is_einval_for_dotdot_too)
{
	struct mvfs_stat st;

	fails(mvfs_sys_lookup(fs, &root, 0, "..", 0, &st), EINVAL);
	fails(mvfs_sys_lookup(fs, &root, 0, "f", 0, &st), EINVAL);
}
END_TEST

START_TEST(test_a_name_is_one_component)
{
	struct mvfs_stat st;
	const char *bad[] = { "", ".", "..", "a/b", "/", "a/" };
	size_t i;

	make(top, "a", "A");
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		fails(make_dir_at(top, bad[i]), EINVAL);
		fails(mvfs_sys_unlink(fs, &root, top, bad[i]), EINVAL);
		fails(mvfs_sys_rmdir(fs, &root, top, bad[i]), EINVAL);
		fails(move(top, "a", top, bad[i], 0), EINVAL);
		fails(move(top, bad[i], top, "n", 0), EINVAL);
	}
	fails(mvfs_sys_lookup(fs, &root, top, "a/b", 0, &st), EINVAL);
	fails(mvfs_sys_lookup(fs, &root, top, "", 0, &st), EINVAL);
	fails(mvfs_sys_lookup(fs, &root, top, ".", 0, &st), EINVAL);
}
END_TEST

START_TEST(test_a_name_has_at_most_255_bytes)
{
	char name[257];

	memset(name, 'n', 256);
	name[256] = 0;
	fails(make_dir_at(top, name), ENAMETOOLONG);
	fails(look_up(top, name), ENAMETOOLONG);
	name[255] = 0;
	ok(make_dir_at(top, name));
	ok(look_up(top, name));
}
END_TEST

START_TEST(test_a_parent_that_is_a_file_is_enotdir)
{
	uint64_t f = make(top, "f", "F");
	struct mvfs_stat st;

	fails(make_dir_at(f, "x"), ENOTDIR);
	fails(look_up(f, "x"), ENOTDIR);
	fails(mvfs_sys_unlink(fs, &root, f, "x"), ENOTDIR);
	fails(mvfs_sys_symlink(fs, &root, "t", f, "x", 0, &st), ENOTDIR);
	fails(link_to(f, f, "x"), ENOTDIR);
}
END_TEST

/* (14) */
START_TEST(test_symlinks_are_made_and_read_but_not_opened)
{
	uint64_t l = make_symlink("nowhere", "l");
	struct mvfs_file *file;
	struct mvfs_stat st;
	char to[16] = "################";
	int created;

	ck_assert_uint_eq(look(l).size, 7);
	ck_assert_int_eq(ok(mvfs_sys_readlink(fs, l, to, 3)), 3);
	ck_assert_mem_eq(to, "now#", 4);
	fails(mvfs_sys_open(fs, &root, l, O_RDONLY, &file), ELOOP);
	fails(mvfs_sys_create(fs, &root, top, "l", 0644, O_RDWR, 0, &st,
			      &created, &file), ELOOP);
	fails(mvfs_sys_create(fs, &root, top, "l", 0644, O_RDWR | O_EXCL, 0,
			      &st, &created, &file), EEXIST);
	fails(make_dir_at(top, "l"), EEXIST);
	fails(mvfs_sys_symlink(fs, &root, "", top, "z", 0, &st), ENOENT);
	fails(mvfs_sys_readlink(fs, make(top, "f", "F"), to, 3), EINVAL);
}
END_TEST

/* (17) */
START_TEST(test_link_counts_and_refuses)
{
	uint64_t f = make(top, "f", "F"), d = make_dir(top, "d");
	uint64_t l = make_symlink("f", "l");

	ok(link_to(f, d, "g"));
	ck_assert_uint_eq(look(f).nlink, 2);
	fails(link_to(f, d, "g"), EEXIST);
	fails(link_to(d, top, "e"), EPERM);
	ok(link_to(l, top, "m"));
	ck_assert_uint_eq(look(l).nlink, 2);
	ck_assert_uint_eq(look(f).nlink, 2);
}
END_TEST

START_TEST(test_unlink_and_rmdir_tell_files_from_directories)
{
	uint64_t d = make_dir(top, "d");

	make(d, "f", "F");
	fails(mvfs_sys_unlink(fs, &root, top, "d"), EISDIR);
	fails(mvfs_sys_rmdir(fs, &root, d, "f"), ENOTDIR);
	fails(mvfs_sys_rmdir(fs, &root, top, "d"), ENOTEMPTY);
	fails(mvfs_sys_rmdir(fs, &root, top, "x"), ENOENT);
	ok(mvfs_sys_unlink(fs, &root, d, "f"));
	ok(mvfs_sys_rmdir(fs, &root, top, "d"));
	missing(top, "d");
}
END_TEST

void add_name_tests(Suite *suite)
{
	TCase *t = sys_tcase(suite, "names");

	tcase_add_test(t,
	    test_rename_over_an_open_file_keeps_it_for_its_handle);
	tcase_add_test(t, test_rename_between_links_of_one_inode_keeps_both);
	tcase_add_test(t,
	    test_rename_refuses_what_does_not_fit_and_changes_nothing);
	tcase_add_test(t, test_rename_into_a_grandchild_is_einval);
	tcase_add_test(t,
	    test_rename_to_itself_and_over_an_empty_directory_is_fine);
	tcase_add_test(t, test_moving_a_directory_fixes_nlink_and_dotdot);
	tcase_add_test(t, test_dotdot_of_the_root_is_the_root);
	tcase_add_test(t, test_noreplace_and_exchange);
	tcase_add_test(t,
	    test_exchange_of_a_directory_with_what_it_contains_is_einval);
	tcase_add_test(t, test_rename_moves_and_replaces_symlinks_not_targets);
	tcase_add_test(t, test_an_inode_0_is_einval_for_dotdot_too);
	tcase_add_test(t, test_a_name_is_one_component);
	tcase_add_test(t, test_a_name_has_at_most_255_bytes);
	tcase_add_test(t, test_a_parent_that_is_a_file_is_enotdir);
	tcase_add_test(t, test_symlinks_are_made_and_read_but_not_opened);
	tcase_add_test(t, test_link_counts_and_refuses);
	tcase_add_test(t, test_unlink_and_rmdir_tell_files_from_directories);
}
