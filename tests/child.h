/* SPDX-License-Identifier: MIT */
/*
 * Children of fork(2) whose parents had other threads at work.
 *
 * A sanitizer's allocator may have been locked by a thread that the child
 * does not have; then it waits for ever. An alarm ends it, and such a child
 * proves nothing; the C library's own allocator is in order after fork(2).
 */
#ifndef TESTS_CHILD_H
#define TESTS_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __has_feature
#define CHILD_HAS(feature) __has_feature(feature)
#else
#define CHILD_HAS(feature) 0
#endif
#if defined __SANITIZE_THREAD__ || defined __SANITIZE_ADDRESS__ || \
	CHILD_HAS(thread_sanitizer) || CHILD_HAS(address_sanitizer)
enum { CHILD_MAY_HANG = true, CHILD_SECONDS = 5 };
#else
enum { CHILD_MAY_HANG = false, CHILD_SECONDS = 60 };
#endif

/* What such a child does first: Check's own handler would kill its parent. */
static inline void child_begin(void)
{
	signal(SIGALRM, SIG_DFL);
	alarm(CHILD_SECONDS);
}

/* Of what waitpid() says of one: it may have been the sanitizer. */
static inline bool child_hung(int status)
{
	return CHILD_MAY_HANG && WIFSIGNALED(status) &&
	       WTERMSIG(status) == SIGALRM;
}

#endif
