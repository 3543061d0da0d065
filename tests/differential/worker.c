/* SPDX-License-Identifier: MIT */
/*
 * What a side is told to do, on a thread of its own where it needs one: two
 * kernel sides in one process must not share descriptors and ids.
 */
#include "config.h"

#include "oracle.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct job {
	void (*run)(struct side *side, struct job *job);
	const struct op *op;
	struct report *report;
	struct dump *dump;
	bool audit;
	int ret;
};

struct worker {
	pthread_t thread;
	sem_t go, done;
	struct job *job;
	struct side *side;
};

static void *serve(void *arg)
{
	struct worker *w = arg;

	for (;;) {
		while (sem_wait(&w->go) < 0)
			;
		if (!w->job)
			return NULL;
		w->job->run(w->side, w->job);
		sem_post(&w->done);
	}
}

static void have_done(struct side *side, struct job *job)
{
	struct worker *w = side->worker;

	if (!w) {
		job->run(side, job);
		return;
	}
	w->job = job;
	sem_post(&w->go);
	while (sem_wait(&w->done) < 0)
		;
}

static void run_start(struct side *side, struct job *job)
{
	job->ret = side->driver->start(side);
}

static void run_stop(struct side *side, struct job *job)
{
	(void)job;
	side->driver->stop(side);
}

static void run_reset(struct side *side, struct job *job)
{
	(void)job;
	side->driver->reset(side);
}

static void run_step(struct side *side, struct job *job)
{
	look_step(side, job->op, job->report);
}

static void run_dump(struct side *side, struct job *job)
{
	dump_read(side, job->dump, job->audit);
}

struct report *report_new(void)
{
	struct report *report = calloc(1, sizeof(*report));

	if (!report)
		abort();
	report->result.out = malloc(BUFFER);
	report->scratch.out = malloc(BUFFER);
	if (!report->result.out || !report->scratch.out)
		abort();
	return report;
}

void report_free(struct report *report)
{
	if (!report)
		return;
	free(report->result.out);
	free(report->scratch.out);
	free(report);
}

int side_start(struct side *side, bool own_thread)
{
	struct job job = { .run = run_start };
	struct worker *w;

	side->spare = report_new();
	if (own_thread) {
		w = calloc(1, sizeof(*w));
		if (!w)
			return -ENOMEM;
		w->side = side;
		sem_init(&w->go, 0, 0);
		sem_init(&w->done, 0, 0);
		if (pthread_create(&w->thread, NULL, serve, w) != 0) {
			free(w);
			return -EAGAIN;
		}
		side->worker = w;
	}
	have_done(side, &job);
	return job.ret;
}

void side_stop(struct side *side)
{
	struct job job = { .run = run_stop };
	struct worker *w = side->worker;

	have_done(side, &job);
	if (w) {
		w->job = NULL;
		sem_post(&w->go);
		pthread_join(w->thread, NULL);
		sem_destroy(&w->go);
		sem_destroy(&w->done);
		free(w);
		side->worker = NULL;
	}
	report_free(side->spare);
	side->spare = NULL;
}

void side_reset(struct side *side)
{
	struct job job = { .run = run_reset };

	have_done(side, &job);
}

void side_step(struct side *side, const struct op *op, struct report *report)
{
	struct job job = { .run = run_step, .op = op, .report = report };

	have_done(side, &job);
}

void side_dump(struct side *side, struct dump *dump, bool audit)
{
	struct job job = { .run = run_dump, .dump = dump, .audit = audit };

	have_done(side, &job);
}
