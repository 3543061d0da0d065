/* SPDX-License-Identifier: MIT */
/* memvfs/log.h; what two runs have in common; rules while others call. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include <memvfs/memvfs.h>

#include "tests/expect.h"

static mvfs *fs;

static void start(void)
{
	const struct mvfs_options options = {
		.size = sizeof(options), .flags = MVFS_SEEDED,
		.seed = { 1, 2 },
	};

	ok(mvfs_create(&options, &fs));
}

static void stop(void)
{
	ok(mvfs_destroy(fs));
}

static void meets(const char *text)
{
	struct mvfs_error e = { 0 };

	ck_assert_msg(mvfs_expect_log(fs, text, &e) == 0, "%s", e.message);
}

static void work(void)
{
	struct mvfs_dirent entry;
	struct mvfs_string s;
	struct mvfs_error e;
	struct mvfs_dir *dir;
	char path[300];
	int i, fd;

	ok(mvfs_mkdir(fs, "/d", 0755));
	for (i = 0; i < 20; i++) {
		snprintf(path, sizeof(path), "/d/%d", i);
		(void)mvfs_write_file(fs, path, "0123456789", 10);
	}
	ok(mvfs_opendir(fs, "/d", MVFS_LIST_SHUFFLED, &dir));
	while (mvfs_readdir(dir, &entry) > 0) {
		snprintf(path, sizeof(path), "/d/%s", entry.name);
		fd = mvfs_open(fs, path, O_RDWR, 0);
		if (fd < 0)
			continue;
		(void)mvfs_write(fs, fd, "abcdef", 6);
		(void)mvfs_close(fs, fd);
		if (!mvfs_read_string(fs, path, NULL, 0, &s, &e))
			mvfs_string_release(&s);
	}
	ok(mvfs_closedir(dir));
}

/* A whole run from a seed, as its log and times. */
static void run(struct mvfs_string *text, struct mvfs_stat *st)
{
	const struct mvfs_time then = { 1000000000, 0, 0 };

	ok(mvfs_clock_manual(fs, &then, 1000));
	ok(mvfs_fault_add(fs, "open,read,write path=/d/* p=0.2 seed=9 "
			  "errno=EIO", NULL, NULL));
	ok(mvfs_fault_add(fs, "write path=/d/*[02468] p=0.5 short=2", NULL,
			  NULL));
	ok(mvfs_log_start(fs, 0));
	work();
	ok(mvfs_log_text(fs, text));
	ok(mvfs_log_stop(fs));
	ok(mvfs_stat(fs, "/d", st));
}

START_TEST(test_two_runs_of_one_seed_give_the_same_log)
{
	struct mvfs_string one, two;
	struct mvfs_stat a, b;

	run(&one, &a);
	stop();
	start();
	run(&two, &b);
	ck_assert_uint_eq(one.len, two.len);
	ck_assert_mem_eq(one.data, two.data, one.len);
	ck_assert_ptr_nonnull(strstr(mvfs_string_cstr(&one), " rule="));
	ck_assert_mem_eq(&a.mtime, &b.mtime, sizeof(a.mtime));
	mvfs_string_release(&one);
	mvfs_string_release(&two);
}
END_TEST

START_TEST(test_a_log_has_paths_bytes_users_and_results)
{
	const struct mvfs_view_options user = {
		.size = sizeof(user), .set = MVFS_VIEW_CRED, .uid = 1000
	};
	struct mvfs_string s;
	struct mvfs_error e;
	uint64_t id;
	char line[64];
	mvfs *view;
	int fd;

	ok(mvfs_log_start(fs, 0));
	fd = (int)ok(mvfs_open(fs, "/t", O_CREAT | O_RDWR, 0600));
	ok(mvfs_write(fs, fd, "12345", 5));
	ok(mvfs_pwrite(fs, fd, "6", 1, 9));
	ok(mvfs_fsync(fs, fd));
	ok(mvfs_link(fs, "/t", "/l"));
	ok(mvfs_rename(fs, "/t", "/f"));
	ok(mvfs_symlink(fs, "any thing", "/s"));
	ok(mvfs_unlink(fs, "/l"));
	ok(mvfs_view(fs, &user, &view));
	fails(mvfs_unlink(view, "/f"), EACCES);
	ok(mvfs_destroy(view));
	ok(mvfs_read_string(fs, "/f", NULL, 0, &s, &e));
	mvfs_string_release(&s);
	ok(mvfs_unlink(fs, "/f"));
	ok(mvfs_write(fs, fd, "x", 1));
	ok(mvfs_close(fs, fd));
	ok(mvfs_fault_add(fs, "mkdir path=/d errno=EIO", &id, NULL));
	fails(mvfs_mkdir(fs, "/d", 0755), EIO);
	meets("exact\n"
	      "open /t uid=0 = 0\n"
	      "write /t bytes=5 = 5\n"
	      "write /t offset=9 bytes=1 = 1\n"
	      "fsync /t = ok\n"
	      "link /t /l\n"
	      "rename /t /f\n"
	      "symlink /s any\\040thing\n"
	      "unlink /l\n"
	      "unlink /f uid=1000 = EACCES\n"
	      "read_string /f bytes=10 = 0\n"
	      "unlink /f uid=0 = 0\n"
	      "write #2 = 1\n"
	      "close #2\n"
	      "mkdir /d = EIO\n");
	snprintf(line, sizeof(line), "mkdir rule=%llu",
		 (unsigned long long)id);
	meets(line);
	/* what is told as text is met as it is */
	ok(mvfs_log_text(fs, &s));
	meets(mvfs_string_cstr(&s));
	mvfs_string_release(&s);
}
END_TEST

static int count(void *ctx, const struct mvfs_log_entry *entry)
{
	uint64_t *n = ctx;

	ck_assert_str_eq(entry->call, "stat");
	ck_assert_str_eq(entry->path, "/");
	ck_assert_uint_eq(entry->number, ++*n);
	return *n == 12;
}

START_TEST(test_a_log_is_bounded_stops_and_starts_anew)
{
	struct mvfs_stat st;
	struct mvfs_string s;
	uint64_t n = 5;
	int i;

	ok(mvfs_log_start(fs, 10));
	for (i = 0; i < 15; i++)
		ok(mvfs_stat(fs, "/", &st));
	ok(mvfs_log_stop(fs));
	ok(mvfs_stat(fs, "/", &st));
	ck_assert_int_eq(mvfs_log_each(fs, count, &n), 1);
	ck_assert_uint_eq(n, 12);
	ok(mvfs_log_text(fs, &s));
	ck_assert_mem_eq(s.data, "# 5 dropped\nstat / uid=0 = 0\n", 29);
	mvfs_string_release(&s);
	ok(mvfs_log_start(fs, 10));
	meets("exact");
}
END_TEST

START_TEST(test_bad_arguments_are_refused)
{
	struct mvfs_string s;
	struct mvfs_error e;

	fails(mvfs_log_start(NULL, 0), EINVAL);
	fails(mvfs_log_start(fs, SIZE_MAX), EINVAL);
	fails(mvfs_log_stop(NULL), EINVAL);
	fails(mvfs_log_each(NULL, count, NULL), EINVAL);
	fails(mvfs_log_each(fs, NULL, NULL), EFAULT);
	fails(mvfs_log_text(NULL, &s), EINVAL);
	fails(mvfs_log_text(fs, NULL), EFAULT);
	fails(mvfs_expect_log(NULL, "", &e), EINVAL);
	fails(mvfs_expect_log(fs, NULL, &e), EFAULT);
	fails(mvfs_expect_log(fs, "?", &e), EINVAL);
	meets(""); /* there is no log: nothing happened */
}
END_TEST

START_TEST(test_a_manual_clock_stands_ticks_and_moves)
{
	const struct mvfs_time then = { -5, 999999999, 0 };
	const struct mvfs_time late = { INT64_MAX, 0, 0 };
	struct mvfs_stat st;
	mvfs *clone;

	fails(mvfs_clock_set(fs, &then), EINVAL);
	fails(mvfs_clock_advance(fs, 1), EINVAL);
	fails(mvfs_clock_manual(fs, &then, -1), EINVAL);
	fails(mvfs_clock_manual(fs, &late, 0), EINVAL);
	fails(mvfs_clock_manual(fs, NULL, 0), EFAULT);
	fails(mvfs_clock_manual(NULL, &then, 0), EINVAL);
	ok(mvfs_clock_manual(fs, &then, 2));
	ok(mvfs_mkdir(fs, "/a", 0755));
	ok(mvfs_mkdir(fs, "/b", 0755));
	ok(mvfs_stat(fs, "/a", &st));
	ck_assert_int_eq(st.btime.sec, -5);
	ck_assert_int_eq(st.btime.nsec, 999999999);
	ok(mvfs_stat(fs, "/b", &st));
	ck_assert_int_eq(st.btime.sec, -4);
	ck_assert_int_eq(st.btime.nsec, 1);
	ok(mvfs_clone(fs, &clone));
	ok(mvfs_clock_advance(fs, INT64_C(4000000000)));
	ok(mvfs_mkdir(fs, "/c", 0755));
	ok(mvfs_stat(fs, "/c", &st));
	ck_assert_int_eq(st.btime.sec, 0);
	ck_assert_int_eq(st.btime.nsec, 3);
	fails(mvfs_clock_advance(fs, INT64_MAX), EINVAL);
	ok(mvfs_mkdir(clone, "/c", 0755)); /* it has a clock of its own */
	ok(mvfs_stat(clone, "/c", &st));
	ck_assert_int_eq(st.btime.sec, -4);
	ok(mvfs_destroy(clone));
	ok(mvfs_clock_set(fs, &then));
	ok(mvfs_mkdir(fs, "/d", 0755));
	ok(mvfs_stat(fs, "/d", &st));
	ck_assert_int_eq(st.btime.sec, -5);
}
END_TEST

START_TEST(test_a_child_has_the_rules_and_the_log_of_its_own)
{
	struct mvfs_error e;
	pid_t child;
	int status;

	ok(mvfs_fault_add(fs, "mkdir path=/d errno=EIO", NULL, NULL));
	ok(mvfs_log_start(fs, 0));
	child = fork();
	ck_assert_int_ge(child, 0);
	if (!child) {
		if (mvfs_mkdir(fs, "/d", 0755) != -EIO ||
		    mvfs_expect_log(fs, "mkdir /d = EIO", &e))
			_exit(1);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	meets("exact");
}
END_TEST

enum { ROUNDS = 300, CALLERS = 3 };
static atomic_bool done;

static void *call(void *arg)
{
	char path[16], bytes[8];
	struct mvfs_string s;
	struct mvfs_error e;
	int fd;

	snprintf(path, sizeof(path), "/%d", *(int *)arg);
	while (!atomic_load(&done)) {
		fd = mvfs_open(fs, path, O_CREAT | O_RDWR, 0600);
		if (fd < 0)
			continue;
		(void)mvfs_write(fs, fd, "abcdef", 6);
		(void)mvfs_pread(fs, fd, bytes, sizeof(bytes), 0);
		if (!mvfs_read_string(fs, path, NULL, 0, &s, &e))
			mvfs_string_release(&s);
		(void)mvfs_close(fs, fd);
	}
	return NULL;
}

START_TEST(test_rules_and_logs_come_and_go_while_others_call)
{
	static const char *const rules[] = {
		"open path=/* every=3 errno=EIO",
		"read path=/1 p=0.5 flip=4",
		"write path=/2 torn=2",
		"all path=** delay=1us",
		"write path=/** space=100",
		"read,write path=** short=1",
	};
	int number[CALLERS], i;
	pthread_t thread[CALLERS];
	struct mvfs_string s;
	uint64_t id[6];

	atomic_store(&done, false);
	for (i = 0; i < CALLERS; i++) {
		number[i] = i;
		ck_assert_int_eq(pthread_create(&thread[i], NULL, call,
						&number[i]), 0);
	}
	for (i = 0; i < ROUNDS; i++) {
		ok(mvfs_fault_add(fs, rules[i % 6], &id[i % 6], NULL));
		if (i % 6 == 2)
			ok(mvfs_log_start(fs, 16));
		if (i % 6 == 4)
			ok(mvfs_log_stop(fs));
		ok(mvfs_log_text(fs, &s));
		mvfs_string_release(&s);
		if (i % 3)
			ok(mvfs_fault_remove(fs, id[i % 6]));
		if (i % 50 == 49)
			ok(mvfs_fault_clear(fs));
	}
	atomic_store(&done, true);
	for (i = 0; i < CALLERS; i++)
		ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
}
END_TEST

START_TEST(test_names_are_shuffled_by_the_seed)
{
	static const unsigned orders[] = { 0, MVFS_LIST_SHUFFLED };
	char names[2][256] = { "", "" }, path[16];
	struct mvfs_dirent entry;
	struct mvfs_dir *dir;
	uint64_t cookie = 0;
	int i, n;

	fails(mvfs_opendir(fs, "/", MVFS_LIST_SHUFFLED | MVFS_LIST_UNSORTED,
			   &dir), EINVAL);
	for (i = 0; i < 26; i++) {
		snprintf(path, sizeof(path), "/%c", 'a' + i);
		ok(mvfs_mkdir(fs, path, 0755));
	}
	for (i = 0; i < 2; i++) {
		ok(mvfs_opendir(fs, "/", orders[i], &dir));
		for (n = 0; mvfs_readdir(dir, &entry) == 1; n++) {
			strcat(names[i], entry.name);
			if (n == 9)
				cookie = entry.cookie;
		}
		ck_assert_int_eq(n, 26);
		ok(mvfs_seekdir(dir, cookie));
		ck_assert_int_eq(mvfs_readdir(dir, &entry), 1);
		ck_assert_int_eq(entry.name[0], names[i][10]);
		ok(mvfs_closedir(dir));
	}
	ck_assert_str_eq(names[0], "abcdefghijklmnopqrstuvwxyz");
	ck_assert_str_ne(names[0], names[1]);
	for (i = 0; i < 26; i++)
		ck_assert_ptr_nonnull(strchr(names[1], 'a' + i));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("log");
	TCase *t = tcase_create("log");

	tcase_add_checked_fixture(t, start, stop);
	tcase_add_test(t, test_two_runs_of_one_seed_give_the_same_log);
	tcase_add_test(t, test_a_log_has_paths_bytes_users_and_results);
	tcase_add_test(t, test_a_log_is_bounded_stops_and_starts_anew);
	tcase_add_test(t, test_bad_arguments_are_refused);
	tcase_add_test(t, test_a_manual_clock_stands_ticks_and_moves);
	tcase_add_test(t,
		test_a_child_has_the_rules_and_the_log_of_its_own);
	tcase_add_test(t,
		test_rules_and_logs_come_and_go_while_others_call);
	tcase_add_test(t, test_names_are_shuffled_by_the_seed);
	suite_add_tcase(suite, t);
	return run_suite(suite);
}
