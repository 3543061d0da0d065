/* SPDX-License-Identifier: MIT */
/*
 * Nothing is decoded, classified, gathered or copied out of a file under a
 * lock: a slow reader holds nobody up.
 *
 * The reader is made slow by memory: the file's bytes, or the string's, are
 * pages that cannot be read. The first touch is a SIGSEGV, whose handler
 * waits until a writer, on another thread, has done what needs each lock
 * exclusively; then it lets the reader go on. Where a lock is held, the
 * writer does not finish, and the handler gives up waiting: a failure.
 */
#include "config.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>

#include "tests/core.h"

/* So large that a write in the middle copies nothing of what is around it. */
enum { LENGTH = 4 << 20, MIDDLE = LENGTH / 2, PATIENCE = 5 };

static char *memory; /* LENGTH bytes that can be made slow */
static sem_t touched, written;
static pthread_t reader;
static atomic_int in_vain, by_writer;

static void wait_for(sem_t *semaphore, atomic_int *given_up)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE;
	while (sem_timedwait(semaphore, &until)) {
		if (errno == EINTR)
			continue;
		atomic_store(given_up, 1);
		return;
	}
}

static void on_touch(int number, siginfo_t *info, void *context)
{
	const char *at = info->si_addr;

	(void)context;
	if (at < memory || at >= memory + LENGTH) {
		signal(number, SIG_DFL);
		return;
	}
	if (pthread_equal(pthread_self(), reader)) {
		sem_post(&touched);
		wait_for(&written, &in_vain);
	} else {
		atomic_store(&by_writer, 1);
	}
	mprotect(memory, LENGTH, PROT_READ | PROT_WRITE);
}

static void start(void)
{
	struct sigaction action = {
		.sa_sigaction = on_touch, .sa_flags = SA_SIGINFO,
	};

	core_start();
	memory = mmap(NULL, LENGTH, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert(memory != MAP_FAILED);
	sem_init(&touched, 0, 0);
	sem_init(&written, 0, 0);
	atomic_store(&in_vain, 0);
	atomic_store(&by_writer, 0);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
}

static void end(void)
{
	core_end();
	munmap(memory, LENGTH);
	sem_destroy(&touched);
	sem_destroy(&written);
}

/* What the slow call gave. */
static struct mvfs_string string;
static struct mvfs_lines lines;
static char *copied;
static int64_t result;

static void fill(const char *text)
{
	size_t length = strlen(text), i;

	for (i = 0; i < LENGTH; i++)
		memory[i] = text[i % length];
}

/* The file /f is the slow memory. */
static void adopt(const char *text)
{
	fill(text);
	ok(mvfs_write_adopt(fs, "/f", memory, LENGTH, NULL, NULL));
}

static void write_block(const char *path, int64_t offset)
{
	static const char block[4096] = "written";
	int fd = (int)ok(mvfs_open(fs, path, O_RDWR, 0));

	ok(mvfs_pwrite(fs, fd, block, sizeof(block), offset));
	ok(mvfs_close(fs, fd));
}

static void make_text(void)
{
	adopt("0123456789abcde\n");
}

static void make_chinese(void)
{
	adopt("\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0z");
}

static void make_gbk(void)
{
	adopt("\xc4\xe3\xba\xc3");
}

static void make_pieces(void)
{
	make_text();
	write_block("/f", MIDDLE + 100 * 4096);
}

/* More than a read has references for. */
static void make_many_pieces(void)
{
	int64_t i;

	make_text();
	for (i = 1; i < 10; i++)
		write_block("/f", i * 80 * 4096);
}

static void make_memory(void)
{
	fill("0123456789abcde\n");
	ok(mvfs_write_file(fs, "/f", memory, LENGTH));
}

static void read_text(void)
{
	result = mvfs_read_string(fs, "/f", NULL, 0, &string, NULL);
}

static void read_gbk(void)
{
	result = mvfs_read_string(fs, "/f", mvfs_charset("GBK"), 0, &string,
				  NULL);
}

static void read_lines(void)
{
	result = mvfs_read_lines(fs, "/f", NULL, 0, 5, 10, &lines, NULL);
}

static void copy_out(void)
{
	int fd = (int)ok(mvfs_open(fs, "/f", O_RDONLY, 0));

	copied = malloc(LENGTH);
	result = mvfs_pread(fs, fd, copied, LENGTH, 0);
	ok(mvfs_close(fs, fd));
}

static void copy_out_own_offset(void)
{
	int fd = (int)ok(mvfs_open(fs, "/f", O_RDONLY, 0));

	copied = malloc(LENGTH);
	result = mvfs_read(fs, fd, copied, LENGTH);
	ok(mvfs_close(fs, fd));
}

static struct mvfs_string lent(void)
{
	return (struct mvfs_string){ .data = memory, .len = LENGTH };
}

static void write_text(void)
{
	const struct mvfs_string s = lent();

	result = mvfs_write_string(fs, "/g", &s, NULL, NULL);
}

static void write_utf16(void)
{
	const struct mvfs_string s = lent();

	result = mvfs_write_string(fs, "/g", &s, mvfs_charset("UTF-16LE"),
				   NULL);
}

static void write_bytes(void)
{
	result = mvfs_write_file(fs, "/g", memory, LENGTH);
}

static void append_text(void)
{
	const struct mvfs_string s = lent();

	result = mvfs_append_string(fs, "/f", &s, NULL, NULL);
}

static const struct slow {
	const char *name;
	void (*prepare)(void);
	void (*run)(void);
	int64_t result;
} slow[] = {
	{ "classifying ASCII", make_text, read_text, 0 },
	{ "classifying UTF-8", make_chinese, read_text, 0 },
	{ "decoding", make_gbk, read_gbk, 0 },
	{ "reading lines", make_text, read_lines, 0 },
	{ "gathering", make_pieces, read_text, 0 },
	{ "copying out", make_text, copy_out, LENGTH },
	{ "copying pieces out", make_pieces, copy_out_own_offset, LENGTH },
	{ "copying many pieces", make_many_pieces, copy_out, LENGTH },
	{ "writing a string", make_memory, write_text, 0 },
	{ "encoding", make_memory, write_utf16, 0 },
	{ "writing a file", make_memory, write_bytes, 0 },
	{ "appending a string", make_memory, append_text, 0 },
};

static void *run(void *arg)
{
	const struct slow *s = arg;

	reader = pthread_self();
	s->run();
	return NULL;
}

/* Names, modes, data: each lock, exclusively, and of the same file. */
static void write_meanwhile(void)
{
	write_block("/f", MIDDLE);
	ok(mvfs_mkdir(fs, "/dir", 0755));
	ok(mvfs_chmod(fs, "/f", 0600));
	ok(mvfs_rename(fs, "/f", "/h"));
	ok(mvfs_write_file(fs, "/h", "new", 3));
	ok(mvfs_rename(fs, "/h", "/f"));
}

START_TEST(test_a_writer_finishes_during)
{
	const struct slow *s = &slow[_i];
	atomic_int untouched = 0;
	pthread_t thread;

	result = INT64_MIN;
	s->prepare();
	mprotect(memory, LENGTH, PROT_NONE);
	ck_assert_int_eq(pthread_create(&thread, NULL, run,
					(void *)(uintptr_t)s), 0);
	wait_for(&touched, &untouched);
	if (!atomic_load(&untouched))
		write_meanwhile();
	sem_post(&written);
	pthread_join(thread, NULL);
	ck_assert_msg(!atomic_load(&untouched), "%s: never looked", s->name);
	ck_assert_msg(!atomic_load(&in_vain), "%s under a lock", s->name);
	ck_assert_msg(!atomic_load(&by_writer),
		      "%s: the writer copied more than it wrote", s->name);
	ck_assert_msg(result == s->result, "%s: %lld", s->name,
		      (long long)result);
	/* what was read is what was there when it began */
	if (copied)
		ck_assert_mem_eq(copied + MIDDLE, memory + MIDDLE, 4096);
	if (string.data && string.len == LENGTH)
		ck_assert_mem_eq(string.data + MIDDLE, memory + MIDDLE, 4096);
	ck_assert_uint_eq(lines.count, lines.line ? 10 : 0);
	mvfs_string_release(&string);
	mvfs_lines_release(&lines);
	free(copied);
	copied = NULL;
}
END_TEST

/* Valgrind keeps not all registers when memory faults in mid-copy, so what
 * goes on behind the handler goes astray. It is preloaded. */
static bool runs_in_valgrind(void)
{
	const char *preloaded = getenv("LD_PRELOAD");

	return preloaded && strstr(preloaded, "vgpreload");
}

int main(void)
{
	Suite *suite = suite_create("fs: locks and text");
	TCase *tests = tcase_create("slow");

	if (runs_in_valgrind()) {
		printf("skipped: valgrind cannot go on where memory faults\n");
		return 77;
	}
	tcase_add_checked_fixture(tests, start, end);
	tcase_add_loop_test(tests, test_a_writer_finishes_during, 0,
			    (int)(sizeof(slow) / sizeof(slow[0])));
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
