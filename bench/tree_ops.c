// SPDX-License-Identifier: MIT
/*
 * Both sides of a call are one loop with one line in it, made by a macro, so
 * that nothing but that line can differ.
 */
#include <config.h>

#include "bench/tree_ops.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CREATE_FLAGS (O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
#define OPEN_FLAGS   (O_RDONLY | O_CLOEXEC)

/* Expressions see fs, root, path, other; they give 0 or a negative errno. */
#define BOTH_SIDES(name, in_memory, on_tmpfs)               \
	static int memory_##name(void *ctx, uint64_t count) \
	{                                                   \
		const struct bench_plot *plot = ctx;        \
		mvfs *fs = plot->grove->place->fs;          \
		int root = plot->grove->root, result;       \
                                                            \
		for (uint64_t i = 0; i < count; i++) {      \
			const char *path = plot->path[i];   \
			const char *other = plot->other[i]; \
                                                            \
			(void)other;                        \
			result = (in_memory);               \
			if (result < 0)                     \
				return result;              \
		}                                           \
		return 0;                                   \
	}                                                   \
	static int tmpfs_##name(void *ctx, uint64_t count)  \
	{                                                   \
		const struct bench_plot *plot = ctx;        \
		int root = plot->grove->root;               \
                                                            \
		for (uint64_t i = 0; i < count; i++) {      \
			const char *path = plot->path[i];   \
			const char *other = plot->other[i]; \
                                                            \
			(void)other;                        \
			if ((on_tmpfs) < 0)                 \
				return -errno;              \
		}                                           \
		return 0;                                   \
	}

static inline int memory_one_open_close(mvfs *fs, int root, const char *path,
					int flags)
{
	int fd = mvfs_openat(fs, root, path, flags, 0644);

	return fd < 0 ? fd : mvfs_close(fs, fd);
}

static inline int tmpfs_one_open_close(int root, const char *path, int flags)
{
	int fd = openat(root, path, flags, 0644);

	return fd < 0 ? fd : close(fd);
}

static inline int memory_one_stat(mvfs *fs, int root, const char *path)
{
	struct mvfs_stat st;
	int result = mvfs_statat(fs, root, path, 0, &st);

	bench_sink(&st);
	return result;
}

static inline int tmpfs_one_stat(int root, const char *path)
{
	struct stat st;
	int result = fstatat(root, path, &st, 0);

	bench_sink(&st);
	return result;
}

/* A look-up alone: does it lead anywhere? */
static inline int memory_one_access(mvfs *fs, int root, const char *path)
{
	return mvfs_accessat(fs, root, path, F_OK, 0);
}

static inline int tmpfs_one_access(int root, const char *path)
{
	return faccessat(root, path, F_OK, 0);
}

BOTH_SIDES(create, memory_one_open_close(fs, root, path, CREATE_FLAGS),
	   tmpfs_one_open_close(root, path, CREATE_FLAGS))
BOTH_SIDES(unlink, mvfs_unlinkat(fs, root, path, 0), unlinkat(root, path, 0))
BOTH_SIDES(rename, mvfs_renameat(fs, root, path, root, other, 0),
	   renameat(root, path, root, other))
BOTH_SIDES(rename_back, mvfs_renameat(fs, root, other, root, path, 0),
	   renameat(root, other, root, path))
BOTH_SIDES(open, memory_one_open_close(fs, root, path, OPEN_FLAGS),
	   tmpfs_one_open_close(root, path, OPEN_FLAGS))
BOTH_SIDES(stat, memory_one_stat(fs, root, path), tmpfs_one_stat(root, path))
BOTH_SIDES(lookup, memory_one_access(fs, root, path),
	   tmpfs_one_access(root, path))

static uint64_t pick_one(struct bench_plot *plot)
{
	uint64_t files = plot->grove->files;
	uint64_t random = bench_random(&plot->random);

	if (plot->pick == BENCH_PICK_DEEP)
		return random % BENCH_DEEP_FILES;
	if (plot->pick == BENCH_PICK_NEAR && files > BENCH_NEAR)
		return files / 2 / BENCH_NEAR * BENCH_NEAR +
		       random % BENCH_NEAR;
	return random % files;
}

/* Other places each time. Twice the same new name in a segment would be a
 * file created twice, so these are numbered in turn. */
static int pick(void *ctx, uint64_t count)
{
	struct bench_plot *plot = ctx;
	const struct bench_grove *grove = plot->grove;

	for (uint64_t i = 0; i < count; i++) {
		uint64_t at = pick_one(plot);
		char *path = plot->path[i];
		size_t length;

		if (plot->pick == BENCH_PICK_DEEP) {
			bench_grove_deep_path(plot->depth, at, path);
			continue;
		}
		bench_grove_path(grove, plot->is_new ? 'n' : 'f', at, path);
		if (!plot->is_new)
			continue;
		length = strlen(path);
		snprintf(path + length, BENCH_PATH_MAX - length, ".%03u",
			 (unsigned)i);
		snprintf(plot->other[i], BENCH_PATH_MAX, "%.80s.new", path);
	}
	return 0;
}

static int memory_pick_and_create(void *ctx, uint64_t count)
{
	int result = pick(ctx, count);

	return result < 0 ? result : memory_create(ctx, count);
}

static int tmpfs_pick_and_create(void *ctx, uint64_t count)
{
	int result = pick(ctx, count);

	return result < 0 ? result : tmpfs_create(ctx, count);
}

static int memory_unlink_renamed(void *ctx, uint64_t count)
{
	int result = memory_rename_back(ctx, count);

	return result < 0 ? result : memory_unlink(ctx, count);
}

static int tmpfs_unlink_renamed(void *ctx, uint64_t count)
{
	int result = tmpfs_rename_back(ctx, count);

	return result < 0 ? result : tmpfs_unlink(ctx, count);
}

/* So that a line of the table says both sides at once. */
#define memory_pick    pick
#define tmpfs_pick     pick
#define memory_nothing NULL
#define tmpfs_nothing  NULL
#define SIDE(side, before, call, after)                        \
	{                                                      \
		side##_##before, side##_##call, side##_##after \
	}
#define BOTH(before, call, after) \
	SIDE(memory, before, call, after), SIDE(tmpfs, before, call, after)

const struct bench_tree_op bench_tree_ops[] = {
	{"create", BENCH_PICK_NEAR, 1, 0, 3, 3, BOTH(pick, create, unlink)},
	{"rename", BENCH_PICK_NEAR, 1, 0, 3, 3,
	 BOTH(pick_and_create, rename, unlink_renamed)},
	{"unlink", BENCH_PICK_NEAR, 1, 0, 3, 3,
	 BOTH(pick_and_create, unlink, nothing)},
	{"openClose", BENCH_PICK_NEAR, 0, 0, 3, 3, BOTH(pick, open, nothing)},
	{"stat", BENCH_PICK_NEAR, 0, 0, 3, 3, BOTH(pick, stat, nothing)},
	{"lookup", BENCH_PICK_NEAR, 0, 0, 3, 3, BOTH(pick, lookup, nothing)},
	{"create", BENCH_PICK_RANDOM, 1, 0, 3, 3, BOTH(pick, create, unlink)},
	{"rename", BENCH_PICK_RANDOM, 1, 0, 3, 3,
	 BOTH(pick_and_create, rename, unlink_renamed)},
	{"unlink", BENCH_PICK_RANDOM, 1, 0, 3, 3,
	 BOTH(pick_and_create, unlink, nothing)},
	{"openClose", BENCH_PICK_RANDOM, 0, 0, 3, 1.5,
	 BOTH(pick, open, nothing)},
	{"stat", BENCH_PICK_RANDOM, 0, 0, 3, 1.5, BOTH(pick, stat, nothing)},
	{"lookup", BENCH_PICK_RANDOM, 0, 0, 3, 1.5,
	 BOTH(pick, lookup, nothing)},
	{"stat", BENCH_PICK_DEEP, 0, 1, 3, 3, BOTH(pick, stat, nothing)},
	{"stat", BENCH_PICK_DEEP, 0, 4, 3, 3, BOTH(pick, stat, nothing)},
	{"stat", BENCH_PICK_DEEP, 0, 16, 1.5, 1.5, BOTH(pick, stat, nothing)},
	{"lookup", BENCH_PICK_DEEP, 0, 1, 3, 3, BOTH(pick, lookup, nothing)},
	{"lookup", BENCH_PICK_DEEP, 0, 4, 3, 3, BOTH(pick, lookup, nothing)},
	{"lookup", BENCH_PICK_DEEP, 0, 16, 1.5, 1.5,
	 BOTH(pick, lookup, nothing)},
};
const size_t bench_tree_op_count =
	sizeof(bench_tree_ops) / sizeof(bench_tree_ops[0]);
