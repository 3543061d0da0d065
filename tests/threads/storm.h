/* SPDX-License-Identifier: MIT */
/*
 * The tree that readers read and writers change at the same time.
 *
 *	/whole	one record a file; replaced, renamed over, cloned
 *	/fixed	one record of FIXED bytes a file; overwritten in place
 *	/slots	SLOTS records of SLOT bytes a file; each overwritten in place
 *	/logs	any number of records a file; appended to, cut to nothing
 *	/t0..	TOKENS files, which are renamed from one to another
 *	/pair	two files, x and y, of one record; writers exchange all of
 *		it for another pair at once
 *	/link	a symlink to one of the first four, replaced by rename
 *
 * In the first four, names that begin with "stay" are always there.
 */
#ifndef TESTS_THREADS_STORM_H
#define TESTS_THREADS_STORM_H

#include "tests/threads/threads.h"

enum { KINDS = 4, STAY = 5, COME = 5, TOKENS = 12, PLACES = 3 };
enum { FIXED = 4 * 4096 + 512, SLOT = 1024, SLOTS = 9, LOG_MAX = 64 * 1024 };
enum { PATH = 40, KEPT = 24, PASSED = 8 };

enum kind { WHOLE, FIXED_SIZE, SLOTTED, LOG };

extern const char *const kind_dir[KINDS];

/* A clone on its way to another thread, and what it looked like. */
struct passed {
	mvfs *view;
	struct sum sum;
};

struct storm {
	mvfs *fs;
	pthread_mutex_t mutex; /* of what follows */
	struct passed passed[PASSED];
	unsigned passed_count;
	struct mvfs_string kept[KEPT * WORKERS_MAX];
	uint64_t kept_hash[KEPT * WORKERS_MAX];
	unsigned kept_count;
	atomic_uint reads, lists, clones, writes;
};

/* A file of that kind, which is always there or may be. */
void storm_path(struct worker *w, enum kind kind, bool stays,
		char path[PATH]);
enum kind storm_any_kind(struct worker *w);

/* One change, or one look; `w->ctx` is the storm. */
void storm_write(struct worker *w);
void storm_read(struct worker *w);
/* A look that takes no clone, and nothing from another thread. */
void storm_read_once(struct worker *w);
/* For the thread alone: fills the tree. */
void storm_fill(struct worker *w);
/* What must hold in every state of the tree, of one that is at rest. */
void storm_check_still(mvfs *fs);
/* A clone that another thread made is looked at, and ended. */
void storm_receive(struct worker *w);

#endif
