/* SPDX-License-Identifier: MIT */
/*
 * The states of a cut, numbered: a set of the pending records times a variant
 * of each file in doubt. Where they are too many, choices at random stand
 * for them, each of which is a number as well.
 */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "vfs/crash/crash.h"
#include "vfs/mem/hash.h"

enum {
	SUBSETS_OF = 12, /* of more records, sets are only sampled */
	TORN_ALL = 4,    /* of more sectors, sets are only sampled */
	TORN_SOME = 8
};

void mvfs__cut_forget(struct mvfs__cut *cut)
{
	while (cut->doubts) {
		struct mvfs__doubt *doubt = &cut->doubt[--cut->doubts];

		mvfs__content_clear(&doubt->newest, &cut->bin);
		mvfs__free(doubt->sector);
	}
	mvfs__free(cut->doubt);
	mvfs__free(cut->subset);
	cut->doubt = NULL;
	cut->subset = NULL;
	cut->subsets = cut->states = 0;
}

/* Those with some of the sectors. */
static unsigned torn_variants(const struct mvfs__doubt *doubt)
{
	if (doubt->sectors < 2)
		return 0;
	if (doubt->sectors <= TORN_ALL)
		return (1u << doubt->sectors) - 2;
	return TORN_SOME;
}

/* What POSIX allows: a size that is there before any of the sectors. */
static bool may_have_size_alone(const struct mvfs__cut *cut,
				const struct mvfs__doubt *doubt)
{
	uint64_t ino = doubt->dirty->ino;

	return cut->options.policy == MVFS_CRASH_POSIX && doubt->sectors &&
	       doubt->newest.size != mvfs__found_data(&cut->durable, ino)->size;
}

/* How many variants of that kind the file has. */
static unsigned variants_of(const struct mvfs__cut *cut,
			    const struct mvfs__doubt *doubt, unsigned what)
{
	if (!(cut->options.data & what))
		return 0;
	if (what == MVFS_CRASH_TORN)
		return torn_variants(doubt) + may_have_size_alone(cut, doubt);
	return what != MVFS_CRASH_GARBAGE || doubt->sectors;
}

static struct mvfs__variant variant_at(const struct mvfs__cut *cut,
				       const struct mvfs__doubt *doubt,
				       unsigned i)
{
	struct mvfs__variant variant = { MVFS_CRASH_LOST, 0 };
	unsigned what, n;

	for (what = MVFS_CRASH_LOST; what <= MVFS_CRASH_GARBAGE; what *= 2) {
		n = variants_of(cut, doubt, what);
		if (i < n) {
			variant.what = what;
			variant.which = i;
			if (what == MVFS_CRASH_TORN &&
			    i == torn_variants(doubt))
				variant.which = MVFS__TORN_NONE;
			break;
		}
		i -= n;
	}
	return variant;
}

static bool differs(const struct mvfs__node *a, const struct mvfs__node *b)
{
	return mvfs__node_mode(a) != mvfs__node_mode(b) || a->uid != b->uid ||
	       a->gid != b->gid || a->xattrs != b->xattrs;
}

/* The newest data that a sync could make durable. */
static int newest_data(struct mvfs__cut *cut, const struct mvfs__dirty *dirty,
		       const struct mvfs__content *older,
		       struct mvfs__content *newest)
{
	mvfs__content_init(newest);
	if (!mvfs__node_is_reg(dirty->newest))
		return 0;
	if (dirty->forgets)
		return mvfs__sectors_skip(older, dirty,
					  &dirty->newest->u.content, newest,
					  &cut->bin);
	mvfs__content_share(&dirty->newest->u.content, newest);
	return 0;
}

/* The next doubt, unless there is none about the file. */
static int add_doubt(struct mvfs__cut *cut, const struct mvfs__dirty *dirty)
{
	struct mvfs__doubt *doubt = &cut->doubt[cut->doubts];
	const struct mvfs__node *base = mvfs__cut_base(cut, dirty->ino);
	const struct mvfs__content *older;
	unsigned what;
	int rc;

	older = mvfs__found_data(&cut->durable, dirty->ino);
	if (!base || !mvfs__cut_may_name(cut, dirty->ino))
		return 0;
	*doubt = (struct mvfs__doubt){ .dirty = dirty };
	rc = newest_data(cut, dirty, older, &doubt->newest);
	if (!rc)
		rc = mvfs__sectors_differ(older, &doubt->newest,
					  cut->options.sector, &doubt->sector,
					  &doubt->sectors);
	cut->doubts++; /* to be cleared, whatever comes */
	if (rc)
		return rc;
	for (what = MVFS_CRASH_LOST; what <= MVFS_CRASH_GARBAGE; what *= 2)
		doubt->variants += variants_of(cut, doubt, what);
	if (doubt->variants &&
	    variant_at(cut, doubt, doubt->variants - 1).what !=
	    MVFS_CRASH_LOST &&
	    (doubt->sectors || doubt->newest.size != older->size ||
	     differs(base, dirty->newest)))
		return 0;
	cut->doubts--;
	mvfs__content_clear(&doubt->newest, &cut->bin);
	mvfs__free(doubt->sector);
	return 0;
}

static bool is_closed(const uint32_t *needs, size_t count, uint32_t set)
{
	size_t i;

	for (i = 0; i < count; i++)
		if ((set >> i & 1) && (needs[i] & ~set))
			return false;
	return true;
}

/* All sets of pending records that have what their members depend on. */
static int find_subsets(struct mvfs__cut *cut)
{
	uint32_t needs[SUBSETS_OF], set;
	size_t i, j, count = cut->pendings;

	if (cut->options.policy == MVFS_CRASH_ORDERED) {
		cut->subsets = count + 1;
		return 0;
	}
	cut->subsets = UINT64_MAX;
	if (count > SUBSETS_OF)
		return 0;
	cut->subset = mvfs__calloc((size_t)1 << count, sizeof(*cut->subset));
	if (!cut->subset)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		for (needs[i] = 0, j = 0; j < i; j++)
			if (mvfs__record_depends(cut->pending[i],
						 cut->pending[j]))
				needs[i] |= 1u << j;
	cut->subsets = 0;
	for (set = 0; set < 1u << count; set++)
		if (is_closed(needs, count, set))
			cut->subset[cut->subsets++] = set;
	return 0;
}

int mvfs__cut_count(struct mvfs__cut *cut)
{
	struct mvfs__dirty *dirty;
	size_t i;
	int rc;

	mvfs__cut_forget(cut);
	cut->doubt = mvfs__calloc(HASH_COUNT(cut->dirty) + 1,
				  sizeof(*cut->doubt));
	if (!cut->doubt)
		return -ENOMEM;
	for (dirty = cut->dirty; dirty; dirty = dirty->hh.next) {
		rc = add_doubt(cut, dirty);
		if (rc)
			return rc;
	}
	rc = find_subsets(cut);
	cut->states = cut->subsets;
	for (i = 0; i < cut->doubts; i++)
		if (cut->states > UINT64_MAX / cut->doubt[i].variants)
			cut->states = UINT64_MAX;
		else
			cut->states *= cut->doubt[i].variants;
	return rc;
}

static bool is_sampled(const struct mvfs__cut *cut)
{
	return cut->states > cut->options.max_states;
}

uint64_t mvfs__cut_tries(const struct mvfs__cut *cut)
{
	return is_sampled(cut) ? cut->options.max_states : cut->states;
}

uint64_t mvfs__cut_choice(const struct mvfs__cut *cut, uint64_t i)
{
	return i && is_sampled(cut) ? MVFS__CHOICE_RANDOM | i : i;
}

/* The first of those at random has all of it; the others some. */
static void choose_randomly(struct mvfs__cut *cut, uint64_t n,
			    struct mvfs__variant *variant)
{
	uint64_t h = mvfs__crash_random(cut->options.seed,
					cut->point->obj.key, n);
	bool all = n == 1, chosen;
	size_t i, j, prefix;

	prefix = (size_t)(h % (cut->pendings + 1));
	for (i = 0; i < cut->pendings; i++) {
		if (cut->options.policy == MVFS_CRASH_ORDERED)
			chosen = i < prefix;
		else
			chosen = mvfs__crash_random(h, 1, i) & 1;
		for (j = 0; j < i && chosen && !all; j++)
			if (!cut->pending[j]->chosen &&
			    mvfs__record_depends(cut->pending[i],
						 cut->pending[j]))
				chosen = false;
		cut->pending[i]->chosen = all || chosen;
	}
	for (i = 0; i < cut->doubts; i++) {
		h = mvfs__crash_random(h, 2, i);
		variant[i] = variant_at(cut, &cut->doubt[i], (unsigned)
					(h % cut->doubt[i].variants));
		if (all && (cut->options.data & MVFS_CRASH_KEPT))
			variant[i].what = MVFS_CRASH_KEPT;
	}
}

static void choose_set(struct mvfs__cut *cut, uint64_t which)
{
	size_t i;

	for (i = 0; i < cut->pendings; i++)
		if (cut->options.policy == MVFS_CRASH_ORDERED)
			cut->pending[i]->chosen = i < which;
		else
			cut->pending[i]->chosen = which &&
				(cut->subset[which] >> i & 1);
}

static int choose(struct mvfs__cut *cut, uint64_t choice,
		  struct mvfs__variant *variant)
{
	size_t i;

	if (choice & MVFS__CHOICE_RANDOM) {
		choice &= ~MVFS__CHOICE_RANDOM;
		if (!choice || !is_sampled(cut) ||
		    choice >= cut->options.max_states)
			return -ERANGE;
		choose_randomly(cut, choice, variant);
		return 0;
	}
	/* of those that are too many, none but the first has such a number */
	if (choice >= cut->states || (choice && is_sampled(cut)))
		return -ERANGE;
	choose_set(cut, choice % cut->subsets);
	choice /= cut->subsets;
	for (i = 0; i < cut->doubts; i++) {
		variant[i] = variant_at(cut, &cut->doubt[i], (unsigned)
					(choice % cut->doubt[i].variants));
		choice /= cut->doubt[i].variants;
	}
	return 0;
}

int mvfs__cut_choose(struct mvfs__cut *cut, uint64_t choice,
		     struct mvfs__variant **out)
{
	struct mvfs__variant *variant;
	int rc;

	variant = mvfs__calloc(cut->doubts + 1, sizeof(*variant));
	if (!variant)
		return -ENOMEM;
	rc = choose(cut, choice, variant);
	if (rc)
		mvfs__free(variant);
	else
		*out = variant;
	return rc;
}

static int set_variant(struct mvfs__cut *cut, const struct mvfs__doubt *doubt,
		       const struct mvfs__variant *variant,
		       struct mvfs__found_tree *tree)
{
	struct mvfs__content mixed;
	int rc;

	if (variant->what == MVFS_CRASH_LOST ||
	    !mvfs__table_get(&tree->table, doubt->dirty->ino))
		return 0;
	rc = mvfs__sectors_mix(cut, doubt,
			       mvfs__found_data(&cut->durable,
						doubt->dirty->ino),
			       variant, &mixed, &cut->bin);
	if (rc)
		return rc;
	rc = mvfs__found_set(tree, doubt->dirty->newest, &mixed, true,
			     &cut->bin);
	mvfs__content_clear(&mixed, &cut->bin);
	return rc;
}

/* The nodes without a name of the durable tree may get one, or go, too. */
static int take_loose(const struct mvfs__cut *cut,
		      struct mvfs__found_tree *tree)
{
	size_t i;
	int rc = 0;

	for (i = 0; i < cut->durable.loose_count && !rc; i++)
		rc = mvfs__found_loose(tree, cut->durable.loose[i]);
	return rc;
}

int mvfs__cut_make(struct mvfs__cut *cut, uint64_t choice,
		   struct mvfs__found_tree *tree)
{
	struct mvfs__variant *variant;
	size_t i;
	int rc = mvfs__cut_choose(cut, choice, &variant);

	if (rc)
		return rc;
	mvfs__found_share(&cut->durable, tree);
	rc = take_loose(cut, tree);
	for (i = 0; i < cut->pendings && !rc; i++)
		if (cut->pending[i]->chosen)
			rc = mvfs__found_apply(tree, cut->pending[i],
					       &cut->bin);
	for (i = 0; i < cut->doubts && !rc; i++)
		rc = set_variant(cut, &cut->doubt[i], &variant[i], tree);
	if (!rc)
		rc = mvfs__found_tidy(tree, &cut->bin);
	if (rc)
		mvfs__found_clear(tree, &cut->bin);
	mvfs__free(variant);
	return rc;
}
