/* SPDX-License-Identifier: MIT */
/*
 * Arenas: memory that is allocated piece by piece and freed all at once.
 *
 * An arena is for what has one end: the tree of a parsed file, the lists of a
 * request. Allocating moves a pointer; freeing is closing. What it gives is
 * zeroed and aligned to 16 bytes. Each thread keeps a few chunks of memory
 * for the next arena, so that a small one costs less than calloc(3) and
 * free(3) of one object.
 *
 * An arena is for one thread at a time. It may be handed to another thread,
 * with what is in it, as any object that is not locked; the struct may be
 * copied to another place if only the copy is used from then on. Any number
 * of arenas may be open. They survive fork(2): the child has its own copy.
 *
 * Under AddressSanitizer and valgrind each allocation is a piece of malloc's
 * memory, so that these find what is written past its end, or used after the
 * arena was closed.
 *
 * The functions that are called for each piece are inline. They work on the
 * struct below, whose members are part of the ABI, but not for use.
 */
#ifndef MEMVFS_ARENA_H
#define MEMVFS_ARENA_H

#include <string.h>

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * An arena, wherever the caller puts it. {0} is one that is open and holds
 * nothing. The members are private.
 *
 * @since 0.1.0
 */
struct mvfs_arena {
	unsigned char *next; /* the first byte that is free */
	size_t left;         /* so many are, a multiple of 16 */
	void *blocks;        /* all memory, chained; NULL: none yet */
};

/*
 * The value of an arena that is open and holds nothing, as {0} is.
 *
 * @since 0.1.0
 */
#define MVFS_ARENA_INIT { NULL, 0, NULL }

/*
 * What mvfs_arena_alloc() does where the memory at hand is used up: for that
 * function alone.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NEAR MVFS_NODISCARD void *
mvfs_arena_more(struct mvfs_arena *arena, size_t size);

/*
 * What mvfs_arena_close() does where there is something to free: for that
 * function alone.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NEAR void mvfs_arena_free(struct mvfs_arena *arena);

/*
 * Makes `arena` one that is open and holds nothing. It allocates nothing and
 * cannot fail.
 *
 * @since 0.1.0
 */
static inline void mvfs_arena_open(struct mvfs_arena *arena)
{
	arena->next = NULL;
	arena->left = 0;
	arena->blocks = NULL;
}

/*
 * Frees all that was allocated in the arena, which is open and empty again.
 * Any thread may do it, and its pool has the memory then.
 *
 * @since 0.1.0
 */
static inline void mvfs_arena_close(struct mvfs_arena *arena)
{
	if (arena->blocks)
		mvfs_arena_free(arena);
}

/*
 * Sets to 0 the `size` bytes at `at`, which has room for a multiple of 16:
 * for mvfs_arena_alloc() alone. Without a call for what is small: the call
 * would take longer than all the rest.
 *
 * @since 0.1.0
 */
static inline void *mvfs_arena_zero(unsigned char *at, size_t size)
{
	unsigned char *end = at + ((size + 15) & ~(size_t)15);

	if (size > 128)
		return memset(at, 0, size);
	if (size > 64) {
		memset(at, 0, 64);
		memset(end - 64, 0, 64);
	} else if (size > 32) {
		memset(at, 0, 32);
		memset(end - 32, 0, 32);
	} else if (size) {
		memset(at, 0, 16);
		memset(end - 16, 0, 16);
	}
	return at;
}

/*
 * Allocates `size` bytes, all 0, aligned to 16, that last until the arena is
 * closed. For 0 bytes the address is one that no other allocation has.
 *
 * Returns the memory, or NULL: out of memory, or `size` is more than can be
 * addressed. The arena and what is in it stay as they were.
 *
 * @since 0.1.0
 */
MVFS_NODISCARD static inline void *mvfs_arena_alloc(struct mvfs_arena *arena,
						    size_t size)
{
	size_t taken = size ? size : 1;
	unsigned char *at = arena->next;

	if (taken > arena->left)
		return mvfs_arena_more(arena, size);
	taken = (taken + 15) & ~(size_t)15;
	arena->next = at + taken;
	arena->left -= taken;
	return mvfs_arena_zero(at, size);
}

/*
 * Allocates `count` objects of `size` bytes, as mvfs_arena_alloc() does.
 *
 * Returns the memory, or NULL: out of memory, or the product is more than can
 * be addressed.
 *
 * @since 0.1.0
 */
MVFS_NODISCARD static inline void *mvfs_arena_array(struct mvfs_arena *arena,
						    size_t count, size_t size)
{
	if (size && count > (size_t)-1 / size)
		return NULL;
	return mvfs_arena_alloc(arena, count * size);
}

/*
 * Allocates `size` bytes, all 0, at a multiple of `align`, which is a power
 * of two: a line of the cache, a page, or more. Beyond 16 this takes a slower
 * path, and up to `align` bytes more.
 *
 * Returns the memory, or NULL: out of memory, more than can be addressed, or
 * `align` is no power of two.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD void *mvfs_arena_aligned(struct mvfs_arena *arena,
						 size_t size, size_t align);

/*
 * Allocates a copy of `size` bytes, aligned to 16.
 *
 * Returns the copy, or NULL: out of memory.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD void *mvfs_arena_memdup(struct mvfs_arena *arena,
						const void *bytes,
						size_t size);

/*
 * Allocates a copy of the first `len` bytes of `text`, and a 0 behind them.
 *
 * Returns the copy, or NULL: out of memory.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD char *mvfs_arena_strndup(struct mvfs_arena *arena,
						 const char *text, size_t len);

#ifdef __cplusplus
}
#endif

#endif
