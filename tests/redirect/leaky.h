/* SPDX-License-Identifier: MIT */
#ifndef TESTS_REDIRECT_LEAKY_H
#define TESTS_REDIRECT_LEAKY_H

#ifdef __cplusplus
extern "C" {
#endif

/* Each opens what it never closes, in the line of leaky.c that is returned;
 * negative: it could not. */
int leaky_open(const char *path);
int leaky_stream(const char *path);
int leaky_listing(const char *path);
int leaky_lock(const char *path);

/* Closes the stream and the listing after all; 0 or -1. */
int leaky_end(void);

/* Closes twice; the line of the second time. */
int leaky_close(const char *path);

#ifdef __cplusplus
}
#endif

#endif
