/* SPDX-License-Identifier: MIT */
/* A crash after which something is wrong, as tests print it: with what
 * mvfs_crash() needs to come there again. */
#ifndef TESTS_CRASH_H
#define TESTS_CRASH_H

#include <stdio.h>

#include <memvfs/memvfs.h>

#include "tests/expect.h"

/* LOST, KEPT, TORN, GARBAGE: what must be survived. */
#define CRASH_ALL_DATA \
	(MVFS_CRASH_LOST | MVFS_CRASH_KEPT | MVFS_CRASH_TORN | \
	 MVFS_CRASH_GARBAGE)

static inline void print_crash(mvfs *fs,
			       const struct mvfs_crash_options *options,
			       const struct mvfs_crash_state *state,
			       const char *name, const char *wrong)
{
	struct mvfs_string text;

	ok(mvfs_crash_explain(fs, options, state, &text));
	printf("%s: point %llu, choice %llu: %s\n%.*s", name,
	       (unsigned long long)state->point,
	       (unsigned long long)state->choice, wrong, (int)text.len,
	       text.data);
	mvfs_string_release(&text);
}

#endif
