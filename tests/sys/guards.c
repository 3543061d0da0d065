/* SPDX-License-Identifier: MIT */
/* Extended attributes (26a) and locks (27, 27a) by inode and owner. */
#include "config.h"

#include "tests/sys/sys.h"

#include <sys/file.h>

#include <memvfs/xattrs.h>

static int set(uint64_t ino, const char *name, int flags)
{
	return mvfs_sys_setxattr(fs, &root, ino, name, "value", 5, flags);
}

START_TEST(test_xattrs_refuse_what_xattr_7_refuses)
{
	uint64_t f = make(top, "f", "F");
	struct mvfs_stat st;
	char got[8], name[257] = "user.";

	memset(name + 5, 'n', 251);
	fails(set(f, "user.a", MVFS_XATTR_REPLACE), ENODATA);
	ok(set(f, "user.a", MVFS_XATTR_CREATE));
	fails(set(f, "user.a", MVFS_XATTR_CREATE), EEXIST);
	fails(set(f, "plain", 0), EOPNOTSUPP);
	fails(set(f, name, 0), ERANGE);
	fails(mvfs_sys_getxattr(fs, &root, f, "user.a", got, 4), ERANGE);
	ck_assert_int_eq(ok(mvfs_sys_getxattr(fs, &root, f, "user.a", NULL,
					      0)), 5);
	fails(mvfs_sys_getxattr(fs, &root, f, "user.b", got, 8), ENODATA);
	fails(mvfs_sys_removexattr(fs, &root, f, "user.b"), ENODATA);
	ok(set(f, "user.bc", 0));
	memcpy(got, "before", 7);
	fails(mvfs_sys_listxattr(fs, &root, f, got, 8), ERANGE);
	ck_assert_str_eq(got, "before");
	ok(mvfs_sys_removexattr(fs, &root, f, "user.bc"));
	fails(mvfs_sys_listxattr(fs, &root, f, got, 6), ERANGE);
	ck_assert_int_eq(ok(mvfs_sys_listxattr(fs, &root, f, got, 7)), 7);
	ok(mvfs_sys_symlink(fs, &root, "f", top, "l", 0, &st));
	fails(set(st.ino, "user.a", 0), EPERM);
	ok(mvfs_sys_removexattr(fs, &root, f, "user.a"));
	ck_assert_int_eq(ok(mvfs_sys_listxattr(fs, &root, f, NULL, 0)), 0);
}
END_TEST

START_TEST(test_xattrs_follow_the_mode_of_the_file)
{
	uint64_t f = make(top, "f", "F");
	char got[8];

	ok(set(f, "user.a", 0));
	ok(set(f, "trusted.a", 0));
	fails(mvfs_sys_setxattr(fs, &user, f, "user.a", "x", 1, 0), EACCES);
	ck_assert_int_eq(ok(mvfs_sys_getxattr(fs, &user, f, "user.a", got,
					      8)), 5);
	fails(mvfs_sys_setxattr(fs, &user, f, "trusted.b", "x", 1, 0), EPERM);
	fails(mvfs_sys_getxattr(fs, &user, f, "trusted.a", got, 8), ENODATA);
	ck_assert_int_eq(ok(mvfs_sys_listxattr(fs, &user, f, NULL, 0)), 7);
	ck_assert_int_eq(ok(mvfs_sys_listxattr(fs, &root, f, NULL, 0)), 17);
}
END_TEST

void add_xattr_tests(Suite *suite)
{
	TCase *t = sys_tcase(suite, "xattrs");

	tcase_add_test(t, test_xattrs_refuse_what_xattr_7_refuses);
	tcase_add_test(t, test_xattrs_follow_the_mode_of_the_file);
}

static const struct mvfs_lock whole = { .type = F_WRLCK };

/* Whether `owner` could have all of the file for itself. */
static int met(struct mvfs_file *file, uint64_t owner)
{
	struct mvfs_lock lock = whole;

	ok(mvfs_sys_getlk(fs, file, owner, &lock));
	return lock.type;
}

START_TEST(test_a_flock_belongs_to_the_open_file)
{
	uint64_t f = make(top, "f", "F");
	struct mvfs_file *one = open_ino(f, O_RDWR);
	struct mvfs_file *two = open_ino(f, O_RDWR);

	ok(mvfs_sys_flock(fs, one, LOCK_EX | LOCK_NB));
	ok(mvfs_sys_flock(fs, one, LOCK_EX | LOCK_NB));
	fails(mvfs_sys_flock(fs, two, LOCK_SH | LOCK_NB), EAGAIN);
	ok(mvfs_sys_close(fs, one));
	ok(mvfs_sys_flock(fs, two, LOCK_EX | LOCK_NB));
	ok(mvfs_sys_close(fs, two));
}
END_TEST

START_TEST(test_a_flush_by_the_owner_ends_its_record_locks_only)
{
	uint64_t f = make(top, "f", "F");
	struct mvfs_file *one = open_ino(f, O_RDWR);
	struct mvfs_file *two = open_ino(f, O_RDWR);
	struct mvfs_lock part = { .type = F_WRLCK, .start = 0, .len = 10 };
	struct mvfs_lock rest = { .type = F_WRLCK, .start = 10 };

	ok(mvfs_sys_setlk(fs, one, 7, &part));
	ok(mvfs_sys_setlk(fs, two, 8, &rest));
	fails(mvfs_sys_setlk(fs, two, 8, &part), EAGAIN);
	ck_assert_int_eq(met(one, 9), F_WRLCK);
	ok(mvfs_sys_flush(fs, two, 7));
	ok(mvfs_sys_setlk(fs, two, 8, &part));
	ck_assert_int_eq(met(one, 7), F_WRLCK);
	ck_assert_int_eq(met(one, 8), F_UNLCK);
	ok(mvfs_sys_close(fs, one));
	ok(mvfs_sys_close(fs, two));
}
END_TEST

START_TEST(test_closing_a_file_ends_the_locks_that_were_set_by_it)
{
	uint64_t f = make(top, "f", "F");
	struct mvfs_file *one = open_ino(f, O_RDWR);
	struct mvfs_file *two = open_ino(f, O_RDWR);

	ok(mvfs_sys_setlk(fs, one, 7, &whole));
	ok(mvfs_sys_close(fs, one));
	ck_assert_int_eq(met(two, 8), F_UNLCK);
	ok(mvfs_sys_close(fs, two));
}
END_TEST

START_TEST(test_a_release_of_any_lock_moves_the_counter)
{
	struct mvfs_file *file = open_ino(make(top, "f", "F"), O_RDWR);
	uint64_t seen = mvfs_sys_locks_wait(fs, 0, 0);

	ok(mvfs_sys_setlk(fs, file, 7, &whole));
	ck_assert_uint_eq(mvfs_sys_locks_wait(fs, seen, 0), seen);
	ok(mvfs_sys_flush(fs, file, 7));
	ck_assert_uint_ne(mvfs_sys_locks_wait(fs, seen, 0), seen);
	seen = mvfs_sys_locks_wait(fs, seen, 0);
	ok(mvfs_sys_flock(fs, file, LOCK_EX));
	ok(mvfs_sys_flock(fs, file, LOCK_UN));
	ck_assert_uint_ne(mvfs_sys_locks_wait(fs, seen, -1), seen);
	ok(mvfs_sys_close(fs, file));
}
END_TEST

void add_lock_tests(Suite *suite)
{
	TCase *t = sys_tcase(suite, "locks");

	tcase_add_test(t, test_a_flock_belongs_to_the_open_file);
	tcase_add_test(t,
	    test_a_flush_by_the_owner_ends_its_record_locks_only);
	tcase_add_test(t,
	    test_closing_a_file_ends_the_locks_that_were_set_by_it);
	tcase_add_test(t, test_a_release_of_any_lock_moves_the_counter);
}
