/* SPDX-License-Identifier: MIT */
/*
 * Scratch frames: what is behind <memvfs/scratch.h>; the library's own use is
 * by the inline functions there and mvfs__scratch_open().
 *
 *     stack ──> base ┌─────────┬─────────┬─────────┬──────────┐
 *                    │ frame 1 │ frame 2 │ frame 3 │ free     │
 *                    └─────────┴─────────┴─────────┴──────────┘
 *                                                  used     size
 *
 * A frame remembers `used` as it was; closing it sets that again. There is
 * no flag that says a stack is taken: whoever interrupts, by a call, a
 * callback or a signal, begins at `used`, and has put it back when the
 * interrupted goes on.
 *
 * The stack never moves or grows, for frames point into it. Rejected: one
 * that is enlarged between frames, since a directory or a path that needs
 * more than 64 KiB of scratch takes far longer than a malloc.
 */
#ifndef MVFS__SCRATCH_H
#define MVFS__SCRATCH_H

#include <memvfs/scratch.h>

#include "vfs/mem/kept.h"

/* What malloc adds makes it 64 KiB. */
#define MVFS__SCRATCH_SIZE ((size_t)64 * 1024 - 16)

static inline void mvfs__scratch_open(struct mvfs_scratch *frame)
{
	struct mvfs_scratch_stack *stack = &mvfs__kept.scratch;

	frame->stack = stack;
	frame->used = stack->used;
	frame->heap = NULL;
}

/* The rest of alloc and close. */
void *mvfs__scratch_more(struct mvfs_scratch *frame, size_t size);
void mvfs__scratch_free(struct mvfs_scratch *frame);

/* Frees this thread's stack, on which no frame is open. */
void mvfs__scratch_drop_stack(void);

#endif
