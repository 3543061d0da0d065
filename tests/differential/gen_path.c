/* SPDX-License-Identifier: MIT */
/*
 * Paths: mostly of few names, so that they meet; sometimes of what a path may
 * hold at worst.
 */
#include "config.h"

#include "gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64 << 10, LONGEST = 4200 };

struct kept {
	struct kept *next;
	char text[CHUNK];
};

#define N17 "seventeen_letters"
#define N85 N17 N17 N17 N17 N17
#define N255 N85 N85 N85

/* The first are drawn most. */
static const char *const names[] = {
	"a", "b", "c", "d", "e", "f", "g", "h", "dir", "sub", "file", "link",
	"x y", "caf\xc3\xa9", "\xff\xfe", "-n", "...", ".hid", "A", "a.txt",
	"tmp", "z", N255, "\xe4\xb8\xad\xe6\x96\x87", "new\nline", "*", "0",
	"..x", "~", "\\"
};

const char *gen_keep(struct gen *gen, const char *text, size_t len)
{
	struct kept *kept = gen->kept;
	char *to;

	if (!kept || gen->kept_len + len + 1 > CHUNK) {
		kept = malloc(sizeof(*kept));
		if (!kept)
			abort();
		kept->next = gen->kept;
		gen->kept = kept;
		gen->kept_len = 0;
	}
	to = kept->text + gen->kept_len;
	memcpy(to, text, len);
	to[len] = '\0';
	gen->kept_len += len + 1;
	return to;
}

void gen_forget_texts(struct gen *gen)
{
	struct kept *kept;

	while ((kept = gen->kept)) {
		gen->kept = kept->next;
		free(kept);
	}
}

static const char *name(struct gen *gen)
{
	const size_t count = sizeof(names) / sizeof(*names);
	size_t a = rng_below(&gen->rng, count);
	size_t b = rng_below(&gen->rng, count);
	size_t c = rng_below(&gen->rng, count);

	a = a < b ? a : b;
	return names[a < c ? a : c];
}

static const char *keep(struct gen *gen, const char *text)
{
	return gen_keep(gen, text, strlen(text));
}

/* Paths and names of the lengths at which the limits are. */
static const char *extreme(struct gen *gen)
{
	char text[LONGEST + 300] = "";
	size_t len = 0;
	size_t want = 4090 + rng_below(&gen->rng, 12);

	switch (rng_below(&gen->rng, 6)) {
	case 0:
		return keep(gen, N255 "x");
	case 1:
		return keep(gen, "a/" N255 "xyz/b");
	case 2:
		for (; len < want - 1; len++)
			text[len] = len % 2 ? '/' : '.';
		text[len++] = 'a';
		break;
	case 3:
		while (len < want - 1)
			text[len++] = '/';
		text[0] = 'd';
		text[len++] = 'b';
		break;
	case 4:
		while (len < want)
			text[len++] = 'n';
		break;
	default:
		while (len + 258 < want) {
			memcpy(text + len, N255 "/", 256);
			len += 256;
		}
		text[len++] = 'c';
	}
	return gen_keep(gen, text, len);
}

static const char *special(struct gen *gen)
{
	static const char *const rooted[] = { "/", "//", "/.", "/..",
					      "/../a", "..", "../..", "../b",
					      "a/..", "/./", "../../d/e" };
	static const char *const plain[] = { "", ".", "./", "a/.", "./a",
					     "b//", "c/./", "d///e", "./." };

	if (gen->facts.chrooted && rng_one_in(&gen->rng, 2))
		return rooted[rng_below(&gen->rng, sizeof(rooted) /
						   sizeof(*rooted))];
	return plain[rng_below(&gen->rng, sizeof(plain) / sizeof(*plain))];
}

/* Something that is, or was a moment ago. */
static void known(struct gen *gen, char text[LONGEST])
{
	const char *path;
	bool absolute = gen->facts.chrooted;

	if (gen->recent_count && rng_one_in(&gen->rng, 3)) {
		snprintf(text, LONGEST, "%s",
			 gen->recent[rng_below(&gen->rng,
					       gen->recent_count)]);
		return;
	}
	if (!gen->live_count) {
		snprintf(text, LONGEST, "%s", name(gen));
		return;
	}
	path = gen->live[rng_below(&gen->rng, gen->live_count)];
	if (absolute && gen->at_root[gen->user])
		absolute = rng_one_in(&gen->rng, 3);
	snprintf(text, LONGEST, "%s", path + !absolute);
}

/* Cuts the last component off. */
static void cut(char *text)
{
	char *slash = strrchr(text, '/');

	if (slash && slash != text)
		*slash = '\0';
}

static void append(char *text, const char *more)
{
	size_t len = strlen(text);

	if (len + strlen(more) + 2 < 400)
		strcpy(text + len, more);
}

static void mangle(struct gen *gen, char *text)
{
	char copy[LONGEST], *slash;

	switch (rng_below(&gen->rng, 24)) {
	case 0:
	case 1:
		append(text, "/");
		return;
	case 2:
		append(text, "/.");
		return;
	case 3:
		if (gen->facts.chrooted)
			append(text, "/..");
		return;
	case 4:
		if (gen->facts.chrooted) {
			append(text, "/../");
			append(text, name(gen));
		}
		return;
	case 5:
		slash = strchr(text + 1, '/');
		if (!slash || strlen(text) > 300)
			return;
		strcpy(copy, slash);
		strcpy(slash, rng_one_in(&gen->rng, 2) ? "/" : "/.");
		strcat(text, copy);
		return;
	}
}

static bool has_dots(const char *path)
{
	for (; *path; path += strcspn(path, "/"), path += strspn(path, "/")) {
		size_t len = strcspn(path, "/");

		if ((len == 1 && path[0] == '.') ||
		    (len == 2 && path[0] == '.' && path[1] == '.'))
			return true;
		if (!path[len])
			break;
	}
	return false;
}

static const char *draw_any(struct gen *gen, unsigned fresh_percent)
{
	char text[LONGEST];

	if (rng_one_in(&gen->rng, 60))
		return special(gen);
	if (rng_one_in(&gen->rng, 250))
		return extreme(gen);
	switch (rng_below(&gen->rng, 8)) {
	case 0:
		snprintf(text, sizeof(text), "%s", name(gen));
		break;
	case 1:
		snprintf(text, sizeof(text), "%s/%s", name(gen), name(gen));
		break;
	default:
		known(gen, text);
		if (rng_below(&gen->rng, 100) >= fresh_percent)
			break;
		if (rng_one_in(&gen->rng, 2))
			cut(text);
		append(text, "/");
		append(text, name(gen));
	}
	if (*text)
		mangle(gen, text);
	return keep(gen, text);
}

static const char *draw(struct gen *gen, unsigned fresh_percent)
{
	const char *path = draw_any(gen, fresh_percent);

	/* LEGAL_MOUNT_DOTS; nor may others find them in symlinks. */
	while (gen->facts.fuse && gen->facts.several_users && has_dots(path) &&
	       (gen->user || gen->drawing_target))
		path = draw_any(gen, fresh_percent);
	return path;
}

const char *gen_path(struct gen *gen)
{
	return draw(gen, 6);
}

const char *gen_new_path(struct gen *gen)
{
	return draw(gen, 70);
}

const char *gen_target(struct gen *gen)
{
	const char *path;

	switch (rng_below(&gen->rng, 40)) {
	case 0:
		return "nowhere";
	default:
		gen->drawing_target = true;
		do
			path = gen_path(gen);
		while (gen->facts.limited && strlen(path) > 100);
		gen->drawing_target = false;
		return path;
	}
}

const char *gen_xattr_name(struct gen *gen)
{
	static const char *const user[] = { "user.a", "user.b", "user.c",
					    "user." N85 N85 N17 N17 N17
					    "twenty_nine_letters_long_now",
					    "user.", "user." N255 };
	static const char *const other[] = { "", "none", "system.x", "os2.a",
					     "a.user.b", "User.a", N255 "a" };
	unsigned kind = (unsigned)rng_below(&gen->rng, 20);

	if (kind < 14 && gen->facts.user_xattr)
		return user[rng_one_in(&gen->rng, 15)
				    ? rng_below(&gen->rng, 6)
				    : rng_one_in(&gen->rng, 3)];
	if (kind < 17 && gen->facts.trusted_xattr)
		return rng_one_in(&gen->rng, 2) ? "trusted.t" : "trusted.u";
	if (kind < 19 && gen->facts.security_xattr)
		return "security.s";
	return other[rng_below(&gen->rng, sizeof(other) / sizeof(*other))];
}
