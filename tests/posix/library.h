/* SPDX-License-Identifier: MIT */
#ifndef TESTS_POSIX_LIBRARY_H
#define TESTS_POSIX_LIBRARY_H

#include "tests/posix/driver.h"

/* The library's own calls, on an instance of this process. */
extern const struct posix_fs posix_library;

#endif
