/* SPDX-License-Identifier: MIT */
/*
 * What the process has of streams and routes: which FILE is of which
 * descriptor, and which paths lead to which view. Both are looked up, seldom
 * changed, and small, so one mutex guards both. It is the last one to be
 * taken: no call of the library is made under it. A fork(2) waits for it.
 */
#ifndef MVFS__API_SHARED_H
#define MVFS__API_SHARED_H

#include <stdio.h>

#include <memvfs/types.h>

void mvfs__shared_lock(void);
void mvfs__shared_unlock(void);

/* The descriptor of a stream, and its view; -EBADF. */
int mvfs__stream_of(FILE *file, mvfs **fs);

#endif
