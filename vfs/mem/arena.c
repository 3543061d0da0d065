/* SPDX-License-Identifier: MIT */
/* Arenas, but for what is inline: see arena.h. */
#include "config.h"

#include "vfs/mem/arena.h"

#include <string.h>

/* What is larger, and does not fit what is left, does not begin a chunk. */
#define SHARED_MAX (MVFS__CHUNK_ROOM / 4)

/* What malloc aligns to in any case. */
#define ALIGNED 16u

static void add(struct mvfs_arena *arena, struct mvfs__block *block,
		void *memory)
{
	block->memory = memory;
	block->next = arena->blocks;
	arena->blocks = block;
}

/* Of that alignment, with nothing of ours around it. */
static void *alloc_watched(struct mvfs_arena *arena, size_t size, size_t align)
{
	struct mvfs__block *block;
	void *memory;

	if (size > PTRDIFF_MAX || align > PTRDIFF_MAX)
		return NULL;
	block = mvfs__malloc(sizeof(*block));
	if (!block)
		return NULL;
	memory = mvfs__memalign(align, size);
	if (!memory) {
		mvfs__free(block);
		return NULL;
	}
	block->size = SIZE_MAX;
	add(arena, block, memory);
	return memset(memory, 0, size);
}

/* Takes the block that is kept, if it is of use. */
static struct mvfs__block *take_large(size_t size)
{
	struct mvfs__block *block = mvfs__kept.large;

	if (!block || block->size < size || block->size / 2 > size)
		return NULL;
	mvfs__kept.large = NULL;
	return block;
}

/* The first place behind the head that is so aligned. */
static void *place(struct mvfs__block *block, size_t align)
{
	uintptr_t at = (uintptr_t)(block + 1);

	return (void *)((at + align - 1) & ~(uintptr_t)(align - 1));
}

/* A block of its own; a new one is zeroed by calloc(). */
static void *alloc_alone(struct mvfs_arena *arena, size_t size, size_t align)
{
	struct mvfs__block *block;
	size_t whole;

	if (align < MVFS__LINE)
		align = MVFS__LINE;
	if (mvfs__add_overflow(size, sizeof(*block) + align - 1, &whole) ||
	    whole > PTRDIFF_MAX)
		return NULL;
	block = take_large(whole);
	if (block) {
		memset(place(block, align), 0, size);
	} else {
		block = mvfs__calloc(1, whole);
		if (!block)
			return NULL;
		block->size = whole;
	}
	add(arena, block, block);
	return place(block, align);
}

static struct mvfs__block *new_chunk(void)
{
	struct mvfs__kept *kept = &mvfs__kept;
	struct mvfs__block *chunk = kept->chunks;

	if (kept->hot_free) {
		kept->hot_free = false;
		return kept->hot;
	}
	if (chunk) {
		kept->chunks = chunk->next;
		kept->room++;
		return chunk;
	}
	chunk = mvfs__memalign(MVFS__LINE, MVFS__CHUNK);
	if (chunk)
		chunk->memory = NULL;
	return chunk;
}

/* True where each allocation is to be malloc's own. */
static bool is_watched(void)
{
	return !mvfs__keeps() && mvfs__kept.keeping == MVFS__KEEPS_WATCHED;
}

static bool begin_chunk(struct mvfs_arena *arena)
{
	struct mvfs__block *chunk = new_chunk();

	if (chunk)
		mvfs__arena_use(arena, chunk);
	return chunk != NULL;
}

void *mvfs__arena_alloc_slowly(struct mvfs_arena *arena, size_t size)
{
	if (is_watched())
		return alloc_watched(arena, size, ALIGNED);
	if (size > (arena->blocks ? SHARED_MAX : MVFS__CHUNK_ROOM))
		return alloc_alone(arena, size, ALIGNED);
	return begin_chunk(arena) ? mvfs_arena_alloc(arena, size) : NULL;
}

/* What is to be left over, so that the next piece is aligned. */
static size_t skip_to(const struct mvfs_arena *arena, size_t align)
{
	return -(uintptr_t)arena->next & (align - 1);
}

static bool fits(const struct mvfs_arena *arena, size_t size, size_t align)
{
	size_t skip = skip_to(arena, align);

	return skip < arena->left && size <= arena->left - skip;
}

void *mvfs__arena_aligned(struct mvfs_arena *arena, size_t size, size_t align)
{
	size_t skip;

	assert(align && !(align & (align - 1)));
	if (align <= ALIGNED)
		return mvfs_arena_alloc(arena, size);
	if (is_watched())
		return alloc_watched(arena, size, align);
	if (!fits(arena, size, align)) {
		if (size > SHARED_MAX || align > SHARED_MAX)
			return alloc_alone(arena, size, align);
		if (!begin_chunk(arena))
			return NULL;
	}
	assert(fits(arena, size, align));
	skip = skip_to(arena, align);
	arena->next += skip;
	arena->left -= skip;
	return mvfs_arena_alloc(arena, size);
}

void *mvfs__arena_memdup(struct mvfs_arena *arena, const void *bytes,
			 size_t size)
{
	void *copy = mvfs_arena_alloc(arena, size);

	if (copy && size)
		memcpy(copy, bytes, size);
	return copy;
}

char *mvfs__arena_strndup(struct mvfs_arena *arena, const char *text,
			  size_t len)
{
	char *copy = NULL;
	size_t size;

	if (!mvfs__add_overflow(len, 1, &size))
		copy = mvfs_arena_alloc(arena, size);
	if (copy && len)
		memcpy(copy, text, len);
	return copy;
}

static bool keep_chunk(struct mvfs__block *chunk)
{
	struct mvfs__kept *kept = &mvfs__kept;

	/* one that was hot, and comes back later, is a chunk like others */
	if (!kept->hot_free) {
		kept->hot = chunk;
		kept->hot_free = true;
		return true;
	}
	if (!kept->room)
		return false;
	chunk->next = kept->chunks;
	kept->chunks = chunk;
	kept->room--;
	return true;
}

static bool keep(struct mvfs__block *block)
{
	if (!mvfs__keeps())
		return false;
	if (!block->memory)
		return keep_chunk(block);
	if (mvfs__kept.large || block->size > MVFS__LARGE_KEPT)
		return false;
	mvfs__kept.large = block;
	return true;
}

static void free_block(struct mvfs__block *block)
{
	if (block && block->memory != block)
		mvfs__free(block->memory);
	mvfs__free(block);
}

void mvfs__arena_close_slowly(struct mvfs_arena *arena)
{
	struct mvfs__block *block = arena->blocks, *next;

	mvfs_arena_open(arena);
	for (; block; block = next) {
		next = block->next;
		if (!keep(block))
			free_block(block);
	}
}

void mvfs__arena_drop_blocks(void)
{
	struct mvfs__kept *kept = &mvfs__kept;
	struct mvfs__block *chunk;

	if (kept->hot_free)
		free_block(kept->hot);
	kept->hot = NULL;
	kept->hot_free = false;
	free_block(kept->large);
	kept->large = NULL;
	while ((chunk = kept->chunks)) {
		kept->chunks = chunk->next;
		kept->room++;
		free_block(chunk);
	}
}
