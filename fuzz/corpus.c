/* SPDX-License-Identifier: MIT */
/*
 * Lines of a text corpus, put together and spoilt: what is most like a good
 * text goes deepest into a parser. Each step takes a few bytes of the input.
 * An input that begins with a printable character is a text as it is, so that
 * files can be given.
 */
#include "config.h"

#include "fuzz/corpus.h"

enum { LINES = 64, STEPS = 12 };

static char *line[LINES];
static size_t lines;

static void load(const char *file)
{
	const char *source = getenv("MVFS_SRCDIR");
	char name[4096], text[256];
	FILE *f;

	snprintf(name, sizeof(name), "%s/fuzz/corpus/%s",
		 source ? source : ".", file);
	f = fopen(name, "r");
	hold(f != NULL, "%s cannot be opened", name);
	while (lines < LINES && fgets(text, sizeof(text), f)) {
		text[strcspn(text, "\n")] = 0;
		line[lines] = strdup(text);
		hold(line[lines] != NULL, "no memory");
		lines++;
	}
	fclose(f);
	hold(lines > 0, "%s is empty", name);
}

/* Puts bytes into the text in place of `cut` of its own. */
static void splice(char *text, size_t at, size_t cut, const char *bytes,
		   size_t count)
{
	size_t len = strlen(text);

	if (at > len)
		at = len;
	if (cut > len - at)
		cut = len - at;
	if (len - cut + count >= FUZZ_MAX)
		return;
	memmove(text + at + count, text + at + cut, len - at - cut + 1);
	memcpy(text + at, bytes, count);
}

static void step(struct fuzz_input *in, char *text)
{
	unsigned what = fuzz_byte(in), n = fuzz_byte(in);
	size_t at = fuzz_word(in) % (strlen(text) + 1);
	const char *other = line[n % lines];
	size_t from = fuzz_byte(in) % (strlen(other) + 1);
	char byte = (char)n;

	switch (what % 6) {
	case 0:
		splice(text, at, 0, other + from, strlen(other + from));
		break;
	case 1:
		splice(text, at, n % 8, other + from,
		       strcspn(other + from, " "));
		break;
	case 2:
		splice(text, at, n % 16, "", 0);
		break;
	case 3:
		splice(text, at, 1, " =,*+!\\#0" + n % 9, 1);
		break;
	case 4:
		if (byte)
			splice(text, at, 1, &byte, 1);
		break;
	default:
		break;
	}
}

void corpus_text(const char *file, struct fuzz_input *in, int many,
		 char text[FUZZ_MAX])
{
	unsigned i, first, count;

	if (!lines)
		load(file);
	text[0] = 0;
	first = fuzz_byte(in);
	if (first >= '!' && first < 0x7f) {
		text[0] = (char)first;
		text[1] = 0;
		splice(text, 1, 0, (const char *)in->at,
		       in->left < FUZZ_MAX - 2 ? in->left : FUZZ_MAX - 2);
		return;
	}
	count = many ? 1 + first % 6 : 1;
	for (i = 0; i < count; i++) {
		const char *other = line[fuzz_byte(in) % lines];

		splice(text, FUZZ_MAX, 0, other, strlen(other));
		if (many)
			splice(text, FUZZ_MAX, 0, "\n", 1);
	}
	for (i = fuzz_byte(in) % STEPS; i > 0 && in->left; i--)
		step(in, text);
}
