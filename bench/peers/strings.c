// SPDX-License-Identifier: MIT
/* Strings of known text, beside the price of the reference that they are. */
#include <config.h>

#include "bench/peers/peers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

static const size_t lengths[] = {0, 1024, 8192, 1 << 20, 32 << 20};
enum { LENGTHS = sizeof(lengths) / sizeof(lengths[0]) };

struct known {
	mvfs *fs;
	char path[32];
	int fd;
	struct mvfs_string string;
};

static int run_path(void *ctx, uint64_t count)
{
	struct known *known = ctx;
	struct mvfs_string s;

	for (; count > 0; count--) {
		if (mvfs_read_string(known->fs, known->path, NULL, 0, &s,
				     NULL) < 0)
			return -EIO;
		bench_sink(s.data);
		mvfs_string_release(&s);
	}
	return 0;
}

static int run_handle(void *ctx, uint64_t count)
{
	struct known *known = ctx;
	struct mvfs_string s;

	for (; count > 0; count--) {
		if (mvfs_fread_string(known->fs, known->fd, NULL, 0, &s,
				      NULL) < 0)
			return -EIO;
		bench_sink(s.data);
		mvfs_string_release(&s);
	}
	return 0;
}

static int run_reference(void *ctx, uint64_t count)
{
	struct known *known = ctx;
	struct mvfs_string s;

	for (; count > 0; count--) {
		s = mvfs_string_share(&known->string);
		bench_sink(s.data);
		mvfs_string_release(&s);
	}
	return 0;
}

static const struct bench_ops by_path = {NULL, run_path, NULL};
static const struct bench_ops by_handle = {NULL, run_handle, NULL};
static const struct bench_ops by_reference = {NULL, run_reference, NULL};

static int make(struct known *known, mvfs *fs, size_t length)
{
	char *bytes = malloc(length + 1);
	int result;

	if (bytes == NULL)
		return -ENOMEM;
	memset(bytes, 'a', length);
	known->fs = fs;
	snprintf(known->path, sizeof(known->path), "/depth/%zu", length);
	result = mvfs_write_file(fs, known->path, bytes, length);
	free(bytes);
	if (result < 0)
		return result;
	known->fd = mvfs_open(fs, known->path, O_RDONLY, 0);
	if (known->fd < 0)
		return known->fd;
	return mvfs_read_string(fs, known->path, NULL, 0, &known->string,
				NULL);
}

static int measure(struct peers *p, struct known known[LENGTHS])
{
	struct bench_row *path[LENGTHS], *handle[LENGTHS], *reference;
	int result;

	reference = peers_row(p, "reference", "memvfs", SIZE_MAX, "-",
			      &by_reference, &known[1]);
	peers_bytes(reference, 0, 0);
	for (size_t i = 0; i < LENGTHS; i++) {
		path[i] = peers_row(p, "readString.again", "memvfs path",
				    lengths[i], "ascii", &by_path, &known[i]);
		handle[i] = peers_row(p, "readString.again", "memvfs handle",
				      lengths[i], "ascii", &by_handle,
				      &known[i]);
		peers_bytes(path[i], 0, (double)lengths[i]);
		peers_bytes(handle[i], 0, (double)lengths[i]);
	}
	result = peers_measure(p);
	for (size_t i = 0; i < LENGTHS && result == 0; i++) {
		peers_ratio(p, path[i], reference, BENCH_AT_MOST, 5,
			    "again by a path of depth 2 / reference, %zu",
			    lengths[i]);
		peers_ratio(p, handle[i], reference, BENCH_AT_MOST, 3,
			    "again by a handle / reference, %zu", lengths[i]);
	}
	return result;
}

int peers_strings(struct peers *p)
{
	struct known known[LENGTHS];
	mvfs *fs;
	int result = mvfs_create(NULL, &fs);

	if (result < 0)
		return result;
	memset(known, 0, sizeof(known));
	result = mvfs_mkdir(fs, "/depth", 0755);
	for (size_t i = 0; i < LENGTHS && result == 0; i++)
		result = make(&known[i], fs, lengths[i]);
	if (result == 0)
		result = measure(p, known);
	for (size_t i = 0; i < LENGTHS; i++)
		mvfs_string_release(&known[i].string);
	mvfs_destroy(fs);
	return result;
}
