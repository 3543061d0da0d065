/* SPDX-License-Identifier: MIT */
/*
 * Inputs for what reads a grammar, in place of inputs.c: lines of a corpus of
 * text, fuzz/corpus/NAME, with words taken from elsewhere in it, and now and
 * then a byte changed. So most of an input is right, and parsers come far.
 */
#include "config.h"

#include "fuzz/grammar.h"
#include "fuzz/inputs.h"

#include <stdbool.h>

enum { CORPUS_MAX = 65536, PIECES_MAX = 2048 };

struct piece {
	const char *at;
	size_t length;
};

static struct {
	char text[CORPUS_MAX];
	struct piece line[PIECES_MAX], word[PIECES_MAX];
	size_t lines, words;
} corpus;

/* splitmix64 (Steele, Lea and Flood, 2014) */
static uint64_t rng(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static size_t below(uint64_t *state, size_t end)
{
	return (size_t)(rng(state) % end);
}

/* The pieces of the text that none of the ends is in. */
static size_t split(const char *ends, struct piece *pieces)
{
	const char *at = corpus.text;
	size_t count = 0;

	for (at += strspn(at, ends); *at && count < PIECES_MAX;
	     at += strspn(at, ends)) {
		pieces[count].at = at;
		pieces[count++].length = strcspn(at, ends);
		at += strcspn(at, ends);
	}
	return count;
}

static void read_corpus(void)
{
	const char *source = getenv("MVFS_SRCDIR");
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/fuzz/corpus/%s",
		 source ? source : ".", fuzz_corpus);
	file = fopen(path, "r");
	if (!file) {
		fprintf(stderr, "no %s: set MVFS_SRCDIR\n", path);
		exit(EXIT_FAILURE);
	}
	corpus.text[fread(corpus.text, 1, CORPUS_MAX - 1, file)] = 0;
	fclose(file);
	corpus.lines = split("\n", corpus.line);
	corpus.words = split("\n \t", corpus.word);
}

static size_t add(uint8_t *to, size_t length, const char *bytes, size_t n)
{
	if (length + n > FUZZ_MAX)
		return length;
	memcpy(to + length, bytes, n);
	return length + n;
}

/* A word that stands in for one of the line's, or follows it. */
static size_t add_word(uint64_t *state, uint8_t *to, size_t length)
{
	const struct piece *word = &corpus.word[below(state, corpus.words)];

	return add(to, length, word->at, word->length);
}

static size_t add_line(uint64_t *state, uint8_t *to, size_t length)
{
	const struct piece *line = &corpus.line[below(state, corpus.lines)];
	size_t cut = below(state, 9) ? line->length :
		     below(state, line->length + 1);

	length = add(to, length, line->at, cut);
	while (!below(state, 6)) {
		if (below(state, 6))
			length = add(to, length, " ", 1);
		length = add_word(state, to, length);
	}
	return add(to, length, "\n", 1);
}

size_t fuzz_next(uint64_t *state, uint8_t *to)
{
	size_t length = 0, lines = 1 + below(state, 12);

	if (!corpus.lines)
		read_corpus();
	for (; lines; lines--)
		length = add_line(state, to, length);
	while (length && !below(state, 4))
		to[below(state, length)] = (uint8_t)rng(state);
	return length;
}
