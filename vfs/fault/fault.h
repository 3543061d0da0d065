/* SPDX-License-Identifier: MIT */
/*
 * Fault rules: what a call must be for a rule to match, and what then happens
 * to it. memvfs-fault(7) has the grammar.
 *
 * A rule is a value with counters. The set of an instance's rules is a value
 * as well, replaced as a whole under the instance lock held exclusively; a
 * call takes a reference to the set at its beginning and needs no lock after
 * that, and a rule that was removed meanwhile still applies to it.
 *
 * What is left to chance is a hash of the rule's seed and of how often it has
 * matched, so the same calls in the same order give the same faults.
 */
#ifndef MVFS__FAULT_H
#define MVFS__FAULT_H

#include <memvfs/types.h>

#include "vfs/base/obj.h"
#include "vfs/event/words.h"

enum mvfs__effect {
	MVFS__EFFECT_ERRNO,
	MVFS__EFFECT_SHORT,
	MVFS__EFFECT_DELAY,
	MVFS__EFFECT_FLIP,
	MVFS__EFFECT_TORN,
	MVFS__EFFECT_SPACE,
	MVFS__EFFECT_INODES
};

struct mvfs__rule {
	struct mvfs__obj obj;    /* key: its number */
	/* constant */
	uint64_t kinds;          /* MVFS__OP_BIT() */
	struct mvfs__word glob;  /* in `text` */
	bool by_uid, by_chance;
	uint32_t uid;
	uint64_t nth, every;     /* 0: not asked for */
	uint64_t after;          /* bytes */
	uint64_t chance;         /* of 2^64 */
	uint64_t seed;
	enum mvfs__effect effect;
	int error;               /* of MVFS__EFFECT_ERRNO, negative */
	uint64_t amount;         /* of the others; a delay in nanoseconds */
	/* counters */
	_Atomic uint64_t matched, fired;
	_Atomic uint64_t moved;  /* bytes, by calls that matched */
	_Atomic uint64_t used;   /* of space or inodes */
	char text[];             /* terminated */
};

struct mvfs__rules {
	struct mvfs__obj obj;
	size_t count;
	struct mvfs__rule *rule[];
};

/*
 * The rule that the text says, new, with that number; `seed` is for one that
 * names none. NULL and *code: -EINVAL, and `error` says where and what was
 * expected; -ENOMEM.
 */
struct mvfs__rule *mvfs__rule_parse(const char *text, uint64_t number,
				    uint64_t seed, int *code,
				    struct mvfs_error *error);

/* Sets with one more, whose reference is taken over, or without one of that
 * number; `rules` may be NULL. NULL without memory. */
struct mvfs__rules *mvfs__rules_with(const struct mvfs__rules *rules,
				     struct mvfs__rule *rule);
struct mvfs__rules *mvfs__rules_without(const struct mvfs__rules *rules,
					uint64_t number);
struct mvfs__rule *mvfs__rules_find(const struct mvfs__rules *rules,
				    uint64_t number);

/*
 * Before a call: 0, or the negative errno that it fails with; and what it is
 * to do otherwise, in *call. took[i], of as many as there are rules, is what
 * the i-th rule has to be told or given back at the end.
 */
int mvfs__fault_begin(const struct mvfs__rules *rules,
		      struct mvfs__call *call, uint64_t *took);
/* With the result. */
void mvfs__fault_end(const struct mvfs__rules *rules,
		     const struct mvfs__call *call, const uint64_t *took);

/* Of a write of `length` bytes at `at`: how many come to stand in the file
 * when it is torn. */
uint64_t mvfs__fault_torn(uint64_t at, uint64_t length, uint64_t sector);
/* The place of the n-th bit to flip among those of `length` bytes: neighbours,
 * from anywhere on, so that none is flipped back. */
uint64_t mvfs__fault_flip(uint64_t seed, uint64_t n, uint64_t length);

mvfs__obj_free_fn mvfs__rules_free;

#endif
