/* SPDX-License-Identifier: MIT */
/*
 * A buffer: a reference-counted run of bytes.
 *
 * Shapes behind one head. Small ones have their bytes behind the head, in
 * one allocation. From MVFS__BUFFER_LARGE on, bytes of their own: malloc's at
 * first, and from a few MiB on an anonymous mapping of huge pages that grows
 * by mremap, so that growth copies nothing and untouched capacity costs
 * nothing (pages.h has the figures). Adopted ones are the caller's memory,
 * given back through its free_fn.
 *
 * What makes a string without a copy possible:
 *  - A buffer with more than one reference is immutable, and that includes
 *    the bytes behind `used`: nothing is ever appended into a shared tail.
 *  - A buffer of our own has a byte behind the last used one, and it is 0.
 *    Adopted memory is never written, grown, or read past its end.
 *  - The word in the head says how many leading bytes are known, and as
 *    what. Threads that classify the same shared bytes store the same
 *    answer; whoever writes is alone and lowers it first.
 *
 * In place of the trie's key: word = known length << 2 | enum mvfs__known.
 */
#ifndef MVFS__BUFFER_H
#define MVFS__BUFFER_H

#include "vfs/base/obj.h"

#define MVFS__BUFFER_LARGE (128u * 1024)

enum mvfs__buffer_shape {
	MVFS__SMALL,   /* behind the head; 16 * obj.small, the 0 counted */
	MVFS__MAPPED,  /* a mapping of our own */
	MVFS__HEAP,    /* malloc, below that or where mmap fails */
	MVFS__ADOPTED  /* the caller's, never written */
};

/* What the leading bytes are known to be. */
enum mvfs__known {
	MVFS__KNOWN_ASCII,    /* all below 0x80; with length 0: nothing known */
	MVFS__KNOWN_UTF8,     /* well-formed, ends at a character */
	MVFS__KNOWN_MALFORMED /* well-formed, and malformed at that offset */
};

struct mvfs__buffer {
	struct mvfs__obj obj; /* flags: enum mvfs__buffer_shape */
	uint64_t used;
};

struct mvfs__buffer_large {
	struct mvfs__buffer head;
	uint8_t *bytes;
	size_t capacity; /* of `bytes`, the 0 behind `used` not counted */
	void (*free_fn)(void *ctx, void *bytes, size_t length);
	void *ctx;
};

static inline uint8_t *mvfs__buffer_bytes(const struct mvfs__buffer *b)
{
	if (b->obj.flags == MVFS__SMALL)
		return (uint8_t *)(uintptr_t)(b + 1);
	return ((const struct mvfs__buffer_large *)b)->bytes;
}

/* An empty buffer with room for `capacity` bytes, or NULL without memory. */
struct mvfs__buffer *mvfs__buffer_new(size_t capacity);

/*
 * A buffer over the caller's memory, or NULL (the memory is still the
 * caller's). free_fn may be NULL for memory that lasts for ever. It runs
 * with no lock held, on whichever thread drops the last reference.
 */
struct mvfs__buffer *mvfs__buffer_adopt(void *bytes, size_t length,
					void (*free_fn)(void *, void *, size_t),
					void *ctx);

/* An adopted buffer that is the caller's alone: its memory will not be freed
 * with it. */
void mvfs__buffer_disown(struct mvfs__buffer *b);

size_t mvfs__buffer_capacity(const struct mvfs__buffer *b);

/*
 * The memory that a buffer keeps, roughly: without what of a mapping was
 * never touched.
 */
size_t mvfs__buffer_memory(const struct mvfs__buffer *b);

/*
 * The bytes of a buffer that is the caller's alone and MVFS__HEAP, as memory
 * for free(); the rest of the buffer is gone.
 */
void *mvfs__buffer_steal(struct mvfs__buffer *b);

/*
 * Makes room for `capacity` bytes in a buffer that is the caller's alone and
 * not adopted; `*b` may move. Grows by half at least, so that appending is
 * linear. 0, or -ENOMEM with nothing changed.
 */
int mvfs__buffer_reserve(struct mvfs__buffer **b, size_t capacity);

/*
 * Sets `used` and the 0 behind it; lowers what is known. Alone, not adopted.
 * Memory of whole pages far behind a `used` that goes down is given back.
 */
void mvfs__buffer_set_used(struct mvfs__buffer *b, uint64_t used);

/*
 * The bytes [from, to) are needed no more: gives the memory of whole pages
 * there back where it can, and forgets what is known of them. Alone.
 */
void mvfs__buffer_discard(struct mvfs__buffer *b, uint64_t from, uint64_t to);

/* What is known of the text; the pair is read and written in one piece. */
struct mvfs__text_state {
	uint64_t length;
	enum mvfs__known known;
};
struct mvfs__text_state mvfs__buffer_text(const struct mvfs__buffer *b);
void mvfs__buffer_set_text(struct mvfs__buffer *b,
			   struct mvfs__text_state state);

/*
 * Before bytes from `offset` on are overwritten or cut off: keeps what is
 * known of the bytes before, down to the start of the character there.
 * Before an append at `used` itself: withdraws a "malformed" that was only a
 * sequence cut off at the end.
 */
void mvfs__buffer_forget(struct mvfs__buffer *b, uint64_t offset);

mvfs__obj_free_fn mvfs__buffer_free;

#endif
