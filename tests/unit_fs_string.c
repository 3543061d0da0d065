/* SPDX-License-Identifier: MIT */
/*
 * Whole files as strings, from one end to the other: what is shared with the
 * file and what is copied, by count; that a string outlives all that happens
 * to its file; and that a call that fails has changed nothing.
 */
#include "config.h"

#include <memvfs/memvfs.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "vfs/mem/mem.h"

#define CHINESE "\xe4\xbd\xa0\xe5\xa5\xbd"
#define GBK_CHINESE "\xc4\xe3\xba\xc3"
#define LARGE 300000

static mvfs *fs;
static struct mvfs_string string;
static struct mvfs_error error;
static char large[LARGE];

static void start(void)
{
	size_t i;

	ck_assert_int_eq(mvfs_create(NULL, &fs), 0);
	for (i = 0; i < LARGE; i++)
		large[i] = (char)('a' + i % 26);
	string = (struct mvfs_string){ 0 };
}

static void end(void)
{
	mvfs_string_release(&string);
	ck_assert_int_eq(mvfs_destroy(fs), 0);
}

static const struct mvfs_charset *gbk(void)
{
	return mvfs_charset("GBK");
}

static void put(const char *path, const void *bytes, size_t length)
{
	ck_assert_int_eq(mvfs_write_file(fs, path, bytes, length), 0);
}

static void put_at(const char *path, const void *bytes, size_t length,
		   int64_t offset)
{
	int fd = mvfs_open(fs, path, O_RDWR | O_CREAT, 0644);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(mvfs_pwrite(fs, fd, bytes, length, offset),
			 (int64_t)length);
	ck_assert_int_eq(mvfs_close(fs, fd), 0);
}

static int get(const char *path)
{
	mvfs_string_release(&string);
	return mvfs_read_string(fs, path, NULL, 0, &string, &error);
}

static void ck_string(const void *bytes, size_t length)
{
	ck_assert_uint_eq(string.len, length);
	ck_assert(memcmp(string.data, bytes, length) == 0);
}

static uint64_t copies(void)
{
	return mvfs__mem_thread.copies;
}

START_TEST(test_reading_again_allocates_copies_and_looks_at_nothing)
{
	static const char *const texts[] = { "plain", CHINESE };
	struct mvfs__mem_thread before;
	const char *data;
	size_t i;

	for (i = 0; i < 2; i++) {
		put("/f", texts[i], strlen(texts[i]));
		ck_assert_int_eq(get("/f"), 0);
		data = string.data;
		before = mvfs__mem_thread;
		ck_assert_int_eq(get("/f"), 0);
		ck_string(texts[i], strlen(texts[i]));
		ck_assert_ptr_eq(string.data, data);
		ck_assert_uint_eq(mvfs__mem_thread.allocations,
				  before.allocations);
		ck_assert_uint_eq(copies(), before.copies);
		ck_assert_uint_eq(mvfs__mem_thread.classified_bytes,
				  before.classified_bytes);
		ck_assert_uint_eq(mvfs__mem_thread.shares, before.shares + 1);
		ck_assert(string.flags & MVFS_STRING_SHARED);
		ck_assert(string.flags & MVFS_STRING_TERMINATED);
	}
}
END_TEST

START_TEST(test_reading_a_large_file_copies_nothing)
{
	uint64_t before;

	put("/f", large, LARGE);
	before = copies();
	ck_assert_int_eq(get("/f"), 0);
	ck_string(large, LARGE);
	ck_assert_uint_eq(copies(), before);
	ck_assert_uint_eq(string.flags, MVFS_STRING_SHARED |
			  MVFS_STRING_TERMINATED | MVFS_STRING_ASCII);
}
END_TEST

START_TEST(test_a_string_stays_whatever_happens_to_its_file)
{
	int fd;

	put("/f", large, LARGE);
	ck_assert_int_eq(get("/f"), 0);
	fd = mvfs_open(fs, "/f", O_RDWR | O_APPEND, 0);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(mvfs_write(fs, fd, "appended", 8), 8);
	ck_string(large, LARGE);
	ck_assert_int_eq(string.data[LARGE], 0);
	ck_assert_int_eq(mvfs_close(fs, fd), 0);
	put_at("/f", "overwritten", 11, 5000);
	ck_string(large, LARGE);
	ck_assert_int_eq(mvfs_truncate(fs, "/f", 10), 0);
	ck_string(large, LARGE);
	put("/f", "replaced", 8);
	ck_string(large, LARGE);
	ck_assert_int_eq(mvfs_unlink(fs, "/f"), 0);
	ck_string(large, LARGE);
	ck_assert_int_eq(mvfs_destroy(fs), 0);
	ck_string(large, LARGE);
	ck_assert_uint_eq(strlen(mvfs_string_cstr(&string)), LARGE);
	fs = NULL;
}
END_TEST

START_TEST(test_appending_is_in_place_once_no_string_holds_the_bytes)
{
	const char *data;
	uint64_t before;

	put_at("/f", "0123456789", 10, 0);
	put_at("/f", "more", 4, 10);
	ck_assert_int_eq(get("/f"), 0);
	data = string.data;
	mvfs_string_release(&string);
	before = mvfs__mem_thread.classified_bytes;
	put_at("/f", "!", 1, 14);
	ck_assert_int_eq(get("/f"), 0);
	ck_string("0123456789more!", 15);
	ck_assert_ptr_eq(string.data, data);
	/* and only what is new is looked at */
	ck_assert_uint_eq(mvfs__mem_thread.classified_bytes, before + 1);
}
END_TEST

/* Written back to front: as many runs as pieces. */
static void put_in_pieces(const char *path)
{
	int64_t at;

	for (at = 3; at >= 0; at--)
		put_at(path, large + 70000 * at, 70000, 70000 * at);
}

START_TEST(test_several_runs_are_gathered_once)
{
	uint64_t before;

	/* each begins at a block of its own, and is too long to be merged */
	put_at("/f", large + 204800, LARGE - 204800, 204800);
	put_at("/f", large + 102400, 102400, 102400);
	put_at("/f", large, 102400, 0);
	ck_assert_int_eq(get("/f"), 0);
	ck_string(large, LARGE);
	before = copies();
	ck_assert_int_eq(get("/f"), 0);
	ck_string(large, LARGE);
	ck_assert(string.flags & MVFS_STRING_SHARED);
	ck_assert_uint_eq(copies(), before);

	put_in_pieces("/g");
	ck_assert_int_eq(get("/g"), 0);
	ck_string(large, 280000);
}
END_TEST

START_TEST(test_a_file_with_a_hole_keeps_it)
{
	struct mvfs_stat st;
	char *want = calloc(1, 100001);

	want[100000] = 'x';
	put_at("/f", "x", 1, 100000);
	ck_assert_int_eq(get("/f"), 0);
	ck_string(want, 100001);
	ck_assert(!(string.flags & MVFS_STRING_SHARED));
	ck_assert_int_eq(string.data[100001], 0);
	ck_assert_int_eq(mvfs_stat(fs, "/f", &st), 0);
	ck_assert_uint_eq(st.blocks, 8);
	free(want);
}
END_TEST

START_TEST(test_huge_sparse_files_are_refused_for_memory)
{
	int fd = mvfs_open(fs, "/f", O_RDWR | O_CREAT, 0644);

	ck_assert_int_eq(mvfs_ftruncate(fs, fd, INT64_C(1) << 62), 0);
	ck_assert_int_eq(mvfs_close(fs, fd), 0);
	ck_assert_int_eq(get("/f"), -ENOMEM);
	ck_assert_int_eq(error.code, -ENOMEM);
	ck_assert_ptr_nonnull(strstr(error.message, "/f"));
	ck_assert_int_eq(mvfs_read_file(fs, "/f", &string), -ENOMEM);
}
END_TEST

START_TEST(test_a_clone_shares_its_bytes_too)
{
	struct mvfs_string other;
	mvfs *clone;

	put("/f", large, LARGE);
	ck_assert_int_eq(mvfs_clone(fs, &clone), 0);
	ck_assert_int_eq(get("/f"), 0);
	ck_assert_int_eq(mvfs_read_string(clone, "/f", NULL, 0, &other, NULL),
			 0);
	ck_assert_ptr_eq(other.data, string.data);
	put("/f", "else", 4);
	ck_assert_int_eq(mvfs_destroy(clone), 0);
	ck_assert(memcmp(other.data, large, LARGE) == 0);
	mvfs_string_release(&other);
}
END_TEST

START_TEST(test_writing_a_string_shares_its_bytes)
{
	uint64_t before;

	put("/f", large, LARGE);
	ck_assert_int_eq(get("/f"), 0);
	before = copies();
	ck_assert_int_eq(mvfs_write_string(fs, "/g", &string, gbk(), NULL), 0);
	ck_assert_int_eq(mvfs_write_string(fs, "/f", &string, NULL, NULL), 0);
	ck_assert_uint_eq(copies(), before);
	put_at("/g", "changed", 7, 0);
	ck_string(large, LARGE);
	ck_assert_int_eq(get("/f"), 0);
	ck_string(large, LARGE);
	ck_assert_int_eq(get("/g"), 0);
	ck_assert(memcmp(string.data, "changedhij", 10) == 0);
	ck_assert_uint_eq(string.len, LARGE);
}
END_TEST

START_TEST(test_a_slice_is_written_as_itself)
{
	struct mvfs_string slice;

	put("/f", large, LARGE);
	ck_assert_int_eq(get("/f"), 0);
	slice = mvfs_string_slice(&string, 4321, 50000);
	ck_assert_int_eq(mvfs_write_string(fs, "/g", &slice, NULL, NULL), 0);
	mvfs_string_release(&slice);
	ck_assert_int_eq(get("/g"), 0);
	ck_string(large + 4321, 50000);
	put_at("/g", "tail", 4, 50000);
	ck_assert_int_eq(get("/g"), 0);
	ck_assert_uint_eq(string.len, 50004);
	ck_assert_mem_eq(string.data + 49990, large + 54311, 10);
	ck_assert_mem_eq(string.data + 50000, "tail", 4);
}
END_TEST

START_TEST(test_text_goes_through_a_charset_both_ways)
{
	struct mvfs_string s = { .data = "<" CHINESE ">", .len = 8 };

	ck_assert_int_eq(mvfs_write_string(fs, "/f", &s, gbk(), &error), 0);
	ck_assert_int_eq(mvfs_read_file(fs, "/f", &string), 0);
	ck_string("<" GBK_CHINESE ">", 6);
	mvfs_string_release(&string);
	ck_assert_int_eq(mvfs_read_string(fs, "/f", gbk(), 0, &string, &error),
			 0);
	ck_string("<" CHINESE ">", 8);
	ck_assert(!(string.flags & MVFS_STRING_SHARED));
	mvfs_string_release(&string);
	/* by a descriptor, whose offset stays */
	{
		int fd = mvfs_open(fs, "/f", O_RDONLY, 0);

		ck_assert_int_eq(mvfs_lseek(fs, fd, 3, SEEK_SET), 3);
		ck_assert_int_eq(mvfs_fread_string(fs, fd, gbk(), 0, &string,
						   &error), 0);
		ck_string("<" CHINESE ">", 8);
		ck_assert_int_eq(mvfs_lseek(fs, fd, 0, SEEK_CUR), 3);
		ck_assert_int_eq(mvfs_close(fs, fd), 0);
	}
}
END_TEST

START_TEST(test_malformed_text_is_told_with_its_file_and_place)
{
	put("/f", "ab\xff", 3);
	ck_assert_int_eq(get("/f"), -EILSEQ);
	ck_assert_uint_eq(error.offset, 2);
	ck_assert_uint_eq(error.length, 1);
	ck_assert_str_eq(error.message, "/f: malformed UTF-8 at byte 2: FF; "
			 "MVFS_REPLACE puts U+FFFD there");
	ck_assert_int_eq(mvfs_read_string(fs, "/f", NULL, MVFS_REPLACE,
					  &string, NULL), 0);
	ck_string("ab\xef\xbf\xbd", 5);
}
END_TEST

START_TEST(test_what_cannot_be_encoded_leaves_the_file_as_it_was)
{
	struct mvfs_string s = { .data = "\xf0\x9f\x98\x80", .len = 4 };
	struct mvfs_stat st, after;

	put("/f", "before", 6);
	ck_assert_int_eq(mvfs_stat(fs, "/f", &st), 0);
	ck_assert_int_eq(mvfs_write_string(fs, "/f", &s, gbk(), &error),
			 -EILSEQ);
	ck_assert_str_eq(error.message,
			 "/f: unmappable at byte 0: GBK has no U+1F600");
	ck_assert_int_eq(mvfs_stat(fs, "/f", &after), 0);
	ck_assert_mem_eq(&st, &after, sizeof(st));
	ck_assert_int_eq(mvfs_write_string(fs, "/new", &s, gbk(), NULL),
			 -EILSEQ);
	ck_assert_int_eq(mvfs_stat(fs, "/new", &st), -ENOENT);
}
END_TEST

START_TEST(test_writing_keeps_the_inode_and_heeds_the_umask)
{
	struct mvfs_string s = { .data = "text", .len = 4 };
	struct mvfs_stat st, after;

	mvfs_umask(fs, 027);
	ck_assert_int_eq(mvfs_write_string(fs, "/f", &s, NULL, NULL), 0);
	ck_assert_int_eq(mvfs_stat(fs, "/f", &st), 0);
	ck_assert_uint_eq(st.mode, S_IFREG | 0640);
	ck_assert_uint_eq(st.size, 4);
	ck_assert_int_eq(mvfs_chmod(fs, "/f", 0600), 0);
	put("/f", "", 0);
	ck_assert_int_eq(mvfs_stat(fs, "/f", &after), 0);
	ck_assert_uint_eq(after.ino, st.ino);
	ck_assert_uint_eq(after.mode, S_IFREG | 0600);
	ck_assert_uint_eq(after.size, 0);
	ck_assert_uint_eq(after.blocks, 0);
	ck_assert_int_eq(get("/f"), 0);
	ck_string("", 0);
}
END_TEST

START_TEST(test_limits_hold_for_whole_files)
{
	struct mvfs_stat st;

	ck_assert_int_eq(mvfs_set_limits(fs, 8192, 0), 0);
	put("/f", large, 8192);
	ck_assert_int_eq(mvfs_write_file(fs, "/g", "x", 1), -ENOSPC);
	ck_assert_int_eq(mvfs_stat(fs, "/g", &st), -ENOENT);
	ck_assert_int_eq(mvfs_write_file(fs, "/f", large, 8193), -ENOSPC);
	ck_assert_int_eq(get("/f"), 0);
	ck_string(large, 8192);
	put("/f", "x", 1);
	put("/g", "y", 1);
}
END_TEST

START_TEST(test_what_cannot_be_read_is_told)
{
	const struct mvfs_view_options other = {
		.size = sizeof(other), .set = MVFS_VIEW_CRED, .uid = 1000,
		.gid = 1000
	};
	mvfs *view;
	int fd;

	ck_assert_int_eq(get("/missing"), -ENOENT);
	ck_assert_int_eq(error.code, -ENOENT);
	ck_assert_str_eq(error.message, "/missing: cannot read: ENOENT");
	ck_assert_int_eq(get("/"), -EISDIR);
	ck_assert_int_eq(mvfs_mknod(fs, "/fifo", S_IFIFO | 0600, 0), 0);
	ck_assert_int_eq(get("/fifo"), -ENXIO);
	ck_assert_int_eq(mvfs_write_file(fs, "/fifo", "x", 1), -ENXIO);
	ck_assert_int_eq(mvfs_write_file(fs, "/", "x", 1), -EISDIR);
	ck_assert_int_eq(mvfs_write_file(fs, "/no/f", "x", 1), -ENOENT);
	put("/f", "secret", 6);
	ck_assert_int_eq(mvfs_chmod(fs, "/f", 0600), 0);
	ck_assert_int_eq(mvfs_view(fs, &other, &view), 0);
	ck_assert_int_eq(mvfs_read_string(view, "/f", NULL, 0, &string, NULL),
			 -EACCES);
	ck_assert_int_eq(mvfs_write_file(view, "/f", "x", 1), -EACCES);
	ck_assert_int_eq(mvfs_destroy(view), 0);
	fd = mvfs_open(fs, "/f", O_WRONLY, 0);
	ck_assert_int_eq(mvfs_fread_string(fs, fd, NULL, 0, &string, NULL),
			 -EBADF);
	ck_assert_int_eq(mvfs_close(fs, fd), 0);
	ck_assert_int_eq(mvfs_fread_string(fs, fd, NULL, 0, &string, NULL),
			 -EBADF);
}
END_TEST

START_TEST(test_wrong_arguments_are_refused_and_told)
{
	struct mvfs_string s = { .data = NULL, .len = 1 };

	ck_assert_int_eq(mvfs_read_string(NULL, "/f", NULL, 0, &string,
					  &error), -EINVAL);
	ck_assert_int_eq(error.code, -EINVAL);
	ck_assert_str_eq(error.message, "no file system");
	ck_assert_int_eq(mvfs_read_string(fs, NULL, NULL, 0, &string, &error),
			 -EFAULT);
	ck_assert_str_eq(error.message, "no path");
	ck_assert_int_eq(mvfs_read_string(fs, "/f", NULL, 0, NULL, &error),
			 -EFAULT);
	ck_assert_int_eq(mvfs_read_string(fs, "/f", NULL, 4, &string, &error),
			 -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.message, "0x4"));
	ck_assert_int_eq(mvfs_fread_string(fs, 0, NULL, 0, NULL, &error),
			 -EFAULT);
	ck_assert_int_eq(mvfs_write_string(fs, "/f", NULL, NULL, &error),
			 -EFAULT);
	ck_assert_int_eq(mvfs_write_string(fs, "/f", &s, NULL, &error),
			 -EFAULT);
	ck_assert_int_eq(mvfs_read_file(fs, "/f", NULL), -EFAULT);
	ck_assert_int_eq(mvfs_write_file(fs, "/f", NULL, 1), -EFAULT);
}
END_TEST

/* Reading and writing in all ways; 0 or the first error. */
static int all_calls(void)
{
	struct mvfs_string s = { .data = CHINESE, .len = 6 };
	int ret;

	mvfs_string_release(&string);
	ret = mvfs_write_string(fs, "/new", &s, gbk(), &error);
	if (!ret)
		ret = mvfs_write_file(fs, "/f", large, 5000);
	if (!ret)
		ret = mvfs_read_string(fs, "/gbk", gbk(), 0, &string, &error);
	mvfs_string_release(&string);
	if (!ret)
		ret = mvfs_read_string(fs, "/runs", NULL, 0, &string, &error);
	mvfs_string_release(&string);
	if (!ret)
		ret = mvfs_read_file(fs, "/hole", &string);
	mvfs_string_release(&string);
	return ret;
}

START_TEST(test_every_allocation_can_fail)
{
	static char before[7000];
	mvfs *first;
	uint64_t n;
	int ret;

	memset(before, 'o', sizeof(before));
	put("/f", before, sizeof(before));
	put("/gbk", GBK_CHINESE, 4);
	put_in_pieces("/runs");
	put_at("/hole", "x", 1, 100000);
	for (n = 1;; n++) {
		/* as it was, and nothing in it its own */
		ck_assert_int_eq(mvfs_clone(fs, &first), 0);
		mvfs__mem_fail_at(n);
		ret = all_calls();
		mvfs__mem_fail_at(0);
		if (!ret)
			break;
		ck_assert_int_eq(ret, -ENOMEM);
		ck_assert_int_eq(get("/f"), 0);
		if (string.len == 5000)
			ck_string(large, 5000);
		else
			ck_string(before, sizeof(before));
		mvfs_string_release(&string);
		ret = mvfs_read_string(fs, "/new", gbk(), 0, &string, NULL);
		ck_assert(ret == -ENOENT || string.len == 6);
		mvfs_string_release(&string);
		ck_assert_int_eq(mvfs_destroy(fs), 0);
		fs = first;
	}
	ck_assert_uint_ge(n, 8);
	ck_assert_int_eq(mvfs_destroy(first), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fs: strings");
	TCase *tests = tcase_create("whole.h");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tests, start, end);
	tcase_add_test(tests,
		test_reading_again_allocates_copies_and_looks_at_nothing);
	tcase_add_test(tests, test_reading_a_large_file_copies_nothing);
	tcase_add_test(tests, test_a_string_stays_whatever_happens_to_its_file);
	tcase_add_test(tests,
		test_appending_is_in_place_once_no_string_holds_the_bytes);
	tcase_add_test(tests, test_several_runs_are_gathered_once);
	tcase_add_test(tests, test_a_file_with_a_hole_keeps_it);
	tcase_add_test(tests, test_huge_sparse_files_are_refused_for_memory);
	tcase_add_test(tests, test_a_clone_shares_its_bytes_too);
	tcase_add_test(tests, test_writing_a_string_shares_its_bytes);
	tcase_add_test(tests, test_a_slice_is_written_as_itself);
	tcase_add_test(tests, test_text_goes_through_a_charset_both_ways);
	tcase_add_test(tests,
		       test_malformed_text_is_told_with_its_file_and_place);
	tcase_add_test(tests,
		test_what_cannot_be_encoded_leaves_the_file_as_it_was);
	tcase_add_test(tests,
		       test_writing_keeps_the_inode_and_heeds_the_umask);
	tcase_add_test(tests, test_limits_hold_for_whole_files);
	tcase_add_test(tests, test_what_cannot_be_read_is_told);
	tcase_add_test(tests, test_wrong_arguments_are_refused_and_told);
	tcase_add_test(tests, test_every_allocation_can_fail);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
