/* SPDX-License-Identifier: MIT */
/* memvfs/arena.h, but for what is inline there */
#include "config.h"

#include <memvfs/arena.h>

#include "vfs/mem/arena.h"

void *mvfs_arena_more(struct mvfs_arena *arena, size_t size)
{
	return mvfs__arena_more(arena, size);
}

void mvfs_arena_free(struct mvfs_arena *arena)
{
	mvfs__arena_free(arena);
}

void *mvfs_arena_aligned(struct mvfs_arena *arena, size_t size, size_t align)
{
	if (!align || (align & (align - 1)))
		return NULL;
	return mvfs__arena_aligned(arena, size, align);
}

void *mvfs_arena_memdup(struct mvfs_arena *arena, const void *bytes,
			size_t size)
{
	return mvfs__arena_memdup(arena, bytes, size);
}

char *mvfs_arena_strndup(struct mvfs_arena *arena, const char *text,
			 size_t len)
{
	return mvfs__arena_strndup(arena, text, len);
}
