/* SPDX-License-Identifier: MIT */
/* SHA-256, FIPS 180-4: so that sha256sum(1) can check what was measured. */
#ifndef BENCH_SHA256_H
#define BENCH_SHA256_H

#include <stddef.h>

/* Of `length` bytes, in hexadecimal and terminated. */
void bench_sha256(const void *bytes, size_t length, char hex[65]);

#endif
