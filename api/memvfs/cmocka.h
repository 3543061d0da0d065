/* SPDX-License-Identifier: MIT */
/*
 * Tests with cmocka (https://cmocka.org/): a fresh file system for each test,
 * and assertions about it. The library does not need cmocka; whoever includes
 * this does.
 *
 *	static void a_full_disk_leaves_the_old_file(void **state)
 *	{
 *		mvfs *fs = *state;
 *
 *		mvfs_cmocka_build("./file data=\"old\"");
 *		mvfs_cmocka_fault("write path=/new errno=ENOSPC");
 *		assert_mvfs_err(save(fs, "/file"), -ENOSPC);
 *		assert_mvfs_text("/file", "old");
 *	}
 *	...
 *	mvfs_cmocka_test(a_full_disk_leaves_the_old_file),
 *
 * At the end of a test it fails for what is still open and for what was closed
 * twice. What failures tell is in memvfs/testing.h.
 */
#ifndef MEMVFS_CMOCKA_H
#define MEMVFS_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <memvfs/testing.h>

/* The fixture of the file that includes this. */
static struct mvfs_testing mvfs__cmocka;

/* Line by line, for cmocka cuts long texts. */
MVFS__TESTING int mvfs__cmocka_print(const char *text)
{
	size_t len;

	for (; text && *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		print_error("%.*s\n", (int)len, text);
	}
	return text ? -1 : 0;
}

/* Fails the test by one of the texts of memvfs/testing.h; not by NULL. */
#define assert_mvfs_fine(text) \
	do { \
		if (mvfs__cmocka_print(text)) \
			fail(); \
	} while (0)

/*
 * Before and after each test; mvfs_cmocka_test() makes a test with both. A
 * fixture of one's own may call them instead, or begin with a file system that
 * is given, such as a clone: mvfs_cmocka_begin(), which takes the view over
 * and makes it the state. 0, or -1 and a text for people.
 *
 * @since 0.1.0
 */
MVFS__TESTING int mvfs_cmocka_begin(void **state, mvfs *fs)
{
	int rc = mvfs__cmocka_print(mvfs_testing_begin(&mvfs__cmocka, fs));

	*state = mvfs__cmocka.fs;
	return rc;
}
MVFS__TESTING int mvfs_cmocka_setup(void **state)
{
	return mvfs_cmocka_begin(state, NULL);
}
MVFS__TESTING int mvfs_cmocka_teardown(void **state)
{
	*state = NULL;
	return mvfs__cmocka_print(mvfs_testing_end(&mvfs__cmocka));
}
#define mvfs_cmocka_test(test) \
	cmocka_unit_test_setup_teardown(test, mvfs_cmocka_setup, \
					mvfs_cmocka_teardown)

/*
 * Prepare: a route to the file system, a fault, a tree.
 *
 * @since 0.1.0
 */
#define mvfs_cmocka_route(prefix) \
	assert_mvfs_fine(mvfs_testing_route(&mvfs__cmocka, prefix))
#define mvfs_cmocka_fault(rule) \
	assert_mvfs_fine(mvfs_testing_fault(&mvfs__cmocka, rule))
#define mvfs_cmocka_build(tree) \
	assert_mvfs_fine(mvfs_testing_build(&mvfs__cmocka, tree))

/*
 * Compare: the tree, the log, the bytes of a file, those of a file with a
 * string, the result of a call with a negative errno or (0, and _ok) with any
 * result that is no error.
 *
 * @since 0.1.0
 */
#define assert_mvfs_tree(tree) \
	assert_mvfs_fine(mvfs_testing_tree(&mvfs__cmocka, tree))
#define assert_mvfs_log(log) \
	assert_mvfs_fine(mvfs_testing_log(&mvfs__cmocka, log))
#define assert_mvfs_file(path, bytes, len) \
	assert_mvfs_fine(mvfs_testing_file(&mvfs__cmocka, path, bytes, len))
#define assert_mvfs_text(path, text) \
	assert_mvfs_fine(mvfs_testing_text(&mvfs__cmocka, path, text))
#define assert_mvfs_err(call, error) \
	assert_mvfs_fine(mvfs_testing_result(&mvfs__cmocka, #call, call, \
					     error))
#define assert_mvfs_ok(call) \
	assert_mvfs_fine(mvfs_testing_result(&mvfs__cmocka, #call, call, 0))

#endif
