/* SPDX-License-Identifier: MIT */
/*
 * What a thread keeps for the next time: chunks for arenas, and the stack
 * for scratch frames. It is freed when the thread ends.
 *
 * Nothing is kept where somebody watches memory, an AddressSanitizer or
 * valgrind: there every allocation is malloc's, so that they see each for
 * itself. That is asked at run time, for a program may have a sanitizer that
 * the library has not.
 */
#ifndef MVFS__KEPT_H
#define MVFS__KEPT_H

#include <memvfs/scratch.h>

#include "vfs/mem/mem.h"

struct mvfs__block;

enum mvfs__keeping {
	MVFS__KEEPS_UNASKED, /* this thread has kept nothing so far */
	MVFS__KEEPS,         /* and its end is taken care of */
	MVFS__KEEPS_NOTHING, /* it is ending, or its end would not be seen */
	MVFS__KEEPS_WATCHED  /* nothing either, and no two pieces in one */
};

struct mvfs__kept {
	struct mvfs__block *hot;    /* a chunk, kept if `hot_free` */
	struct mvfs__block *chunks; /* others that no arena has, chained */
	struct mvfs__block *large;  /* a block that is no chunk */
	uint16_t room;              /* for so many more chunks */
	bool hot_free;              /* else an arena has it, or had */
	uint8_t keeping;            /* enum mvfs__keeping */
	struct mvfs_scratch_stack scratch;
};

extern MVFS__SMALL_TLS _Thread_local struct mvfs__kept mvfs__kept;

/* Whether this thread may keep memory; the first call sees to its end. */
bool mvfs__keeps(void);

/* Frees what this thread keeps; it may keep something again. */
void mvfs__kept_drop(void);

#endif
