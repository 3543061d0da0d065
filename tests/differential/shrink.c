/* SPDX-License-Identifier: MIT */
/*
 * Makes a sequence that shows a difference as short and plain as it gets:
 * operations are taken away, in ever smaller pieces, as long as what is left
 * still shows it (delta debugging; Zeller and Hildebrandt, 2002), then
 * arguments are replaced by plainer ones. "It" is a difference that is told
 * in the same words, whatever the names and numbers in them: else one ends up
 * with the best known one each time.
 */
#include "config.h"

#include "oracle.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SECONDS = 300 };

struct shrinker {
	struct engine *engine;
	struct op *ops, *trial;
	size_t count;
	char words[256]; /* of the difference */
	time_t end;
};

/* The first line without what is quoted and without numbers. */
static void words_of(const char *text, char words[256])
{
	bool quoted = false;
	size_t len = 0;

	for (; *text && *text != '\n' && len < 255; text++) {
		if (*text == '"')
			quoted = !quoted;
		else if (!quoted && (*text < '0' || *text > '9'))
			words[len++] = *text;
	}
	words[len] = '\0';
}

static bool spent(const struct shrinker *s)
{
	return time(NULL) >= s->end;
}

/* Whether the trial shows a difference; then it is the sequence. */
static bool accept(struct shrinker *s, size_t count)
{
	char words[256];
	size_t at;

	if (count == 0 || spent(s))
		return false;
	at = engine_replay(s->engine, s->trial, count);
	if (at == count)
		return false;
	words_of(s->engine->differ.text, words);
	if (strcmp(words, s->words))
		return false;
	s->count = at + 1;
	memcpy(s->ops, s->trial, s->count * sizeof(*s->ops));
	return true;
}

static bool try_without(struct shrinker *s, size_t from, size_t len)
{
	size_t rest = s->count - from - len;

	memcpy(s->trial, s->ops, from * sizeof(*s->ops));
	memcpy(s->trial + from, s->ops + from + len, rest * sizeof(*s->ops));
	return accept(s, from + rest);
}

/* All at once that failed, then all calls of one kind: most do not matter. */
static void take_kinds_away(struct shrinker *s)
{
	int kind;

	for (kind = -1; kind < OP_COUNT && !spent(s); kind++) {
		size_t i, count = 0;

		for (i = 0; i + 1 < s->count; i++)
			if (kind < 0 ? !s->ops[i].failed
				     : s->ops[i].code != kind)
				s->trial[count++] = s->ops[i];
		if (i == count)
			continue;
		s->trial[count++] = s->ops[i];
		accept(s, count);
	}
}

static bool take_away(struct shrinker *s)
{
	size_t piece, from, before = s->count;

	for (piece = s->count / 2; piece; piece /= 2)
		for (from = 0; from + piece <= s->count && !spent(s);)
			if (!try_without(s, from, piece))
				from += piece;
	return s->count < before;
}

static void try_op(struct shrinker *s, size_t at, const struct op *op)
{
	if (!memcmp(&s->ops[at], op, sizeof(*op)))
		return;
	memcpy(s->trial, s->ops, s->count * sizeof(*s->ops));
	s->trial[at] = *op;
	accept(s, s->count);
}

static void try_path(struct shrinker *s, size_t at, int which)
{
	static const char *const plain[] = { "a", "b", "c", "d", "d/a" };
	struct op op;
	size_t i;

	for (i = 0; i < sizeof(plain) / sizeof(*plain); i++) {
		if (at >= s->count)
			return;
		op = s->ops[at];
		if (!op.path[which] || strlen(op.path[which]) <= 1)
			return;
		op.path[which] = plain[i];
		try_op(s, at, &op);
	}
}

static void try_number(struct shrinker *s, size_t at, size_t field, size_t size)
{
	struct op op;

	if (at >= s->count)
		return;
	op = s->ops[at];
	memset((char *)&op + field, 0, size);
	try_op(s, at, &op);
}

#define TRY_NUMBER(s, at, field)                       \
	try_number(s, at, offsetof(struct op, field), \
		   sizeof(((struct op *)0)->field))

static void simplify(struct shrinker *s)
{
	size_t at;

	for (at = 0; at < s->count && !spent(s); at++) {
		TRY_NUMBER(s, at, user);
		try_path(s, at, 0);
		try_path(s, at, 1);
		TRY_NUMBER(s, at, flags);
		TRY_NUMBER(s, at, xflags);
		TRY_NUMBER(s, at, off);
		TRY_NUMBER(s, at, off2);
		TRY_NUMBER(s, at, fill);
		if (at < s->count && s->ops[at].len > 1) {
			struct op op = s->ops[at];

			op.len = 1;
			try_op(s, at, &op);
		}
	}
}

size_t shrink(struct engine *engine, struct op *ops, size_t count)
{
	struct shrinker s = { .engine = engine, .ops = ops, .count = count };
	size_t before;

	words_of(engine->differ.text, s.words);
	s.trial = malloc(count * sizeof(*ops));
	if (!s.trial)
		abort();
	s.end = time(NULL) + SECONDS;
	do {
		before = s.count;
		take_kinds_away(&s);
		while (take_away(&s))
			;
		simplify(&s);
	} while (s.count < before && !spent(&s));
	free(s.trial);
	return s.count;
}
