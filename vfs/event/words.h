/* SPDX-License-Identifier: MIT */
/*
 * What the texts of rules and logs are made of: words between blanks, names
 * of calls, globs of paths. One spelling for what is written and what is
 * read, so that a line of a log can be expected as it is.
 *
 * In a word `\` and three octal digits are that byte, and `\` and any other
 * byte is that byte itself: blanks and the signs of globs are written so.
 */
#ifndef MVFS__WORDS_H
#define MVFS__WORDS_H

#include "vfs/event/event.h"

struct mvfs__word {
	const char *at;
	size_t len;
};

/* The next word before `end`, from *at on, which moves behind it; of length 0
 * at the end. */
struct mvfs__word mvfs__word_next(const char **at, const char *end);

static inline bool mvfs__word_is(struct mvfs__word word, const char *text)
{
	return word.len == strlen(text) && !memcmp(word.at, text, word.len);
}

/* Whether it begins with `key`, which ends in '='; then *word is the rest. */
bool mvfs__word_value(struct mvfs__word *word, const char *key);

/* A number of decimal digits, all of it; false: it is none, or too large. */
bool mvfs__word_number(struct mvfs__word word, uint64_t *number);

/* The name of a kind, of those that have one. */
const char *mvfs__op_name(enum mvfs__op_kind kind);
/* The kinds that a name means, of one or of a group; 0: nobody has it. */
uint64_t mvfs__op_set(struct mvfs__word name);
/* Kinds by names with ',' between; 0 and *wrong: one that nobody has. */
uint64_t mvfs__op_sets(struct mvfs__word names, struct mvfs__word *wrong);

/*
 * Whether a path fits: `*` is any bytes but '/', `?` one of them, `[a-z]` and
 * `[!a-z]` one of a set, `**` any bytes, and `**` with '/' behind it any
 * number of directories, none too. A glob that does not begin with '/' may
 * begin at any name. In time that grows with the square of the path at most.
 */
bool mvfs__glob_fits(struct mvfs__word glob, const char *path);

#endif
