/* SPDX-License-Identifier: MIT */
/*
 * SipHash-1-3: one round for each 8 bytes, three at the end. Aumasson and
 * Bernstein, "SipHash: a fast short-input PRF", 2012; the reduced rounds are
 * those of Rust, Ruby and Python's tables. Keyed, so nobody who does not
 * know the seed can choose names, or texts, that collide.
 */
#include "config.h"

#include "vfs/base/siphash.h"

struct state {
	uint64_t v0, v1, v2, v3;
};

static inline uint64_t rotate(uint64_t x, unsigned by)
{
	return x << by | x >> (64 - by);
}

static inline void sip_round(struct state *s)
{
	s->v0 += s->v1;
	s->v2 += s->v3;
	s->v1 = rotate(s->v1, 13) ^ s->v0;
	s->v3 = rotate(s->v3, 16) ^ s->v2;
	s->v0 = rotate(s->v0, 32);
	s->v2 += s->v1;
	s->v0 += s->v3;
	s->v1 = rotate(s->v1, 17) ^ s->v2;
	s->v3 = rotate(s->v3, 21) ^ s->v0;
	s->v2 = rotate(s->v2, 32);
}

static inline void absorb(struct state *s, uint64_t word)
{
	s->v3 ^= word;
	sip_round(s);
	s->v0 ^= word;
}

/* Compilers make one load of these. */
static inline uint64_t load32(const unsigned char *p)
{
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 |
	       (uint64_t)p[3] << 24;
}

static inline uint64_t load64(const unsigned char *p)
{
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 |
	       (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
	       (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
	       (uint64_t)p[7] << 56;
}

/* The last `len` < 8 of `total` bytes, by loads that overlap. */
static inline uint64_t load_tail(const unsigned char *p, size_t len,
				 size_t total)
{
	if (len == 0)
		return 0;
	if (total >= 8)
		return load64(p + len - 8) >> (64 - 8 * len);
	if (len >= 4)
		return load32(p) | load32(p + len - 4) << (8 * (len - 4));
	return (uint64_t)p[0] | (uint64_t)p[len / 2] << (8 * (len / 2)) |
	       (uint64_t)p[len - 1] << (8 * (len - 1));
}

uint64_t mvfs__siphash13(const struct mvfs__seed *seed, const void *bytes,
			 size_t len)
{
	const unsigned char *p = bytes;
	struct state s = {
		seed->k0 ^ UINT64_C(0x736f6d6570736575),
		seed->k1 ^ UINT64_C(0x646f72616e646f6d),
		seed->k0 ^ UINT64_C(0x6c7967656e657261),
		seed->k1 ^ UINT64_C(0x7465646279746573),
	};

	assert(bytes || !len);
	for (size_t left = len; left >= 8; left -= 8, p += 8)
		absorb(&s, load64(p));
	absorb(&s, (uint64_t)len << 56 | load_tail(p, len % 8, len));
	s.v2 ^= 0xff;
	sip_round(&s);
	sip_round(&s);
	sip_round(&s);
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}
