/* SPDX-License-Identifier: MIT */
/*
 * Inside this module: a content's runs, whether one is inside the struct or
 * several are in an array, as one sorted list to read; and the array of its
 * own that a change of the list is made in.
 *
 * A change that can fail is made of two parts: mvfs__runs_own() and new
 * buffers, which may fail and change nothing that can be seen; then
 * mvfs__runs_replace(), which cannot.
 */
#ifndef MVFS__CONTENT_RUNS_H
#define MVFS__CONTENT_RUNS_H

#include "vfs/content/content.h"

/* Sizes are at most 2^63 - 1, so rounding up cannot overflow 64 bits. */
static inline uint64_t mvfs__block_down(uint64_t offset)
{
	return offset & ~(uint64_t)(MVFS__BLOCK - 1);
}

static inline uint64_t mvfs__block_up(uint64_t offset)
{
	return mvfs__block_down(offset + MVFS__BLOCK - 1);
}

/* Where the run's bytes end, and where the last block it touches does. */
static inline uint64_t mvfs__run_end(const struct mvfs__run *run)
{
	return run->offset + run->length;
}

static inline uint64_t mvfs__run_edge(const struct mvfs__run *run)
{
	return mvfs__block_up(mvfs__run_end(run));
}

static inline uint64_t mvfs__run_blocks(const struct mvfs__run *run)
{
	return (mvfs__run_edge(run) - run->offset) / MVFS__BLOCK;
}

/* The array, or NULL where there is none. */
static inline struct mvfs__runs *mvfs__runs_of(const struct mvfs__content *c)
{
	return c->length ? NULL : (struct mvfs__runs *)c->held;
}

/* Not to be copied: `run` may point into it. */
struct mvfs__view {
	const struct mvfs__run *run;
	uint32_t count;
	struct mvfs__run one;
};

static inline void mvfs__view_init(struct mvfs__view *v,
				   const struct mvfs__content *c)
{
	const struct mvfs__runs *runs = mvfs__runs_of(c);

	if (runs) {
		v->run = runs->run;
		v->count = runs->count;
		return;
	}
	v->one.offset = 0;
	v->one.length = c->length;
	v->one.buffer = (struct mvfs__buffer *)c->held;
	v->one.start = 0;
	v->run = &v->one;
	v->count = c->length != 0;
}

/* The first run that touches a block behind `offset`; count if none does. */
uint32_t mvfs__view_find(const struct mvfs__view *v, uint64_t offset);

/* The first run that begins at `offset` or behind; a block multiple. */
uint32_t mvfs__view_find_begin(const struct mvfs__view *v, uint64_t offset);

/* Blocks touched in a range that begins and ends at a block. */
uint64_t mvfs__view_touched(const struct mvfs__view *v, uint64_t from,
			    uint64_t to);

/*
 * Copies [offset, offset + length) to `to`, zeros where no bytes are; where
 * `to` is known to be zero, leaves these out. Returns the bytes copied, not
 * counting zeros; the caller tells mvfs__mem_count_copy().
 */
uint64_t mvfs__view_read(const struct mvfs__view *v, uint64_t offset,
			 uint8_t *to, size_t length, bool to_is_zero);

/* True if the run's bytes may be changed where they are. */
bool mvfs__run_writable(const struct mvfs__content *c,
			const struct mvfs__run *run);

/*
 * What is left of a run before `from`, and from the block multiple `to` on;
 * false if nothing is. The piece has its own reference.
 */
bool mvfs__run_head(const struct mvfs__run *run, uint64_t from,
		    struct mvfs__run *head);
bool mvfs__run_rest(const struct mvfs__run *run, uint64_t to,
		    struct mvfs__run *rest);

/* An array with copies of the first `count` runs, or NULL. */
struct mvfs__runs *mvfs__runs_copy(const struct mvfs__view *v, uint32_t count,
				   uint64_t capacity);

/*
 * The content holds an array of its own from now on, with room for `room`
 * more runs, even if it could be without. 0 or -ENOMEM.
 */
int mvfs__runs_own(struct mvfs__content *c, uint64_t room,
		   struct mvfs__bin *bin);

/*
 * Drops the runs [at, end) and makes place for `count` others, which the
 * caller fills in and then mvfs__runs_opened(). The array is the content's
 * own and has room.
 */
struct mvfs__run *mvfs__runs_open(struct mvfs__runs *runs, uint32_t at,
				  uint32_t end, uint32_t count,
				  struct mvfs__bin *bin);
void mvfs__runs_opened(struct mvfs__runs *runs, uint32_t at, uint32_t count);

/* Both in one; takes over the references of `with`. */
void mvfs__runs_replace(struct mvfs__runs *runs, uint32_t at, uint32_t end,
			const struct mvfs__run *with, uint32_t count,
			struct mvfs__bin *bin);

/* Back to no array where it is the content's own and none is needed. */
void mvfs__runs_settle(struct mvfs__content *c, struct mvfs__bin *bin);

/* A write that leaves the array in place for the caller's next step. */
int mvfs__runs_write(struct mvfs__content *c, uint64_t offset,
		     const struct mvfs__piece *pieces, size_t count,
		     uint64_t length, struct mvfs__bin *bin);

#endif
