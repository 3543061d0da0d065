/* SPDX-License-Identifier: MIT */
/*
 * Buffers: see buffer.h for the rules.
 *
 * Small ones get exactly the room that was asked for, rounded up to what
 * malloc gives in any case: with a head of 24 bytes, a malloc that rounds to
 * 16 and keeps 8, a capacity of 16 n - 1 and the 0 behind it waste nothing,
 * and a file of 1 KiB is one chunk of 1072 bytes. Only a buffer that is grown
 * later grows by half.
 */
#include "config.h"

#include "vfs/content/buffer.h"

#include <errno.h>
#include <string.h>

#include "vfs/content/pages.h"
#include "vfs/mem/mem.h"

_Static_assert(sizeof(struct mvfs__buffer) == 24, "see the sums above");
_Static_assert(MVFS__BUFFER_LARGE / 16 <= UINT16_MAX,
	       "a small buffer's capacity is counted in 16 bits");

/*
 * Where a mapping cannot be had, perhaps there are too many, and malloc is
 * asked; but not for what is refused because of its size.
 */
#define HEAP_MAX ((size_t)1 << 30)

/* The longest UTF-8 sequence, and so what may still change a verdict. */
#define SEQUENCE_MAX 4

static struct mvfs__buffer_large *large_of(struct mvfs__buffer *b)
{
	assert(b->obj.flags != MVFS__SMALL);
	return (struct mvfs__buffer_large *)b;
}

/* `small` for a capacity. */
static size_t small_units(size_t capacity)
{
	assert(capacity < MVFS__BUFFER_LARGE);
	return capacity / 16 + 1;
}

/* Memory for a large buffer: sets shape, bytes and capacity. */
static bool large_alloc(struct mvfs__buffer_large *l, size_t capacity)
{
	size_t length;

	if (mvfs__add_overflow(capacity, 1, &length))
		return false;
	l->bytes = NULL;
	if (length >= MVFS__PAGES_MIN) {
		length = mvfs__pages_round(length);
		if (!length)
			return false;
		l->bytes = mvfs__pages_map(length);
		l->head.obj.flags = MVFS__MAPPED;
	}
	if (!l->bytes && length <= HEAP_MAX) {
		l->bytes = mvfs__malloc(length);
		l->head.obj.flags = MVFS__HEAP;
	}
	l->capacity = length - 1;
	return l->bytes != NULL;
}

static void large_release(struct mvfs__buffer_large *l)
{
	if (l->head.obj.flags == MVFS__MAPPED)
		mvfs__pages_unmap(l->bytes, l->capacity + 1);
	else if (l->head.obj.flags == MVFS__HEAP)
		mvfs__free(l->bytes);
	else if (l->free_fn)
		l->free_fn(l->ctx, l->bytes, l->capacity);
}

static struct mvfs__buffer_large *large_new(size_t capacity)
{
	struct mvfs__buffer_large *l = mvfs__malloc(sizeof(*l));

	if (!l)
		return NULL;
	mvfs__obj_init(&l->head.obj, MVFS__BUFFER);
	l->head.used = 0;
	l->free_fn = NULL;
	l->ctx = NULL;
	if (!large_alloc(l, capacity)) {
		mvfs__free(l);
		return NULL;
	}
	if (l->head.obj.flags == MVFS__HEAP)
		l->bytes[0] = 0;
	return l;
}

/* Small, and to be larger: stays small, or moves into a large one. */
static struct mvfs__buffer *grow_small(struct mvfs__buffer *b, size_t capacity)
{
	struct mvfs__buffer_large *l;
	size_t units;

	if (capacity < MVFS__BUFFER_LARGE) {
		units = small_units(capacity);
		b = mvfs__realloc(b, sizeof(*b) + 16 * units);
		if (b)
			b->obj.small = (uint16_t)units;
		return b;
	}
	l = large_new(capacity);
	if (!l)
		return NULL;
	l->head.obj.word = b->obj.word;
	l->head.used = b->used;
	memcpy(l->bytes, b + 1, (size_t)b->used + 1);
	mvfs__free(b);
	return &l->head;
}

/* By a copy: from malloc's memory into a mapping, or where growing failed. */
static bool move_large(struct mvfs__buffer_large *l, size_t capacity)
{
	struct mvfs__buffer_large old = *l;

	if (!large_alloc(l, capacity)) {
		*l = old;
		return false;
	}
	memcpy(l->bytes, old.bytes, (size_t)l->head.used + 1);
	large_release(&old);
	return true;
}

static bool grow_large(struct mvfs__buffer_large *l, size_t capacity)
{
	bool mapped = l->head.obj.flags == MVFS__MAPPED;
	uint8_t *bytes = NULL;
	size_t length;

	if (mvfs__add_overflow(capacity, 1, &length))
		return false;
	if (mapped) {
		length = mvfs__pages_round(length);
		if (length)
			bytes = mvfs__pages_grow(l->bytes, l->capacity + 1,
						 length);
	} else if (length < MVFS__PAGES_MIN) {
		bytes = mvfs__realloc(l->bytes, length);
	}
	if (!bytes)
		return move_large(l, capacity);
	l->bytes = bytes;
	l->capacity = length - 1;
	return true;
}

static bool grow(struct mvfs__buffer **b, size_t capacity)
{
	struct mvfs__buffer *grown;

	if ((*b)->obj.flags != MVFS__SMALL)
		return grow_large(large_of(*b), capacity);
	grown = grow_small(*b, capacity);
	if (!grown)
		return false;
	*b = grown;
	return true;
}

struct mvfs__buffer *mvfs__buffer_new(size_t capacity)
{
	struct mvfs__buffer_large *l;
	struct mvfs__buffer *b;
	size_t units;

	if (capacity >= MVFS__BUFFER_LARGE) {
		l = large_new(capacity);
		return l ? &l->head : NULL;
	}
	units = small_units(capacity);
	b = mvfs__malloc(sizeof(*b) + 16 * units);
	if (!b)
		return NULL;
	mvfs__obj_init(&b->obj, MVFS__BUFFER);
	b->obj.flags = MVFS__SMALL;
	b->obj.small = (uint16_t)units;
	b->used = 0;
	*mvfs__buffer_bytes(b) = 0;
	return b;
}

struct mvfs__buffer *mvfs__buffer_adopt(void *bytes, size_t length,
					void (*free_fn)(void *, void *, size_t),
					void *ctx)
{
	struct mvfs__buffer_large *l = mvfs__malloc(sizeof(*l));

	if (!l)
		return NULL;
	mvfs__obj_init(&l->head.obj, MVFS__BUFFER);
	l->head.obj.flags = MVFS__ADOPTED;
	l->head.used = length;
	l->bytes = bytes;
	l->capacity = length;
	l->free_fn = free_fn;
	l->ctx = ctx;
	return &l->head;
}

void mvfs__buffer_disown(struct mvfs__buffer *b)
{
	assert(mvfs__obj_is_mine(&b->obj) && b->obj.flags == MVFS__ADOPTED);
	large_of(b)->free_fn = NULL;
}

size_t mvfs__buffer_capacity(const struct mvfs__buffer *b)
{
	if (b->obj.flags == MVFS__SMALL)
		return 16 * (size_t)b->obj.small - 1;
	return ((const struct mvfs__buffer_large *)b)->capacity;
}

size_t mvfs__buffer_memory(const struct mvfs__buffer *b)
{
	if (b->obj.flags == MVFS__MAPPED)
		return sizeof(*b) + (size_t)b->used + 1;
	return sizeof(*b) + mvfs__buffer_capacity(b) + 1;
}

void *mvfs__buffer_steal(struct mvfs__buffer *b)
{
	struct mvfs__buffer_large *l = large_of(b);
	void *bytes = l->bytes;

	assert(mvfs__obj_is_mine(&b->obj) && b->obj.flags == MVFS__HEAP);
	mvfs__free(l);
	return bytes;
}

int mvfs__buffer_reserve(struct mvfs__buffer **b, size_t capacity)
{
	size_t old = mvfs__buffer_capacity(*b);
	size_t more;

	assert(mvfs__obj_is_mine(&(*b)->obj));
	assert((*b)->obj.flags != MVFS__ADOPTED);
	if (mvfs__likely(capacity <= old))
		return 0;
	/* half as much again, unless memory allows only what is needed */
	if (!mvfs__add_overflow(old, old / 2, &more) && more > capacity &&
	    grow(b, more))
		return 0;
	return grow(b, capacity) ? 0 : -ENOMEM;
}

void mvfs__buffer_set_used(struct mvfs__buffer *b, uint64_t used)
{
	uint8_t *bytes = mvfs__buffer_bytes(b);
	uint64_t old = b->used;

	assert(mvfs__obj_is_mine(&b->obj) && b->obj.flags != MVFS__ADOPTED);
	assert(used <= mvfs__buffer_capacity(b));
	if (used < old)
		mvfs__buffer_forget(b, used);
	b->used = used;
	/* the page there may be one that nobody has touched: look first */
	if (b->obj.flags != MVFS__MAPPED || bytes[used])
		bytes[used] = 0;
	if (used + MVFS__BUFFER_LARGE <= old)
		mvfs__buffer_discard(b, used + 1, old);
}

void mvfs__buffer_discard(struct mvfs__buffer *b, uint64_t from, uint64_t to)
{
	assert(mvfs__obj_is_mine(&b->obj));
	assert(from <= to && to <= mvfs__buffer_capacity(b));
	if (b->obj.flags != MVFS__MAPPED)
		return;
	mvfs__buffer_forget(b, from);
	mvfs__pages_discard(mvfs__buffer_bytes(b), (size_t)from, (size_t)to);
}

struct mvfs__text_state mvfs__buffer_text(const struct mvfs__buffer *b)
{
	/* C11 atomics are not const-correct */
	uint64_t word = atomic_load_explicit(
		(_Atomic uint64_t *)(uintptr_t)&b->obj.word,
		memory_order_relaxed);

	return (struct mvfs__text_state){
		.length = word >> 2,
		.known = (enum mvfs__known)(word & 3),
	};
}

void mvfs__buffer_set_text(struct mvfs__buffer *b,
			   struct mvfs__text_state state)
{
	assert(state.length <= b->used);
	atomic_store_explicit(&b->obj.word,
			      state.length << 2 | (uint64_t)state.known,
			      memory_order_relaxed);
}

void mvfs__buffer_forget(struct mvfs__buffer *b, uint64_t offset)
{
	struct mvfs__text_state state = mvfs__buffer_text(b);
	const uint8_t *bytes = mvfs__buffer_bytes(b);
	unsigned back;

	if (state.known == MVFS__KNOWN_MALFORMED) {
		/* what makes a sequence malformed is within its length */
		if (offset >= state.length + SEQUENCE_MAX)
			return;
		state.known = MVFS__KNOWN_UTF8;
	} else if (offset >= state.length) {
		return;
	}
	if (offset < state.length) {
		if (state.known == MVFS__KNOWN_UTF8)
			for (back = 1; back < SEQUENCE_MAX && offset > 0 &&
			     (bytes[offset] & 0xc0) == 0x80; back++)
				offset--;
		state.length = offset;
	}
	if (!state.length)
		state.known = MVFS__KNOWN_ASCII;
	mvfs__buffer_set_text(b, state);
}

void mvfs__buffer_free(struct mvfs__obj *obj, struct mvfs__bin *bin)
{
	struct mvfs__buffer *b = (struct mvfs__buffer *)obj;

	(void)bin;
	if (obj->flags != MVFS__SMALL)
		large_release(large_of(b));
	mvfs__free(b);
}
