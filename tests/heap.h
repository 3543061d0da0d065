/* SPDX-License-Identifier: MIT */
/*
 * What this thread asks of malloc and gives back to it, counted in malloc
 * itself, so that what the C library does for its own is seen too. The test
 * program has the functions; where a sanitizer has them, nothing is counted.
 */
#ifndef TESTS_HEAP_H
#define TESTS_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool heap_is_counted(void);

/* Calls that gave memory so far, on this thread. */
uint64_t heap_calls(void);

/* Blocks of the process that were given and not given back. */
int64_t heap_live(void);

#endif
