/* SPDX-License-Identifier: MIT */
/* Inside of the library's driver: an instance, its views, what is held. */
#ifndef ORACLE_LIBRARY_H
#define ORACLE_LIBRARY_H

#include <memvfs/memvfs.h>

#include "oracle.h"

enum { HELD = 16, FROZEN = 4 };

/* Strings that outlive what they were read from, with what they said. */
struct held {
	struct mvfs_string string;
	uint64_t hash;
};

/* One instance: the base view, and for each user his own and root's looks. */
struct instance {
	mvfs *fs;
	mvfs *view[USERS], *look[USERS];
};

struct library {
	struct instance now;
	struct {
		struct instance instance;
		struct dump dump;
	} frozen[FROZEN];
	unsigned frozen_count, audits;
	bool last; /* audit: all that is frozen is looked at */
	struct held held[HELD];
	unsigned held_next;
	uint64_t clock;
	char fault[512];
};

void library_run(struct side *side, const struct op *op,
		 struct result *result);
int64_t library_clone(struct side *side, bool keep);
/* Takes the string over. */
void library_hold(struct library *library, struct mvfs_string string);
void library_fault(struct library *library, const char *what);

#endif
