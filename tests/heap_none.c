/* SPDX-License-Identifier: MIT */
/* See heap.h: a sanitizer has malloc. */
#include "config.h"

#include "tests/heap.h"

bool heap_is_counted(void)
{
	return false;
}

uint64_t heap_calls(void)
{
	return 0;
}

int64_t heap_live(void)
{
	return 0;
}
