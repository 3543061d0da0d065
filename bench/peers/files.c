// SPDX-License-Identifier: MIT
/* A file of ASCII to an owned, checked string, from where files are today. */
#include <config.h>

#include "bench/peers/peers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/place.h"

enum { LENGTHS = 2 };
static const size_t lengths[LENGTHS] = {1024, 1 << 20};

struct source {
	char path[4200];
	const char *name;
	size_t length;
	struct bench_place *place;
	const struct peers_glib *glib;
};

static int run_memvfs(void *ctx, uint64_t count)
{
	struct source *source = ctx;
	struct mvfs_string s;

	for (; count > 0; count--) {
		int result = mvfs_host_read_string(source->place->dirfd,
						   source->name, NULL, 0, &s,
						   NULL);

		if (result < 0)
			return result;
		bench_sink(s.data);
		mvfs_string_release(&s);
	}
	return 0;
}

static int run_glib(void *ctx, uint64_t count)
{
	struct source *source = ctx;

	for (; count > 0; count--) {
		size_t length;
		char *text;

		if (!source->glib->get_contents(source->path, &text, &length,
						NULL))
			return -EIO;
		if (!source->glib->validate(text, (ssize_t)length, NULL))
			return -EILSEQ;
		bench_sink(text);
		source->glib->release(text);
	}
	return 0;
}

static int run_stdio(void *ctx, uint64_t count)
{
	struct source *source = ctx;

	for (; count > 0; count--) {
		FILE *file = fopen(source->path, "r");
		char *text = malloc(source->length + 1);
		size_t got = 0;

		if (file != NULL && text != NULL)
			got = fread(text, 1, source->length, file);
		if (file != NULL)
			fclose(file);
		bench_sink(text);
		free(text);
		if (got != source->length)
			return -EIO;
	}
	return 0;
}

static const struct bench_ops by_memvfs = {NULL, run_memvfs, NULL};
static const struct bench_ops by_glib = {NULL, run_glib, NULL};
static const struct bench_ops by_stdio = {NULL, run_stdio, NULL};

static int prepare(struct source *source, struct bench_place *place,
		   size_t length)
{
	char *bytes = malloc(length);
	int result;

	if (bytes == NULL)
		return -ENOMEM;
	memset(bytes, 'a', length);
	source->place = place;
	source->length = length;
	source->name = length == lengths[0] ? "short" : "long";
	snprintf(source->path, sizeof(source->path), "/proc/self/fd/%d/%s",
		 place->dirfd, source->name);
	result = bench_place_put(place, source->name, bytes, length);
	free(bytes);
	return result;
}

int peers_files(struct peers *p)
{
	struct bench_needs needs = {4 << 20, 16, p->seed};
	struct source *sources = calloc(LENGTHS, sizeof(*sources));
	struct bench_place place;
	char reason[256];
	int result = 0;

	if (sources == NULL)
		return -ENOMEM;
	if (bench_place_open("tmpfs", &needs, &place, reason) < 0) {
		bench_report_leave_out(p->report, "readFile tmpfs", "%s",
				       reason);
		free(sources);
		return 0;
	}
	for (size_t i = 0; i < LENGTHS && result == 0; i++) {
		double length = (double)lengths[i];

		result = prepare(&sources[i], &place, lengths[i]);
		sources[i].glib = peers_load_glib(NULL);
		peers_bytes(peers_row(p, "readFile.tmpfs",
				      "memvfs, checked", lengths[i], "ascii",
				      &by_memvfs, &sources[i]),
			    length, length);
		peers_bytes(peers_row(p, "readFile.tmpfs",
				      "stdio, not checked", lengths[i],
				      "ascii", &by_stdio, &sources[i]),
			    2 * length, length);
		if (sources[i].glib != NULL)
			peers_bytes(peers_row(p, "readFile.tmpfs",
					      "GLib, checked", lengths[i],
					      "ascii", &by_glib, &sources[i]),
				    length, length);
	}
	if (result == 0)
		result = peers_measure(p);
	bench_place_close(&place);
	free(sources);
	return result;
}
