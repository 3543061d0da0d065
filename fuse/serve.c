// SPDX-License-Identifier: MIT
/*
 * The threads that serve a mount. Each reads a request, serves it, and reads
 * the next; when the last idle one gets a request, another is started.
 *
 * fuse_session_loop_mt() was rejected: it ends only when the kernel closes
 * the connection, which does not happen while another mount namespace or an
 * open file holds the file system, so a mount in use could not be ended by
 * its owner. Here the owner ends it: reading is the one place where a worker
 * can be cancelled. (No function from there down to the thread's first has a
 * variable whose address is taken: AddressSanitizer would find what it put
 * around these on the stack when the thread is gone.)
 */
#include <config.h>

#include "fuse/adapter.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <utlist.h>

struct mvfs__worker {
	struct mvfs_mount *mount;
	struct fuse_buf request;
	pthread_t thread;
	struct mvfs__worker *next;
};

static void *work(void *data);

/* With mount->lock, all signals blocked. */
static int start_worker(struct mvfs_mount *mount)
{
	struct mvfs__worker *worker = calloc(1, sizeof *worker);
	int r;

	if (!worker)
		return -ENOMEM;
	worker->mount = mount;
	r = pthread_create(&worker->thread, NULL, work, worker);
	if (r) {
		free(worker);
		return -r;
	}
	LL_PREPEND(mount->workers, worker);
	mount->worker_count++;
	mount->idle++;
	return 0;
}

static void begin_request(struct mvfs_mount *mount)
{
	pthread_mutex_lock(&mount->lock);
	/* Where no further thread can be had, fewer do. */
	if (!--mount->idle && !mount->ending &&
	    mount->worker_count < mount->max_threads)
		start_worker(mount);
	pthread_mutex_unlock(&mount->lock);
}

static void end_request(struct mvfs_mount *mount)
{
	pthread_mutex_lock(&mount->lock);
	mount->idle++;
	pthread_mutex_unlock(&mount->lock);
}

/* > 0: a request; 0: the kernel closed the connection. */
static int receive(struct mvfs__worker *worker)
{
	int r;

	do {
		pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
		r = fuse_session_receive_buf(worker->mount->session,
					     &worker->request);
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	} while (r == -EINTR || r == -EAGAIN);
	return r;
}

static void *work(void *data)
{
	struct mvfs__worker *worker = data;
	struct mvfs_mount *mount = worker->mount;
	int r;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	while ((r = receive(worker)) > 0) {
		begin_request(mount);
		fuse_session_process_buf(mount->session, &worker->request);
		end_request(mount);
		/* INIT was of no use. */
		if (fuse_session_exited(mount->session)) {
			r = -EPROTO;
			break;
		}
	}
	if (r < 0)
		atomic_store(&mount->failed, 1);
	atomic_store(&mount->gone, 1);
	sem_post(&mount->over);
	return NULL;
}

int mvfs__serve_start(struct mvfs_mount *mount)
{
	sigset_t all, before;
	int r;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_mutex_lock(&mount->lock);
	r = start_worker(mount);
	pthread_mutex_unlock(&mount->lock);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return r;
}

void mvfs__serve_stop(struct mvfs_mount *mount)
{
	struct mvfs__worker *worker, *next;

	pthread_mutex_lock(&mount->lock);
	mount->ending = 1;
	pthread_mutex_unlock(&mount->lock);
	/* The list does not change any more. */
	LL_FOREACH(mount->workers, worker)
		pthread_cancel(worker->thread);
	LL_FOREACH_SAFE(mount->workers, worker, next) {
		pthread_join(worker->thread, NULL);
		free(worker->request.mem);
		free(worker);
	}
	mount->workers = NULL;
}
