/* SPDX-License-Identifier: MIT */
/* Open files that threads share, and descriptors that they race for. */
#include "config.h"

#include "tests/threads/threads.h"

enum { UNITS = 32768, UNITS_AT_ONCE = 8, FDS = 64, HELD = 5, FILES = 4 };
enum { PER_WRITER = 50, BLOCK = 4096, LIMIT = 40 };

static struct rounds rounds;
static mvfs *fs;
static int shared_fd;
static atomic_uint claimed[UNITS];
static _Thread_local char buffer[RECORD_MAX];

static void begin_reads(struct worker *w)
{
	static uint64_t units[UNITS];
	unsigned i;

	(void)w;
	for (i = 0; i < UNITS; i++) {
		units[i] = i;
		atomic_store(&claimed[i], 0);
	}
	done(mvfs_write_file(fs, "/units", units, sizeof(units)));
	shared_fd = (int)done(mvfs_open(fs, "/units", O_RDONLY, 0));
}

static void finish_reads(struct worker *w)
{
	unsigned i;

	(void)w;
	done(mvfs_close(fs, shared_fd));
	for (i = 0; i < UNITS; i++)
		that(atomic_load(&claimed[i]) == 1);
}

/* By read, readv, or by seeking over them: the range that the offset moved. */
static int64_t take_units(struct worker *w, int fd, uint64_t *units,
			  uint64_t want)
{
	struct mvfs_iovec iov[2] = {
		{ units, 8 }, { units + 1, (size_t)(want - 1) * 8 },
	};
	int64_t end;
	uint64_t i;

	switch (below(&w->rng, 3)) {
	case 0:
		return done(mvfs_read(w->fs, fd, units, (size_t)want * 8));
	case 1:
		return done(mvfs_readv(w->fs, fd, iov, 2));
	default:
		end = done(mvfs_lseek(w->fs, fd, (int64_t)want * 8, SEEK_CUR));
		for (i = 0; i < want; i++)
			units[i] = (uint64_t)end / 8 - want + i;
		return end - (int64_t)want * 8 < UNITS * 8 ?
		       (int64_t)want * 8 : 0;
	}
}

static void read_shared(struct worker *w)
{
	uint64_t units[UNITS_AT_ONCE];
	int64_t n, i;
	int fd;

	while (next_round(w, &rounds, begin_reads, finish_reads)) {
		fd = (int)done(mvfs_dup(w->fs, shared_fd));
		do {
			n = take_units(w, fd, units, 1 + below(&w->rng,
							UNITS_AT_ONCE));
			for (i = 0; i < n / 8; i++)
				if (units[i] < UNITS)
					atomic_fetch_add(&claimed[units[i]],
							 1);
		} while (n > 0);
		done(mvfs_close(w->fs, fd));
	}
}

START_TEST(test_each_byte_of_a_shared_offset_is_read_by_one_thread)
{
	unsigned count = _i ? 4 : 2;

	ok(mvfs_create(NULL, &fs));
	begin_run(2);
	rounds_init(&rounds, count);
	run_workers(count, read_shared, fs, NULL);
	settled_sum(EXPECT_WHERE(end), fs);
	end_run();
	ok(mvfs_destroy(fs));
}
END_TEST

static void begin_writes(struct worker *w)
{
	(void)w;
	shared_fd = (int)done(mvfs_open(fs, "/log", O_CREAT | O_RDWR |
					O_TRUNC, 0644));
}

/* Every record is there, those of each writer in their order. */
static void finish_writes(struct worker *w)
{
	int last[WORKERS_MAX] = { 0 };
	struct mvfs_string string;
	struct record r = { 0 };
	unsigned count = 0;
	size_t at;

	done(mvfs_close(fs, shared_fd));
	if (done(mvfs_read_string(fs, "/log", NULL, 0, &string, NULL)))
		return;
	for (at = 0; at < string.len; at += r.length, count++) {
		if (!that(record_parse(string.data + at, string.len - at, &r)))
			break;
		that(last[r.writer] < (int)r.seq + 1);
		last[r.writer] = (int)r.seq + 1;
	}
	that(count == w->count * PER_WRITER);
	mvfs_string_release(&string);
}

static void write_record(struct worker *w, int fd, bool appends)
{
	struct record r = record_make(w->number, record_length(&w->rng),
				      buffer);
	struct mvfs_iovec iov[2] = {
		{ buffer, 40 }, { buffer + 40, r.length - 40 },
	};
	int64_t n;

	if (below(&w->rng, 2))
		n = mvfs_writev(w->fs, fd, iov, 2);
	else if (appends && below(&w->rng, 2))
		n = mvfs_pwrite(w->fs, fd, buffer, r.length, 0);
	else
		n = mvfs_write(w->fs, fd, buffer, r.length);
	that(done(n) == (int64_t)r.length);
}

/* In turn: one open file with its offset, and one each that appends. */
static void write_shared(struct worker *w)
{
	unsigned i;
	bool appends;
	int fd;

	while (next_round(w, &rounds, begin_writes, finish_writes)) {
		appends = rounds.round % 2;
		if (appends)
			fd = (int)done(mvfs_open(w->fs, "/log", O_WRONLY |
						 O_APPEND, 0));
		else
			fd = (int)done(mvfs_dup(w->fs, shared_fd));
		for (i = 0; i < PER_WRITER; i++)
			write_record(w, fd, appends);
		done(mvfs_close(w->fs, fd));
	}
}

START_TEST(test_writes_to_one_file_never_overlap)
{
	unsigned count = _i ? 4 : 2;

	ok(mvfs_create(NULL, &fs));
	begin_run(2);
	rounds_init(&rounds, count);
	run_workers(count, write_shared, fs, NULL);
	settled_sum(EXPECT_WHERE(end), fs);
	end_run();
	ok(mvfs_destroy(fs));
}
END_TEST

/* Descriptors of one thread, and what each is of. */
struct held {
	int fd[HELD];
	uint64_t ino[HELD];
	unsigned count;
};

static atomic_uint owner[FDS];

/* A number that is open belongs to the thread that got it. */
static void got(struct worker *w, struct held *held, int fd, uint64_t ino)
{
	if (!that(fd >= 0 && fd < FDS))
		return;
	that(!atomic_exchange(&owner[fd], w->number + 1));
	held->fd[held->count] = fd;
	held->ino[held->count++] = ino;
}

static uint64_t ino_of(struct worker *w, int fd)
{
	struct mvfs_stat st = { 0 };

	done(mvfs_fstat(w->fs, fd, &st));
	return st.ino;
}

static void open_one(struct worker *w, struct held *held)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/file%u", (unsigned)below(&w->rng,
								FILES));
	switch (below(&w->rng, 4)) {
	case 0:
		fd = (int)done(mvfs_open(w->fs, "/", O_TMPFILE | O_RDWR,
					 0600));
		break;
	case 1:
		fd = (int)done(mvfs_open(w->fs, path, O_CREAT | O_RDWR,
					 0600));
		if (below(&w->rng, 2))
			done_or(mvfs_unlink(w->fs, path), ENOENT);
		break;
	default:
		fd = (int)done_or(mvfs_open(w->fs, path, O_RDWR, 0), ENOENT);
		if (fd < 0)
			return;
	}
	done(mvfs_pwrite(w->fs, fd, path, 6, (int64_t)below(&w->rng, 99999)));
	got(w, held, fd, ino_of(w, fd));
}

static void dup_one(struct worker *w, struct held *held)
{
	unsigned i = (unsigned)below(&w->rng, held->count);
	unsigned j = (unsigned)below(&w->rng, held->count);

	if (held->count < HELD) {
		got(w, held, (int)done(mvfs_dup(w->fs, held->fd[i])),
		    held->ino[i]);
		return;
	}
	that(done(mvfs_dup2(w->fs, held->fd[i], held->fd[j])) == held->fd[j]);
	held->ino[j] = held->ino[i];
}

static void close_one(struct worker *w, struct held *held)
{
	unsigned i = (unsigned)below(&w->rng, held->count);
	int fd = held->fd[i];

	that(ino_of(w, fd) == held->ino[i]);
	that(atomic_exchange(&owner[fd], 0) == w->number + 1);
	done(mvfs_close(w->fs, fd));
	held->count--;
	held->fd[i] = held->fd[held->count];
	held->ino[i] = held->ino[held->count];
}

static void open_and_close(struct worker *w)
{
	struct held held = { .count = 0 };

	do {
		if (held.count && below(&w->rng, 3) == 0)
			dup_one(w, &held);
		else if (held.count < HELD && below(&w->rng, 2))
			open_one(w, &held);
		else if (held.count)
			close_one(w, &held);
	} while (going());
	while (held.count)
		close_one(w, &held);
}

START_TEST(test_a_descriptor_is_of_the_thread_that_opened_it)
{
	int fd;

	ok(mvfs_create(NULL, &fs));
	begin_run(3);
	run_workers(_i ? 4 : 2, open_and_close, fs, NULL);
	settled_sum(EXPECT_WHERE(end), fs);
	fd = (int)ok(mvfs_open(fs, "/new", O_CREAT | O_RDWR, 0600));
	ck_assert_int_eq(fd, 0);
	end_run();
	ok(mvfs_destroy(fs));
}
END_TEST

static void check_used(struct worker *w)
{
	struct mvfs_statfs st;

	done(mvfs_statfs(w->fs, &st));
	that(st.blocks_used <= st.blocks);
}

static void use_blocks(struct worker *w, const char *path, int fd)
{
	int64_t at = (int64_t)below(&w->rng, 2 * LIMIT * BLOCK);
	size_t len = 1 + below(&w->rng, LIMIT * BLOCK);

	switch (below(&w->rng, 7)) {
	case 0:
		done(mvfs_ftruncate(w->fs, fd, at));
		break;
	case 1:
		done(mvfs_fallocate(w->fs, fd, MVFS_PUNCH_HOLE |
				    MVFS_KEEP_SIZE, at, (int64_t)len));
		break;
	case 2:
		done_or(mvfs_fallocate(w->fs, fd, 0, at, (int64_t)len),
			ENOSPC);
		break;
	case 3:
		done_or(mvfs_write_file(w->fs, path, buffer, len), ENOSPC);
		break;
	case 4:
		done_or(mvfs_copy_file_range(w->fs, shared_fd,
					     &(int64_t){ 0 }, fd,
					     &(int64_t){ at / BLOCK * BLOCK },
					     len, 0), ENOSPC);
		break;
	default:
		done_or(mvfs_pwrite(w->fs, fd, buffer, len, at), ENOSPC);
	}
}

static void fill_and_free(struct worker *w)
{
	char path[32];
	int fd;

	do {
		snprintf(path, sizeof(path), "/file%u",
			 (unsigned)below(&w->rng, FILES));
		fd = (int)done(mvfs_open(w->fs, path, O_CREAT | O_RDWR, 0644));
		if (below(&w->rng, 4) == 0)
			done_or(mvfs_unlink(w->fs, path), ENOENT);
		use_blocks(w, path, fd);
		check_used(w);
		done(mvfs_close(w->fs, fd));
		check_used(w);
	} while (going());
}

START_TEST(test_what_is_used_is_counted_and_limited)
{
	struct mvfs_options options = { .size = sizeof(options) };
	struct mvfs_statfs st;
	char path[32];
	unsigned i;

	options.max_bytes = LIMIT * BLOCK;
	ok(mvfs_create(&options, &fs));
	shared_fd = (int)ok(mvfs_open(fs, "/source", O_CREAT | O_RDWR, 0600));
	ok(mvfs_pwrite(fs, shared_fd, "x", 1, 3 * BLOCK));
	ok(mvfs_ftruncate(fs, shared_fd, LIMIT * BLOCK));
	begin_run(3);
	run_workers(_i ? 4 : 2, fill_and_free, fs, NULL);
	settled_sum(EXPECT_WHERE(end), fs);
	for (i = 0; i < FILES; i++) {
		snprintf(path, sizeof(path), "/file%u", i);
		done_or(mvfs_unlink(fs, path), ENOENT);
	}
	ok(mvfs_statfs(fs, &st));
	ck_assert_uint_eq(st.blocks_used, 1);
	end_run();
	ok(mvfs_destroy(fs));
}
END_TEST

void add_descriptor_tests(Suite *suite)
{
	TCase *tests = threads_tcase(suite, "descriptors");

	tcase_add_loop_test(tests,
		test_each_byte_of_a_shared_offset_is_read_by_one_thread, 0, 2);
	tcase_add_loop_test(tests, test_writes_to_one_file_never_overlap, 0,
			    2);
	tcase_add_loop_test(tests,
		test_a_descriptor_is_of_the_thread_that_opened_it, 0, 2);
	tcase_add_loop_test(tests, test_what_is_used_is_counted_and_limited, 0,
			    2);
}
