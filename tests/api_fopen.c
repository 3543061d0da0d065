/* SPDX-License-Identifier: MIT */
/*
 * Streams: the same calls on a FILE of the library and on one of the kernel,
 * in a directory of the host, give the same results, errors and files.
 */
#include "config.h"

#include <memvfs/memvfs.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/expect.h"
#include "tests/random.h"

static const char content[] = "first\nsecond line\n\nno end";

static mvfs *fs;
static char dir[4096];
static char path[5000];

static void start(void)
{
	const char *tmp = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";

	ok(mvfs_create(NULL, &fs));
	snprintf(dir, sizeof(dir), "%s/memvfs-fopen-XXXXXX", tmp);
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/file", dir);
	umask(022);
}

static void end(void)
{
	unlink(path);
	rmdir(dir);
	ok(mvfs_destroy(fs));
}

/* The file is there with `content`, or is not. */
static void put(bool there)
{
	FILE *file;

	unlink(path);
	(void)mvfs_unlink(fs, "/file");
	if (!there)
		return;
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(content, file);
	fclose(file);
	ok(mvfs_write_file(fs, "/file", content, strlen(content)));
}

/* What the two have become is the same. */
static void same_file(void)
{
	static char theirs[100000], ours[100000];
	FILE *file = fopen(path, "r");
	int fd = mvfs_open(fs, "/file", O_RDONLY, 0);
	struct mvfs_stat st;
	struct stat host;
	int64_t n;

	ck_assert_int_eq(fd < 0, !file);
	if (!file)
		return;
	n = (int64_t)fread(theirs, 1, sizeof(theirs), file);
	ck_assert_int_eq(ok(mvfs_read(fs, fd, ours, sizeof(ours))), n);
	ck_assert_mem_eq(ours, theirs, (size_t)n);
	ok(mvfs_fstat(fs, fd, &st));
	ck_assert_int_eq(fstat(fileno(file), &host), 0);
	ck_assert_uint_eq(st.mode, host.st_mode);
	fclose(file);
	ok(mvfs_close(fs, fd));
}

/* A call's result and errno, as one number. */
static int64_t seen(int64_t result)
{
	return result * 1000 + (result < 0 ? errno : 0);
}

/* A call of each kind on one stream. */
static int64_t do_call(FILE *file, unsigned call, uint64_t number)
{
	char bytes[300], *line = NULL;
	size_t room = 0, len = number % sizeof(bytes);
	int64_t n;

	errno = 0;
	memset(bytes, 'a' + (int)(number % 26), sizeof(bytes));
	switch (call) {
	case 0:
		n = (int64_t)fread(bytes, 1, len, file);
		return n * 100003 + (n ? bytes[n - 1] : 0);
	case 1:
		return seen(fgetc(file));
	case 2:
		n = getline(&line, &room, file);
		n = n < 0 ? seen(-1) : n * 256 + line[n - 1];
		free(line);
		return n;
	case 3:
		n = fgetc(file);
		return n == EOF ? seen(-1) : ungetc((int)n, file) * 256 +
			fgetc(file);
	case 4:
		return seen((int64_t)fwrite(bytes, 1, len, file));
	case 5:
		return seen(fprintf(file, "%llu\n",
				    (unsigned long long)number));
	case 6:
		return seen(fputc('x', file));
	case 7:
		return seen(fseek(file, (long)(number % 40), SEEK_SET));
	case 8:
		return seen(fseek(file, (long)(number % 30) - 15, SEEK_CUR));
	case 9:
		return seen(fseek(file, (long)(number % 30) - 20, SEEK_END));
	case 10:
		rewind(file);
		return errno;
	case 11:
		return seen(ftell(file));
	case 12:
		return seen(fflush(file));
	case 13:
		clearerr(file);
		return 0;
	default:
		return feof(file) * 2 + ferror(file);
	}
}

enum { READS = 4, WRITES = 7, MOVES = 11, CALLS = 15 };

/* Runs the same random calls on both; between reading and writing there is a
 * seek, as C wants it. */
static void same_calls(FILE *ours, FILE *theirs, uint64_t *state, int count)
{
	unsigned call, last = MOVES;
	uint64_t number;
	int64_t a, b;

	while (count--) {
		call = (unsigned)below(state, CALLS);
		number = rng(state);
		if ((call < READS && last >= READS && last < WRITES) ||
		    (call >= READS && call < WRITES && last < READS)) {
			ck_assert_int_eq(do_call(ours, 8, 15),
					 do_call(theirs, 8, 15));
		}
		a = do_call(ours, call, number);
		b = do_call(theirs, call, number);
		ck_assert_msg(a == b, "call %u, %llu: %lld, the kernel %lld",
			      call, (unsigned long long)number, (long long)a,
			      (long long)b);
		a = do_call(ours, CALLS, 0);
		b = do_call(theirs, CALLS, 0);
		ck_assert_msg(a == b, "flags after call %u: %lld, %lld", call,
			      (long long)a, (long long)b);
		/* a seek that failed was none */
		if (call < WRITES || (call < MOVES && a >= 0))
			last = call;
	}
}

static const char *const modes[] = {
	"r", "w", "a", "r+", "w+", "a+", "rb", "r+b", "rb+", "wb+", "a+b",
	"wx", "w+x", "wx+", "ax", "rx", "re", "w+e", "ae", "ab+e", "r+c", "rc",
	"rbece+", "rbbbbb+", "rbbbbbb+", "w ", "", "+r", "b", "x", "R",
};

START_TEST(test_each_mode_opens_makes_and_refuses_as_libc_does)
{
	const char *mode = modes[_i / 2];
	FILE *ours = NULL, *theirs;
	uint64_t state = seed_of_run();
	int rc;

	put(_i % 2);
	errno = 0;
	theirs = fopen(path, mode);
	rc = mvfs_fopen(fs, "/file", mode, &ours);
	ck_assert_int_eq(rc, theirs ? 0 : -errno);
	if (theirs) {
		same_calls(ours, theirs, &state, 400);
		ck_assert_int_eq(fclose(ours), fclose(theirs));
	}
	same_file();
}
END_TEST

/* So it is in glibc 2.41; 2.36 passes over the comma. */
START_TEST(test_a_mode_ends_at_a_comma)
{
	FILE *file;

	put(true);
	ok(mvfs_fopen(fs, "/file", "r,+", &file));
	ck_assert_int_eq(fputc('x', file), EOF);
	ck_assert_int_eq(errno, EBADF);
	ck_assert_int_eq(fclose(file), 0);
	fails(mvfs_fopen(fs, "/file", "r,ccs=UTF-8", &file), EINVAL);
	same_file();
}
END_TEST

START_TEST(test_random_calls_give_what_the_kernels_file_gives)
{
	uint64_t state = seed_of_run();
	unsigned i, rounds = 60 * long_factor();
	FILE *ours, *theirs;
	int buffering;

	for (i = 0; i < rounds; i++) {
		const char *mode = modes[below(&state, 6)];

		put(true);
		theirs = fopen(path, mode);
		ok(mvfs_fopen(fs, "/file", mode, &ours));
		buffering = (int)below(&state, 3);
		setvbuf(theirs, NULL, buffering, 0);
		setvbuf(ours, NULL, buffering, 0);
		same_calls(ours, theirs, &state, 300);
		ck_assert_int_eq(fclose(ours), fclose(theirs));
		same_file();
	}
}
END_TEST

START_TEST(test_fdopen_begins_at_the_offset_and_asks_for_the_access)
{
	static const int flags[] = {
		O_RDONLY, O_WRONLY, O_RDWR, O_RDWR | O_APPEND
	};
	uint64_t state = seed_of_run();
	FILE *ours = NULL, *theirs;
	int fd, host, rc, access = flags[_i % 4];
	const char *mode = modes[_i / 4];

	put(true);
	fd = (int)ok(mvfs_open(fs, "/file", access, 0));
	host = open(path, access);
	ok(mvfs_lseek(fs, fd, 5, SEEK_SET));
	lseek(host, 5, SEEK_SET);
	errno = 0;
	theirs = fdopen(host, mode);
	rc = mvfs_fdopen(fs, fd, mode, &ours);
	ck_assert_int_eq(rc, theirs ? 0 : -errno);
	ck_assert_int_eq(ok(mvfs_getfl(fs, fd)) & (O_ACCMODE | O_APPEND),
			 fcntl(host, F_GETFL) & (O_ACCMODE | O_APPEND));
	if (theirs) {
		ck_assert_int_eq(mvfs_fileno(ours), fd);
		/* glibc does not ask whether a descriptor appends, and then
		 * tells of places where nothing was written */
		if (!(access & O_APPEND) || *mode == 'a')
			same_calls(ours, theirs, &state, 300);
		ck_assert_int_eq(fclose(ours), fclose(theirs));
		fails(mvfs_close(fs, fd), EBADF);
		same_file();
	} else {
		ok(mvfs_close(fs, fd));
		close(host);
	}
}
END_TEST

START_TEST(test_a_full_disk_is_an_error_of_the_stream)
{
	FILE *file;

	ok(mvfs_set_limits(fs, 4096, 0));
	ok(mvfs_fopen(fs, "/file", "w", &file));
	setvbuf(file, NULL, _IONBF, 0);
	errno = 0;
	ck_assert_uint_eq(fwrite(dir, 1, 4096, file), 4096);
	ck_assert_uint_eq(fwrite(dir, 1, 10, file), 0);
	ck_assert_int_eq(errno, ENOSPC);
	ck_assert_int_ne(ferror(file), 0);
	clearerr(file);
	setvbuf(file, NULL, _IOFBF, 0);
	ck_assert_int_eq(fputc('x', file), 'x');
	errno = 0;
	ck_assert_int_eq(fclose(file), EOF);
	ck_assert_int_eq(errno, ENOSPC);
	fails(mvfs_close(fs, 0), EBADF);
}
END_TEST

START_TEST(test_what_is_no_stream_of_ours_has_no_descriptor)
{
	FILE *file;

	fails(mvfs_fileno(stdout), EBADF);
	fails(mvfs_fileno(NULL), EFAULT);
	ok(mvfs_fopen(fs, "/file", "w", &file));
	ck_assert_int_eq(mvfs_fileno(file), 0);
	ck_assert_int_eq(fileno(file), -1);
	fclose(file);
	ck_assert_int_eq(mvfs_open(fs, "/file", O_RDONLY, 0), 0);
}
END_TEST

START_TEST(test_arguments_that_are_wrong_are_refused)
{
	FILE *file = NULL;
	int fd = (int)ok(mvfs_open(fs, "/f", O_RDWR | O_CREAT, 0600));
	int reference = (int)ok(mvfs_open(fs, "/f", O_PATH, 0));

	fails(mvfs_fopen(NULL, "/f", "r", &file), EINVAL);
	fails(mvfs_fopen(fs, NULL, "r", &file), EFAULT);
	fails(mvfs_fopen(fs, "/f", NULL, &file), EFAULT);
	fails(mvfs_fopen(fs, "/f", "r", NULL), EFAULT);
	fails(mvfs_fopen(fs, "/f", "r,ccs=UTF-8", &file), EINVAL);
	fails(mvfs_fopen(fs, "/", "w", &file), EISDIR);
	fails(mvfs_fdopen(NULL, fd, "r", &file), EINVAL);
	fails(mvfs_fdopen(fs, fd, NULL, &file), EFAULT);
	fails(mvfs_fdopen(fs, fd, "r", NULL), EFAULT);
	fails(mvfs_fdopen(fs, 77, "r", &file), EBADF);
	fails(mvfs_fdopen(fs, reference, "r", &file), EBADF);
	ck_assert_ptr_null(file);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fopen");
	TCase *tc = tcase_create("streams");
	const int count = sizeof(modes) / sizeof(modes[0]);

	tcase_add_checked_fixture(tc, start, end);
	tcase_add_loop_test(tc,
		test_each_mode_opens_makes_and_refuses_as_libc_does, 0,
		2 * count);
	tcase_add_test(tc, test_a_mode_ends_at_a_comma);
	tcase_add_test(tc, test_random_calls_give_what_the_kernels_file_gives);
	tcase_add_loop_test(tc,
		test_fdopen_begins_at_the_offset_and_asks_for_the_access, 0,
		4 * count);
	tcase_add_test(tc, test_a_full_disk_is_an_error_of_the_stream);
	tcase_add_test(tc, test_what_is_no_stream_of_ours_has_no_descriptor);
	tcase_add_test(tc, test_arguments_that_are_wrong_are_refused);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
