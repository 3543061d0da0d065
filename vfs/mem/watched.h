/* SPDX-License-Identifier: MIT */
/*
 * Whether this process runs under something that looks at each piece of
 * memory: an AddressSanitizer, be it the program's or the library's, or
 * valgrind (where its header was there when the library was built).
 */
#ifndef MVFS__WATCHED_H
#define MVFS__WATCHED_H

#include <stdbool.h>

bool mvfs__watched(void);

#endif
