/* SPDX-License-Identifier: MIT */
/* The bytes that are written, and hashes of those that are read. */
#include "config.h"

#include "oracle.h"

#include <string.h>

static const unsigned char utf8_sample[] =
	"na\xc3\xafve \xe4\xb8\xad\xe6\x96\x87 \xf0\x9f\x8c\xb3 caf\xc3\xa9; ";

/*
 * Mostly ASCII, sometimes longer UTF-8, sometimes any bytes, sometimes zeros:
 * what a string of the file is shared, decoded or refused by.
 */
void data_fill(unsigned char *to, size_t len, uint32_t fill)
{
	struct rng rng = { fill };
	uint64_t word = rng_next(&rng);
	size_t i;

	if (fill % 32 == 5) {
		memset(to, 0, len);
		return;
	}
	if (fill % 16 == 7) {
		for (i = 0; i < len; i++)
			to[i] = utf8_sample[i % (sizeof(utf8_sample) - 1)];
		return;
	}
	for (i = 0; i < len; i++) {
		if (i % 64 == 0)
			word = rng_next(&rng);
		to[i] = (unsigned char)(word >> (i % 8 * 8)) + (i & 0x38);
		if (fill % 32 != 3)
			to[i] = 'A' + (to[i] & 31);
	}
}

/* Four lanes: most of what a test run computes is this. */
uint64_t data_hash(const void *bytes, size_t len, uint64_t seed)
{
	const unsigned char *p = bytes;
	uint64_t hash = seed ^ (len * 0x9e3779b97f4a7c15u), word[4];
	uint64_t lane[4] = { 1, 2, 3, 4 };
	int i;

	for (; len >= 32; p += 32, len -= 32) {
		memcpy(word, p, 32);
		for (i = 0; i < 4; i++) {
			lane[i] = (lane[i] ^ word[i]) * 0xff51afd7ed558ccdu;
			lane[i] ^= lane[i] >> 32;
		}
	}
	for (i = 0; i < 4; i++) {
		hash = (hash ^ lane[i]) * 0xff51afd7ed558ccdu;
		hash ^= hash >> 32;
	}
	for (; len; p++, len--)
		hash = (hash ^ *p) * 0x100000001b3u;
	hash *= 0xc4ceb9fe1a85ec53u;
	return hash ^ (hash >> 29);
}

/* RFC 3629, by its table of byte ranges. */
bool data_is_utf8(const unsigned char *p, size_t len)
{
	const unsigned char *end = p + len;

	while (p < end) {
		unsigned char c = *p++, low = 0x80, high = 0xbf;
		int more = 0;

		if (c < 0x80)
			continue;
		if (c < 0xc2 || c > 0xf4)
			return false;
		more = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
		if (c == 0xe0)
			low = 0xa0;
		if (c == 0xed)
			high = 0x9f;
		if (c == 0xf0)
			low = 0x90;
		if (c == 0xf4)
			high = 0x8f;
		for (; more; more--, low = 0x80, high = 0xbf)
			if (p == end || *p < low || *p++ > high)
				return false;
	}
	return true;
}
