/* SPDX-License-Identifier: MIT */
/* Faults and the log, where calls come through a mount. */
#include <config.h>

#include "tests/fuse_fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TEXT "0123456789abcdef"
enum { LENGTH = sizeof(TEXT) - 1 };

/* The only rule, from now on. */
static void only(const char *text)
{
	ok(mvfs_fault_clear(fs));
	ok(mvfs_fault_add(fs, text, NULL, NULL));
}

static int begin_file(void)
{
	begin_mount();
	ok(mvfs_write_file(fs, "/f", TEXT, LENGTH));
	return (int)ok(host(open(at("f"), O_RDWR)));
}

static void end_file(int fd)
{
	ok(mvfs_fault_clear(fs));
	ok(host(close(fd)));
	end_mount();
}

START_TEST(test_errors_are_those_of_the_rules)
{
	int fd = begin_file();

	only("fsync path=/f errno=EIO");
	fails(host(fsync(fd)), EIO);
	only("mkdir,rename,unlink path=/** errno=EDQUOT");
	fails(host(mkdir(at("d"), 0755)), EDQUOT);
	fails(host(rename(at("f"), at("g"))), EDQUOT);
	fails(host(unlink(at("f"))), EDQUOT);
	only("write path=/f nth=2 eintr");
	ok(host(pwrite(fd, "x", 1, 0)));
	fails(host(pwrite(fd, "x", 1, 0)), EINTR);
	only("read path=/f errno=EIO");
	fails(host(pread(fd, (char[8]){ 0 }, 8, 0)), EIO);
	end_file(fd);
}
END_TEST

START_TEST(test_writes_are_short_torn_and_run_out_of_space)
{
	struct mvfs_string s;
	int fd = begin_file();

	only("write path=/f short=3");
	ck_assert_int_eq(host(pwrite(fd, TEXT, LENGTH, 0)), 3);
	only("write path=/f torn=4");
	ck_assert_int_eq(host(pwrite(fd, "################", LENGTH, 0)),
			 LENGTH);
	ok(mvfs_read_file(fs, "/f", &s));
	ck_assert_mem_eq(s.data, "########89abcdef", LENGTH);
	mvfs_string_release(&s);
	only("write path=/f space=20");
	ck_assert_int_eq(host(pwrite(fd, TEXT, LENGTH, 0)), LENGTH);
	ck_assert_int_eq(host(pwrite(fd, TEXT, LENGTH, 0)), 4);
	fails(host(pwrite(fd, TEXT, LENGTH, 0)), ENOSPC);
	only("mkdir path=/** inodes=1");
	ok(host(mkdir(at("d"), 0755)));
	fails(host(mkdir(at("e"), 0755)), ENOSPC);
	end_file(fd);
}
END_TEST

START_TEST(test_reads_are_damaged_and_late)
{
	struct timespec a, b;
	char to[LENGTH];
	int fd = begin_file(), i, bits = 0;

	only("read path=/f flip=5");
	ck_assert_int_eq(host(pread(fd, to, LENGTH, 0)), LENGTH);
	for (i = 0; i < LENGTH; i++)
		bits += __builtin_popcount((unsigned char)(to[i] ^ TEXT[i]));
	ck_assert_int_eq(bits, 5);
	only("fsync path=/f delay=20ms");
	clock_gettime(CLOCK_MONOTONIC, &a);
	ok(host(fsync(fd)));
	clock_gettime(CLOCK_MONOTONIC, &b);
	ck_assert_int_ge((b.tv_sec - a.tv_sec) * INT64_C(1000000000) +
			 b.tv_nsec - a.tv_nsec, 20000000);
	end_file(fd);
}
END_TEST

START_TEST(test_calls_through_a_mount_are_logged_by_path)
{
	struct mvfs_error e = { 0 };
	int fd = begin_file(), rc;

	ok(mvfs_log_start(fs, 0));
	ok(host(pwrite(fd, "x", 1, 0)));
	ok(host(pwrite(fd, "x", 1, 5)));
	ok(host(fsync(fd)));
	ok(host(rename(at("f"), at("g"))));
	rc = mvfs_expect_log(fs, "+ write /f\nfsync /f\nrename /f /g = 0", &e);
	ck_assert_msg(!rc, "%s", e.message);
	end_file(fd);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fuse fault");
	TCase *t = tcase_create("fault");

	tcase_add_test(t, test_errors_are_those_of_the_rules);
	tcase_add_test(t, test_writes_are_short_torn_and_run_out_of_space);
	tcase_add_test(t, test_reads_are_damaged_and_late);
	tcase_add_test(t, test_calls_through_a_mount_are_logged_by_path);
	suite_add_tcase(suite, t);
	return run_fuse_tests(suite);
}
