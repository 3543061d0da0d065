/* SPDX-License-Identifier: MIT */
/*
 * Contents that are put together from two: what differs is found sector by
 * sector, past what both share, so that it costs what differs (and holes of
 * any size nothing).
 */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "vfs/crash/crash.h"
#include "vfs/mem/mem.h"

/* What is copied at a time, and a page. */
enum { BLOCK = 4096 };

struct found {
	uint64_t *sector;
	size_t count, capacity;
};

static int add(struct found *f, uint64_t sector)
{
	size_t more = f->capacity ? f->capacity * 2 : 8;
	uint64_t *grown;

	if (f->count && f->sector[f->count - 1] == sector)
		return 0;
	if (f->count == f->capacity) {
		grown = mvfs__realloc(f->sector, more * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		f->sector = grown;
		f->capacity = more;
	}
	f->sector[f->count++] = sector;
	return 0;
}

static bool is_equal(const uint8_t *a, const uint8_t *b, size_t len)
{
	static const uint8_t zeros[256];
	size_t i, n;

	if (a && b)
		return memcmp(a, b, len) == 0;
	a = a ? a : b;
	for (i = 0; a && i < len; i += n) {
		n = (size_t)mvfs__min64(len - i, sizeof(zeros));
		if (memcmp(a + i, zeros, n) != 0)
			return false;
	}
	return true;
}

/* The sectors that differ in `len` bytes at `at`, of one extent each. All
 * that are written behind the end do, those of zeros too. */
static int compare(struct found *f, const uint8_t *a, const uint8_t *b,
		   uint64_t at, uint64_t len, uint32_t sector, uint64_t end)
{
	uint64_t n, i;
	bool differs;

	if (a == b)
		return 0;
	for (i = 0; i < len; i += n) {
		n = mvfs__min64(len - i, sector - (at + i) % sector);
		differs = (b && (at + i) / sector * sector >= end) ||
			  !is_equal(a ? a + i : NULL, b ? b + i : NULL,
				    (size_t)n);
		if (differs && add(f, (at + i) / sector))
			return -ENOMEM;
	}
	return 0;
}

/* One reference to what is at `at`, of at most *len bytes, which shrinks. */
static struct mvfs__extent extent_at(const struct mvfs__content *c,
				     uint64_t at, uint64_t *len)
{
	struct mvfs__extent extent = { NULL, NULL, 0 };

	if (at >= c->size)
		return extent; /* zeros, as far as the other one goes */
	(void)mvfs__content_extents(c, at, *len, &extent, 1, len);
	return extent;
}

int mvfs__sectors_differ(const struct mvfs__content *a,
			 const struct mvfs__content *b, uint32_t sector,
			 uint64_t **sectors, size_t *count)
{
	uint64_t at, len, end = a->size > b->size ? a->size : b->size;
	struct mvfs__bin bin = MVFS__BIN_INIT;
	struct mvfs__extent x, y;
	struct found f = { NULL, 0, 0 };
	int rc = 0;

	for (at = 0; at < end && !rc; at += len) {
		len = end - at;
		x = extent_at(a, at, &len);
		y = extent_at(b, at, &len);
		rc = compare(&f, x.bytes, y.bytes, at, len, sector, a->size);
		if (x.buffer)
			mvfs__obj_drop(&x.buffer->obj, &bin);
		if (y.buffer)
			mvfs__obj_drop(&y.buffer->obj, &bin);
	}
	mvfs__bin_empty(&bin);
	if (rc) {
		mvfs__free(f.sector);
		return rc;
	}
	*sectors = f.sector;
	*count = f.count;
	return 0;
}

/* Whether the variant has this one of the sectors that differ. */
static bool is_new(const struct mvfs__cut *cut, const struct mvfs__doubt *doubt,
		   const struct mvfs__variant *variant, size_t i)
{
	size_t half = doubt->sectors / 2;

	if (variant->what != MVFS_CRASH_TORN ||
	    variant->which == MVFS__TORN_NONE)
		return false;
	if (doubt->sectors <= 4)
		return (variant->which + 1) >> i & 1;
	switch (variant->which) {
	case 0:
		return i < half;
	case 1:
		return i >= half;
	default:
		return mvfs__crash_random(cut->options.seed ^ variant->which,
					  doubt->dirty->ino, i) & 1;
	}
}

/* In place of a sector: what was there before, or garbage. */
static void fill(const struct mvfs__cut *cut, const struct mvfs__doubt *doubt,
		 const struct mvfs__content *older, bool garbage, uint64_t at,
		 uint8_t *bytes, uint64_t len)
{
	uint64_t i, word = 0;

	memset(bytes, 0, (size_t)len);
	if (!garbage) {
		(void)mvfs__content_copy_out(older, at, bytes, len);
		return;
	}
	for (i = 0; i < len; i++) {
		if (i % 8 == 0)
			word = mvfs__crash_random(cut->options.seed,
						  doubt->dirty->ino, at + i);
		bytes[i] = (uint8_t)(word >> 8 * (i % 8));
	}
}

static int put_older(const struct mvfs__cut *cut,
		     const struct mvfs__doubt *doubt,
		     const struct mvfs__content *older, bool garbage,
		     uint64_t sector, struct mvfs__content *out,
		     struct mvfs__bin *bin)
{
	uint64_t size = cut->options.sector, at = sector * size, n, i;
	uint8_t bytes[BLOCK];
	struct mvfs__piece piece = { bytes, 0 };
	int rc = 0;

	for (i = 0; i < size && at + i < out->size && !rc; i += n) {
		n = mvfs__min64(mvfs__min64(size - i, BLOCK),
				out->size - (at + i));
		fill(cut, doubt, older, garbage, at + i, bytes, n);
		piece.length = (size_t)n;
		rc = mvfs__content_write(out, at + i, &piece, 1, n, bin);
	}
	return rc;
}

/*
 * In order, a file is no longer than what was written of its end: the size
 * follows the data.
 */
static uint64_t size_of(const struct mvfs__cut *cut,
			const struct mvfs__doubt *doubt,
			const struct mvfs__content *older,
			const struct mvfs__variant *variant)
{
	uint64_t size = doubt->newest.size, at;
	size_t i;

	if (cut->options.policy != MVFS_CRASH_ORDERED ||
	    variant->what != MVFS_CRASH_TORN)
		return size;
	for (i = 0; i < doubt->sectors; i++) {
		at = doubt->sector[i] * cut->options.sector;
		if (at + cut->options.sector <= older->size ||
		    is_new(cut, doubt, variant, i))
			continue;
		at = at > older->size ? at : older->size;
		return mvfs__min64(at, size);
	}
	return size;
}

int mvfs__sectors_mix(const struct mvfs__cut *cut,
		      const struct mvfs__doubt *doubt,
		      const struct mvfs__content *older,
		      const struct mvfs__variant *variant,
		      struct mvfs__content *out, struct mvfs__bin *bin)
{
	bool garbage = variant->what == MVFS_CRASH_GARBAGE;
	size_t i;
	int rc;

	mvfs__content_share(variant->what == MVFS_CRASH_LOST ?
			    older : &doubt->newest, out);
	if (variant->what == MVFS_CRASH_LOST ||
	    variant->what == MVFS_CRASH_KEPT)
		return 0;
	rc = mvfs__content_truncate(out, size_of(cut, doubt, older, variant),
				    bin);
	for (i = 0; i < doubt->sectors && !rc; i++)
		if (!is_new(cut, doubt, variant, i))
			rc = put_older(cut, doubt, older, garbage,
				       doubt->sector[i], out, bin);
	if (rc)
		mvfs__content_clear(out, bin);
	return rc;
}

/* Whether the page is the same in both. */
static bool is_same_page(const struct mvfs__content *a,
			 const struct mvfs__content *b, uint64_t at,
			 uint8_t *bytes)
{
	memset(bytes, 0, 2 * BLOCK);
	(void)mvfs__content_copy_out(a, at, bytes, BLOCK);
	(void)mvfs__content_copy_out(b, at, bytes + BLOCK, BLOCK);
	return memcmp(bytes, bytes + BLOCK, BLOCK) == 0;
}

static bool was_written(const struct mvfs__dirty *dirty, uint64_t page)
{
	size_t i;

	for (i = 0; i < dirty->ranges; i++)
		if (dirty->range[i].from < page + BLOCK &&
		    dirty->range[i].to > page)
			return true;
	return false;
}

int mvfs__sectors_skip(const struct mvfs__content *older,
		       const struct mvfs__dirty *dirty,
		       const struct mvfs__content *newest,
		       struct mvfs__content *out, struct mvfs__bin *bin)
{
	uint8_t bytes[2 * BLOCK];
	struct mvfs__piece piece = { bytes, 0 };
	uint64_t *page, at;
	size_t count, i;
	int rc;

	rc = mvfs__sectors_differ(older, newest, BLOCK, &page, &count);
	if (rc)
		return rc;
	mvfs__content_share(newest, out);
	for (i = 0; i < count && !rc; i++) {
		at = page[i] * BLOCK;
		if (at >= newest->size || was_written(dirty, at) ||
		    !is_same_page(&dirty->forgotten, newest, at, bytes))
			continue;
		memset(bytes, 0, BLOCK);
		(void)mvfs__content_copy_out(older, at, bytes, BLOCK);
		piece.length = (size_t)mvfs__min64(newest->size - at, BLOCK);
		rc = mvfs__content_write(out, at, &piece, 1, piece.length, bin);
	}
	mvfs__free(page);
	if (rc)
		mvfs__content_clear(out, bin);
	return rc;
}
