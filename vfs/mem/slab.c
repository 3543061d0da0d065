/* SPDX-License-Identifier: MIT */
/*
 * The slab allocator of slab.h, after Leijen, Zorn and de Moura, "Mimalloc:
 * Free List Sharding in Action" (2019): free lists by span, one for the
 * owner, who needs no atomics, and one for all others.
 *
 * A heap is a set of spans. Every thread has one of its own, in whose
 * current spans, one a size, it allocates; it owns also those that threads
 * which have ended left behind. A heap is never freed, and a span stays with
 * its heap as long as it has objects, so whoever frees can ask whose it is.
 *
 *     thread ──> heap ──> current[size] ──> span ──> free, fresh
 *                 │ └───> avail[size] ────> span ──> span
 *                 └─────> pending ────────> span ──> remote
 *
 * Who frees for another thread pushes to the span's `remote`; whoever finds
 * that empty also pushes the span to the heap's `pending`. The owner takes
 * `remote` of no span but those it finds there, so none is there twice.
 *
 * In the child of a fork(2) the heaps of the other threads are as they were
 * at some moment, perhaps half changed. They keep their owners, which do not
 * exist, so nobody ever allocates there.
 *
 * Rejected: one heap under a lock, which two writers of two instances would
 * share; a hash table from pages to spans instead of alignment.
 */
#include "config.h"

#include "vfs/mem/slab.h"

#include <pthread.h>
#include <stdlib.h>

#include "vfs/mem/slab_pool.h"

#define STEP 8u /* from one size to the next */
#define CLASSES (MVFS__SLAB_MAX / STEP)

struct mvfs__heap {
	_Atomic(struct mvfs__heap *) owner; /* a thread's own, or NULL */
	_Atomic(struct mvfs__span *) pending;
	struct mvfs__heap *next;  /* of all; constant */
	struct mvfs__heap *owned; /* the next of the same owner */
	struct mvfs__span *avail[CLASSES];
	struct mvfs__span *current[CLASSES]; /* of any heap that it owns */
};

static MVFS__SMALL_TLS _Thread_local struct mvfs__heap *mine;

static _Atomic(struct mvfs__heap *) heaps;
static atomic_uint abandoned; /* heaps without an owner */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_bool installed;
static pthread_key_t key;

static unsigned class_of(size_t size)
{
	return (unsigned)((size - 1) / STEP);
}

static void **link_in(void *object)
{
	return object;
}

static void list_add(struct mvfs__span *span)
{
	struct mvfs__span **head = &span->heap->avail[class_of(span->size)];

	span->state = MVFS__SPAN_AVAIL;
	span->prev = NULL;
	span->next = *head;
	if (span->next)
		span->next->prev = span;
	*head = span;
}

static void list_remove(struct mvfs__span *span)
{
	assert(span->state == MVFS__SPAN_AVAIL);
	if (span->prev)
		span->prev->next = span->next;
	else
		span->heap->avail[class_of(span->size)] = span->next;
	if (span->next)
		span->next->prev = span->prev;
}

/* After objects were freed in a span that is nobody's current one. */
static void settle(struct mvfs__span *span)
{
	if (!span->used) {
		if (span->state == MVFS__SPAN_AVAIL)
			list_remove(span);
		mvfs__pool_give(span);
	} else if (span->state == MVFS__SPAN_FULL) {
		list_add(span);
	}
}

/*
 * Where a whole span was emptied, the tree is shrinking: the current spans
 * that are empty go too, each of which may keep 2 MiB from the system.
 */
static void trim(struct mvfs__heap *heap)
{
	for (unsigned n = 0; n < CLASSES; n++) {
		if (!heap->current[n] || heap->current[n]->used)
			continue;
		mvfs__pool_give(heap->current[n]);
		heap->current[n] = NULL;
	}
}

static void free_own(struct mvfs__span *span, void *ptr)
{
	assert(span->used > 0);
	*link_in(ptr) = span->free;
	span->free = ptr;
	span->used--;
	if (span->state == MVFS__SPAN_CURRENT)
		return;
	if (!span->used) {
		settle(span);
		trim(mine);
	} else if (span->state == MVFS__SPAN_FULL) {
		settle(span);
	}
}

/*
 * The order is also that of acquiring: who finds `remote` empty writes
 * `pending`, which the owner read before it emptied it.
 */
static void free_remote(struct mvfs__heap *heap, struct mvfs__span *span,
			void *ptr)
{
	void *first = atomic_load_explicit(&span->remote,
					   memory_order_relaxed);
	struct mvfs__span *head;

	do {
		*link_in(ptr) = first;
	} while (!atomic_compare_exchange_weak_explicit(
		&span->remote, &first, ptr, memory_order_acq_rel,
		memory_order_relaxed));
	if (first)
		return;
	head = atomic_load_explicit(&heap->pending, memory_order_relaxed);
	do {
		span->pending = head;
	} while (!atomic_compare_exchange_weak_explicit(
		&heap->pending, &head, span, memory_order_acq_rel,
		memory_order_relaxed));
}

/* Takes back what others have freed in a heap that is owned. */
static void collect(struct mvfs__heap *heap)
{
	struct mvfs__span *span, *next;
	void *ptr, *after;

	if (!atomic_load_explicit(&heap->pending, memory_order_relaxed))
		return;
	span = atomic_exchange_explicit(&heap->pending, NULL,
					memory_order_acq_rel);
	for (; span; span = next) {
		next = span->pending;
		ptr = atomic_exchange_explicit(&span->remote, NULL,
					       memory_order_acq_rel);
		for (; ptr; ptr = after) {
			after = *link_in(ptr);
			*link_in(ptr) = span->free;
			span->free = ptr;
			assert(span->used > 0);
			span->used--;
		}
		if (span->state != MVFS__SPAN_CURRENT)
			settle(span);
	}
}

/* Makes `heap`, which has no owner, that of `owner`; false: another did. */
static bool claim(struct mvfs__heap *heap, struct mvfs__heap *owner)
{
	struct mvfs__heap *none = NULL;

	if (!atomic_compare_exchange_strong_explicit(
		    &heap->owner, &none, owner, memory_order_acq_rel,
		    memory_order_relaxed))
		return false;
	atomic_fetch_sub_explicit(&abandoned, 1, memory_order_relaxed);
	return true;
}

/* Any heap without an owner, claimed for `owner` or else for itself. */
static struct mvfs__heap *claim_any(struct mvfs__heap *owner)
{
	struct mvfs__heap *heap;

	if (!atomic_load_explicit(&abandoned, memory_order_relaxed))
		return NULL;
	heap = atomic_load_explicit(&heaps, memory_order_acquire);
	for (; heap; heap = heap->next)
		if (!atomic_load_explicit(&heap->owner,
					  memory_order_relaxed) &&
		    claim(heap, owner ? owner : heap))
			return heap;
	return NULL;
}

static void adopt(struct mvfs__heap *heap, struct mvfs__heap *owner)
{
	heap->owned = owner->owned;
	owner->owned = heap;
}

/* The end of a thread: what it owns is for others to claim. */
static void abandon(void *arg)
{
	struct mvfs__heap *heap = arg, *next;

	mine = NULL;
	for (unsigned n = 0; n < CLASSES; n++) {
		struct mvfs__span *span = heap->current[n];

		heap->current[n] = NULL;
		if (!span)
			continue;
		span->state = MVFS__SPAN_FULL;
		if (!span->used || span->free ||
		    span->fresh + span->size <= MVFS__SPAN_SIZE)
			settle(span);
	}
	for (; heap; heap = next) {
		collect(heap);
		next = heap->owned;
		heap->owned = NULL;
		atomic_fetch_add_explicit(&abandoned, 1,
					  memory_order_relaxed);
		atomic_store_explicit(&heap->owner, NULL,
				      memory_order_release);
	}
}

static void install(void)
{
	(void)pthread_key_create(&key, abandon);
	(void)pthread_atfork(mvfs__pool_lock, mvfs__pool_unlock,
			     mvfs__pool_unlock);
	atomic_store(&installed, true);
}

/* Where the library is unloaded, threads must not come back to it. */
static __attribute__((__destructor__)) void uninstall(void)
{
	if (atomic_load(&installed))
		(void)pthread_key_delete(key);
}

static struct mvfs__heap *new_heap(void)
{
	struct mvfs__heap *heap = calloc(1, sizeof(*heap));

	if (!heap)
		return NULL;
	atomic_init(&heap->owner, heap);
	heap->next = atomic_load_explicit(&heaps, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(
		&heaps, &heap->next, heap, memory_order_acq_rel,
		memory_order_relaxed))
		continue;
	return heap;
}

/* The thread's own; NULL without memory. */
static struct mvfs__heap *own_heap(void)
{
	if (mvfs__likely(mine != NULL))
		return mine;
	pthread_once(&once, install);
	mine = claim_any(NULL);
	if (!mine)
		mine = new_heap();
	if (mine)
		(void)pthread_setspecific(key, mine);
	return mine;
}

static void *take_from(struct mvfs__span *span)
{
	void *ptr = span->free;

	if (mvfs__likely(ptr != NULL)) {
		span->free = *link_in(ptr);
		span->used++;
		return ptr;
	}
	if (span->fresh + span->size > MVFS__SPAN_SIZE)
		return NULL;
	ptr = mvfs__span_base(span) + span->fresh;
	span->fresh += span->size;
	span->used++;
	return ptr;
}

static struct mvfs__span *new_span(struct mvfs__heap *heap, unsigned class)
{
	struct mvfs__span *span = mvfs__pool_take();

	if (!span)
		return NULL;
	span->heap = heap;
	atomic_init(&span->remote, NULL);
	span->free = NULL;
	span->used = 0;
	span->size = (uint16_t)((class + 1) * STEP);
	/* sizes that are multiples of 16 are aligned so: 64 divides fresh */
	assert(span->fresh % 64 == 0);
	return span;
}

/* A span with something free: of an owned heap, of a dead thread, or new. */
static struct mvfs__span *find_span(struct mvfs__heap *heap, unsigned class)
{
	struct mvfs__span *span;
	struct mvfs__heap *h;

	for (h = heap; h; h = h->owned)
		if (h->avail[class])
			break;
	while (!h && (h = claim_any(heap))) {
		adopt(h, heap);
		collect(h);
		if (!h->avail[class])
			h = NULL;
	}
	if (!h)
		return new_span(heap, class);
	span = h->avail[class];
	list_remove(span);
	return span;
}

static void *alloc_slowly(struct mvfs__heap *heap, unsigned class)
{
	struct mvfs__span *span = heap->current[class];
	struct mvfs__heap *h;
	void *ptr;

	for (h = heap; h; h = h->owned)
		collect(h);
	ptr = span ? take_from(span) : NULL;
	if (ptr)
		return ptr;
	if (span)
		span->state = MVFS__SPAN_FULL;
	span = find_span(heap, class);
	heap->current[class] = span;
	if (!span)
		return NULL;
	span->state = MVFS__SPAN_CURRENT;
	ptr = take_from(span);
	assert(ptr);
	return ptr;
}

void *mvfs__slab_alloc(size_t size)
{
	struct mvfs__heap *heap;
	struct mvfs__span *span;
	void *ptr = NULL;

	assert(size > 0);
	if (mvfs__unlikely(size > MVFS__SLAB_MAX))
		return mvfs__malloc(size);
	if (mvfs__mem_fails())
		return NULL;
	heap = own_heap();
	if (mvfs__unlikely(!heap))
		return NULL;
	span = heap->current[class_of(size)];
	if (mvfs__likely(span != NULL))
		ptr = take_from(span);
	return mvfs__likely(ptr != NULL) ? ptr :
	       alloc_slowly(heap, class_of(size));
}

void mvfs__slab_free(void *ptr, size_t size)
{
	struct mvfs__heap *heap, *owner;
	struct mvfs__span *span;

	if (mvfs__unlikely(size > MVFS__SLAB_MAX)) {
		mvfs__free(ptr);
		return;
	}
	span = mvfs__span_of(ptr);
	assert(class_of(size) == class_of(span->size));
	heap = span->heap;
	owner = atomic_load_explicit(&heap->owner, memory_order_relaxed);
	if (mvfs__likely(owner == mine && owner != NULL)) {
		free_own(span, ptr);
	} else if (!owner && own_heap() && claim(heap, mine)) {
		adopt(heap, mine);
		free_own(span, ptr);
	} else {
		free_remote(heap, span, ptr);
	}
}

size_t mvfs__slab_fill(size_t size)
{
	return (size + 15) & ~(size_t)15;
}

void mvfs__slab_at_fork(void)
{
	pthread_once(&once, install);
}
