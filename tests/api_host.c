/* SPDX-License-Identifier: MIT */
/*
 * Files of the host as strings: regular ones, and those whose size is not
 * what fstat(2) says.
 */
#include "config.h"

#include <memvfs/stats.h>
#include <memvfs/whole.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/syscr.h"

#define CHINESE "\xe4\xbd\xa0\xe5\xa5\xbd"
#define GBK_CHINESE "\xc4\xe3\xba\xc3"

static char dir[4096];
static int top; /* the directory */
static struct mvfs_string string;
static struct mvfs_error error;

static void start(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, sizeof(dir), "%s/memvfs-host-XXXXXX",
		 tmp ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	top = open(dir, O_RDONLY | O_DIRECTORY);
	ck_assert_int_ge(top, 0);
	error = (struct mvfs_error){ 0 };
}

static void end(void)
{
	static const char *const names[] = { "file", "pipe", "sub" };
	size_t i;

	for (i = 0; i < 3; i++)
		if (unlinkat(top, names[i], 0))
			unlinkat(top, names[i], AT_REMOVEDIR);
	close(top);
	ck_assert_int_eq(rmdir(dir), 0);
}

static void put(const void *bytes, size_t length)
{
	int fd = openat(top, "file", O_CREAT | O_WRONLY | O_TRUNC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, length), (ssize_t)length);
	close(fd);
}

static int get(const char *path, const char *charset, unsigned flags)
{
	return mvfs_host_read_string(top, path, mvfs_charset(charset),
				     flags, &string, &error);
}

static void ck_string(const char *text, unsigned flags)
{
	ck_assert_uint_eq(string.len, strlen(text));
	ck_assert_mem_eq(string.data, text, string.len);
	ck_assert_uint_eq(string.flags, flags);
	mvfs_string_release(&string);
}

START_TEST(test_regular_files_are_read_whole)
{
	char *path;

	put("plain", 5);
	ck_assert_int_eq(get("file", "UTF-8", 0), 0);
	ck_string("plain", MVFS_STRING_TERMINATED | MVFS_STRING_ASCII);
	put(GBK_CHINESE, 4);
	ck_assert_int_eq(get("file", "GBK", 0), 0);
	ck_string(CHINESE, MVFS_STRING_TERMINATED);
	/* by an absolute path, in UTF-8 */
	put(CHINESE, 6);
	ck_assert_int_gt(asprintf(&path, "%s/file", dir), 0);
	ck_assert_int_eq(mvfs_host_read_string(AT_FDCWD, path, NULL, 0,
					       &string, NULL), 0);
	ck_string(CHINESE, MVFS_STRING_TERMINATED);
	free(path);
}
END_TEST

START_TEST(test_sizes_around_pages_and_probes_are_exact)
{
	static const size_t sizes[] = { 1, 15, 16, 4095, 4096, 4097, 8191,
					8192, 131071, 131072, 131073, 1000000 };
	static char bytes[1000000];
	size_t i, j;

	for (j = 0; j < sizeof(bytes); j++)
		bytes[j] = (char)('a' + j % 23);
	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		put(bytes, sizes[i]);
		ck_assert_int_eq(get("file", "UTF-8", 0), 0);
		ck_assert_uint_eq(string.len, sizes[i]);
		ck_assert(memcmp(string.data, bytes, sizes[i]) == 0);
		ck_assert_int_eq(string.data[string.len], 0);
		mvfs_string_release(&string);
	}
}
END_TEST

START_TEST(test_empty_files_are_empty_strings)
{
	put("", 0);
	ck_assert_int_eq(get("file", "GBK", 0), 0);
	ck_string("", MVFS_STRING_TERMINATED | MVFS_STRING_ASCII);
	ck_assert_int_eq(get("/dev/null", "GBK", 0), 0);
	ck_string("", MVFS_STRING_TERMINATED | MVFS_STRING_ASCII);
}
END_TEST

START_TEST(test_malformed_files_are_refused_or_replaced)
{
	put("ab\xff", 3);
	ck_assert_int_eq(get("file", "UTF-8", 0), -EILSEQ);
	ck_assert_uint_eq(error.offset, 2);
	ck_assert_uint_eq(error.length, 1);
	ck_assert_ptr_eq(strstr(error.message, "file: malformed"),
			 error.message);
	ck_assert_int_eq(get("file", "UTF-8", MVFS_REPLACE), 0);
	ck_string("ab\xef\xbf\xbd", MVFS_STRING_TERMINATED);
}
END_TEST

START_TEST(test_files_of_proc_are_read_to_their_end)
{
	if (access("/proc/self/status", R_OK)) {
		printf("skipped: no /proc\n");
		return;
	}
	ck_assert_int_eq(get("/proc/self/status", "UTF-8", 0), 0);
	ck_assert_ptr_nonnull(strstr(mvfs_string_cstr(&string), "\nPid:"));
	mvfs_string_release(&string);
	/* longer than the first question */
	ck_assert_int_eq(get("/proc/self/smaps", "UTF-8", 0), 0);
	ck_assert_uint_gt(string.len, 4096);
	ck_assert_int_eq(string.data[string.len - 1], '\n');
	mvfs_string_release(&string);
}
END_TEST

struct writer {
	const char *path;
	size_t length, piece;
	long delay; /* in ns, before it opens: open(2) of a reader waits */
};

/* In pieces, with pauses: a reader must not take a short read for the end. */
static void *write_slowly(void *arg)
{
	const struct writer *w = arg;
	struct timespec pause = { .tv_nsec = w->delay };
	char *bytes = malloc(w->piece);
	size_t done;
	int fd;

	nanosleep(&pause, NULL);
	pause.tv_nsec = 1000000;
	fd = openat(top, w->path, O_WRONLY);
	memset(bytes, 'p', w->piece);
	for (done = 0; fd >= 0 && done < w->length; done += w->piece) {
		if (write(fd, bytes, w->piece) != (ssize_t)w->piece)
			break;
		nanosleep(&pause, NULL);
	}
	free(bytes);
	close(fd);
	return NULL;
}

START_TEST(test_pipes_are_read_to_their_end)
{
	struct writer w = { "pipe", 300000, 3000, 0 };
	pthread_t thread;

	ck_assert_int_eq(mkfifoat(top, "pipe", 0600), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, write_slowly, &w), 0);
	ck_assert_int_eq(get("pipe", "UTF-8", 0), 0);
	pthread_join(thread, NULL);
	ck_assert_uint_eq(string.len, 300000);
	ck_assert_uint_eq(strspn(string.data, "p"), 300000);
	mvfs_string_release(&string);
}
END_TEST

static void nothing(int signal)
{
	(void)signal;
}

struct pest {
	pthread_t target;
	volatile int stop;
};

static void *interrupt(void *arg)
{
	struct pest *pest = arg;
	struct timespec pause = { .tv_nsec = 200000 };

	while (!pest->stop) {
		pthread_kill(pest->target, SIGUSR1);
		nanosleep(&pause, NULL);
	}
	return NULL;
}

START_TEST(test_signals_do_not_end_the_reading)
{
	struct sigaction action = { .sa_handler = nothing };
	struct writer w = { "pipe", 60000, 1000, 20000000 };
	struct pest pest = { .target = pthread_self() };
	pthread_t writer, thread;
	int ret;

	/* no SA_RESTART: read(2) and open(2) answer EINTR */
	ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
	ck_assert_int_eq(mkfifoat(top, "pipe", 0600), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, interrupt, &pest), 0);
	ck_assert_int_eq(pthread_create(&writer, NULL, write_slowly, &w), 0);
	ret = get("pipe", "UTF-8", 0);
	pest.stop = 1;
	pthread_join(thread, NULL);
	pthread_join(writer, NULL);
	ck_assert_int_eq(ret, 0);
	ck_assert_uint_eq(string.len, 60000);
	mvfs_string_release(&string);
}
END_TEST

/* How many reads it takes; -1 where that cannot be told. */
static long reads_of(const char *path)
{
	long before = reads_so_far();

	ck_assert_int_eq(get(path, "UTF-8", 0), 0);
	return before < 0 ? -1 : reads_since(before);
}

START_TEST(test_a_file_that_holds_still_takes_one_read)
{
	static const size_t sizes[] = { 1, 100, 4096, 200000, 5 << 20 };
	char *bytes = malloc(5 << 20);
	size_t i;
	long n;

	memset(bytes, 'b', 5 << 20);
	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		put(bytes, sizes[i]);
		n = reads_of("file");
		ck_assert_uint_eq(string.len, sizes[i]);
		ck_assert(memcmp(string.data, bytes, sizes[i]) == 0);
		mvfs_string_release(&string);
		if (n >= 0)
			ck_assert_int_eq(n, 1);
	}
	put("", 0);
	n = reads_of("file");
	if (n >= 0)
		ck_assert_int_eq(n, 1);
	free(bytes);
}
END_TEST

START_TEST(test_a_size_that_is_not_true_takes_one_read_more)
{
	/* none is told; more is told */
	static const char *const paths[] = {
		"/proc/version", "/sys/kernel/mm/transparent_hugepage/enabled",
	};
	size_t i;
	long n;

	for (i = 0; i < 2; i++) {
		if (access(paths[i], R_OK)) {
			printf("skipped: no %s\n", paths[i]);
			continue;
		}
		n = reads_of(paths[i]);
		ck_assert_uint_gt(string.len, 0);
		ck_assert_int_eq(string.data[string.len - 1], '\n');
		mvfs_string_release(&string);
		if (n >= 0)
			ck_assert_int_eq(n, 2);
	}
}
END_TEST

START_TEST(test_a_long_pipe_is_not_copied_again_and_again)
{
	struct writer w = { "pipe", 4 << 20, 1 << 16, 0 };
	struct mvfs_stats a = { .size = sizeof(a) }, b = { .size = sizeof(b) };
	pthread_t writer;

	ck_assert_int_eq(mkfifoat(top, "pipe", 0600), 0);
	pthread_create(&writer, NULL, write_slowly, &w);
	mvfs_stats(MVFS_STATS_THREAD, &a);
	ck_assert_int_eq(get("pipe", "UTF-8", 0), 0);
	mvfs_stats(MVFS_STATS_THREAD, &b);
	pthread_join(writer, NULL);
	ck_assert_uint_eq(string.len, 4 << 20);
	mvfs_string_release(&string);
	/* from 64 KiB by half to 4 MiB in 11 steps, of which each looks once
	 * behind its room */
	ck_assert_uint_lt(b.allocations - a.allocations, 20);
	ck_assert_uint_lt(b.copied_bytes - a.copied_bytes, 20 * 4096);
}
END_TEST

enum { GROWN = 400000 };
static char pattern[GROWN];
static atomic_int ended;

/* Grows piece by piece, and is short again. */
static void *grow_and_shrink(void *arg)
{
	int fd = *(int *)arg, round;
	ssize_t at;

	for (round = 0; round < 20; round++) {
		for (at = 1000; at + 1000 <= GROWN; at += 1000)
			if (pwrite(fd, pattern + at, 1000, at) != 1000)
				abort();
		if (ftruncate(fd, 1000))
			abort();
	}
	atomic_store(&ended, 1);
	return NULL;
}

START_TEST(test_files_that_change_meanwhile_are_read_to_an_end)
{
	pthread_t writer;
	int i, fd;

	for (i = 0; i < GROWN; i++)
		pattern[i] = (char)('a' + i % 26);
	put(pattern, 1000);
	fd = openat(top, "file", O_RDWR);
	ck_assert_int_eq(pthread_create(&writer, NULL, grow_and_shrink, &fd),
			 0);
	while (!atomic_load(&ended)) {
		ck_assert_int_eq(get("file", "UTF-8", 0), 0);
		ck_assert_uint_ge(string.len, 1000);
		ck_assert_uint_le(string.len, GROWN);
		ck_assert_int_eq(string.data[string.len], 0);
		ck_assert(memcmp(string.data, pattern, 1000) == 0);
		mvfs_string_release(&string);
	}
	pthread_join(writer, NULL);
	close(fd);
}
END_TEST

START_TEST(test_what_cannot_be_read_is_told_with_its_path)
{
	struct mvfs_string before = { .data = "untouched" };

	string = before;
	ck_assert_int_eq(get("missing", "UTF-8", 0), -ENOENT);
	ck_assert_int_eq(error.code, -ENOENT);
	ck_assert_ptr_nonnull(strstr(error.message, "missing"));
	ck_assert_int_eq(mkdirat(top, "sub", 0700), 0);
	ck_assert_int_eq(get("sub", "UTF-8", 0), -EISDIR);
	ck_assert_ptr_nonnull(strstr(error.message, "sub"));
	put("x", 1);
	ck_assert_int_eq(get("file/below", "UTF-8", 0), -ENOTDIR);
	ck_assert_int_eq(get("", "UTF-8", 0), -ENOENT);
	ck_assert_int_eq(mvfs_host_read_string(-1, "file", NULL, 0, &string,
					       NULL), -EBADF);
	ck_assert_mem_eq(&string, &before, sizeof(string));
}
END_TEST

/* More than there are addresses for. */
START_TEST(test_huge_sparse_files_are_refused_for_memory)
{
	char path[64];
	int fd = memfd_create("huge", 0), ret;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd < 0 || ftruncate(fd, (off_t)(INT64_C(1) << 62)) ||
	    access(path, R_OK)) {
		printf("skipped: no memfd of 4 EiB here\n");
		return;
	}
	ret = get(path, "UTF-8", 0);
	ck_assert_msg(ret == -ENOMEM || ret == -EFBIG, "%d", ret);
	ck_assert_ptr_nonnull(strstr(error.message, path));
	close(fd);
}
END_TEST

START_TEST(test_wrong_arguments_are_refused)
{
	ck_assert_int_eq(mvfs_host_read_string(AT_FDCWD, NULL, NULL, 0,
					       &string, &error), -EFAULT);
	ck_assert_int_eq(error.code, -EFAULT);
	ck_assert_int_eq(mvfs_host_read_string(AT_FDCWD, "/dev/null", NULL, 0,
					       NULL, NULL), -EFAULT);
	ck_assert_int_eq(get("file", "UTF-8", 4), -EINVAL);
}
END_TEST

/* No call leaves a descriptor behind, whichever way it ends. */
START_TEST(test_no_descriptor_is_left_open)
{
	int before, after;

	put("ab\xff", 3);
	before = dup(0);
	close(before);
	get("file", "UTF-8", 0);
	get("file", "UTF-8", MVFS_REPLACE);
	mvfs_string_release(&string);
	get("missing", "UTF-8", 0);
	get(dir, "UTF-8", 0);
	after = dup(0);
	close(after);
	ck_assert_int_eq(before, after);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("api: files of the host");
	TCase *tests = tcase_create("mvfs_host_read_string");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tests, start, end);
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, test_regular_files_are_read_whole);
	tcase_add_test(tests, test_sizes_around_pages_and_probes_are_exact);
	tcase_add_test(tests, test_empty_files_are_empty_strings);
	tcase_add_test(tests, test_malformed_files_are_refused_or_replaced);
	tcase_add_test(tests, test_files_of_proc_are_read_to_their_end);
	tcase_add_test(tests, test_pipes_are_read_to_their_end);
	tcase_add_test(tests, test_signals_do_not_end_the_reading);
	tcase_add_test(tests, test_a_file_that_holds_still_takes_one_read);
	tcase_add_test(tests,
		       test_a_size_that_is_not_true_takes_one_read_more);
	tcase_add_test(tests,
		       test_a_long_pipe_is_not_copied_again_and_again);
	tcase_add_test(tests,
		       test_files_that_change_meanwhile_are_read_to_an_end);
	tcase_add_test(tests, test_what_cannot_be_read_is_told_with_its_path);
	tcase_add_test(tests, test_huge_sparse_files_are_refused_for_memory);
	tcase_add_test(tests, test_wrong_arguments_are_refused);
	tcase_add_test(tests, test_no_descriptor_is_left_open);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
