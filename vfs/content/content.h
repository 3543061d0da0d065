/* SPDX-License-Identifier: MIT */
/*
 * A content: the bytes of a file as sorted runs.
 *
 *     size
 *     [run][run]      [run without a buffer]        <- hole up to size
 *       |    |
 *     buffer buffer   (zeros, reserved)
 *
 * What no run covers is a hole and reads as zero; a run without a buffer is
 * reserved (fallocate: reads as zero, is a hole for SEEK_*, counts as
 * blocks). Granularity is MVFS__BLOCK: a run begins at a multiple of it, no
 * two runs share a block, and a run's bytes end where its block's data end;
 * the rest of its last block reads as zero. A file written in order is
 * exactly one run, growing in place; a write into a shared run splits it and
 * copies at most MVFS__COPY_MAX around the write, never the file; neighbours
 * that fit MVFS__COPY_MAX together are merged when either is written.
 *
 * A content is a struct by value inside its node. One run at offset 0 that
 * begins its buffer is inside it; more are in a refcounted array.
 *
 * Not synchronised. Readers hold the node's stripe shared (or the instance
 * exclusively), writers exclusively, and writers only where the node is the
 * instance's own. Every call that can fail leaves all as it was.
 */
#ifndef MVFS__CONTENT_H
#define MVFS__CONTENT_H

#include "vfs/content/buffer.h"

#define MVFS__COPY_MAX (64u * 1024)

struct mvfs__run {
	uint64_t offset; /* in the file; a multiple of MVFS__BLOCK */
	uint64_t length; /* > 0 */
	struct mvfs__buffer *buffer; /* NULL: reserved */
	uint64_t start;  /* of the run's bytes in the buffer */
};

/* Several runs, or one that does not fit inside. */
struct mvfs__runs {
	struct mvfs__obj obj;
	uint32_t count, capacity;
	uint64_t blocks; /* that all runs touch */
	struct mvfs__run run[];
};

struct mvfs__content {
	uint64_t size;
	uint64_t length; /* of the run inside; 0 with an array */
	/* NULL: none; a buffer (length > 0); or a struct mvfs__runs */
	struct mvfs__obj *held;
};

void mvfs__content_init(struct mvfs__content *c);

/* `to` (uninitialised) becomes another reference to what `from` holds. */
void mvfs__content_share(const struct mvfs__content *from,
			 struct mvfs__content *to);

/* Drops what it holds; size 0 afterwards. */
void mvfs__content_clear(struct mvfs__content *c, struct mvfs__bin *bin);

/* Blocks of MVFS__BLOCK that the runs touch. */
uint64_t mvfs__content_blocks(const struct mvfs__content *c);

/* How many more blocks a write (or reserve) of that range would touch. */
uint64_t mvfs__content_cost(const struct mvfs__content *c, uint64_t offset,
			    uint64_t length);

/*
 * The largest length <= `length` for which the cost is at most `blocks`:
 * the short count of a write that meets a limit.
 */
uint64_t mvfs__content_affordable(const struct mvfs__content *c,
				  uint64_t offset, uint64_t length,
				  uint64_t blocks);

/*
 * A piece of a write: struct iovec's shape, without its header. NULL bytes
 * are zeros.
 */
struct mvfs__piece {
	const void *bytes;
	size_t length;
};

/*
 * Writes the pieces' first `length` bytes at `offset`. The size grows if
 * needed. 0 or -ENOMEM. offset + length <= MVFS__SIZE_MAX.
 */
int mvfs__content_write(struct mvfs__content *c, uint64_t offset,
			const struct mvfs__piece *pieces, size_t count,
			uint64_t length, struct mvfs__bin *bin);

/*
 * Cuts or grows (by a hole). 0 or -ENOMEM; growing cannot fail, nor can a cut
 * of what is the content's own, nor one to 0. What is reserved behind the end
 * goes with a cut, also one to the size there is, and stays when it grows.
 */
int mvfs__content_truncate(struct mvfs__content *c, uint64_t size,
			   struct mvfs__bin *bin);

/* Reserves the range (fallocate); the size is unchanged. */
int mvfs__content_reserve(struct mvfs__content *c, uint64_t offset,
			  uint64_t length, struct mvfs__bin *bin);

/* Makes whole blocks in the range holes, zeroes the rest of it. The size is
 * unchanged. 0 or -ENOMEM. */
int mvfs__content_punch(struct mvfs__content *c, uint64_t offset,
			uint64_t length, struct mvfs__bin *bin);

/*
 * Lets `length` bytes of `to` at `to_offset` be those of `from` at
 * `from_offset`, by sharing buffers where both offsets are multiples of
 * MVFS__BLOCK, by copying elsewhere; holes stay holes, and what is reserved
 * becomes one. A last part of a block is shared if it ends both files. The
 * size grows if needed. `from` may be `to`'s own earlier share, never `to`
 * itself. 0 or -ENOMEM.
 */
int mvfs__content_clone_range(struct mvfs__content *to, uint64_t to_offset,
			      const struct mvfs__content *from,
			      uint64_t from_offset, uint64_t length,
			      struct mvfs__bin *bin);

/* What clone_range would add in blocks to `to`; 0 if it would free some. */
uint64_t mvfs__content_clone_cost(const struct mvfs__content *to,
				  uint64_t to_offset,
				  const struct mvfs__content *from,
				  uint64_t from_offset, uint64_t length);

/* The content becomes that of the buffer (whose reference it takes over),
 * `length` bytes from `start` on. start > 0 may need memory: -ENOMEM. */
int mvfs__content_set(struct mvfs__content *c, struct mvfs__buffer *buffer,
		      uint64_t start, uint64_t length, struct mvfs__bin *bin);

/* lseek's: an offset >= `offset`, or -ENXIO at or behind the end. */
int64_t mvfs__content_seek_data(const struct mvfs__content *c, uint64_t offset);
int64_t mvfs__content_seek_hole(const struct mvfs__content *c, uint64_t offset);

/*
 * Reading without copying under a lock: references to what covers
 * [offset, offset + length), up to the end of the file and to `capacity`
 * pieces, in order and without gaps; a piece whose buffer is NULL is zeros.
 * Returns how many pieces; *covered is the bytes they cover. The caller drops
 * the buffers (mvfs__obj_drop) after copying outside the lock.
 */
struct mvfs__extent {
	struct mvfs__buffer *buffer; /* a reference, or NULL for zeros */
	const uint8_t *bytes;        /* NULL for zeros */
	uint64_t length;
};
size_t mvfs__content_extents(const struct mvfs__content *c, uint64_t offset,
			     uint64_t length, struct mvfs__extent *extents,
			     size_t capacity, uint64_t *covered);

/*
 * Copies a range out of a content that cannot change (a share): for strings
 * and writers' own copies. Zeros for holes. Reads up to the end of the file;
 * returns the bytes copied, which count as a copy by the library.
 */
uint64_t mvfs__content_copy_out(const struct mvfs__content *c, uint64_t offset,
				void *to, uint64_t length);

/*
 * Whether two contents that cannot change differ, and from which byte on; one
 * that ends before the other differs at its end. And a byte of one.
 */
bool mvfs__content_differs(const struct mvfs__content *a,
			   const struct mvfs__content *b, uint64_t *offset);
uint8_t mvfs__content_byte(const struct mvfs__content *c, uint64_t offset);

/*
 * The bytes from `from` to the end have just been written, and are known to
 * be well-formed UTF-8, or ASCII: written down where all before is known.
 */
void mvfs__content_learn(struct mvfs__content *c, uint64_t from, bool ascii);

/*
 * The one buffer that holds exactly the whole file, as a new reference, with
 * its start; NULL if the file is empty, has a hole, or has several runs.
 */
struct mvfs__buffer *mvfs__content_whole_run(const struct mvfs__content *c,
					     uint64_t *start);

static inline struct mvfs__buffer *
mvfs__content_whole(const struct mvfs__content *c, uint64_t *start)
{
	/* the run inside: what most files are */
	if (mvfs__likely(c->length && c->length == c->size)) {
		*start = 0;
		mvfs__obj_retain(c->held);
		return (struct mvfs__buffer *)c->held;
	}
	return mvfs__content_whole_run(c, start);
}

/*
 * Gathers a share into one buffer, outside all locks, with what is known of
 * the text of the first runs: NULL without memory.
 * mvfs__content_install() then puts it in the place of the runs of the live
 * content, if that still is what was gathered and has no hole; the new
 * content holds its own reference. False: it has changed meanwhile, or has
 * a hole, or something reserved.
 */
struct mvfs__buffer *mvfs__content_gather(const struct mvfs__content *share);
bool mvfs__content_install(struct mvfs__content *live,
			   const struct mvfs__content *share,
			   struct mvfs__buffer *gathered,
			   struct mvfs__bin *bin);

/* Asserts the invariants; for tests. */
void mvfs__content_check(const struct mvfs__content *c);

mvfs__obj_free_fn mvfs__runs_free;

#endif
