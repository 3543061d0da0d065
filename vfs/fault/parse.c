/* SPDX-License-Identifier: MIT */
/*
 * The grammar of rules:
 *
 *	OP[,OP...] path=GLOB [uid=N] [nth=N] [every=N] [after=BYTES]
 *	[p=P [seed=N]] EFFECT
 *
 * in any order behind the names of calls; see memvfs-fault(7). A mistake is
 * told by its column, which counts bytes from 1.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>

#include <memvfs/instance.h>

#include "vfs/base/error.h"
#include "vfs/fault/fault.h"
#include "vfs/mem/mem.h"

#define BIT(kind) MVFS__OP_BIT(MVFS__OP_##kind)
#define CALLS_WRITE (BIT(WRITE) | BIT(WRITE_FILE))

struct parser {
	struct mvfs__rule *rule;
	struct mvfs_error *error;
	unsigned seen; /* a bit for each line of the table */
	bool has_effect, by_seed;
};

static int wrong(const struct parser *p, struct mvfs__word at,
		 const char *expected)
{
	uint64_t offset = (uint64_t)(at.at - p->rule->text);
	int shown = at.len < 40 ? (int)at.len : 40;

	if (!at.len)
		return mvfs__fail(p->error, -EINVAL, offset, 0,
				  "column %llu: the rule ends; expected %s",
				  (unsigned long long)offset + 1, expected);
	return mvfs__fail(p->error, -EINVAL, offset, at.len,
			  "column %llu: \"%.*s\"; expected %s",
			  (unsigned long long)offset + 1, shown, at.at,
			  expected);
}

static int take_path(struct parser *p, struct mvfs__word value)
{
	if (!value.len)
		return wrong(p, value, "a glob of paths, as path=/dir/**");
	p->rule->glob = value;
	return 0;
}

static int take_uid(struct parser *p, struct mvfs__word value)
{
	uint64_t n;

	if (!mvfs__word_number(value, &n) || n > UINT32_MAX)
		return wrong(p, value, "a user's number, as uid=1000");
	p->rule->uid = (uint32_t)n;
	p->rule->by_uid = true;
	return 0;
}

static int take_nth(struct parser *p, struct mvfs__word value)
{
	if (!mvfs__word_number(value, &p->rule->nth) || !p->rule->nth)
		return wrong(p, value, "which call it is, as nth=3");
	return 0;
}

static int take_every(struct parser *p, struct mvfs__word value)
{
	if (!mvfs__word_number(value, &p->rule->every) || !p->rule->every)
		return wrong(p, value, "a number of calls, as every=10");
	return 0;
}

static int take_seed(struct parser *p, struct mvfs__word value)
{
	if (!mvfs__word_number(value, &p->rule->seed))
		return wrong(p, value, "a number, as seed=1");
	p->by_seed = true;
	return 0;
}

/* A count of bytes, with K, M or G behind it. */
static bool bytes(struct mvfs__word value, uint64_t *n)
{
	static const char units[] = "KMG";
	const char *unit;
	unsigned shift = 0;

	if (!value.len)
		return false;
	unit = memchr(units, value.at[value.len - 1], sizeof(units) - 1);
	if (unit) {
		shift = 10 * (unsigned)(unit - units + 1);
		value.len--;
	}
	if (!mvfs__word_number(value, n) || *n > UINT64_MAX >> shift)
		return false;
	*n <<= shift;
	return true;
}

static int take_after(struct parser *p, struct mvfs__word value)
{
	if (!bytes(value, &p->rule->after))
		return wrong(p, value, "a number of bytes, as after=4096 or "
			     "after=64K");
	return 0;
}

/* "0.01", "1", ".5": of 2^64. */
static bool chance(struct mvfs__word value, uint64_t *of)
{
	double number = 0, unit = 1;
	bool digits = false, point = false;
	size_t i;

	for (i = 0; i < value.len; i++) {
		char c = value.at[i];

		if (c == '.' && !point) {
			point = true;
			continue;
		}
		if (c < '0' || c > '9' || i > 20)
			return false;
		digits = true;
		number = number * 10 + (c - '0');
		if (point)
			unit *= 10;
	}
	number /= unit;
	if (!digits || number > 1)
		return false;
	*of = number < 1 ? (uint64_t)(number * 0x1p64) : UINT64_MAX;
	return true;
}

static int take_chance(struct parser *p, struct mvfs__word value)
{
	if (!chance(value, &p->rule->chance))
		return wrong(p, value, "a probability from 0 to 1, as p=0.01");
	p->rule->by_chance = true;
	return 0;
}

static int take_errno(struct parser *p, struct mvfs__word value)
{
	char name[24];

	if (value.len && value.len < sizeof(name)) {
		memcpy(name, value.at, value.len);
		name[value.len] = 0;
		p->rule->error = -mvfs_errno_number(name);
	}
	if (!p->rule->error)
		return wrong(p, value, "the name of an error, as errno=EIO");
	p->rule->effect = MVFS__EFFECT_ERRNO;
	return 0;
}

static int take_eintr(struct parser *p, struct mvfs__word value)
{
	(void)value;
	p->rule->error = -EINTR;
	p->rule->effect = MVFS__EFFECT_ERRNO;
	return 0;
}

/* An effect that has a number of bytes or things. */
static int amount(struct parser *p, struct mvfs__word value,
		  enum mvfs__effect effect, uint64_t least, uint64_t kinds,
		  const char *expected)
{
	if (!bytes(value, &p->rule->amount) || p->rule->amount < least)
		return wrong(p, value, expected);
	p->rule->effect = effect;
	p->rule->kinds &= kinds;
	return 0;
}

static int take_short(struct parser *p, struct mvfs__word value)
{
	return amount(p, value, MVFS__EFFECT_SHORT, 1,
		      MVFS__OPS_COUNTED | BIT(READ_STRING),
		      "a number of bytes from 1 on, as short=10");
}

static int take_flip(struct parser *p, struct mvfs__word value)
{
	return amount(p, value, MVFS__EFFECT_FLIP, 1,
		      BIT(READ) | BIT(READ_STRING),
		      "a number of bits from 1 on, as flip=1");
}

static int take_torn(struct parser *p, struct mvfs__word value)
{
	return amount(p, value, MVFS__EFFECT_TORN, 1, CALLS_WRITE,
		      "the size of a sector in bytes, as torn=512");
}

static int take_space(struct parser *p, struct mvfs__word value)
{
	return amount(p, value, MVFS__EFFECT_SPACE, 0, CALLS_WRITE |
		      BIT(COPY_RANGE) | BIT(FALLOCATE),
		      "a number of bytes, as space=64K");
}

static int take_inodes(struct parser *p, struct mvfs__word value)
{
	return amount(p, value, MVFS__EFFECT_INODES, 0,
		      BIT(OPEN) | BIT(MKDIR) | BIT(MKNOD) | BIT(SYMLINK) |
		      BIT(WRITE_FILE), "a number of files, as inodes=10");
}

static int take_delay(struct parser *p, struct mvfs__word value)
{
	static const struct {
		const char *name;
		uint64_t nanoseconds;
	} units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 },
		{ "s", 1000000000 },
	};
	struct mvfs__word number = value, unit;
	size_t i;

	while (number.len && (number.at[number.len - 1] < '0' ||
			      number.at[number.len - 1] > '9'))
		number.len--;
	unit.at = number.at + number.len;
	unit.len = value.len - number.len;
	p->rule->effect = MVFS__EFFECT_DELAY;
	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (mvfs__word_is(unit, units[i].name) &&
		    mvfs__word_number(number, &p->rule->amount) &&
		    !__builtin_mul_overflow(p->rule->amount,
					    units[i].nanoseconds,
					    &p->rule->amount))
			return 0;
	return wrong(p, value, "a time in ns, us, ms or s, as delay=10ms");
}

static const struct {
	const char *key;
	int (*take)(struct parser *p, struct mvfs__word value);
	bool effect;
	const char *calls; /* that the effect is for */
} keys[] = {
	{ "path=", take_path, false, NULL },
	{ "uid=", take_uid, false, NULL },
	{ "nth=", take_nth, false, NULL },
	{ "every=", take_every, false, NULL },
	{ "after=", take_after, false, NULL },
	{ "p=", take_chance, false, NULL },
	{ "seed=", take_seed, false, NULL },
	{ "errno=", take_errno, true, NULL },
	{ "eintr", take_eintr, true, NULL },
	{ "delay=", take_delay, true, NULL },
	{ "short=", take_short, true, "read, write or copy_range" },
	{ "flip=", take_flip, true, "read" },
	{ "torn=", take_torn, true, "write" },
	{ "space=", take_space, true, "write, copy_range or fallocate" },
	{ "inodes=", take_inodes, true,
	  "open, mkdir, mknod, symlink or write_file" },
};
enum { KEYS = sizeof(keys) / sizeof(*keys) };

/* Whether the word is that key, with its value behind; then in *value. */
static bool is_key(struct mvfs__word word, const char *key,
		   struct mvfs__word *value)
{
	*value = word;
	if (key[strlen(key) - 1] != '=')
		return mvfs__word_is(word, key);
	return mvfs__word_value(value, key);
}

/* One effect, and for the calls that it can be for. */
static int check_effect(struct parser *p, struct mvfs__word word, size_t key)
{
	char expected[80];

	if (p->rule->kinds)
		return 0;
	snprintf(expected, sizeof(expected),
		 "an effect on these calls: it is for %s", keys[key].calls);
	return wrong(p, word, expected);
}

static int take(struct parser *p, struct mvfs__word word)
{
	struct mvfs__word value;
	size_t i = 0;
	int rc;

	while (i < KEYS && !is_key(word, keys[i].key, &value))
		i++;
	if (i == KEYS)
		return wrong(p, word, "path=, uid=, nth=, every=, after=, p=, "
			     "seed=, or an effect: errno=, short=, eintr, "
			     "delay=, flip=, torn=, space=, inodes=");
	if (p->seen & 1u << i)
		return wrong(p, word, "each word once");
	if (keys[i].effect && p->has_effect)
		return wrong(p, word, "one effect: add another rule");
	p->seen |= 1u << i;
	p->has_effect |= keys[i].effect;
	rc = keys[i].take(p, value);
	return rc || !keys[i].effect ? rc : check_effect(p, word, i);
}

static int parse(struct parser *p, const char *end)
{
	const char *at = p->rule->text;
	struct mvfs__word word = mvfs__word_next(&at, end), part;
	int rc;

	if (!word.len)
		return wrong(p, word, "names of calls, as open,read");
	p->rule->kinds = mvfs__op_sets(word, &part);
	if (!p->rule->kinds)
		return wrong(p, part.len ? part : word,
			     "names of calls, as open,read or all");
	while ((word = mvfs__word_next(&at, end)).len) {
		rc = take(p, word);
		if (rc)
			return rc;
	}
	if (!p->rule->glob.len)
		return wrong(p, word, "path=GLOB");
	if (!p->has_effect)
		return wrong(p, word, "an effect: errno=, short=, eintr, "
			     "delay=, flip=, torn=, space=, inodes=");
	if (p->by_seed && !p->rule->by_chance &&
	    p->rule->effect != MVFS__EFFECT_FLIP)
		return wrong(p, word, "p= or flip=, which seed= is for");
	return 0;
}

struct mvfs__rule *mvfs__rule_parse(const char *text, uint64_t number,
				    uint64_t seed, int *code,
				    struct mvfs_error *error)
{
	size_t len = strlen(text);
	struct mvfs__rule *rule;
	struct parser p = { .error = error };

	*code = -ENOMEM;
	if (len > SIZE_MAX / 2)
		return NULL;
	rule = mvfs__calloc(1, sizeof(*rule) + len + 1);
	if (!rule)
		return NULL;
	mvfs__obj_init(&rule->obj, MVFS__PLAIN);
	rule->obj.key = number;
	rule->seed = seed;
	memcpy(rule->text, text, len + 1);
	p.rule = rule;
	*code = parse(&p, rule->text + len);
	if (*code) {
		mvfs__free(rule);
		return NULL;
	}
	return rule;
}
