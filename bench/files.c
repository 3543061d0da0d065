// SPDX-License-Identifier: MIT
#include <config.h>

#include "bench/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t bench_files_count(size_t length)
{
	size_t count =
		length > 0 ? BENCH_FILES_BYTES / length : BENCH_FILES_MAX;

	if (count > BENCH_FILES_MAX)
		return BENCH_FILES_MAX;
	return count > 0 ? count : 1;
}

static int check(struct bench_place *place, const char *name,
		 const struct mvfs_charset *charset, const char *utf8,
		 size_t utf8_len)
{
	struct mvfs_string s;
	int result;

	if (place->kind == BENCH_MEMORY)
		result =
			mvfs_read_string(place->fs, name, charset, 0, &s, NULL);
	else
		result = mvfs_host_read_string(place->dirfd, name, charset, 0,
					       &s, NULL);
	if (result < 0)
		return result;
	if (s.len != utf8_len || memcmp(s.data, utf8, utf8_len) != 0)
		result = -EILSEQ;
	mvfs_string_release(&s);
	return result;
}

static int create_one(struct bench_files *files, size_t i,
		      const struct bench_text *text, uint64_t random,
		      char *bytes, char *utf8,
		      const struct mvfs_charset *const charsets[2])
{
	struct bench_place *place = files->place;
	const char *name = files->names[i];
	size_t utf8_len;
	int result;

	snprintf(files->names[i], sizeof(files->names[i]), "%c%zu-%03zu",
		 "aug"[files->kind], files -> length, i);
	utf8_len = bench_text_cut(text, random, files->length, bytes, utf8);
	result = bench_place_put(place, name, bytes, files->length);
	for (int c = 0; c < 2 && charsets[c] != NULL && result == 0; c++)
		result = check(place, name, charsets[c], utf8, utf8_len);
	if (result < 0 || place->kind != BENCH_MEMORY)
		return result;
	files->first[i] = bytes[0];
	files->fds[i] = mvfs_open(place->fs, name, O_WRONLY, 0);
	return files->fds[i] < 0 ? files->fds[i] : 0;
}

int bench_files_create(struct bench_files *files, struct bench_place *place,
		       const struct bench_text *text, enum bench_text_kind kind,
		       size_t length, uint64_t seed,
		       const struct mvfs_charset *const charsets[2])
{
	size_t count = bench_files_count(length);
	char *bytes = malloc(length + 1), *utf8 = malloc(2 * length + 1);
	int result = -ENOMEM;

	memset(files, 0, sizeof(*files));
	files->place = place;
	files->kind = kind;
	files->length = length;
	files->names = calloc(count, sizeof(*files->names));
	files->fds = calloc(count, sizeof(*files->fds));
	files->first = calloc(count, 1);
	if (bytes == NULL || utf8 == NULL || files->names == NULL ||
	    files->fds == NULL || files->first == NULL)
		goto out;
	/* The same bytes in every place: the seed is the length's and the
	 * text's own. */
	seed += length * BENCH_TEXTS + kind;
	for (files->count = 0; files->count < count; files->count++) {
		result = create_one(files, files->count, text,
				    bench_random(&seed), bytes, utf8, charsets);
		if (result < 0)
			break;
	}
out:
	free(bytes);
	free(utf8);
	return result;
}

void bench_files_free(struct bench_files *files)
{
	if (files->place != NULL && files->place->kind == BENCH_MEMORY)
		for (size_t i = 0; i < files->count; i++)
			mvfs_close(files->place->fs, files->fds[i]);
	free(files->names);
	free(files->fds);
	free(files->first);
	memset(files, 0, sizeof(*files));
}

int bench_files_unknow(struct bench_files *files, size_t from, size_t count)
{
	for (size_t i = 0; i < count && files->length > 0; i++) {
		size_t which = (from + i) % files->count;
		int64_t n = mvfs_pwrite(files->place->fs, files->fds[which],
					&files->first[which], 1, 0);

		if (n < 0)
			return (int)n;
	}
	return 0;
}
