/* SPDX-License-Identifier: MIT */
/*
 * Tests with Check (https://libcheck.github.io/check/): a fresh file system
 * for each test, and assertions about it. The library does not need Check;
 * whoever includes this does.
 *
 *	START_TEST(test_a_full_disk_leaves_the_old_file)
 *	{
 *		ck_mvfs_build("./file data=\"old\"");
 *		ck_mvfs_fault("write path=/new errno=ENOSPC");
 *		ck_assert_mvfs_err(save(ck_mvfs, "/file"), -ENOSPC);
 *		ck_assert_mvfs_text("/file", "old");
 *	}
 *	END_TEST
 *	...
 *	ck_mvfs_fixture(tcase);
 *
 * At the end of a test it fails for what is still open and for what was closed
 * twice. Works in forks and without (CK_FORK). What failures tell is in
 * memvfs/testing.h.
 */
#ifndef MEMVFS_CHECK_H
#define MEMVFS_CHECK_H

#include <check.h>

#include <memvfs/testing.h>

/* The fixture of the file that includes this. */
static struct mvfs_testing mvfs__check;

/*
 * The file system of the running test.
 *
 * @since 0.1.0
 */
#define ck_mvfs (mvfs__check.fs)

/* Fails the test by one of the texts of memvfs/testing.h; not by NULL. */
#define ck_assert_mvfs_fine(text) \
	do { \
		const char *mvfs__wrong = (text); \
		\
		if (mvfs__wrong) \
			ck_abort_msg("%s", mvfs__wrong); \
	} while (0)

/*
 * Before and after each test; ck_mvfs_fixture() adds both to a test case. A
 * fixture of one's own may call them instead, or begin with a file system that
 * is given, such as a clone: ck_mvfs_begin(fs), which takes the view over.
 *
 * @since 0.1.0
 */
MVFS__TESTING void ck_mvfs_begin(mvfs *fs)
{
	ck_assert_mvfs_fine(mvfs_testing_begin(&mvfs__check, fs));
}
MVFS__TESTING void ck_mvfs_setup(void)
{
	ck_mvfs_begin(NULL);
}
MVFS__TESTING void ck_mvfs_teardown(void)
{
	ck_assert_mvfs_fine(mvfs_testing_end(&mvfs__check));
}
MVFS__TESTING void ck_mvfs_fixture(TCase *tcase)
{
	tcase_add_checked_fixture(tcase, ck_mvfs_setup, ck_mvfs_teardown);
}

/*
 * Prepare: a route to the file system, a fault, a tree.
 *
 * @since 0.1.0
 */
#define ck_mvfs_route(prefix) \
	ck_assert_mvfs_fine(mvfs_testing_route(&mvfs__check, prefix))
#define ck_mvfs_fault(rule) \
	ck_assert_mvfs_fine(mvfs_testing_fault(&mvfs__check, rule))
#define ck_mvfs_build(tree) \
	ck_assert_mvfs_fine(mvfs_testing_build(&mvfs__check, tree))

/*
 * Compare: the tree, the log, the bytes of a file, those of a file with a
 * string, the result of a call with a negative errno or (0, and _ok) with any
 * result that is no error.
 *
 * @since 0.1.0
 */
#define ck_assert_mvfs_tree(tree) \
	ck_assert_mvfs_fine(mvfs_testing_tree(&mvfs__check, tree))
#define ck_assert_mvfs_log(log) \
	ck_assert_mvfs_fine(mvfs_testing_log(&mvfs__check, log))
#define ck_assert_mvfs_file(path, bytes, len) \
	ck_assert_mvfs_fine(mvfs_testing_file(&mvfs__check, path, bytes, len))
#define ck_assert_mvfs_text(path, text) \
	ck_assert_mvfs_fine(mvfs_testing_text(&mvfs__check, path, text))
#define ck_assert_mvfs_err(call, error) \
	ck_assert_mvfs_fine(mvfs_testing_result(&mvfs__check, #call, call, \
						error))
#define ck_assert_mvfs_ok(call) \
	ck_assert_mvfs_fine(mvfs_testing_result(&mvfs__check, #call, call, 0))

#endif
