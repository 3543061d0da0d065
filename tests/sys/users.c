/* SPDX-License-Identifier: MIT */
/* Who may do what, by explicit actor; and what moves which time. */
#include "config.h"

#include "tests/sys/sys.h"

/* (24) */
START_TEST(test_the_actors_umask_is_taken_from_what_is_made)
{
	const struct mvfs_actor careful = { .umask = 027 };
	struct mvfs_stat st;

	ok(mvfs_sys_mkdir(fs, &careful, top, "d", 0777, 0, &st));
	ck_assert_uint_eq(st.mode, S_IFDIR | 0750);
	ok(mvfs_sys_mknod(fs, &careful, top, "p", S_IFIFO | 0666, 0, 0, &st));
	ck_assert_uint_eq(st.mode, S_IFIFO | 0640);
	ok(mvfs_sys_mknod(fs, &careful, top, "f", S_IFREG | 0666, 0, 0, &st));
	ck_assert_uint_eq(st.mode, S_IFREG | 0640);
	ok(set_mode(&careful, st.ino, 0666));
	ck_assert_uint_eq(look(st.ino).mode, S_IFREG | 0666);
	ok(mvfs_sys_symlink(fs, &careful, "t", top, "l", 0, &st));
	ck_assert_uint_eq(st.mode, S_IFLNK | 0777);
}
END_TEST

/* (25) */
START_TEST(test_a_directory_without_x_is_listed_but_not_entered)
{
	uint64_t d = make_dir_of(&user, "d", 0644);
	struct mvfs_dirent entries[4];
	struct mvfs_file *dir;
	struct mvfs_stat st;

	make(d, "f", "F");
	fails(mvfs_sys_lookup(fs, &user, d, "f", 0, &st), EACCES);
	fails(mvfs_sys_access(fs, &user, d, X_OK), EACCES);
	ok(mvfs_sys_open(fs, &user, d, O_RDONLY, &dir));
	ck_assert_int_eq(ok(mvfs_sys_list(fs, dir, 0, entries, 4)), 3);
	ok(mvfs_sys_close(fs, dir));
}
END_TEST

START_TEST(test_what_belongs_to_others_is_eperm_or_eacces)
{
	uint64_t f = make(top, "f", "F");
	struct mvfs_stat st = { .uid = 1000 };
	struct mvfs_file *file;

	fails(set_mode(&user, f, 0777), EPERM);
	fails(mvfs_sys_setattr(fs, &user, f, NULL, MVFS_SET_UID, &st, &st),
	      EPERM);
	fails(set_size(&user, f, NULL, 0), EACCES);
	fails(mvfs_sys_open(fs, &user, f, O_RDWR, &file), EACCES);
	fails(mvfs_sys_open(fs, &user, f, O_RDONLY | O_TRUNC, &file), EACCES);
	fails(mvfs_sys_unlink(fs, &user, top, "f"), EACCES);
	fails(mvfs_sys_access(fs, &user, f, W_OK), EACCES);
	ok(mvfs_sys_access(fs, &user, f, R_OK));
	fails(mvfs_sys_access(fs, &root, f, X_OK), EACCES);
	holds(f, "F");
}
END_TEST

START_TEST(test_a_sticky_directory_guards_the_names_of_others)
{
	uint64_t tmp = make_dir_of(&root, "tmp", 01777);
	struct mvfs_stat st;

	ok(mvfs_sys_mknod(fs, &other, tmp, "theirs", S_IFREG | 0644, 0, 0,
			  &st));
	ok(mvfs_sys_mknod(fs, &user, tmp, "mine", S_IFREG | 0644, 0, 0, &st));
	fails(mvfs_sys_unlink(fs, &user, tmp, "theirs"), EPERM);
	fails(mvfs_sys_rename(fs, &user, tmp, "theirs", tmp, "x", 0), EPERM);
	fails(mvfs_sys_rename(fs, &user, tmp, "mine", tmp, "theirs", 0),
	      EPERM);
	ok(mvfs_sys_unlink(fs, &user, tmp, "mine"));
}
END_TEST

START_TEST(test_a_write_by_who_is_not_the_owner_clears_06000)
{
	uint64_t f = make(top, "f", "F");
	struct mvfs_file *file;

	ok(set_mode(&root, f, 06777));
	ok(mvfs_sys_open(fs, &user, f, O_WRONLY, &file));
	ok(mvfs_sys_write(fs, &root, file, "x", 1, 0, 0));
	ck_assert_uint_eq(look(f).mode & 07777, 06777);
	ok(mvfs_sys_write(fs, &user, file, "x", 1, 0, 0));
	ck_assert_uint_eq(look(f).mode & 07777, 0777);
	ok(mvfs_sys_close(fs, file));
}
END_TEST

START_TEST(test_children_of_a_setgid_directory_take_its_group)
{
	uint64_t d = make_dir_of(&other, "d", 02777);
	struct mvfs_stat st;

	ok(mvfs_sys_mkdir(fs, &user, d, "s", 0755, 0, &st));
	ck_assert_uint_eq(st.gid, 2000);
	ck_assert_uint_eq(st.mode & 07777, 02755);
	ok(mvfs_sys_mknod(fs, &user, d, "f", S_IFREG | 0644, 0, 0, &st));
	ck_assert_uint_eq(st.gid, 2000);
	ck_assert_uint_eq(st.mode & 07777, 0644);
}
END_TEST

START_TEST(test_supplementary_groups_count)
{
	const uint32_t groups[] = { 50, 2000 };
	const struct mvfs_actor member = {
		.uid = 1000, .gid = 1000, .groups = groups, .group_count = 2,
	};
	uint64_t d = make_dir_of(&other, "d", 0070);
	struct mvfs_stat st;

	fails(mvfs_sys_mkdir(fs, &user, d, "s", 0755, 0, &st), EACCES);
	ok(mvfs_sys_mkdir(fs, &member, d, "s", 0755, 0, &st));
}
END_TEST

START_TEST(test_setattr_applies_all_or_nothing)
{
	uint64_t f = make(top, "f", "F");
	struct mvfs_stat st = { .size = 0, .mode = 0777, .uid = 5 };

	fails(mvfs_sys_setattr(fs, &user, f, NULL,
			       MVFS_SET_SIZE | MVFS_SET_MODE | MVFS_SET_UID,
			       &st, &st), EPERM);
	holds(f, "F");
	ck_assert_uint_eq(look(f).mode & 07777, 0644);
	ck_assert_uint_eq(look(f).uid, 0);
}
END_TEST

/* (26) */
static unsigned moved(uint64_t ino, const struct mvfs_stat *was)
{
	struct mvfs_stat now = look(ino);

	return (now.mtime.sec != was->mtime.sec ? 1u : 0) |
	       (now.ctime.sec != was->ctime.sec ? 2u : 0);
}

START_TEST(test_names_and_modes_move_the_times_that_they_should)
{
	uint64_t d = make_dir(top, "d"), f = make(d, "f", "F");
	struct mvfs_file *file = open_ino(f, O_RDWR);
	struct mvfs_stat dir = look(d), was = look(f);

	tick();
	ok(set_mode(&root, f, 0600));
	ck_assert_uint_eq(moved(f, &was), 2);
	ck_assert_uint_eq(moved(d, &dir), 0);
	was = look(f);
	tick();
	ok(mvfs_sys_write(fs, &root, file, "", 0, 0, 0));
	ck_assert_uint_eq(moved(f, &was), 0);
	ok(mvfs_sys_write(fs, &root, file, "x", 1, 0, 0));
	ck_assert_uint_eq(moved(f, &was), 3);
	ck_assert_uint_eq(moved(d, &dir), 0);
	ok(mvfs_sys_unlink(fs, &root, d, "f"));
	ck_assert_uint_eq(moved(d, &dir), 3);
	ok(mvfs_sys_close(fs, file));
}
END_TEST

START_TEST(test_setattr_sets_times_to_now_and_to_what_is_given)
{
	uint64_t f = make(top, "f", "F");
	struct mvfs_stat st = { .atime = { 12, 345, 0 },
				.mtime = { 0, MVFS_TIME_NOW, 0 } };
	struct mvfs_stat was = look(f);

	tick();
	ok(mvfs_sys_setattr(fs, &root, f, NULL,
			    MVFS_SET_ATIME | MVFS_SET_MTIME, &st, &st));
	ck_assert_int_eq(look(f).atime.sec, 12);
	ck_assert_int_eq(look(f).atime.nsec, 345);
	ck_assert_int_eq(look(f).mtime.sec, was.mtime.sec + 1);
	ck_assert_int_eq(look(f).ctime.sec, was.ctime.sec + 1);
}
END_TEST

void add_user_tests(Suite *suite)
{
	TCase *t = sys_tcase(suite, "users");

	tcase_add_test(t, test_the_actors_umask_is_taken_from_what_is_made);
	tcase_add_test(t,
	    test_a_directory_without_x_is_listed_but_not_entered);
	tcase_add_test(t, test_what_belongs_to_others_is_eperm_or_eacces);
	tcase_add_test(t, test_a_sticky_directory_guards_the_names_of_others);
	tcase_add_test(t, test_a_write_by_who_is_not_the_owner_clears_06000);
	tcase_add_test(t, test_children_of_a_setgid_directory_take_its_group);
	tcase_add_test(t, test_supplementary_groups_count);
	tcase_add_test(t, test_setattr_applies_all_or_nothing);
	tcase_add_test(t,
	    test_names_and_modes_move_the_times_that_they_should);
	tcase_add_test(t,
	    test_setattr_sets_times_to_now_and_to_what_is_given);
}
