/* SPDX-License-Identifier: MIT */
/*
 * Contents that prove themselves: a head of 32 bytes that says which record
 * of whom it is and how long, and groups of 16 bytes that follow from it. One
 * record in four has characters that are not ASCII.
 */
#include "config.h"

#include "tests/threads/threads.h"

enum { HEAD = 32, GROUP = 16, WRITERS = 64 };

/* How many records each writer has begun. */
static atomic_uint begun[WRITERS];

static uint64_t state_of(const struct record *r)
{
	uint64_t state = (uint64_t)r->writer << 56 ^ (uint64_t)r->seq << 24 ^
			 r->length;

	return rng(&state);
}

static void make_group(uint64_t *state, const struct record *r,
		       char to[GROUP])
{
	uint64_t word = rng(state);
	unsigned i;

	for (i = 0; i < GROUP; i++)
		to[i] = (char)('a' + (word >> 4 * i & 15));
	if (r->seq % 4 == 3)
		memcpy(to, "\xc3\xa9", 2);
}

static void make_head(const struct record *r, char to[HEAD + 1])
{
	snprintf(to, HEAD + 1, "R %08x %08x %08x   \n", r->writer, r->seq,
		 (unsigned)r->length);
}

size_t record_length(uint64_t *state)
{
	uint64_t most = 400;

	switch (below(state, 32)) {
	case 0:
		most = RECORD_MAX;
		break;
	case 1: case 2: case 3: case 4: case 5:
		most = 20000;
		break;
	}
	return RECORD_MIN + below(state, most - RECORD_MIN) / GROUP * GROUP;
}

struct record record_make(unsigned writer, size_t length, char *to)
{
	struct record r = { .writer = writer, .length = length };
	char head[HEAD + 1];
	uint64_t state;
	size_t at;

	r.seq = atomic_fetch_add_explicit(&begun[writer], 1,
					  memory_order_relaxed);
	state = state_of(&r);
	make_head(&r, head);
	memcpy(to, head, HEAD);
	for (at = HEAD; at < length; at += GROUP)
		make_group(&state, &r, to + at);
	return r;
}

static bool parse_head(const char *bytes, size_t left, struct record *r)
{
	char head[HEAD + 1], again[HEAD + 1];
	unsigned length;

	if (left < RECORD_MIN)
		return false;
	memcpy(head, bytes, HEAD);
	head[HEAD] = 0;
	if (sscanf(head, "R %8x %8x %8x", &r->writer, &r->seq, &length) != 3)
		return false;
	r->length = length;
	make_head(r, again);
	return !strcmp(head, again) && length <= left &&
	       length >= RECORD_MIN && length % GROUP == 0;
}

bool record_parse(const char *bytes, size_t left, struct record *r)
{
	char group[GROUP];
	uint64_t state;
	size_t at;

	if (!parse_head(bytes, left, r) || r->writer >= WRITERS ||
	    r->seq >= atomic_load_explicit(&begun[r->writer],
					   memory_order_relaxed))
		return false;
	state = state_of(r);
	for (at = HEAD; at < r->length; at += GROUP) {
		make_group(&state, r, group);
		if (memcmp(group, bytes + at, GROUP))
			return false;
	}
	return true;
}

int records_in(const char *where, const char *bytes, size_t length)
{
	struct record record;
	size_t at;
	int count = 0;

	for (at = 0; at < length; at += record.length, count++)
		if (!record_parse(bytes + at, length - at, &record)) {
			flaw(where, 0);
			fprintf(stderr, "no record at %zu of %zu: '%.*s'\n",
				at, length, length - at < HEAD ?
				(int)(length - at) : HEAD, bytes + at);
			return count;
		}
	return count;
}
