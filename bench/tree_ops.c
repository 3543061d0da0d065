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

/* Other places each time. Twice the same name in a segment would be a file
 * created twice, so new ones are numbered in turn. */
static int pick(void *ctx, uint64_t count)
{
	struct bench_plot *plot = ctx;
	const struct bench_grove *grove = plot->grove;

	for (uint64_t i = 0; i < count; i++) {
		uint64_t random = bench_random(&plot->random), at;
		size_t length;

		if (plot->pick == BENCH_PICK_DEEP) {
			bench_grove_deep_path(plot->depth, random,
					      plot->path[i]);
			continue;
		}
		at = random % grove->files;
		bench_grove_path(grove, 'f', at, plot->path[i]);
		if (plot->pick == BENCH_PICK_RANDOM)
			continue;
		bench_grove_path(grove, 'n', at, plot->path[i]);
		for (length = 0; plot->path[i][length] != '\0'; length++)
			;
		snprintf(plot->path[i] + length, BENCH_PATH_MAX - length,
			 ".%03u", (unsigned)i);
		snprintf(plot->other[i], BENCH_PATH_MAX, "%s.new",
			 plot->path[i]);
	}
	return 0;
}

static int pick_and_create_memory(void *ctx, uint64_t count)
{
	int result = pick(ctx, count);

	return result < 0 ? result : memory_create(ctx, count);
}

static int pick_and_create_tmpfs(void *ctx, uint64_t count)
{
	int result = pick(ctx, count);

	return result < 0 ? result : tmpfs_create(ctx, count);
}

static int unlink_after_rename_memory(void *ctx, uint64_t count)
{
	int result = memory_rename_back(ctx, count);

	return result < 0 ? result : memory_unlink(ctx, count);
}

static int unlink_after_rename_tmpfs(void *ctx, uint64_t count)
{
	int result = tmpfs_rename_back(ctx, count);

	return result < 0 ? result : tmpfs_unlink(ctx, count);
}

#define READ_OP(label, function, picked, deep, target)                        \
	{                                                                     \
		label, picked, deep, target, {pick, memory_##function, NULL}, \
		{                                                             \
			pick, tmpfs_##function, NULL                          \
		}                                                             \
	}

const struct bench_tree_op bench_tree_ops[] = {
	{"create",
	 BENCH_PICK_NEW,
	 0,
	 3,
	 {pick, memory_create, memory_unlink},
	 {pick, tmpfs_create, tmpfs_unlink}},
	{"rename",
	 BENCH_PICK_NEW,
	 0,
	 3,
	 {pick_and_create_memory, memory_rename, unlink_after_rename_memory},
	 {pick_and_create_tmpfs, tmpfs_rename, unlink_after_rename_tmpfs}},
	{"unlink",
	 BENCH_PICK_NEW,
	 0,
	 3,
	 {pick_and_create_memory, memory_unlink, NULL},
	 {pick_and_create_tmpfs, tmpfs_unlink, NULL}},
	READ_OP("openClose", open, BENCH_PICK_RANDOM, 0, 3),
	READ_OP("stat", stat, BENCH_PICK_RANDOM, 0, 1.5),
	READ_OP("lookup", lookup, BENCH_PICK_RANDOM, 0, 1.5),
	READ_OP("stat", stat, BENCH_PICK_DEEP, 1, 3),
	READ_OP("stat", stat, BENCH_PICK_DEEP, 4, 3),
	READ_OP("stat", stat, BENCH_PICK_DEEP, 16, 1.5),
	READ_OP("lookup", lookup, BENCH_PICK_DEEP, 1, 3),
	READ_OP("lookup", lookup, BENCH_PICK_DEEP, 4, 3),
	READ_OP("lookup", lookup, BENCH_PICK_DEEP, 16, 1.5),
};
const size_t bench_tree_op_count =
	sizeof(bench_tree_ops) / sizeof(bench_tree_ops[0]);
