/* SPDX-License-Identifier: MIT */
/* See watched.h. */
#include "config.h"

#include "vfs/mem/watched.h"

#include <stddef.h>

#ifdef HAVE_VALGRIND_VALGRIND_H
#include <valgrind/valgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#endif

/* There is one where the program or a library has the sanitizer. */
extern void __asan_init(void) __attribute__((__weak__));

bool mvfs__watched(void)
{
	return __asan_init != NULL || RUNNING_ON_VALGRIND;
}
