/* SPDX-License-Identifier: MIT */
/* memvfs/report.h and places.h: what is left open or closed twice is told. */
#include "config.h"

#include <memvfs/memvfs.h>
#include <memvfs/sys.h>

#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/expect.h"
#include "tests/redirect/leaky.h"

#include <memvfs/places.h>

static mvfs *fs;

/* What was told. */
static struct {
	char lines[4000];
	unsigned what;
	int fd;
	int count;
} told;

static void tell(void *ctx, const struct mvfs_report *report)
{
	size_t len = strlen(told.lines);

	ck_assert_ptr_eq(ctx, &told);
	snprintf(told.lines + len, sizeof(told.lines) - len, "%s\n",
		 report->line);
	told.what = report->what;
	told.fd = report->fd;
	told.count++;
}

static void start(void)
{
	memset(&told, 0, sizeof(told));
	ok(mvfs_create(NULL, &fs));
	ok(mvfs_set_report(fs, 0, tell, &told));
	ok(mvfs_mkdir(fs, "/d", 0755));
	ok(mvfs_write_file(fs, "/d/file", "text", 4));
}

static void end(void)
{
	ok(mvfs_destroy(fs));
}

#define HERE "tests/api_report.c"

/* The paths of __FILE__ depend on where the build is. */
static void shorten(const char *source)
{
	char *at, *from;

	while ((at = strstr(told.lines, source))) {
		for (from = at; from > told.lines && from[-1] != ' '; from--)
			;
		*at = '@';
		memmove(from, at, 1);
		memmove(from + 1, at + strlen(source),
			strlen(at + strlen(source)) + 1);
	}
}

/* The instance ends, and that is all that is told. */
static void ends_with(const char *lines)
{
	ok(mvfs_destroy(fs));
	fs = NULL;
	shorten(HERE);
	ck_assert_str_eq(told.lines, lines);
}

/* Of one descriptor, opened in that line. */
static void ends_with_leak(int fd, const char *path, int at)
{
	char expected[400];

	snprintf(expected, sizeof(expected), "descriptor %d of %s is still "
		 "open, opened at @:%d\n", fd, path, at);
	ends_with(expected);
}

START_TEST(test_an_instance_with_all_closed_tells_nothing)
{
	struct mvfs_dir *dir;
	mvfs *view;
	int fd = (int)ok(mvfs_open(fs, "/d/file", O_RDWR, 0));

	ok(mvfs_flock(fs, fd, LOCK_EX));
	ok(mvfs_opendir(fs, "/d", 0, &dir));
	ok(mvfs_view(fs, NULL, &view));
	ck_assert_int_eq(mvfs_each_open(fs, NULL, NULL), 4);
	ok(mvfs_destroy(view));
	ok(mvfs_closedir(dir));
	ok(mvfs_close(fs, fd));
	ck_assert_int_eq(mvfs_each_open(fs, tell, &told), 0);
	ends_with("");
}
END_TEST

START_TEST(test_a_descriptor_left_open_is_told_with_path_and_line)
{
	int at = __LINE__, fd = (int)mvfs_open(fs, "/d/file", O_RDWR, 0);

	ok(fd);
	ends_with_leak(0, "/d/file", at);
	ck_assert_uint_eq(told.what, MVFS_REPORT_FILE);
	ck_assert_int_eq(told.fd, fd);
}
END_TEST

START_TEST(test_each_descriptor_of_an_open_file_has_its_own_line)
{
	int fd = (int)ok(mvfs_open(fs, "/d/file", O_RDWR, 0));
	int at = __LINE__; ok(mvfs_dup(fs, fd));

	ok(mvfs_close(fs, fd));
	ends_with_leak(1, "/d/file", at);
}
END_TEST

START_TEST(test_dup2_opens_and_closes_where_it_stands)
{
	int fd = (int)ok(mvfs_open(fs, "/d/file", O_RDWR, 0));
	int other = (int)ok(mvfs_open(fs, "/d", O_RDONLY, 0));
	int at = __LINE__; ok(mvfs_dup2(fs, fd, other));

	ok(mvfs_close(fs, fd));
	ends_with_leak(1, "/d/file", at);
}
END_TEST

START_TEST(test_the_path_is_what_it_is_at_the_end)
{
	ok((mvfs_open)(fs, "/d/file", O_RDWR, 0));
	ok((mvfs_openat)(fs, MVFS_AT_FDCWD, "/gone", O_RDWR | O_CREAT, 0600));
	ok(mvfs_rename(fs, "/d", "/renamed"));
	ok(mvfs_unlink(fs, "/gone"));
	ends_with("descriptor 0 of /renamed/file is still open\n"
		  "descriptor 1 of a file without a name is still open\n");
}
END_TEST

START_TEST(test_listings_locks_and_views_are_told)
{
	const struct mvfs_lock lock = { .type = F_RDLCK, .len = 10 };
	struct mvfs_dir *dir;
	char expected[1000];
	mvfs *view;
	int fd = (int)ok((mvfs_open)(fs, "/d/file", O_RDWR, 0));
	int first = __LINE__; ok(mvfs_opendir(fs, "/d", 0, &dir));
	ok(mvfs_setlk(fs, fd, &lock, 0));
	ok(mvfs_flock(fs, fd, LOCK_EX));
	ok(mvfs_view(fs, NULL, &view));

	ck_assert_int_eq(mvfs_each_open(fs, tell, &told), 5);
	shorten(HERE);
	snprintf(expected, sizeof(expected),
		 "descriptor 0 of /d/file is still open\n"
		 "a listing of /d is still open, opened at @:%d\n"
		 "a read lock from byte 0 to 9 of /d/file is still held, "
		 "set at @:%d\n"
		 "an exclusive flock of /d/file is still held, set at @:%d\n"
		 "a view is still there, made at @:%d\n",
		 first, first + 1, first + 2, first + 3);
	ck_assert_str_eq(told.lines, expected);
	ok(mvfs_destroy(view));
	ok(mvfs_closedir(dir));
	ok(mvfs_close(fs, fd));
}
END_TEST

START_TEST(test_a_second_close_is_told_with_all_three_lines)
{
	char expected[1000];
	int first = __LINE__; int fd = mvfs_open(fs, "/d/file", O_RDWR, 0);
	ok(mvfs_close(fs, fd));
	fails(mvfs_close(fs, fd), EBADF);

	shorten(HERE);
	snprintf(expected, sizeof(expected),
		 "descriptor 0 of /d/file is not open, opened at @:%d, "
		 "closed at @:%d, closed again at @:%d\n",
		 first, first + 1, first + 2);
	ck_assert_str_eq(told.lines, expected);
	ck_assert_uint_eq(told.what, MVFS_REPORT_CLOSED);
	ck_assert_int_eq(told.fd, fd);
}
END_TEST

START_TEST(test_closing_what_never_was_open_is_no_second_close)
{
	fails(mvfs_close(fs, -1), EBADF);
	fails(mvfs_close(fs, 5), EBADF);
	fails(mvfs_close(fs, 1 << 20), EBADF);
	ck_assert_int_eq(told.count, 0);
}
END_TEST

START_TEST(test_a_close_that_a_fault_fails_is_no_second_close)
{
	int fd = (int)ok(mvfs_open(fs, "/d/file", O_RDWR, 0));

	ok(mvfs_fault_add(fs, "close path=/d/file errno=EBADF", NULL, NULL));
	fails(mvfs_close(fs, fd), EBADF);
	ck_assert_int_eq(told.count, 0);
	fails(mvfs_close(fs, fd), EBADF);
	ck_assert_int_eq(told.count, 1);
}
END_TEST

START_TEST(test_what_was_open_before_reports_is_known_without_a_line)
{
	mvfs *late;
	int fd;

	ok(mvfs_create(NULL, &late));
	fd = (int)ok((mvfs_open)(late, "/", O_RDONLY, 0));
	ok(mvfs_set_report(late, 0, tell, &told));
	ok((mvfs_close)(late, fd));
	fails((mvfs_close)(late, fd), EBADF);
	ck_assert_str_eq(told.lines, "descriptor 0 of / is not open\n");
	ok(mvfs_set_report(late, 0, NULL, NULL));
	fails((mvfs_close)(late, fd), EBADF);
	ok((mvfs_open)(late, "/", O_RDONLY, 0));
	ok(mvfs_destroy(late));
	ck_assert_int_eq(told.count, 1);
}
END_TEST

START_TEST(test_a_mount_keeps_an_instance_and_is_told)
{
	const struct mvfs_actor root = { .uid = 0 };
	struct mvfs_file *file;
	mvfs *mount;

	ck_assert_ptr_null(mvfs_here("mounting"));
	ok(mvfs_sys_attach(fs, 0, &mount));
	ck_assert_str_eq(mvfs_here(NULL), "mounting");
	ok(mvfs_sys_open(mount, &root, mvfs_sys_root(mount), O_RDONLY,
			 &file));
	fails(mvfs_destroy(fs), EBUSY);
	ck_assert_str_eq(told.lines,
			 "a mount is still there, made at mounting\n"
			 "a mount's file of / is still open\n");
	ok(mvfs_destroy(mount));
	told.lines[0] = 0;
	ends_with("");
}
END_TEST

START_TEST(test_what_opens_on_behalf_of_another_opens_where_it_is_told)
{
	const struct mvfs_io io = mvfs_io(fs);

	ck_assert_ptr_null(mvfs_here("a table"));
	ck_assert_int_ge(io.call->open(io.ctx, "/d/file", O_RDONLY, 0), 0);
	ck_assert_str_eq(mvfs_here(NULL), "a table");
	ends_with("descriptor 0 of /d/file is still open, "
		  "opened at a table\n");
}
END_TEST

START_TEST(test_places_end_with_their_call)
{
	ok(mvfs_open(fs, "/d/file", O_RDONLY, 0));
	fails(mvfs_open(fs, "/none", O_RDONLY, 0), ENOENT);
	ck_assert_ptr_null(mvfs_here(NULL));
	ok((mvfs_open)(fs, "/d", O_RDONLY, 0));
	ok(mvfs_destroy(fs));
	fs = NULL;
	ck_assert_ptr_nonnull(strstr(told.lines,
				     "descriptor 1 of /d is still open\n"));
}
END_TEST

/* As one may who asks, while the instance goes on. */
static void tell_and_call(void *ctx, const struct mvfs_report *report)
{
	tell(ctx, report);
	ok(mvfs_close(fs, report->fd));
}

START_TEST(test_who_is_told_may_call)
{
	ok(mvfs_open(fs, "/d/file", O_RDONLY, 0));
	ok(mvfs_open(fs, "/d/file", O_RDONLY, 0));
	ck_assert_int_eq(mvfs_each_open(fs, tell_and_call, &told), 2);
	ck_assert_int_eq(mvfs_each_open(fs, NULL, NULL), 0);
}
END_TEST

START_TEST(test_many_descriptors_are_all_known)
{
	int i, fd, at = 0;

	for (i = 0; i < 200; i++) {
		at = __LINE__ + 1;
		fd = mvfs_open(fs, "/d/file", O_RDONLY, 0);
		ck_assert_int_eq(fd, i);
	}
	ck_assert_int_eq(mvfs_each_open(fs, NULL, NULL), 200);
	for (i = 0; i < 199; i++)
		ok(mvfs_close(fs, i));
	ends_with_leak(199, "/d/file", at);
}
END_TEST

START_TEST(test_a_clone_tells_nobody)
{
	mvfs *clone;

	ok(mvfs_clone(fs, &clone));
	ok(mvfs_open(clone, "/d/file", O_RDONLY, 0));
	ok(mvfs_destroy(clone));
	ck_assert_int_eq(told.count, 0);
}
END_TEST

START_TEST(test_the_child_of_a_fork_reports_its_own_copy)
{
	int status;
	pid_t pid;

	ok(mvfs_open(fs, "/d/file", O_RDONLY, 0));
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		(void)mvfs_open(fs, "/d", O_RDONLY, 0);
		(void)mvfs_destroy(fs);
		_exit(told.count);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(WEXITSTATUS(status), 2);
	ck_assert_int_eq(mvfs_each_open(fs, NULL, NULL), 1);
}
END_TEST

START_TEST(test_redirected_code_is_known_by_its_lines)
{
	int stream, file, lock, listing, again;
	char expected[2000];

	ok(mvfs_route(fs, "/leaky", 0));
	file = (int)ok(leaky_open("/leaky/d/file"));
	stream = (int)ok(leaky_stream("/leaky/d/stream"));
	lock = (int)ok(leaky_lock("/leaky/d/file"));
	listing = (int)ok(leaky_listing("/leaky/d"));
	ck_assert_int_eq(mvfs_each_open(fs, tell, &told), 6);
	shorten("tests/redirect/leaky.c");
	snprintf(expected, sizeof(expected),
		 "descriptor 0 of /d/file is still open, opened at @:%d\n"
		 "descriptor 1 of /d/stream is still open, opened at @:%d\n"
		 "descriptor 2 of /d/file is still open, opened at @:%d\n"
		 "descriptor 3 of /d is still open, opened at @:%d\n"
		 "a listing of /d is still open, opened at @:%d\n"
		 "a write lock from byte 0 of /d/file is still held, "
		 "set at @:%d\n",
		 file, stream, lock - 2, listing, listing, lock);
	ck_assert_str_eq(told.lines, expected);
	told.lines[0] = 0;
	again = (int)ok(leaky_close("/leaky/d/file"));
	shorten("tests/redirect/leaky.c");
	snprintf(expected, sizeof(expected),
		 "descriptor 4 of /d/file is not open, opened at @:%d, "
		 "closed at @:%d, closed again at @:%d\n",
		 again - 2, again, again);
	ck_assert_str_eq(told.lines, expected);
	ck_assert_int_eq(leaky_end(), 0);
	ok(mvfs_unroute("/leaky", 0));
}
END_TEST

START_TEST(test_strings_are_told_only_if_that_is_asked_for)
{
	struct mvfs_string string;

	ok(mvfs_read_string(fs, "/d/file", NULL, 0, &string, NULL));
	ck_assert_int_eq(mvfs_each_open(fs, NULL, NULL), 0);
	ok(mvfs_set_report(fs, MVFS_REPORT_STRINGS, tell, &told));
	ck_assert_int_eq(mvfs_each_open(fs, NULL, NULL), 0);
	ok(mvfs_set_report(fs, 0, tell, &told));
	ends_with("");
	mvfs_string_release(&string);
}
END_TEST

START_TEST(test_a_string_that_is_held_is_told_and_outlives_the_instance)
{
	struct mvfs_string string, gone;
	char expected[100];
	int at;

	ok(mvfs_set_report(fs, MVFS_REPORT_STRINGS, tell, &told));
	ok(mvfs_read_file(fs, "/d/file", &gone));
	at = __LINE__ + 1;
	ok(mvfs_read_string(fs, "/d/file", NULL, 0, &string, NULL));
	mvfs_string_release(&gone);
	ck_assert_int_eq(mvfs_each_open(fs, NULL, NULL), 1);
	snprintf(expected, sizeof(expected), "a string of /d/file is still "
		 "held, read at @:%d\n", at);
	ends_with(expected);
	ck_assert_uint_eq(told.what, MVFS_REPORT_STRING);
	ck_assert_uint_eq(string.len, 4);
	ck_assert_mem_eq(string.data, "text", 4);
	mvfs_string_release(&string);
}
END_TEST

START_TEST(test_a_string_is_held_until_its_last_part_goes)
{
	struct mvfs_string string, part;
	struct mvfs_lines lines;

	ok(mvfs_set_report(fs, MVFS_REPORT_STRINGS, tell, &told));
	ok(mvfs_read_string(fs, "/d/file", mvfs_charset("ISO-8859-1"), 0,
			    &string, NULL));
	part = mvfs_string_slice(&string, 1, 2);
	mvfs_string_release(&string);
	ck_assert_int_eq(mvfs_each_open(fs, NULL, NULL), 1);
	mvfs_string_release(&part);
	ck_assert_int_eq(mvfs_each_open(fs, NULL, NULL), 0);
	ok(mvfs_read_lines(fs, "/d/file", NULL, 0, 0, UINT64_MAX, &lines,
			   NULL));
	ck_assert_int_eq(mvfs_each_open(fs, NULL, NULL), 1);
	mvfs_lines_release(&lines);
	ends_with("");
}
END_TEST

START_TEST(test_a_string_that_only_a_file_of_the_tree_has_is_no_leak)
{
	struct mvfs_string string;
	mvfs *clone;

	ok(mvfs_set_report(fs, MVFS_REPORT_STRINGS, tell, &told));
	ok(mvfs_write_file(fs, "/latin", "\xe9\xe8", 2));
	ok(mvfs_read_string(fs, "/latin", mvfs_charset("ISO-8859-1"), 0,
			    &string, NULL));
	ok(mvfs_write_string(fs, "/utf8", &string, NULL, NULL));
	mvfs_string_release(&string);
	ck_assert_int_eq(mvfs_each_open(fs, NULL, NULL), 1);
	ok(mvfs_clone(fs, &clone));
	ok(mvfs_unlink(clone, "/utf8"));
	ends_with("");
	ok(mvfs_destroy(clone));
}
END_TEST

enum { STRINGS = 200 };

static void *release_all(void *arg)
{
	struct mvfs_string *strings = arg;
	int i;

	for (i = 0; i < STRINGS; i++)
		mvfs_string_release(&strings[i]);
	return NULL;
}

START_TEST(test_strings_may_go_on_another_thread_while_the_instance_ends)
{
	static struct mvfs_string strings[STRINGS];
	pthread_t thread;
	int i;

	ok(mvfs_set_report(fs, MVFS_REPORT_STRINGS, tell, &told));
	for (i = 0; i < STRINGS; i++)
		ok(mvfs_read_file(fs, "/d/file", &strings[i]));
	ck_assert_int_eq(pthread_create(&thread, NULL, release_all, strings),
			 0);
	ok(mvfs_destroy(fs));
	fs = NULL;
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_int_le(told.count, STRINGS);
}
END_TEST

START_TEST(test_wrong_arguments_are_refused)
{
	fails(mvfs_set_report(fs, 2, tell, NULL), EINVAL);
	fails(mvfs_set_report(NULL, 0, tell, NULL), EINVAL);
	fails(mvfs_each_open(NULL, tell, NULL), EINVAL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("report");
	TCase *tc = tcase_create("report");

	tcase_add_checked_fixture(tc, start, end);
	tcase_add_test(tc, test_an_instance_with_all_closed_tells_nothing);
	tcase_add_test(tc,
		       test_a_descriptor_left_open_is_told_with_path_and_line);
	tcase_add_test(tc,
		       test_each_descriptor_of_an_open_file_has_its_own_line);
	tcase_add_test(tc, test_dup2_opens_and_closes_where_it_stands);
	tcase_add_test(tc, test_the_path_is_what_it_is_at_the_end);
	tcase_add_test(tc, test_listings_locks_and_views_are_told);
	tcase_add_test(tc, test_a_second_close_is_told_with_all_three_lines);
	tcase_add_test(tc,
		       test_closing_what_never_was_open_is_no_second_close);
	tcase_add_test(tc,
		       test_a_close_that_a_fault_fails_is_no_second_close);
	tcase_add_test(tc,
		test_what_was_open_before_reports_is_known_without_a_line);
	tcase_add_test(tc, test_a_mount_keeps_an_instance_and_is_told);
	tcase_add_test(tc,
		test_what_opens_on_behalf_of_another_opens_where_it_is_told);
	tcase_add_test(tc, test_places_end_with_their_call);
	tcase_add_test(tc, test_who_is_told_may_call);
	tcase_add_test(tc, test_many_descriptors_are_all_known);
	tcase_add_test(tc, test_a_clone_tells_nobody);
	tcase_add_test(tc, test_the_child_of_a_fork_reports_its_own_copy);
	tcase_add_test(tc, test_redirected_code_is_known_by_its_lines);
	tcase_add_test(tc, test_strings_are_told_only_if_that_is_asked_for);
	tcase_add_test(tc,
		test_a_string_that_is_held_is_told_and_outlives_the_instance);
	tcase_add_test(tc, test_a_string_is_held_until_its_last_part_goes);
	tcase_add_test(tc,
		test_a_string_that_only_a_file_of_the_tree_has_is_no_leak);
	tcase_add_test(tc,
		test_strings_may_go_on_another_thread_while_the_instance_ends);
	tcase_add_test(tc, test_wrong_arguments_are_refused);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
