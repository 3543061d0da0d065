/* SPDX-License-Identifier: MIT */
/*
 * Whole files written from strings and from the caller's memory, strings
 * appended, lines read: what is shared and what is copied, by count, and when
 * adopted memory is given back.
 */
#include "config.h"

#include <pthread.h>
#include <sys/stat.h>

#include "tests/core.h"

#define CHINESE "\xe4\xbd\xa0\xe5\xa5\xbd"
#define GBK_CHINESE "\xc4\xe3\xba\xc3"
#define ALL UINT64_MAX

enum { LARGE = 300000 };

static struct mvfs_string string;
static struct mvfs_error error;
static struct mvfs_stats before;
static char large[LARGE];

static void start(void)
{
	size_t i;

	core_start();
	for (i = 0; i < LARGE; i++)
		large[i] = (char)('a' + i % 26);
	string = (struct mvfs_string){ 0 };
}

static void end(void)
{
	mvfs_string_release(&string);
	core_end();
}

static struct mvfs_stats counts(void)
{
	struct mvfs_stats stats = { .size = sizeof(stats) };

	ok(mvfs_stats(MVFS_STATS_THREAD, &stats));
	return stats;
}

static void count_from_here(void)
{
	before = counts();
}

/* Since then. */
static void ck_counts(uint64_t copied, uint64_t classified, uint64_t shares)
{
	struct mvfs_stats now = counts();

	ck_assert_uint_eq(now.copied_bytes - before.copied_bytes, copied);
	ck_assert_uint_eq(now.classified_bytes - before.classified_bytes,
			  classified);
	ck_assert_uint_eq(now.shares - before.shares, shares);
}

static const struct mvfs_charset *gbk(void)
{
	return mvfs_charset("GBK");
}

static void get(const char *path)
{
	mvfs_string_release(&string);
	ok(mvfs_read_string(fs, path, NULL, 0, &string, NULL));
}

static void ck_is(const void *bytes, size_t length)
{
	ck_assert_uint_eq(string.len, length);
	ck_assert(memcmp(string.data, bytes, length) == 0);
}

static void ck_file(const char *path, const void *bytes, size_t length)
{
	mvfs_string_release(&string);
	ok(mvfs_read_file(fs, path, &string));
	ck_is(bytes, length);
}

/* The caller's own memory. */
static struct mvfs_string lent(const char *text)
{
	return (struct mvfs_string){ .data = text, .len = strlen(text) };
}

static int append(const char *path, const char *text)
{
	const struct mvfs_string s = lent(text);

	return mvfs_append_string(fs, path, &s, NULL, &error);
}

/* What free_fn was told. */
static struct freed {
	unsigned times;
	void *bytes;
	size_t len;
} freed;

static void note_free(void *ctx, void *bytes, size_t len)
{
	struct freed *f = ctx;

	f->times++;
	f->bytes = bytes;
	f->len = len;
}

static int adopt(const char *path, size_t len)
{
	freed = (struct freed){ 0 };
	return mvfs_write_adopt(fs, path, large, len, note_free, &freed);
}

static void ck_freed(size_t len)
{
	ck_assert_uint_eq(freed.times, 1);
	ck_assert_ptr_eq(freed.bytes, large);
	ck_assert_uint_eq(freed.len, len);
}

START_TEST(test_adopted_memory_is_the_files_bytes)
{
	count_from_here();
	ok(adopt("/f", LARGE));
	ck_counts(0, 0, 0);
	get("/f");
	ck_counts(0, LARGE, 1);
	ck_assert_ptr_eq(string.data, large);
	ck_assert_uint_eq(string.flags,
			  MVFS_STRING_SHARED | MVFS_STRING_ASCII);
	get("/f");
	ck_counts(0, LARGE, 2);
	/* a C string of it is a copy, once */
	ck_assert_ptr_ne(mvfs_string_cstr(&string), large);
	ck_counts(LARGE, LARGE, 2);
	ck_assert_uint_eq(freed.times, 0);
}
END_TEST

START_TEST(test_adopted_memory_is_freed_once_nothing_refers_to_it)
{
	struct mvfs_string slice;
	mvfs *clone;

	ok(adopt("/f", 1000));
	ok(mvfs_write_file(fs, "/f", "new", 3));
	ck_freed(1000);
	ok(adopt("/f", 1000));
	ok(mvfs_unlink(fs, "/f"));
	ck_freed(1000);
	ok(adopt("/f", 1000));
	ok(mvfs_truncate(fs, "/f", 0));
	ck_freed(1000);

	ok(adopt("/f", LARGE));
	get("/f");
	ok(mvfs_clone(fs, &clone));
	ok(mvfs_unlink(fs, "/f"));
	slice = mvfs_string_slice(&string, 5, 10);
	mvfs_string_release(&string);
	ok(mvfs_write_string(fs, "/g", &slice, NULL, NULL));
	mvfs_string_release(&slice);
	ok(mvfs_destroy(clone));
	ck_assert_uint_eq(freed.times, 0);
	ck_file("/g", large + 5, 10);
	mvfs_string_release(&string);
	ok(mvfs_unlink(fs, "/g"));
	ck_freed(LARGE);
}
END_TEST

START_TEST(test_a_string_of_adopted_memory_outlives_the_instance)
{
	ok(adopt("/f", LARGE));
	get("/f");
	core_end();
	ck_is(large, LARGE);
	ck_assert_uint_eq(freed.times, 0);
	mvfs_string_release(&string);
	ck_freed(LARGE);
	core_start();
}
END_TEST

START_TEST(test_an_empty_file_keeps_no_memory)
{
	ok(adopt("/f", 0));
	ck_freed(0);
	ck_file("/f", "", 0);
	freed.times = 0;
	ok(mvfs_write_adopt(fs, "/f", NULL, 0, note_free, &freed));
	ck_assert_uint_eq(freed.times, 1);
	ck_assert_ptr_null(freed.bytes);
}
END_TEST

START_TEST(test_memory_that_lasts_needs_no_freeing)
{
	ok(mvfs_write_adopt(fs, "/f", large, LARGE, NULL, NULL));
	get("/f");
	ck_assert_ptr_eq(string.data, large);
	ok(mvfs_unlink(fs, "/f"));
}
END_TEST

START_TEST(test_adopted_memory_is_never_written)
{
	char *copy = malloc(LARGE);
	int fd;

	memcpy(copy, large, LARGE);
	ok(adopt("/f", LARGE - 1));
	fd = (int)ok(mvfs_open(fs, "/f", O_RDWR, 0));
	ok(mvfs_pwrite(fs, fd, "XXX", 3, 10));
	ok(mvfs_pwrite(fs, fd, "XXX", 3, LARGE - 1));
	ok(mvfs_fallocate(fs, fd, MVFS_PUNCH_HOLE | MVFS_KEEP_SIZE, 9000,
			  10000));
	ok(mvfs_ftruncate(fs, fd, 200001));
	ok(append("/f", "YYY"));
	ok(mvfs_ftruncate(fs, fd, LARGE));
	ok(mvfs_close(fs, fd));
	ck_assert(memcmp(large, copy, LARGE) == 0);
	free(copy);
	ok(mvfs_unlink(fs, "/f"));
	ck_freed(LARGE - 1);
}
END_TEST

START_TEST(test_nothing_is_adopted_on_failure)
{
	uint64_t n;
	mvfs *user;
	int rc;

	ok(mvfs_mkdir(fs, "/dir", 0755));
	ok(mvfs_mknod(fs, "/fifo", S_IFIFO | 0600, 0));
	ok(mvfs_view(fs, &(struct mvfs_view_options){
		.size = sizeof(struct mvfs_view_options),
		.set = MVFS_VIEW_CRED, .uid = 1000, .gid = 1000,
	}, &user));
	ck_assert_int_eq(adopt("/dir", 10), -EISDIR);
	ck_assert_int_eq(adopt("/fifo", 10), -ENXIO);
	ck_assert_int_eq(adopt("/none/f", 10), -ENOENT);
	ck_assert_int_eq(adopt(NULL, 10), -EFAULT);
	ck_assert_int_eq(mvfs_write_adopt(fs, "/f", NULL, 1, note_free,
					  &freed), -EFAULT);
	ck_assert_int_eq(mvfs_write_adopt(NULL, "/f", large, 1, note_free,
					  &freed), -EINVAL);
	ck_assert_int_eq(mvfs_write_adopt(user, "/f", large, 1, note_free,
					  &freed), -EACCES);
	ok(mvfs_destroy(user));
	ok(mvfs_set_limits(fs, 8192, 0));
	ck_assert_int_eq(adopt("/f", 8193), -ENOSPC);
	ok(mvfs_set_limits(fs, 0, 0));
	ck_assert_uint_eq(freed.times, 0);
	for (n = 1;; n++) {
		mvfs__mem_fail_at(n);
		rc = adopt("/f", 10);
		mvfs__mem_fail_at(0);
		if (!rc)
			break;
		ck_assert_int_eq(rc, -ENOMEM);
		ck_assert_uint_eq(freed.times, 0);
	}
	ck_assert_uint_gt(n, 2);
	ok(mvfs_unlink(fs, "/f"));
	ck_freed(10);
}
END_TEST

static void call_back(void *ctx, void *bytes, size_t len)
{
	note_free(&freed, bytes, len);
	/* would wait for ever for a lock that the caller holds */
	ok(mvfs_write_file(ctx, "/from-free", "x", 1));
}

static void *overwrite(void *arg)
{
	int fd = (int)ok(mvfs_open(arg, "/f", O_RDWR, 0));

	ok(mvfs_pwrite(arg, fd, large, 1000, 0));
	ok(mvfs_close(arg, fd));
	return NULL;
}

START_TEST(test_memory_is_freed_where_no_lock_is_held)
{
	pthread_t thread;

	freed = (struct freed){ 0 };
	ok(mvfs_write_adopt(fs, "/f", large, 1000, call_back, fs));
	/* a second thread, so that there are stripes */
	ck_assert_int_eq(pthread_create(&thread, NULL, overwrite, fs), 0);
	pthread_join(thread, NULL);
	ck_freed(1000);
	freed.times = 0;
	ok(mvfs_write_adopt(fs, "/f", large, 1000, call_back, fs));
	ok(mvfs_write_file(fs, "/f", "", 0));
	ck_freed(1000);
}
END_TEST

START_TEST(test_strings_are_written_by_reference_wherever_they_come_from)
{
	struct mvfs_string decoded, slice;

	/* what was decoded has a buffer of its own, and is known */
	ok(mvfs_decode(GBK_CHINESE GBK_CHINESE, 8, gbk(), 0, &decoded, NULL));
	slice = mvfs_string_slice(&decoded, 3, 6);
	count_from_here();
	ok(mvfs_write_string(fs, "/f", &decoded, NULL, NULL));
	ok(mvfs_write_string(fs, "/g", &slice, NULL, NULL));
	ck_counts(0, 0, 2);
	get("/f");
	ck_assert_ptr_eq(string.data, decoded.data);
	get("/g");
	ck_assert_ptr_eq(string.data, slice.data);
	ck_counts(0, 0, 4);
	/* back to what it was: encoded, so copied */
	ok(mvfs_write_string(fs, "/f", &decoded, gbk(), NULL));
	ck_counts(8, 0, 4);
	mvfs_string_release(&slice);
	mvfs_string_release(&decoded);
	/* memory of the caller is copied, and looked at, once */
	slice = lent("plain");
	count_from_here();
	ok(mvfs_write_string(fs, "/f", &slice, gbk(), NULL));
	get("/f");
	ck_counts(5, 5, 1);
}
END_TEST

/* A file of its own, in one piece, whose text is known. */
static void known_file(const char *path, size_t length)
{
	ok(mvfs_write_file(fs, path, large, length));
	get(path);
	mvfs_string_release(&string);
}

START_TEST(test_an_append_is_looked_at_once)
{
	known_file("/f", LARGE);
	count_from_here();
	ok(append("/f", "more"));
	ck_counts(0, 4, 0);
	get("/f");
	ck_counts(0, 4, 1);
	ck_assert_uint_eq(string.len, LARGE + 4);
	ck_assert_mem_eq(string.data + LARGE - 1, large + LARGE - 1, 1);
	ck_assert_mem_eq(string.data + LARGE, "more", 4);
	ck_assert(string.flags & MVFS_STRING_ASCII);
	mvfs_string_release(&string);
	ok(append("/f", CHINESE));
	get("/f");
	ck_counts(0, 10, 2);
	ck_assert(!(string.flags & MVFS_STRING_ASCII));
	ck_assert_mem_eq(string.data + LARGE + 4, CHINESE, 6);
}
END_TEST

START_TEST(test_a_string_that_is_appended_is_not_looked_at_again)
{
	struct mvfs_string more;

	ok(mvfs_decode(CHINESE, 6, NULL, 0, &more, NULL));
	known_file("/f", 5000);
	count_from_here();
	ok(mvfs_append_string(fs, "/f", &more, NULL, NULL));
	mvfs_string_release(&more);
	get("/f");
	ck_counts(0, 0, 1);
	ck_assert_mem_eq(string.data + 5000, CHINESE, 6);
}
END_TEST

START_TEST(test_unknown_text_stays_unknown_when_appended_to)
{
	ok(mvfs_write_file(fs, "/f", "a\xff", 2));
	ok(append("/f", "b"));
	ck_assert_int_eq(mvfs_read_string(fs, "/f", NULL, 0, &string, &error),
			 -EILSEQ);
	ck_assert_uint_eq(error.offset, 1);
	ok(append("/f", "c"));
	ck_assert_int_eq(mvfs_read_string(fs, "/f", NULL, 0, &string, &error),
			 -EILSEQ);
	/* cut off, then something else */
	ok(mvfs_write_file(fs, "/g", "a\xe4\xbd", 3));
	ck_assert_int_eq(mvfs_read_string(fs, "/g", NULL, 0, &string, &error),
			 -EILSEQ);
	ok(append("/g", "c"));
	ck_assert_int_eq(mvfs_read_string(fs, "/g", NULL, 0, &string, &error),
			 -EILSEQ);
	ck_assert_uint_eq(error.offset, 1);
	ck_file("/g", "a\xe4\xbd" "c", 4);
}
END_TEST

START_TEST(test_an_append_beside_a_string_keeps_what_is_known)
{
	struct mvfs_string old;

	known_file("/f", LARGE);
	ok(mvfs_read_string(fs, "/f", NULL, 0, &old, NULL));
	count_from_here();
	ok(append("/f", "more"));
	get("/f");
	/* the block that it begins in is copied, then all is gathered */
	ck_assert_uint_le(counts().classified_bytes - before.classified_bytes,
			  4 + 4096 + 4);
	ck_assert_uint_eq(string.len, LARGE + 4);
	ck_assert_mem_eq(string.data + LARGE - 4, large + LARGE - 4, 4);
	ck_assert_mem_eq(string.data + LARGE, "more", 4);
	ck_assert_uint_eq(old.len, LARGE);
	ck_assert_int_eq(old.data[LARGE], 0);
	mvfs_string_release(&old);
	count_from_here();
	get("/f");
	ck_counts(0, 0, 1);
}
END_TEST

START_TEST(test_appending_to_nothing_shares_the_string)
{
	struct mvfs_stat st;
	struct mvfs_string s;

	ok(mvfs_umask(fs, 027));
	ok(mvfs_decode(large, LARGE, NULL, 0, &s, NULL));
	ok(mvfs_write_file(fs, "/empty", "", 0));
	ok(mvfs_symlink(fs, "new", "/link"));
	count_from_here();
	ok(mvfs_append_string(fs, "/link", &s, gbk(), NULL));
	ok(mvfs_append_string(fs, "/empty", &s, NULL, NULL));
	ck_counts(0, 0, 2);
	get("/new");
	ck_assert_ptr_eq(string.data, s.data);
	get("/empty");
	ck_assert_ptr_eq(string.data, s.data);
	ck_counts(0, 0, 4);
	ok(mvfs_stat(fs, "/new", &st));
	ck_assert_uint_eq(st.mode, S_IFREG | 0640);
	mvfs_string_release(&s);
	/* not the caller's own memory */
	count_from_here();
	ok(append("/third", "text"));
	get("/third");
	ck_counts(4, 4, 1);
	ok(append("/fourth", ""));
	ck_file("/fourth", "", 0);
}
END_TEST

START_TEST(test_a_file_is_appended_to_itself)
{
	known_file("/f", 10000);
	get("/f");
	ok(mvfs_append_string(fs, "/f", &string, NULL, NULL));
	get("/f");
	ck_assert_uint_eq(string.len, 20000);
	ck_assert(memcmp(string.data, large, 10000) == 0);
	ck_assert(memcmp(string.data + 10000, large, 10000) == 0);
}
END_TEST

START_TEST(test_appended_text_is_encoded)
{
	struct mvfs_string s = lent(CHINESE);

	ok(mvfs_write_file(fs, "/f", "a", 1));
	ok(mvfs_append_string(fs, "/f", &s, gbk(), NULL));
	ck_file("/f", "a" GBK_CHINESE, 5);
	ok(mvfs_append_string(fs, "/g", &s, mvfs_charset("UTF-16LE"), NULL));
	ok(mvfs_append_string(fs, "/g", &s, mvfs_charset("UTF-16LE"), NULL));
	ck_file("/g", "\x60\x4f\x7d\x59\x60\x4f\x7d\x59", 8);
	/* whose mark would be in the middle */
	ck_assert_int_eq(mvfs_append_string(fs, "/g", &s,
					    mvfs_charset("UTF-16"), &error),
			 -EINVAL);
	ck_assert_int_eq(error.code, -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.message, "name the order"));
	ck_file("/g", "\x60\x4f\x7d\x59\x60\x4f\x7d\x59", 8);
}
END_TEST

START_TEST(test_an_append_is_whole_or_not_at_all)
{
	const struct mvfs_string no_text = lent("ab\xff");
	struct mvfs_stat st, after;
	char *page = calloc(1, 5000);

	known_file("/f", 8000);
	ok(mvfs_mkdir(fs, "/dir", 0755));
	ok(mvfs_mknod(fs, "/fifo", S_IFIFO | 0600, 0));
	ok(mvfs_set_limits(fs, 8192, 0));
	ok(mvfs_stat(fs, "/f", &st));
	memset(page, 'x', 4999);
	ck_assert_int_eq(append("/f", page), -ENOSPC);
	ck_assert_int_eq(error.code, -ENOSPC);
	ck_assert_int_eq(append("/new", page), -ENOSPC);
	ck_assert_int_eq(mvfs_append_string(fs, "/f", &no_text, NULL, &error),
			 -EILSEQ);
	ck_assert_uint_eq(error.offset, 2);
	ck_assert_int_eq(append("/dir", "x"), -EISDIR);
	ck_assert_int_eq(append("/f/", "x"), -EISDIR);
	ck_assert_int_eq(append("/fifo", "x"), -ENXIO);
	ck_assert_int_eq(append("/none/f", "x"), -ENOENT);
	ck_assert_int_eq(append(NULL, "x"), -EFAULT);
	ck_assert_int_eq(mvfs_append_string(fs, "/f", NULL, NULL, &error),
			 -EFAULT);
	/* nothing is nothing */
	ok(append("/f", ""));
	ok(mvfs_stat(fs, "/f", &after));
	ck_assert_mem_eq(&st, &after, sizeof(st));
	ck_assert_int_eq(mvfs_stat(fs, "/new", &after), -ENOENT);
	/* what fits does */
	page[192] = 0;
	ok(append("/f", page));
	ck_assert_int_eq(append("/f", "x"), -ENOSPC);
	ok(mvfs_stat(fs, "/f", &after));
	ck_assert_uint_eq(after.size, 8192);
	free(page);
}
END_TEST

START_TEST(test_a_file_cannot_grow_beyond_all_offsets)
{
	int fd = (int)ok(mvfs_open(fs, "/f", O_RDWR | O_CREAT, 0644));

	ok(mvfs_ftruncate(fs, fd, INT64_MAX - 1));
	ck_assert_int_eq(append("/f", "xx"), -EFBIG);
	ok(append("/f", "x"));
	ck_assert_int_eq(append("/f", "x"), -EFBIG);
	ok(mvfs_close(fs, fd));
}
END_TEST

enum { WRITERS = 3, LINES = 500 };

static void *append_lines(void *arg)
{
	const struct mvfs_string line = lent(arg);
	int i;

	for (i = 0; i < LINES; i++)
		ok(mvfs_append_string(fs, "/log", &line, NULL, NULL));
	return NULL;
}

START_TEST(test_appends_of_several_threads_are_each_whole)
{
	static char texts[WRITERS][30] = {
		"first\n", "the second, longer\n", CHINESE "\n",
	};
	unsigned found[WRITERS] = { 0 };
	pthread_t thread[WRITERS];
	struct mvfs_lines lines;
	size_t i, k;

	for (i = 0; i < WRITERS; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, append_lines,
						texts[i]), 0);
	for (i = 0; i < WRITERS; i++)
		pthread_join(thread[i], NULL);
	ok(mvfs_read_lines(fs, "/log", NULL, 0, 0, ALL, &lines, NULL));
	ck_assert_uint_eq(lines.count, WRITERS * LINES);
	for (i = 0; i < lines.count; i++)
		for (k = 0; k < WRITERS; k++)
			found[k] += lines.line[i].len + 1 ==
					    strlen(texts[k]) &&
				    !memcmp(lines.line[i].data, texts[k],
					    lines.line[i].len);
	for (k = 0; k < WRITERS; k++)
		ck_assert_uint_eq(found[k], LINES);
	mvfs_lines_release(&lines);
}
END_TEST

START_TEST(test_lines_are_places_in_the_file)
{
	struct mvfs_lines lines, later;
	int fd;

	ok(mvfs_write_file(fs, "/f", "one\r\ntwo\n\nfour", 14));
	count_from_here();
	ok(mvfs_read_lines(fs, "/f", NULL, 0, 0, ALL, &lines, &error));
	ck_counts(0, 14, 1);
	get("/f");
	ck_assert_uint_eq(lines.count, 4);
	ck_assert_ptr_eq(lines.text.data, string.data);
	ck_assert_ptr_eq(lines.line[1].data, string.data + 5);
	ck_assert_uint_eq(lines.line[1].len, 3);
	ck_assert_uint_eq(lines.line[2].len, 0);
	/* a range of them; the file stays where it was */
	fd = (int)ok(mvfs_open(fs, "/f", O_RDWR, 0));
	ok(mvfs_lseek(fs, fd, 3, SEEK_SET));
	ok(mvfs_fread_lines(fs, fd, gbk(), 0, 1, 2, &later, &error));
	ck_assert_int_eq(mvfs_lseek(fs, fd, 0, SEEK_CUR), 3);
	ck_assert_uint_eq(later.count, 2);
	ck_assert_ptr_eq(later.line[0].data, lines.line[1].data);
	mvfs_lines_release(&later);
	ok(mvfs_fread_lines(fs, fd, NULL, 0, 4, 2, &later, &error));
	ck_assert_uint_eq(later.count, 0);
	ck_assert_ptr_null(later.line);
	mvfs_lines_release(&later);
	ok(mvfs_close(fs, fd));
	/* they stay when it goes */
	ok(mvfs_write_file(fs, "/f", "", 0));
	mvfs_string_release(&string);
	ck_assert_mem_eq(lines.line[3].data, "four", 4);
	mvfs_lines_release(&lines);
}
END_TEST

START_TEST(test_lines_that_cannot_be_read_leave_the_table)
{
	struct mvfs_lines lines, same;
	uint64_t n;
	int rc;

	memset(&lines, 0x5a, sizeof(lines));
	same = lines;
	ok(mvfs_write_file(fs, "/f", "a\n\xff", 3));
	ck_assert_int_eq(mvfs_read_lines(fs, "/f", NULL, 0, 0, 1, &lines,
					 &error), -EILSEQ);
	ck_assert_uint_eq(error.offset, 2);
	ck_assert_int_eq(mvfs_read_lines(fs, "/", NULL, 0, 0, 1, &lines,
					 &error), -EISDIR);
	ck_assert_int_eq(mvfs_fread_lines(fs, 5, NULL, 0, 0, 1, &lines,
					  &error), -EBADF);
	ck_assert_int_eq(mvfs_read_lines(fs, "/f", NULL, 0, 0, 1, NULL,
					 &error), -EFAULT);
	ck_assert_int_eq(mvfs_read_lines(fs, "/f", NULL, 1u << 31, 0, 1,
					 &lines, &error), -EINVAL);
	for (n = 1;; n++) {
		ck_assert_mem_eq(&lines, &same, sizeof(lines));
		mvfs__mem_fail_at(n);
		rc = mvfs_read_lines(fs, "/f", NULL, MVFS_REPLACE, 0, ALL,
				     &lines, &error);
		mvfs__mem_fail_at(0);
		if (!rc)
			break;
		ck_assert_int_eq(rc, -ENOMEM);
		ck_assert_int_eq(error.code, -ENOMEM);
	}
	ck_assert_uint_ge(n, 3);
	ck_assert_uint_eq(lines.count, 2);
	ck_assert_mem_eq(lines.line[1].data, "\xef\xbf\xbd", 3);
	mvfs_lines_release(&lines);
}
END_TEST

static TCase *adopting(void)
{
	TCase *tests = tcase_create("adopting");

	tcase_add_test(tests, test_adopted_memory_is_the_files_bytes);
	tcase_add_test(tests,
		       test_adopted_memory_is_freed_once_nothing_refers_to_it);
	tcase_add_test(tests,
		       test_a_string_of_adopted_memory_outlives_the_instance);
	tcase_add_test(tests, test_an_empty_file_keeps_no_memory);
	tcase_add_test(tests, test_memory_that_lasts_needs_no_freeing);
	tcase_add_test(tests, test_adopted_memory_is_never_written);
	tcase_add_test(tests, test_nothing_is_adopted_on_failure);
	tcase_add_test(tests, test_memory_is_freed_where_no_lock_is_held);
	return tests;
}

static TCase *appending(void)
{
	TCase *tests = tcase_create("appending");

	tcase_add_test(tests,
	       test_strings_are_written_by_reference_wherever_they_come_from);
	tcase_add_test(tests, test_an_append_is_looked_at_once);
	tcase_add_test(tests,
		       test_a_string_that_is_appended_is_not_looked_at_again);
	tcase_add_test(tests,
		       test_unknown_text_stays_unknown_when_appended_to);
	tcase_add_test(tests,
		       test_an_append_beside_a_string_keeps_what_is_known);
	tcase_add_test(tests, test_appending_to_nothing_shares_the_string);
	tcase_add_test(tests, test_a_file_is_appended_to_itself);
	tcase_add_test(tests, test_appended_text_is_encoded);
	tcase_add_test(tests, test_an_append_is_whole_or_not_at_all);
	tcase_add_test(tests, test_a_file_cannot_grow_beyond_all_offsets);
	tcase_add_test(tests, test_appends_of_several_threads_are_each_whole);
	tcase_add_test(tests, test_lines_are_places_in_the_file);
	tcase_add_test(tests, test_lines_that_cannot_be_read_leave_the_table);
	return tests;
}

int main(void)
{
	Suite *suite = suite_create("fs: whole files");
	TCase *adopts = adopting(), *appends = appending();

	tcase_add_checked_fixture(adopts, start, end);
	tcase_add_checked_fixture(appends, start, end);
	suite_add_tcase(suite, adopts);
	suite_add_tcase(suite, appends);
	return run_suite(suite);
}
