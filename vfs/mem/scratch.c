/* SPDX-License-Identifier: MIT */
/* Scratch frames, but for what is inline: see scratch.h. */
#include "config.h"

#include "vfs/mem/scratch.h"

/* What found no room, before its bytes. */
struct heap {
	struct heap *next;
};

#define HEAD ((size_t)16)

_Static_assert(sizeof(struct heap) <= HEAD, "bytes are aligned to 16");

/* True if there is a stack now that was not there before. */
static bool make_stack(struct mvfs_scratch_stack *stack)
{
	if (stack->size || !mvfs__keeps())
		return false;
	assert(!stack->used);
	stack->base = mvfs__malloc(MVFS__SCRATCH_SIZE);
	if (!stack->base)
		return false;
	/* whoever interrupts here takes it for none */
	MVFS_SCRATCH_FENCE();
	stack->size = MVFS__SCRATCH_SIZE;
	return true;
}

void *mvfs__scratch_more(struct mvfs_scratch *frame, size_t size)
{
	struct heap *heap;
	size_t with_head;

	assert(frame->stack == &mvfs__kept.scratch);
	if (size <= MVFS__SCRATCH_SIZE && make_stack(frame->stack))
		return mvfs_scratch_alloc(frame, size);
	if (mvfs__add_overflow(size, HEAD, &with_head) ||
	    with_head > PTRDIFF_MAX)
		return NULL;
	heap = mvfs__malloc(with_head);
	if (!heap)
		return NULL;
	heap->next = frame->heap;
	frame->heap = heap;
	return (unsigned char *)heap + HEAD;
}

void mvfs__scratch_free(struct mvfs_scratch *frame)
{
	struct heap *heap = frame->heap, *next;

	frame->heap = NULL;
	for (; heap; heap = next) {
		next = heap->next;
		mvfs__free(heap);
	}
}

void mvfs__scratch_drop_stack(void)
{
	struct mvfs_scratch_stack *stack = &mvfs__kept.scratch;

	mvfs__free(stack->base);
	*stack = (struct mvfs_scratch_stack){ NULL, 0, 0 };
}
