/* SPDX-License-Identifier: MIT */
/*
 * Instances that come and go: used by a second thread while the first is
 * inside, cloned to a thread each, confined to one; strings and contents that
 * several of them share, each without the locks of the others.
 */
#include "config.h"

#include "tests/threads/threads.h"

enum { OPS = 30, SIZE = 3 * 4096 + 256, MAIL = 16 };

static struct rounds rounds;
static mvfs *fs;                   /* the round's */
static mvfs *views[WORKERS_MAX];   /* each thread's, of that round */
static _Thread_local char buffer[RECORD_MAX];

static void write_file(struct worker *w, mvfs *on, const char *path,
		       size_t length)
{
	record_make(w->number, length, buffer);
	done(mvfs_write_file(on, path, buffer, length));
}

static void make_tree(struct worker *w)
{
	done(mvfs_create(NULL, &fs));
	write_file(w, fs, "/fixed", SIZE);
	write_file(w, fs, "/log", RECORD_MIN);
}

static void finish_nothing(struct worker *w)
{
	(void)w;
}

/* Read and overwritten in place, always one record. */
static void use_fixed(struct worker *w, mvfs *on)
{
	int fd = (int)done(mvfs_open(on, "/fixed", O_RDWR, 0));

	if (below(&w->rng, 2)) {
		record_make(w->number, SIZE, buffer);
		that(done(mvfs_pwrite(on, fd, buffer, SIZE, 0)) == SIZE);
	}
	that(done(mvfs_read(on, fd, buffer, sizeof(buffer))) == SIZE);
	that(records_in("/fixed", buffer, SIZE) == 1);
	done(mvfs_close(on, fd));
}

/* Read and appended to, sometimes emptied. */
static void use_log(struct worker *w, mvfs *on)
{
	int fd = (int)done(mvfs_open(on, "/log", O_RDWR | O_APPEND, 0));
	struct record r = record_make(w->number, record_length(&w->rng) / 64 *
				      16 + RECORD_MIN, buffer);
	struct mvfs_string string;

	that(done(mvfs_write(on, fd, buffer, r.length)) ==
	     (int64_t)r.length);
	if (!done(mvfs_fread_string(on, fd, NULL, 0, &string, NULL))) {
		records_in("/log", string.data, string.len);
		mvfs_string_release(&string);
	}
	if (below(&w->rng, 8) == 0)
		done(mvfs_ftruncate(on, fd, 0));
	done(mvfs_close(on, fd));
}

static void use(struct worker *w, mvfs *on)
{
	char path[16];

	switch (below(&w->rng, 3)) {
	case 0:
		use_fixed(w, on);
		break;
	case 1:
		use_log(w, on);
		break;
	default:
		snprintf(path, sizeof(path), "/new%u", w->number);
		write_file(w, on, path, record_length(&w->rng));
	}
}

/* Worker 0 made it; the others come while it is inside; any may be last. */
static void use_first(struct worker *w)
{
	unsigned i;

	while (next_round(w, &rounds, make_tree, finish_nothing)) {
		if (w->number)
			done(mvfs_view(fs, NULL, &views[w->number]));
		else
			views[0] = fs;
		for (i = 0; i < OPS; i++)
			use(w, views[w->number]);
		pthread_barrier_wait(&rounds.barrier);
		if (w->number == 1)
			settled_sum(EXPECT_WHERE(at rest), views[1]);
		done(mvfs_destroy(views[w->number]));
	}
}

static void run_rounds(unsigned count, worker_fn *body)
{
	begin_run(3);
	rounds_init(&rounds, count);
	run_workers(count, body, NULL, NULL);
}

START_TEST(test_a_second_thread_comes_while_the_first_is_inside)
{
	run_rounds(_i ? 4 : 2, use_first);
}
END_TEST

/* The first instance ends while its clones are at work. */
static void clone_to_each(struct worker *w)
{
	unsigned i;

	make_tree(w);
	for (i = 0; i < w->count; i++)
		done(mvfs_clone(fs, &views[i]));
}

static void use_clone(struct worker *w)
{
	mvfs *clone;
	struct sum sum;
	unsigned i;

	while (next_round(w, &rounds, clone_to_each, finish_nothing)) {
		for (i = 0; i < OPS / 2; i++)
			use(w, views[w->number]);
		done(mvfs_clone(views[w->number], &clone));
		if (!w->number)
			done(mvfs_destroy(fs));
		sum = settled_sum(EXPECT_WHERE(clone), clone);
		for (i = 0; i < OPS / 2; i++)
			use(w, views[w->number]);
		that(sum_tree(clone).hash == sum.hash);
		settled_sum(EXPECT_WHERE(at rest), views[w->number]);
		done(mvfs_destroy(views[w->number]));
		done(mvfs_destroy(clone));
	}
}

START_TEST(test_clones_change_without_locks_in_common)
{
	run_rounds(_i ? 4 : 2, use_clone);
}
END_TEST

/* Strings on their way from any thread to any other. */
static struct {
	pthread_mutex_t mutex;
	struct mvfs_string string[MAIL];
	uint64_t hash[MAIL];
} mail = { .mutex = PTHREAD_MUTEX_INITIALIZER };

/* Puts one in, {0} too, and takes what was there. */
static struct mvfs_string exchange_mail(struct worker *w,
					struct mvfs_string string)
{
	uint64_t hash = hash_bytes(0, string.data, string.len);
	unsigned i = (unsigned)below(&w->rng, MAIL);
	struct mvfs_string other;
	uint64_t other_hash;

	pthread_mutex_lock(&mail.mutex);
	other = mail.string[i];
	other_hash = mail.hash[i];
	mail.string[i] = string;
	mail.hash[i] = hash;
	pthread_mutex_unlock(&mail.mutex);
	if (other.owner)
		that(hash_bytes(0, other.data, other.len) == other_hash);
	return other;
}

/* A file takes a reference to another thread's bytes, and writes to them. */
static void receive(struct worker *w, mvfs *on, const char *path)
{
	struct mvfs_string string = exchange_mail(w, (struct mvfs_string){ 0 });

	if (!string.owner)
		return;
	done(mvfs_write_string(on, path, &string, NULL, NULL));
	if (below(&w->rng, 2))
		string = exchange_mail(w, string);
	mvfs_string_release(&string);
}

static void send(struct worker *w, mvfs *on, const char *path)
{
	struct mvfs_string string;

	if (done(mvfs_read_string(on, path, NULL, 0, &string, NULL)))
		return;
	records_in(path, string.data, string.len);
	string = exchange_mail(w, string);
	mvfs_string_release(&string);
}

static void use_confined(struct worker *w)
{
	struct mvfs_options options = { .size = sizeof(options) };
	mvfs *on, *clone;
	unsigned i;

	options.flags = MVFS_CONFINED;
	do {
		done(mvfs_create(&options, &on));
		write_file(w, on, "/fixed", SIZE);
		write_file(w, on, "/log", RECORD_MIN);
		for (i = 0; i < OPS; i++) {
			receive(w, on, "/log");
			use(w, on);
			send(w, on, below(&w->rng, 2) ? "/log" : "/fixed");
		}
		done(mvfs_clone(on, &clone));
		settled_sum(EXPECT_WHERE(at rest), on);
		done(mvfs_destroy(on));
		use(w, clone);
		settled_sum(EXPECT_WHERE(clone), clone);
		done(mvfs_destroy(clone));
	} while (going());
}

START_TEST(test_strings_go_between_confined_instances)
{
	unsigned i;

	begin_run(3);
	run_workers(_i ? 4 : 2, use_confined, NULL, NULL);
	for (i = 0; i < MAIL; i++) {
		struct mvfs_string *string = &mail.string[i];

		ck_assert(!string->owner || mail.hash[i] ==
			  hash_bytes(0, string->data, string->len));
		mvfs_string_release(string);
	}
}
END_TEST

void add_life_tests(Suite *suite)
{
	TCase *tests = threads_tcase(suite, "life");

	tcase_add_loop_test(tests,
		test_a_second_thread_comes_while_the_first_is_inside, 0, 2);
	tcase_add_loop_test(tests, test_clones_change_without_locks_in_common,
			    0, 2);
	tcase_add_loop_test(tests, test_strings_go_between_confined_instances,
			    0, 2);
}
