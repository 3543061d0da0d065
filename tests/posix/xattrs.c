/* SPDX-License-Identifier: MIT */
/* Extended attributes (26a). */
#include "config.h"

#include "tests/posix/cases.h"

#include <memvfs/xattrs.h>

static void xattr_is(const char *path, const char *name, const char *value)
{
	char got[64];

	ck_assert_int_eq(ok(fs->getxattr(path, name, got, sizeof(got))),
			 (int64_t)strlen(value));
	ck_assert_mem_eq(got, value, strlen(value));
}

START_TEST(test_create_of_an_existing_xattr_is_eexist)
{
	make("f", "F");
	ok(fs->setxattr("f", "user.a", "one", 3, MVFS_XATTR_CREATE));
	fails(fs->setxattr("f", "user.a", "two", 3, MVFS_XATTR_CREATE),
	      EEXIST);
	xattr_is("f", "user.a", "one");
}
END_TEST

START_TEST(test_replace_of_a_missing_xattr_is_enodata)
{
	char got[8];

	make("f", "F");
	fails(fs->setxattr("f", "user.a", "one", 3, MVFS_XATTR_REPLACE),
	      ENODATA);
	fails(fs->getxattr("f", "user.a", got, sizeof(got)), ENODATA);
	ok(fs->setxattr("f", "user.a", "one", 3, 0));
	ok(fs->setxattr("f", "user.a", "three", 5, MVFS_XATTR_REPLACE));
	xattr_is("f", "user.a", "three");
}
END_TEST

START_TEST(test_remove_of_a_missing_xattr_is_enodata)
{
	make("f", "F");
	fails(fs->removexattr("f", "user.a"), ENODATA);
	ok(fs->setxattr("f", "user.a", "one", 3, 0));
	ok(fs->removexattr("f", "user.a"));
	fails(fs->removexattr("f", "user.a"), ENODATA);
}
END_TEST

START_TEST(test_a_buffer_too_short_for_an_xattr_is_erange)
{
	char got[64];

	make("f", "F");
	ok(fs->setxattr("f", "user.a", "value", 5, 0));
	fails(fs->getxattr("f", "user.a", got, 4), ERANGE);
	ck_assert_int_eq(ok(fs->getxattr("f", "user.a", got, 5)), 5);
	fails(fs->listxattr("f", got, 6), ERANGE);
	ck_assert_int_eq(ok(fs->listxattr("f", got, 7)), 7);
	ck_assert_mem_eq(got, "user.a", 7);
}
END_TEST

START_TEST(test_size_0_asks_for_the_size_of_an_xattr)
{
	make("f", "F");
	ck_assert_int_eq(ok(fs->listxattr("f", NULL, 0)), 0);
	ok(fs->setxattr("f", "user.a", "value", 5, 0));
	ok(fs->setxattr("f", "user.empty", "", 0, 0));
	ck_assert_int_eq(ok(fs->getxattr("f", "user.a", NULL, 0)), 5);
	ck_assert_int_eq(ok(fs->getxattr("f", "user.empty", NULL, 0)), 0);
	ck_assert_int_eq(ok(fs->listxattr("f", NULL, 0)), 7 + 11);
}
END_TEST

START_TEST(test_an_xattr_without_a_namespace_is_eopnotsupp)
{
	char got[8];

	make("f", "F");
	fails(fs->setxattr("f", "plain", "x", 1, 0), EOPNOTSUPP);
	fails(fs->setxattr("f", "strange.a", "x", 1, 0), EOPNOTSUPP);
	fails(fs->getxattr("f", "plain", got, sizeof(got)), EOPNOTSUPP);
	fails(fs->removexattr("f", "plain"), EOPNOTSUPP);
}
END_TEST

START_TEST(test_a_user_xattr_on_a_symlink_is_eperm)
{
	make("f", "F");
	ok(fs->symlink("f", "l"));
	fails(fs->lsetxattr("l", "user.a", "x", 1, 0), EPERM);
	ok(fs->setxattr("l", "user.a", "x", 1, 0));
	xattr_is("f", "user.a", "x");
}
END_TEST

START_TEST(test_a_user_xattr_on_a_fifo_is_eperm)
{
	ok(fs->mkfifo("p", 0644));
	fails(fs->setxattr("p", "user.a", "x", 1, 0), EPERM);
}
END_TEST

START_TEST(test_an_xattr_name_of_256_bytes_is_erange)
{
	char name[257] = "user.";

	memset(name + 5, 'n', 251);
	name[256] = 0;
	make("f", "F");
	fails(fs->setxattr("f", name, "x", 1, 0), ERANGE);
	fails(fs->setxattr("f", "", "x", 1, 0), ERANGE);
	name[255] = 0;
	ok(fs->setxattr("f", name, "x", 1, 0));
	xattr_is("f", name, "x");
}
END_TEST

START_TEST(test_an_xattr_value_of_more_than_64_kib_is_e2big)
{
	static char value[65537];

	make("f", "F");
	fails(fs->setxattr("f", "user.a", value, 65537, 0), E2BIG);
	ck_assert_int_eq(ok(fs->listxattr("f", NULL, 0)), 0);
}
END_TEST

START_TEST(test_xattrs_survive_rename)
{
	make("f", "F");
	ok(fs->setxattr("f", "user.a", "one", 3, 0));
	ok(fs->rename("f", "g", 0));
	xattr_is("g", "user.a", "one");
	make("h", "H");
	ok(fs->rename("g", "h", 0));
	xattr_is("h", "user.a", "one");
}
END_TEST

void add_xattr_cases(Suite *suite)
{
	TCase *t;

	if (!posix_can("xattrs", fs->no_xattrs))
		return;
	t = posix_tcase(suite, "xattrs");
	tcase_add_test(t, test_create_of_an_existing_xattr_is_eexist);
	tcase_add_test(t, test_replace_of_a_missing_xattr_is_enodata);
	tcase_add_test(t, test_remove_of_a_missing_xattr_is_enodata);
	tcase_add_test(t, test_a_buffer_too_short_for_an_xattr_is_erange);
	tcase_add_test(t, test_size_0_asks_for_the_size_of_an_xattr);
	tcase_add_test(t, test_an_xattr_without_a_namespace_is_eopnotsupp);
	tcase_add_test(t, test_a_user_xattr_on_a_symlink_is_eperm);
	tcase_add_test(t, test_a_user_xattr_on_a_fifo_is_eperm);
	tcase_add_test(t, test_an_xattr_name_of_256_bytes_is_erange);
	tcase_add_test(t, test_an_xattr_value_of_more_than_64_kib_is_e2big);
	tcase_add_test(t, test_xattrs_survive_rename);
}
