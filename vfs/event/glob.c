/* SPDX-License-Identifier: MIT */
/*
 * Globs. No recursion: of several stars only the last one that may still grow
 * is ever tried again, for whatever an earlier one could take instead, the
 * last one can; and a `*` does not grow beyond its name, so two marks are
 * enough, of the last `*` and of the last `**`.
 */
#include "config.h"

#include "vfs/event/words.h"

struct matcher {
	const char *begin, *end;    /* of the glob */
	const char *glob;           /* what is left of it */
	const char *path;
	/* where to go on when what follows does not fit; NULL: nowhere */
	const char *star, *star_path;
	const char *deep, *deep_path;
	bool deep_by_name;          /* the `**` has a '/' behind it */
};

static bool is_octal(char byte)
{
	return byte >= '0' && byte <= '7';
}

/* The byte that is written at *at, which moves behind it. */
static unsigned char literal(const char **at, const char *end)
{
	const char *p = *at;

	if (*p != '\\' || p + 1 == end) {
		*at = p + 1;
		return (unsigned char)*p;
	}
	if (end - p > 3 && is_octal(p[1]) && is_octal(p[2]) &&
	    is_octal(p[3])) {
		*at = p + 4;
		return (unsigned char)((p[1] - '0') << 6 | (p[2] - '0') << 3 |
				       (p[3] - '0'));
	}
	*at = p + 2;
	return (unsigned char)p[1];
}

/* A set at *at; false without moving: it does not end, so it is none. */
static bool set(const char **at, const char *end, unsigned char byte,
		bool *fits)
{
	const char *p = *at + 1;
	unsigned char low, high;
	bool in = false, not = false;

	if (p < end && (*p == '!' || *p == '^')) {
		not = true;
		p++;
	}
	do {
		if (p >= end)
			return false;
		low = high = literal(&p, end);
		if (end - p > 1 && p[0] == '-' && p[1] != ']') {
			p++;
			high = literal(&p, end);
		}
		in |= byte >= low && byte <= high;
	} while (p < end && *p != ']');
	if (p >= end)
		return false;
	*at = p + 1;
	*fits = in != not;
	return true;
}

/* One byte of the path against one sign that is no star; moves both. */
static bool step(struct matcher *m)
{
	unsigned char byte = (unsigned char)*m->path;
	const char *next = m->glob;
	bool fits;

	if (!byte)
		return false;
	if (*next == '?') {
		next++;
		fits = byte != '/';
	} else if (*next == '[' && set(&next, m->end, byte, &fits)) {
		fits = fits && byte != '/';
	} else {
		fits = literal(&next, m->end) == byte;
	}
	if (fits) {
		m->glob = next;
		m->path++;
	}
	return fits;
}

/* At a star: marks it, and goes on as if it took nothing. */
static void mark(struct matcher *m)
{
	if (m->end - m->glob > 1 && m->glob[1] == '*') {
		bool at_name = m->glob == m->begin || m->glob[-1] == '/';

		while (m->glob < m->end && *m->glob == '*')
			m->glob++;
		m->deep_by_name = at_name && m->glob < m->end &&
				  *m->glob == '/';
		m->glob += m->deep_by_name;
		m->deep = m->glob;
		m->deep_path = m->path;
		m->star = NULL;
		return;
	}
	m->star = ++m->glob;
	m->star_path = m->path;
}

/* The last star takes more; false: none can. */
static bool retry(struct matcher *m)
{
	const char *slash;

	if (m->star && *m->star_path && *m->star_path != '/') {
		m->path = ++m->star_path;
		m->glob = m->star;
		return true;
	}
	m->star = NULL;
	if (!m->deep || !*m->deep_path)
		return false;
	if (m->deep_by_name) {
		slash = strchr(m->deep_path, '/');
		if (!slash)
			return false;
		m->deep_path = slash;
	}
	m->path = ++m->deep_path;
	m->glob = m->deep;
	return true;
}

bool mvfs__glob_fits(struct mvfs__word glob, const char *path)
{
	struct matcher m = {
		.begin = glob.at,
		.glob = glob.at,
		.end = glob.at + glob.len,
		.path = path,
	};

	if (!*path || !glob.len)
		return false;
	if (*m.glob != '/') { /* as if "/" and two stars were before it */
		m.deep = m.glob;
		m.deep_by_name = true;
		m.path = m.deep_path = path + (*path == '/');
	}
	for (;;) {
		if (m.glob == m.end && !*m.path)
			return true;
		if (m.glob < m.end && *m.glob == '*')
			mark(&m);
		else if ((m.glob == m.end || !step(&m)) && !retry(&m))
			return false;
	}
}
