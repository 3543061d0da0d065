/* SPDX-License-Identifier: MIT */
/*
 * Scratch memory: for intermediate results, that end with the function which
 * needed them.
 *
 * Each thread has a stack of 64 KiB for them, made at the first use. A frame
 * is opened on it, allocated from, and closed; frames nest as calls do: the
 * one that was opened last is closed first, on the same thread. What finds no
 * room on the stack comes from malloc(3), and is freed when the frame is
 * closed, so that a frame serves any size.
 *
 * What a frame gives is not zeroed: it holds what the last one left there.
 *
 * A callback that opens a frame within another's lifetime gets a place behind
 * it. So does a signal handler; but what finds no room there, or is the first
 * of the thread, calls malloc(3), which a signal handler must not. A frame
 * that is left by longjmp(3) is closed with the next one around it, but what
 * it had from malloc(3) is lost.
 *
 * Under AddressSanitizer and valgrind every allocation is malloc's, so that
 * these find what is written past its end, or used after the frame.
 *
 * The functions are inline as far as it matters. They work on the structs
 * below, whose members are part of the ABI, but not for use.
 */
#ifndef MEMVFS_SCRATCH_H
#define MEMVFS_SCRATCH_H

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A thread's stack. Private.
 *
 * @since 0.1.0
 */
struct mvfs_scratch_stack {
	unsigned char *base;
	size_t used; /* from the base on, a multiple of 16 */
	size_t size; /* likewise; 0: there is none */
};

/*
 * A frame, which is a local variable of the function that needs it. It is
 * neither copied nor handed to another thread. The members are private.
 *
 * @since 0.1.0
 */
struct mvfs_scratch {
	struct mvfs_scratch_stack *stack;
	size_t used; /* of the stack, when the frame was opened */
	void *heap;  /* what found no room, chained */
};

/*
 * Opens a frame. It allocates nothing and cannot fail.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NEAR void mvfs_scratch_open(struct mvfs_scratch *frame);

/*
 * What mvfs_scratch_alloc() does where there is no room on the stack: for
 * that function alone.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD void *mvfs_scratch_more(struct mvfs_scratch *frame,
						size_t size);

/*
 * What mvfs_scratch_close() does where there is something to free: for that
 * function alone.
 *
 * @since 0.1.0
 */
MVFS_API void mvfs_scratch_free(struct mvfs_scratch *frame);

/*
 * Keeps the compiler from moving what is written into a frame before the
 * frame's place is taken: a signal handler may run between the two.
 */
#if defined __GNUC__
#define MVFS_SCRATCH_FENCE() __asm__ __volatile__("" : : : "memory")
#else
#define MVFS_SCRATCH_FENCE() ((void)0)
#endif

/*
 * Allocates `size` bytes, aligned to 16, with any content, that last until
 * the frame is closed. For 0 bytes the address is one that no other
 * allocation has. Only the frame that was opened last may be allocated from.
 *
 * Returns the memory, or NULL: out of memory, or `size` is more than can be
 * addressed. The frame and what is in it stay as they were.
 *
 * @since 0.1.0
 */
MVFS_NODISCARD static inline void *
mvfs_scratch_alloc(struct mvfs_scratch *frame, size_t size)
{
	struct mvfs_scratch_stack *stack = frame->stack;
	size_t at = stack->used, taken = size ? size : 1;

	if (taken > stack->size - at)
		return mvfs_scratch_more(frame, size);
	stack->used = at + ((taken + 15) & ~(size_t)15);
	MVFS_SCRATCH_FENCE();
	return stack->base + at;
}

/*
 * Allocates `count` objects of `size` bytes, as mvfs_scratch_alloc() does.
 *
 * Returns the memory, or NULL: out of memory, or the product is more than can
 * be addressed.
 *
 * @since 0.1.0
 */
MVFS_NODISCARD static inline void *
mvfs_scratch_array(struct mvfs_scratch *frame, size_t count, size_t size)
{
	if (size && count > (size_t)-1 / size)
		return NULL;
	return mvfs_scratch_alloc(frame, count * size);
}

/*
 * Ends the frame, and all that was allocated from it.
 *
 * @since 0.1.0
 */
static inline void mvfs_scratch_close(struct mvfs_scratch *frame)
{
	if (frame->heap)
		mvfs_scratch_free(frame);
	MVFS_SCRATCH_FENCE();
	frame->stack->used = frame->used;
}

#ifdef __cplusplus
}
#endif

#endif
