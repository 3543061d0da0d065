// SPDX-License-Identifier: MIT
/*
 * Two threads that read strings of different files: of one instance, and of
 * one each. An operation is one string read by each of them.
 */
#include <config.h>

#include "bench/peers/peers.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>

struct reader {
	mvfs *fs;
	const char *path;
	int fd;
};

struct pair {
	struct reader reader[2];
	int by_handle;
	pthread_t thread;
	pthread_barrier_t start, end;
	uint64_t count; /* for the thread; 0: end */
	int result;	/* of the thread */
};

static int read_many(const struct reader *reader, int by_handle,
		     uint64_t count)
{
	struct mvfs_string s;

	for (; count > 0; count--) {
		int result =
			by_handle ? mvfs_fread_string(reader->fs, reader->fd,
						      NULL, 0, &s, NULL)
				  : mvfs_read_string(reader->fs, reader->path,
						     NULL, 0, &s, NULL);

		if (result < 0)
			return result;
		bench_sink(s.data);
		mvfs_string_release(&s);
	}
	return 0;
}

static void *second(void *ctx)
{
	struct pair *pair = ctx;

	for (;;) {
		pthread_barrier_wait(&pair->start);
		if (pair->count == 0)
			return NULL;
		pair->result = read_many(&pair->reader[1], pair->by_handle,
					 pair->count);
		pthread_barrier_wait(&pair->end);
	}
}

static int run_pair(void *ctx, uint64_t count)
{
	struct pair *pair = ctx;
	int result;

	pair->count = count;
	pthread_barrier_wait(&pair->start);
	result = read_many(&pair->reader[0], pair->by_handle, count);
	pthread_barrier_wait(&pair->end);
	return result < 0 ? result : pair->result;
}

static const struct bench_ops by_pair = {NULL, run_pair, NULL};

static int begin(struct pair *pair, mvfs *first, mvfs *other, int by_handle)
{
	static const char *const paths[] = {"/depth/one", "/depth/two"};

	memset(pair, 0, sizeof(*pair));
	pair->by_handle = by_handle;
	for (int i = 0; i < 2; i++) {
		struct reader *reader = &pair->reader[i];

		reader->fs = i == 0 ? first : other;
		reader->path = paths[i];
		reader->fd = mvfs_open(reader->fs, paths[i], O_RDONLY, 0);
		if (reader->fd < 0)
			return reader->fd;
	}
	pthread_barrier_init(&pair->start, NULL, 2);
	pthread_barrier_init(&pair->end, NULL, 2);
	return -pthread_create(&pair->thread, NULL, second, pair);
}

static void end(struct pair *pair)
{
	pair->count = 0;
	pthread_barrier_wait(&pair->start);
	pthread_join(pair->thread, NULL);
	pthread_barrier_destroy(&pair->start);
	pthread_barrier_destroy(&pair->end);
}

static int fill(mvfs **fs)
{
	int result = mvfs_create(NULL, fs);

	if (result == 0)
		result = mvfs_mkdir(*fs, "/depth", 0755);
	if (result == 0)
		result = mvfs_write_file(*fs, "/depth/one", "one", 3);
	if (result == 0)
		result = mvfs_write_file(*fs, "/depth/two", "two", 3);
	return result;
}

int peers_threads(struct peers *p)
{
	static const char *const by[] = {"memvfs path", "memvfs handle"};
	struct bench_row *rows[2][2];
	struct pair pairs[2][2];
	mvfs *fs[3] = {NULL, NULL, NULL};
	size_t begun = 0;
	int result = 0;

	for (int i = 0; i < 3 && result == 0; i++)
		result = fill(&fs[i]);
	for (int handle = 0; handle < 2 && result == 0; handle++)
		for (int each = 0; each < 2 && result == 0; each++) {
			struct pair *pair = &pairs[handle][each];

			result = begin(pair, each ? fs[1] : fs[0],
				       each ? fs[2] : fs[0], handle);
			if (result < 0)
				break;
			begun++;
			rows[handle][each] = peers_row(
				p, each ? "twoThreads.anInstanceEach"
					: "twoThreads.oneInstance",
				by[handle], 3, "ascii", &by_pair, pair);
			peers_bytes(rows[handle][each], 0, 6);
		}
	if (result == 0)
		result = peers_measure(p);
	for (int handle = 0; handle < 2 && result == 0; handle++)
		peers_ratio(p, rows[handle][1], rows[handle][0], BENCH_AT_LEAST,
			    0.9,
			    "two threads, %s: one instance as fast as one "
			    "each",
			    by[handle]);
	for (size_t i = 0; i < begun; i++)
		end(&pairs[i / 2][i % 2]);
	for (int i = 0; i < 3; i++)
		mvfs_destroy(fs[i]);
	return result;
}
