/* SPDX-License-Identifier: MIT */
/*
 * The vector kernels of x86-64, by what the processor and the system can do:
 * __builtin_cpu_supports() asks for the saving of wide registers, too.
 */
#include "config.h"

#include "vfs/text/vector.h"

const struct mvfs__kernels *const mvfs__kernels_vector[] = {
	&mvfs__kernels_avx512,
	&mvfs__kernels_avx2,
	&mvfs__kernels_sse,
	NULL
};

static bool has_sse(void)
{
	return __builtin_cpu_supports("ssse3") &&
	       __builtin_cpu_supports("sse4.1") &&
	       __builtin_cpu_supports("popcnt");
}

static bool has_avx2(void)
{
	return has_sse() && __builtin_cpu_supports("avx2") &&
	       __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

static bool has_avx512(void)
{
	return has_avx2() && __builtin_cpu_supports("avx512f") &&
	       __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512dq") &&
	       __builtin_cpu_supports("avx512vl") &&
	       __builtin_cpu_supports("avx512vbmi") &&
	       __builtin_cpu_supports("avx512vbmi2");
}

bool mvfs__kernels_usable(const struct mvfs__kernels *k)
{
	if (k == &mvfs__kernels_avx512)
		return has_avx512();
	if (k == &mvfs__kernels_avx2)
		return has_avx2();
	assert(k == &mvfs__kernels_sse);
	return has_sse();
}
