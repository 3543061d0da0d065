/* SPDX-License-Identifier: MIT */
/*
 * Faults and the log, where calls come through a mount: which has to be one
 * by which each of them does come.
 */
#include <config.h>

#include "tests/fuse_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TEXT "0123456789abcdef"
enum { LENGTH = sizeof(TEXT) - 1 };

static const struct mvfs_mount_options uncached = {
	.size = sizeof uncached, .options = "cache=none",
};

/* The only rule, from now on. */
static void only(const char *text)
{
	ok(mvfs_fault_clear(fs));
	ok(mvfs_fault_add(fs, text, NULL, NULL));
}

static int begin_file(void)
{
	begin_mount_with(&uncached);
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

static int add_read(void *ctx, const struct mvfs_log_entry *entry)
{
	int *counts = ctx;

	counts[0] += !strcmp(entry->call, "read");
	counts[1] += !strcmp(entry->call, "stat") &&
		     !strcmp(entry->path, "/f");
	counts[2] += !strcmp(entry->call, "stat") &&
		     !strcmp(entry->path, "/none");
	counts[3] += !strcmp(entry->call, "list");
	return 0;
}

static void list_root(void)
{
	DIR *open_dir = opendir(dir);

	ck_assert_ptr_nonnull(open_dir);
	while (readdir(open_dir))
		continue;
	closedir(open_dir);
}

START_TEST(test_without_a_cache_each_call_comes)
{
	enum { TIMES = 5 };
	int fd = begin_file(), counts[4] = { 0 }, i;
	struct stat st;
	char byte;

	ok(mvfs_log_start(fs, 0));
	for (i = 0; i < TIMES; i++)
		ck_assert_int_eq(host(pread(fd, &byte, 1, 0)), 1);
	ok(mvfs_log_each(fs, add_read, counts));
	ck_assert_int_eq(counts[0], TIMES);
	ck_assert_int_eq(counts[1], 0);
	for (i = 0; i < TIMES; i++) {
		ok(host(fstat(fd, &st)));
		fails(host(access(at("none"), F_OK)), ENOENT);
		list_root();
	}
	memset(counts, 0, sizeof counts);
	ok(mvfs_log_each(fs, add_read, counts));
	ck_assert_int_eq(counts[0], TIMES);
	ck_assert_int_eq(counts[1], TIMES);
	ck_assert_int_eq(counts[2], TIMES);
	/* What is there, and that there is no more. */
	ck_assert_int_eq(counts[3], 2 * TIMES);
	ck_assert_ptr_eq(mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0),
			 MAP_FAILED);
	ck_assert_int_eq(errno, ENODEV);
	end_file(fd);
}
END_TEST

/* How many of so many writes of 4 bytes failed, from the left as bits. */
static unsigned failed_of(int fd, int count)
{
	unsigned failed = 0;

	while (count--)
		failed = failed << 1 | (host(pwrite(fd, "abcd", 4, 0)) == -EIO);
	return failed;
}

START_TEST(test_matchers_choose_the_calls)
{
	uint64_t id, matched, fired;
	int fd = begin_file();
	unsigned first;

	only("write path=/f nth=3 errno=EIO");
	ck_assert_uint_eq(failed_of(fd, 6), 010);
	only("write path=/f every=2 errno=EIO");
	ck_assert_uint_eq(failed_of(fd, 6), 025);
	only("write path=/f nth=2 every=3 errno=EIO");
	ck_assert_uint_eq(failed_of(fd, 6), 022);
	only("write path=/other errno=EIO");
	ck_assert_uint_eq(failed_of(fd, 4), 0);
	only("write path=/f after=10 errno=EIO");
	ck_assert_int_eq(host(pwrite(fd, TEXT, 8, 0)), 8);
	ck_assert_int_eq(host(pwrite(fd, TEXT, 8, 0)), 2);
	fails(host(pwrite(fd, TEXT, 8, 0)), EIO);
	only("write path=/f p=0.5 seed=7 errno=EIO");
	first = failed_of(fd, 24);
	ck_assert_uint_ne(first, 0);
	ck_assert_uint_ne(first, (1u << 24) - 1);
	ok(mvfs_fault_clear(fs));
	ok(mvfs_fault_add(fs, "write path=/f p=0.5 errno=EIO", &id, NULL));
	first = failed_of(fd, 24);
	ok(mvfs_fault_count(fs, id, &matched, &fired));
	ck_assert_uint_eq(matched, 24);
	ck_assert_uint_eq(fired, __builtin_popcount(first));
	end_file(fd);
}
END_TEST

START_TEST(test_a_rule_is_for_the_user_who_comes_in)
{
	char rule[80];
	int fd = begin_file();

	snprintf(rule, sizeof rule, "write path=/f uid=%u errno=EIO",
		 (unsigned)geteuid());
	only(rule);
	fails(host(pwrite(fd, "x", 1, 0)), EIO);
	snprintf(rule, sizeof rule, "write path=/f uid=%u errno=EIO",
		 (unsigned)geteuid() + 1);
	only(rule);
	ok(host(pwrite(fd, "x", 1, 0)));
	end_file(fd);
}
END_TEST

static void says(const struct mvfs_error *error, const char *what)
{
	ck_assert_msg(strstr(error->message, what), "%s", error->message);
}

START_TEST(test_a_caching_mount_refuses_rules_and_a_log)
{
	struct mvfs_error e = { .code = 0 };

	begin_mount();
	fails(mvfs_fault_add(fs, "read path=/f errno=EIO", NULL, &e), EBUSY);
	ck_assert_int_eq(e.code, -EBUSY);
	says(&e, "mount with -o cache=none");
	fails(mvfs_log_start(fs, 0), EBUSY);
	ok(mvfs_write_file(fs, "/f", TEXT, LENGTH));
	end_mount();
}
END_TEST

START_TEST(test_rules_and_a_log_refuse_a_caching_mount)
{
	struct mvfs_error e = { .code = 0 };
	struct mvfs_mount *second = NULL;
	const char *other = fresh_dir();
	uint64_t id;

	begin_mount_with(&uncached);
	ok(mvfs_fault_add(fs, "read path=/f errno=EIO", &id, NULL));
	fails(mvfs_mount(fs, other, NULL, &second, &e), EBUSY);
	says(&e, "mount with -o cache=none");
	ok(mvfs_fault_remove(fs, id));
	ok(mvfs_log_start(fs, 0));
	fails(mvfs_mount(fs, other, NULL, &second, &e), EBUSY);
	ck_assert_ptr_null(second);
	ok(mvfs_mount(fs, other, &uncached, &second, &e));
	ok(mvfs_unmount(second));
	ok(mvfs_log_stop(fs));
	/* A log that does not run lacks nothing. */
	ok(mvfs_mount(fs, other, NULL, &second, &e));
	fails(mvfs_log_start(fs, 0), EBUSY);
	ok(mvfs_unmount(second));
	ok(mvfs_log_start(fs, 0));
	ok(host(rmdir(other)));
	end_mount();
}
END_TEST

START_TEST(test_two_mounts_meet_the_same_rules)
{
	struct mvfs_mount *second;
	const char *other = fresh_dir();
	struct stat st;

	begin_mount_with(&uncached);
	ok(mvfs_mount(fs, other, &uncached, &second, NULL));
	ok(host(mkdir(at("d"), 0755)));
	only("mkdir path=/d/* nth=2 errno=EDQUOT");
	ok(host(mkdir(at("d/one"), 0755)));
	fails(host(mkdir(in(other, "d/two"), 0755)), EDQUOT);
	ok(host(stat(in(other, "d/one"), &st)));
	ok(mvfs_fault_clear(fs));
	ok(mvfs_unmount(second));
	ok(host(rmdir(other)));
	end_mount();
}
END_TEST

/* A file of rules on the host, and the option that names it. */
static const struct mvfs_mount_options *with_rules(const char *text)
{
	static struct mvfs_mount_options options = { .size = sizeof options };
	static char path[300], option[320];
	FILE *file;

	snprintf(path, sizeof path, "%s", fresh_dir());
	strcat(path, "/rules");
	snprintf(option, sizeof option, "fault=%s", path);
	options.options = option;
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	ok(fclose(file));
	return &options;
}

static int count_rules(void *ctx, const struct mvfs_fault *fault)
{
	(void)fault;
	++*(int *)ctx;
	return 0;
}

START_TEST(test_rules_of_a_file_come_and_go_with_the_mount)
{
	int count = 0;

	begin_mount_with(with_rules("# nothing\n\n"
				    "mkdir path=/d errno=EDQUOT\n"
				    "  rmdir path=/** errno=EROFS"));
	fails(host(mkdir(at("d"), 0755)), EDQUOT);
	ok(host(mkdir(at("e"), 0755)));
	fails(host(rmdir(at("e"))), EROFS);
	ok(mvfs_unmount(mnt));
	ok(mvfs_fault_list(fs, count_rules, &count));
	ck_assert_int_eq(count, 0);
	ok(mvfs_mount(fs, dir, NULL, &mnt, NULL));
	end_mount();
}
END_TEST

START_TEST(test_a_bad_rule_of_a_file_has_line_and_column)
{
	const struct mvfs_mount_options *options;
	struct mvfs_mount *none = NULL;
	struct mvfs_error e = { .code = 0 };
	char expected[400];
	int count = 0;

	fs = new_fs();
	dir = fresh_dir();
	options = with_rules("mkdir path=/d errno=EDQUOT\n"
			     "# fine\nread path=/f errno=EWHAT\n");
	snprintf(expected, sizeof expected, "%s:3:20: \"EWHAT\"; expected ",
		 options->options + strlen("fault="));
	fails(mvfs_mount(fs, dir, options, &none, &e), EINVAL);
	says(&e, expected);
	fails(mvfs_mount_check(dir, options, &e), EINVAL);
	says(&e, expected);
	ck_assert_ptr_null(none);
	ok(mvfs_fault_list(fs, count_rules, &count));
	ck_assert_int_eq(count, 0);
	ok(host(unlink(options->options + strlen("fault="))));
	fails(mvfs_mount_check(dir, options, &e), ENOENT);
	says(&e, "rules cannot be read: No such file");
	e.code = 0;
	fails(mvfs_mount_check(dir, &(struct mvfs_mount_options){
		.size = sizeof *options, .options = "fault=a,fault=b" }, &e),
	      EINVAL);
	says(&e, "fault=b: one file of rules can be given, and that is a");
	fails(mvfs_mount_check(dir, &(struct mvfs_mount_options){
		.size = sizeof *options, .options = "fault=" }, &e), EINVAL);
	says(&e, "fault= needs a file of rules");
	ok(host(rmdir(dir)));
	ok(mvfs_destroy(fs));
}
END_TEST

START_TEST(test_cache_modes_that_are_not_there_are_refused)
{
	static const char *const modes[] = { "all", "metadata", "writeback",
					     "no", "" };
	struct mvfs_mount_options options = { .size = sizeof options };
	struct mvfs_error e;
	char option[40];
	size_t i;

	for (i = 0; i < sizeof modes / sizeof *modes; i++) {
		snprintf(option, sizeof option, "cache=%s", modes[i]);
		options.options = option;
		fails(mvfs_mount_check("/", &options, &e), EINVAL);
		says(&e, option);
		says(&e, "there is cache=none");
	}
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
	tcase_add_test(t, test_without_a_cache_each_call_comes);
	tcase_add_test(t, test_matchers_choose_the_calls);
	tcase_add_test(t, test_a_rule_is_for_the_user_who_comes_in);
	tcase_add_test(t, test_a_caching_mount_refuses_rules_and_a_log);
	tcase_add_test(t, test_rules_and_a_log_refuse_a_caching_mount);
	tcase_add_test(t, test_two_mounts_meet_the_same_rules);
	tcase_add_test(t, test_rules_of_a_file_come_and_go_with_the_mount);
	tcase_add_test(t, test_a_bad_rule_of_a_file_has_line_and_column);
	tcase_add_test(t, test_cache_modes_that_are_not_there_are_refused);
	suite_add_tcase(suite, t);
	return run_fuse_tests(suite);
}
