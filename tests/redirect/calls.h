/* SPDX-License-Identifier: MIT */
#ifndef TESTS_REDIRECT_CALLS_H
#define TESTS_REDIRECT_CALLS_H

#include <stddef.h>

/* The same calls: on the host, and with memvfs/redirect.h. */
void calls_plain(const char *base, char *to, size_t len);
void calls_redirected(const char *base, char *to, size_t len);

#endif
