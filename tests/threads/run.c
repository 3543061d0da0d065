/* SPDX-License-Identifier: MIT */
/* How threads run, and what they say when something is wrong. */
#include "config.h"

#include "tests/threads/threads.h"

static atomic_uint flaws;
static struct timespec end;

void flaw(const char *where, int error)
{
	if (atomic_fetch_add(&flaws, 1) >= 5)
		return;
	fprintf(stderr, "%s%s%s\n", where, error ? ": " : "",
		error ? mvfs_errno_name(error) : "");
}

bool hold(const char *where, bool condition)
{
	if (!condition)
		flaw(where, 0);
	return condition;
}

int64_t did(const char *where, int64_t result, int error)
{
	if (result < 0 && result != -error)
		flaw(where, (int)result);
	return result;
}

static unsigned full_time_ms(void)
{
	const char *level = getenv("MVFS_CHECK_LEVEL");

	if (!level || !strcmp(level, "check"))
		return 800;
	return !strcmp(level, "ci") ? 60 * 1000 : 600 * 1000;
}

void begin_run(unsigned percent)
{
	uint64_t ms = (uint64_t)full_time_ms() * percent / 100;

	/* at least as long as threads need to meet */
	if (ms < 50)
		ms = 50;
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += (time_t)(ms / 1000);
	end.tv_nsec += (long)(ms % 1000) * 1000000;
	if (end.tv_nsec >= 1000000000) {
		end.tv_sec++;
		end.tv_nsec -= 1000000000;
	}
}

bool going(void)
{
	struct timespec now;

	if (atomic_load_explicit(&flaws, memory_order_relaxed))
		return false;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec < end.tv_sec ||
	       (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec);
}

unsigned flaws_found(void)
{
	return atomic_load(&flaws);
}

void end_run(void)
{
	ck_assert_uint_eq(flaws_found(), 0);
}

void rounds_init(struct rounds *rounds, unsigned count)
{
	rounds->more = true;
	rounds->round = 0;
	ck_assert_int_eq(pthread_barrier_init(&rounds->barrier, NULL, count),
			 0);
}

bool next_round(struct worker *w, struct rounds *rounds, worker_fn *begin,
		worker_fn *finish)
{
	pthread_barrier_wait(&rounds->barrier);
	if (!w->number) {
		if (rounds->round)
			finish(w);
		rounds->more = !rounds->round || going();
		if (rounds->more)
			begin(w);
		rounds->round++;
	}
	pthread_barrier_wait(&rounds->barrier);
	return rounds->more;
}

struct job {
	struct worker worker;
	worker_fn *body;
};

static void *start(void *arg)
{
	struct job *job = arg;

	job->body(&job->worker);
	return NULL;
}

void run_workers(unsigned count, worker_fn *body, mvfs *fs, void *ctx)
{
	struct job jobs[WORKERS_MAX];
	pthread_t threads[WORKERS_MAX];
	uint64_t seed = seed_of_run();
	unsigned i;

	ck_assert_uint_le(count, WORKERS_MAX);
	for (i = 0; i < count; i++) {
		jobs[i].body = body;
		jobs[i].worker = (struct worker){
			.number = i, .count = count, .ctx = ctx,
		};
		jobs[i].worker.rng = seed;
		jobs[i].worker.rng = rng(&jobs[i].worker.rng) + i;
		if (fs)
			ok(mvfs_view(fs, NULL, &jobs[i].worker.fs));
	}
	for (i = 1; i < count; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, start,
						&jobs[i]), 0);
	start(&jobs[0]);
	for (i = 1; i < count; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	for (i = 0; i < count; i++)
		ok(mvfs_destroy(jobs[i].worker.fs));
	end_run();
}

TCase *threads_tcase(Suite *suite, const char *name)
{
	TCase *tcase = tcase_create(name);

	/* waiting for ever is what a lost wake-up looks like */
	tcase_set_timeout(tcase, 60 + 3 * full_time_ms() / 1000);
	suite_add_tcase(suite, tcase);
	return tcase;
}
