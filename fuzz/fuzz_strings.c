/* SPDX-License-Identifier: MIT */
/*
 * What can be done with a string: slices, lines, parts, comparing, copies,
 * each against a model that goes byte by byte.
 */
#include "config.h"

#include <memvfs/text.h>

#include <errno.h>

#include "fuzz/fuzz.h"

static struct mvfs_string copy(const void *bytes, size_t length)
{
	struct mvfs_string s;

	hold(mvfs_string_copy(bytes, length, &s) == 0, "%zu bytes", length);
	hold(s.len == length && !memcmp(s.data, bytes, length), "a copy");
	hold(s.flags & MVFS_STRING_TERMINATED && !s.data[length],
	     "not terminated");
	return s;
}

/* The length of the line at `text`, and in *next that with its end. */
static size_t model_line(const char *text, size_t length, size_t *next)
{
	size_t n = 0;

	while (n < length && text[n] != '\n' && text[n] != '\r')
		n++;
	*next = n;
	if (n < length)
		*next += n + 1 < length && text[n] == '\r' &&
			 text[n + 1] == '\n' ? 2 : 1;
	return n;
}

static void check_lines(const struct mvfs_string *s, uint64_t first,
			uint64_t count)
{
	struct mvfs_string rest = mvfs_string_share(s), line;
	struct mvfs_lines table;
	size_t at = 0, n, next, number = 0, listed = 0;

	hold(mvfs_string_lines(s, first, count, &table) == 0, "lines");
	while (at < s->len) {
		n = model_line(s->data + at, s->len - at, &next);
		hold(mvfs_string_next_line(&rest, &line) == 1, "line %zu",
		     number);
		hold(line.len == n && !memcmp(line.data, s->data + at, n),
		     "line %zu is another", number);
		mvfs_string_release(&line);
		if (number >= first && listed < count) {
			hold(listed < table.count, "%zu lines", table.count);
			hold(table.line[listed].len == n &&
			     table.line[listed].data ==
			     table.text.data + at, "line %zu of the table",
			     listed);
			listed++;
		}
		number++;
		at += next;
	}
	hold(mvfs_string_next_line(&rest, &line) == 0, "one line more");
	hold(!rest.owner && !rest.len, "something is left");
	hold(table.count == listed, "%zu lines, not %zu", table.count,
	     listed);
	mvfs_lines_release(&table);
}

static void check_parts(const struct mvfs_string *s, const char *separator,
			size_t length)
{
	struct mvfs_string rest = mvfs_string_share(s), part;
	size_t at = 0, end;

	for (;;) {
		end = at;
		while (end + length <= s->len &&
		       memcmp(s->data + end, separator, length) != 0)
			end++;
		if (end + length > s->len)
			end = s->len;
		hold(mvfs_string_next_part(&rest, separator, length,
					   &part) == 1, "part at %zu", at);
		hold(part.len == end - at &&
		     !memcmp(part.data, s->data + at, part.len),
		     "the part at %zu is another", at);
		mvfs_string_release(&part);
		if (end + length > s->len)
			break;
		at = end + length;
	}
	hold(mvfs_string_next_part(&rest, separator, length, &part) == 0,
	     "one part more");
}

static int sign(int n)
{
	return (n > 0) - (n < 0);
}

static void check_pair(const struct mvfs_string *a,
		       const struct mvfs_string *b)
{
	size_t least = a->len < b->len ? a->len : b->len;
	int model = sign(least ? memcmp(a->data, b->data, least) : 0);

	if (!model)
		model = (a->len > b->len) - (a->len < b->len);
	hold(sign(mvfs_string_compare(a, b)) == model, "order");
	hold(sign(mvfs_string_compare(b, a)) == -model, "order, turned");
	hold(mvfs_string_equal(a, b) == !model, "equality");
	if (!model)
		hold(mvfs_string_hash(a, 7) == mvfs_string_hash(b, 7),
		     "equal strings of different hashes");
}

/* A slice, in each form that it can be brought into. */
static void check_slice(const struct mvfs_string *s, size_t start,
			size_t length)
{
	struct mvfs_string slice = mvfs_string_slice(s, start, length), own;
	size_t from = start < s->len ? start : s->len;
	size_t n = length < s->len - from ? length : s->len - from;
	const char *c;
	char *stolen;

	hold(slice.len == n && !memcmp(slice.data, s->data + from, n),
	     "%zu bytes at %zu of %zu", length, start, s->len);
	own = copy(slice.data, slice.len);
	check_pair(&own, &slice);
	check_pair(&own, s);
	hold(mvfs_string_compact(&slice) == 0, "compact");
	check_pair(&own, &slice);
	c = mvfs_string_cstr(&slice);
	hold(c && !c[n], "a C string");
	check_pair(&own, &slice);
	stolen = mvfs_string_steal(&slice);
	hold(stolen && !stolen[n] && !memcmp(stolen, own.data, n), "stolen");
	hold(!slice.data && !slice.owner && !slice.len, "not {0}");
	free(stolen);
	mvfs_string_release(&own);
	mvfs_string_release(&slice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size < FUZZ_MAX ? size : FUZZ_MAX };
	unsigned what = fuzz_byte(&in), start = fuzz_word(&in);
	struct mvfs_string s = copy(in.at, in.left), part;
	char separator[3];
	size_t n = 1 + what % 3;

	check_lines(&s, 0, UINT64_MAX);
	check_lines(&s, start % 16, what % 16);
	/* a separator that is there, or may be */
	memset(separator, what, sizeof(separator));
	if (s.len >= n)
		memcpy(separator, s.data + start % (s.len - n + 1), n);
	check_parts(&s, separator, n);
	check_parts(&s, "\n", 1);
	start %= FUZZ_MAX;
	check_slice(&s, start, what * 17u);
	check_slice(&s, start % (s.len + 1), SIZE_MAX);
	part = mvfs_string_slice(&s, start % (s.len + 1), SIZE_MAX);
	mvfs_string_release(&s);
	check_lines(&part, what % 4, 3);
	mvfs_string_release(&part);
	return 0;
}
