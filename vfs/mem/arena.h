/* SPDX-License-Identifier: MIT */
/*
 * Arenas: what is behind <memvfs/arena.h>.
 *
 * An arena takes its memory in blocks. Most are chunks, all of one size, in
 * which a pointer is moved; a thread keeps some for the next arena. What is
 * too large for one is a block by itself, from calloc(), which knows pages
 * that the system has just zeroed; one such block is kept, too.
 *
 *     arena ──> block ──> block ──> block
 *      │ next   ┌──────┬───────────────┬────────────────┐
 *      └───────>│ head │ given out     │ left           │
 *               └──────┴───────────────┴────────────────┘
 *
 * A piece is zeroed when it is given out. To keep chunks zeroed, and to clear
 * at closing what was used, was rejected: it costs the same where an arena is
 * used again at once, more where it is not, and the caller, who is about to
 * write, finds the lines cold.
 *
 * The first piece of a chunk begins a line of the cache, where memset() is
 * fastest: of 8000 bytes, by 3 ns in 70. One chunk, the hot one, is known by
 * its address, and whether it is free by a flag: so the CPU may go on before
 * it has seen what was stored last. A list takes 2 ns more, of 5.
 *
 * Where memory is watched (watched.h) every allocation is a block, with its
 * head elsewhere, and `left` stays 0 so that the inline part never serves.
 *
 * The parts that each small arena passes through are inline here, so that
 * the public functions have no second call to make.
 */
#ifndef MVFS__ARENA_H
#define MVFS__ARENA_H

#include <memvfs/arena.h>

#include "vfs/mem/kept.h"

struct mvfs__block {
	struct mvfs__block *next;
	void *memory; /* what is freed with it, itself; NULL: it is a chunk */
	size_t size;  /* of what is no chunk: with the head */
};

/* Of a chunk: a line of the cache for its head, and the room. */
#define MVFS__CHUNK ((size_t)16 * 1024)
#define MVFS__LINE ((size_t)64)
#define MVFS__CHUNK_ROOM (MVFS__CHUNK - MVFS__LINE)

/* Of the largest block that is kept and is no chunk. */
#define MVFS__LARGE_KEPT ((size_t)128 * 1024)

/* How many chunks a thread keeps. */
#define MVFS__ARENA_KEPT 16u

/* The rest of alloc and close; arguments as in the inline parts. */
void *mvfs__arena_alloc_slowly(struct mvfs_arena *arena, size_t size);
void mvfs__arena_close_slowly(struct mvfs_arena *arena);

/* `align` is a power of two. */
void *mvfs__arena_aligned(struct mvfs_arena *arena, size_t size, size_t align);
void *mvfs__arena_memdup(struct mvfs_arena *arena, const void *bytes,
			 size_t size);
char *mvfs__arena_strndup(struct mvfs_arena *arena, const char *text,
			  size_t len);

/* Frees the blocks that this thread keeps. */
void mvfs__arena_drop_blocks(void);

/* Makes the chunk the one that the arena takes its pieces from. */
static inline void mvfs__arena_use(struct mvfs_arena *arena,
				   struct mvfs__block *chunk)
{
	chunk->next = arena->blocks;
	arena->blocks = chunk;
	arena->next = (unsigned char *)chunk + MVFS__LINE;
	arena->left = MVFS__CHUNK_ROOM;
}

/* Where nothing is left: most often, an arena's first piece. */
static inline void *mvfs__arena_more(struct mvfs_arena *arena, size_t size)
{
	struct mvfs__kept *kept = &mvfs__kept;

	if (mvfs__unlikely(arena->blocks || !kept->hot_free ||
			   size > MVFS__CHUNK_ROOM))
		return mvfs__arena_alloc_slowly(arena, size);
	kept->hot_free = false;
	mvfs__arena_use(arena, kept->hot);
	return mvfs_arena_alloc(arena, size);
}

/* Where there is a block: most often, one chunk. */
static inline void mvfs__arena_free(struct mvfs_arena *arena)
{
	struct mvfs__kept *kept = &mvfs__kept;
	struct mvfs__block *chunk = arena->blocks;

	/* what was hot may have been freed elsewhere, and be another block */
	if (mvfs__unlikely(chunk != kept->hot || chunk->next ||
			   chunk->memory)) {
		mvfs__arena_close_slowly(arena);
		return;
	}
	assert(!kept->hot_free);
	kept->hot_free = true;
	mvfs_arena_open(arena);
}

#endif
