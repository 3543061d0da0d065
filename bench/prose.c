// SPDX-License-Identifier: MIT
#include <config.h>

#include "bench/prose.h"

#include <memvfs/memvfs.h>

#include "bench/sha256.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SOURCE_MAX (256u << 20) /* more than that is not read */

static int append(struct bench_text *text, const char *bytes, size_t len)
{
	char *bigger = realloc(text->utf8, text->utf8_len + len + 2);

	if (bigger == NULL)
		return -ENOMEM;
	text->utf8 = bigger;
	memcpy(bigger + text->utf8_len, bytes, len);
	text->utf8_len += len;
	if (len > 0 && bytes[len - 1] != '\n')
		bigger[text->utf8_len++] = '\n';
	bigger[text->utf8_len] = '\0';
	return 0;
}

static int take_file(struct bench_prose *prose, int dirfd, const char *name)
{
	struct mvfs_string s;
	int result;

	result = mvfs_host_read_string(dirfd, name, NULL, 0, &s, NULL);
	if (result == -EILSEQ) {
		prose->refused++;
		return 0;
	}
	if (result < 0)
		return result;
	if (memchr(s.data, '\0', s.len) != NULL) {
		prose->refused++;
	} else {
		prose->files++;
		result = append(
			&prose->text[s.flags & MVFS_STRING_ASCII ? BENCH_ASCII
								 : BENCH_UTF8],
			s.data, s.len);
	}
	mvfs_string_release(&s);
	return result;
}

static int take_directory(struct bench_prose *prose, int parent,
			  const char *name)
{
	struct dirent **entries = NULL;
	struct stat st;
	int fd, count, result = 0;

	fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	count = scandirat(fd, ".", &entries, NULL, alphasort);
	if (count < 0) {
		result = -errno;
		count = 0;
	}
	for (int i = 0; i < count; i++) {
		const char *entry = entries[i]->d_name;

		if (result == 0 && entry[0] != '.' &&
		    fstatat(fd, entry, &st, AT_SYMLINK_NOFOLLOW) == 0) {
			if (S_ISDIR(st.st_mode))
				result = take_directory(prose, fd, entry);
			else if (S_ISREG(st.st_mode) &&
				 (uint64_t)st.st_size <=
					 SOURCE_MAX - prose->text[0].utf8_len -
						 prose->text[1].utf8_len)
				result = take_file(prose, fd, entry);
		}
		free(entries[i]);
	}
	free(entries);
	close(fd);
	return result;
}

static int index_lines(struct bench_text *text)
{
	const char *end = text->utf8 + text->utf8_len;
	size_t count = 0;

	for (const char *at = text->utf8; at < end; count++)
		at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
	text->lines = calloc(count + 1, sizeof(*text->lines));
	if (text->lines == NULL)
		return -ENOMEM;
	for (const char *at = text->utf8; at <= end;) {
		size_t offset = (size_t)(at - text->utf8);

		text->lines[text->line_count].bytes = offset;
		text->lines[text->line_count].utf8 = offset;
		if (at == end)
			break;
		text->line_count++;
		at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
	}
	text->bytes = text->utf8;
	text->len = text->utf8_len;
	return 0;
}

/* One line to GBK: bytes stored, or 0 if it cannot be said there. */
static size_t encode_line(iconv_t cd, const char *line, size_t len, char *to)
{
	const struct mvfs_charset *gbk = mvfs_charset("GBK");
	struct mvfs_string s;
	size_t done;

	if (cd != (iconv_t)-1) {
		char *in = (char *)(uintptr_t)line, *out = to;
		size_t in_left = len, out_left = len;

		iconv(cd, NULL, NULL, NULL, NULL);
		if (iconv(cd, &in, &in_left, &out, &out_left) != 0)
			return 0;
		return (size_t)(out - to);
	}
	if (gbk == NULL || mvfs_encode(line, len, gbk, 0, &s, NULL) < 0)
		return 0;
	done = s.len <= len ? s.len : 0;
	memcpy(to, s.data, done);
	mvfs_string_release(&s);
	return done;
}

static int encode_gbk(struct bench_prose *prose)
{
	const struct bench_text *from = &prose->text[BENCH_UTF8];
	struct bench_text *to = &prose->text[BENCH_GBK];
	iconv_t cd = iconv_open("GBK", "UTF-8");

	prose->gbk_by = cd != (iconv_t)-1 ? "iconv of the C library"
					  : "mvfs_encode (this C library's "
					    "iconv has no GBK)";
	to->bytes = malloc(from->len + 1);
	to->utf8 = malloc(from->len + 1);
	to->lines = calloc(from->line_count + 1, sizeof(*to->lines));
	if (to->bytes == NULL || to->utf8 == NULL || to->lines == NULL) {
		if (cd != (iconv_t)-1)
			iconv_close(cd);
		return -ENOMEM;
	}
	for (size_t i = 0; i < from->line_count; i++) {
		const char *line = from->utf8 + from->lines[i].utf8;
		size_t len = from->lines[i + 1].utf8 - from->lines[i].utf8;
		size_t done = encode_line(cd, line, len, to->bytes + to->len);

		if (done == 0) {
			to->dropped++;
			continue;
		}
		memcpy(to->utf8 + to->utf8_len, line, len);
		to->len += done;
		to->utf8_len += len;
		to->line_count++;
		to->lines[to->line_count].bytes = to->len;
		to->lines[to->line_count].utf8 = to->utf8_len;
	}
	to->bytes[to->len] = '\0';
	to->utf8[to->utf8_len] = '\0';
	if (cd != (iconv_t)-1)
		iconv_close(cd);
	return 0;
}

static int finish(struct bench_prose *prose)
{
	static const char *const kinds[] = {"ASCII", "non-ASCII UTF-8", "GBK"};
	int result = 0;

	for (int i = BENCH_ASCII; i <= BENCH_UTF8 && result == 0; i++)
		if (prose->text[i].utf8_len > 0)
			result = index_lines(&prose->text[i]);
	if (result == 0 && prose->text[BENCH_UTF8].len > 0)
		result = encode_gbk(prose);
	for (int i = 0; i < BENCH_TEXTS; i++)
		if (prose->text[i].len == 0)
			snprintf(prose->text[i].why, sizeof(prose->text[i].why),
				 "no file of %.100s holds %s text",
				 prose->source, kinds[i]);
	return result;
}

/* fetch-prose says in the file .source what it put there. */
static void name_source(const char *source, char *to, size_t size)
{
	char path[4096], line[120] = "";
	FILE *file;

	snprintf(path, sizeof(path), "%s/.source", source);
	file = fopen(path, "re");
	if (file != NULL) {
		if (fgets(line, sizeof(line), file) == NULL)
			line[0] = '\0';
		fclose(file);
	}
	line[strcspn(line, "\n")] = '\0';
	if (line[0] != '\0')
		snprintf(to, size, "%s", line);
	else
		snprintf(to, size, "%s", source);
}

int bench_prose_load(const char *source, uint64_t seed,
		     struct bench_prose *prose)
{
	int result;

	memset(prose, 0, sizeof(*prose));
	prose->gbk_by = "nobody";
	if (source != NULL) {
		name_source(source, prose->source, sizeof(prose->source));
		result = take_directory(prose, AT_FDCWD, source);
	} else {
		snprintf(prose->source, sizeof(prose->source),
			 "GENERATED, no real text (--source DIR)");
		result = bench_generate_ascii(seed, BENCH_GENERATED,
					      &prose->text[BENCH_ASCII]);
		if (result == 0)
			result = bench_generate_chinese(
				seed, BENCH_GENERATED,
				&prose->text[BENCH_UTF8]);
	}
	if (result == 0)
		result = finish(prose);
	if (result < 0)
		bench_prose_free(prose);
	return result;
}

void bench_prose_free(struct bench_prose *prose)
{
	for (int i = 0; i < BENCH_TEXTS; i++) {
		struct bench_text *text = &prose->text[i];

		if (text->bytes != text->utf8)
			free(text->bytes);
		free(text->utf8);
		free(text->lines);
	}
	memset(prose, 0, sizeof(*prose));
}

void bench_prose_head(const struct bench_prose *prose,
		      struct bench_report *report)
{
	static const char *const names[] = {"text ascii", "text utf8",
					    "text gbk"};

	bench_report_head(report, "text source",
			  "%s; %zu files, %zu refused (neither ASCII nor "
			  "UTF-8)",
			  prose->source, prose->files, prose->refused);
	for (int i = 0; i < BENCH_TEXTS; i++) {
		const struct bench_text *text = &prose->text[i];
		char hex[65], made[100] = "";
		size_t ascii = 0;

		if (text->len == 0)
			continue;
		/* Not in `bytes`: GBK's second ones may look like ASCII. */
		for (size_t k = 0; k < text->utf8_len; k++)
			ascii += (unsigned char)text->utf8[k] < 0x80;
		if (i == BENCH_GBK)
			snprintf(made, sizeof(made),
				 "; made by %s, %zu lines left out",
				 prose->gbk_by, text->dropped);
		bench_sha256(text->bytes, text->len, hex);
		bench_report_head(
			report, names[i],
			"%zu bytes, %.1f %% ASCII, SHA-256 %s%s", text->len,
			100.0 * (double)ascii / (double)text->len, hex, made);
	}
}

static size_t utf8_step(unsigned char lead)
{
	return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

size_t bench_text_cut(const struct bench_text *text, uint64_t random,
		      size_t length, char *bytes, char *utf8)
{
	const struct bench_line *line = &text->lines[random % text->line_count];
	size_t from = line->bytes, from_utf8 = line->utf8;
	size_t at = 0, at_utf8 = 0, step, step_utf8;

	while (at < length) {
		if (from == text->len) {
			from = 0;
			from_utf8 = 0;
		}
		step_utf8 = utf8_step((unsigned char)text->utf8[from_utf8]);
		step = text->bytes == text->utf8 ? step_utf8
		       : step_utf8 == 1		 ? 1
						 : 2;
		if (step > length - at)
			break;
		memcpy(bytes + at, text->bytes + from, step);
		memcpy(utf8 + at_utf8, text->utf8 + from_utf8, step_utf8);
		from += step;
		from_utf8 += step_utf8;
		at += step;
		at_utf8 += step_utf8;
	}
	for (; at < length; at++) {
		bytes[at] = '\n';
		utf8[at_utf8++] = '\n';
	}
	return at_utf8;
}
