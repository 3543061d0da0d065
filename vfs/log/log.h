/* SPDX-License-Identifier: MIT */
/*
 * The log of an instance: its last calls, in the order in which they ended, in
 * a ring. When it is full the oldest goes, and is counted.
 *
 * Entries are added under a mutex of the log's own, below all other locks.
 * Whoever reads takes a copy, so nothing is called or compared under it.
 */
#ifndef MVFS__LOG_H
#define MVFS__LOG_H

#include <memvfs/types.h>

#include <pthread.h>

#include "vfs/event/words.h"

/* One allocation; the paths are behind. */
struct mvfs__log_entry {
	uint64_t number;      /* from 1 on */
	enum mvfs__op_kind op;
	uint32_t uid;
	uint64_t ino;         /* of what has no path; else 0 */
	uint64_t offset;      /* UINT64_MAX: none, or the file's own */
	uint64_t bytes;       /* wanted, of data calls */
	uint64_t rule;        /* that fired; 0 none */
	int64_t result;
	const char *path;
	const char *path2;    /* or NULL */
};

struct mvfs__log {
	pthread_mutex_t mutex;
	struct mvfs__log_entry **ring; /* NULL: never started */
	size_t capacity, first, count;
	uint64_t number;               /* of the last entry */
	uint64_t dropped;
};

/* A copy of it; one allocation, for mvfs__free(). */
struct mvfs__log_copy {
	size_t count;
	uint64_t dropped;
	struct mvfs__log_entry entry[];
};

/* Text that grows. */
struct mvfs__log_text {
	char *bytes;
	size_t len, capacity;
	bool failed; /* without memory */
};

void mvfs__log_init(struct mvfs__log *log);
void mvfs__log_destroy(struct mvfs__log *log);
/* Begins anew, empty, with room for so many. 0 or -ENOMEM. */
int mvfs__log_start(struct mvfs__log *log, size_t capacity);
void mvfs__log_add(struct mvfs__log *log, const struct mvfs__call *call);
/* NULL without memory. */
struct mvfs__log_copy *mvfs__log_copy(struct mvfs__log *log);

/* text.c: a line as memvfs/log.h has it, without a newline. */
void mvfs__log_line(struct mvfs__log_text *text,
		    const struct mvfs__log_entry *entry);
void mvfs__log_text_add(struct mvfs__log_text *text, const char *format, ...)
	MVFS_PRINTF(2, 3);
void mvfs__log_text_free(struct mvfs__log_text *text);

/* expect.c: 0; -EBADMSG: it is not so; -EINVAL: bad text; -ENOMEM. */
int mvfs__log_expect(const struct mvfs__log_copy *log, const char *text,
		     struct mvfs_error *error);

#endif
