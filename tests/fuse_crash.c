/* SPDX-License-Identifier: MIT */
/*
 * Power cuts where the calls come through a mount: the table by call of
 * memvfs-crash(7), with the kernel's own calls, but for what FUSE has no
 * message for.
 */
#include <config.h>

#include "tests/fuse_fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/crash_table.h"

static int exchange(void *ctx, const char *a, const char *b)
{
	(void)ctx;
	return (int)syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b,
			    MVFS_RENAME_EXCHANGE);
}

START_TEST(test_through_a_mount_the_same_may_be_found)
{
	const struct crash_row *row = &crash_rows[_i];
	struct crash_by by = { .io = mvfs_io_host(), .exchange = exchange };
	char root[4096];
	unsigned policy;

	if (row->library)
		return;
	for (policy = 0; policy < 2; policy++) {
		begin_mount();
		snprintf(root, sizeof(root), "%s/", dir);
		by.root = root;
		crash_check_row(fs, &by, _i, policy);
		end_mount();
	}
}
END_TEST

START_TEST(test_what_an_fsync_of_the_kernel_made_durable_is_found)
{
	mvfs *after;
	int fd, parent;

	begin_mount();
	ok(mvfs_crash_start(fs, NULL));
	fd = (int)ok(host(open(at("f"), O_CREAT | O_RDWR, 0600)));
	ok(host(write(fd, "synced", 6)));
	ok(host(fsync(fd)));
	ok(host(write(fd, "lost", 4)));
	parent = (int)ok(host(open(dir, O_RDONLY | O_DIRECTORY)));
	ok(host(fsync(parent)));
	ok(host(close(parent)));
	ok(mvfs_crash(fs, NULL, NULL, &after));
	ok(host(close(fd)));
	fd = (int)ok(mvfs_open(after, "/f", O_RDONLY, 0));
	ck_assert_int_eq(ok(mvfs_lseek(after, fd, 0, SEEK_END)), 6);
	ok(mvfs_destroy(after));
	end_mount();
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("crash");
	Suite *suite = suite_create("fuse: crash");

	tcase_set_timeout(tests, 30);
	tcase_add_loop_test(tests, test_through_a_mount_the_same_may_be_found,
			    0, crash_row_count);
	tcase_add_test(
		tests, test_what_an_fsync_of_the_kernel_made_durable_is_found);
	suite_add_tcase(suite, tests);
	return run_fuse_tests(suite);
}
