// SPDX-License-Identifier: MIT
/*
 * Reading bytes and doing nothing with them: the compiler's own vectors of 64
 * bytes, which it cuts to what the processor has, four of them a turn, so that
 * no sum waits for another.
 */
#include <config.h>

#include "bench/peers/peers.h"

#include <string.h>

typedef uint64_t lanes __attribute__((__vector_size__(64)));

static inline __attribute__((__always_inline__)) uint64_t
pass(const void *bytes, size_t length)
{
	const char *p = bytes, *end = p + length / 256 * 256;
	lanes a = {0}, b = {0}, c = {0}, d = {0}, v;
	uint64_t sum = 0;

	for (; p < end; p += 256) {
		memcpy(&v, p, sizeof(v));
		a |= v;
		memcpy(&v, p + 64, sizeof(v));
		b |= v;
		memcpy(&v, p + 128, sizeof(v));
		c |= v;
		memcpy(&v, p + 192, sizeof(v));
		d |= v;
	}
	a |= b | c | d;
	for (int i = 0; i < 8; i++)
		sum |= a[i];
	for (size_t i = length / 256 * 256; i < length; i++)
		sum |= ((const unsigned char *)bytes)[i];
	return sum;
}

#if defined __x86_64__
static __attribute__((__target__("avx512f"))) uint64_t
pass_avx512(const void *bytes, size_t length)
{
	return pass(bytes, length);
}

static __attribute__((__target__("avx2"))) uint64_t
pass_avx2(const void *bytes, size_t length)
{
	return pass(bytes, length);
}

uint64_t peers_read_pass(const void *bytes, size_t length)
{
	if (__builtin_cpu_supports("avx512f"))
		return pass_avx512(bytes, length);
	if (__builtin_cpu_supports("avx2"))
		return pass_avx2(bytes, length);
	return pass(bytes, length);
}
#else
uint64_t peers_read_pass(const void *bytes, size_t length)
{
	return pass(bytes, length);
}
#endif
