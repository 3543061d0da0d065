// SPDX-License-Identifier: MIT
/*
 * Power cuts by memvfs/ctl.h: the tree that is found takes the place of the
 * mounted one, as a snapshot that is restored.
 *
 * What crashes are meant is said in words, "policy=posix data=lost,torn";
 * those of the start hold until the next one, where a cut does not say others.
 */
#include <config.h>

#include "fuse/ctl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <memvfs/crash.h>
#include <memvfs/snapshot.h>

#define BLANKS " \t\n"

/* What the words come to. */
struct wanted {
	struct mvfs_crash_options options;
	struct mvfs_crash_state state;
	int may_have_state;
};

struct choice {
	const char *word;
	unsigned value;
};

static const struct choice policies[] = {
	{ "ordered", MVFS_CRASH_ORDERED },
	{ "posix", MVFS_CRASH_POSIX },
	{ NULL, 0 }
};
static const struct choice datas[] = {
	{ "lost", MVFS_CRASH_LOST },
	{ "kept", MVFS_CRASH_KEPT },
	{ "torn", MVFS_CRASH_TORN },
	{ "garbage", MVFS_CRASH_GARBAGE },
	{ NULL, 0 }
};
static const struct choice fsyncs[] = {
	{ "stays", MVFS_CRASH_STAYS },
	{ "forgotten", MVFS_CRASH_FORGOTTEN },
	{ "reverted", MVFS_CRASH_REVERTED },
	{ NULL, 0 }
};

/* The value of `len` bytes; -EINVAL: it is none of these. */
static int choose(const struct choice *choices, const char *text, size_t len,
		  unsigned *value)
{
	for (; choices->word; choices++) {
		if (strlen(choices->word) != len ||
		    memcmp(choices->word, text, len) != 0)
			continue;
		*value = choices->value;
		return 0;
	}
	return -EINVAL;
}

/* Several, with commas between. */
static int choose_all(const char *text, size_t len, unsigned *values)
{
	const char *end = text + len, *comma;
	unsigned one;

	*values = 0;
	for (; text <= end; text = comma + 1) {
		comma = memchr(text, ',', end - text);
		if (!comma)
			comma = end;
		if (choose(datas, text, comma - text, &one))
			return -EINVAL;
		*values |= one;
	}
	return 0;
}

static int number(const char *text, size_t len, uint64_t most, uint64_t *value)
{
	uint64_t n = 0;

	if (!len)
		return -EINVAL;
	for (; len; len--, text++) {
		if (*text < '0' || *text > '9' ||
		    n > (most - (*text - '0')) / 10)
			return -EINVAL;
		n = 10 * n + (*text - '0');
	}
	*value = n;
	return 0;
}

static int small(const char *text, size_t len, uint32_t *value)
{
	uint64_t n;

	if (number(text, len, UINT32_MAX, &n))
		return -EINVAL;
	*value = n;
	return 0;
}

/* Whether the word is NAME=VALUE; then, the value. */
static const char *value_of(const char *word, size_t *len, const char *name)
{
	size_t n = strlen(name);

	if (*len <= n || memcmp(word, name, n) != 0 || word[n] != '=')
		return NULL;
	*len -= n + 1;
	return word + n + 1;
}

static int take_state(const char *word, size_t len, struct wanted *to)
{
	const char *value;

	if (!to->may_have_state)
		return -EINVAL;
	if ((value = value_of(word, &len, "point")))
		return number(value, len, UINT64_MAX, &to->state.point);
	if ((value = value_of(word, &len, "choice")))
		return number(value, len, UINT64_MAX, &to->state.choice);
	return -EINVAL;
}

static int take(const char *word, size_t len, struct wanted *to)
{
	struct mvfs_crash_options *o = &to->options;
	const char *value;

	if ((value = value_of(word, &len, "policy")))
		return choose(policies, value, len, &o->policy);
	if ((value = value_of(word, &len, "data")))
		return choose_all(value, len, &o->data);
	if ((value = value_of(word, &len, "fsync")))
		return choose(fsyncs, value, len, &o->failed_fsync);
	if ((value = value_of(word, &len, "sector")))
		return small(value, len, &o->sector);
	if ((value = value_of(word, &len, "states")))
		return small(value, len, &o->max_states);
	if ((value = value_of(word, &len, "seed")))
		return number(value, len, UINT64_MAX, &o->seed);
	return take_state(word, len, to);
}

static int bad_word(struct mvfs__order *order, const char *word, size_t len,
		    int may_have_state)
{
	mvfs__fuse_error(&order->error, -EINVAL, "\"%.*s\"; expected "
			 "policy=ordered|posix, data=lost,kept,torn,garbage, "
			 "fsync=stays|forgotten|reverted, sector=BYTES, "
			 "states=N%s or seed=N", len < 40 ? (int)len : 40,
			 word, may_have_state ? ", point=N, choice=N" : "");
	order->error.offset = word - order->text;
	order->error.length = len;
	return -EINVAL;
}

/* *to says what is meant where a word does not. */
static int read_words(struct mvfs__order *order, struct wanted *to)
{
	const char *word = order->text + strspn(order->text, BLANKS);
	size_t len;

	for (; *word; word += len + strspn(word + len, BLANKS)) {
		len = strcspn(word, BLANKS);
		if (take(word, len, to))
			return bad_word(order, word, len, to->may_have_state);
	}
	return 0;
}

/* What a call with these came to, in words. */
static int told(struct mvfs__order *order, int code)
{
	const char *why = NULL;

	if (code == -ENODATA)
		why = "power cuts are not tracked: \"crash start\" begins it";
	else if (code == -ERANGE)
		why = "there is no such point, or it has no such state";
	else if (code == -EINVAL)
		why = "sector= has to be a power of two from 16 on";
	return why ? mvfs__fuse_error(&order->error, code, "%s", why) : code;
}

static struct mvfs_crash_options options_of(struct mvfs_mount *mount)
{
	struct mvfs_crash_options options;

	pthread_mutex_lock(&mount->lock);
	options = mount->crash;
	pthread_mutex_unlock(&mount->lock);
	options.size = sizeof options;
	return options;
}

int mvfs__ctl_crash_start(struct mvfs__order *order)
{
	struct mvfs_mount *mount = order->mount;
	struct wanted wanted = { .options.size = sizeof wanted.options };
	int r = read_words(order, &wanted);

	if (r)
		return r;
	r = mvfs_crash_start(mount->fs, &wanted.options);
	if (r)
		return told(order, r);
	pthread_mutex_lock(&mount->lock);
	mount->crash = wanted.options;
	pthread_mutex_unlock(&mount->lock);
	return 0;
}

int mvfs__ctl_crash_stop(struct mvfs__order *order)
{
	return mvfs_crash_stop(order->mount->fs);
}

int mvfs__ctl_crash_point(struct mvfs__order *order)
{
	int64_t point = mvfs_crash_point(order->mount->fs);

	if (point < 0)
		return told(order, (int)point);
	order->number = point;
	return 0;
}

/* The crash that is meant: by default now, and all in doubt is lost. */
static int read_crash(struct mvfs__order *order, struct wanted *to)
{
	int64_t point = mvfs_crash_point(order->mount->fs);

	if (point < 0)
		return told(order, (int)point);
	*to = (struct wanted){ .options = options_of(order->mount),
			       .state.point = point, .may_have_state = 1 };
	return read_words(order, to);
}

int mvfs__ctl_crash(struct mvfs__order *order)
{
	struct mvfs_snapshot *found;
	struct wanted wanted;
	int r = read_crash(order, &wanted);

	if (r)
		return r;
	r = mvfs_crash_snapshot(order->mount->fs, &wanted.options,
				&wanted.state, &found);
	if (r)
		return told(order, r);
	r = mvfs_restore(order->mount->fs, found);
	mvfs_snapshot_release(found);
	return r;
}

int mvfs__ctl_crash_explain(struct mvfs__order *order)
{
	struct mvfs_string text;
	struct wanted wanted;
	int r = read_crash(order, &wanted);

	if (r)
		return r;
	r = mvfs_crash_explain(order->mount->fs, &wanted.options,
			       &wanted.state, &text);
	if (r)
		return told(order, r);
	r = mvfs__text_add(&order->answer, text.data, text.len);
	mvfs_string_release(&text);
	return r;
}
