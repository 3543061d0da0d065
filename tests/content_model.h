/* SPDX-License-Identifier: MIT */
/*
 * What the tests of contents share: a file that is a flat array of bytes
 * with a state for each block, so plainly right; and the comparison of a
 * content with it, through every way there is to look at one.
 *
 * The model begins at `base`, so that the same steps can be taken at the end
 * of what 63 bits can name; before it everything is a hole.
 */
#ifndef TESTS_CONTENT_MODEL_H
#define TESTS_CONTENT_MODEL_H

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/random.h"
#include "vfs/content/content.h"
#include "vfs/mem/mem.h"

#define MODEL_BLOCKS 48u
#define MODEL_BYTES (MODEL_BLOCKS * MVFS__BLOCK)

enum block_state { HOLE, RESERVED, DATA };

struct model {
	uint64_t base, size; /* size >= base, or 0 where base is 0 */
	uint8_t state[MODEL_BLOCKS];
	uint8_t bytes[MODEL_BYTES];
};

static inline uint64_t model_up(uint64_t offset)
{
	return (offset + MVFS__BLOCK - 1) / MVFS__BLOCK;
}

static inline void model_write(struct model *m, uint64_t offset,
			       const uint8_t *bytes, uint64_t length)
{
	uint64_t at = offset - m->base;

	if (!length)
		return;
	if (bytes)
		memcpy(m->bytes + at, bytes, length);
	else
		memset(m->bytes + at, 0, length);
	for (uint64_t b = at / MVFS__BLOCK; b < model_up(at + length); b++)
		m->state[b] = DATA;
	if (m->size < offset + length)
		m->size = offset + length;
}

static inline void model_truncate(struct model *m, uint64_t size)
{
	uint64_t at = size - m->base;
	bool grows = size > m->size;

	m->size = size;
	/* what is reserved behind the end stays there while a file grows */
	if (grows)
		return;
	memset(m->bytes + at, 0, MODEL_BYTES - at);
	memset(m->state + model_up(at), HOLE, MODEL_BLOCKS - model_up(at));
}

static inline void model_reserve(struct model *m, uint64_t offset,
				 uint64_t length)
{
	uint64_t at = offset - m->base;

	if (!length)
		return;
	for (uint64_t b = at / MVFS__BLOCK; b < model_up(at + length); b++)
		if (m->state[b] == HOLE)
			m->state[b] = RESERVED;
}

static inline void model_punch(struct model *m, uint64_t offset,
			       uint64_t length)
{
	uint64_t at = offset - m->base;

	memset(m->bytes + at, 0, length);
	for (uint64_t b = model_up(at); (b + 1) * MVFS__BLOCK <= at + length;
	     b++)
		m->state[b] = HOLE;
}

/* Blocks of [offset, offset + length) that are still to be had. */
static inline uint64_t model_cost(const struct model *m, uint64_t offset,
				  uint64_t length)
{
	uint64_t at = offset - m->base, cost = 0;

	if (!length)
		return 0;
	for (uint64_t b = at / MVFS__BLOCK; b < model_up(at + length); b++)
		cost += m->state[b] == HOLE;
	return cost;
}

static inline uint64_t model_blocks(const struct model *m)
{
	uint64_t blocks = 0;

	for (unsigned b = 0; b < MODEL_BLOCKS; b++)
		blocks += m->state[b] != HOLE;
	return blocks;
}

static inline enum block_state content_state(const struct mvfs__content *c,
					     uint64_t block)
{
	if (mvfs__content_cost(c, block, 1))
		return HOLE;
	return mvfs__content_seek_data(c, block) == (int64_t)block ? DATA
								   : RESERVED;
}

/*
 * The bytes of a range cloned by copying, where a block of zeros may have
 * become a hole or not: within bounds the content decides. `from` as it was.
 */
static inline void model_copy(struct model *m, uint64_t to_offset,
			      const struct model *from, uint64_t from_offset,
			      uint64_t length, const struct mvfs__content *c)
{
	uint64_t at = to_offset - m->base, src = from_offset - from->base;

	memcpy(m->bytes + at, from->bytes + src, length);
	if (m->size < to_offset + length)
		m->size = to_offset + length;
	for (uint64_t b = at / MVFS__BLOCK; b < model_up(at + length); b++) {
		uint64_t begin = b * MVFS__BLOCK, end = begin + MVFS__BLOCK;
		enum block_state now = content_state(c, m->base + begin);
		bool covered = begin >= at && end <= at + length;
		bool hole = true, zero = true;

		if (begin < at)
			begin = at;
		if (end > at + length)
			end = at + length;
		for (uint64_t i = begin - at + src; i < end - at + src; i++) {
			hole &= from->state[i / MVFS__BLOCK] != DATA;
			zero &= !from->bytes[i];
		}
		if (!zero)
			ck_assert_int_eq(now, DATA);
		else if (hole && covered)
			ck_assert_int_eq(now, HOLE);
		else if (!covered && m->state[b] != HOLE)
			ck_assert_int_ge(now, m->state[b]);
		m->state[b] = (uint8_t)now;
	}
}

static inline void model_clone(struct model *m, uint64_t to_offset,
			       const struct model *from, uint64_t from_offset,
			       uint64_t length, const struct mvfs__content *c)
{
	uint64_t at = to_offset - m->base, src = from_offset - from->base;
	uint64_t tail = length % MVFS__BLOCK, blocks = model_up(length);

	if (!length)
		return;
	if (to_offset % MVFS__BLOCK || from_offset % MVFS__BLOCK) {
		model_copy(m, to_offset, from, from_offset, length, c);
		return;
	}
	if (from_offset + length < from->size || to_offset + length < m->size)
		blocks = length / MVFS__BLOCK;
	else
		tail = 0;
	memmove(m->bytes + at, from->bytes + src, length - tail);
	for (uint64_t b = 0; b < blocks; b++)
		m->state[at / MVFS__BLOCK + b] =
			from->state[src / MVFS__BLOCK + b] == DATA ? DATA
								   : HOLE;
	if (m->size < to_offset + length - tail)
		m->size = to_offset + length - tail;
	if (tail)
		model_copy(m, to_offset + length - tail, from,
			   from_offset + length - tail, tail, c);
}

/* lseek(2) with SEEK_DATA or SEEK_HOLE. */
static inline int64_t model_seek(const struct model *m, uint64_t offset,
				 bool data)
{
	uint64_t b, at;

	if (offset >= m->size)
		return -ENXIO;
	if (offset < m->base && !data)
		return (int64_t)offset;
	at = offset < m->base ? 0 : offset - m->base;
	for (b = at / MVFS__BLOCK; b < MODEL_BLOCKS; b++)
		if ((m->state[b] == DATA) == data)
			break;
	if (b * MVFS__BLOCK > at)
		at = b * MVFS__BLOCK;
	if (m->base + at < m->size)
		return (int64_t)(m->base + at);
	return data ? -ENXIO : (int64_t)m->size;
}

/* The bytes as a reader gets them who copies outside the lock. */
static inline void compare_extents(const struct mvfs__content *c,
				   const struct model *m, uint64_t offset,
				   uint64_t length, size_t capacity)
{
	static const uint8_t zeros[MODEL_BYTES];
	struct mvfs__bin bin = MVFS__BIN_INIT;
	struct mvfs__extent extents[8];
	uint64_t covered, at = offset, left;
	size_t count;

	ck_assert_uint_le(capacity, 8);
	count = mvfs__content_extents(c, offset, length, extents, capacity,
				      &covered);
	left = offset < m->size ? m->size - offset : 0;
	if (left > length)
		left = length;
	if (count < capacity)
		ck_assert_uint_eq(covered, left);
	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_gt(extents[i].length, 0);
		ck_assert(!extents[i].buffer == !extents[i].bytes);
		ck_assert_mem_eq(m->bytes + (at - m->base),
				 extents[i].buffer ? extents[i].bytes : zeros,
				 extents[i].length);
		at += extents[i].length;
		if (extents[i].buffer)
			mvfs__obj_drop(&extents[i].buffer->obj, &bin);
		if (i)
			ck_assert(extents[i].buffer || extents[i - 1].buffer);
	}
	ck_assert_uint_eq(at - offset, covered);
	mvfs__bin_empty(&bin);
}

static inline void compare_whole(const struct mvfs__content *c,
				 const struct model *m)
{
	struct mvfs__bin bin = MVFS__BIN_INIT;
	struct mvfs__buffer *buffer;
	uint64_t start = 0;

	buffer = mvfs__content_whole(c, &start);
	if (!buffer)
		return;
	ck_assert_uint_eq(m->base, 0);
	ck_assert_mem_eq(mvfs__buffer_bytes(buffer) + start, m->bytes,
			 m->size);
	for (unsigned b = 0; b < model_up(m->size); b++)
		ck_assert_int_eq(m->state[b], DATA);
	mvfs__obj_drop(&buffer->obj, &bin);
	mvfs__bin_empty(&bin);
}

/* The short count of a write that meets a limit, by trying each length. */
static inline void compare_affordable(const struct mvfs__content *c,
				      const struct model *m, uint64_t offset,
				      uint64_t length, uint64_t blocks)
{
	uint64_t got = mvfs__content_affordable(c, offset, length, blocks);

	ck_assert_uint_le(got, length);
	ck_assert_uint_le(model_cost(m, offset, got), blocks);
	if (got < length)
		ck_assert_uint_gt(model_cost(m, offset, got + 1), blocks);
}

/* All that can be seen of the content is as in the model. */
static inline void compare(const struct mvfs__content *c,
			   const struct model *m, uint64_t *seed)
{
	static uint8_t bytes[MODEL_BYTES];
	uint64_t at = below(seed, MODEL_BYTES);
	uint64_t length = below(seed, MODEL_BYTES - at);
	unsigned wrong = 0;

	mvfs__content_check(c);
	ck_assert_uint_eq(c->size, m->size);
	ck_assert_uint_eq(mvfs__content_blocks(c), model_blocks(m));
	ck_assert_uint_eq(mvfs__content_copy_out(c, m->base, bytes,
						 MODEL_BYTES),
			  m->size - m->base);
	ck_assert_mem_eq(bytes, m->bytes, m->size - m->base);
	for (uint64_t b = 0; b < MODEL_BLOCKS; b++)
		wrong += mvfs__content_cost(c, m->base + b * MVFS__BLOCK, 1) !=
			 (m->state[b] == HOLE);
	ck_assert_uint_eq(wrong, 0);
	for (uint64_t b = 0; b < MODEL_BLOCKS; b += 1 + below(seed, 4)) {
		uint64_t o = m->base + b * MVFS__BLOCK + below(seed, 3);

		if (o && below(seed, 2))
			o--;
		ck_assert_int_eq(mvfs__content_seek_data(c, o),
				 model_seek(m, o, true));
		ck_assert_int_eq(mvfs__content_seek_hole(c, o),
				 model_seek(m, o, false));
	}
	ck_assert_uint_eq(mvfs__content_cost(c, m->base + at, length),
			  model_cost(m, m->base + at, length));
	compare_affordable(c, m, m->base + at, length,
			   below(seed, MODEL_BLOCKS));
	compare_extents(c, m, m->base + at, length, 1 + below(seed, 8));
	compare_whole(c, m);
}

#endif
