/* SPDX-License-Identifier: MIT */
/*
 * What a log must have. The text is a row of lines, each of which calls fit
 * or not. Calls that fit no line at all are left out ("exact" leaves out
 * none); the rest must be the lines one by one, where one with '+' takes one
 * call or more. A line with '!' takes none: a call that fits nothing else
 * is then one too many.
 *
 * A call may fit several lines, so all the places in the text where the log
 * can be are kept at once, as a set (Thompson, 1968): no choice is ever
 * taken back, and it takes calls times lines.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>

#include <memvfs/instance.h>

#include "vfs/base/error.h"
#include "vfs/log/log.h"
#include "vfs/mem/mem.h"

struct line {
	const char *at, *end;      /* in the text */
	unsigned number;
	bool many, never;
	uint64_t kinds;
	struct mvfs__word path, path2; /* length 0: any */
	bool by_uid, by_offset, by_bytes, by_rule, by_result, any_success;
	uint64_t uid, offset, bytes, rule;
	int64_t result;
};

struct expect {
	const char *text;
	struct mvfs_error *error;
	bool exact;
	struct line *line;
	size_t count;        /* of lines */
	unsigned char *here; /* [i]: the first i lines may be done */
	unsigned char *next;
};

static int wrong(const struct expect *x, const struct line *line,
		 struct mvfs__word at, const char *expected)
{
	int shown = at.len < 40 ? (int)at.len : 40;
	unsigned long long column = (unsigned long long)(at.at - line->at) + 1;
	uint64_t offset = (uint64_t)(at.at - x->text);

	if (!at.len)
		return mvfs__fail(x->error, -EINVAL, offset, 0,
				  "line %u, column %llu: the line ends; "
				  "expected %s", line->number, column,
				  expected);
	return mvfs__fail(x->error, -EINVAL, offset, at.len, "line %u, column "
			  "%llu: \"%.*s\"; expected %s", line->number, column,
			  shown, at.at, expected);
}

/* What is behind '=': a number, the name of an error, or "ok". */
static bool parse_result(struct line *line, struct mvfs__word word)
{
	uint64_t number;
	char name[24];

	line->by_result = true;
	line->any_success = mvfs__word_is(word, "ok");
	if (line->any_success)
		return true;
	if (mvfs__word_number(word, &number) && number <= INT64_MAX) {
		line->result = (int64_t)number;
		return true;
	}
	(void)mvfs__word_value(&word, "-");
	if (!word.len || word.len >= sizeof(name))
		return false;
	memcpy(name, word.at, word.len);
	name[word.len] = 0;
	line->result = -mvfs_errno_number(name);
	return line->result < 0;
}

/* A word with a key; 0, 1: it has none, or a negative errno. */
static int parse_key(const struct expect *x, struct line *line,
		     struct mvfs__word word)
{
	const struct {
		const char *key;
		uint64_t *value;
		bool *given;
	} keys[] = {
		{ "uid=", &line->uid, &line->by_uid },
		{ "offset=", &line->offset, &line->by_offset },
		{ "bytes=", &line->bytes, &line->by_bytes },
		{ "rule=", &line->rule, &line->by_rule },
	};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (!mvfs__word_value(&word, keys[i].key))
			continue;
		*keys[i].given = true;
		return mvfs__word_number(word, keys[i].value) ? 0 :
		       wrong(x, line, word, "a number");
	}
	return 1;
}

static int parse_word(const struct expect *x, struct line *line,
		      struct mvfs__word word, const char **at)
{
	int rc;

	if (mvfs__word_is(word, "=")) {
		word = mvfs__word_next(at, line->end);
		if (!parse_result(line, word))
			return wrong(x, line, word, "a result: a number, the "
				     "name of an error, or ok");
		if (mvfs__word_next(at, line->end).len)
			return wrong(x, line, word, "the result at the end "
				     "of the line");
		return 0;
	}
	rc = parse_key(x, line, word);
	if (rc <= 0)
		return rc;
	if (line->path2.len)
		return wrong(x, line, word, "uid=, offset=, bytes=, rule=, "
			     "or = and a result");
	if (line->path.len)
		line->path2 = word;
	else
		line->path = word;
	return 0;
}

static int parse_line(const struct expect *x, struct line *line)
{
	const char *at = line->at;
	struct mvfs__word word = mvfs__word_next(&at, line->end), part;
	int rc = 0;

	line->many = *word.at == '+';
	line->never = *word.at == '!';
	if (line->many || line->never) {
		at = word.at + 1;
		word = mvfs__word_next(&at, line->end);
	}
	part = word;
	line->kinds = word.len ? mvfs__op_sets(word, &part) : 0;
	if (!line->kinds)
		return wrong(x, line, part.len ? part : word,
			     "names of calls, as write or open,read");
	while (!rc && (word = mvfs__word_next(&at, line->end)).len)
		rc = parse_word(x, line, word, &at);
	return rc;
}

/* The next line that is not empty and no comment, from *at on. */
static bool next_line(const char **at, unsigned *number, struct line *line)
{
	const char *end, *first;
	struct mvfs__word word;

	while (**at) {
		end = strchrnul(*at, '\n');
		*line = (struct line){ .at = *at, .end = end,
				       .number = ++*number };
		first = *at;
		*at = *end ? end + 1 : end;
		word = mvfs__word_next(&first, end);
		if (word.len && *word.at != '#')
			return true;
	}
	return false;
}

/* Each line, into the memory for them, or (NULL) counted. */
static int parse(struct expect *x)
{
	const char *at = x->text;
	unsigned number = 0;
	struct line line;
	size_t count = 0;
	bool first = true;
	int rc;

	while (next_line(&at, &number, &line)) {
		const char *word_at = line.at;
		struct mvfs__word word = mvfs__word_next(&word_at, line.end);

		if (first && mvfs__word_is(word, "exact") &&
		    !mvfs__word_next(&word_at, line.end).len) {
			x->exact = true;
			first = false;
			continue;
		}
		first = false;
		if (x->line) {
			rc = parse_line(x, &line);
			if (rc)
				return rc;
			x->line[count] = line;
		}
		count++;
	}
	x->count = count;
	return 0;
}

static bool fits_path(struct mvfs__word glob, const char *path, uint64_t ino)
{
	struct mvfs__word number = glob;
	uint64_t n;

	if (!glob.len)
		return true;
	if (path && !*path && mvfs__word_value(&number, "#"))
		return mvfs__word_number(number, &n) && n == ino;
	return path && mvfs__glob_fits(glob, path);
}

static bool fits(const struct line *line, const struct mvfs__log_entry *e)
{
	return (line->kinds & MVFS__OP_BIT(e->op)) &&
	       fits_path(line->path, e->path, e->ino) &&
	       fits_path(line->path2, e->path2, 0) &&
	       (!line->by_uid || line->uid == e->uid) &&
	       (!line->by_offset || line->offset == e->offset) &&
	       (!line->by_bytes || line->bytes == e->bytes) &&
	       (!line->by_rule || line->rule == e->rule) &&
	       (!line->by_result || (line->any_success ? e->result >= 0 :
				     line->result == e->result));
}

/* Places that are reached without a call: behind lines with '!'. */
static void pass(const struct expect *x, unsigned char *set)
{
	size_t i;

	for (i = 0; i < x->count; i++)
		if (set[i] && x->line[i].never)
			set[i + 1] = 1;
}

/* The log goes on by a call: 1; 0: it cannot; -1: the call is left out. */
static int advance(struct expect *x, const struct mvfs__log_entry *e)
{
	bool related = x->exact, any = false;
	unsigned char *swap;
	size_t i;

	memset(x->next, 0, x->count + 1);
	for (i = 0; i < x->count; i++) {
		if (!fits(&x->line[i], e))
			continue;
		related = true;
		if (x->line[i].never)
			continue;
		/* the first call of the line, or one more of it */
		if (!x->here[i] && !(x->line[i].many && x->here[i + 1]))
			continue;
		x->next[i + 1] = 1;
		any = true;
	}
	if (!related)
		return -1;
	if (!any)
		return 0;
	pass(x, x->next);
	swap = x->here;
	x->here = x->next;
	x->next = swap;
	return 1;
}

/* The line that the furthest place waits for; NULL: none. */
static const struct line *waits_for(const struct expect *x)
{
	size_t i;

	for (i = x->count + 1; i-- > 0;)
		if (x->here[i])
			return i < x->count ? &x->line[i] : NULL;
	return NULL;
}

/* Lines of the log around entry `at`, which is marked. */
static void show(struct mvfs__log_text *text,
		 const struct mvfs__log_copy *log, size_t at)
{
	size_t i = at > 1 ? at - 2 : 0;

	for (; i < log->count && i <= at + 1; i++) {
		mvfs__log_text_add(text, i == at ? "; here> " : "; ");
		mvfs__log_line(text, &log->entry[i]);
	}
	if (at >= log->count)
		mvfs__log_text_add(text, "; here> (the end)");
}

static int differs(const struct expect *x, const struct mvfs__log_copy *log,
		   size_t at)
{
	const struct line *line = waits_for(x);
	struct mvfs__log_text text = { 0 };
	int len, rc;

	if (log->dropped && !at)
		mvfs__log_text_add(&text, "; %llu dropped",
				   (unsigned long long)log->dropped);
	show(&text, log, at);
	if (!line) {
		rc = mvfs__fail(x->error, -EBADMSG, strlen(x->text), 0,
				"one call too many%s",
				text.bytes && !text.failed ? text.bytes : "");
	} else {
		len = (int)(line->end - line->at);
		rc = mvfs__fail(x->error, -EBADMSG,
				(uint64_t)(line->at - x->text),
				(uint64_t)len, "line %u: no \"%.*s\"%s",
				line->number, len < 60 ? len : 60, line->at,
				text.bytes && !text.failed ? text.bytes : "");
	}
	mvfs__log_text_free(&text);
	return rc;
}

static int run(struct expect *x, const struct mvfs__log_copy *log)
{
	size_t i;

	x->here[0] = 1;
	pass(x, x->here);
	for (i = 0; i < log->count; i++)
		if (!advance(x, &log->entry[i]))
			return differs(x, log, i);
	return x->here[x->count] ? 0 : differs(x, log, log->count);
}

int mvfs__log_expect(const struct mvfs__log_copy *log, const char *text,
		     struct mvfs_error *error)
{
	struct expect x = { .text = text, .error = error };
	unsigned char *sets;
	int rc = parse(&x);

	assert(!rc);
	x.line = mvfs__calloc(x.count + 1, sizeof(*x.line));
	sets = mvfs__calloc(2, x.count + 1);
	x.here = sets;
	x.next = sets ? sets + x.count + 1 : NULL;
	rc = x.line && sets ? parse(&x) : mvfs__fail(error, -ENOMEM, 0, 0,
						    "out of memory");
	if (!rc)
		rc = run(&x, log);
	mvfs__free(sets);
	mvfs__free(x.line);
	return rc;
}
