/* SPDX-License-Identifier: MIT */
/*
 * A few open files that all threads read and write all the time, by calls
 * that share the instance: nothing but the files' own locks orders them. (The
 * storm has so many changes of names that these order almost all else.)
 */
#include "config.h"

#include "tests/threads/threads.h"

enum { SIZE = 2 * 4096 + 512, SLOT = 8192, SLOTS = 20, LOG_MAX = 512 * 1024 };
/* What has slots is so long that a write to what a string holds splits it. */
enum { KEPT = 8, FILES = 4 };
enum file { WHOLE, COPY, SLOTTED, LOG };

static const char *const path[FILES] = { "/whole", "/copy", "/slots", "/log" };

/* What a thread has in hand. */
struct hand {
	struct worker *w;
	int fd[FILES];
	struct mvfs_string kept[KEPT];
	uint64_t hash[KEPT];
	unsigned seq[SLOTS]; /* of what it wrote last to its own slots */
	bool wrote[SLOTS];
};

static _Thread_local char buffer[LOG_MAX + WORKERS_MAX * 512];

/* Every SLOTS / count-th slot is written to by this thread alone. */
static unsigned own_slot(struct hand *h)
{
	struct worker *w = h->w;

	return (unsigned)below(&w->rng, SLOTS / w->count) * w->count +
	       w->number;
}

/* What one has written is there until one writes again. */
static void check_own_slot(struct hand *h, const char *bytes)
{
	unsigned slot = own_slot(h);
	struct record r;

	if (that(record_parse(bytes + slot * SLOT, SLOT, &r)) &&
	    h->wrote[slot])
		that(r.writer == h->w->number && r.seq == h->seq[slot]);
}

static void check_content(struct hand *h, enum file file, const char *bytes,
			  size_t length)
{
	int count = records_in(path[file], bytes, length);

	if (file == LOG)
		return;
	if (file == SLOTTED && count == SLOTS)
		check_own_slot(h, bytes);
	that(count == (file == SLOTTED ? SLOTS : 1));
	that(length == (file == SLOTTED ? SLOTS * SLOT : SIZE));
}

static unsigned write_record(struct hand *h, enum file file, int64_t at,
			     size_t length)
{
	struct record r;
	size_t cut = 1 + below(&h->w->rng, length - 1);
	struct mvfs_iovec iov[2] = {
		{ buffer, cut }, { buffer + cut, length - cut },
	};

	r = record_make(h->w->number, length, buffer);
	that(done(mvfs_pwritev(h->w->fs, h->fd[file], iov, 2, at)) ==
	     (int64_t)length);
	return r.seq;
}

static void write_own_slot(struct hand *h)
{
	unsigned slot = own_slot(h);

	h->seq[slot] = write_record(h, SLOTTED, (int64_t)slot * SLOT, SLOT);
	h->wrote[slot] = true;
}

static void append(struct hand *h)
{
	struct mvfs_stat st = { 0 };

	write_record(h, LOG, 0, RECORD_MIN + below(&h->w->rng, 28) * 16);
	done(mvfs_fstat(h->w->fs, h->fd[LOG], &st));
	if (st.size > LOG_MAX)
		done(mvfs_ftruncate(h->w->fs, h->fd[LOG], 0));
}

static void keep(struct hand *h, const struct mvfs_string *string)
{
	unsigned i = (unsigned)below(&h->w->rng, KEPT);
	struct mvfs_string *kept = &h->kept[i];

	if (kept->owner)
		that(hash_bytes(0, kept->data, kept->len) == h->hash[i]);
	mvfs_string_release(kept);
	*kept = *string;
	h->hash[i] = hash_bytes(0, string->data, string->len);
}

static void read_string(struct hand *h, enum file file)
{
	struct mvfs_string string;
	mvfs *fs = h->w->fs;
	int rc;

	switch (below(&h->w->rng, 3)) {
	case 0:
		rc = mvfs_read_string(fs, path[file], NULL, 0, &string, NULL);
		break;
	case 1:
		rc = mvfs_fread_string(fs, h->fd[file], NULL, 0, &string,
				       NULL);
		break;
	default:
		rc = mvfs_read_file(fs, path[file], &string);
	}
	if (done(rc))
		return;
	check_content(h, file, string.data, string.len);
	keep(h, &string);
}

static void read_bytes(struct hand *h, enum file file)
{
	int64_t n = done(mvfs_pread(h->w->fs, h->fd[file], buffer,
				    sizeof(buffer), 0));

	check_content(h, file, buffer, (size_t)n);
}

static void copy(struct hand *h)
{
	int64_t from = 0, to = 0;

	that(done(mvfs_copy_file_range(h->w->fs, h->fd[WHOLE], &from,
				       h->fd[COPY], &to, SIZE, 0)) == SIZE);
}

static void look(struct hand *h, enum file file)
{
	int64_t end = done(mvfs_lseek(h->w->fs, h->fd[file], 0, SEEK_END));
	struct mvfs_stat st = { 0 };
	struct mvfs_statfs sum;

	done(mvfs_stat(h->w->fs, path[file], &st));
	if (file != LOG)
		that((uint64_t)end == st.size);
	that(st.blocks == (st.size + 4095) / 4096 * 8);
	that(done_or(mvfs_lseek(h->w->fs, h->fd[file], 0, SEEK_DATA),
		     ENXIO) <= 0);
	done(mvfs_statfs(h->w->fs, &sum));
}

/* One count that all threads change: so often that none may be lost. */
static void share_often(struct hand *h)
{
	struct mvfs_string string, other;
	unsigned i;

	for (i = 0; i < 200; i++) {
		if (done(mvfs_read_file(h->w->fs, path[COPY], &string)))
			return;
		other = mvfs_string_share(&string);
		mvfs_string_release(&string);
		mvfs_string_release(&other);
	}
}

static void act(struct hand *h)
{
	enum file file = (enum file)below(&h->w->rng, FILES);

	switch (below(&h->w->rng, 11)) {
	case 0: case 1:
		write_record(h, file == WHOLE ? WHOLE : COPY, 0, SIZE);
		break;
	case 2: case 3:
		write_own_slot(h);
		break;
	case 4:
		append(h);
		break;
	case 5:
		copy(h);
		break;
	case 6:
		look(h, file);
		break;
	case 7:
		read_bytes(h, file);
		break;
	case 8:
		share_often(h);
		break;
	default:
		read_string(h, file);
	}
}

static void be_hot(struct worker *w)
{
	struct hand h = { .w = w };
	unsigned i;

	for (i = 0; i < FILES; i++)
		h.fd[i] = (int)done(mvfs_open(w->fs, path[i], O_RDWR |
					      (i == LOG ? O_APPEND : 0), 0));
	do
		act(&h);
	while (going());
	for (i = 0; i < FILES; i++)
		done(mvfs_close(w->fs, h.fd[i]));
	for (i = 0; i < KEPT; i++)
		keep(&h, &(struct mvfs_string){ 0 });
	for (i = 0; i < KEPT; i++)
		mvfs_string_release(&h.kept[i]);
}

static void fill(mvfs *fs)
{
	unsigned i;

	record_make(0, SIZE, buffer);
	ok(mvfs_write_file(fs, "/whole", buffer, SIZE));
	ok(mvfs_write_file(fs, "/copy", buffer, SIZE));
	for (i = 0; i < SLOTS; i++)
		record_make(0, SLOT, buffer + i * SLOT);
	ok(mvfs_write_file(fs, "/slots", buffer, SLOTS * SLOT));
	ok(mvfs_write_file(fs, "/log", NULL, 0));
}

START_TEST(test_what_is_read_of_a_file_is_of_one_moment)
{
	mvfs *fs;

	ok(mvfs_create(NULL, &fs));
	fill(fs);
	begin_run(6);
	run_workers(_i ? 4 : 2, be_hot, fs, NULL);
	settled_sum(EXPECT_WHERE(end), fs);
	end_run();
	ok(mvfs_destroy(fs));
}
END_TEST

void add_hot_tests(Suite *suite)
{
	TCase *tests = threads_tcase(suite, "hot");

	tcase_add_loop_test(tests,
			    test_what_is_read_of_a_file_is_of_one_moment, 0,
			    2);
}
