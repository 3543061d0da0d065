/* SPDX-License-Identifier: MIT */
/* memvfs/fault.h: what matches, and what happens then. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <check.h>

#include <memvfs/memvfs.h>
#include <memvfs/sys.h>

#include "tests/expect.h"

#define TEXT "0123456789abcdef"
enum { LENGTH = sizeof(TEXT) - 1 };

static mvfs *fs;
static int fd; /* of /f */

static void start(void)
{
	const struct mvfs_options options = {
		.size = sizeof(options), .flags = MVFS_SEEDED,
		.seed = { 1, 2 },
	};

	ok(mvfs_create(&options, &fs));
	ok(mvfs_write_file(fs, "/f", TEXT, LENGTH));
	ok(mvfs_mkdir(fs, "/d", 0777));
	fd = (int)ok(mvfs_open(fs, "/f", O_RDWR, 0));
	ok(mvfs_log_start(fs, 0));
}

static void stop(void)
{
	ok(mvfs_destroy(fs));
}

static uint64_t rule(const char *text)
{
	struct mvfs_error error = { 0 };
	uint64_t id = 0;
	int rc = mvfs_fault_add(fs, text, &id, &error);

	ck_assert_msg(!rc, "%s: %s", text, error.message);
	ck_assert_uint_ne(id, 0);
	return id;
}

/* The only rule. */
static uint64_t only(const char *text)
{
	ok(mvfs_fault_clear(fs));
	return rule(text);
}

static void holds(const char *path, const char *bytes, size_t len)
{
	struct mvfs_string s;

	ok(mvfs_read_file(fs, path, &s));
	ck_assert_uint_eq(s.len, len);
	ck_assert_mem_eq(s.data, bytes, len);
	mvfs_string_release(&s);
}

/* How many bits of the text are the wrong way round. */
static int flipped(const char *data)
{
	int i, n = 0;

	for (i = 0; i < LENGTH; i++)
		n += __builtin_popcount((unsigned char)(data[i] ^ TEXT[i]));
	return n;
}

static void counts(uint64_t id, uint64_t matched, uint64_t fired)
{
	uint64_t m, f;

	ok(mvfs_fault_count(fs, id, &m, &f));
	ck_assert_uint_eq(m, matched);
	ck_assert_uint_eq(f, fired);
}

START_TEST(test_each_call_that_can_fail_fails_as_the_rule_says)
{
	struct mvfs_stat st;
	struct mvfs_dir *dir;
	struct mvfs_statfs statfs;
	struct mvfs_string s;
	char to[16];

	only("all path=** errno=EIO");
	fails(mvfs_mkdir(fs, "/x", 0755), EIO);
	fails(mvfs_open(fs, "/x", O_CREAT | O_RDWR, 0600), EIO);
	fails(mvfs_open(fs, "/f", O_RDWR | O_TRUNC, 0600), EIO);
	fails(mvfs_stat(fs, "/f", &st), EIO);
	fails(mvfs_unlink(fs, "/f"), EIO);
	fails(mvfs_rename(fs, "/f", "/g"), EIO);
	fails(mvfs_link(fs, "/f", "/g"), EIO);
	fails(mvfs_symlink(fs, "/f", "/g"), EIO);
	fails(mvfs_rmdir(fs, "/d"), EIO);
	fails(mvfs_chmod(fs, "/f", 0600), EIO);
	fails(mvfs_truncate(fs, "/f", 0), EIO);
	fails(mvfs_ftruncate(fs, fd, 0), EIO);
	fails(mvfs_read(fs, fd, to, 1), EIO);
	fails(mvfs_write(fs, fd, "x", 1), EIO);
	fails(mvfs_fsync(fs, fd), EIO);
	fails(mvfs_fallocate(fs, fd, 0, 0, 1 << 20), EIO);
	fails(mvfs_opendir(fs, "/d", 0, &dir), EIO);
	fails(mvfs_statfs(fs, &statfs), EIO);
	fails(mvfs_read_file(fs, "/f", &s), EIO);
	fails(mvfs_write_file(fs, "/f", "x", 1), EIO);
	fails(mvfs_write_file(fs, "/new", "x", 1), EIO);
	ok(mvfs_fault_clear(fs));
	holds("/f", TEXT, LENGTH);
	fails(mvfs_stat(fs, "/x", &st), ENOENT);
	fails(mvfs_stat(fs, "/g", &st), ENOENT);
	fails(mvfs_stat(fs, "/new", &st), ENOENT);
}
END_TEST

START_TEST(test_a_close_that_fails_closes)
{
	uint64_t id = only("close path=/f errno=EIO");

	fails(mvfs_close(fs, fd), EIO);
	ok(mvfs_fault_remove(fs, id));
	fails(mvfs_close(fs, fd), EBADF);
}
END_TEST

START_TEST(test_calls_on_the_instance_never_fail_by_a_rule)
{
	struct mvfs_snapshot *snapshot;
	mvfs *other;

	only("all path=** errno=EIO");
	ok(mvfs_clone(fs, &other));
	ok(mvfs_unlink(other, "/f")); /* it has no rules */
	ok(mvfs_destroy(other));
	ok(mvfs_snapshot(fs, &snapshot));
	ok(mvfs_restore(fs, snapshot));
	mvfs_snapshot_release(snapshot);
	ok(mvfs_view(fs, NULL, &other));
	fails(mvfs_unlink(other, "/f"), EIO);
	ok(mvfs_destroy(other));
}
END_TEST

START_TEST(test_a_file_is_matched_by_any_of_its_names)
{
	uint64_t id;

	ok(mvfs_link(fs, "/f", "/d/other"));
	id = only("fsync path=/d/* errno=EIO");
	fails(mvfs_fsync(fs, fd), EIO);
	ok(mvfs_unlink(fs, "/d/other"));
	ok(mvfs_fsync(fs, fd));
	ok(mvfs_rename(fs, "/f", "/d/moved"));
	fails(mvfs_fsync(fs, fd), EIO);
	ok(mvfs_unlink(fs, "/d/moved"));
	ok(mvfs_fsync(fs, fd));
	counts(id, 2, 2);
}
END_TEST

START_TEST(test_paths_are_matched_as_resolved)
{
	const struct mvfs_view_options options = {
		.size = sizeof(options), .root = "/d"
	};
	struct mvfs_stat st;
	mvfs *view;

	ok(mvfs_write_file(fs, "/d/in", "x", 1));
	ok(mvfs_symlink(fs, "/d", "/way"));
	ok(mvfs_symlink(fs, "/d/in", "/last"));
	only("stat,open,unlink path=/d/in errno=EACCES");
	fails(mvfs_stat(fs, "/way/in", &st), EACCES);
	fails(mvfs_stat(fs, "/d/../d/./in", &st), EACCES);
	fails(mvfs_stat(fs, "/last", &st), EACCES);
	ok(mvfs_lstat(fs, "/last", &st));
	ok(mvfs_unlink(fs, "/last"));
	ok(mvfs_chdir(fs, "/d"));
	fails(mvfs_open(fs, "in", O_RDONLY, 0), EACCES);
	ok(mvfs_view(fs, &options, &view));
	fails(mvfs_stat(view, "/in", &st), EACCES);
	ok(mvfs_destroy(view));
	only("open path=/no/such errno=EIO");
	fails(mvfs_open(fs, "/no/such", O_RDONLY, 0), EIO);
	fails(mvfs_open(fs, "/no/such2", O_RDONLY, 0), ENOENT);
	only("rename path=/to errno=EXDEV");
	fails(mvfs_rename(fs, "/f", "/to"), EXDEV);
	ok(mvfs_rename(fs, "/f", "/too"));
}
END_TEST

START_TEST(test_uid_nth_every_and_after_choose_among_calls)
{
	const struct mvfs_view_options user = {
		.size = sizeof(user), .set = MVFS_VIEW_CRED, .uid = 7
	};
	struct mvfs_stat st;
	uint64_t id;
	mvfs *view;
	int i;

	ok(mvfs_view(fs, &user, &view));
	only("stat path=/f uid=7 errno=EIO");
	ok(mvfs_stat(fs, "/f", &st));
	fails(mvfs_stat(view, "/f", &st), EIO);
	ok(mvfs_destroy(view));
	id = only("stat path=/f nth=2 errno=EIO");
	for (i = 1; i <= 6; i++)
		ck_assert_int_eq(mvfs_stat(fs, "/f", &st), i == 2 ? -EIO : 0);
	counts(id, 6, 1);
	id = only("stat path=/f every=3 errno=EIO");
	for (i = 1; i <= 6; i++)
		ck_assert_int_eq(mvfs_stat(fs, "/f", &st), i % 3 ? 0 : -EIO);
	counts(id, 6, 2);
	id = only("stat path=/f nth=2 every=2 errno=EIO");
	for (i = 1; i <= 6; i++)
		ck_assert_int_eq(mvfs_stat(fs, "/f", &st), i % 2 ? 0 : -EIO);
	id = only("write path=/f after=10 errno=EIO");
	ck_assert_int_eq(mvfs_write(fs, fd, TEXT, 7), 7);
	ck_assert_int_eq(mvfs_write(fs, fd, TEXT, 7), 3);
	fails(mvfs_write(fs, fd, TEXT, 7), EIO);
	counts(id, 3, 1);
}
END_TEST

START_TEST(test_chance_is_the_same_for_the_same_seed)
{
	int fired[2] = { 0, 0 }, run, i;
	uint64_t bits[2] = { 0, 0 };
	struct mvfs_stat st;

	for (run = 0; run < 2; run++) {
		/* the number of a rule is part of what it is hashed with */
		stop();
		start();
		rule("stat path=/f p=0.25 seed=42 errno=EIO");
		for (i = 0; i < 1000; i++)
			if (mvfs_stat(fs, "/f", &st)) {
				fired[run]++;
				bits[run] = bits[run] * 31 + (unsigned)i;
			}
	}
	ck_assert_uint_eq(bits[0], bits[1]);
	ck_assert_int_gt(fired[0], 150);
	ck_assert_int_lt(fired[0], 350);
	only("stat path=/f p=0 errno=EIO");
	ok(mvfs_stat(fs, "/f", &st));
	only("stat path=/f p=1 errno=EIO");
	fails(mvfs_stat(fs, "/f", &st), EIO);
}
END_TEST

START_TEST(test_short_cuts_reads_writes_and_strings)
{
	char to[LENGTH];
	struct mvfs_iovec iov[2] = { { to, 2 }, { to + 2, 14 } };
	struct mvfs_string s;
	struct mvfs_error e;

	only("read,write path=/f short=5");
	ck_assert_int_eq(mvfs_read(fs, fd, to, LENGTH), 5);
	ck_assert_int_eq(mvfs_lseek(fs, fd, 0, SEEK_CUR), 5);
	ck_assert_int_eq(mvfs_pread(fs, fd, to, LENGTH, 1), 5);
	ck_assert_int_eq(mvfs_preadv(fs, fd, iov, 2, 0), 5);
	ck_assert_mem_eq(to, TEXT, 5);
	ck_assert_int_eq(mvfs_pwritev(fs, fd, iov, 2, 0), 5);
	ok(mvfs_read_string(fs, "/f", NULL, 0, &s, &e));
	ck_assert_uint_eq(s.len, 5);
	ck_assert_str_eq(mvfs_string_cstr(&s), "01234");
	mvfs_string_release(&s);
	ok(mvfs_fault_clear(fs));
	holds("/f", TEXT, LENGTH);
}
END_TEST

START_TEST(test_flip_damages_what_is_read_and_nothing_else)
{
	char to[LENGTH];
	struct mvfs_string s, before;
	struct mvfs_error e;

	ok(mvfs_read_string(fs, "/f", NULL, 0, &before, &e));
	only("read path=/f flip=3");
	ck_assert_int_eq(mvfs_pread(fs, fd, to, LENGTH, 0), LENGTH);
	ck_assert_int_eq(flipped(to), 3);
	ok(mvfs_read_file(fs, "/f", &s));
	ck_assert_int_eq(flipped(s.data), 3);
	mvfs_string_release(&s);
	only("read path=/f flip=1G");
	ck_assert_int_eq(mvfs_pread(fs, fd, to, LENGTH, 0), LENGTH);
	ck_assert_int_eq(flipped(to), 8 * LENGTH);
	ok(mvfs_fault_clear(fs));
	ck_assert_mem_eq(before.data, TEXT, LENGTH);
	mvfs_string_release(&before);
	holds("/f", TEXT, LENGTH);
}
END_TEST

START_TEST(test_torn_writes_keep_half_of_the_sectors)
{
	static char big[8192], half[8192];
	struct mvfs_string s;
	struct mvfs_error e;

	memset(big, 'x', sizeof(big));
	memset(half, 0, sizeof(half));
	memset(half, 'x', 4096);
	only("write path=** torn=512");
	ok(mvfs_write_file(fs, "/new", big, sizeof(big)));
	holds("/new", half, sizeof(half));
	ok(mvfs_string_copy(big, sizeof(big), &s));
	ok(mvfs_append_string(fs, "/appended", &s, NULL, &e));
	holds("/appended", half, sizeof(half));
	ok(mvfs_append_string(fs, "/d/empty", &(struct mvfs_string){ 0 },
			      NULL, &e));
	ok(mvfs_append_string(fs, "/d/empty", &s, NULL, &e));
	holds("/d/empty", half, sizeof(half));
	mvfs_string_release(&s);
	ck_assert_int_eq(mvfs_pwrite(fs, fd, big, sizeof(big), 0), 8192);
	holds("/f", half, sizeof(half));
	/* one sector alone never arrives */
	ck_assert_int_eq(mvfs_pwrite(fs, fd, "yyyy", 4, 8), 4);
	holds("/f", half, sizeof(half));
}
END_TEST

START_TEST(test_space_and_inodes_run_out_and_count_what_was_done)
{
	struct mvfs_stat st;
	uint64_t id = only("write,fallocate path=** space=10");

	ck_assert_int_eq(mvfs_write(fs, fd, TEXT, 6), 6);
	fails(mvfs_write_file(fs, "/new", TEXT, 5), ENOSPC);
	fails(mvfs_fallocate(fs, fd, 0, 0, 5), ENOSPC);
	ck_assert_int_eq(mvfs_write(fs, fd, TEXT, 6), 4);
	fails(mvfs_write(fs, fd, TEXT, 1), ENOSPC);
	counts(id, 5, 4);
	fails(mvfs_stat(fs, "/new", &st), ENOENT);
	id = only("open,names,write_file path=** inodes=2");
	ok(mvfs_mkdir(fs, "/d/a", 0755));
	fails(mvfs_mkdir(fs, "/d/a", 0755), EEXIST);
	fails(mvfs_mkdir(fs, "/no/dir", 0755), ENOENT); /* given back */
	ok(mvfs_close(fs, (int)ok(mvfs_open(fs, "/f", O_CREAT | O_RDWR, 0))));
	ok(mvfs_write_file(fs, "/d/b", "", 0));
	fails(mvfs_open(fs, "/d/c", O_CREAT | O_RDWR, 0600), ENOSPC);
	ok(mvfs_write_file(fs, "/d/b", "x", 1));
	fails(mvfs_symlink(fs, "/f", "/d/d"), ENOSPC);
	(void)id;
}
END_TEST

START_TEST(test_delay_waits_before_the_call)
{
	struct timespec a, b;
	int64_t ns;

	only("fsync path=/f delay=20ms");
	clock_gettime(CLOCK_MONOTONIC, &a);
	ok(mvfs_fsync(fs, fd));
	clock_gettime(CLOCK_MONOTONIC, &b);
	ns = (b.tv_sec - a.tv_sec) * INT64_C(1000000000) + b.tv_nsec -
	     a.tv_nsec;
	ck_assert_int_ge(ns, 20000000);
}
END_TEST

START_TEST(test_rules_add_up_to_the_first_that_fails)
{
	char to[LENGTH];
	uint64_t one = only("read path=/f short=9");
	uint64_t two = rule("read path=/f short=4");
	uint64_t three = rule("read path=/f nth=2 errno=EIO");
	uint64_t four = rule("read path=/f short=1");

	ck_assert_int_eq(mvfs_pread(fs, fd, to, LENGTH, 0), 1);
	fails(mvfs_pread(fs, fd, to, LENGTH, 0), EIO);
	counts(one, 2, 2);
	counts(two, 2, 2);
	counts(three, 2, 1);
	counts(four, 1, 1);
}
END_TEST

START_TEST(test_where_an_adapter_caches_there_are_no_rules_and_no_log)
{
	struct mvfs_error error = { 0 };
	mvfs *view, *other;
	uint64_t id;

	ok(mvfs_log_stop(fs));
	ok(mvfs_sys_attach(fs, MVFS_SYS_CACHES, &view));
	fails(mvfs_fault_add(fs, "read path=/f errno=EIO", &id, &error),
	      EBUSY);
	ck_assert_int_eq(error.code, -EBUSY);
	fails(mvfs_fault_add(fs, "read", &id, &error), EINVAL);
	fails(mvfs_log_start(fs, 0), EBUSY);
	ok(mvfs_destroy(view));
	ok(mvfs_log_start(fs, 0));
	fails(mvfs_sys_attach(fs, MVFS_SYS_CACHES, &view), EBUSY);
	ok(mvfs_sys_attach(fs, 0, &view));
	ok(mvfs_log_stop(fs));
	ok(mvfs_fault_add(fs, "read path=/f errno=EIO", &id, NULL));
	fails(mvfs_sys_attach(fs, MVFS_SYS_CACHES, &other), EBUSY);
	ok(mvfs_fault_remove(fs, id));
	ok(mvfs_sys_attach(fs, MVFS_SYS_CACHES, &other));
	ok(mvfs_destroy(other));
	ok(mvfs_destroy(view));
	fails(mvfs_sys_attach(fs, 8, &view), EINVAL);
}
END_TEST

START_TEST(test_adapters_meet_the_same_faults)
{
	const struct mvfs_actor actor = { .uid = 5, .gid = 5, .umask = 022 };
	struct mvfs_extent extents[4];
	struct mvfs_file *file;
	struct mvfs_stat st;
	char to[LENGTH];
	mvfs *view;

	ok(mvfs_sys_attach(fs, 0, &view));
	ok(mvfs_sys_lookup(view, NULL, mvfs_sys_root(view), "f", 1, &st));
	ok(mvfs_sys_open(view, NULL, st.ino, O_RDWR, &file));
	only("read path=/f short=3");
	ck_assert_int_eq(mvfs_sys_read(view, file, to, LENGTH, 0), 3);
	ck_assert_int_eq(mvfs_sys_extents(view, file, 0, LENGTH, extents, 4),
			 1);
	ck_assert_uint_eq(extents[0].len, 3);
	mvfs_sys_extents_release(extents, 1);
	only("read path=/f flip=2");
	ck_assert_int_eq(mvfs_sys_extents(view, file, 0, LENGTH, extents, 4),
			 1);
	ck_assert_int_eq(flipped(extents[0].base), 2);
	mvfs_sys_extents_release(extents, 1);
	only("mkdir path=/d/sub uid=5 errno=EDQUOT");
	ok(mvfs_sys_lookup(view, NULL, mvfs_sys_root(view), "d", 1, &st));
	fails(mvfs_sys_mkdir(view, &actor, st.ino, "sub", 0755, 0, NULL),
	      EDQUOT);
	ok(mvfs_fault_clear(fs));
	ok(mvfs_sys_close(view, file));
	ok(mvfs_destroy(view));
}
END_TEST

static int note(void *ctx, const struct mvfs_fault *fault)
{
	char *text = ctx;

	sprintf(text + strlen(text), "%s (%llu/%llu);", fault->text,
		(unsigned long long)fault->matched,
		(unsigned long long)fault->fired);
	return 0;
}

START_TEST(test_rules_are_listed_in_order_and_removed_by_number)
{
	char text[256] = "";
	uint64_t a = only("open path=/a errno=EIO"), b;

	b = rule("open path=/b errno=EIO");
	ck_assert_uint_ne(a, b);
	fails(mvfs_open(fs, "/b", O_RDONLY, 0), EIO);
	ok(mvfs_fault_list(fs, note, text));
	ck_assert_str_eq(text, "open path=/a errno=EIO (0/0);"
			 "open path=/b errno=EIO (1/1);");
	ok(mvfs_fault_remove(fs, b));
	fails(mvfs_fault_remove(fs, b), ENOENT);
	fails(mvfs_fault_count(fs, b, NULL, NULL), ENOENT);
	fails(mvfs_open(fs, "/b", O_RDONLY, 0), ENOENT);
	ok(mvfs_fault_remove(fs, a));
	ck_assert_uint_gt(rule("open path=/c errno=EIO"), b);
}
END_TEST

START_TEST(test_bad_arguments_are_refused)
{
	struct mvfs_error e;

	fails(mvfs_fault_add(NULL, "", NULL, &e), EINVAL);
	fails(mvfs_fault_add(fs, NULL, NULL, &e), EFAULT);
	fails(mvfs_fault_list(fs, NULL, NULL), EFAULT);
	fails(mvfs_fault_list(NULL, note, NULL), EINVAL);
	fails(mvfs_fault_clear(NULL), EINVAL);
	fails(mvfs_fault_remove(NULL, 1), EINVAL);
	fails(mvfs_fault_count(NULL, 1, NULL, NULL), EINVAL);
	ck_assert_int_eq(mvfs_errno_number("ENOSPC"), ENOSPC);
	ck_assert_int_eq(mvfs_errno_number("EWOULDBLOCK"), EWOULDBLOCK);
	ck_assert_int_eq(mvfs_errno_number("ENOSUCH"), 0);
	ck_assert_int_eq(mvfs_errno_number(NULL), 0);
}
END_TEST

/* A call as an example of the page has it: made, not yet compared. */
static void make_call(const char *line)
{
	static const char marks[LENGTH + 1] = "################";
	char op[16], path[32], path2[32], to[64];
	const char *bytes = strstr(line, "bytes=");
	size_t len = bytes ? strtoul(bytes + 6, NULL, 10) : 0;

	ck_assert_int_ge(sscanf(line, "%15s %31s %31s", op, path, path2), 3);
	if (!strcmp(op, "read"))
		(void)mvfs_pread(fs, fd, to, len, 0);
	else if (!strcmp(op, "write"))
		(void)mvfs_pwrite(fs, fd, marks, len, 0);
	else if (!strcmp(op, "fsync"))
		(void)mvfs_fsync(fs, fd);
	else if (!strcmp(op, "rename"))
		(void)mvfs_rename(fs, path, path2);
	else if (!strcmp(op, "mkdir"))
		(void)mvfs_mkdir(fs, path, 0755);
	else
		ck_abort_msg("the page has \"%s\"", line);
}

/* The lines of an example, after the rule in the first one. */
static void run_example(FILE *page)
{
	char line[256], calls[1024] = "exact\n", content[64];
	struct mvfs_error e;

	stop();
	start();
	ok(mvfs_rmdir(fs, "/d"));
	ok(mvfs_log_start(fs, 0));
	ck_assert_ptr_nonnull(fgets(line, sizeof(line), page));
	rule(line);
	while (fgets(line, sizeof(line), page) && *line != '.') {
		if (sscanf(line, " holds /f \"%63[^\"]", content) == 1) {
			ck_assert_int_eq(mvfs_expect_log(fs, calls, &e), 0);
			if (strlen(content) == LENGTH)
				ok(mvfs_fault_clear(fs));
			holds("/f", content, strlen(content));
			continue;
		}
		make_call(line);
		strcat(calls, line);
		ck_assert_msg(mvfs_log_stop(fs) == 0 &&
			      mvfs_expect_log(fs, calls, &e) == 0, "%s: %s",
			      line, e.message);
		ok(mvfs_log_start(fs, 0));
		strcpy(calls, "exact\n");
	}
}

START_TEST(test_the_examples_of_the_page_are_so)
{
	const char *source = getenv("MVFS_SRCDIR");
	char name[4096], line[256];
	unsigned examples = 0;
	FILE *page;

	snprintf(name, sizeof(name), "%s/docs/memvfs-fault.7",
		 source ? source : ".");
	page = fopen(name, "r");
	ck_assert_ptr_nonnull(page);
	while (fgets(line, sizeof(line), page))
		if (!strcmp(line, ".EX\n")) {
			run_example(page);
			examples++;
		}
	fclose(page);
	ck_assert_uint_eq(examples, 8); /* one for each effect */
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fault");
	TCase *t = tcase_create("fault");

	tcase_add_checked_fixture(t, start, stop);
	tcase_add_test(t,
		test_each_call_that_can_fail_fails_as_the_rule_says);
	tcase_add_test(t, test_a_close_that_fails_closes);
	tcase_add_test(t, test_calls_on_the_instance_never_fail_by_a_rule);
	tcase_add_test(t, test_a_file_is_matched_by_any_of_its_names);
	tcase_add_test(t, test_paths_are_matched_as_resolved);
	tcase_add_test(t, test_uid_nth_every_and_after_choose_among_calls);
	tcase_add_test(t, test_chance_is_the_same_for_the_same_seed);
	tcase_add_test(t, test_short_cuts_reads_writes_and_strings);
	tcase_add_test(t, test_flip_damages_what_is_read_and_nothing_else);
	tcase_add_test(t, test_torn_writes_keep_half_of_the_sectors);
	tcase_add_test(t,
		test_space_and_inodes_run_out_and_count_what_was_done);
	tcase_add_test(t, test_delay_waits_before_the_call);
	tcase_add_test(t, test_rules_add_up_to_the_first_that_fails);
	tcase_add_test(t, test_adapters_meet_the_same_faults);
	tcase_add_test(t,
		test_where_an_adapter_caches_there_are_no_rules_and_no_log);
	tcase_add_test(t,
		test_rules_are_listed_in_order_and_removed_by_number);
	tcase_add_test(t, test_bad_arguments_are_refused);
	tcase_add_test(t, test_the_examples_of_the_page_are_so);
	suite_add_tcase(suite, t);
	return run_suite(suite);
}
