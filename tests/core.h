/* SPDX-License-Identifier: MIT */
/*
 * What the unit tests of the upper core share: a fresh instance, its inside,
 * and a runner for one case.
 */
#ifndef TESTS_CORE_H
#define TESTS_CORE_H

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/expect.h"
#include "vfs/fs/instance.h"
#include "vfs/fs/op.h"
#include "vfs/mem/mem.h"

/* The view of the running test; made and ended around each. */
extern mvfs *fs;

void core_start(void);
void core_end(void);

/* As `who`: the walk of a path from the root. */
int core_walk(const struct mvfs__who *who, const char *path, unsigned flags,
	      struct mvfs__found *found);
/* The node that the path leads to, which must be there. */
struct mvfs__node *core_node(const char *path);

/* Every invariant that spans names and nodes, of the view's instance. */
void core_check(const mvfs *view);

int core_run(const char *name, TCase *tests);

#endif
