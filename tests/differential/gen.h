/* SPDX-License-Identifier: MIT */
/* Inside of the generator. */
#ifndef ORACLE_GEN_H
#define ORACLE_GEN_H

#include "oracle.h"

enum { GEN_LIVE = 160, GEN_RECENT = 24 };

struct gen {
	struct rng rng;
	struct facts facts;
	const struct user *users;
	unsigned user;
	/* 'd'irectory, 'f'ile, 'w'ritable file, 'o'ther; 0: closed. */
	char open[FD_MAX];
	unsigned open_count;
	bool drawing_target;       /* of a symlink */
	bool at_root[USERS];       /* the current directory is "/" */
	const char *live[GEN_LIVE]; /* paths below the root, as last seen */
	size_t live_count;
	const char *recent[GEN_RECENT]; /* as given to a call that worked */
	size_t recent_count;
	struct kept *kept;
	size_t kept_len;
};

const char *gen_keep(struct gen *gen, const char *text, size_t len);
const char *gen_path(struct gen *gen);
/* A path that is likely to be free. */
const char *gen_new_path(struct gen *gen);
const char *gen_target(struct gen *gen);
const char *gen_xattr_name(struct gen *gen);
void gen_forget_texts(struct gen *gen);

#endif
