/* SPDX-License-Identifier: MIT */
/*
 * File calls as a parameter: one program runs on a tree and on a directory of
 * the host, and tells the same.
 */
#include "config.h"

#include <memvfs/memvfs.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/expect.h"

/* What a run of the program has told. */
struct record {
	char text[20000];
	size_t len;
};

MVFS_PRINTF(2, 3)
static void tell(struct record *record, const char *format, ...)
{
	size_t room = sizeof(record->text) - record->len;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(record->text + record->len, room, format, args);
	va_end(args);
	ck_assert(n >= 0 && (size_t)n < room);
	record->len += (size_t)n;
}

/* A call, its result, and its errno where it failed. */
#define RUN(call) \
	do { \
		int64_t result_; \
		\
		errno = 0; \
		result_ = (int64_t)(io.call); \
		tell(record, "%s = %lld %s\n", #call, (long long)result_, \
		     result_ < 0 ? strerror(errno) : ""); \
	} while (0)

static void tell_stat(struct record *record, const struct mvfs_stat *st)
{
	tell(record, "mode %o nlink %u uid %u size %llu\n", st->mode,
	     S_ISDIR(st->mode) ? 0 : st->nlink, st->uid,
	     S_ISDIR(st->mode) ? 0ULL : (unsigned long long)st->size);
}

static void run_data(struct mvfs_io io, struct record *record)
{
	char bytes[100] = "";
	struct mvfs_stat st;
	int fd;

	RUN(call->open(io.ctx, "missing", O_RDONLY, 0));
	fd = io.call->open(io.ctx, "file", O_RDWR | O_CREAT | O_EXCL, 0640);
	ck_assert_int_ge(fd, 0);
	RUN(call->open(io.ctx, "file", O_RDWR | O_CREAT | O_EXCL, 0640));
	RUN(call->write(io.ctx, fd, "one two three", 13));
	RUN(call->lseek(io.ctx, fd, 4, SEEK_SET));
	RUN(call->read(io.ctx, fd, bytes, 3));
	tell(record, "%s\n", bytes);
	RUN(call->pwrite(io.ctx, fd, "TWO", 3, 4));
	RUN(call->pread(io.ctx, fd, bytes, 99, 0));
	RUN(call->pread(io.ctx, fd, bytes, 99, -1));
	tell(record, "%s\n", bytes);
	RUN(call->lseek(io.ctx, fd, 0, SEEK_CUR));
	RUN(call->lseek(io.ctx, fd, -1, SEEK_SET));
	RUN(call->ftruncate(io.ctx, fd, 7));
	RUN(call->fsync(io.ctx, fd));
	RUN(call->fdatasync(io.ctx, fd));
	RUN(call->fstat(io.ctx, fd, &st));
	tell_stat(record, &st);
	RUN(call->truncate(io.ctx, "file", 5));
	RUN(call->truncate(io.ctx, "missing", 5));
	RUN(call->chmod(io.ctx, "file", 0600));
	RUN(call->stat(io.ctx, "file", &st));
	tell_stat(record, &st);
	RUN(call->close(io.ctx, fd));
	RUN(call->close(io.ctx, fd));
	RUN(call->write(io.ctx, fd, "x", 1));
	RUN(call->fstat(io.ctx, fd, &st));
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct mvfs_dirent *)a)->name,
		      ((const struct mvfs_dirent *)b)->name);
}

static void list(struct mvfs_io io, struct record *record, const char *path)
{
	struct mvfs_io_dir *dir = io.call->opendir(io.ctx, path);
	struct mvfs_dirent entries[10];
	size_t i, n = 0;

	if (!dir) {
		tell(record, "opendir %s: %s\n", path, strerror(errno));
		return;
	}
	while (n < 10 && io.call->readdir(io.ctx, dir, &entries[n]) == 1)
		n++;
	qsort(entries, n, sizeof(entries[0]), by_name);
	for (i = 0; i < n; i++)
		tell(record, "%s %u %u\n", entries[i].name, entries[i].len,
		     entries[i].type);
	RUN(call->closedir(io.ctx, dir));
}

static void run_names(struct mvfs_io io, struct record *record)
{
	char bytes[100] = "";
	struct mvfs_stat st;

	RUN(call->mkdir(io.ctx, "dir", 0755));
	RUN(call->mkdir(io.ctx, "dir", 0755));
	RUN(call->link(io.ctx, "file", "dir/second"));
	RUN(call->symlink(io.ctx, "dir/second", "link"));
	RUN(call->readlink(io.ctx, "link", bytes, sizeof(bytes)));
	tell(record, "%s\n", bytes);
	RUN(call->readlink(io.ctx, "file", bytes, sizeof(bytes)));
	RUN(call->lstat(io.ctx, "link", &st));
	tell_stat(record, &st);
	RUN(call->stat(io.ctx, "link", &st));
	tell_stat(record, &st);
	RUN(call->access(io.ctx, "link", R_OK | W_OK));
	RUN(call->access(io.ctx, "none", F_OK));
	RUN(call->rename(io.ctx, "file", "dir/third"));
	RUN(call->rename(io.ctx, "file", "dir/third"));
	RUN(call->rename(io.ctx, "dir", "dir/sub"));
	list(io, record, "dir");
	list(io, record, "none");
	list(io, record, "link");
	RUN(call->rmdir(io.ctx, "dir"));
	RUN(call->unlink(io.ctx, "dir"));
	RUN(call->unlink(io.ctx, "dir/second"));
	RUN(call->unlink(io.ctx, "link"));
}

static void run_streams(struct mvfs_io io, struct record *record)
{
	FILE *file = io.call->fopen(io.ctx, "dir/third", "a+");
	char line[100];
	int fd;

	ck_assert_ptr_nonnull(file);
	tell(record, "%d\n", fprintf(file, "and %d\n", 42));
	rewind(file);
	tell(record, "%s", fgets(line, sizeof(line), file));
	tell(record, "%d\n", fclose(file));
	file = io.call->fopen(io.ctx, "dir/third", "wx");
	tell(record, "%d %s\n", !file, strerror(errno));
	fd = io.call->open(io.ctx, "dir/third", O_RDONLY, 0);
	file = io.call->fdopen(io.ctx, fd, "w");
	tell(record, "%d %s\n", !file, strerror(errno));
	file = io.call->fdopen(io.ctx, fd, "r");
	tell(record, "%d\n", fgetc(file));
	tell(record, "%d\n", fclose(file));
	RUN(call->unlink(io.ctx, "dir/third"));
	RUN(call->rmdir(io.ctx, "dir"));
}

static void run(struct mvfs_io io, struct record *record)
{
	run_data(io, record);
	run_names(io, record);
	run_streams(io, record);
}

START_TEST(test_a_program_tells_the_same_of_a_tree_and_of_the_host)
{
	static struct record ours, theirs;
	char dir[] = "/tmp/memvfs-io-XXXXXX";
	struct mvfs_view_options options = {
		.size = sizeof(options), .set = MVFS_VIEW_CRED,
		.uid = getuid(), .gid = getgid(),
	};
	mvfs *root, *fs;

	umask(022);
	ok(mvfs_create(NULL, &root));
	ok(mvfs_chmod(root, "/", 0777));
	ok(mvfs_view(root, &options, &fs));
	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_int_eq(chdir(dir), 0);
	run(mvfs_io(fs), &ours);
	run(mvfs_io_host(), &theirs);
	ck_assert_str_eq(ours.text, theirs.text);
	ck_assert_int_eq(rmdir(dir), 0);
	ok(mvfs_destroy(fs));
	ok(mvfs_destroy(root));
}
END_TEST

START_TEST(test_without_a_view_each_call_is_refused)
{
	const struct mvfs_io io = mvfs_io(NULL);

	errno = 0;
	ck_assert_int_eq(io.call->open(io.ctx, "/f", O_RDONLY, 0), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_null(io.call->opendir(io.ctx, "/"));
	ck_assert_ptr_null(io.call->fopen(io.ctx, "/f", "r"));
}
END_TEST

START_TEST(test_a_listing_of_the_host_that_ended_leaves_errno_alone)
{
	const struct mvfs_io io = mvfs_io_host();
	struct mvfs_io_dir *dir = io.call->opendir(io.ctx, "/proc/self");
	struct mvfs_dirent entry;

	ck_assert_ptr_nonnull(dir);
	errno = ESTALE;
	while (io.call->readdir(io.ctx, dir, &entry) == 1)
		ck_assert_uint_eq(entry.len, strlen(entry.name));
	ck_assert_int_eq(errno, ESTALE);
	ck_assert_int_eq(io.call->closedir(io.ctx, dir), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("io");
	TCase *tc = tcase_create("io");

	tcase_add_test(tc,
		test_a_program_tells_the_same_of_a_tree_and_of_the_host);
	tcase_add_test(tc, test_without_a_view_each_call_is_refused);
	tcase_add_test(tc,
		test_a_listing_of_the_host_that_ended_leaves_errno_alone);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
