// SPDX-License-Identifier: MIT
/*
 * Text that nobody has looked at yet: decoded, or found to be shareable, by
 * memvfs and by others. One operation makes an owned string, or says that
 * the text is one, and gives up what it made.
 *
 * The texts are generated (see generate.c) and do not repeat, so that no
 * branch predictor learns them. A file is written to before each operation,
 * outside the time, so that nothing is known of it: as it was written, it is
 * in the processor's caches; so it is for the others, who read it by
 * mvfs_read_file()'s reference.
 */
#include <config.h>

#include "bench/peers/peers.h"

#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/prose.h"

enum { SMALL = 1024, SMALL_FILES = 128, LARGE = 1 << 20 };

/* A text, as one file or several that are taken in turns. */
struct set {
	const char *name, *charset;
	mvfs *fs;
	size_t length, count, next, made;
	const struct mvfs_charset *decoder;
	int fds[SMALL_FILES];
	char paths[SMALL_FILES][32];
	char first[SMALL_FILES];
	struct mvfs_string bytes[SMALL_FILES]; /* for the others */
	char *to; /* a warm target */
	const struct peers_glib *glib;
	const struct peers_icu *icu;
	void *converter;
	iconv_t descriptor;
};

static size_t advance(struct set *set)
{
	size_t now = set->next;

	set->next = now + 1 == set->count ? 0 : now + 1;
	return now;
}

static int unknow(void *ctx, uint64_t count)
{
	struct set *set = ctx;

	for (uint64_t i = 0; i < count; i++) {
		size_t at = (set->next + i) % set->count;
		int64_t n = mvfs_pwrite(set->fs, set->fds[at], &set->first[at],
					1, 0);

		if (n < 0)
			return (int)n;
	}
	return 0;
}

static int run_memvfs(void *ctx, uint64_t count)
{
	struct set *set = ctx;
	struct mvfs_string s;

	for (; count > 0; count--) {
		int result = mvfs_read_string(set->fs,
					      set->paths[advance(set)],
					      set->decoder, 0, &s, NULL);

		if (result < 0)
			return result;
		bench_sink(s.data);
		mvfs_string_release(&s);
	}
	return 0;
}

static int run_pass(void *ctx, uint64_t count)
{
	struct set *set = ctx;

	for (; count > 0; count--) {
		uint64_t sum = peers_read_pass(set->bytes[advance(set)].data,
					       set->length);

		bench_sink(&sum);
	}
	return 0;
}

static int run_memcpy(void *ctx, uint64_t count)
{
	struct set *set = ctx;

	for (; count > 0; count--) {
		memcpy(set->to, set->bytes[advance(set)].data, set->length);
		bench_sink(set->to);
	}
	return 0;
}

static int run_glib(void *ctx, uint64_t count)
{
	struct set *set = ctx;

	for (; count > 0; count--)
		if (!set->glib->validate(set->bytes[advance(set)].data,
					 (ssize_t)set->length, NULL))
			return -EILSEQ;
	return 0;
}

static int run_iconv(void *ctx, uint64_t count)
{
	struct set *set = ctx;

	for (; count > 0; count--) {
		char *from = (char *)(uintptr_t)set->bytes[advance(set)].data;
		size_t left = set->length, room = 2 * left + 4;
		char *made = malloc(room), *to = made;

		if (made == NULL)
			return -ENOMEM;
		iconv(set->descriptor, NULL, NULL, NULL, NULL);
		if (iconv(set->descriptor, &from, &left, &to, &room) ==
		    (size_t)-1) {
			free(made);
			return -EILSEQ;
		}
		bench_sink(made);
		free(made);
	}
	return 0;
}

static int run_icu(void *ctx, uint64_t count)
{
	struct set *set = ctx;

	for (; count > 0; count--) {
		const char *from = set->bytes[advance(set)].data;
		int32_t length = (int32_t)set->length, units, made = 0;
		uint16_t *wide = malloc(2 * set->length + 2);
		char *to = malloc(2 * set->length + 4);
		int error = 0;

		if (wide == NULL || to == NULL) {
			free(wide);
			free(to);
			return -ENOMEM;
		}
		units = set->icu->to_uchars(set->converter, wide, length, from,
					    length, &error);
		set->icu->to_utf8(to, 2 * length, &made, wide, units, &error);
		bench_sink(to);
		free(wide);
		free(to);
		if (error > 0)
			return -EILSEQ;
	}
	return 0;
}

static const struct bench_ops by_memvfs = {unknow, run_memvfs, NULL};
static const struct bench_ops by_memvfs_again = {NULL, run_memvfs, NULL};
static const struct bench_ops by_pass = {NULL, run_pass, NULL};
static const struct bench_ops by_memcpy = {NULL, run_memcpy, NULL};
static const struct bench_ops by_glib = {NULL, run_glib, NULL};
static const struct bench_ops by_iconv = {NULL, run_iconv, NULL};
static const struct bench_ops by_icu = {NULL, run_icu, NULL};

/* The text in its charset, of exactly that length in whole characters. */
static char *encode(const char *utf8, size_t len, const char *charset,
		    size_t length)
{
	struct mvfs_string s;
	char *bytes = malloc(length);

	if (bytes == NULL ||
	    mvfs_encode(utf8, len, mvfs_charset(charset), 0, &s, NULL) < 0) {
		free(bytes);
		return NULL;
	}
	memset(bytes, '\n', length);
	if (s.len < length)
		length = s.len;
	/* to the end of a line: where whole characters end in any charset */
	while (length > 0 && s.data[length - 1] != '\n')
		length--;
	memcpy(bytes, s.data, length);
	mvfs_string_release(&s);
	return bytes;
}

static int fill(struct set *set, const char *utf8, size_t len, mvfs *fs)
{
	char *bytes = NULL;
	int result = 0;

	set->fs = fs;
	set->decoder = mvfs_charset(set->charset);
	for (size_t i = 0; i < set->count && result == 0; i++) {
		size_t skip = set->count > 1 ? i * set->length : 0;

		free(bytes);
		bytes = encode(utf8 + skip, len - skip, set->charset,
			       set->length);
		if (bytes == NULL)
			return -ENOMEM;
		set->first[i] = bytes[0];
		snprintf(set->paths[i], sizeof(set->paths[i]), "/t/%s-%zu-%zu",
			 set->name, set->length, i);
		result = mvfs_write_file(fs, set->paths[i], bytes,
					 set->length);
		if (result == 0)
			result = set->fds[i] = mvfs_open(fs, set->paths[i],
							 O_RDWR, 0);
		/* a copy: a reference would let no write be in place */
		if (result >= 0)
			result = mvfs_string_copy(bytes, set->length,
						  &set->bytes[i]);
	}
	free(bytes);
	set->to = malloc(set->length);
	if (set->to != NULL)
		memset(set->to, 0, set->length);
	return result == 0 && set->to == NULL ? -ENOMEM : result;
}

static void end(struct set *set)
{
	for (size_t i = 0; i < set->count; i++)
		mvfs_string_release(&set->bytes[i]);
	if (set->converter != NULL)
		set->icu->close(set->converter);
	if (set->descriptor != (iconv_t)-1)
		iconv_close(set->descriptor);
	free(set->to);
}

static struct bench_row *first_row(struct peers *p, struct set *set)
{
	struct bench_row *row = peers_row(p, "readString.first", "memvfs",
					  set->length, set->name, &by_memvfs,
					  set);
	struct mvfs_string s;
	int shared;

	row->max_batch = set->count;
	if (mvfs_fread_string(set->fs, set->fds[0], set->decoder, 0, &s,
			      NULL) < 0)
		return row;
	set->made = s.len;
	shared = (s.flags & MVFS_STRING_SHARED) != 0;
	peers_bytes(row, shared ? 0 : (double)s.len, (double)s.len);
	if (shared)
		snprintf(row->note, sizeof(row->note),
			 "shares the file's buffer");
	mvfs_string_release(&s);
	return row;
}

/* glibc and ICU, where they know the charset. */
static struct bench_row *decoder_rows(struct peers *p, struct set *set,
				      const struct peers_icu *icu)
{
	double made = (double)set->made;
	struct bench_row *row = NULL;
	int error = 0;

	set->descriptor = iconv_open("UTF-8", set->charset);
	if (set->descriptor == (iconv_t)-1)
		bench_report_leave_out(p->report, "iconv",
				       "the C library does not know %s",
				       set->charset);
	else
		peers_bytes(row = peers_row(p, "decode", "glibc iconv",
					    set->length, set->name, &by_iconv,
					    set),
			    made, made);
	set->icu = icu;
	if (icu != NULL)
		set->converter = icu->open(set->charset, &error);
	if (set->converter != NULL)
		peers_bytes(peers_row(p, "decode", "ICU", set->length,
				      set->name, &by_icu, set),
			    2 * (double)set->length + made, made);
	return row;
}

enum { ASCII_SMALL, ASCII, CHINESE, AS_GBK, GBK, LATIN1, SETS };

/* What is wanted with the vector kernels in use; NaN: nothing was said. */
static double wanted(double avx512, double avx2, double portable)
{
	const char *kernels = mvfs_text_kernels();

	if (strcmp(kernels, "avx512") == 0)
		return avx512;
	if (strcmp(kernels, "avx2") == 0)
		return avx2;
	return strcmp(kernels, "portable") == 0 ? portable : (double)NAN;
}

static void speed(struct peers *p, const struct bench_row *row, double target,
		  const char *what)
{
	peers_speed(p, row, LARGE,
		    isnan(target) ? BENCH_NO_BOUND : BENCH_AT_LEAST, target,
		    "%s, 1 MiB", what);
}

static int add_and_measure(struct peers *p, struct set sets[SETS])
{
	const struct peers_glib *glib = peers_load_glib(p);
	const struct peers_icu *icu = peers_load_icu(p);
	struct bench_row *first[SETS], *again, *pass, *pass_small, *iconv_gbk;
	int result;

	again = peers_row(p, "readString.again", "memvfs", SMALL, "ascii",
			  &by_memvfs_again, &sets[ASCII_SMALL]);
	peers_bytes(again, 0, SMALL);
	pass_small = peers_row(p, "readPass", "one read pass", SMALL, "ascii",
			       &by_pass, &sets[ASCII_SMALL]);
	pass = peers_row(p, "readPass", "one read pass", LARGE, "ascii",
			 &by_pass, &sets[ASCII]);
	peers_bytes(pass_small, 0, 0);
	peers_bytes(pass, 0, 0);
	peers_bytes(peers_row(p, "memcpy", "glibc, warm target", LARGE,
			      "ascii", &by_memcpy, &sets[ASCII]),
		    LARGE, 0);
	for (size_t i = 0; i < SETS; i++) {
		sets[i].glib = glib;
		first[i] = first_row(p, &sets[i]);
	}
	if (glib != NULL) {
		peers_bytes(peers_row(p, "validate", "GLib", LARGE, "ascii",
				      &by_glib, &sets[ASCII]),
			    0, 0);
		peers_bytes(peers_row(p, "validate", "GLib", LARGE, "chinese",
				      &by_glib, &sets[CHINESE]),
			    0, 0);
	}
	iconv_gbk = decoder_rows(p, &sets[GBK], icu);
	decoder_rows(p, &sets[LATIN1], icu);
	result = peers_measure(p);
	if (result < 0)
		return result;
	peers_ratio(p, first[ASCII], pass, BENCH_AT_MOST, 1.6,
		    "first of ASCII / a read pass, 1 MiB");
	peers_ratio(p, first[ASCII_SMALL], again, BENCH_AT_MOST, 1.6,
		    "first of ASCII / again, 1 KiB");
	speed(p, first[CHINESE], wanted(13, 9, NAN), "first of Chinese UTF-8");
	peers_ratio(p, first[AS_GBK], first[ASCII], BENCH_AT_MOST, 1.1,
		    "first of ASCII as GBK / as UTF-8, 1 MiB");
	speed(p, first[GBK], wanted(2.5, 1, 0.9), "GBK, 12 % ASCII bytes");
	peers_ratio(p, iconv_gbk, first[GBK], BENCH_NO_BOUND, 0,
		    "GBK: glibc iconv / memvfs");
	speed(p, first[LATIN1], wanted(10, NAN, NAN),
	      "Latin-1, 6 % high bytes");
	return 0;
}

/* Where the generated prose has words, every now and then an umlaut. */
static char *with_umlauts(const struct bench_text *text, uint64_t *seed,
			  size_t *len)
{
	char *to = malloc(text->utf8_len * 2 + 1), *at = to;

	for (size_t i = 0; to != NULL && i < text->utf8_len; i++) {
		if (text->utf8[i] != '\n' && bench_random(seed) % 16 == 0) {
			memcpy(at, "\xc3\xbc", 2);
			at += 2;
		} else {
			*at++ = text->utf8[i];
		}
	}
	*len = to != NULL ? (size_t)(at - to) : 0;
	return to;
}

int peers_texts(struct peers *p)
{
	struct set sets[SETS] = {
		[ASCII_SMALL] = {"ascii", "UTF-8", NULL, SMALL, SMALL_FILES},
		[ASCII] = {"ascii", "UTF-8", NULL, LARGE, 1},
		[CHINESE] = {"chinese", "UTF-8", NULL, LARGE, 1},
		[AS_GBK] = {"asciiAsGbk", "GBK", NULL, LARGE, 1},
		[GBK] = {"gbk", "GBK", NULL, LARGE, 1},
		[LATIN1] = {"latin1", "ISO-8859-1", NULL, LARGE, 1},
	};
	struct bench_text ascii = {0}, chinese = {0};
	size_t umlauts_len = 0;
	char *umlauts = NULL;
	uint64_t seed = p->seed;
	mvfs *fs = NULL;
	int result = mvfs_create(NULL, &fs);

	if (result == 0)
		result = mvfs_mkdir(fs, "/t", 0755);
	for (size_t i = 0; i < SETS; i++)
		sets[i].descriptor = (iconv_t)-1;
	/* in GBK, two thirds of it */
	if (result == 0)
		result = bench_generate_ascii(p->seed, 2 * LARGE, &ascii);
	if (result == 0)
		result = bench_generate_chinese(p->seed, 2 * LARGE, &chinese);
	if (result == 0 &&
	    (umlauts = with_umlauts(&ascii, &seed, &umlauts_len)) == NULL)
		result = -ENOMEM;
	for (size_t i = 0; i < SETS && result == 0; i++) {
		const char *text = ascii.utf8;
		size_t len = ascii.utf8_len;

		if (i == CHINESE || i == GBK) {
			text = chinese.utf8;
			len = chinese.utf8_len;
		} else if (i == LATIN1) {
			text = umlauts;
			len = umlauts_len;
		}
		result = fill(&sets[i], text, len, fs);
	}
	if (result == 0)
		result = add_and_measure(p, sets);
	for (size_t i = 0; i < SETS; i++)
		end(&sets[i]);
	mvfs_destroy(fs);
	free(umlauts);
	free(ascii.utf8);
	free(chinese.utf8);
	return result;
}
