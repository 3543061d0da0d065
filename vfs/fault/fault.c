/* SPDX-License-Identifier: MIT */
/* Sets of rules, and what they do to calls: see fault.h. */
#include "config.h"

#include "vfs/fault/fault.h"

#include <errno.h>

#include "vfs/base/siphash.h"
#include "vfs/mem/mem.h"

#define BIT(kind) MVFS__OP_BIT(MVFS__OP_##kind)

/* In took[]: the rule did not match. Otherwise what it gave of its space or
 * inodes, and one more. */
enum { NOT_MATCHED = 0, MATCHED = 1 };

static struct mvfs__rules *new_set(size_t count)
{
	struct mvfs__rules *rules;

	rules = mvfs__malloc(sizeof(*rules) +
			     count * sizeof(rules->rule[0]));
	if (rules) {
		mvfs__obj_init(&rules->obj, MVFS__RULES);
		rules->count = 0;
	}
	return rules;
}

struct mvfs__rules *mvfs__rules_without(const struct mvfs__rules *rules,
					uint64_t number)
{
	struct mvfs__rules *other = new_set(rules->count);
	size_t i;

	for (i = 0; other && i < rules->count; i++) {
		if (rules->rule[i]->obj.key == number)
			continue;
		mvfs__obj_retain(&rules->rule[i]->obj);
		other->rule[other->count++] = rules->rule[i];
	}
	return other;
}

struct mvfs__rules *mvfs__rules_with(const struct mvfs__rules *rules,
				     struct mvfs__rule *rule)
{
	size_t count = rules ? rules->count : 0, i;
	struct mvfs__rules *other = new_set(count + 1);

	if (!other)
		return NULL;
	for (i = 0; i < count; i++) {
		mvfs__obj_retain(&rules->rule[i]->obj);
		other->rule[i] = rules->rule[i];
	}
	other->rule[count] = rule;
	other->count = count + 1;
	return other;
}

struct mvfs__rule *mvfs__rules_find(const struct mvfs__rules *rules,
				    uint64_t number)
{
	size_t i;

	for (i = 0; rules && i < rules->count; i++)
		if (rules->rule[i]->obj.key == number)
			return rules->rule[i];
	return NULL;
}

void mvfs__rules_free(struct mvfs__obj *obj, struct mvfs__bin *bin)
{
	struct mvfs__rules *rules = (struct mvfs__rules *)obj;
	size_t i;

	assert(obj->kind == MVFS__RULES);
	for (i = 0; i < rules->count; i++)
		mvfs__obj_drop(&rules->rule[i]->obj, bin);
	mvfs__free(rules);
}

static uint64_t random_of(const struct mvfs__rule *rule, uint64_t nth)
{
	const struct mvfs__seed seed = { rule->seed, rule->obj.key };

	return mvfs__siphash13(&seed, &nth, sizeof(nth));
}

static bool by_any_name(struct mvfs__word glob, const struct mvfs__call *call)
{
	const char *name = call->names;

	if (mvfs__glob_fits(glob, call->path))
		return true;
	if (call->path2 && call->op != MVFS__OP_SYMLINK &&
	    mvfs__glob_fits(glob, call->path2))
		return true;
	for (; name && *name; name += strlen(name) + 1)
		if (mvfs__glob_fits(glob, name))
			return true;
	return false;
}

static bool matches(const struct mvfs__rule *rule,
		    const struct mvfs__call *call)
{
	if (!(rule->kinds & MVFS__OP_BIT(call->op)))
		return false;
	if (rule->by_uid && rule->uid != call->uid)
		return false;
	if (rule->effect == MVFS__EFFECT_INODES && !call->creates)
		return false;
	return by_any_name(rule->glob, call);
}

static bool is_turn(const struct mvfs__rule *rule, uint64_t nth)
{
	if (rule->nth && !rule->every && nth != rule->nth)
		return false;
	if (rule->nth && nth < rule->nth)
		return false;
	if (rule->every && (nth - rule->nth) % rule->every != 0)
		return false;
	return !rule->by_chance || rule->chance == UINT64_MAX ||
	       random_of(rule, nth) < rule->chance;
}

/*
 * Whether so many bytes have been moved that it is time. The call that gets
 * there ends there, if its result can tell; otherwise it is the first.
 */
static bool is_after(struct mvfs__rule *rule, struct mvfs__call *call)
{
	uint64_t moved = atomic_load(&rule->moved);

	if (moved >= rule->after)
		return true;
	if (call->length <= rule->after - moved)
		return false;
	if (!(MVFS__OPS_COUNTED & MVFS__OP_BIT(call->op)))
		return true;
	call->limit = mvfs__min64(call->limit, rule->after - moved);
	return false;
}

/* Takes up to `want` from what the rule has; at least `least`, or nothing. */
static uint64_t take(struct mvfs__rule *rule, uint64_t want, uint64_t least)
{
	uint64_t used = atomic_load(&rule->used), got;

	do {
		got = mvfs__min64(want, rule->amount - used);
		if (got < least)
			return 0;
	} while (!atomic_compare_exchange_weak(&rule->used, &used,
					       used + got));
	return got;
}

/* space=: what does not fit is left out, where the call can tell. */
static int use_space(struct mvfs__rule *rule, struct mvfs__call *call,
		     uint64_t *took, bool *fires)
{
	bool counted = MVFS__OPS_COUNTED & MVFS__OP_BIT(call->op);
	uint64_t want = mvfs__min64(call->length, call->limit), got;

	if (!want)
		return 0;
	got = take(rule, want, counted ? 1 : want);
	*took = MATCHED + got;
	*fires = got < want;
	if (!got)
		return -ENOSPC;
	call->limit = mvfs__min64(call->limit, got);
	return 0;
}

static int apply(struct mvfs__rule *rule, struct mvfs__call *call,
		 uint64_t nth, uint64_t *took, bool *fires)
{
	*fires = true;
	switch (rule->effect) {
	case MVFS__EFFECT_ERRNO:
		return rule->error;
	case MVFS__EFFECT_SHORT:
		call->limit = mvfs__min64(call->limit, rule->amount);
		break;
	case MVFS__EFFECT_DELAY:
		if (__builtin_add_overflow(call->delay, rule->amount,
					   &call->delay))
			call->delay = UINT64_MAX;
		break;
	case MVFS__EFFECT_FLIP:
		call->flip_bits = rule->amount;
		call->flip_seed = random_of(rule, ~nth);
		break;
	case MVFS__EFFECT_TORN:
		call->torn = rule->amount;
		break;
	case MVFS__EFFECT_SPACE:
		*fires = false;
		return use_space(rule, call, took, fires);
	case MVFS__EFFECT_INODES:
		*took = MATCHED + take(rule, 1, 1);
		*fires = *took == MATCHED;
		return *fires ? -ENOSPC : 0;
	}
	return 0;
}

int mvfs__fault_begin(const struct mvfs__rules *rules,
		      struct mvfs__call *call, uint64_t *took)
{
	struct mvfs__rule *rule;
	uint64_t nth;
	bool fires;
	size_t i;
	int rc = 0;

	for (i = 0; i < rules->count && !rc; i++) {
		rule = rules->rule[i];
		if (!matches(rule, call))
			continue;
		took[i] = MATCHED;
		nth = atomic_fetch_add(&rule->matched, 1) + 1;
		if (!is_turn(rule, nth) || !is_after(rule, call))
			continue;
		rc = apply(rule, call, nth, &took[i], &fires);
		if (!fires)
			continue;
		atomic_fetch_add(&rule->fired, 1);
		if (!call->rule)
			call->rule = rule->obj.key;
	}
	return rc;
}

/* What the call moved, of the bytes that were wanted. */
static uint64_t moved_by(const struct mvfs__call *call)
{
	if (call->result < 0)
		return 0;
	if (MVFS__OPS_COUNTED & MVFS__OP_BIT(call->op))
		return mvfs__min64((uint64_t)call->result, call->length);
	return call->length;
}

void mvfs__fault_end(const struct mvfs__rules *rules,
		     const struct mvfs__call *call, const uint64_t *took)
{
	uint64_t moved = moved_by(call), kept, got;
	struct mvfs__rule *rule;
	size_t i;

	for (i = 0; i < rules->count; i++) {
		rule = rules->rule[i];
		if (took[i] == NOT_MATCHED)
			continue;
		atomic_fetch_add(&rule->moved, moved);
		got = took[i] - MATCHED;
		kept = rule->effect == MVFS__EFFECT_SPACE ? moved :
		       call->result >= 0;
		if (got > kept)
			atomic_fetch_sub(&rule->used, got - kept);
	}
}

uint64_t mvfs__fault_torn(uint64_t at, uint64_t length, uint64_t sector)
{
	uint64_t first = at / sector, sectors, end;

	assert(length && sector && at <= UINT64_MAX - length);
	sectors = (at + length - 1) / sector - first + 1;
	if (__builtin_mul_overflow(first + sectors / 2, sector, &end))
		return length;
	return end > at ? mvfs__min64(end - at, length) : 0;
}

uint64_t mvfs__fault_flip(uint64_t seed, uint64_t n, uint64_t length)
{
	uint64_t bits = length * 8;

	assert(length && length <= UINT64_MAX / 8);
	return (seed % bits + n) % bits;
}
