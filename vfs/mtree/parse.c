/* SPDX-License-Identifier: MIT */
/*
 * Reads mtree(5). The text is gone through once; a line is a word that names
 * a file, and words of the form keyword or keyword=value.
 */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "vfs/base/error.h"
#include "vfs/mtree/escape.h"
#include "vfs/mtree/mtree.h"

enum { NAME_LENGTH_MAX = 255 };

struct word {
	const char *at, *end;
};

struct parser {
	const char *text, *at, *end;
	unsigned line;
	struct mvfs__mtree *tree;
	struct mvfs__grow dir;   /* that names without a slash are in */
	struct mvfs__grow value; /* that is being decoded */
	struct mvfs__spec set;   /* what /set has said */
	struct mvfs__spec spec;  /* of this line */
	struct mvfs_error *error;
};

struct keyword {
	const char *name;
	unsigned key;
	/* 0 or -EINVAL; NULL: it has no value, or none that matters */
	int (*read)(struct parser *p, struct mvfs__spec *spec,
		    struct word value);
};

static int no_memory(struct parser *p)
{
	return mvfs__fail(p->error, -ENOMEM, 0, 0, "out of memory");
}

/* Says what was expected where the word stands. */
static int expected(struct parser *p, struct word word, const char *what)
{
	size_t len = (size_t)(word.end - word.at);
	const char *at, *start = p->text;
	unsigned line = 1;

	for (at = p->text; at < word.at; at++) {
		if (*at != '\n')
			continue;
		line++;
		start = at + 1;
	}
	return mvfs__fail(p->error, -EINVAL, (uint64_t)(word.at - p->text),
			  len, "line %u, column %zu: expected %s, found "
			  "%s%.*s%s", line, (size_t)(word.at - start) + 1, what,
			  len ? "\"" : "the end of the line",
			  (int)(len < 40 ? len : 40), word.at,
			  len ? "\"" : "");
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* At a backslash that ends a line: how long the two are; else 0. */
static size_t continuation(const struct parser *p)
{
	if (p->at == p->end || *p->at != '\\')
		return 0;
	if (p->end - p->at > 1 && p->at[1] == '\n')
		return 2;
	return p->end - p->at > 2 && p->at[1] == '\r' && p->at[2] == '\n' ?
	       3 : 0;
}

static void skip_blanks(struct parser *p)
{
	size_t len;

	for (;;) {
		while (p->at < p->end && is_blank(*p->at))
			p->at++;
		len = continuation(p);
		if (!len)
			return;
		p->at += len;
		p->line++;
	}
}

static bool at_word_end(const struct parser *p)
{
	return p->at == p->end || *p->at == '\n' || is_blank(*p->at) ||
	       continuation(p);
}

/* Decodes the escapes of a word into p->value. */
static int decode(struct parser *p, struct word word)
{
	const char *at = word.at, *from;
	size_t used;
	char byte;
	int c;

	mvfs__grow_clear(&p->value);
	while (at < word.end) {
		from = at;
		while (at < word.end && *at != '\\')
			at++;
		mvfs__grow_add(&p->value, from, (size_t)(at - from));
		if (at == word.end)
			break;
		c = mvfs__unescape(at + 1, word.end, &used);
		if (c < 0)
			return expected(p, (struct word){ at, word.end },
					"an escape: \\ and three octal digits,"
					" or one of abfnrstv\\\"#");
		byte = (char)c;
		mvfs__grow_add(&p->value, &byte, 1);
		at += used + 1;
	}
	return p->value.failed ? no_memory(p) : 0;
}

/* Keeps the decoded value; its place. */
static size_t keep(struct parser *p, size_t *len)
{
	size_t place = p->tree->bytes.len;

	mvfs__grow_add(&p->tree->bytes, mvfs__grow_string(&p->value),
		       p->value.len);
	mvfs__grow_add(&p->tree->bytes, "", 1);
	if (len)
		*len = p->value.len;
	return place;
}

/* Digits up to the end, no more than `max`. */
static bool read_number(struct word word, unsigned base, uint64_t max,
			uint64_t *number)
{
	uint64_t value = 0, digit;

	if (word.at == word.end)
		return false;
	for (; word.at < word.end; word.at++) {
		digit = (uint64_t)(unsigned char)*word.at - '0';
		if (digit >= base || value > (max - digit) / base)
			return false;
		value = value * base + digit;
	}
	*number = value;
	return true;
}

static int read_type(struct parser *p, struct mvfs__spec *spec,
		     struct word value)
{
	spec->type = mvfs__mtree_mode_of(value.at,
					 (size_t)(value.end - value.at));
	return spec->type ? 0 : expected(p, value, "file, dir, link, char, "
					 "block, fifo or socket");
}

static int read_mode(struct parser *p, struct mvfs__spec *spec,
		     struct word value)
{
	uint64_t number;

	if (!read_number(value, 8, 07777, &number))
		return expected(p, value, "an octal mode up to 07777");
	spec->mode = (uint32_t)number;
	return 0;
}

static int read_id(struct parser *p, uint32_t *id, struct word value)
{
	uint64_t number;

	/* the largest means "unchanged" to chown */
	if (!read_number(value, 10, UINT32_MAX - 1, &number))
		return expected(p, value, "a decimal id");
	*id = (uint32_t)number;
	return 0;
}

static int read_uid(struct parser *p, struct mvfs__spec *spec,
		    struct word value)
{
	return read_id(p, &spec->uid, value);
}

static int read_gid(struct parser *p, struct mvfs__spec *spec,
		    struct word value)
{
	return read_id(p, &spec->gid, value);
}

static int read_size(struct parser *p, struct mvfs__spec *spec,
		     struct word value)
{
	return read_number(value, 10, MVFS__SIZE_MAX, &spec->size) ? 0 :
	       expected(p, value, "a decimal size");
}

static int read_nlink(struct parser *p, struct mvfs__spec *spec,
		      struct word value)
{
	return read_number(value, 10, UINT32_MAX, &spec->nlink) ? 0 :
	       expected(p, value, "a decimal count");
}

static int read_inode(struct parser *p, struct mvfs__spec *spec,
		      struct word value)
{
	return read_number(value, 10, UINT64_MAX, &spec->inode) ? 0 :
	       expected(p, value, "a decimal number");
}

static int read_fill(struct parser *p, struct mvfs__spec *spec,
		     struct word value)
{
	return read_number(value, 10, UINT64_MAX, &spec->fill) ? 0 :
	       expected(p, value, "a decimal seed");
}

/* Seconds, and behind a dot nanoseconds, as a number: .5 is 5 of them. */
static int read_time(struct parser *p, struct mvfs__spec *spec,
		     struct word value)
{
	bool minus = value.at < value.end && *value.at == '-';
	struct word sec = { value.at + minus, value.end }, nsec;
	uint64_t number, part = 0;
	bool good;

	nsec.end = value.end;
	nsec.at = sec.at == value.end ? NULL :
		  memchr(sec.at, '.', (size_t)(value.end - sec.at));
	if (nsec.at)
		sec.end = nsec.at++;
	good = read_number(sec, 10, INT64_MAX, &number);
	if (good && nsec.at)
		good = read_number(nsec, 10, 999999999, &part);
	if (!good)
		return expected(p, value, "a time: seconds, or "
				"seconds.nanoseconds");
	spec->time.sec = minus ? -(int64_t)number : (int64_t)number;
	spec->time.nsec = (int32_t)part;
	return 0;
}

/* One number, or "format,major,minor". */
static int read_device(struct parser *p, struct mvfs__spec *spec,
		       struct word value)
{
	struct word part[3];
	uint64_t number[2];
	size_t count = 0;
	const char *at = value.at;

	while (count < 3) {
		part[count].at = at;
		while (at < value.end && *at != ',')
			at++;
		part[count++].end = at;
		if (at == value.end)
			break;
		at++;
	}
	if (count == 1 &&
	    read_number(part[0], 10, UINT64_MAX, &spec->rdev))
		return 0;
	if (count == 3 && part[2].end == value.end &&
	    read_number(part[1], 10, UINT32_MAX, &number[0]) &&
	    read_number(part[2], 10, UINT32_MAX, &number[1])) {
		spec->rdev = makedev((unsigned)number[0], (unsigned)number[1]);
		return 0;
	}
	return expected(p, value, "a device: a number, or native,MAJOR,MINOR");
}

/* An empty target, and one with a 0 in it, can be made by nobody. */
static int read_link(struct parser *p, struct mvfs__spec *spec,
		     struct word value)
{
	int rc = decode(p, value);

	if (rc)
		return rc;
	if (!p->value.len || strlen(p->value.bytes) != p->value.len)
		return expected(p, value, "what a symlink leads to");
	spec->link = keep(p, NULL);
	return 0;
}

static int read_data(struct parser *p, struct mvfs__spec *spec,
		     struct word value)
{
	int rc = decode(p, (struct word){ value.at + 1, value.end - 1 });

	if (!rc)
		spec->data = keep(p, &spec->data_len);
	return rc;
}

static const struct keyword keywords[] = {
	{ "type", MVFS__KEY_TYPE, read_type },
	{ "mode", MVFS__KEY_MODE, read_mode },
	{ "uid", MVFS__KEY_UID, read_uid },
	{ "gid", MVFS__KEY_GID, read_gid },
	{ "size", MVFS__KEY_SIZE, read_size },
	{ "link", MVFS__KEY_LINK, read_link },
	{ "time", MVFS__KEY_TIME, read_time },
	{ "nlink", MVFS__KEY_NLINK, read_nlink },
	{ "inode", MVFS__KEY_INODE, read_inode },
	{ "device", MVFS__KEY_DEVICE, read_device },
	{ "data", MVFS__KEY_DATA, read_data },
	{ "fill", MVFS__KEY_FILL, read_fill },
	{ "optional", MVFS__KEY_OPTIONAL, NULL },
	{ "ignore", MVFS__KEY_IGNORE, NULL },
	{ "nochange", MVFS__KEY_NOCHANGE, NULL },
	{ "cksum", MVFS__KEY_OTHER, NULL },
	{ "content", MVFS__KEY_OTHER, NULL },
	{ "contents", MVFS__KEY_OTHER, NULL },
	{ "flags", MVFS__KEY_OTHER, NULL },
	{ "gname", MVFS__KEY_OTHER, NULL },
	{ "md5", MVFS__KEY_OTHER, NULL },
	{ "md5digest", MVFS__KEY_OTHER, NULL },
	{ "resdevice", MVFS__KEY_OTHER, NULL },
	{ "ripemd160digest", MVFS__KEY_OTHER, NULL },
	{ "rmd160", MVFS__KEY_OTHER, NULL },
	{ "rmd160digest", MVFS__KEY_OTHER, NULL },
	{ "sha1", MVFS__KEY_OTHER, NULL },
	{ "sha1digest", MVFS__KEY_OTHER, NULL },
	{ "sha256", MVFS__KEY_OTHER, NULL },
	{ "sha256digest", MVFS__KEY_OTHER, NULL },
	{ "sha384", MVFS__KEY_OTHER, NULL },
	{ "sha384digest", MVFS__KEY_OTHER, NULL },
	{ "sha512", MVFS__KEY_OTHER, NULL },
	{ "sha512digest", MVFS__KEY_OTHER, NULL },
	{ "tags", MVFS__KEY_OTHER, NULL },
	{ "uname", MVFS__KEY_OTHER, NULL },
};

static bool is_named(struct word word, const char *name)
{
	return strlen(name) == (size_t)(word.end - word.at) &&
	       !memcmp(name, word.at, strlen(name));
}

static const struct keyword *find_keyword(struct word name)
{
	size_t i;

	for (i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (is_named(name, keywords[i].name))
			return &keywords[i];
	return NULL;
}

/* The rest of a word from p->at on. */
static struct word rest_of_word(struct parser *p)
{
	struct word word = { p->at, NULL };

	while (!at_word_end(p))
		p->at++;
	word.end = p->at;
	return word;
}

/* Text in quotes, with blanks and escapes in it. */
static int next_quoted(struct parser *p, struct word *word)
{
	word->at = p->at;
	if (p->at == p->end || *p->at != '"')
		return expected(p, rest_of_word(p), "text in quotes");
	for (p->at++; p->at < p->end && *p->at != '"' && *p->at != '\n';
	     p->at++)
		if (*p->at == '\\' && p->end - p->at > 1 && p->at[1] != '\n')
			p->at++;
	if (p->at == p->end || *p->at == '\n')
		return expected(p, (struct word){ p->at, p->at },
				"a quote that ends the text");
	word->end = ++p->at;
	return at_word_end(p) ? 0 : expected(p, rest_of_word(p),
					     "a blank behind the quote");
}

static int read_keyword(struct parser *p, struct mvfs__spec *spec)
{
	const struct keyword *keyword;
	struct word name, value;
	int rc = 0;

	name.at = p->at;
	while (!at_word_end(p) && *p->at != '=')
		p->at++;
	name.end = p->at;
	keyword = find_keyword(name);
	if (!keyword)
		return expected(p, name, "a keyword of mtree(5), data or "
				"fill");
	if (p->at < p->end && *p->at == '=') {
		p->at++;
		if (keyword->key == MVFS__KEY_DATA)
			rc = next_quoted(p, &value);
		else
			value = rest_of_word(p);
	} else {
		value = (struct word){ p->at, p->at };
		rc = keyword->read ? expected(p, value, "=") : 0;
	}
	if (!rc && keyword->read)
		rc = keyword->read(p, spec, value);
	spec->has |= keyword->key;
	return rc;
}

static bool at_line_end(const struct parser *p)
{
	return p->at == p->end || *p->at == '\n';
}

static int read_keywords(struct parser *p, struct mvfs__spec *spec)
{
	int rc = 0;

	for (skip_blanks(p); !rc && !at_line_end(p); skip_blanks(p))
		rc = read_keyword(p, spec);
	return rc;
}

static int read_unset(struct parser *p)
{
	const struct keyword *keyword;
	struct word name;

	for (skip_blanks(p); !at_line_end(p); skip_blanks(p)) {
		name = rest_of_word(p);
		keyword = find_keyword(name);
		if (is_named(name, "all"))
			p->set.has = 0;
		else if (keyword)
			p->set.has &= ~keyword->key;
		else
			return expected(p, name, "a keyword, or all");
	}
	return 0;
}

/* Adds the decoded name to a path, part by part. */
static int add_parts(struct parser *p, struct word word,
		     struct mvfs__grow *path)
{
	const char *at = p->value.bytes, *end = at + p->value.len, *part;
	size_t len;

	for (; at < end; at = part + len) {
		while (at < end && *at == '/')
			at++;
		part = at;
		while (at < end && *at != '/')
			at++;
		len = (size_t)(at - part);
		if (!len || (len == 1 && *part == '.'))
			continue;
		if (len > NAME_LENGTH_MAX || memchr(part, 0, len) ||
		    (len == 2 && !memcmp(part, "..", 2)))
			return expected(p, word, "a path of names that are no "
					"\"..\" and have 1 to 255 bytes");
		mvfs__grow_add(path, "/", 1);
		mvfs__grow_add(path, part, len);
	}
	return 0;
}

/* The directory above that of the names that follow. */
static int leave(struct parser *p, struct word word)
{
	size_t len = p->dir.len;

	if (!len)
		return expected(p, word, "a name: this is the root");
	while (p->dir.bytes[--len] != '/')
		continue;
	p->dir.len = len;
	p->dir.bytes[len] = 0;
	skip_blanks(p);
	return at_line_end(p) ? 0 :
	       expected(p, (struct word){ p->at, p->at + 1 },
			"no keywords of \"..\"");
}

/* The path of the line into the tree's bytes. */
static int read_path(struct parser *p, struct word word, bool *is_full)
{
	struct mvfs__grow *bytes = &p->tree->bytes;
	int rc = decode(p, word);

	if (rc)
		return rc;
	*is_full = memchr(p->value.bytes, '/', p->value.len) != NULL;
	p->spec.path = bytes->len;
	if (!*is_full)
		mvfs__grow_add(bytes, mvfs__grow_string(&p->dir), p->dir.len);
	rc = add_parts(p, word, bytes);
	if (bytes->len == p->spec.path)
		mvfs__grow_add(bytes, "/", 1);
	mvfs__grow_add(bytes, "", 1);
	return rc;
}

/* What the keywords of a line say together. */
static int check(struct parser *p, struct word name)
{
	struct mvfs__spec *s = &p->spec;
	unsigned has;

	/* 0 is what libarchive writes of what it does not know */
	if (!s->nlink)
		s->has &= ~(unsigned)MVFS__KEY_NLINK;
	if (!s->inode)
		s->has &= ~(unsigned)MVFS__KEY_INODE;
	has = s->has;
	if (!(has & MVFS__KEY_TYPE) &&
	    (has & (MVFS__KEY_DATA | MVFS__KEY_FILL | MVFS__KEY_LINK))) {
		s->type = has & MVFS__KEY_LINK ? S_IFLNK : S_IFREG;
		s->has |= MVFS__KEY_TYPE;
	}
	if ((has & MVFS__KEY_LINK) && s->type != S_IFLNK)
		return expected(p, name, "type=link, as there is link=");
	if ((has & (MVFS__KEY_DATA | MVFS__KEY_FILL)) && s->type != S_IFREG)
		return expected(p, name, "type=file, as there is data= or "
				"fill=");
	if ((has & MVFS__KEY_DATA) && (has & MVFS__KEY_FILL))
		return expected(p, name, "data= or fill=, not both");
	if ((has & MVFS__KEY_FILL) && !(has & MVFS__KEY_SIZE))
		return expected(p, name, "size=, as there is fill=");
	if ((has & MVFS__KEY_DATA) && (has & MVFS__KEY_SIZE) &&
	    s->data_len > s->size)
		return expected(p, name, "no more data than size= says");
	return 0;
}

/* Names without a slash that follow are in this directory. */
static int enter(struct parser *p)
{
	const char *path = mvfs__mtree_text(p->tree, p->spec.path);

	mvfs__grow_clear(&p->dir);
	if (path[1])
		mvfs__grow_text(&p->dir, path);
	return p->dir.failed ? no_memory(p) : 0;
}

static int read_entry(struct parser *p, struct word name)
{
	bool is_full = false;
	int rc;

	if (is_named(name, ".."))
		return leave(p, name);
	p->spec = p->set;
	p->spec.offset = (size_t)(name.at - p->text);
	p->spec.length = (size_t)(name.end - name.at);
	p->spec.line = p->line;
	rc = read_path(p, name, &is_full);
	if (!rc)
		rc = read_keywords(p, &p->spec);
	if (!rc)
		rc = check(p, name);
	if (!rc && p->tree->bytes.failed)
		rc = no_memory(p);
	if (rc)
		return rc;
	mvfs__grow_add(&p->tree->entries, &p->spec, sizeof(p->spec));
	return !is_full && p->spec.type == S_IFDIR ? enter(p) : 0;
}

static int read_line(struct parser *p)
{
	struct word word;

	skip_blanks(p);
	if (at_line_end(p))
		return 0;
	if (*p->at == '#') {
		while (!at_line_end(p))
			p->at++;
		return 0;
	}
	word = rest_of_word(p);
	if (is_named(word, "/set"))
		return read_keywords(p, &p->set);
	if (is_named(word, "/unset"))
		return read_unset(p);
	return read_entry(p, word);
}

int mvfs__mtree_parse(struct mvfs__mtree *tree, const char *text, size_t len,
		      struct mvfs_error *error)
{
	struct parser p = {
		.text = text, .at = text, .end = text + len,
		.line = 1, .tree = tree, .error = error,
	};
	int rc = 0;

	memset(tree, 0, sizeof(*tree));
	while (!rc && p.at < p.end) {
		rc = read_line(&p);
		if (rc || p.at == p.end)
			break;
		assert(*p.at == '\n');
		p.at++;
		p.line++;
	}
	if (!rc && (tree->bytes.failed || tree->entries.failed))
		rc = no_memory(&p);
	mvfs__grow_free(&p.dir);
	mvfs__grow_free(&p.value);
	return rc;
}

void mvfs__mtree_free(struct mvfs__mtree *tree)
{
	mvfs__grow_free(&tree->bytes);
	mvfs__grow_free(&tree->entries);
}
