/* SPDX-License-Identifier: MIT */
/*
 * A memory barrier in every running thread of the process at once, so that
 * the many need none: what one thread stored before it looked, and what
 * another one stored before this call and looks at behind it, cannot both be
 * missed (Dekker's problem, with all of the cost on one side).
 */
#ifndef MVFS__BARRIER_H
#define MVFS__BARRIER_H

#include "vfs/base/base.h"

/* Whether it can be had; may ask the kernel at the first call. */
bool mvfs__barrier_ready(void);

/*
 * The barrier; only after ready() was true. It may find out that it cannot be
 * had any more (a sandbox closed in); it still does what it promises then.
 */
void mvfs__barrier_all(void);

#endif
