/* SPDX-License-Identifier: MIT */
/* Where data and holes are, and what a change would cost in blocks. */
#include "config.h"

#include "vfs/content/content.h"

#include <errno.h>

#include "vfs/content/runs.h"

uint64_t mvfs__content_blocks(const struct mvfs__content *c)
{
	const struct mvfs__runs *runs = mvfs__runs_of(c);

	return runs ? runs->blocks : mvfs__block_up(c->length) / MVFS__BLOCK;
}

uint64_t mvfs__content_cost(const struct mvfs__content *c, uint64_t offset,
			    uint64_t length)
{
	uint64_t from = mvfs__block_down(offset);
	uint64_t to = mvfs__block_up(offset + length);
	struct mvfs__view v;

	assert(offset <= MVFS__SIZE_MAX && length <= MVFS__SIZE_MAX - offset);
	if (!length)
		return 0;
	mvfs__view_init(&v, c);
	return (to - from) / MVFS__BLOCK - mvfs__view_touched(&v, from, to);
}

uint64_t mvfs__content_affordable(const struct mvfs__content *c,
				  uint64_t offset, uint64_t length,
				  uint64_t blocks)
{
	uint64_t at = mvfs__block_down(offset), end = offset + length, gap;
	struct mvfs__view v;
	uint32_t k;

	assert(offset <= MVFS__SIZE_MAX && length <= MVFS__SIZE_MAX - offset);
	mvfs__view_init(&v, c);
	for (k = mvfs__view_find(&v, at); at < end; k++) {
		gap = k < v.count ? mvfs__min64(v.run[k].offset, end) : end;
		gap = gap > at ? mvfs__block_up(gap - at) / MVFS__BLOCK : 0;
		if (gap > blocks) {
			at += blocks * MVFS__BLOCK;
			break;
		}
		blocks -= gap;
		if (k >= v.count)
			return length;
		at = mvfs__run_edge(&v.run[k]);
	}
	at = mvfs__min64(at, end);
	return at > offset ? at - offset : 0;
}

int64_t mvfs__content_seek_data(const struct mvfs__content *c, uint64_t offset)
{
	struct mvfs__view v;
	uint32_t k;

	if (offset >= c->size)
		return -ENXIO;
	mvfs__view_init(&v, c);
	for (k = mvfs__view_find(&v, offset); k < v.count; k++)
		if (v.run[k].buffer)
			return (int64_t)mvfs__max64(v.run[k].offset, offset);
	return -ENXIO;
}

int64_t mvfs__content_seek_hole(const struct mvfs__content *c, uint64_t offset)
{
	struct mvfs__view v;
	uint32_t k;

	if (offset >= c->size)
		return -ENXIO;
	mvfs__view_init(&v, c);
	k = mvfs__view_find(&v, offset);
	for (; k < v.count && v.run[k].buffer; k++) {
		if (v.run[k].offset > offset)
			break;
		offset = mvfs__run_edge(&v.run[k]);
	}
	return (int64_t)mvfs__min64(offset, c->size);
}
