// SPDX-License-Identifier: MIT
#include <config.h>

#include "bench/clone.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What is done to the files in turn, so that ten are of every kind. */
static const unsigned kinds[] = {MVFS_DIFF_CONTENT, MVFS_DIFF_ADDED,
				 MVFS_DIFF_REMOVED, MVFS_DIFF_MODE};

static int compare(const void *a, const void *b)
{
	const struct bench_change *one = a, *other = b;

	return strcmp(one->path, other->path);
}

static int is_taken(const uint64_t *taken, size_t count, uint64_t at)
{
	for (size_t i = 0; i < count; i++)
		if (taken[i] == at)
			return 1;
	return 0;
}

void bench_changes_pick(const struct bench_grove *grove, int one_directory,
			size_t count, uint64_t *random,
			struct bench_changes *changes)
{
	uint64_t first = 0, range = grove->files, taken[BENCH_CHANGES_MAX];

	if (one_directory && range > BENCH_IN_DIRECTORY) {
		first = bench_random(random) % (range / BENCH_IN_DIRECTORY) *
			BENCH_IN_DIRECTORY;
		range = BENCH_IN_DIRECTORY;
	}
	changes->count = count;
	for (size_t i = 0; i < count; i++) {
		struct bench_change *change = &changes->change[i];

		do
			taken[i] = first + bench_random(random) % range;
		while (is_taken(taken, i, taken[i]));
		change->what = kinds[i % (sizeof(kinds) / sizeof(kinds[0]))];
		change->path[0] = '/';
		bench_grove_path(grove,
				 change->what == MVFS_DIFF_ADDED ? 'n' : 'f',
				 taken[i], change->path + 1);
	}
	qsort(changes->change, count, sizeof(changes->change[0]), compare);
}

static int make_one(const struct bench_change *change, mvfs *fs)
{
	switch (change->what) {
	case MVFS_DIFF_CONTENT:
		return mvfs_write_file(fs, change->path, "changed", 7);
	case MVFS_DIFF_ADDED:
		return mvfs_write_file(fs, change->path, "new", 3);
	case MVFS_DIFF_REMOVED:
		return mvfs_unlink(fs, change->path);
	default:
		return mvfs_chmod(fs, change->path, 0600);
	}
}

int bench_changes_make(const struct bench_changes *changes, mvfs *fs)
{
	int result = 0;

	for (size_t i = 0; i < changes->count && result == 0; i++)
		result = make_one(&changes->change[i], fs);
	return result;
}

struct expected {
	const struct bench_changes *changes;
	size_t at;
};

static int expect_one(void *ctx, const struct mvfs_difference *difference)
{
	struct expected *expected = ctx;
	const struct bench_change *change;

	if (expected->at == expected->changes->count)
		return 1;
	change = &expected->changes->change[expected->at++];
	return difference->what != change->what ||
	       strcmp(difference->path, change->path) != 0;
}

int bench_changes_expect(const struct bench_changes *changes, mvfs *before,
			 mvfs *after)
{
	struct expected expected = {changes, 0};
	int result = mvfs_diff(before, after, NULL, expect_one, &expected);

	if (result < 0)
		return result;
	return result == 0 && expected.at == changes->count ? 0 : -EBADMSG;
}
